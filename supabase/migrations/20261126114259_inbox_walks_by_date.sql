-- Why: a search of the inbox for a frequent name read thousands of customers to find 300 of them, and did not find the others' reviews.

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
  if (
    select count(*) from (
      select c.search_words from public.customers c
      where c.org_id = p_org_id order by c.created_at desc, c.id desc limit v_most
    ) newest where newest.search_words like v_pattern
  ) * 100 >= 3 * v_most then
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
          -- Not as the index has it, which would be asked.
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
        order by c.created_at desc, c.id desc limit v_most
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

CREATE OR REPLACE FUNCTION private.walk_reviews(p_org_id uuid, p_filters jsonb, p_user_id uuid, p_at timestamp with time zone, p_id uuid, p_is_back boolean, p_limit integer, OUT ids uuid[], OUT is_whole boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_most constant integer := 3000;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
begin
  -- Each review in turn is asked whose it is: a join might begin with all customers.
  if p_is_back then
    ids := array(
      select o.id from (
        select r.id, r.created_at, r.review_text, r.customer_id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and r.created_at >= p_at and (r.created_at, r.id) > (p_at, p_id)
        order by r.created_at, r.id limit v_most
      ) o
      where (o.review_text is not null and private.has_review_words(o.review_text, v_pattern, v_hint))
        or (select c.search_words like v_pattern from public.customers c where c.org_id = p_org_id and c.id = o.customer_id)
      order by o.created_at, o.id limit p_limit);
  else
    ids := array(
      select o.id from (
        select r.id, r.created_at, r.review_text, r.customer_id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and (p_at is null or (r.created_at <= p_at and (r.created_at, r.id) < (p_at, p_id)))
        order by r.created_at desc, r.id desc limit v_most
      ) o
      where (o.review_text is not null and private.has_review_words(o.review_text, v_pattern, v_hint))
        or (select c.search_words like v_pattern from public.customers c where c.org_id = p_org_id and c.id = o.customer_id)
      order by o.created_at desc, o.id desc limit p_limit);
  end if;
  is_whole := cardinality(ids) >= p_limit or (
    select count(*) from (
      select 1 from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
        and (p_at is null or case when p_is_back then r.created_at >= p_at else r.created_at <= p_at end)
      limit v_most
    ) walked
  ) < v_most;
end;
$function$;

COMMENT ON FUNCTION "private"."find_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) IS 'Reviews whose words, or whose customer, a search finds, and that pass the filters of the inbox: as many as asked for, from the newest one on, or after a moment and an identifier, or before them. All of them for a name that many have (private.walk_reviews), else the newest 300 by their words, and the newest 20 of each of the newest 300 customers.';

COMMENT ON FUNCTION "private"."walk_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) IS 'Reviews that pass the filters of the inbox and whose words, or whose customer, a search finds, read by date among the next 3,000 that pass the filters: as many as asked for, from the newest one on, or after a moment and an identifier, or before them. Whole when there are no others: either enough were found, or no more reviews pass the filters.';

REVOKE ALL ON FUNCTION "private"."walk_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) FROM PUBLIC;
