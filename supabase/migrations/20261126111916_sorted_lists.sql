-- Why: merchants sort customers by name and last activity, codes by issue and end, stores by rating, rewards by each column, each page by an index.

set check_function_bodies = off;

DROP INDEX "public"."customers_activity_idx";

DROP FUNCTION "private"."customer_page"(uuid, jsonb, uuid, uuid, boolean, integer);

DROP FUNCTION "public"."reward_codes"(uuid, text, integer, text);

CREATE OR REPLACE FUNCTION private.customer_page(p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_key text, p_is_up boolean, p_page_size integer, OUT ids uuid[], OUT is_back boolean, OUT has_previous boolean, OUT has_next boolean, OUT matches integer, OUT has_more_matches boolean)
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
    if p_key in ('name', 'activity') then
      ids := private.sorted_customers(p_org_id, p_filters, p_key, is_back <> p_is_up, case when v_at is not null then v_id end,
        case when v_at is null then v_wanted else p_page_size + 1 end);
    elsif is_back <> p_is_up then
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

CREATE OR REPLACE FUNCTION private.is_in_code_list(r public.redemptions, p_status text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (p_status IS NULL) THEN true WHEN (p_status = ANY (ARRAY['held'::text, 'cancelled'::text])) THEN (((r).verdict IS NOT NULL) AND ((r).verdict = p_status)) WHEN (p_status = 'available'::text) THEN (((r).status = 'available'::text) AND ((r).verdict IS NULL) AND (((r).expires_at IS NULL) OR ((r).expires_at > now()))) WHEN (p_status = 'expired'::text) THEN (((r).verdict IS NULL) AND (((r).status = 'expired'::text) OR (((r).status = 'available'::text) AND ((r).expires_at <= now())))) ELSE (((r).status = p_status) AND ((r).verdict IS NULL)) END;

CREATE OR REPLACE FUNCTION private.name_order(p_name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return left(private.words(p_name), 80);
end;
$function$;

CREATE OR REPLACE FUNCTION private.sorted_codes(p_org_id uuid, p_reward_id uuid, p_status text, p_pattern text, p_prefix text, p_sort text, p_skip integer, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_key constant text := private.sort_key(p_sort, '{created_at,expires_at}');
  v_direction constant text := case when p_sort like '-%' then 'desc' else 'asc' end;
  v_ids uuid[];
begin
  -- The codes of each state stand in order in the index of the column: what a page may need of each is read, and put together.
  execute format('select array(
    select found.id from unnest($8) as s (status)
    cross join lateral (
      select r.id, r.%1$I as place from public.redemptions r
      where r.org_id = $1 and r.reward_id = $2 and r.status = s.status and private.is_in_code_list(r, $3)
        and private.matches_code(r, $4, $5)
      order by r.%1$I %2$s, r.id %2$s limit $6 + $7
    ) found
    order by found.place %2$s, found.id %2$s offset $6 limit $7)', v_key, v_direction)
  into v_ids using p_org_id, p_reward_id, p_status, p_pattern, p_prefix, p_skip, p_limit, case p_status
    when 'available' then '{available}'::text[]
    when 'used' then '{used}'
    when 'expired' then '{available,expired}'
    when 'cancelled' then '{expired}'
    else '{available,used,expired}'
  end;
  return v_ids;
end;
$function$;

CREATE OR REPLACE FUNCTION private.sorted_customers(p_org_id uuid, p_filters jsonb, p_key text, p_is_up boolean, p_from uuid, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  -- Each of them is the key of an index, which no parameter of a statement could name.
  v_key constant text := case p_key
    when 'name' then 'private.name_order(c.name) collate "C"'
    when 'activity' then 'coalesce(c.last_activity_day, ''-infinity'')'
  end;
  v_direction constant text := case when p_is_up then 'asc' else 'desc' end;
  v_range text := '';
  v_at text;
  v_ids uuid[];
begin
  if p_from is not null then
    execute format('select (%s)::text from public.customers c where c.org_id = $1 and c.id = $2', v_key)
    into v_at using p_org_id, p_from;
    v_range := format('and (%s, c.id) %s (%L::%s, %L::uuid)', v_key, case when p_is_up then '>' else '<' end, v_at,
      case p_key when 'activity' then 'date' else 'text' end, p_from);
  end if;
  execute format('select array(select c.id from public.customers c
    where c.org_id = $1 and private.matches_filters(c, $2) %1$s order by %2$s %3$s, c.id %3$s limit $3)',
    v_range, v_key, v_direction)
  into v_ids using p_org_id, p_filters, p_limit;
  return v_ids;
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
        'locale', c.locale, 'consent_marketing', c.consent_marketing, 'created_at', c.created_at, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by shown.place * case when v_page.is_back then -1 else 1 end)
      from unnest(v_page.ids) with ordinality shown (id, place)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (select * from public.customers c where c.org_id = p_org_id and c.id = shown.id offset 0) c
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  -- One more than is shown tells whether there is a next page.
  v_status constant text := nullif(p_status, '');
  v_last constant integer := v_page * v_page_size + 1;
  v_ids uuid[];
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_prefix text;
  v_items jsonb;
begin
  if v_status not in ('available', 'used', 'expired', 'held', 'cancelled') then
    raise exception 'status_unknown' using errcode = '22023';
  end if;
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('codes.read')));
  if not found then
    return null;
  end if;
  v_is_named := private.may_name_customers(v_reward.org_id);
  -- Whoever may not know whose a code is does not find it by a name either: those look by its first letters.
  if v_is_named then
    v_pattern := private.code_pattern(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- Each state is found by an index in which the newest stand first; what is over stands in two of its ranges.
  v_ids := case when p_sort <> '' then private.sorted_codes(v_reward.org_id, p_id, v_status, v_pattern, v_prefix, p_sort,
    (v_page - 1) * v_page_size, v_page_size + 1)
  else array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = v_reward.org_id and r.reward_id = p_id and private.matches_code(r, v_pattern, v_prefix)
         and case when v_status = 'expired' then r.status = 'expired' and r.verdict is null
           else private.is_in_code_list(r, v_status) end
       order by r.created_at desc, r.id desc limit v_last)
      union all
      -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
      (select r.id, r.created_at from public.redemptions r
       where v_status = 'expired' and r.status = 'available' and r.expires_at <= now() and r.verdict is null
         and r.org_id = v_reward.org_id and r.reward_id = p_id and private.matches_code(r, v_pattern, v_prefix)
       order by r.created_at desc, r.id desc limit v_last)
    ) found
    order by found.created_at desc, found.id desc
    limit v_page_size + 1 offset (v_page - 1) * v_page_size
  ) end;
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end, 'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', private.code_trace(v_reward.org_id, shown.id)) order by array_position(v_ids, shown.id)), '[]'::jsonb)
  into v_items
  from public.redemptions shown
  where shown.org_id = v_reward.org_id and shown.id = any (v_ids);

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_reward.org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_reward.org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
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
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,rate,max,validity,state,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
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
    v_shared := array(
      select distinct s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_campaigns) and s.reward_id is not null);
  end if;
  with listed as materialized (
    select r.id, r.created_at, r.archived_at, k.word, k.number,
      (r.archived_at is not null) = v_is_archived and (v_pattern is null
        or r.campaign_id = any (v_campaigns) or r.id = any (v_shared)
        or private.has_words(r.name, v_pattern, v_hint)) as is_listed
    from public.rewards r
    left join (
      select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
      from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions', 'rate') group by t.reward_id
    ) f on f.reward_id = r.id
    cross join lateral (
      select case v_key when 'name' then private.words(r.name) end as word, case v_key
        -- What never runs out is the most.
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
    where r.org_id = p_org_id
  )
  select n.total, n.archived, n.matches, p.page, array(
      -- Only as many as are shown are put in order.
      select l.id from listed l where l.is_listed
      order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
        case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
      limit v_page_size offset (p.page - 1) * v_page_size)
  into v_total, v_archived, v_matches, v_page, v_ids
  from (
    select count(*) filter (where l.archived_at is null) as total,
      count(*) filter (where l.archived_at is not null) as archived, count(*) filter (where l.is_listed) as matches
    from listed l
  ) n
  -- A page that is no more, because rewards went meanwhile, is the last one.
  cross join lateral (
    select least(greatest(coalesce(p_page, 1), 1), greatest(ceil(n.matches::numeric / v_page_size)::integer, 1)) as page
  ) p;

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  ), given as materialized (
    select g.id from private.given_rewards(p_org_id, v_ids) g (id)
  ), drawn as materialized (
    select w.reward_id, count(*) as segments, array_agg(w.campaign_id) as campaigns
    from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = any (v_ids) group by w.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', coalesce(d.segments, 0),
      -- Few rewards have segments in a campaign that is not their own: only those ask for names.
      'shared_with', coalesce(case when r.campaign_id <> any (d.campaigns) then (
        select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id = any (d.campaigns)) end, '[]'::jsonb),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null and d.reward_id is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  left join drawn d on d.reward_id = r.id
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
  v_key constant text := private.sort_key(p_sort, '{name,scans,reviews,rating,created_at}');
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

CREATE INDEX customers_activity_idx ON public.customers USING btree (org_id, COALESCE(last_activity_day, '-infinity'::date), id) INCLUDE (last_activity_day, consent_marketing, rating_band, store_id);

CREATE INDEX redemptions_org_reward_expiry_idx ON public.redemptions USING btree (org_id, reward_id, status, expires_at, id);

COMMENT ON FUNCTION "private"."customer_page"(uuid, jsonb, uuid, uuid, text, boolean, integer) IS 'Customers of a page of the list, from the last one up where is_back says so, whether there are pages before and after it, and how many customers pass the filters, null without any: customer_list words them.';

COMMENT ON FUNCTION "private"."is_in_code_list"(public.redemptions, text) IS 'Whether a code is in the list of one state (available, used, expired, held, cancelled; any when null). Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."name_order"(text) IS 'What a name is sorted by: its words without case and accents, up to 80 letters, so that an index can hold it.';

COMMENT ON FUNCTION "private"."sorted_codes"(uuid, uuid, text, text, text, text, integer, integer) IS 'Codes of a reward in an order (created_at, expires_at; private.sort_key) that are in the list of a state (private.is_in_code_list) and match a search (private.matches_code): so many after so many. One that never ends is the last to end. Error 22023 for another order.';

COMMENT ON FUNCTION "private"."sorted_customers"(uuid, jsonb, text, boolean, uuid, integer) IS 'Customers that pass the filters of the list, by name or by the day (UTC) of the last activity, the least or the greatest first: as many as asked for, from the first one on, or after a customer. Whoever never did anything is the least.';

COMMENT ON FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text) IS 'A page of an organisation''s customers, newest first or sorted (name, created_at, activity: the day of it in UTC; private.sort_key), that pass the filters (private.matches_filters): the one after a customer, or before one, with the figures above the list (specification, section 2.11); the shape is customerList of _shared/domain. Matches of a search are counted up to 100, of filters alone up to 1,000. Error 42501 without the permissions customers.read and activity.read there.';

COMMENT ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) IS 'A page of a reward''s codes, newest first or sorted (created_at, expires_at; private.sort_key), in which a text is found in the code, or in its customer''s e-mail or name, of one state (available, used, expired, held, cancelled; any when null; error 22023 for another), with the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Without the permission customers.read nobody is named, and a text is found where a code begins with it. Null when there is no such reward for the signed-in user, who needs the permission codes.read.';

COMMENT ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s rewards in use, or put away, newest first or sorted (name, stock, wins, redemptions, rate, max, validity, state, created_at; private.sort_key), whose name or campaign''s name contains a text, with the figures above the list (specification, section 2.17); the shape is rewardList of _shared/domain. Error 42501 without the permissions rewards.read and activity.read there.';

COMMENT ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s stores in use, or put away, newest first or sorted (name, scans, reviews, rating, created_at; private.sort_key), whose name or address contains a text, with the figures above the list (specification, section 2.18); the shape is storeList of _shared/domain. Error 42501 without the permissions stores.read and activity.read there.';

REVOKE ALL ON FUNCTION "private"."customer_page"(uuid, jsonb, uuid, uuid, text, boolean, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_in_code_list"(public.redemptions, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_order"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."name_order"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."name_order"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."sorted_codes"(uuid, uuid, text, text, text, text, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sorted_customers"(uuid, jsonb, text, boolean, uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) TO "authenticated";

CREATE OR REPLACE FUNCTION private.matches_filters(c public.customers, p_filters jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (((private.query_words((p_filters ->> 'search'::text)) IS NULL) OR ((c).search_words ~~ private.search_pattern((p_filters ->> 'search'::text)))) AND (((p_filters ->> 'consent'::text) IS NULL) OR ((c).consent_marketing = ((p_filters ->> 'consent'::text))::boolean)) AND (((p_filters ->> 'rating'::text) IS NULL) OR ((c).rating_band = ((p_filters ->> 'rating'::text))::smallint)) AND (((p_filters ->> 'store_id'::text) IS NULL) OR ((c).store_id = ((p_filters ->> 'store_id'::text))::uuid)) AND (((p_filters ->> 'locale'::text) IS NULL) OR ((c).locale = (p_filters ->> 'locale'::text))) AND CASE WHEN ((p_filters ->> 'activity'::text) IS NULL) THEN true WHEN ((p_filters ->> 'activity'::text) = 'older'::text) THEN (COALESCE((c).last_activity_day, '-infinity'::date) < (((now() AT TIME ZONE 'UTC'::text))::date - 90)) ELSE (COALESCE((c).last_activity_day, '-infinity'::date) > (((now() AT TIME ZONE 'UTC'::text))::date - ((p_filters ->> 'activity'::text))::integer)) END);

CREATE INDEX customers_name_idx ON public.customers USING btree (org_id, private.name_order(name) COLLATE "C", id);

-- Without statistics of the new keys a plan would guess how many customers were active lately.
ANALYZE "public"."customers";
