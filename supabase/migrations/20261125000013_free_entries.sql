-- Why: a funnel that grows downwards says nothing: who played without a review stands beside it

set check_function_bodies = off;

DROP FUNCTION "private"."campaign_figures_now"(uuid);

DROP FUNCTION "private"."count_event"(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer);

DROP FUNCTION "private"."day_figures_now"(uuid, date, date);

ALTER TABLE "private"."folded_campaigns" ADD COLUMN "free_spins" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."folded_campaigns" ADD COLUMN "free_wins" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."folded_campaigns" ADD COLUMN "free_redemptions" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."folded_days" ADD COLUMN "free_spins" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."folded_days" ADD COLUMN "free_wins" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."folded_days" ADD COLUMN "free_redemptions" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."campaign_daily_stats" ADD COLUMN "free_spins" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."campaign_daily_stats" ADD COLUMN "free_wins" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."campaign_daily_stats" ADD COLUMN "free_redemptions" integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION private.campaign_figures_now(p_org_id uuid)
 RETURNS TABLE(campaign_id uuid, store_id uuid, scans integer, reviews integer, rating_sum integer, one_star_reviews integer, two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer, public_clicks integer, spins integer, wins integer, redemptions integer, free_spins integer, free_wins integer, free_redemptions integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT f.campaign_id,
     f.store_id,
     f.scans,
     f.reviews,
     f.rating_sum,
     f.one_star_reviews,
     f.two_star_reviews,
     f.three_star_reviews,
     f.four_star_reviews,
     f.five_star_reviews,
     f.public_clicks,
     f.spins,
     f.wins,
     f.redemptions,
     f.free_spins,
     f.free_wins,
     f.free_redemptions
    FROM private.folded_campaigns f
   WHERE (f.org_id = campaign_figures_now.p_org_id)
 UNION ALL
  SELECT d.campaign_id,
     d.store_id,
     d.scans,
     d.reviews,
     d.rating_sum,
     d.one_star_reviews,
     d.two_star_reviews,
     d.three_star_reviews,
     d.four_star_reviews,
     d.five_star_reviews,
     d.public_clicks,
     d.spins,
     d.wins,
     d.redemptions,
     d.free_spins,
     d.free_wins,
     d.free_redemptions
    FROM public.campaign_daily_stats d
   WHERE ((d.org_id = campaign_figures_now.p_org_id) AND (d.shard < 16));
END;

CREATE OR REPLACE FUNCTION private.campaign_totals(p_org_id uuid, p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0),
    'stars', jsonb_build_array(coalesce(sum(d.one_star_reviews), 0), coalesce(sum(d.two_star_reviews), 0),
      coalesce(sum(d.three_star_reviews), 0), coalesce(sum(d.four_star_reviews), 0),
      coalesce(sum(d.five_star_reviews), 0)),
    'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
    'redemptions', coalesce(sum(d.redemptions), 0), 'free_spins', coalesce(sum(d.free_spins), 0),
    'free_wins', coalesce(sum(d.free_wins), 0), 'free_redemptions', coalesce(sum(d.free_redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where d.campaign_id = p_campaign_id;
$function$;

CREATE OR REPLACE FUNCTION private.count_event(p_org_id uuid, p_campaign_id uuid, p_store_id uuid, p_day date, p_scans integer DEFAULT 0, p_reviews integer DEFAULT 0, p_rating_sum integer DEFAULT 0, p_five_star_reviews integer DEFAULT 0, p_public_clicks integer DEFAULT 0, p_spins integer DEFAULT 0, p_wins integer DEFAULT 0, p_redemptions integer DEFAULT 0, p_is_free boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.campaign_daily_stats as d
    (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
      three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
      free_spins, free_wins, free_redemptions)
  -- The sum of one review's stars is its stars.
  values (p_org_id, p_campaign_id, p_day, private.shard(), p_store_id, p_scans, p_reviews, p_rating_sum,
    (p_reviews = 1 and p_rating_sum = 1)::integer, (p_reviews = 1 and p_rating_sum = 2)::integer,
    (p_reviews = 1 and p_rating_sum = 3)::integer, (p_reviews = 1 and p_rating_sum = 4)::integer,
    p_five_star_reviews, p_public_clicks, p_spins, p_wins, p_redemptions,
    p_is_free::integer * p_spins, p_is_free::integer * p_wins, p_is_free::integer * p_redemptions)
  on conflict (org_id, campaign_id, day, shard, store_id) do update set
    scans = d.scans + excluded.scans,
    reviews = d.reviews + excluded.reviews,
    rating_sum = d.rating_sum + excluded.rating_sum,
    one_star_reviews = d.one_star_reviews + excluded.one_star_reviews,
    two_star_reviews = d.two_star_reviews + excluded.two_star_reviews,
    three_star_reviews = d.three_star_reviews + excluded.three_star_reviews,
    four_star_reviews = d.four_star_reviews + excluded.four_star_reviews,
    five_star_reviews = d.five_star_reviews + excluded.five_star_reviews,
    public_clicks = d.public_clicks + excluded.public_clicks,
    spins = d.spins + excluded.spins,
    wins = d.wins + excluded.wins,
    redemptions = d.redemptions + excluded.redemptions,
    free_spins = d.free_spins + excluded.free_spins,
    free_wins = d.free_wins + excluded.free_wins,
    free_redemptions = d.free_redemptions + excluded.free_redemptions;
end;
$function$;

CREATE OR REPLACE FUNCTION private.day_figures_now(p_org_id uuid, p_from date, p_to date)
 RETURNS TABLE(day date, scans integer, reviews integer, rating_sum integer, one_star_reviews integer, two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer, public_clicks integer, spins integer, wins integer, redemptions integer, free_spins integer, free_wins integer, free_redemptions integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT f.day,
     f.scans,
     f.reviews,
     f.rating_sum,
     f.one_star_reviews,
     f.two_star_reviews,
     f.three_star_reviews,
     f.four_star_reviews,
     f.five_star_reviews,
     f.public_clicks,
     f.spins,
     f.wins,
     f.redemptions,
     f.free_spins,
     f.free_wins,
     f.free_redemptions
    FROM private.folded_days f
   WHERE ((f.org_id = day_figures_now.p_org_id) AND (f.day >= day_figures_now.p_from) AND (f.day < day_figures_now.p_to))
 UNION ALL
  SELECT d.day,
     d.scans,
     d.reviews,
     d.rating_sum,
     d.one_star_reviews,
     d.two_star_reviews,
     d.three_star_reviews,
     d.four_star_reviews,
     d.five_star_reviews,
     d.public_clicks,
     d.spins,
     d.wins,
     d.redemptions,
     d.free_spins,
     d.free_wins,
     d.free_redemptions
    FROM public.campaign_daily_stats d
   WHERE ((d.org_id = day_figures_now.p_org_id) AND (d.shard < 16) AND (d.day >= day_figures_now.p_from) AND (d.day < day_figures_now.p_to));
END;

CREATE OR REPLACE FUNCTION private.fold_days(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  -- One statement: whoever reads meanwhile finds every event once, among the open rows or in the sums.
  with taken as (
    delete from public.campaign_daily_stats d where d.ctid = any (array(
      select o.ctid
      from public.campaign_daily_stats o left join public.stores s on s.org_id = o.org_id and s.id = o.store_id
      where o.shard < 16 and o.day < private.now_in(coalesce(s.timezone, 'Europe/Paris'))::date
      limit 10 * p_limit::bigint for update of o skip locked
    ))
    returning d.*
  ), settled as (
    insert into public.campaign_daily_stats as d
      (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions)
    select t.org_id, t.campaign_id, t.day, 16, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions)
    from taken t group by t.org_id, t.campaign_id, t.day, t.store_id order by t.org_id, t.campaign_id, t.day, t.store_id
    on conflict (org_id, campaign_id, day, shard, store_id) do update set
      scans = d.scans + excluded.scans,
      reviews = d.reviews + excluded.reviews,
      rating_sum = d.rating_sum + excluded.rating_sum,
      one_star_reviews = d.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = d.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = d.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = d.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = d.five_star_reviews + excluded.five_star_reviews,
      public_clicks = d.public_clicks + excluded.public_clicks,
      spins = d.spins + excluded.spins,
      wins = d.wins + excluded.wins,
      redemptions = d.redemptions + excluded.redemptions,
      free_spins = d.free_spins + excluded.free_spins,
      free_wins = d.free_wins + excluded.free_wins,
      free_redemptions = d.free_redemptions + excluded.free_redemptions
  ), campaigns as (
    insert into private.folded_campaigns as c
      (org_id, campaign_id, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions)
    select t.org_id, t.campaign_id, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions)
    from taken t group by t.org_id, t.campaign_id, t.store_id order by t.org_id, t.campaign_id, t.store_id
    on conflict (org_id, campaign_id, store_id) do update set
      scans = c.scans + excluded.scans,
      reviews = c.reviews + excluded.reviews,
      rating_sum = c.rating_sum + excluded.rating_sum,
      one_star_reviews = c.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = c.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = c.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = c.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = c.five_star_reviews + excluded.five_star_reviews,
      public_clicks = c.public_clicks + excluded.public_clicks,
      spins = c.spins + excluded.spins,
      wins = c.wins + excluded.wins,
      redemptions = c.redemptions + excluded.redemptions,
      free_spins = c.free_spins + excluded.free_spins,
      free_wins = c.free_wins + excluded.free_wins,
      free_redemptions = c.free_redemptions + excluded.free_redemptions
  ), days as (
    insert into private.folded_days as f
      (org_id, day, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions)
    select t.org_id, t.day, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions)
    from taken t group by t.org_id, t.day order by t.org_id, t.day
    on conflict (org_id, day) do update set
      scans = f.scans + excluded.scans,
      reviews = f.reviews + excluded.reviews,
      rating_sum = f.rating_sum + excluded.rating_sum,
      one_star_reviews = f.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = f.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = f.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = f.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = f.five_star_reviews + excluded.five_star_reviews,
      public_clicks = f.public_clicks + excluded.public_clicks,
      spins = f.spins + excluded.spins,
      wins = f.wins + excluded.wins,
      redemptions = f.redemptions + excluded.redemptions,
      free_spins = f.free_spins + excluded.free_spins,
      free_wins = f.free_wins + excluded.free_wins,
      free_redemptions = f.free_redemptions + excluded.free_redemptions
  )
  select count(*) into v_count from taken;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.funnel(p_totals jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN jsonb_build_object('scans', (p_totals -> 'scans'::text), 'reviews', (p_totals -> 'reviews'::text), 'spins', (((p_totals ->> 'spins'::text))::bigint - ((p_totals ->> 'free_spins'::text))::bigint), 'wins', (((p_totals ->> 'wins'::text))::bigint - ((p_totals ->> 'free_wins'::text))::bigint), 'redemptions', (((p_totals ->> 'redemptions'::text))::bigint - ((p_totals ->> 'free_redemptions'::text))::bigint), 'free', jsonb_build_object('spins', (p_totals -> 'free_spins'::text), 'wins', (p_totals -> 'free_wins'::text), 'redemptions', (p_totals -> 'free_redemptions'::text)));

CREATE OR REPLACE FUNCTION private.is_free_win(p_redemption public.redemptions)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Not review_id: it is forgotten with the review.
  select s.play_id is not null from public.spins s where s.org_id = p_redemption.org_id and s.id = p_redemption.spin_id;
$function$;

CREATE OR REPLACE FUNCTION private.latest_words(p_org_id uuid, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating, 'store', s.name,
    'first_name', case when p_is_named then nullif(btrim(c.first_name), '') end,
    'text', case when p_is_named then left(r.review_text, 400) end) order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews w
    where w.org_id = p_org_id and w.review_text is not null order by w.created_at desc, w.id desc limit 4
  ) r
  join public.stores s on s.org_id = r.org_id and s.id = r.store_id
  left join public.customers c on c.org_id = r.org_id and c.id = r.customer_id;
$function$;

CREATE OR REPLACE FUNCTION private.recent_days(p_org_id uuid, p_last date, p_days integer DEFAULT 30, p_until date DEFAULT 'infinity'::date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with days as materialized (
    select d.day, d.day > p_last - p_days as is_recent, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews, sum(d.spins) as spins,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions, sum(d.free_spins) as free_spins,
      sum(d.free_wins) as free_wins, sum(d.free_redemptions) as free_redemptions
    from private.day_figures_now(p_org_id, p_last - 2 * p_days + 1, p_until) d
    group by d.day
  ), periods as (
    select p.is_recent, jsonb_build_object(
      'scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
      'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
      'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0)) as totals
    from (values (true), (false)) p (is_recent) left join days d on d.is_recent = p.is_recent
    group by p.is_recent
  )
  select jsonb_build_object(
    'totals', (select p.totals from periods p where p.is_recent),
    'previous', (select p.totals from periods p where not p.is_recent),
    'monthly_spins', (
      select coalesce(sum(d.spins), 0) from days d
      where d.day >= date_trunc('month', p_last)::date and d.day < (date_trunc('month', p_last) + interval '1 month')::date),
    'days', (
      select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(d.scans, 0),
        'reviews', coalesce(d.reviews, 0), 'spins', coalesce(d.spins, 0)) order by calendar.day)
      from generate_series(p_last - p_days + 1, p_last, interval '1 day') as calendar (day)
      left join days d on d.day = calendar.day::date),
    'funnel', (
      select private.funnel(jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
        'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
        'redemptions', coalesce(sum(d.redemptions), 0), 'free_spins', coalesce(sum(d.free_spins), 0),
        'free_wins', coalesce(sum(d.free_wins), 0), 'free_redemptions', coalesce(sum(d.free_redemptions), 0)))
      from days d where d.is_recent and d.day <= p_last));
$function$;

CREATE OR REPLACE FUNCTION private.store_figures(p_org_id uuid, p_store_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
    'public_clicks', coalesce(sum(d.public_clicks), 0), 'spins', coalesce(sum(d.spins), 0),
    'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0),
    'free_spins', coalesce(sum(d.free_spins), 0), 'free_wins', coalesce(sum(d.free_wins), 0),
    'free_redemptions', coalesce(sum(d.free_redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where p_store_id is null or d.store_id = p_store_id;
$function$;

CREATE OR REPLACE FUNCTION private.use_code(p_state text, p_redemption public.redemptions, p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid, p_request_id uuid, OUT outcome text, OUT body jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_redemption public.redemptions := p_redemption;
  v_timezone text;
begin
  outcome := p_state;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available'
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, api_key_id, store_id, request_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_key_id, p_store_id, p_request_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      select s.timezone into v_timezone from public.stores s
      where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
      perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
        private.now_in(v_timezone)::date, p_redemptions => 1, p_is_free => private.is_free_win(v_redemption));
    else
      -- Another till was faster.
      outcome := 'used';
      select * into v_redemption from public.redemptions r
      where r.org_id = p_redemption.org_id and r.id = p_redemption.id;
    end if;
  end if;
  -- The use that counts now is this very request's, whose answer was lost.
  if outcome = 'used' and exists (
    select 1 from public.redemption_events e
    where e.org_id = v_redemption.org_id and e.redemption_id = v_redemption.id and e.action = 'used'
      and e.created_at = v_redemption.used_at and e.request_id = p_request_id and e.store_id = p_store_id
      and (e.user_id = p_user_id or e.api_key_id = p_key_id)
  ) then
    outcome := 'redeemed';
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_stats(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_totals jsonb;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  v_totals := private.campaign_totals(v_campaign.org_id, p_campaign_id);
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'name', v_campaign.name, 'active', v_campaign.active,
      'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at,
      'has_prize', private.has_prize(v_campaign.org_id, p_campaign_id)),
    'totals', v_totals - '{free_spins,free_wins,free_redemptions}'::text[],
    'reviews', private.campaign_reviews(
      v_campaign.org_id, p_campaign_id, private.may_name_customers(v_campaign.org_id)),
    'top_rewards', private.campaign_top_rewards(v_campaign.org_id, p_campaign_id),
    'advanced', case when private.has_feature(v_campaign.org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.campaign_days(v_campaign.org_id, p_campaign_id, private.now_in(v_store.timezone)::date),
      'funnel', private.funnel(v_totals),
      'return', private.campaign_cost(v_campaign.org_id, p_campaign_id) || jsonb_build_object(
        'store_id', v_store.id, 'average_basket', v_store.average_basket,
        'visits', v_totals -> 'redemptions')) end);
end;
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

CREATE OR REPLACE FUNCTION public.restore_code(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_before public.redemptions;
  v_timezone text;
begin
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found or exists (
    select 1 from public.organization_members m
    where m.user_id = (select private.my_user_id())
      and private.bound_store(m.role, m.store_id) <> v_before.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_before.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', (select private.my_user_id()), v_before.used_store_id);
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1, p_is_free => private.is_free_win(v_before));
end;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign record;
  v_today date;
  v_person record;
  v_customer_id uuid;
  v_is_new boolean := false;
  v_name text := p_name;
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_last_day date;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
  v_spin_id uuid;
  v_nonce uuid;
  v_code text;
  v_expires_at timestamptz;
begin
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- One call a key at a time; a repeated call gets the first answer, letter for letter, whatever has
  -- changed since.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_review_id, p_play_id)::text, 2));
  if p_review_id is not null then
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.review_id = p_review_id and s.campaign_id = p_campaign_id;
  else
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.campaign_id = p_campaign_id and s.play_id = p_play_id;
  end if;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if not v_campaign.is_running then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- High for an address, since a shop's Wi-Fi and a mobile network are shared; lower for one device.
  v_retry_after := private.count_attempt(
    array[
      'spin address ' || p_address_hash || ' ' || p_campaign_id::text,
      'spin device ' || p_device_hash || ' ' || p_campaign_id::text
    ],
    '{600,20}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  -- The person, whose row is locked: two turns of one person take turns, and what follows counts what they did.
  if p_review_id is not null then
    select r.customer_id, r.customer_name, r.customer_email into v_customer_id, v_name, v_email
    from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.id = p_review_id and r.campaign_id = p_campaign_id;
    if v_customer_id is null then
      outcome := 'review_not_found';
      return;
    end if;
    perform 1 from public.customers c
    where c.org_id = v_campaign.org_id and c.id = v_customer_id for no key update;
  else
    -- Whoever is new is written down with this turn: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      p_name, p_email, p_phone, false, p_spins => 1);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- May this person play? One turn in so many calendar days of the store; without an interval, 30 an hour.
  if not v_is_new then
    if v_campaign.play_interval_days > 0 then
      select max(s.created_at at time zone v_campaign.timezone)::date into v_last_day
      from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id;
      if v_last_day + v_campaign.play_interval_days > v_today then
        outcome := 'already_played';
        retry_at := (v_last_day + v_campaign.play_interval_days)::timestamp at time zone v_campaign.timezone;
        return;
      end if;
    elsif (
      select count(*) from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id
        and s.created_at > now() - interval '1 hour'
    ) >= 30 then
      outcome := 'too_many_attempts';
      retry_at := now() + interval '1 hour';
      return;
    end if;
  end if;

  -- Does the plan leave a spin? Only a limited plan makes its customers take turns, at most its limit times a month.
  if v_campaign.monthly_spins >= 0 then
    perform 1 from public.subscriptions u where u.org_id = v_campaign.org_id for no key update;
    v_used := private.monthly_spins_used(v_campaign.org_id, v_today);
    if v_used >= v_campaign.monthly_spins then
      outcome := 'spins_used_up';
    end if;
  end if;

  -- The draw. A stock that somebody else emptied in the meantime only means drawing again without it.
  while outcome is null loop
    v_wheel := private.wheel(v_campaign.org_id, p_campaign_id, case when not v_is_new then v_customer_id end);
    v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable);
    if v_index is null or v_wheel.is_example then
      outcome := 'nothing_to_draw';
      exit;
    end if;
    exit when v_wheel.reward_ids[v_index] is null;

    select * into v_reward from public.rewards r
    where r.org_id = v_campaign.org_id and r.id = v_wheel.reward_ids[v_index];
    exit when v_reward.stock = -1;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is not null then
    -- Refused: nothing is stored, not even who asked.
    if v_is_new then
      delete from public.customers c where c.org_id = v_campaign.org_id and c.id = v_customer_id;
    end if;
    return;
  end if;

  v_spin_id := private.uuid_v7();
  v_nonce := gen_random_uuid();
  if v_reward.type in ('coupon', 'gift') then
    v_expires_at := private.day_end(
      v_today + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_campaign.timezone);
    loop
      insert into public.redemptions as d (
        org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        end_user_email, end_user_name, expires_at
      ) values (
        v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_reward.id, v_spin_id, v_customer_id,
        private.random_code(v_reward.code_template), v_reward.name, v_email, v_name, v_expires_at
      )
      on conflict (org_id, code_key) do nothing
      returning d.code into v_code;
      exit when v_code is not null;
    end loop;
  end if;
  body := json_build_object(
    'spin_id', v_spin_id,
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_reward.id is not null then
      json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type) end,
    'redemption_code', v_code,
    'expires_at', v_expires_at,
    'nonce', v_nonce
  )::text;

  insert into public.spins (
    id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
    end_user_email, end_user_name, result_type, nonce, rules_version, result
  ) values (
    v_spin_id, v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_customer_id, p_review_id,
    case when p_review_id is null then p_play_id end, v_wheel.segment_ids[v_index], v_reward.id,
    v_email, v_name, case when v_reward.id is null then 'lose' else 'reward' end,
    v_nonce, v_campaign.rules_version, body::json
  );
  if v_reward.type = 'points' then
    insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points)
    values (v_campaign.org_id, v_customer_id, v_spin_id, v_reward.id, (v_reward.metadata ->> 'points')::integer);
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
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

COMMENT ON COLUMN "private"."folded_campaigns"."free_redemptions" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_campaigns"."free_spins" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_campaigns"."free_wins" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_days"."free_redemptions" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_days"."free_spins" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_days"."free_wins" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "public"."campaign_daily_stats"."free_redemptions" IS 'Of the codes used, those won without a review.';

COMMENT ON COLUMN "public"."campaign_daily_stats"."free_spins" IS 'Of the spins, those without a review.';

COMMENT ON COLUMN "public"."campaign_daily_stats"."free_wins" IS 'Of the wins, those of spins without a review.';

COMMENT ON FUNCTION "private"."campaign_figures_now"(uuid) IS 'Figures of the whole lives of an organisation''s campaigns, by store, at this instant: sum over the rows. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."count_event"(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer, boolean) IS 'Adds to the figures of a campaign''s day, in the same transaction as the event; reviews one at a time. p_is_free: spins, wins and codes used are those of spins without a review.';

COMMENT ON FUNCTION "private"."day_figures_now"(uuid, date, date) IS 'Figures of an organisation''s days from one up to another, which is left out, at this instant: sum over the rows of a day. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."funnel"(jsonb) IS 'Funnel made of totals: scan, review, spin, win, use of those who left a review; free has those who played without one.';

COMMENT ON FUNCTION "private"."is_free_win"(public.redemptions) IS 'Whether a code was won without a review.';

COMMENT ON FUNCTION "private"."latest_words"(uuid, boolean) IS 'The newest 4 reviews with words, under their aliases, with the first name and the beginning of the words (400 characters) where asked.';

COMMENT ON FUNCTION "public"."dashboard"(uuid) IS 'Everything that the dashboard shows of an organisation (specification, section 2.10), in one request; the shape is dashboard of _shared/domain. advanced is null where the plan does not include it, reviews without the permission reviews.read, and who somebody is, and what they wrote, without customers.read. Error 42501 without the permission activity.read there.';

REVOKE ALL ON FUNCTION "private"."campaign_figures_now"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_event"(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."day_figures_now"(uuid, date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_free_win"(public.redemptions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."latest_words"(uuid, boolean) FROM PUBLIC;

-- What happened before, counted on its days: fold_days adds it to the settled ones, as any late event.
insert into public.campaign_daily_stats as d
  (org_id, campaign_id, day, shard, store_id, free_spins, free_wins, free_redemptions)
select e.org_id, e.campaign_id, e.day, 0, e.store_id, sum(e.spins), sum(e.wins), sum(e.redemptions)
from (
  select s.org_id, s.campaign_id, s.store_id, (s.created_at at time zone p.timezone)::date as day,
    1 as spins, (s.reward_id is not null)::integer as wins, 0 as redemptions
  from public.spins s join public.stores p on p.org_id = s.org_id and p.id = s.store_id
  where s.play_id is not null
  union all
  select r.org_id, r.campaign_id, r.store_id, (r.used_at at time zone p.timezone)::date, 0, 0, 1
  from public.redemptions r
  join public.spins s on s.org_id = r.org_id and s.id = r.spin_id and s.play_id is not null
  join public.stores p on p.org_id = r.org_id and p.id = r.store_id
  where r.status = 'used'
) e
group by e.org_id, e.campaign_id, e.day, e.store_id
on conflict (org_id, campaign_id, day, shard, store_id) do update set
  free_spins = d.free_spins + excluded.free_spins,
  free_wins = d.free_wins + excluded.free_wins,
  free_redemptions = d.free_redemptions + excluded.free_redemptions;
