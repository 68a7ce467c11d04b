-- Why: costs of a period read the rewards once instead of each used one by its key, a search in the order of names walks only towards what stands near, and the last question before an erasure reads its figures once.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.period_costs(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_sort TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
  with used as materialized (
    select u.reward_id, sum(u.uses) as uses
    from (
      -- Whole months, and the days beside them.
      select m.reward_id, m.redemptions as uses from private.folded_reward_months m
      where m.org_id = p_org_id and m.month >= private.month_from(p_from) and m.month < private.month_of(p_until)
      union all
      select d.reward_id, d.redemptions from public.reward_daily_stats d
      where d.org_id = p_org_id and d.day >= p_from and d.day < least(private.month_from(p_from), p_until) and d.redemptions <> 0
      union all
      select d.reward_id, d.redemptions from public.reward_daily_stats d
      where d.org_id = p_org_id and d.day >= greatest(private.month_from(p_from), private.month_of(p_until)) and d.day < p_until
        and d.redemptions <> 0
      union all
      select f.reward_id, f.redemptions from private.recent_figures f
      where f.org_id = p_org_id and f.reward_id is not null and f.day >= p_from and f.day < p_until and f.redemptions <> 0
      union all
      -- Prizes that the team gave cost as much.
      select g.reward_id, 1
      from public.redemptions g join public.stores o on o.org_id = g.org_id and o.id = g.store_id
      where g.org_id = p_org_id and g.spin_id is null and g.status = 'used'
        and (g.used_at at time zone o.timezone)::date >= p_from and (g.used_at at time zone o.timezone)::date < p_until
    ) u
    group by u.reward_id having sum(u.uses) > 0
  )
  select jsonb_build_object(
    'rewards', (select count(*) from used),
    -- Rows without the figure come first: it has to be filled in.
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'uses', t.uses, 'value', t.value, 'version', t.version)
        order by t.value is not null, t.uses * t.value desc, t.uses desc, t.name, t.id)
      from (
        select r.id, r.name, u.uses, r.value, r.version
        from used u join public.rewards r on r.org_id = p_org_id and r.id = u.reward_id
        order by r.value is not null, u.uses * r.value desc, u.uses desc, r.name, r.id limit 5
      ) t), '[]'::jsonb));
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
  v_is_near boolean := false;
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
    -- A name that three in a hundred of the newest have is met soon from A to Z. Those of one first name stand together,
    -- maybe last of all: the next 200 tell.
    if private.is_frequent_name(p_org_id, v_pattern) then
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

CREATE OR REPLACE FUNCTION public.deletion_summary(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_reviews bigint;
  v_wins bigint;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('organization.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.wins), 0) into v_reviews, v_wins
  from private.campaign_figures_now(p_org_id) d;
  return jsonb_build_object(
    'stores', (select count(*) from public.stores s where s.org_id = p_org_id),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id),
    'customers', (select t.customers from private.customer_totals_now(p_org_id) t),
    'reviews', v_reviews,
    'codes', v_wins,
    'members', (select count(*) from public.organization_members m where m.org_id = p_org_id),
    'has_running_payments', private.has_running_payments(p_org_id));
end;
$function$;
