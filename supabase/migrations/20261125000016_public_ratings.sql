-- Why: a merchant judges the shop by what its public page shows, beside what was collected here

set check_function_bodies = off;

CREATE TABLE "public"."public_ratings" ("org_id" uuid NOT NULL, "store_id" uuid NOT NULL, "day" date NOT NULL, "rating" numeric NOT NULL, "reviews" integer NOT NULL, "typed_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "public_ratings_check" CHECK (
CASE
    WHEN (reviews = 0) THEN (rating = (0)::numeric)
    ELSE (rating >= (1)::numeric)
END), CONSTRAINT "public_ratings_pkey" PRIMARY KEY (org_id, store_id, day), CONSTRAINT "public_ratings_rating_check" CHECK (((rating >= (0)::numeric) AND (rating <= (5)::numeric) AND (scale(rating) <= 1))), CONSTRAINT "public_ratings_reviews_check" CHECK (((reviews >= 0) AND (reviews <= 10000000))));

ALTER TABLE "public"."public_ratings" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.public_rating(p_org_id uuid, p_store_id uuid, p_points integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with first as (
    select r.day, r.rating, r.reviews from public.public_ratings r
    where r.org_id = p_org_id and r.store_id = p_store_id order by r.day limit 1
  ), newest as (
    select r.day, r.rating, r.reviews from public.public_ratings r
    where r.org_id = p_org_id and r.store_id = p_store_id order by r.day desc limit p_points
  ), collected as (
    select d.day, sum(sum(d.reviews)) over (order by d.day) as reviews
    from public.campaign_daily_stats d, first f
    where d.org_id = p_org_id and d.store_id = p_store_id and d.day > f.day
    group by d.day
  )
  select jsonb_build_object(
    'first', (select jsonb_build_object('day', f.day, 'rating', f.rating, 'reviews', f.reviews) from first f),
    'collected', coalesce((select c.reviews from collected c order by c.day desc limit 1), 0),
    'points', coalesce((
      select jsonb_agg(jsonb_build_object('day', n.day, 'rating', n.rating, 'reviews', n.reviews,
        'collected', coalesce((
          select c.reviews from collected c where c.day <= n.day order by c.day desc limit 1), 0)) order by n.day)
      from newest n), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.public_ratings(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'stores', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is null),
    'items', coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name,
      'rating', private.public_rating(p_org_id, s.id, 1)) order by s.day desc nulls last, s.created_at, s.id), '[]'::jsonb))
  from (
    select o.id, o.name, o.created_at, t.day
    from public.stores o
    left join (
      select r.store_id, max(r.day) as day from public.public_ratings r where r.org_id = p_org_id group by r.store_id
    ) t on t.store_id = o.id
    where o.org_id = p_org_id and o.archived_at is null
    order by t.day desc nulls last, o.created_at, o.id limit 3
  ) s;
$function$;

CREATE OR REPLACE FUNCTION public.dashboard(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_today date;
  v_recent jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
  v_recent := private.recent_days(p_org_id, v_today);
  return jsonb_build_object(
    'limits', coalesce(
      (select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
         'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
       from public.subscriptions s join public.plan_limits l on l.plan = s.plan where s.org_id = p_org_id),
      '{"max_active_campaigns": 1, "monthly_spins": 100, "max_users": 2}'::jsonb),
    'used', jsonb_build_object(
      'active_campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
      'monthly_spins', v_recent -> 'monthly_spins',
      'users', private.users_used(p_org_id)),
    'totals', private.organization_totals(p_org_id),
    'last_30_days', v_recent -> 'totals',
    'previous_30_days', v_recent -> 'previous',
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
    'todo', private.next_steps(p_org_id, v_today),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel',
      'return', private.period_return(p_org_id, v_today - 29, 'infinity')) end,
    'activity', private.recent_activity(p_org_id, private.may_name_customers(p_org_id)),
    'public_ratings', private.public_ratings(p_org_id),
    'reviews', case when p_org_id = any (array(select private.my_org_ids('reviews.read')))
      then private.latest_words(p_org_id, private.may_name_customers(p_org_id)) end,
    'active_campaigns', coalesce(
      (select jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name,
         'active', true, 'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'scans', (
         select coalesce(sum(f.scans), 0) from private.campaign_figures_now(p_org_id) f
         where f.campaign_id = shown.id)) order by shown.created_at desc, shown.id)
       from (
         select c.* from public.campaigns c
         where c.org_id = p_org_id and c.active order by c.created_at desc, c.id limit 2
       ) shown),
      '[]'::jsonb)
  );
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_public_rating(p_store_id uuid, p_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('stores.write')))
  for key share;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  delete from public.public_ratings r where r.org_id = v_store.org_id and r.store_id = p_store_id and r.day = p_day;
  if found then
    perform private.audit(v_store.org_id, 'store.rating_removed', 'store', p_store_id,
      jsonb_build_object('name', v_store.name));
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_public_rating(p_store_id uuid, p_rating numeric, p_reviews integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('stores.write')))
  for key share;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.public_ratings as r (org_id, store_id, day, rating, reviews)
  values (v_store.org_id, p_store_id, private.now_in(v_store.timezone)::date, trim_scale(p_rating), p_reviews)
  on conflict (org_id, store_id, day) do update
    set rating = excluded.rating, reviews = excluded.reviews, typed_at = excluded.typed_at
    where (r.rating, r.reviews) is distinct from (excluded.rating, excluded.reviews);
  -- A request whose answer was lost comes again, and changes nothing.
  if found then
    perform private.audit(v_store.org_id, 'store.rated', 'store', p_store_id, jsonb_build_object('name', v_store.name));
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_stats(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store public.stores;
  v_today date;
  v_figures jsonb;
begin
  select * into v_store from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  v_today := private.now_in(v_store.timezone)::date;
  v_figures := private.store_figures(v_store.org_id, p_id);
  return jsonb_build_object(
    'store', jsonb_build_object('id', v_store.id, 'name', v_store.name, 'address', v_store.address),
    'public_rating', private.public_rating(v_store.org_id, p_id, 60) || jsonb_build_object('url', v_store.google_review_url),
    'figures', v_figures - '{free_spins,free_wins,free_redemptions}'::text[],
    'advanced', case when private.has_feature(v_store.org_id, 'advanced_analytics') then jsonb_build_object(
      'funnel', private.funnel(v_figures),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
          'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
        from generate_series(v_today - 29, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
          from public.campaign_daily_stats d
          where d.org_id = v_store.org_id and d.store_id = p_id and d.day > v_today - 30
          group by d.day
        ) f on f.day = calendar.day::date
      )) end,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'scans', f.scans,
        'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
      from (
        select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
        from private.campaign_figures_now(v_store.org_id) d where d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$function$;

ALTER TABLE "public"."public_ratings" ADD CONSTRAINT "public_ratings_org_id_store_id_fkey" FOREIGN KEY (org_id, store_id) REFERENCES public.stores(org_id, id) ON DELETE CASCADE;

COMMENT ON COLUMN "public"."public_ratings"."day" IS 'Day on which it was read, in the store''s time zone.';

COMMENT ON COLUMN "public"."public_ratings"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "public"."public_ratings"."rating" IS 'Mean of the stars, 1 to 5 with one decimal; 0 without a review.';

COMMENT ON COLUMN "public"."public_ratings"."reviews" IS 'Number of reviews.';

COMMENT ON COLUMN "public"."public_ratings"."store_id" IS 'Store.';

COMMENT ON COLUMN "public"."public_ratings"."typed_at" IS 'When it was typed in, or typed in anew on the same day.';

COMMENT ON FUNCTION "private"."public_rating"(uuid, uuid, integer) IS 'What a store''s public page showed on the first day and on the newest days that were typed in, oldest first, each with the reviews that were collected here between the first day, which is left out, and that one; collected counts up to today. first is null where nothing was typed in.';

COMMENT ON FUNCTION "private"."public_ratings"(uuid) IS 'The public page of up to 3 stores in use, the one whose figures were typed in last first, and how many stores there are.';

COMMENT ON FUNCTION "public"."remove_public_rating"(uuid, date) IS 'Takes away what was written down of a store''s public page on a day: it was typed wrongly. Error 42501 without the permission stores.write there.';

COMMENT ON FUNCTION "public"."set_public_rating"(uuid, numeric, integer) IS 'Writes down what a store''s public page shows today, in its time zone: rating and number of reviews, in place of what was written down earlier today. Errors: 23514 or 23502 not such figures, 42501 without the permission stores.write there.';

COMMENT ON FUNCTION "public"."store_stats"(uuid) IS 'Figures of a store, its public page (private.public_rating, 60 days): of its whole life, each of the last 30 days in its time zone, and of the 20 campaigns with the most reviews there; the shape is storeStats of _shared/domain. advanced, which holds the days and the funnel, is null where the plan does not include it. Null when there is no such store for the signed-in user.';

COMMENT ON TABLE "public"."public_ratings" IS 'Rating and number of reviews of a store''s public page, as typed in by the merchant.';

REVOKE ALL ON FUNCTION "private"."public_rating"(uuid, uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."public_ratings"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."remove_public_rating"(uuid, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."remove_public_rating"(uuid, date) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_public_rating"(uuid, numeric, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."set_public_rating"(uuid, numeric, integer) TO "authenticated";

GRANT ALL ON TABLE "public"."public_ratings" TO "service_role";
