-- Why: a decision on codes and the deletion of its member's account stopped each other, and erased players slowed down the search for reasons.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.judge_spins(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_origins private.spin_origins[];
  v_origin record;
  v_settings private.check_settings;
  v_losses integer;
  v_new_losses integer;
  v_count integer;
begin
  -- Two at once would each see a part of the names.
  perform pg_advisory_xact_lock(hashtextextended('judge_spins', 0));
  with claimed as (
    delete from private.spin_origins o
    where (o.org_id, o.spin_id) in (
      select d.org_id, d.spin_id from private.spin_origins d limit p_limit for update skip locked
    )
    returning o.*
  )
  select array_agg(o), count(*) into v_origins, v_count from claimed o;
  -- Codes before the customers, as whoever erases them: two orders would make deadlocks.
  perform 1 from public.redemptions d
  where (d.org_id, d.customer_id) in (select o.org_id, o.customer_id from unnest(v_origins) o)
  order by d.reward_id, d.id for key share;
  perform 1 from public.customers c
  where (c.org_id, c.id) in (select o.org_id, o.customer_id from unnest(v_origins) o)
  order by c.id for key share;
  -- Customers who were erased meanwhile leave nothing behind.
  select array_agg(o order by o.created_at, o.spin_id) into v_origins
  from unnest(v_origins) o join public.customers c on c.org_id = o.org_id and c.id = o.customer_id;
  if v_origins is null then
    return v_count;
  end if;

  insert into private.device_customers as k (org_id, campaign_id, device_key, customer_id, first_at, last_at)
  select o.org_id, o.campaign_id, o.device_key, o.customer_id, min(o.created_at), max(o.created_at)
  from unnest(v_origins) o group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (org_id, campaign_id, device_key, customer_id)
  do update set last_at = greatest(k.last_at, excluded.last_at);
  insert into private.network_turns (org_id, spin_id, campaign_id, customer_id, network_key, created_at)
  select o.org_id, o.spin_id, o.campaign_id, o.customer_id, o.network_key, o.created_at from unnest(v_origins) o;

  -- Many names on one device. A spin and its code bear one instant: the codes that were won on it are known by it.
  for v_origin in
    with devices as (
      select o.org_id, o.campaign_id, o.device_key, max(o.created_at) as last_at from unnest(v_origins) o group by 1, 2, 3
    ), settings as materialized (
      select c.org_id, c.campaign_id, (private.check_settings_of(c.org_id, c.campaign_id)).device_names
      from (select distinct n.org_id, n.campaign_id from devices n) c
    )
    select n.*, k.month >= 2 * s.device_names as is_month,
      case when k.month >= 2 * s.device_names then k.month else k.day end::integer as names
    from devices n
    join settings s on s.org_id = n.org_id and s.campaign_id = n.campaign_id
    cross join lateral (
      select count(*) filter (where k.last_at > n.last_at - interval '24 hours') as day, count(*) as month
      from private.device_customers k
      where k.org_id = n.org_id and k.campaign_id = n.campaign_id and k.device_key = n.device_key
        and k.last_at > n.last_at - interval '30 days'
    ) k
    where k.day >= s.device_names or k.month >= 2 * s.device_names
    order by n.org_id, n.campaign_id, n.device_key
  loop
    select count(*), count(*) filter (where s.id = any (array(select o.spin_id from unnest(v_origins) o)))
    into v_losses, v_new_losses
    from private.device_customers k
    join public.spins s on s.org_id = k.org_id and s.customer_id = k.customer_id and s.campaign_id = k.campaign_id
      and s.created_at between k.first_at and k.last_at and s.result_type = 'lose'
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > v_origin.last_at - case when v_origin.is_month then interval '30 days' else interval '24 hours' end;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'device', v_origin.device_key,
      v_origin.names, array(
      select d.id
      from private.device_customers k
      join public.redemptions d on d.org_id = k.org_id and d.customer_id = k.customer_id and d.spin_id is not null
        and d.campaign_id = k.campaign_id and d.created_at between k.first_at and k.last_at
      where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
        and k.last_at > v_origin.last_at - case when v_origin.is_month then interval '30 days' else interval '24 hours' end
    ), v_losses, v_new_losses);
  end loop;

  -- Many new names at once from one network: each spin is seen with the ten minutes, and with the hour, before it. A network of which
  -- a prize has reached the till within the hour is the store's own: three times as many are usual there. Names on one device count
  -- once: they have a reason of their own. All networks are read at once, each spin as what it adds to the counts, and later takes from
  -- them. A query for each spin would read a busy network's hour as often as it has spins. Each one is looked up by itself: without
  -- statistics, as after a crash, a plan might read all codes for each of them. Suspicious spins are the steps of a series, and a code
  -- belongs to the first step whose window it is in: among those that see an hour that is the first since the code or none, and so it is
  -- among those that see ten minutes.
  for v_origin in
    with networks as (
      select o.org_id, o.campaign_id, o.network_key, min(o.created_at) - interval '1 hour' as since from unnest(v_origins) o group by 1, 2, 3
    ), turns as materialized (
      select t.org_id, t.campaign_id, t.network_key, t.created_at, t.spin_id, t.customer_id, s.lost, d.used_at, d.id as code_id,
        coalesce(d.used_at, d.created_at) as code_at
      from networks n
      cross join lateral (
        select * from private.network_turns t
        where t.org_id = n.org_id and t.campaign_id = n.campaign_id and t.network_key = n.network_key and t.created_at > n.since offset 0
      ) t
      cross join lateral (
        select from public.customers c
        where c.org_id = t.org_id and c.id = t.customer_id and c.created_at > t.created_at - interval '1 hour' offset 0
      ) c
      cross join lateral (
        select (s.result_type = 'lose')::integer as lost from public.spins s where s.org_id = t.org_id and s.id = t.spin_id offset 0
      ) s
      left join lateral (
        select d.id, d.used_at, d.created_at from public.redemptions d where d.org_id = t.org_id and d.spin_id = t.spin_id offset 0
      ) d on true
    ), on_devices as materialized (
      select t.*, k.device_key, lead(t.created_at) over (
        partition by t.org_id, t.campaign_id, t.network_key, k.device_key order by t.created_at, t.spin_id) as again_at
      from turns t
      join private.device_customers k on k.org_id = t.org_id and k.campaign_id = t.campaign_id and k.customer_id = t.customer_id
    ), changes as (
      select d.org_id, d.campaign_id, d.network_key, h.at, h.minutes, h.hour, h.used, 0 as minutes_lost, 0 as hour_lost,
        null::uuid as spin_id
      from on_devices d
      cross join lateral (values
        (d.created_at, 1, 1, 0),
        (least(d.again_at, d.created_at + interval '10 minutes'), -1, 0, 0),
        (least(d.again_at, d.created_at + interval '1 hour'), 0, -1, 0),
        (case when d.used_at < d.created_at + interval '1 hour' then greatest(d.used_at, d.created_at) end, 0, 0, 1),
        (case when d.used_at < d.created_at + interval '1 hour' then d.created_at + interval '1 hour' end, 0, 0, -1)
      ) h (at, minutes, hour, used)
      where h.at is not null
      union all
      select t.org_id, t.campaign_id, t.network_key, h.at, 0, 0, 0, h.minutes, h.hour, null
      from turns t
      cross join lateral (values
        (t.created_at, 1, 1), (t.created_at + interval '10 minutes', -1, 0), (t.created_at + interval '1 hour', 0, -1)
      ) h (at, minutes, hour)
      where t.lost = 1
      union all
      select o.org_id, o.campaign_id, o.network_key, o.created_at, 0, 0, 0, 0, 0, o.spin_id from unnest(v_origins) o
    ), counted as (
      select c.org_id, c.campaign_id, c.network_key, c.at, c.spin_id, sum(c.minutes) over before as in_minutes,
        sum(c.hour) over before as in_hour, sum(c.used) over before as used, sum(c.minutes_lost) over before as lost_in_minutes,
        sum(c.hour_lost) over before as lost_in_hour
      from changes c
      -- All that happens at one instant counts for it.
      window before as (partition by c.org_id, c.campaign_id, c.network_key order by c.at)
    ), suspect as (
      select c.org_id, c.campaign_id, c.network_key, c.at, w.is_slow,
        case when w.is_slow then c.in_hour else c.in_minutes end::integer as names,
        case when w.is_slow then c.lost_in_hour else c.lost_in_minutes end::integer as losses,
        coalesce(t.lost, 0) as lost,
        row_number() over (partition by c.org_id, c.campaign_id, c.network_key order by c.at, c.spin_id)::integer as step
      from counted c
      join (
        select n.org_id, n.campaign_id, (private.check_settings_of(n.org_id, n.campaign_id)).network_names
        from networks n group by n.org_id, n.campaign_id
      ) s on s.org_id = c.org_id and s.campaign_id = c.campaign_id
      cross join lateral (select s.network_names * case when c.used > 0 then 3 else 1 end as names) f
      cross join lateral (select c.in_hour * 2 >= f.names * 3 as is_slow) w
      left join turns t on t.org_id = c.org_id and t.spin_id = c.spin_id
      where c.spin_id is not null and c.in_hour >= 3 and (c.in_minutes >= f.names or w.is_slow)
    ), steps as (
      select u.org_id, u.campaign_id, u.network_key, array_agg(u.names order by u.step) as names,
        array_agg(u.losses order by u.step) as losses, array_agg(u.lost order by u.step) as lost
      from suspect u group by 1, 2, 3
    ), meeting as (
      select u.org_id, u.campaign_id, u.network_key, u.at, u.step, u.is_slow, null::uuid as code_id, null::timestamptz as code_at
      from suspect u
      union all
      select t.org_id, t.campaign_id, t.network_key, t.created_at, null, null, t.code_id, t.code_at
      from turns t where t.code_id is not null
    ), seen as (
      select m.org_id, m.campaign_id, m.network_key, m.at, m.code_id, m.code_at,
        min(m.at) filter (where m.is_slow) over since as slow_at, min(m.step) filter (where m.is_slow) over since as slow_step,
        min(m.at) filter (where not m.is_slow) over since as fast_at, min(m.step) filter (where not m.is_slow) over since as fast_step
      from meeting m
      window since as (partition by m.org_id, m.campaign_id, m.network_key order by m.at desc)
    ), marked as (
      select m.org_id, m.campaign_id, m.network_key, array_agg(m.code_id) as codes, array_agg(m.code_at) as instants,
        array_agg(m.step) as steps
      from (
        select e.*, least(case when e.slow_at - interval '1 hour' < e.at then e.slow_step end,
          case when e.fast_at - interval '10 minutes' < e.at then e.fast_step end) as step
        from seen e where e.code_id is not null
      ) m
      where m.step is not null
      group by 1, 2, 3
    )
    select p.*, m.codes, m.instants, m.steps
    from steps p
    left join marked m on m.org_id = p.org_id and m.campaign_id = p.campaign_id and m.network_key = p.network_key
    order by p.org_id, p.campaign_id, p.network_key
  loop
    perform private.mark_series(v_origin.org_id, v_origin.campaign_id, 'network', v_origin.network_key, v_origin.codes,
      v_origin.instants, v_origin.steps, v_origin.names, v_origin.losses, v_origin.lost);
  end loop;

  for v_origin in
    select o.org_id, o.campaign_id, m.domain, array_agg(d.id order by d.id) filter (where d.id is not null) as codes,
      count(distinct d.customer_id)::integer as names, count(*) filter (where s.result_type = 'lose')::integer as losses
    from unnest(v_origins) o
    join public.spins s on s.org_id = o.org_id and s.id = o.spin_id
    left join public.redemptions d on d.org_id = o.org_id and d.spin_id = o.spin_id
    cross join lateral (select lower(split_part(s.end_user_email, '@', -1)) as name) a
    join private.disposable_domains m on m.domain = a.name or a.name like '%.' || m.domain
    group by 1, 2, 3 order by 1, 2, 3
  loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    continue when not v_settings.marks_disposable;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'disposable', v_origin.domain, v_origin.names, v_origin.codes,
      v_origin.losses, v_origin.losses);
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.decide_check(p_id uuid, p_action text, p_codes uuid[] DEFAULT NULL::uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_org_ids uuid[];
  v_group private.check_groups;
  v_codes public.redemptions[];
  v_changed integer := 0;
  v_left integer := 0;
begin
  if v_user_id is not null and not private.hold_account(v_user_id) then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  if p_action = 'release' then
    -- Tills take what was won whatever the plan is: a prize that was held back wrongly can be given back as well.
    v_org_ids := array(
      select m.org_id from public.organization_members m
      where m.user_id = v_user_id and private.role_may(m.role, 'rewards.write'));
  else
    v_org_ids := array(select private.my_org_ids('rewards.write'));
  end if;
  select g.* into v_group from private.check_groups g
  where g.id = p_id and g.org_id = any (array(select unnest(v_org_ids) intersect select private.my_org_ids('codes.read')))
  for no key update of g;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_action is null or p_action not in ('hold', 'cancel', 'release', 'clear', 'reopen') then
    raise exception 'action_unknown' using errcode = '22023';
  end if;

  if p_action <> 'reopen' then
    perform private.hold_counts(array(
      select private.verdict_key(private.winner_address(d)) from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
    ), interval '1 day');
    -- In one order, whoever else decides on another group of the same codes; a till that was faster has its prize.
    v_codes := array(
      select d from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
      order by d.reward_id, d.id for no key update of d);
    if p_action = 'clear' then
      v_codes := array(select d from unnest(v_codes) d where d.verdict = 'held' order by d.reward_id, d.id);
    end if;
    v_changed := private.decide_codes(v_codes, case p_action when 'clear' then 'release' else p_action end, v_user_id);
    v_left := (
      select count(*) from unnest(v_codes) d
      where case p_action when 'release' then d.verdict is not null else d.status = 'used' and p_action <> 'clear' end
    ) - case p_action when 'release' then v_changed else 0 end;
  end if;

  if p_action = 'clear' or (p_action = 'cancel' and p_codes is null) then
    update private.check_groups g
    set closed_at = coalesce(g.closed_at, now()), is_normal = p_action = 'clear',
      closed_by = left(private.user_name(v_user_id), 200)
    where g.org_id = v_group.org_id and g.id = p_id;
  elsif v_group.closed_at is not null and (p_action = 'reopen' or (p_action = 'release' and v_changed > 0)) then
    begin
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null
      where g.org_id = v_group.org_id and g.id = p_id;
    exception when unique_violation then
      -- Spins that came later have a group of their own, which the job may have made at this instant.
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null, group_key = split_part(g.group_key, ' ', 1) || ' ' || g.id
      where g.org_id = v_group.org_id and g.id = p_id;
    end;
  end if;
  if v_changed > 0 or p_action = 'clear' and v_group.closed_at is null
    or p_action = 'reopen' and v_group.closed_at is not null
  then
    perform private.audit(v_group.org_id, case p_action when 'hold' then 'check.held' when 'cancel' then 'check.cancelled'
      when 'release' then 'check.released' when 'clear' then 'check.cleared' else 'check.reopened' end, 'campaign', v_group.campaign_id, (
      select jsonb_build_object('name', c.name, 'count', v_changed) from public.campaigns c
      where c.org_id = v_group.org_id and c.id = v_group.campaign_id));
  end if;
  return jsonb_build_object('changed', v_changed, 'left', v_left);
end;
$function$;

COMMENT ON FUNCTION "private"."judge_spins"(integer) IS 'Job: reads where the latest spins came from and gives the prizes that were won so their reasons (private.check_groups), with the number of losing spins beside them. Answers how many it took, also of customers who were erased meanwhile.';
