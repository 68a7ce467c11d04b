-- How frequent a name is was measured in two places: the order of names and the inbox now ask the same function.

set check_function_bodies = off;

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
  v_walked uuid[];
  v_is_whole boolean;
begin
  -- A name that three in a hundred of the newest customers have is found sooner by going through the reviews.
  if private.is_frequent_name(p_org_id, v_pattern) then
    select w.ids, w.is_whole into v_walked, v_is_whole
    from private.walk_reviews(p_org_id, p_filters, p_user_id, p_at, p_id, p_is_back, p_limit) w;
    if v_is_whole then
      return v_walked;
    end if;
  end if;
  -- PostgreSQL keeps no statistics for a partial index: how frequent a word is, the newest reviews tell. What three in a
  -- hundred of them say is found sooner by date than among all that the index of words would bring.
  v_is_frequent := (
    select count(*) from (
      select r.review_text from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most
    ) newest where private.has_review_words(newest.review_text, v_pattern, v_hint)
  ) * 100 >= 3 * v_most;
  return array(
    -- Whether a review passes the filters is a column: rows as a whole would be put together and taken apart again.
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

CREATE OR REPLACE FUNCTION private.is_frequent_name(p_org_id uuid, p_pattern text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select count(*) >= 9 from (
      select c.search_words from public.customers c
      where c.org_id = p_org_id order by c.created_at desc, c.id desc limit 300
    ) newest where newest.search_words like p_pattern);
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
  v_most constant integer := 3000;
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
  -- The index of words knows three signs in a row.
  if p_key = 'name' and length(v_pattern) >= 5 then
    -- What three in a hundred of the newest have is met soon from A to Z; but those of one first name stand together, maybe last of all.
    if private.is_frequent_name(p_org_id, v_pattern) then
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

COMMENT ON FUNCTION "private"."is_frequent_name"(uuid, text) IS 'Whether three in a hundred of an organisation''s 300 newest customers match a pattern of private.search_pattern: PostgreSQL keeps no statistics of a single organisation.';

REVOKE ALL ON FUNCTION "private"."is_frequent_name"(uuid, text) FROM PUBLIC;
