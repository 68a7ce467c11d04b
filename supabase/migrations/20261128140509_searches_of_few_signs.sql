-- Searches of signs alone, of a letter or two, and of short words (« l'e ») read all of a large organisation, until a time limit ended them.

set check_function_bodies = off;

DROP INDEX "public"."points_ledger_open_idx";

DROP FUNCTION "private"."code_page"(uuid, uuid, text, text, text, integer, integer);

DROP FUNCTION "private"."is_frequent_name"(uuid, text);

DROP FUNCTION "private"."matches_code"(public.redemptions, text, text);

DROP FUNCTION "private"."sorted_codes"(uuid, uuid, text, text, text, text, integer, integer);

DROP FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean);

DROP FUNCTION "private"."code_pattern"(text);

CREATE OR REPLACE FUNCTION private.code_page(p_org_id uuid, p_reward_id uuid, p_status text, p_patterns text[], p_prefix text, p_skip integer, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_last constant integer := p_skip + p_limit;
begin
  -- Each state is found by an index in which the newest stand first; what is over stands in two of its ranges.
  return array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_patterns, p_prefix)
         and case when p_status = 'expired' then r.status = 'expired' and r.verdict is null
           else private.is_in_code_list(r, p_status) end
       order by r.created_at desc, r.id desc limit v_last)
      union all
      -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
      (select r.id, r.created_at from public.redemptions r
       where p_status = 'expired' and private.is_over(r.status, r.expires_at) and r.verdict is null
         and r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_patterns, p_prefix)
       order by r.created_at desc, r.id desc limit v_last)
    ) found
    order by found.created_at desc, found.id desc
    limit p_limit offset p_skip
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.code_patterns(p_search text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  v_words constant text := private.words(p_search);
begin
  return case
    when btrim(coalesce(p_search, '')) = '' then null
    when v_words = '' then '{}'
    -- The index knows three signs in a row, and how words begin: one or two signs are looked for there.
    when length(v_words) > 2 then array['%' || v_words || '%']
    else array[v_words || '%', '%-' || v_words || '%']
  end;
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
  v_indexed constant text[] := private.indexed_patterns(p_filters ->> 'search');
  v_is_frequent boolean;
  v_is_loose boolean := false;
  v_walked uuid[];
  v_is_whole boolean;
begin
  -- A name that three in a hundred of the newest customers have is found sooner by going through the reviews.
  if private.is_frequent_name(private.newest_with_name(p_org_id, v_pattern)) then
    select w.ids, w.is_whole into v_walked, v_is_whole
    from private.walk_reviews(p_org_id, p_filters, p_user_id, p_at, p_id, p_is_back, p_limit) w;
    if v_is_whole then
      return v_walked;
    end if;
  end if;
  -- PostgreSQL keeps no statistics for a partial index: how frequent a word is, the newest reviews tell. What three in a
  -- hundred of them say is found sooner by date than among all that the index of words would bring.
  if v_indexed is null then
    v_is_frequent := (
      select count(*) from (
        select r.review_text from public.pre_spin_reviews r
        where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most
      ) newest where private.has_review_words(newest.review_text, v_pattern, v_hint)
    ) * 100 >= 3 * v_most;
  else
    select count(*) filter (where n.words like v_pattern) * 100 >= 3 * v_most, count(*) * 100 >= 3 * v_most
    into v_is_frequent, v_is_loose
    from (
      select private.review_words(r.review_text) as words from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most offset 0
    ) n
    where n.words like all (v_indexed);
    -- Of « d'a » the index knows the « a » alone, and would bring nearly all reviews: only the next ones are asked.
    if v_is_loose and not v_is_frequent then
      if v_walked is null then
        select w.ids into v_walked
        from private.walk_reviews(p_org_id, p_filters, p_user_id, p_at, p_id, p_is_back, p_limit) w;
      end if;
      return v_walked;
    end if;
  end if;
  return array(
    -- A column says that a review passes the filters: rows as a whole would be put together and taken apart again.
    with said as (
      (
        select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews r
        where v_is_frequent and r.org_id = p_org_id and r.review_text is not null
          -- A function instead of the index's expression, so that the index is not used here.
          and private.has_review_words(r.review_text, v_pattern, v_hint)
        order by r.created_at desc limit v_most
      )
      union all
      (
        select o.created_at, o.id, o.is_in_inbox
        from (
          select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
          from public.pre_spin_reviews r
          where not v_is_frequent and r.org_id = p_org_id and r.review_text is not null
            and private.review_words(r.review_text) like v_pattern
          -- « offset 0 »: three letters are taken for frequent by a plan that reads by date, and reads everything where none has them.
          offset 0
        ) o
        order by o.created_at desc limit v_most
      )
    ), written as (
      select w.created_at, w.id, w.is_in_inbox
      from (
        select c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
        -- A frequent name that is rare among what passes the filters is looked for further back.
        order by c.created_at desc, c.id desc limit case when v_walked is null then v_most else 20 * v_most end
      ) c
      cross join lateral (
        select o.created_at, o.id, private.is_in_inbox(o, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews o
        where o.org_id = p_org_id and o.customer_id = c.id order by o.created_at desc limit 20
      ) w
    ), found as (
      select s.created_at, s.id from said s where s.is_in_inbox
      union
      select w.created_at, w.id from written w where w.is_in_inbox
      union
      select r.created_at, r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.id = any (v_walked)
    )
    select f.id from found f
    where p_at is null or case when p_is_back then (f.created_at, f.id) > (p_at, p_id) else (f.created_at, f.id) < (p_at, p_id) end
    order by case when p_is_back then f.created_at end, case when p_is_back then f.id end, f.created_at desc, f.id desc
    limit p_limit);
end;
$function$;

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
      ids := case when p_is_named and not private.is_wordless(p_filters ->> 'search')
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

CREATE OR REPLACE FUNCTION private.indexed_patterns(p_search text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  v_words constant text[] := string_to_array(private.query_words(p_search), '-');
begin
  return case when cardinality(v_words) > 1 then
    array(select '%-' || w || '%' from unnest(v_words[2:]) w)
      || case when length(v_words[1]) > 2 then array['%' || v_words[1] || '%'] else '{}' end
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_frequent_name(p_newest integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN (p_newest >= 9);

CREATE OR REPLACE FUNCTION private.is_wordless(p_search text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN COALESCE((private.query_words(p_search) = '?'::text), false);

CREATE OR REPLACE FUNCTION private.matches_code(r public.redemptions, p_patterns text[], p_prefix text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (((p_patterns IS NULL) OR ((p_patterns <> '{}'::text[]) AND ((r).words ~~ ANY (p_patterns)))) AND ((p_prefix IS NULL) OR (((r).code_key >= p_prefix) AND ((r).code_key <= (p_prefix || repeat('Z'::text, 32))) AND ((r).code_key ~~ (p_prefix || '%'::text)))));

CREATE OR REPLACE FUNCTION private.newest_with_name(p_org_id uuid, p_pattern text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select count(*) from (
      select c.search_words from public.customers c
      where c.org_id = p_org_id order by c.created_at desc, c.id desc limit 300
    ) newest where newest.search_words like p_pattern);
end;
$function$;

CREATE OR REPLACE FUNCTION private.sorted_codes(p_org_id uuid, p_reward_id uuid, p_status text, p_patterns text[], p_prefix text, p_sort text, p_skip integer, p_limit integer)
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
  into v_ids using p_org_id, p_reward_id, p_status, p_patterns, p_prefix, p_skip, p_limit, case p_status
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
    when 'name' then 'c.name_key'
    when 'activity' then 'coalesce(c.last_activity_day, ''-infinity'')'
  end;
  v_direction constant text := case when p_is_up then 'asc' else 'desc' end;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_newest integer;
  v_most integer := 3000;
  v_range text := '';
  v_is_near boolean := false;
  v_at text;
  v_ids uuid[];
begin
  if private.is_wordless(p_filters ->> 'search') then
    return '{}';
  end if;
  if p_from is not null then
    execute format('select (%s)::text from public.customers c where c.org_id = $1 and c.id = $2', v_key)
    into v_at using p_org_id, p_from;
    v_range := format('and (%s, c.id) %s (%L::%s, %L::uuid)', v_key, case when p_is_up then '>' else '<' end, v_at,
      case p_key when 'activity' then 'date' else 'text' end, p_from);
  end if;
  -- The index of words knows three signs in a row, and how a word begins.
  if p_key = 'name' and length(v_pattern) >= 4 then
    -- A name that three in a hundred of the newest have is met soon from A to Z. Those of one first name stand together,
    -- maybe last of all: the next 200 tell.
    v_newest := private.newest_with_name(p_org_id, v_pattern);
    if private.is_frequent_name(v_newest) and length(v_pattern) = 4 then
      -- One letter begins words of many names: as far as finding all of them in the index would cost.
      v_is_near := true;
      v_most := 333 * v_newest;
    elsif private.is_frequent_name(v_newest) then
      execute format('select exists (select from (
          select c.search_words from public.customers c where c.org_id = $1 %1$s order by %2$s %3$s, c.id %3$s limit 200
        ) w where w.search_words like $2)', v_range, v_key, v_direction)
      into v_is_near using p_org_id, v_pattern;
    end if;
    if v_is_near then
      execute format('select array(select w.id from (
          select c.id, c.name_key, c.search_words from public.customers c
          where c.org_id = $1 and private.matches_filters(c, $2) %1$s order by %2$s %3$s, c.id %3$s limit $3
        ) w where w.search_words like $4 order by w.name_key %3$s, w.id %3$s limit $5)', v_range, v_key, v_direction)
      into v_ids using p_org_id, p_filters - 'search', v_most, v_pattern, p_limit;
      if cardinality(v_ids) >= p_limit then
        return v_ids;
      end if;
    end if;
    -- « offset 0 »: found by the index of words, then put in order.
    execute format('select array(select f.id from (
        select c.id, c.name_key from public.customers c where c.org_id = $1 and private.matches_filters(c, $2) %1$s offset 0
      ) f order by f.name_key %3$s, f.id %3$s limit $3)', v_range, v_key, v_direction)
    into v_ids using p_org_id, p_filters, p_limit;
    return v_ids;
  end if;
  execute format('select array(select c.id from public.customers c
    where c.org_id = $1 and private.matches_filters(c, $2) %1$s order by %2$s %3$s, c.id %3$s limit $3)',
    v_range, v_key, v_direction)
  into v_ids using p_org_id, p_filters, p_limit;
  return v_ids;
end;
$function$;

CREATE OR REPLACE FUNCTION public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
 RETURNS TABLE(code text, status text, reward text, campaign text, store text, customer text, email text, created_at text, expires_at text, used_at text, used_store text, used_by text, origin text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH clock AS MATERIALIZED (
          SELECT private.timezone_of(export_redemptions.p_org_id) AS timezone
         )
  SELECT r.code,
     COALESCE(r.verdict, private.code_state(r.*)) AS "coalesce",
     r.reward_name,
     c.name,
     v.name,
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
     s.name,
     u.name,
         CASE
             WHEN (r.spin_id IS NULL) THEN 'goodwill'::text
             ELSE 'wheel'::text
         END AS "case"
    FROM (((((public.redemptions r
      CROSS JOIN clock z)
      LEFT JOIN public.campaigns c ON (((c.org_id = r.org_id) AND (c.id = r.campaign_id))))
      JOIN public.stores v ON (((v.org_id = r.org_id) AND (v.id = r.store_id))))
      LEFT JOIN public.stores s ON (((s.org_id = r.org_id) AND (s.id = r.used_store_id))))
      LEFT JOIN LATERAL ( SELECT private.user_name(r.used_by) AS name
           WHERE (r.used_by IS NOT NULL)
          OFFSET 0) u ON (true))
   WHERE ((r.org_id = export_redemptions.p_org_id) AND (((export_redemptions.p_filters ->> 'reward_id'::text) IS NULL) OR (r.reward_id = ((export_redemptions.p_filters ->> 'reward_id'::text))::uuid)) AND (((export_redemptions.p_filters -> 'ids'::text) IS NULL) OR (r.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_redemptions.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))) AND (((export_redemptions.p_filters ->> 'status'::text) IS NULL) OR ((export_redemptions.p_filters ->> 'status'::text) = COALESCE(r.verdict, private.code_state(r.*)))) AND ((private.code_patterns((export_redemptions.p_filters ->> 'search'::text)) IS NULL) OR
         CASE
             WHEN export_redemptions.p_is_named THEN (r.words ~~ ANY (private.code_patterns((export_redemptions.p_filters ->> 'search'::text))))
             ELSE starts_with(r.code_key, private.code_prefix((export_redemptions.p_filters ->> 'search'::text)))
         END))
   ORDER BY r.created_at DESC, r.id DESC;
END;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text, p_sort text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  -- 400 pages at most: older codes are found by the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_skip constant integer := (v_page - 1) * v_page_size;
  v_status constant text := nullif(p_status, '');
  v_ids uuid[];
  v_org_id uuid;
  v_held text[];
  v_reward public.rewards;
  v_is_named boolean;
  v_patterns text[];
  v_prefix text;
  v_has_next boolean;
  v_items json;
begin
  if v_status not in ('available', 'used', 'expired', 'held', 'cancelled') then
    raise exception 'status_unknown' using errcode = '22023';
  end if;
  select m.org_id, m.held into v_org_id, v_held
  from private.my_reading_rights('{codes.read,customers.read}', 'codes.read') m;
  select * into v_reward from public.rewards r where r.id = p_id and r.org_id = v_org_id and v_held <> '{}';
  if not found then
    return null;
  end if;
  v_is_named := 'customers.read' = any (v_held);
  -- Members who may not know whose a code is do not find it by a name either: they look by its first letters.
  if v_is_named then
    v_patterns := private.code_patterns(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- One more than is shown tells whether there is a next page.
  if p_sort <> '' then
    v_ids := private.sorted_codes(v_org_id, p_id, v_status, v_patterns, v_prefix, p_sort, v_skip, v_page_size + 1);
  else
    v_ids := private.code_page(v_org_id, p_id, v_status, v_patterns, v_prefix, v_skip, v_page_size + 1);
  end if;
  v_has_next := cardinality(v_ids) > v_page_size and v_page < 400;
  v_ids := v_ids[1:v_page_size];
  -- One by one, by their key: a kept plan of « any (…) » might read all codes.
  select coalesce(json_agg(json_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end,
    'customer', case when v_is_named then private.name_or_email(shown.end_user_name, shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', t.trace) order by f.place), '[]'::json)
  into v_items
  from unnest(v_ids) with ordinality f (id, place)
  cross join lateral (
    select r.* from public.redemptions r where r.org_id = v_org_id and r.id = f.id offset 0
  ) shown
  -- Uses and returns of a code, oldest first.
  cross join lateral (
    select coalesce(json_agg(json_build_object('action', e.action, 'at', e.created_at,
      'by', private.name_of(u.raw_user_meta_data, u.email)) order by e.created_at, e.id), '[]'::json) as trace
    from public.redemption_events e left join auth.users u on u.id = e.user_id
    where e.org_id = v_org_id and e.redemption_id = shown.id
  ) t;

  return json_build_object(
    'reward', json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_org_id),
    'page', v_page, 'has_next', v_has_next, 'items', v_items);
end;
$function$;

CREATE INDEX points_ledger_open_idx ON public.points_ledger USING btree (org_id, customer_id) INCLUDE (remaining, expires_at) WHERE (remaining > 0);

COMMENT ON FUNCTION "private"."code_page"(uuid, uuid, text, text[], text, integer, integer) IS 'Codes of a reward, newest first, that are in the list of a state and match a search, as in sorted_codes: so many after so many.';

COMMENT ON FUNCTION "private"."code_patterns"(text) IS 'Patterns of code_words for a search, one of which fits: one or two signs begin a word, more stand anywhere; none for signs alone, null when nothing is searched.';

COMMENT ON FUNCTION "private"."find_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) IS 'Reviews whose words, or whose customer, a search finds, and that pass the filters of the inbox: as many as asked for, from the newest one on, or after a moment and an identifier, or before them. All of them for a name that many have (private.walk_reviews), or of its newest 6,000 customers. Of several words that the index cannot tell from others, among the next 3,000. Else the newest 300 by their words, and the newest 20 of each of the newest 300 customers.';

COMMENT ON FUNCTION "private"."indexed_patterns"(text) IS 'Patterns of what an index of words can tell of a search of several: how each but the first begins, and the first from three signs on. Null for a search of one word.';

COMMENT ON FUNCTION "private"."is_frequent_name"(integer) IS 'Whether a name that so many of the 300 newest customers have (private.newest_with_name) is met soon among all: three in a hundred.';

COMMENT ON FUNCTION "private"."is_wordless"(text) IS 'Whether a search is of signs alone (query_words), which stand in no word. It finds nothing: asked first, as the index would be read from end to end.';

COMMENT ON FUNCTION "private"."matches_code"(public.redemptions, text[], text) IS 'Whether the words of a code match one of several patterns, or the code begins with a prefix; null does not filter. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."newest_with_name"(uuid, text) IS 'How many of an organisation''s 300 newest customers match a pattern of private.search_pattern: PostgreSQL keeps no statistics of a single organisation.';

COMMENT ON FUNCTION "private"."sorted_codes"(uuid, uuid, text, text[], text, text, integer, integer) IS 'Codes of a reward in an order (created_at, expires_at; private.sort_key) that are in the list of a state (private.is_in_code_list) and match a search (private.matches_code): so many after so many. One that never ends is the last to end. Error 22023 for another order.';

COMMENT ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) IS 'Codes of an organisation, newest first, as an export shows them; filters: reward_id, ids, status, search. Where nobody may be named, customers and their e-mails are null, and a search means how the code begins.';

COMMENT ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) IS 'A page of a reward''s codes, newest first or sorted (created_at, expires_at; private.sort_key). A text is found in the code, or in its customer''s e-mail or name, one or two signs where a word begins. Of one state (available, used, expired, held, cancelled; any when null; error 22023 for another), with the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Without the permission customers.read nobody is named, and a text is found where a code begins with it. Null when there is no such reward for the signed-in user, who needs the permission codes.read.';

REVOKE ALL ON FUNCTION "private"."code_page"(uuid, uuid, text, text[], text, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."code_patterns"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."code_patterns"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."indexed_patterns"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."indexed_patterns"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_frequent_name"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_wordless"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_wordless"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."matches_code"(public.redemptions, text[], text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newest_with_name"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sorted_codes"(uuid, uuid, text, text[], text, text, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) TO "service_role";

CREATE OR REPLACE FUNCTION private.matches_filters(c public.customers, p_filters jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (((private.query_words((p_filters ->> 'search'::text)) IS NULL) OR ((NOT private.is_wordless((p_filters ->> 'search'::text))) AND ((c).search_words ~~ private.search_pattern((p_filters ->> 'search'::text))))) AND (((p_filters ->> 'consent'::text) IS NULL) OR ((c).consent_marketing = ((p_filters ->> 'consent'::text))::boolean)) AND (((p_filters ->> 'rating'::text) IS NULL) OR ((c).rating_band = ((p_filters ->> 'rating'::text))::smallint)) AND (((p_filters ->> 'store_id'::text) IS NULL) OR ((c).store_id = ((p_filters ->> 'store_id'::text))::uuid)) AND (((p_filters ->> 'locale'::text) IS NULL) OR ((c).locale = (p_filters ->> 'locale'::text))) AND CASE WHEN ((p_filters ->> 'activity'::text) IS NULL) THEN true WHEN ((p_filters ->> 'activity'::text) = 'older'::text) THEN (COALESCE((c).last_activity_day, '-infinity'::date) < (((now() AT TIME ZONE 'UTC'::text))::date - 90)) ELSE (COALESCE((c).last_activity_day, '-infinity'::date) > (((now() AT TIME ZONE 'UTC'::text))::date - ((p_filters ->> 'activity'::text))::integer)) END);
