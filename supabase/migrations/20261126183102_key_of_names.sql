-- Why: customers sorted by name keep the key of their name, so that a search in that order reads it and makes it for nobody.

set check_function_bodies = off;

DROP INDEX "public"."customers_name_idx";

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
  v_sampled constant integer := 300;
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
    if (
      select count(*) from (
        select c.search_words from public.customers c
        where c.org_id = p_org_id order by c.created_at desc, c.id desc limit v_sampled
      ) newest where newest.search_words like v_pattern
    ) * 100 >= 3 * v_sampled then
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

-- Functions with a parsed body that take rows of the table stand in the way of a column with a default.
DROP FUNCTION "public"."export_customers"(uuid, jsonb);

DROP FUNCTION "private"."matches_filters"(public.customers, jsonb);

DROP FUNCTION "private"."answer_obstacle"(public.customers, text);

ALTER TABLE "public"."customers" ADD COLUMN "name_key" text COLLATE pg_catalog."C" GENERATED ALWAYS AS (private.name_order(name)) STORED NOT NULL;

create function private.matches_filters(c public.customers, p_filters jsonb) returns boolean
language sql stable parallel safe
return (private.query_words(p_filters ->> 'search') is null
    or c.search_words like private.search_pattern(p_filters ->> 'search'))
  and ((p_filters ->> 'consent') is null or c.consent_marketing = (p_filters ->> 'consent')::boolean)
  and ((p_filters ->> 'rating') is null or c.rating_band = (p_filters ->> 'rating')::smallint)
  and ((p_filters ->> 'store_id') is null or c.store_id = (p_filters ->> 'store_id')::uuid)
  and ((p_filters ->> 'locale') is null or c.locale = (p_filters ->> 'locale'))
  and case
    when (p_filters ->> 'activity') is null then true
    -- As the index on the last activity has it.
    when p_filters ->> 'activity' = 'older' then
      coalesce(c.last_activity_day, '-infinity') < (now() at time zone 'UTC')::date - 90
    else coalesce(c.last_activity_day, '-infinity') > (now() at time zone 'UTC')::date - (p_filters ->> 'activity')::integer
  end;
comment on function private.matches_filters(public.customers, jsonb) is
  'Whether a customer passes the filters of the list (customerFilters of _shared/domain): search, consent, rating (0 to '
  '5), activity (days, or older: none for 90 days), store_id, locale. Planned as part of the query that calls it.';
grant execute on function private.matches_filters(public.customers, jsonb) to service_role;

create function public.export_customers(p_org_id uuid, p_filters jsonb)
returns table (
  first_name text, last_name text, name text, email text, phone text, consent boolean, consent_at text, locale text,
  store text, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer,
  last_activity_at text, created_at text
)
language sql stable
begin atomic
  select c.first_name, c.last_name, c.name, c.email, c.phone, c.consent_marketing,
    private.export_moment(c.consent_at, z.timezone), c.locale, s.name, c.review_count, c.rating_sum, c.spin_count,
    private.customer_wins(c.org_id, c.id), c.redemption_count, private.export_moment(c.last_activity_at, z.timezone),
    private.export_moment(c.created_at, z.timezone)
  from public.customers c
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and private.matches_filters(c, p_filters)
    and (p_filters -> 'ids' is null or c.id = any (array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid)))
  order by c.created_at desc, c.id desc;
end;
comment on function public.export_customers(uuid, jsonb) is
  'Customers of an organisation that pass the filters of the list (private.matches_filters), or those of them that were ticked '
  '(ids), newest first, as an export shows them.';
grant execute on function public.export_customers(uuid, jsonb) to service_role;

create function private.answer_obstacle(p_customer public.customers, p_answers_to text) returns text
language sql immutable set search_path = ''
return case
  when p_customer.id is null then 'erased'
  when p_customer.email is null then 'no_address'
  when p_answers_to is null then 'no_sender'
end;
comment on function private.answer_obstacle(public.customers, text) is
  'Why a customer cannot be written to: erased, no_address (a phone number alone), no_sender (nobody whom an answer would '
  'reach); null when they can.';

COMMENT ON COLUMN "public"."customers"."name_key" IS 'Place in the order of names (private.name_order): stored, since each row that is read in an order is asked for its key.';

CREATE INDEX customers_name_idx ON public.customers USING btree (org_id, name_key, id);
