-- Uses of codes and edits of campaigns wait for no job, and the job that judges spins reads the hour of a network once.

set check_function_bodies = off;

DROP TRIGGER "check_redemption_status" ON "public"."redemptions";

CREATE OR REPLACE FUNCTION private.check_redemption_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (old.status = 'available' and new.status = 'used')
    or (new.status = 'expired' and private.is_over(old.status, old.expires_at))
    or (old.status = 'used' and new.status = 'available' and private.may_restore(old.used_at))
    or (old.status = 'available' and new.status = 'expired' and new.verdict = 'cancelled')
    or (old.status = 'expired' and new.status = 'available' and old.verdict is not null and new.verdict is null)
  then
    return null;
  end if;
  raise exception 'redemption_transition_refused' using errcode = '23514',
    constraint = 'redemptions_status_transition', detail = old.status || ' -> ' || new.status;
end;
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
  v_day integer;
  v_month integer;
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
    select o.org_id, o.campaign_id, o.device_key, max(o.created_at) as last_at from unnest(v_origins) o group by 1, 2, 3 order by 1, 2, 3
  loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    select count(*) filter (where k.last_at > v_origin.last_at - interval '24 hours'), count(*) into v_day, v_month
    from private.device_customers k
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > v_origin.last_at - interval '30 days';
    continue when v_day < v_settings.device_names and v_month < 2 * v_settings.device_names;
    select count(*), count(*) filter (where s.id = any (array(select o.spin_id from unnest(v_origins) o)))
    into v_losses, v_new_losses
    from private.device_customers k
    join public.spins s on s.org_id = k.org_id and s.customer_id = k.customer_id and s.campaign_id = k.campaign_id
      and s.created_at between k.first_at and k.last_at and s.result_type = 'lose'
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > v_origin.last_at - case when v_month >= 2 * v_settings.device_names then interval '30 days'
        else interval '24 hours' end;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'device', v_origin.device_key,
      case when v_month >= 2 * v_settings.device_names then v_month else v_day end, array(
      select d.id
      from private.device_customers k
      join public.redemptions d on d.org_id = k.org_id and d.customer_id = k.customer_id and d.spin_id is not null
        and d.campaign_id = k.campaign_id and d.created_at between k.first_at and k.last_at
      where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
        and k.last_at > v_origin.last_at - case when v_month >= 2 * v_settings.device_names then interval '30 days'
          else interval '24 hours' end
    ), v_losses, v_new_losses);
  end loop;

  -- Many new names at once from one network: each spin is seen with the ten minutes, and with the hour, before it. A network of which
  -- a prize has reached the till within the hour is the store's own: three times as many are usual there. Names on one device count
  -- once: they have a reason of their own. All networks are read at once, each spin as what it adds to the counts, and later takes from
  -- them. A query for each spin would read a busy network's hour as often as it has spins. Each one is looked up by itself: without
  -- statistics, as after a crash, a plan might read all codes for each of them.
  for v_origin in
    with networks as (
      select o.org_id, o.campaign_id, o.network_key, min(o.created_at) - interval '1 hour' as since from unnest(v_origins) o group by 1, 2, 3
    ), turns as materialized (
      select t.org_id, t.campaign_id, t.network_key, t.created_at, t.spin_id, t.customer_id, s.lost, d.used_at
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
        select d.used_at from public.redemptions d where d.org_id = t.org_id and d.spin_id = t.spin_id offset 0
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
      select c.org_id, c.campaign_id, c.network_key, c.at, c.spin_id,
        c.at - case when w.is_slow then interval '1 hour' else interval '10 minutes' end as since,
        case when w.is_slow then c.in_hour else c.in_minutes end::integer as names,
        case when w.is_slow then c.lost_in_hour else c.lost_in_minutes end::integer as losses
      from counted c
      join (
        select n.org_id, n.campaign_id, (private.check_settings_of(n.org_id, n.campaign_id)).network_names
        from networks n group by n.org_id, n.campaign_id
      ) s on s.org_id = c.org_id and s.campaign_id = c.campaign_id
      cross join lateral (select s.network_names * case when c.used > 0 then 3 else 1 end as names) f
      cross join lateral (select c.in_hour * 2 >= f.names * 3 as is_slow) w
      where c.spin_id is not null and c.in_hour >= 3 and (c.in_minutes >= f.names or w.is_slow)
    )
    select u.*, coalesce(t.lost, 0) as lost,
      lag(u.since) over same as seen_since, lag(u.at) over same as seen_until
    from suspect u left join turns t on t.org_id = u.org_id and t.spin_id = u.spin_id
    window same as (partition by u.org_id, u.campaign_id, u.network_key order by u.at, u.spin_id)
    order by u.org_id, u.campaign_id, u.network_key, u.at, u.spin_id
  loop
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'network', v_origin.network_key, v_origin.names, array(
      select d.id
      from (
        select * from private.network_turns t
        where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
          -- Codes that the spin before was seen with have their reason already.
          and t.created_at > case when v_origin.since between v_origin.seen_since and v_origin.seen_until
            then v_origin.seen_until else v_origin.since end
          and t.created_at <= v_origin.at offset 0
      ) t
      cross join lateral (
        select from public.customers c
        where c.org_id = t.org_id and c.id = t.customer_id and c.created_at > t.created_at - interval '1 hour' offset 0
      ) c
      cross join lateral (
        select d.id from public.redemptions d where d.org_id = t.org_id and d.spin_id = t.spin_id offset 0
      ) d
    ), v_origin.losses, v_origin.lost);
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
  v_group_id uuid;
  v_codes uuid[];
  v_first timestamptz;
  v_last timestamptz;
begin
  if exists (
    select 1 from private.check_groups g
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key and g.is_normal
  ) then
    return;
  end if;
  -- A group that was dealt with keeps its prizes; what comes later is a group of its own. Each code is looked up by itself: a plan for
  -- all of them would read the whole group, which a busy network makes longer with every spin.
  select array_agg(d.id), min(d.at), max(d.at) into v_codes, v_first, v_last
  from unnest(p_codes) c (id)
  cross join lateral (
    select r.id, coalesce(r.used_at, r.created_at) as at from public.redemptions r where r.org_id = p_org_id and r.id = c.id offset 0
  ) d
  left join lateral (
    select true as is_marked from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = p_org_id and m.redemption_id = d.id and g.kind = p_kind and g.group_key = p_key
    limit 1
  ) m on true
  where m.is_marked is null;
  -- No new prize: losing spins are added to a group that is open, but open none.
  if v_first is null then
    update private.check_groups g set losses = g.losses + p_new_losses
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key
      and g.closed_at is null and p_new_losses > 0;
    return;
  end if;
  insert into private.check_groups as g (org_id, campaign_id, kind, group_key, names, opened_at, last_at, losses)
  values (p_org_id, p_campaign_id, p_kind, p_key, greatest(p_names, 1), v_first, v_last,
    -- A group that was dealt with has counted those before.
    case when exists (
      select 1 from private.check_groups b
      where b.org_id = p_org_id and b.campaign_id = p_campaign_id and b.kind = p_kind and b.group_key = p_key
    ) then p_new_losses else p_losses end)
  on conflict (org_id, campaign_id, kind, group_key) where closed_at is null
  do update set last_at = greatest(g.last_at, excluded.last_at), names = greatest(g.names, excluded.names),
    losses = g.losses + p_new_losses
  returning g.id into v_group_id;
  insert into private.check_codes (org_id, group_id, redemption_id)
  select p_org_id, v_group_id, c from unnest(v_codes) c
  on conflict do nothing;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_campaign(p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean, p_play_interval_days integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_segments jsonb DEFAULT NULL::jsonb, p_translations jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_translations constant jsonb :=
    case jsonb_typeof(p_translations) when 'string' then (p_translations #>> '{}')::jsonb else p_translations end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- A save at the same instant waits here, and then finds another version.
  perform private.lock_sharing_campaigns(c.org_id, p_id, array(
    select s.reward_id from private.read_segments(case when jsonb_typeof(v_segments) = 'array' then v_segments end) s
    where s.reward_id is not null))
  from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_campaign.version is distinct from p_version then
    raise exception 'campaign_conflict' using errcode = 'TV062', detail = v_campaign.version::text;
  end if;
  if v_campaign.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  update public.campaigns c
  set name = p_name, store_id = p_store_id, description = nullif(private.clean_text(p_description), ''),
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days,
    translations = coalesce(nullif(v_translations, 'null'), c.translations)
  where c.id = p_id;
  -- An update that names a unique column waits for all who take part in the campaign, even where the value stays the same.
  if p_slug is distinct from v_campaign.slug then
    update public.campaigns c set slug = p_slug where c.id = p_id;
  end if;
  if v_segments is not null and jsonb_typeof(v_segments) <> 'null' then
    perform private.redraw_wheel(v_campaign.org_id, p_id, v_segments);
  end if;
  return (
    select jsonb_build_object('version', c.version, 'slug', c.slug) from public.campaigns c where c.id = p_id
  );
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_slug_key' then
      raise exception 'campaign_slug_taken' using errcode = 'TV066';
    end if;
    raise;
end;
$function$;

CREATE TRIGGER check_redemption_status AFTER UPDATE OF status ON public.redemptions FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION private.check_redemption_status();
