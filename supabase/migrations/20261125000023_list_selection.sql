-- Why: lists are sorted, narrowed down by state, and what is ticked in them is exported, archived or asked for nothing more

set check_function_bodies = off;

DROP INDEX "public"."redemptions_cancelled_idx";

DROP FUNCTION "public"."campaign_list"(uuid, text, boolean, integer);

DROP FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid);

DROP FUNCTION "public"."reward_codes"(uuid, text, integer);

DROP FUNCTION "public"."reward_list"(uuid, text, boolean, integer);

DROP FUNCTION "public"."store_list"(uuid, text, boolean, integer);

CREATE OR REPLACE FUNCTION private.check_selection(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  if coalesce(array_ndims(p_ids), 0) <> 1 or cardinality(p_ids) > 200 or array_position(p_ids, null) is not null then
    raise exception 'selection_invalid' using errcode = '22023';
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.matches_code(r public.redemptions, p_pattern text, p_prefix text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (((p_pattern IS NULL) OR ((r).words ~~ p_pattern)) AND ((p_prefix IS NULL) OR (((r).code_key >= p_prefix) AND ((r).code_key <= (p_prefix || repeat('Z'::text, 32))) AND ((r).code_key ~~ (p_prefix || '%'::text)))));

CREATE OR REPLACE FUNCTION private.sort_key(p_sort text, p_keys text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  v_key constant text := nullif(ltrim(p_sort, '-'), '');
begin
  if v_key <> all (p_keys) or p_sort not in (v_key, '-' || v_key) then
    raise exception 'sort_unknown' using errcode = '22023';
  end if;
  return v_key;
end;
$function$;

CREATE OR REPLACE FUNCTION public.archive_campaigns(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  -- In one order, whoever asks; the lock waits for customers who are taking part right now.
  perform 1 from public.campaigns c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for update;
  get diagnostics v_count = row_count;
  if v_count <> (select count(distinct s.id) from unnest(p_ids) as s (id)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.campaigns c set active = false, archived_at = now()
  where c.org_id = p_org_id and c.id = any (p_ids) and c.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.archive_rewards(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('rewards.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  -- In one order, whoever asks; the lock waits for customers who are winning one right now.
  perform 1 from public.rewards r
  where r.org_id = p_org_id and r.id = any (p_ids)
  order by r.id for update;
  get diagnostics v_count = row_count;
  if v_count <> (select count(distinct s.id) from unnest(p_ids) as s (id)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.rewards r set archived_at = now()
  where r.org_id = p_org_id and r.id = any (p_ids) and r.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,store,scans,reviews,spins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_matches integer;
  v_page integer;
  v_items jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
    and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'slug', shown.slug, 'active', shown.active,
    'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'created_at', shown.created_at,
    'archived_at', shown.archived_at, 'store_id', shown.store_id, 'store_name', shown.store_name,
    'timezone', shown.timezone,
    'rewards', (select count(*) from public.rewards r where r.campaign_id = shown.id),
    'has_prize', private.has_prize(p_org_id, shown.id),
    'has_history', private.has_campaign_history(p_org_id, shown.id),
    'scans', f.scans, 'reviews', f.reviews, 'spins', f.spins,
    'redemptions', f.redemptions) order by shown.place), '[]'::jsonb)
  into v_items
  from (
    select c.*, s.name as store_name, s.timezone, row_number() over (order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, c.created_at desc, c.id) as place
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
          when 'scans' then coalesce(t.scans, 0)
          when 'reviews' then coalesce(t.reviews, 0)
          when 'spins' then coalesce(t.spins, 0)
          when 'redemptions' then coalesce(t.redemptions, 0)
          when 'created_at' then extract(epoch from c.created_at)
        end as number
    ) k
    where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
      and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern)
    order by place
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral (
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d where d.campaign_id = shown.id
  ) f;

  return jsonb_build_object(
    'total', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is null),
    'active', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
    'archived', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is not null),
    'figures', private.organization_totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.customer_list(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_is_search constant boolean := private.query_words(v_filters ->> 'search') is not null;
  v_most_counted constant integer := case when v_is_search then 100 else 1000 end;
  -- One more than is shown tells whether there is a next page.
  v_wanted constant integer := case when v_is_search then v_most_counted else v_page_size end + 1;
  v_is_oldest constant boolean := coalesce(private.sort_key(p_sort, '{created_at}') = p_sort, false);
  v_at timestamptz;
  v_id uuid;
  v_ids uuid[];
  v_is_back boolean := p_before is not null;
  v_has_more boolean;
  v_totals record;
  v_reviews bigint;
  v_rating_sum bigint;
  v_matches integer;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('customers.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select c.created_at, c.id into v_at, v_id from public.customers c
  where c.org_id = p_org_id and c.id = coalesce(p_before, p_after);

  v_is_back := v_is_back and v_at is not null;
  loop
    -- Read from where the page begins: up or down the same index.
    if v_is_back <> v_is_oldest then
      select array_agg(p.id order by p.created_at, p.id) into v_ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
          and (v_at is null or (c.created_at, c.id) > (v_at, v_id))
        order by c.created_at, c.id limit case when v_at is null then v_wanted else v_page_size + 1 end
      ) p;
    else
      select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
          and (v_at is null or (c.created_at, c.id) < (v_at, v_id))
        order by c.created_at desc, c.id desc limit case when v_at is null then v_wanted else v_page_size + 1 end
      ) p;
    end if;
    v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;
    exit when v_has_more or not v_is_back;
    -- A page before which nothing stands is the first one, and shows all of it.
    v_is_back := false;
    v_at := null;
  end loop;

  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from private.campaign_figures_now(p_org_id) d;
  if v_filters = '{}' then
    v_matches := v_totals.customers;
  elsif v_at is null and (v_is_search or not v_has_more) then
    -- What was looked for once is not looked for again.
    v_matches := coalesce(array_length(v_ids, 1), 0);
  else
    select count(*) into v_matches from (
      select 1 from public.customers c
      where c.org_id = p_org_id and private.matches_filters(c, v_filters) limit v_most_counted + 1
    ) counted;
  end if;

  return jsonb_build_object(
    'totals', jsonb_build_object('customers', v_totals.customers, 'consents', v_totals.consents,
      'participants', v_totals.participants,
      'reviews', v_reviews, 'rating_sum', v_rating_sum),
    'matches', case when v_filters = '{}' then v_matches else least(v_matches, v_most_counted) end,
    'has_more_matches', v_filters <> '{}' and v_matches > v_most_counted,
    'has_previous', case when v_is_back then v_has_more else v_at is not null end,
    'has_next', v_is_back or v_has_more,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'email', c.email, 'phone', c.phone,
        'consent_marketing', c.consent_marketing, 'created_at', c.created_at, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by array_position(v_ids, c.id)
          * case when v_is_back then -1 else 1 end)
      from public.customers c
      where c.org_id = p_org_id and c.id = any (v_ids[1:v_page_size])
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.export_customers(p_org_id uuid, p_filters jsonb)
 RETURNS TABLE(first_name text, last_name text, name text, email text, phone text, consent boolean, consent_at text, locale text, store text, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer, last_activity_at text, created_at text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT c.first_name,
     c.last_name,
     c.name,
     c.email,
     c.phone,
     c.consent_marketing,
     private.export_moment(c.consent_at, z.timezone) AS export_moment,
     c.locale,
     s.name,
     c.review_count,
     c.rating_sum,
     c.spin_count,
     private.customer_wins(c.org_id, c.id) AS customer_wins,
     c.redemption_count,
     private.export_moment(c.last_activity_at, z.timezone) AS export_moment,
     private.export_moment(c.created_at, z.timezone) AS export_moment
    FROM ((public.customers c
      CROSS JOIN ( SELECT private.timezone_of(export_customers.p_org_id) AS timezone) z)
      LEFT JOIN public.stores s ON (((s.org_id = c.org_id) AND (s.id = c.store_id))))
   WHERE ((c.org_id = export_customers.p_org_id) AND private.matches_filters(c.*, export_customers.p_filters) AND (((export_customers.p_filters -> 'ids'::text) IS NULL) OR (c.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_customers.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))))
   ORDER BY c.created_at DESC, c.id DESC;
END;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text)
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
  v_ids := array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = v_reward.org_id and r.reward_id = p_id and private.matches_code(r, v_pattern, v_prefix)
         and case
           when v_status is null then true
           when v_status in ('held', 'cancelled') then r.verdict is not null and r.verdict = v_status
           when v_status = 'available' then r.status = 'available' and r.verdict is null
             and (r.expires_at is null or r.expires_at > now())
           else r.status = v_status and r.verdict is null
         end
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
  );
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end, 'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'trace', private.code_trace(v_reward.org_id, shown.id)) order by shown.created_at desc, shown.id desc), '[]'::jsonb)
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
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
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
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(select c.id from public.campaigns c where c.org_id = p_org_id and private.words(c.name) like v_pattern);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null),
    coalesce(array_agg(r.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, r.created_at desc, r.id) filter (
      where (r.archived_at is not null) = v_is_archived
        and (v_pattern is null or r.campaign_id = any (v_campaigns) or private.words(r.name) like v_pattern)), '{}')
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
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'archived_at', r.archived_at,
      'segments', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id)
        and not exists (select 1 from public.wheel_segments w
          where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      'is_won', coalesce(f.wins > 0, false),
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
AS $function$
declare
  v_page_size constant integer := 20;
  v_nothing constant jsonb := '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0, "public_clicks": 0,
    "spins": 0, "wins": 0, "redemptions": 0}';
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,scans,reviews,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches from public.stores s
  where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
    and (v_pattern is null or private.words(s.name) like v_pattern or private.words(s.address) like v_pattern);
  -- A page that is no more, because stores went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  -- By store, and of all stores where there is none.
  select jsonb_object_agg(coalesce(f.store_id::text, ''), jsonb_build_object('scans', f.scans, 'reviews', f.reviews,
    'rating_sum', f.rating_sum, 'five_star_reviews', f.five_star_reviews, 'public_clicks', f.public_clicks,
    'spins', f.spins, 'wins', f.wins, 'redemptions', f.redemptions))
  into v_figures
  from (
    select d.store_id, coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.five_star_reviews), 0) as five_star_reviews,
      coalesce(sum(d.public_clicks), 0) as public_clicks, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.store_id))
  ) f;

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'address', shown.address, 'review_mode', shown.review_mode,
    'timezone', shown.timezone, 'created_at', shown.created_at, 'archived_at', shown.archived_at,
    'active_campaigns', (select count(*) from public.campaigns c
      where c.org_id = p_org_id and c.store_id = shown.id and c.active),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = shown.id),
    'slug', door.slug, 'closed', door.closed, 'has_history', private.has_store_history(p_org_id, shown.id),
    'figures', coalesce(v_figures -> shown.id::text, v_nothing)) order by shown.place), '[]'::jsonb)
  into v_items
  from (
    select s.*, row_number() over (order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, s.created_at desc, s.id) as place
    from public.stores s
    cross join lateral (
      select case v_key when 'name' then private.words(s.name) end as word, case
        when v_key in ('scans', 'reviews') then coalesce((v_figures -> s.id::text ->> v_key)::numeric, 0)
        when v_key = 'created_at' then extract(epoch from s.created_at)
      end as number
    ) k
    where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
      and (v_pattern is null or private.words(s.name) like v_pattern or private.words(s.address) like v_pattern)
    order by place
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral private.store_entry(p_org_id, shown.id) door;

  return jsonb_build_object(
    'total', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is null),
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and exists (
        select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id and c.active)),
    'archived', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is not null),
    'figures', v_figures -> '',
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_consents(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('customers.write'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  perform 1 from public.customers c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for no key update;
  get diagnostics v_count = row_count;
  if v_count <> (select count(distinct s.id) from unnest(p_ids) as s (id)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.customers c set consent_marketing = false
  where c.org_id = p_org_id and c.id = any (p_ids) and c.consent_marketing;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform private.audit(p_org_id, 'customer.consents_withdrawn', 'customer', null, jsonb_build_object('count', v_count));
  end if;
  return v_count;
end;
$function$;

CREATE INDEX redemptions_org_reward_status_idx ON public.redemptions USING btree (org_id, reward_id, status, created_at DESC, id DESC);

CREATE INDEX redemptions_verdict_idx ON public.redemptions USING btree (org_id, reward_id, verdict, created_at DESC, id DESC) WHERE (verdict IS NOT NULL);

COMMENT ON FUNCTION "private"."check_selection"(uuid[]) IS 'Refuses a selection of a list that is empty, or larger than anybody ticks by hand (200). Error 22023.';

COMMENT ON FUNCTION "private"."matches_code"(public.redemptions, text, text) IS 'Whether the words of a code match a pattern, or the code begins with a prefix; null does not filter. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."sort_key"(text, text[]) IS 'Column by which a list is sorted: one of the keys, with a minus before it for the greatest first; null when none is asked for. Error 22023 for any other.';

COMMENT ON FUNCTION "public"."archive_campaigns"(uuid, uuid[]) IS 'Archives the campaigns that were ticked in the list, which then are inactive, all or none; answers how many were not archived before. Errors: 42501 when one of them is not a campaign that one may remove there, 22023 for none or more than 200.';

COMMENT ON FUNCTION "public"."archive_rewards"(uuid, uuid[]) IS 'Archives the rewards that were ticked in the list, all or none; answers how many were not archived before. Errors: 42501 when one of them is not a reward that one may remove there, 22023 for none or more than 200.';

COMMENT ON FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s campaigns in use, or put away, newest first or sorted (name, store, scans, reviews, spins, redemptions, created_at; private.sort_key), whose name or store''s name contains a text, with the figures above the list (specification, section 2.13); the shape is campaignList of _shared/domain. Error 42501 without the permission campaigns.read there.';

COMMENT ON FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text) IS 'A page of an organisation''s customers, newest first, or oldest first (sorted by created_at; private.sort_key), that pass the filters (private.matches_filters): the one after a customer, or before one, with the figures above the list (specification, section 2.11); the shape is customerList of _shared/domain. Matches of a search are counted up to 100, of filters alone up to 1,000. Error 42501 without the permissions customers.read and activity.read there.';

COMMENT ON FUNCTION "public"."export_customers"(uuid, jsonb) IS 'Customers of an organisation that pass the filters of the list (private.matches_filters), or those of them that were ticked (ids), newest first, as an export shows them.';

COMMENT ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) IS 'Codes of an organisation, newest first, as an export shows them; filters: reward_id, ids, status, search. Where nobody may be named, customers and their e-mails are null, and a search means how the code begins.';

COMMENT ON FUNCTION "public"."reward_codes"(uuid, text, integer, text) IS 'A page of a reward''s codes, newest first, in which a text is found in the code, or in its customer''s e-mail or name, of one state (available, used, expired, held, cancelled; any when null; error 22023 for another), with the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Without the permission customers.read nobody is named, and a text is found where a code begins with it. Null when there is no such reward for the signed-in user, who needs the permission codes.read.';

COMMENT ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s rewards in use, or put away, newest first or sorted (name, stock, wins, redemptions, created_at; private.sort_key), whose name or campaign''s name contains a text, with the figures above the list (specification, section 2.17); the shape is rewardList of _shared/domain. Error 42501 without the permissions rewards.read and activity.read there.';

COMMENT ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s stores in use, or put away, newest first or sorted (name, scans, reviews, created_at; private.sort_key), whose name or address contains a text, with the figures above the list (specification, section 2.18); the shape is storeList of _shared/domain. Error 42501 without the permissions stores.read and activity.read there.';

COMMENT ON FUNCTION "public"."withdraw_consents"(uuid, uuid[]) IS 'Withdraws the consent to marketing of the customers that were ticked in the list, all or none; answers how many had given it. Nobody gives one for many at once: a consent is a person''s own. Errors: 42501 when one of them is not a customer that one may change there, 22023 for none or more than 200.';

REVOKE ALL ON FUNCTION "private"."check_selection"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."matches_code"(public.redemptions, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sort_key"(text, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."archive_campaigns"(uuid, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."archive_campaigns"(uuid, uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."archive_rewards"(uuid, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."archive_rewards"(uuid, uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."customer_list"(uuid, jsonb, uuid, uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reward_codes"(uuid, text, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."reward_codes"(uuid, text, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."withdraw_consents"(uuid, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."withdraw_consents"(uuid, uuid[]) TO "authenticated";

CREATE OR REPLACE FUNCTION public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
 RETURNS TABLE(code text, status text, reward text, campaign text, customer text, email text, created_at text, expires_at text, used_at text, used_store text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT r.code,
     COALESCE(r.verdict,
         CASE
             WHEN ((r.status = 'available'::text) AND (r.expires_at <= now())) THEN 'expired'::text
             ELSE r.status
         END) AS "coalesce",
     r.reward_name,
     c.name,
         CASE
             WHEN export_redemptions.p_is_named THEN r.end_user_name
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN export_redemptions.p_is_named THEN r.end_user_email
             ELSE NULL::text
         END AS "case",
     private.export_moment(r.created_at, z.timezone) AS export_moment,
     private.export_moment(r.expires_at, z.timezone) AS export_moment,
     private.export_moment(r.used_at, z.timezone) AS export_moment,
     s.name
    FROM (((public.redemptions r
      CROSS JOIN ( SELECT private.timezone_of(export_redemptions.p_org_id) AS timezone) z)
      LEFT JOIN public.campaigns c ON (((c.org_id = r.org_id) AND (c.id = r.campaign_id))))
      LEFT JOIN public.stores s ON (((s.org_id = r.org_id) AND (s.id = r.used_store_id))))
   WHERE ((r.org_id = export_redemptions.p_org_id) AND (((export_redemptions.p_filters ->> 'reward_id'::text) IS NULL) OR (r.reward_id = ((export_redemptions.p_filters ->> 'reward_id'::text))::uuid)) AND (((export_redemptions.p_filters -> 'ids'::text) IS NULL) OR (r.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_redemptions.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))) AND (((export_redemptions.p_filters ->> 'status'::text) IS NULL) OR ((export_redemptions.p_filters ->> 'status'::text) = COALESCE(r.verdict,
         CASE
             WHEN ((r.status = 'available'::text) AND (r.expires_at <= now())) THEN 'expired'::text
             ELSE r.status
         END))) AND ((private.code_pattern((export_redemptions.p_filters ->> 'search'::text)) IS NULL) OR
         CASE
             WHEN export_redemptions.p_is_named THEN (r.words ~~ private.code_pattern((export_redemptions.p_filters ->> 'search'::text)))
             ELSE starts_with(r.code_key, private.code_prefix((export_redemptions.p_filters ->> 'search'::text)))
         END))
   ORDER BY r.created_at DESC, r.id DESC;
END;
