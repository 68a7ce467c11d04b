-- Why: lists are sent as text; as jsonb each row was put together, copied into the answer and written once more, a fifth of what PostgreSQL spends on them.

set check_function_bodies = off;

DROP FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text);

DROP FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text);

DROP FUNCTION "public"."review_inbox"(uuid, jsonb, uuid, uuid);

DROP FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text);

DROP FUNCTION "public"."store_list"(uuid, text, boolean, integer, text);

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS json
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
  v_stores uuid[];
  v_total integer;
  v_active integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_stores := array(
      select s.id from public.stores s where s.org_id = p_org_id and private.has_words(s.name, v_pattern, v_hint));
  end if;
  with listed as materialized (
    select c.id, c.created_at, c.active, c.archived_at, k.word, k.number,
      (c.archived_at is not null) = v_is_archived and (v_pattern is null
        or private.has_words(c.name, v_pattern, v_hint) or c.store_id = any (v_stores)) as is_listed
    from public.campaigns c
    left join (
      select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins,
        sum(d.redemptions) as redemptions
      from private.campaign_figures_now(p_org_id) d
      where v_key in ('scans', 'reviews', 'spins', 'redemptions') group by d.campaign_id
    ) t on t.campaign_id = c.id
    cross join lateral (
      -- Not a join: it would compare every campaign with every store for other orders, too.
      select case v_key when 'name' then private.words(c.name) when 'store' then private.words((
          select s.name from public.stores s where s.org_id = p_org_id and s.id = c.store_id)) end as word,
        case v_key
          when 'scans' then coalesce(t.scans, 0)::double precision
          when 'reviews' then coalesce(t.reviews, 0)::double precision
          when 'spins' then coalesce(t.spins, 0)::double precision
          when 'redemptions' then coalesce(t.redemptions, 0)::double precision
          when 'created_at' then extract(epoch from c.created_at)::double precision
        end as number
    ) k
    where c.org_id = p_org_id
  )
  select n.total, n.active, n.archived, n.matches, p.page, array(
      -- Only as many as are shown are put in order.
      select l.id from listed l where l.is_listed
      order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
        case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
      limit v_page_size offset (p.page - 1) * v_page_size)
  into v_total, v_active, v_archived, v_matches, v_page, v_ids
  from (
    select count(*) filter (where l.archived_at is null) as total, count(*) filter (where l.active) as active,
      count(*) filter (where l.archived_at is not null) as archived, count(*) filter (where l.is_listed) as matches
    from listed l
  ) n
  cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;

  -- Of the whole organisation, which stands above the list, and of each campaign, in one look.
  with sums as (
    select d.campaign_id, grouping(d.campaign_id) = 1 as is_total, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.spins) as spins, sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.campaign_id))
  ), figures as materialized (
    select * from sums f where f.is_total or f.campaign_id = any (v_ids)
  ), prizes as materialized (
    select w.id from private.with_prize(p_org_id, v_ids) w (id)
  ), counted as materialized (
    select u.campaign_id, count(*) as rewards from (
      select r.campaign_id, r.id from public.rewards r where r.campaign_id = any (v_ids)
      union
      select s.campaign_id, s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_ids) and s.reward_id is not null
    ) u group by u.campaign_id
  )
  select
    (select json_build_object(
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'rating_sum', coalesce(f.rating_sum, 0),
      'five_star_reviews', coalesce(f.five_star_reviews, 0), 'wins', coalesce(f.wins, 0),
      'redemptions', coalesce(f.redemptions, 0)) from figures f where f.is_total),
    coalesce(json_agg(json_build_object(
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
      'redemptions', coalesce(f.redemptions, 0)) order by array_position(v_ids, c.id)), '[]'::json)
  into v_figures, v_items
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  left join figures f on f.campaign_id = c.id
  left join counted n on n.campaign_id = c.id
  where c.org_id = p_org_id and c.id = any (v_ids);

  return json_build_object('total', v_total, 'active', v_active, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.customer_list(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_key constant text := private.sort_key(p_sort, '{name,created_at,activity}');
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
  select * into v_page from private.customer_page(p_org_id, v_filters, p_after, p_before, v_key, coalesce(p_sort = v_key, false), 25);
  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from private.campaign_figures_now(p_org_id) d;

  return json_build_object(
    'totals', json_build_object('customers', v_totals.customers, 'consents', v_totals.consents,
      'participants', v_totals.participants,
      'reviews', v_reviews, 'rating_sum', v_rating_sum),
    'matches', coalesce(v_page.matches, v_totals.customers),
    'has_more_matches', coalesce(v_page.has_more_matches, false),
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::json),
    'items', coalesce((
      select json_agg(json_build_object('id', c.id, 'name', c.name, 'email', c.email, 'phone', c.phone,
        'locale', c.locale, 'consent_marketing', c.consent_marketing, 'created_at', c.created_at, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by shown.place * case when v_page.is_back then -1 else 1 end)
      from unnest(v_page.ids) with ordinality shown (id, place)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (select * from public.customers c where c.org_id = p_org_id and c.id = shown.id offset 0) c
    ), '[]'::json));
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_inbox(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid)
 RETURNS json
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

  return json_build_object(
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'stores', coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::json),
    'campaigns', coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::json),
    'items', coalesce((
      select json_agg(json_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'is_erased', r.customer_id is null,
        'locale', r.locale, 'store', s.name, 'campaign', c.name, 'state', r.state, 'is_seen', r.seen_at is not null,
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
    ), '[]'::json));
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS json
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
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,rate,max,validity,state,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(
      select c.id from public.campaigns c where c.org_id = p_org_id and private.has_words(c.name, v_pattern, v_hint));
    v_shared := array(
      select distinct s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_campaigns) and s.reward_id is not null);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null)
  into v_total, v_archived
  from public.rewards r where r.org_id = p_org_id;
  v_matches := case when v_is_archived then v_archived else v_total end;
  if v_pattern is null and v_key is null then
    -- The newest stand first in an index.
    v_page := private.last_page(p_page, v_matches, v_page_size);
    v_ids := array(
      select r.id from public.rewards r
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
      order by r.created_at desc, r.id limit v_page_size offset (v_page - 1) * v_page_size);
  else
    with listed as materialized (
      select r.id, r.created_at, k.word, k.number
      from public.rewards r
      left join (
        select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
        from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions', 'rate') group by t.reward_id
      ) f on f.reward_id = r.id
      cross join lateral (
        select case v_key when 'name' then private.words(r.name) end as word, case v_key
          -- An unlimited stock sorts above every number.
          when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
          when 'wins' then coalesce(f.wins, 0)::double precision
          when 'redemptions' then coalesce(f.redemptions, 0)::double precision
          -- Points have no codes, and so no rate: they stand below all others.
          when 'rate' then case when r.type = 'points' then -1
            else coalesce(f.redemptions::double precision / nullif(f.wins, 0), 0) end
          when 'max' then r.max_per_user::double precision
          -- Points without a number of days have no end.
          when 'validity' then coalesce((r.metadata ->> 'validityDays')::double precision,
            case when r.type = 'points' then 'Infinity' else 30::double precision end)
          when 'state' then r.active::integer::double precision
          when 'created_at' then extract(epoch from r.created_at)::double precision
        end as number
      ) k
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived and (v_pattern is null
        or r.campaign_id = any (v_campaigns) or r.id = any (v_shared) or private.has_words(r.name, v_pattern, v_hint))
    )
    select n.matches, p.page, array(
        -- Only as many as are shown are put in order.
        select l.id from listed l
        order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
          case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
        limit v_page_size offset (p.page - 1) * v_page_size)
    into v_matches, v_page, v_ids
    from (select count(*) as matches from listed l) n
    cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;
  end if;

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t where t.reward_id = any (v_ids) group by t.reward_id
  ), given as materialized (
    select g.id from private.given_rewards(p_org_id, v_ids) g (id)
  ), drawn as materialized (
    select w.reward_id, count(*) as segments, array_agg(w.campaign_id) as campaigns
    from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = any (v_ids) group by w.reward_id
  )
  select
    (select json_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
      'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
     from private.reward_totals_now(p_org_id) t),
    coalesce(json_agg(json_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', coalesce(d.segments, 0),
      -- Few rewards have segments in a campaign that is not their own: only those ask for names.
      'shared_with', coalesce(case when r.campaign_id <> any (d.campaigns) then (
        select json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id = any (d.campaigns)) end, '[]'::json),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null and d.reward_id is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', json_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::json)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  left join drawn d on d.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return json_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS json
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
  v_key constant text := private.sort_key(p_sort, '{name,scans,reviews,rating,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
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
    select d.store_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
    from private.campaign_figures_now(p_org_id) d
    where v_key in ('scans', 'reviews', 'rating') group by d.store_id
  ) t on t.store_id = s.id
  cross join lateral (
    select case v_key when 'name' then private.words(s.name) end as word, case v_key
      when 'scans' then coalesce(t.scans, 0)::double precision
      when 'reviews' then coalesce(t.reviews, 0)::double precision
      -- Without a review it has no mean, and stands below the worst.
      when 'rating' then coalesce(t.rating_sum::double precision / nullif(t.reviews, 0), 0)
      when 'created_at' then extract(epoch from s.created_at)::double precision
    end as number
  ) k
  where s.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  v_page := private.last_page(p_page, v_matches, v_page_size);
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  -- Of all stores, which stands above the list, and of each, in one look.
  with sums as (
    select d.store_id, grouping(d.store_id) = 1 as is_total, coalesce(sum(d.scans), 0) as scans,
      coalesce(sum(d.reviews), 0) as reviews, coalesce(sum(d.rating_sum), 0) as rating_sum,
      coalesce(sum(d.five_star_reviews), 0) as five_star_reviews, coalesce(sum(d.public_clicks), 0) as public_clicks,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.store_id))
  ), figures as materialized (
    select f.store_id, f.is_total, json_build_object('scans', f.scans, 'reviews', f.reviews,
      'rating_sum', f.rating_sum, 'five_star_reviews', f.five_star_reviews, 'public_clicks', f.public_clicks,
      'spins', f.spins, 'wins', f.wins, 'redemptions', f.redemptions) as figures
    from sums f where f.is_total or f.store_id = any (v_ids)
  ), doors as materialized (
    select * from private.store_entries(p_org_id, v_ids)
  )
  select
    (select f.figures from figures f where f.is_total),
    coalesce(json_agg(json_build_object(
      'id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
      'timezone', s.timezone, 'created_at', s.created_at, 'archived_at', s.archived_at,
      'active_campaigns', door.active_campaigns, 'campaigns', door.campaigns,
      'slug', door.slug, 'closed', door.closed,
      -- Nearly always a campaign tells, which the function asks first, too.
      'has_history', door.campaigns > 0 or private.has_store_history(p_org_id, s.id),
      'figures', coalesce(f.figures, '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0,
        "public_clicks": 0, "spins": 0, "wins": 0, "redemptions": 0}')) order by array_position(v_ids, s.id)), '[]'::json)
  into v_figures, v_items
  from public.stores s
  join doors door on door.store_id = s.id
  left join figures f on f.store_id = s.id
  where s.org_id = p_org_id and s.id = any (v_ids);

  return json_build_object(
    'total', v_total,
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.id in (
        select c.store_id from public.campaigns c where c.org_id = p_org_id and c.active)),
    'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

COMMENT ON FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s campaigns in use, or archived, whose name or store''s name contains a text. Newest first or sorted (name, store, scans, reviews, spins, redemptions, created_at; private.sort_key), with the figures above the list (specification, section 2.13); the shape is campaignList of _shared/domain. Error 42501 without the permission campaigns.read there.';

COMMENT ON FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text) IS 'A page of an organisation''s customers, newest first or sorted (name, created_at, activity: the day of it in UTC; private.sort_key), that pass the filters (private.matches_filters): the one after a customer, or before one, with the figures above the list (specification, section 2.11); the shape is customerList of _shared/domain. Matches of a search are counted up to 100, of filters alone up to 1,000. Error 42501 without the permissions customers.read and activity.read there.';

COMMENT ON FUNCTION "public"."review_inbox"(uuid, jsonb, uuid, uuid) IS 'A page of an organisation''s reviews, newest first, that pass the filters (private.is_in_inbox) and the search (private.find_reviews): the one after a review, or before one; the shape is reviewInbox of _shared/domain. Words and names are null, and a search finds nothing, without the permission customers.read. Error 42501 without the permission reviews.read there.';

COMMENT ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s rewards in use, or archived, whose name or campaign''s name contains a text. Newest first or sorted (name, stock, wins, redemptions, rate, max, validity, state, created_at; private.sort_key), with the figures above the list (specification, section 2.17); the shape is rewardList of _shared/domain. Error 42501 without the permissions rewards.read and activity.read there.';

COMMENT ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s stores in use, or archived, whose name or address contains a text. Newest first or sorted (name, scans, reviews, rating, created_at; private.sort_key), with the figures above the list (specification, section 2.18); the shape is storeList of _shared/domain. Error 42501 without the permissions stores.read and activity.read there.';

REVOKE ALL ON FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."review_inbox"(uuid, jsonb, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."review_inbox"(uuid, jsonb, uuid, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) TO "authenticated";
