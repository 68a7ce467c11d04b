-- Why: a large shop's lists cost up to four times an empty one's; what a list asks of each row is asked once, sessions are looked at once a screen, and only the search for rows is planned anew.

set check_function_bodies = off;

DROP FUNCTION "private"."find_reviews"(uuid, text);

DROP FUNCTION "private"."has_prize"(uuid, uuid);

DROP FUNCTION "private"."next_steps"(uuid, date, boolean);

DROP FUNCTION "private"."store_entry"(uuid, uuid);

DROP FUNCTION "private"."unseen_reviews"(uuid, boolean);

CREATE OR REPLACE FUNCTION private.alias_of(p_id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((("left"((p_id)::text, 13) || '-8'::text) || OVERLAY(OVERLAY("left"(md5((p_id)::text), 18) PLACING '-'::text FROM 7 FOR 0) PLACING '-8'::text FROM 4 FOR 0)))::uuid;

CREATE OR REPLACE FUNCTION private.customer_page(p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_is_oldest boolean, p_page_size integer, OUT ids uuid[], OUT is_back boolean, OUT has_previous boolean, OUT has_next boolean, OUT matches integer, OUT has_more_matches boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_is_search constant boolean := private.query_words(p_filters ->> 'search') is not null;
  v_most_counted constant integer := case when v_is_search then 100 else 1000 end;
  -- One more than is shown tells whether there is a next page.
  v_wanted constant integer := case when v_is_search then v_most_counted else p_page_size end + 1;
  v_at timestamptz;
  v_id uuid;
  v_has_more boolean;
begin
  if coalesce(p_before, p_after) is not null then
    select c.created_at, c.id into v_at, v_id from public.customers c
    where c.org_id = p_org_id and c.id = coalesce(p_before, p_after);
  end if;

  is_back := p_before is not null and v_at is not null;
  loop
    -- Read from where the page begins: up or down the same index.
    if is_back <> p_is_oldest then
      select array_agg(p.id order by p.created_at, p.id) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) > (v_at, v_id))
        order by c.created_at, c.id limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    else
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) < (v_at, v_id))
        order by c.created_at desc, c.id desc limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    end if;
    v_has_more := coalesce(array_length(ids, 1), 0) > p_page_size;
    exit when v_has_more or not is_back;
    -- A page before which nothing stands is the first one, and shows all of it.
    is_back := false;
    v_at := null;
  end loop;

  if p_filters <> '{}' then
    if v_at is null and (v_is_search or not v_has_more) then
      -- What was looked for once is not looked for again.
      matches := coalesce(array_length(ids, 1), 0);
    else
      select count(*) into matches from (
        select 1 from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters) limit v_most_counted + 1
      ) counted;
    end if;
    has_more_matches := matches > v_most_counted;
    matches := least(matches, v_most_counted);
  end if;
  ids := ids[1:p_page_size];
  has_previous := case when is_back then v_has_more else v_at is not null end;
  has_next := is_back or v_has_more;
end;
$function$;

CREATE OR REPLACE FUNCTION private.find_reviews(p_org_id uuid, p_filters jsonb, p_user_id uuid, p_at timestamp with time zone, p_id uuid, p_is_back boolean, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_most constant integer := 300;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
  v_filters constant jsonb := jsonb_build_object('search', p_filters ->> 'search');
  v_is_frequent boolean;
begin
  -- PostgreSQL keeps no statistics for a partial index: how frequent a word is, the newest reviews tell. What three in a
  -- hundred of them say is found sooner by date than among all that the index of words would bring.
  v_is_frequent := (
    select count(*) from (
      select r.review_text from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most
    ) newest where private.has_review_words(newest.review_text, v_pattern, v_hint)
  ) * 100 >= 3 * v_most;
  return array(
    with said as (
      select r from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null
        -- Frequent ones not as the index has it, which would be asked.
        and case when v_is_frequent then private.has_review_words(r.review_text, v_pattern, v_hint)
          else private.review_words(r.review_text) like v_pattern end
      order by r.created_at desc limit v_most
    ), written as (
      select w.r
      from (
        select c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
        order by c.created_at desc, c.id desc limit v_most
      ) c
      cross join lateral (
        select o as r from public.pre_spin_reviews o
        where o.org_id = p_org_id and o.customer_id = c.id order by o.created_at desc limit 20
      ) w
    ), found as (
      select (s.r).created_at, (s.r).id from said s where private.is_in_inbox(s.r, p_filters, p_user_id)
      union
      select (w.r).created_at, (w.r).id from written w where private.is_in_inbox(w.r, p_filters, p_user_id)
    )
    select f.id from found f
    where p_at is null or case when p_is_back then (f.created_at, f.id) > (p_at, p_id) else (f.created_at, f.id) < (p_at, p_id) end
    order by case when p_is_back then f.created_at end, case when p_is_back then f.id end, f.created_at desc, f.id desc
    limit p_limit);
end;
$function$;

CREATE OR REPLACE FUNCTION private.has_power_over(p_org_id uuid, p_role text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from private.roles_in_power(p_org_id) r (role) where r.role = p_role);
$function$;

CREATE OR REPLACE FUNCTION private.has_review_words(p_text text, p_pattern text, p_hint text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(p_text) <> length(p_text)) THEN (private.review_words(p_text) ~~ p_pattern) WHEN (lower((p_text COLLATE "C")) !~~ p_hint) THEN false ELSE ((p_hint = p_pattern) OR (private.review_words(p_text) ~~ p_pattern)) END;

CREATE OR REPLACE FUNCTION private.has_words(p_text text, p_pattern text, p_hint text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(p_text) <> length(p_text)) THEN (private.words(p_text) ~~ p_pattern) WHEN (lower((p_text COLLATE "C")) !~~ p_hint) THEN false ELSE ((p_hint = p_pattern) OR (private.words(p_text) ~~ p_pattern)) END;

CREATE OR REPLACE FUNCTION private.inbox_page(p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_user_id uuid, p_is_named boolean, p_page_size integer, OUT ids uuid[], OUT has_previous boolean, OUT has_next boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_is_search constant boolean := private.query_words(p_filters ->> 'search') is not null;
  v_is_back boolean := p_before is not null;
  v_at timestamptz;
  v_id uuid;
  v_has_more boolean;
begin
  if coalesce(p_before, p_after) is not null then
    select r.created_at, r.id into v_at, v_id
    from private.review_id_of(array[p_org_id], coalesce(p_before, p_after)) n
    join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id;
  end if;

  v_is_back := v_is_back and v_at is not null;
  loop
    -- One more than is shown tells whether the list goes on in that direction.
    if v_is_search then
      ids := case when p_is_named
        then private.find_reviews(p_org_id, p_filters, p_user_id, v_at, v_id, v_is_back, p_page_size + 1) end;
    elsif v_is_back then
      select array_agg(p.id order by p.created_at, p.id) into ids from (
        select r.created_at, r.id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and r.created_at >= v_at and (r.created_at, r.id) > (v_at, v_id)
        order by r.created_at, r.id limit p_page_size + 1
      ) p;
    elsif v_at is null then
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select r.created_at, r.id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
        order by r.created_at desc, r.id desc limit p_page_size + 1
      ) p;
    else
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select r.created_at, r.id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and r.created_at <= v_at and (r.created_at, r.id) < (v_at, v_id)
        order by r.created_at desc, r.id desc limit p_page_size + 1
      ) p;
    end if;
    v_has_more := coalesce(array_length(ids, 1), 0) > p_page_size;
    exit when v_has_more or not v_is_back;
    -- A page before which nothing stands is the first one, and shows all of it.
    v_is_back := false;
    v_at := null;
  end loop;
  ids := ids[1:p_page_size];
  has_previous := case when v_is_back then v_has_more else v_at is not null end;
  has_next := v_is_back or v_has_more;
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_in_time(c public.campaigns)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((c).active AND (((c).starts_at IS NULL) OR ((c).starts_at <= now())) AND (((c).ends_at IS NULL) OR ((c).ends_at > now())));

CREATE OR REPLACE FUNCTION private.is_running(p_campaign public.campaigns, p_subscription public.subscriptions)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return private.is_in_time(p_campaign) and private.is_open(p_subscription);
end;
$function$;

CREATE OR REPLACE FUNCTION private.low_stock(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded yet is one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, f.wins from private.recent_figures f
    where f.org_id = p_org_id and f.wins <> 0 and f.reward_id is not null and f.day is not null
  ), candidates as materialized (
    -- Few, or at most eight of its best days: no week, wherever its days began, had more. Few are looked at any closer.
    select r.id, r.name, r.stock, r.campaign_id
    from public.rewards r
    left join public.reward_totals t on t.org_id = p_org_id and t.reward_id = r.id
    left join (select f.reward_id, sum(f.wins) as wins from recent f group by f.reward_id) n on n.reward_id = r.id
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      and (r.stock <= 5 or r.stock <= 8 * coalesce(t.best_day, 0) + coalesce(n.wins, 0))
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from candidates r
    join public.campaigns c on c.org_id = p_org_id and c.id = r.campaign_id and c.active
      and (c.ends_at is null or c.ends_at > now())
    join public.stores s on s.org_id = p_org_id and s.id = c.store_id
    -- Few, or gone in a week at the pace of the last one, whose days are those of the store.
    where r.stock <= 5 or r.stock <= (
        select coalesce(sum(d.wins), 0)
        from (
          select f.wins from public.reward_daily_stats f
          where f.org_id = p_org_id and f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
          union all
          select f.wins from recent f where f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
        ) d)
    order by r.stock, r.name, r.id limit 3
  ) low;
$function$;

CREATE OR REPLACE FUNCTION private.my_reading_rights(p_permissions text[], p_needed text DEFAULT NULL::text, OUT org_id uuid, OUT held text[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  if v_user_id is null then
    -- A key of the API, or nobody.
    select o into org_id from private.my_org_ids() o;
    held := array(select p from unnest(p_permissions) p where exists (select from private.my_org_ids(p)));
  else
    select m.org_id, array(
        select p.permission from public.role_permissions p
        where p.role = m.role and p.permission = any (p_permissions))
    into org_id, held
    from public.organization_members m where m.user_id = v_user_id;
  end if;
  held := coalesce(held, '{}');
  if p_needed <> all (held) then
    held := '{}';
  elsif held <> '{}' and v_user_id is not null then
    -- What a plan that is over lets be read is the same for all of them.
    perform private.require_plan(org_id, held[1]);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.name_of(p_meta jsonb, p_email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(NULLIF(btrim((CASE jsonb_typeof(p_meta) WHEN 'string'::text THEN ((p_meta #>> '{}'::text[]))::jsonb ELSE p_meta END ->> 'full_name'::text)), ''::text), split_part(p_email, '@'::text, 1));

CREATE OR REPLACE FUNCTION private.next_steps(p_org_id uuid, p_is_named boolean, p_sees_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with active as (
    select c.*, c.ends_at is not null and c.ends_at <= now() as is_over
    from public.campaigns c where c.org_id = p_org_id and c.active
  )
  select jsonb_build_object(
    'unseen_reviews', private.unseen_reviews(p_org_id, p_is_named, p_sees_codes),
    'low_stock', private.low_stock(p_org_id),
    'over_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name) from active c
      where not exists (select 1 from active other where not other.is_over)
      order by c.ends_at desc, c.id limit 1),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'timezone', s.timezone)
      from active c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      where not c.is_over and c.id not in (
        select r.campaign_id from public.rewards r
        where r.org_id = p_org_id and r.active and r.archived_at is null and r.campaign_id is not null)
      -- What customers meet today comes first.
      order by coalesce(c.starts_at > now(), false), c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (select 1 from active c where c.store_id = s.id and not c.is_over)
      order by s.created_at, s.id limit 1));
$function$;

CREATE OR REPLACE FUNCTION private.pattern_hint(p_pattern text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(p_pattern, '-? '::text, '%%%'::text);

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded is read once for all stores; of what is, each store's days stand side by side.
  with recent as materialized (
    select d.store_id, sum(d.redemptions) as visits from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_until group by d.store_id
  ), stores as materialized (
    select s.id as store_id, coalesce(v.visits, 0) + coalesce(n.visits, 0) as visits, s.name, s.average_basket
    from public.stores s
    left join recent n on n.store_id = s.id
    cross join lateral (
      select sum(f.redemptions) as visits from private.folded_store_days f
      where f.org_id = p_org_id and f.store_id = s.id and f.day >= p_from and f.day < p_until
    ) v
    where s.org_id = p_org_id and coalesce(v.visits, 0) + coalesce(n.visits, 0) <> 0
  ), prizes as (
    select c.cost, c.unpriced from private.cost_now(p_org_id, p_from, p_until) c
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'cost', (select p.cost from prizes p), 'unpriced', (select p.unpriced from prizes p),
    'stores', (select count(*) from stores),
    -- Where the figure is not known comes first: it is what one has to fill in.
    'baskets', coalesce((
      select jsonb_agg(jsonb_build_object('id', v.store_id, 'name', v.name, 'average_basket', v.average_basket,
        'visits', v.visits) order by v.average_basket is not null, v.visits desc, v.name, v.store_id)
      from (
        select * from stores v order by v.average_basket is not null, v.visits desc, v.name, v.store_id limit 5
      ) v), '[]'::jsonb),
    'plan', (
      select jsonb_build_object('plan', s.plan, 'billing', s.billing)
      from public.subscriptions s where s.org_id = p_org_id));
$function$;

CREATE OR REPLACE FUNCTION private.recent_days(p_org_id uuid, p_last date, p_days integer DEFAULT 30, p_until date DEFAULT 'infinity'::date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- A day is an integer, as in folded_days: sums of sums would be numeric, and take several times as long.
  with days as materialized (
    select d.day, d.day > p_last - p_days as is_recent, sum(d.scans)::integer as scans, sum(d.reviews)::integer as reviews,
      sum(d.rating_sum)::integer as rating_sum, sum(d.five_star_reviews)::integer as five_star_reviews, sum(d.spins)::integer as spins,
      sum(d.wins)::integer as wins, sum(d.redemptions)::integer as redemptions, sum(d.free_spins)::integer as free_spins,
      sum(d.free_wins)::integer as free_wins, sum(d.free_redemptions)::integer as free_redemptions
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

CREATE OR REPLACE FUNCTION private.review_state(r public.pre_spin_reviews)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((r).handling, CASE WHEN ((r).rating <= 3) THEN 'open'::text ELSE NULL::text END);

CREATE OR REPLACE FUNCTION private.roles_in_power(p_org_id uuid)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with mine as materialized (
    select coalesce(jsonb_object_agg(p.permission, true), '{}') as permissions
    from public.organization_members m join public.role_permissions p on p.role = m.role
    where m.org_id = p_org_id and m.user_id = (select private.my_user_id())
  )
  select r.role from public.roles r cross join mine
  where (r.org_id is null or r.org_id = p_org_id)
    and not exists (select from public.role_permissions p where p.role = r.role and not mine.permissions ? p.permission);
$function$;

CREATE OR REPLACE FUNCTION private.store_entries(p_org_id uuid, p_store_ids uuid[])
 RETURNS TABLE(store_id uuid, slug text, closed text, campaigns bigint, active_campaigns bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with plan as materialized (
    select exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u)) as is_open
  ), there as (
    select c.store_id, count(*) as campaigns, count(*) filter (where c.active) as active,
      (array_agg(c.slug order by c.created_at desc, c.id desc) filter (where private.is_in_time(c)))[1] as slug
    from public.campaigns c where c.org_id = p_org_id and c.store_id = any (p_store_ids) group by c.store_id
  )
  select s.id, case when plan.is_open then t.slug end, case
      when t.store_id is null then 'no_campaign'
      when not plan.is_open then 'plan_closed'
      when t.slug is null then 'none_running'
    end, coalesce(t.campaigns, 0), coalesce(t.active, 0)
  from unnest(p_store_ids) s (id) cross join plan left join there t on t.store_id = s.id;
$function$;

CREATE OR REPLACE FUNCTION private.team_members(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.user_id, 'name', private.name_of(u.raw_user_meta_data, u.email), 'email', u.email, 'role', m.role, 'added_at', m.added_at,
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by array_position('{owner,admin,member,cashier}', m.role), m.added_at, m.user_id), '[]'::jsonb)
  from public.organization_members m
  join auth.users u on u.id = m.user_id
  -- Only where there is a store is its role asked about.
  left join public.stores s on s.org_id = m.org_id and s.id = m.store_id
    and s.id = private.bound_store(m.role, m.store_id)
  where m.org_id = p_org_id;
$function$;

CREATE OR REPLACE FUNCTION private.team_roles(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Each is asked once for all roles.
  with powers as materialized (
    select p.role from private.roles_in_power(p_org_id) p (role)
  ), plan as materialized (
    select private.has_feature(p_org_id, 'custom_roles') as has_own_roles
  ), members as materialized (
    select m.role, count(*) as members from public.organization_members m where m.org_id = p_org_id group by m.role
  ), invited as materialized (
    select i.role, count(*) as invitations from private.invitations i
    where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now() group by i.role
  )
  select jsonb_agg(jsonb_build_object(
    'role', r.role, 'name', r.name, 'description', r.description,
    'permissions', (select coalesce(jsonb_agg(p.permission order by p.permission), '[]'::jsonb)
      from public.role_permissions p where p.role = r.role),
    'members', coalesce(m.members, 0), 'invitations', coalesce(i.invitations, 0),
    'has_power', r.role in (select p.role from powers p),
    -- As private.may_give.
    'may_give', r.role in (select p.role from powers p) and (plan.has_own_roles or r.org_id is null))
    order by array_position('{owner,admin,member,cashier}', r.role), lower(r.name))
  from public.roles r
  cross join plan
  left join members m on m.role = r.role
  left join invited i on i.role = r.role
  where r.org_id is null or r.org_id = p_org_id;
$function$;

CREATE OR REPLACE FUNCTION private.unseen_reviews(p_org_id uuid, p_is_named boolean, p_sees_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '7 days'
    order by r.created_at desc, r.id desc limit 100
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', case when p_is_named and p_sees_codes then r.id else private.alias_of(r.id) end,
        'at', r.created_at, 'rating', r.rating, 'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when p_is_named then r.customer_id end,
        'name', case when p_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'text', case when p_is_named then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.user_name(p_user_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.name_of(u.raw_user_meta_data, u.email) from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.with_prize(p_org_id uuid, p_campaign_ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with drawn as materialized (
    select s.campaign_id, bool_or(s.weight > 0 and r.active and r.archived_at is null and r.stock <> 0) as has_prize
    from public.wheel_segments s left join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
    where s.campaign_id = any (p_campaign_ids) group by s.campaign_id
  )
  -- A wheel that was drawn tells by its segments: a list asks for twenty, and made twenty wheels.
  select d.campaign_id from drawn d where d.has_prize
  union all
  select c.id from unnest(p_campaign_ids) c (id)
  where c.id not in (select d.campaign_id from drawn d) and (
    select not w.is_example and exists (
      select 1 from unnest(w.reward_ids, w.weights, w.is_drawable) as t (reward_id, weight, is_drawable)
      where t.reward_id is not null and t.weight > 0 and t.is_drawable)
    from private.wheel(p_org_id, c.id, null) w);
$function$;

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,store,scans,reviews,spins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_total integer;
  v_active integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) filter (where c.archived_at is null), count(*) filter (where c.active),
    count(*) filter (where c.archived_at is not null),
    coalesce(array_agg(c.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, c.created_at desc, c.id) filter (
      where (c.archived_at is not null) = v_is_archived
        and (v_pattern is null or private.has_words(c.name, v_pattern, v_hint) or private.has_words(s.name, v_pattern, v_hint))), '{}')
  into v_total, v_active, v_archived, v_ids
  from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  left join (
    select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins,
      sum(d.redemptions) as redemptions
    from private.campaign_figures_now(p_org_id) d
    where v_key in ('scans', 'reviews', 'spins', 'redemptions') group by d.campaign_id
  ) t on t.campaign_id = c.id
  cross join lateral (
    select case v_key when 'name' then private.words(c.name) when 'store' then private.words(s.name) end as word,
      case v_key
        when 'scans' then coalesce(t.scans, 0)::double precision
        when 'reviews' then coalesce(t.reviews, 0)::double precision
        when 'spins' then coalesce(t.spins, 0)::double precision
        when 'redemptions' then coalesce(t.redemptions, 0)::double precision
        when 'created_at' then extract(epoch from c.created_at)::double precision
      end as number
  ) k
  where c.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  -- Of the whole organisation, which stands above the list, and of each campaign, in one look.
  with figures as materialized (
    select d.campaign_id, grouping(d.campaign_id) = 1 as is_total, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.spins) as spins, sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.campaign_id))
  ), prizes as materialized (
    select w.id from private.with_prize(p_org_id, v_ids) w (id)
  ), counted as materialized (
    select r.campaign_id, count(*) as rewards from public.rewards r where r.campaign_id = any (v_ids) group by r.campaign_id
  )
  select
    (select jsonb_build_object(
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'rating_sum', coalesce(f.rating_sum, 0),
      'five_star_reviews', coalesce(f.five_star_reviews, 0), 'wins', coalesce(f.wins, 0),
      'redemptions', coalesce(f.redemptions, 0)) from figures f where f.is_total),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'slug', c.slug, 'active', c.active,
      'starts_at', c.starts_at, 'ends_at', c.ends_at, 'created_at', c.created_at,
      'archived_at', c.archived_at, 'store_id', c.store_id, 'store_name', s.name,
      'timezone', s.timezone,
      'rewards', coalesce(n.rewards, 0),
      'has_prize', c.id in (select w.id from prizes w),
      -- Nearly always a day's figures tell, which the function asks first, too.
      'has_history', exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = c.id)
        or private.has_campaign_history(p_org_id, c.id),
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0),
      'redemptions', coalesce(f.redemptions, 0)) order by array_position(v_ids, c.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  left join figures f on f.campaign_id = c.id
  left join counted n on n.campaign_id = c.id
  where c.org_id = p_org_id and c.id = any (v_ids);

  return jsonb_build_object('total', v_total, 'active', v_active, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_stats(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
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
      'has_prize', p_campaign_id in (select private.with_prize(v_campaign.org_id, array[p_campaign_id]))),
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

CREATE OR REPLACE FUNCTION public.customer_list(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_is_oldest constant boolean := coalesce(private.sort_key(p_sort, '{created_at}') = p_sort, false);
  v_page record;
  v_totals record;
  v_reviews bigint;
  v_rating_sum bigint;
begin
  perform 1 from private.my_reading_rights('{customers.read,activity.read}', 'customers.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{customers.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select * into v_page from private.customer_page(p_org_id, v_filters, p_after, p_before, v_is_oldest, 25);
  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from private.campaign_figures_now(p_org_id) d;

  return jsonb_build_object(
    'totals', jsonb_build_object('customers', v_totals.customers, 'consents', v_totals.consents,
      'participants', v_totals.participants,
      'reviews', v_reviews, 'rating_sum', v_rating_sum),
    'matches', coalesce(v_page.matches, v_totals.customers),
    'has_more_matches', coalesce(v_page.has_more_matches, false),
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'email', c.email, 'phone', c.phone,
        'consent_marketing', c.consent_marketing, 'created_at', c.created_at, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by shown.place * case when v_page.is_back then -1 else 1 end)
      from unnest(v_page.ids) with ordinality shown (id, place)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (select * from public.customers c where c.org_id = p_org_id and c.id = shown.id offset 0) c
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.dashboard(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_held text[];
  v_today date;
  v_recent jsonb;
  v_is_named boolean;
begin
  select r.held into v_held
  from private.my_reading_rights('{activity.read,customers.read,codes.read,reviews.read}', 'activity.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
  v_is_named := 'customers.read' = any (v_held);
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
    'todo', private.next_steps(p_org_id, v_is_named, 'codes.read' = any (v_held)),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel',
      'return', private.period_return(p_org_id, v_today - 29, 'infinity')) end,
    'activity', private.recent_activity(p_org_id, v_is_named),
    'public_ratings', private.public_ratings(p_org_id),
    'reviews', case when 'reviews.read' = any (v_held)
      then private.latest_words(p_org_id, v_is_named) end,
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

CREATE OR REPLACE FUNCTION public.find_anything(p_query text, p_limit integer DEFAULT 5)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_query constant text := left(btrim(coalesce(p_query, '')), 120);
  v_words constant text := '%' || private.words(v_query) || '%';
  v_hint constant text := private.pattern_hint(v_words);
  v_limit constant integer := least(greatest(coalesce(p_limit, 5), 1), 10);
  v_org_id uuid;
  v_held text[];
  v_found jsonb;
begin
  if v_words = '%%' then
    return '[]'::jsonb;
  end if;
  select m.org_id, m.held into v_org_id, v_held
  from private.my_reading_rights('{campaigns.read,customers.read,codes.read,rewards.read,stores.read}') m;
  -- A user has one organisation at most.
  with found as (
    (select 1 as part, row_number() over (order by c.active desc, c.created_at desc, c.id) as place,
      'campaign' as kind, c.id, c.name as title, s.name as detail, null::uuid as parent_id
    from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = v_org_id and 'campaigns.read' = any (v_held)
      and private.has_words(c.name || ' ' || c.slug, v_words, v_hint)
    order by place limit v_limit)
    union all
    (select 2, row_number() over (), 'customer', f.id, f.title, f.detail, null
    from private.find_customers(v_org_id, v_query, v_limit) f where 'customers.read' = any (v_held))
    union all
    (select 3, row_number() over (), 'code', f.id, f.title, f.detail, f.parent_id
    from private.find_codes(v_org_id, v_query, v_limit, 'customers.read' = any (v_held)) f where 'codes.read' = any (v_held))
    union all
    (select 4, row_number() over (order by r.active desc, r.created_at desc, r.id) as place,
      'reward', r.id, r.name, c.name, null
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = v_org_id and 'rewards.read' = any (v_held)
      and r.archived_at is null and private.has_words(r.name, v_words, v_hint)
    order by place limit v_limit)
    union all
    (select 5, row_number() over (order by s.created_at desc, s.id) as place, 'store', s.id, s.name, s.address, null
    from public.stores s
    where s.org_id = v_org_id and 'stores.read' = any (v_held)
      and s.archived_at is null and private.has_words(s.name || ' ' || s.address, v_words, v_hint)
    order by place limit v_limit)
  )
  select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'id', f.id, 'title', f.title, 'detail', f.detail,
    'parent_id', f.parent_id) order by f.part, f.place), '[]'::jsonb)
  into v_found from found f;
  return v_found;
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_inbox(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_held text[];
  v_is_named boolean;
  v_page record;
begin
  select r.held into v_held from private.my_reading_rights('{reviews.read,customers.read}', 'reviews.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := 'customers.read' = any (v_held);
  select * into v_page from private.inbox_page(p_org_id, v_filters, p_after, p_before, v_user_id, v_is_named, 25);

  return jsonb_build_object(
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'campaigns', coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'is_erased', r.customer_id is null,
        'store', s.name, 'campaign', c.name, 'state', r.state, 'is_seen', r.seen_at is not null,
        'assignee', case when r.assigned_to is not null then private.user_name(r.assigned_to) end,
        'is_mine', coalesce(r.assigned_to = v_user_id, false),
        'writer', case when r.is_claimed then private.user_name(r.claimed_by) end)
        order by r.created_at desc, r.id desc)
      from unnest(v_page.ids) shown (id)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (
        select o.*, private.review_state(o) as state,
          o.claimed_by is not null and private.is_claimed(o, v_user_id) as is_claimed
        from public.pre_spin_reviews o where o.org_id = p_org_id and o.id = shown.id offset 0
      ) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(
      select c.id from public.campaigns c where c.org_id = p_org_id and private.has_words(c.name, v_pattern, v_hint));
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null),
    coalesce(array_agg(r.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, r.created_at desc, r.id) filter (
      where (r.archived_at is not null) = v_is_archived
        and (v_pattern is null or r.campaign_id = any (v_campaigns) or private.has_words(r.name, v_pattern, v_hint))), '{}')
  into v_total, v_archived, v_ids
  from public.rewards r
  left join (
    select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
    from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions') group by t.reward_id
  ) f on f.reward_id = r.id
  cross join lateral (
    select case v_key when 'name' then private.words(r.name) end as word, case v_key
      -- What never runs out is the most.
      when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
      when 'wins' then coalesce(f.wins, 0)::double precision
      when 'redemptions' then coalesce(f.redemptions, 0)::double precision
      when 'created_at' then extract(epoch from r.created_at)::double precision
    end as number
  ) k
  where r.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  -- A page that is no more, because rewards went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id)
        and not exists (select 1 from public.wheel_segments w
          where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      'is_won', coalesce(f.wins > 0, false) or private.is_given(p_org_id, r.id),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,scans,reviews,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  perform 1 from private.my_reading_rights('{stores.read,activity.read}', 'stores.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{stores.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) filter (where s.archived_at is null), count(*) filter (where s.archived_at is not null),
    coalesce(array_agg(s.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, s.created_at desc, s.id) filter (
      where (s.archived_at is not null) = v_is_archived
        and (v_pattern is null or private.has_words(s.name, v_pattern, v_hint) or private.has_words(s.address, v_pattern, v_hint))), '{}')
  into v_total, v_archived, v_ids
  from public.stores s
  left join (
    select d.store_id, sum(d.scans) as scans, sum(d.reviews) as reviews from private.campaign_figures_now(p_org_id) d
    where v_key in ('scans', 'reviews') group by d.store_id
  ) t on t.store_id = s.id
  cross join lateral (
    select case v_key when 'name' then private.words(s.name) end as word, case v_key
      when 'scans' then coalesce(t.scans, 0)::double precision
      when 'reviews' then coalesce(t.reviews, 0)::double precision
      when 'created_at' then extract(epoch from s.created_at)::double precision
    end as number
  ) k
  where s.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  -- A page that is no more, because stores went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  -- Of all stores, which stands above the list, and of each, in one look.
  with sums as (
    select d.store_id, grouping(d.store_id) = 1 as is_total, coalesce(sum(d.scans), 0) as scans,
      coalesce(sum(d.reviews), 0) as reviews, coalesce(sum(d.rating_sum), 0) as rating_sum,
      coalesce(sum(d.five_star_reviews), 0) as five_star_reviews, coalesce(sum(d.public_clicks), 0) as public_clicks,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.store_id))
  ), figures as materialized (
    select f.store_id, f.is_total, jsonb_build_object('scans', f.scans, 'reviews', f.reviews,
      'rating_sum', f.rating_sum, 'five_star_reviews', f.five_star_reviews, 'public_clicks', f.public_clicks,
      'spins', f.spins, 'wins', f.wins, 'redemptions', f.redemptions) as figures
    from sums f where f.is_total or f.store_id = any (v_ids)
  ), doors as materialized (
    select * from private.store_entries(p_org_id, v_ids)
  )
  select
    (select f.figures from figures f where f.is_total),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
      'timezone', s.timezone, 'created_at', s.created_at, 'archived_at', s.archived_at,
      'active_campaigns', door.active_campaigns, 'campaigns', door.campaigns,
      'slug', door.slug, 'closed', door.closed,
      -- Nearly always a campaign tells, which the function asks first, too.
      'has_history', door.campaigns > 0 or private.has_store_history(p_org_id, s.id),
      'figures', coalesce(f.figures, '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0,
        "public_clicks": 0, "spins": 0, "wins": 0, "redemptions": 0}')) order by array_position(v_ids, s.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.stores s
  join doors door on door.store_id = s.id
  left join figures f on f.store_id = s.id
  where s.org_id = p_org_id and s.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total,
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.id in (
        select c.store_id from public.campaigns c where c.org_id = p_org_id and c.active)),
    'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

COMMENT ON FUNCTION "private"."customer_page"(uuid, jsonb, uuid, uuid, boolean, integer) IS 'Customers of a page of the list, from the last one up where is_back says so, whether there are pages before and after it, and how many customers pass the filters, null without any: customer_list words them.';

COMMENT ON FUNCTION "private"."find_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) IS 'Reviews whose words, or whose customer, a search finds (the newest 300 by their words, and the newest 20 of each of the newest 300 customers), and that pass the filters of the inbox: as many as asked for, from the newest one on, or after a moment and an identifier, or before them.';

COMMENT ON FUNCTION "private"."has_review_words"(text, text, text) IS 'Whether review_words of a text are like a pattern (search_pattern), whose hint (pattern_hint) spares most texts the making of their words. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."has_words"(text, text, text) IS 'Whether the words of a text are like a pattern (words_pattern), whose hint (pattern_hint) spares most texts the making of their words. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."inbox_page"(uuid, jsonb, uuid, uuid, uuid, boolean, integer) IS 'Reviews of a page of the inbox, and whether there are pages before and after it: review_inbox words them. A search finds nothing for whoever may not see customers.';

COMMENT ON FUNCTION "private"."is_in_time"(public.campaigns) IS 'Whether a campaign is active and within its dates. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."my_reading_rights"(text[], text) IS 'Organisation of whoever asks, and which of some permissions they have there, as my_org_ids answers each, in one look at the session: permissions that end with .read, billing.read not among them. None of them without the needed one. Errors TV010, TV011, TV120 as my_org_ids.';

COMMENT ON FUNCTION "private"."name_of"(jsonb, text) IS 'Full name in what a sign-up gave, else the part of the e-mail before the at-sign (specification, section 2.9). Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."next_steps"(uuid, boolean, boolean) IS 'What deserves a merchant''s attention: bad reviews that nobody has seen, rewards that run out, that every active campaign is over, a campaign that runs or is about to, in which nothing can be won, and a store with one that has no public reviews page. Whose the reviews are where asked, and by which identifier codes are looked for.';

COMMENT ON FUNCTION "private"."pattern_hint"(text) IS 'What the plain letters of a text are like, in lower case, where its words are like a pattern; the pattern itself where one tells the other.';

COMMENT ON FUNCTION "private"."review_state"(public.pre_spin_reviews) IS 'What becomes of a review: open (to be dealt with), answered, closed; null for one that asks for nothing. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."roles_in_power"(uuid) IS 'Roles of an organisation of which the signed-in member may do all.';

COMMENT ON FUNCTION "private"."store_entries"(uuid, uuid[]) IS 'Of some stores, the slug of the newest running campaign, whose review page is the store''s; without one, why: no_campaign, plan_closed (trial or subscription ended) or none_running; and how many campaigns a store has, and active ones.';

COMMENT ON FUNCTION "private"."unseen_reviews"(uuid, boolean, boolean) IS 'The newest 3 reviews of 3 stars or fewer within 7 days that nobody marked as seen, and how many there are, counted up to 100. Who wrote them, and the beginning of their words (400 characters), where asked; under an alias for whoever may not see codes.';

COMMENT ON FUNCTION "private"."user_name"(uuid) IS 'Name of a user: private.name_of.';

COMMENT ON FUNCTION "private"."with_prize"(uuid, uuid[]) IS 'Of some campaigns, those in which something can be won now, by somebody who has won nothing yet.';

REVOKE ALL ON FUNCTION "private"."customer_page"(uuid, jsonb, uuid, uuid, boolean, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_review_words"(text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_words"(text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."inbox_page"(uuid, jsonb, uuid, uuid, uuid, boolean, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_in_time"(public.campaigns) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_reading_rights"(text[], text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_of"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_steps"(uuid, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pattern_hint"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."roles_in_power"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_entries"(uuid, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unseen_reviews"(uuid, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."with_prize"(uuid, uuid[]) FROM PUBLIC;
