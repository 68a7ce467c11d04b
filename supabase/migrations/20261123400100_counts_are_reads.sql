-- Why: to count customers changes nothing, and is open to whoever may read them whatever the plan: only what asks for a plan
-- of the database has to be volatile.

create function private.expected_customers(p_org_id uuid, p_filters jsonb) returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_plan json;
begin
  execute format('explain (format json) select 1 from public.customers c where c.org_id = %L and private.is_wanted(c, %L::jsonb)',
    p_org_id, p_filters) into v_plan;
  return (v_plan -> 0 -> 'Plan' ->> 'Plan Rows')::bigint;
end;
$$;
comment on function private.expected_customers(uuid, jsonb) is
  'How many customers of an organisation the statistics of the database expect to pass the filters (private.is_wanted): to '
  'count them all would keep whoever types waiting.';

create or replace function public.customer_count(p_org_id uuid, p_filters jsonb) returns jsonb
-- As in customer_list: a kept plan would have to do without the indexes that a search can use.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_most_counted constant integer := 10000;
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_matches bigint;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('customers.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches from (
    select 1 from public.customers c
    where c.org_id = p_org_id and private.is_wanted(c, v_filters) limit v_most_counted + 1
  ) counted;
  if v_matches <= v_most_counted then
    return jsonb_build_object('matches', v_matches, 'is_estimate', false);
  end if;
  return jsonb_build_object('is_estimate', true, 'matches', least(
    greatest(private.expected_customers(p_org_id, v_filters), v_matches),
    (select t.customers from private.customer_totals_now(p_org_id) t)));
end;
$$;
