-- Why: a decision on thousands of prizes wrote their reward once for each, which met the time limit of the data API; the job that judges spins wrote a network's group once for each spin.

set check_function_bodies = off;

DROP FUNCTION "private"."decide_code"(public.redemptions, text, uuid);

DROP FUNCTION "private"."drop_verdict_mail"(public.redemptions);

DROP FUNCTION "private"."notify_winner"(public.redemptions, text);

CREATE OR REPLACE FUNCTION private.count_attempts(p_keys text[], p_limit integer, p_window interval)
 RETURNS boolean[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_start constant timestamptz := private.window_start(p_window);
begin
  insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
  select k.key, v_start, 0, count(*), v_start + p_window
  from unnest(p_keys) k (key) where k.key is not null group by k.key order by k.key
  on conflict (key, window_start, shard) do update set hits = r.hits + excluded.hits;
  -- Read one by one, by their index: a join with keys of an unknown number might compare each with each.
  return array(
    select coalesce(r.hits - k.times + k.turn <= p_limit, false)
    from (
      select u.key, u.place, row_number() over (partition by u.key order by u.place) as turn, count(*) over (partition by u.key) as times
      from unnest(p_keys) with ordinality u (key, place)
    ) k
    left join lateral (
      select l.hits from private.rate_limits l where l.key = k.key and l.window_start = v_start and l.shard = 0 offset 0
    ) r on true
    order by k.place);
end;
$function$;

CREATE OR REPLACE FUNCTION private.decide_codes(p_codes public.redemptions[], p_action text, p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_codes public.redemptions[];
  v_ids uuid[];
  v_org_id uuid;
begin
  v_codes := array(
    select d from unnest(p_codes) d
    where case p_action
      when 'hold' then d.verdict is null and private.code_state(d) = 'available'
      -- A code that expired without being held back is not cancelled: nothing would change for its winner or for the stock.
      when 'cancel' then d.status <> 'used' and d.verdict is distinct from 'cancelled'
        and (d.verdict is not null or private.code_state(d) <> 'expired')
      else d.verdict is not null end
    order by d.reward_id, d.id);
  if p_action <> 'hold' then
    -- After the codes, and in one order as well: a reward's stock changes once, however many codes it has here.
    perform 1 from public.rewards r
    where (r.org_id, r.id) in (select d.org_id, d.reward_id from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled')
    order by r.id for no key update;
  end if;
  if p_action = 'release' then
    -- Stock that was given back may have been won since: then the prize stays cancelled.
    v_codes := array(
      select o.code
      from (
        select d as code, d.verdict, d.org_id, d.reward_id, d.id,
          row_number() over (partition by d.reward_id, d.verdict order by d.id) as turn
        from unnest(v_codes) d
      ) o
      where o.verdict = 'held' or exists (
        select 1 from public.rewards r
        where r.org_id = o.org_id and r.id = o.reward_id and (r.stock < 0 or o.turn <= r.stock))
      order by o.reward_id, o.id);
  end if;
  if cardinality(v_codes) = 0 then
    return 0;
  end if;
  v_org_id := (v_codes[1]).org_id;
  v_ids := array(select d.id from unnest(v_codes) d order by d.reward_id, d.id);
  if p_action <> 'hold' then
    update public.rewards r set stock = r.stock + n.given
    from (
      select d.org_id, d.reward_id, case p_action when 'cancel' then count(*) else -count(*) end::integer as given
      from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled' group by 1, 2
    ) n
    where r.org_id = n.org_id and r.id = n.reward_id and r.stock >= 0;
  end if;

  if p_action <> 'hold' then
    perform private.drop_verdict_mails(v_org_id, v_ids);
  end if;
  if p_action = 'release' then
    -- Valid for as many days longer as it could not be used.
    update public.redemptions d set status = 'available', verdict = null, expires_at = e.expires_at
    from (
      select c.id, private.day_end((c.expires_at at time zone s.timezone)::date + (
        private.now_in(s.timezone)::date - (coalesce(v.decided_at, now()) at time zone s.timezone)::date), s.timezone) as expires_at
      from unnest(v_codes) c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      left join private.code_verdicts v on v.org_id = c.org_id and v.redemption_id = c.id
    ) e
    where d.org_id = v_org_id and d.id = e.id;
    perform private.notify_winners(v_org_id, array(
      select c.id from unnest(v_ids) with ordinality c (id, place)
      join private.code_verdicts v on v.org_id = v_org_id and v.redemption_id = c.id
      where v.is_notified order by c.place
    ), 'prize_released');
    delete from private.code_verdicts v using unnest(v_ids) c (id) where v.org_id = v_org_id and v.redemption_id = c.id;
  else
    update public.redemptions d
    set status = case p_action when 'cancel' then 'expired' else d.status end,
      verdict = case p_action when 'cancel' then 'cancelled' else 'held' end
    from unnest(v_ids) c (id) where d.org_id = v_org_id and d.id = c.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    select v_org_id, c.id, c.mail_id
    from unnest(v_ids, private.notify_winners(v_org_id, v_ids, case p_action when 'cancel' then 'prize_cancelled' else 'prize_held' end))
      c (id, mail_id)
    -- Held before: since then it cannot be used.
    on conflict (org_id, redemption_id) do update set mail_id = excluded.mail_id;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  select v_org_id, c.id, case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id
  from unnest(v_ids) with ordinality c (id, place) order by c.place;
  return cardinality(v_codes);
end;
$function$;

CREATE OR REPLACE FUNCTION private.drop_verdict_mails(p_org_id uuid, p_codes uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with dropped as (
    update private.outbox o set state = 'failed', last_error = 'decision_undone', data = '{}', settled_at = now()
    from unnest(p_codes) c (id)
    join private.code_verdicts v on v.org_id = p_org_id and v.redemption_id = c.id
    where o.id = v.mail_id and o.state = 'queued' and o.attempts = 0
    returning o.id
  )
  update private.code_verdicts v
  set mail_id = null,
    is_notified = v.is_notified or (v.mail_id is not null and v.mail_id not in (select d.id from dropped d))
  from unnest(p_codes) c (id)
  where v.org_id = p_org_id and v.redemption_id = c.id;
$function$;

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
  select array_agg(o) into v_origins from claimed o;
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
  v_count := coalesce(array_length(v_origins, 1), 0);
  if v_count = 0 then
    return 0;
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
    join private.disposable_domains m on m.domain in (a.name, regexp_replace(a.name, '^[^.]+\.', ''))
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

CREATE OR REPLACE FUNCTION private.mark_codes(p_org_id uuid, p_campaign_id uuid, p_kind text, p_key text, p_names integer, p_codes uuid[], p_losses integer DEFAULT 0, p_new_losses integer DEFAULT 0)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_codes uuid[];
  v_instants timestamptz[];
begin
  select array_agg(d.id), array_agg(d.at) into v_codes, v_instants
  from unnest(p_codes) c (id)
  cross join lateral (
    select r.id, coalesce(r.used_at, r.created_at) as at from public.redemptions r where r.org_id = p_org_id and r.id = c.id offset 0
  ) d;
  perform private.mark_series(p_org_id, p_campaign_id, p_kind, p_key, v_codes, v_instants,
    array_fill(1, array[coalesce(cardinality(v_codes), 0)]), array[p_names], array[p_losses], array[p_new_losses]);
end;
$function$;

CREATE OR REPLACE FUNCTION private.mark_series(p_org_id uuid, p_campaign_id uuid, p_kind text, p_key text, p_codes uuid[], p_instants timestamp with time zone[], p_steps integer[], p_names integer[], p_losses integer[], p_new_losses integer[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_group_id uuid;
  v_codes uuid[];
  v_first_step integer;
  v_first timestamptz;
  v_last timestamptz;
  v_names integer;
  v_new_losses integer;
begin
  if exists (
    select 1 from private.check_groups g
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key and g.is_normal
  ) then
    return;
  end if;
  -- A group that was dealt with keeps its prizes; what comes later is a group of its own. Each code is looked up by itself: a plan for
  -- all of them would read the whole group, which a busy network makes longer with every portion.
  with lacking as (
    select c.id, c.at, c.step
    from unnest(p_codes, p_instants, p_steps) c (id, at, step)
    left join lateral (
      select true as is_marked from private.check_codes m
      join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
      where m.org_id = p_org_id and m.redemption_id = c.id and g.kind = p_kind and g.group_key = p_key
      limit 1
    ) m on true
    where m.is_marked is null
  )
  select array_agg(l.id order by l.step, l.id), min(l.step), max(l.at), max(p_names[l.step]),
    min(l.at) filter (where l.step = (select min(f.step) from lacking f))
  into v_codes, v_first_step, v_last, v_names, v_first
  from lacking l;
  v_new_losses := (select sum(n) from unnest(p_new_losses) n);
  -- No new prize: losing spins are added to a group that is open, but open none.
  if v_first_step is null then
    update private.check_groups g set losses = g.losses + v_new_losses
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key
      and g.closed_at is null and v_new_losses > 0;
    return;
  end if;
  insert into private.check_groups as g (org_id, campaign_id, kind, group_key, names, opened_at, last_at, losses)
  values (p_org_id, p_campaign_id, p_kind, p_key, greatest(v_names, 1), v_first, v_last,
    -- A new group begins with the step that opens it; one that was dealt with has counted the losing spins before.
    case when exists (
      select 1 from private.check_groups b
      where b.org_id = p_org_id and b.campaign_id = p_campaign_id and b.kind = p_kind and b.group_key = p_key
    ) then p_new_losses[v_first_step] else p_losses[v_first_step] end
    + (select coalesce(sum(n), 0) from unnest(p_new_losses[v_first_step + 1:]) n))
  on conflict (org_id, campaign_id, kind, group_key) where closed_at is null
  do update set last_at = greatest(g.last_at, excluded.last_at), names = greatest(g.names, excluded.names),
    losses = g.losses + v_new_losses
  returning g.id into v_group_id;
  insert into private.check_codes (org_id, group_id, redemption_id)
  select p_org_id, v_group_id, c from unnest(v_codes) c
  on conflict do nothing;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_winners(p_org_id uuid, p_codes uuid[], p_template text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_addresses constant text[] := array(
    select private.winner_address(d.code)
    from unnest(p_codes) with ordinality c (id, place)
    cross join lateral (
      select r as code from public.redemptions r where r.org_id = p_org_id and r.id = c.id offset 0
    ) d
    order by c.place);
  -- The player types the address, which could be anybody's: few mails a day reach it.
  v_may constant boolean[] := private.count_attempts(array(
    select private.verdict_key(a.address) from unnest(v_addresses) with ordinality a (address, place) order by a.place
  ), 5, interval '1 day');
  v_brand constant jsonb := private.brand(p_org_id);
  v_white_label constant boolean := private.has_feature(p_org_id, 'white_label');
begin
  return array(
    select case
      when not m.may then null
      when p_template = 'prize_released' then private.write_prize_mail(p_template, m.address, m.code)
      else private.enqueue_customer_mail(p_org_id, m.customer_id, p_template, m.address, jsonb_build_object(
          'brand', v_brand,
          'white_label', v_white_label,
          'path', '/c/' || m.slug || '/gain#gain=' || m.spin_id || '.' || m.nonce
        ) || jsonb_strip_nulls(jsonb_build_object(
          'locale', m.locale,
          'name', private.greeting_name(m.end_user_name),
          'facts', jsonb_build_object(
            'prize', private.mailed_name(m.code, m.locale),
            'store', m.store,
            'address', m.store_address))),
        now() + interval '1 day', now() + interval '10 minutes') end
    from (
      select c.may, c.address, d as code, t.customer_id, t.id as spin_id, t.nonce, t.end_user_name, g.slug, u.locale,
        s.name as store, s.address as store_address
      from unnest(p_codes, v_addresses, v_may) with ordinality c (id, address, may, place)
      join public.redemptions d on d.org_id = p_org_id and d.id = c.id
      left join public.spins t on t.org_id = d.org_id and t.id = d.spin_id
      left join public.stores s on s.org_id = t.org_id and s.id = t.store_id
      left join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
      left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
      order by c.place offset 0
    ) m);
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
  v_group private.check_groups;
  v_codes public.redemptions[];
  v_changed integer := 0;
  v_left integer := 0;
begin
  select g.* into v_group from private.check_groups g
  where g.id = p_id and g.org_id = any (array(
    select private.my_org_ids('rewards.write') intersect select private.my_org_ids('codes.read')))
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
    update private.check_groups g
    set closed_at = null, is_normal = false, closed_by = null,
      -- Spins that came later have a group of their own.
      group_key = case when exists (
        select 1 from private.check_groups o
        where o.org_id = g.org_id and o.campaign_id = g.campaign_id and o.kind = g.kind and o.group_key = g.group_key
          and o.closed_at is null
      ) then split_part(g.group_key, ' ', 1) || ' ' || g.id else g.group_key end
    where g.org_id = v_group.org_id and g.id = p_id;
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

COMMENT ON FUNCTION "private"."count_attempts"(text[], integer, interval) IS 'Counts many attempts at once, in the order of their keys, as count_attempt does one by one with a limit below 600: answers for each whether it is within the limit; false for a key that is null. Locks the counts in one order.';

COMMENT ON FUNCTION "private"."decide_codes"(public.redemptions[], text, uuid) IS 'Holds back prizes that wait, cancels them (the stock gets them back), or releases them again: for codes of one organisation whose rows the caller has locked. Answers how many changed: not those where there was nothing to do, or no stock left to give back from.';

COMMENT ON FUNCTION "private"."drop_verdict_mails"(uuid, uuid[]) IS 'Deletes the queued mails about decisions on codes, and notes whose winners were notified already.';

COMMENT ON FUNCTION "private"."mark_codes"(uuid, uuid, text, text, integer, uuid[], integer, integer) IS 'Gives codes a reason in one step (private.mark_series).';

COMMENT ON FUNCTION "private"."mark_series"(uuid, uuid, text, text, uuid[], timestamp with time zone[], integer[], integer[], integer[], integer[]) IS 'Gives codes a reason: puts those that lack it into the open group of that reason, made when there is none, and writes that group once. The codes came in steps, numbered from 1: p_instants and p_steps are those of each code, p_names and p_losses (losing spins that a group opened by that step begins with) and p_new_losses (those that an open group has not counted) those of each step. Nothing for what somebody called normal.';

COMMENT ON FUNCTION "private"."notify_winners"(uuid, uuid[], text) IS 'Writes the mails that tell winners what becomes of their prizes: held and cancelled wait ten minutes for an undo, released shows the code at once. Answers their identifiers in the order of the codes, null without an address or after five such mails a day.';

REVOKE ALL ON FUNCTION "private"."count_attempts"(text[], integer, interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_codes"(public.redemptions[], text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."drop_verdict_mails"(uuid, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_series"(uuid, uuid, text, text, uuid[], timestamp with time zone[], integer[], integer[], integer[], integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_winners"(uuid, uuid[], text) FROM PUBLIC;
