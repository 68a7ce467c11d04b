-- Groups of prizes to check are counted for the dashboard and the navigation, and say how many losing turns share their reason.

set check_function_bodies = off;

DROP FUNCTION "private"."mark_codes"(uuid, uuid, text, text, integer, uuid[]);

ALTER TABLE "private"."check_groups" ADD COLUMN "losses" integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION private.describe_check(p_group private.check_groups, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', p_group.id, 'kind', p_group.kind, 'names', p_group.names, 'losses', p_group.losses,
    'campaign', (select jsonb_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = p_group.org_id and c.id = p_group.campaign_id),
    'label', case when p_group.kind in ('disposable', 'quiet_hours') then split_part(p_group.group_key, ' ', 1) end,
    'opened_at', p_group.opened_at, 'last_at', p_group.last_at,
    'closed_at', p_group.closed_at, 'closed_by', p_group.closed_by, 'is_normal', p_group.is_normal,
    'total', (select count(*) from private.check_codes m where m.org_id = p_group.org_id and m.group_id = p_group.id),
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'code', d.code, 'reward', d.reward_name, 'reward_id', d.reward_id,
        'customer', case when p_is_named then coalesce(nullif(btrim(d.end_user_name), ''), d.end_user_email) end,
        'state', case when d.status = 'used' then 'used' else coalesce(d.verdict, private.code_state(d)) end,
        'created_at', d.created_at, 'used_at', d.used_at,
        'reasons', (
          select jsonb_agg(distinct g.kind order by g.kind) from private.check_codes m
          join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
          where m.org_id = d.org_id and m.redemption_id = d.id)) order by d.created_at desc, d.id desc)
      from (
        select d.* from private.check_codes m
        join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
        where m.org_id = p_group.org_id and m.group_id = p_group.id
        order by m.redemption_id desc limit 50
      ) d), '[]'::jsonb));
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
  v_factor integer;
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
  -- Whoever was erased meanwhile leaves nothing behind.
  select array_agg(o order by o.created_at, o.spin_id) into v_origins
  from claimed o join public.customers c on c.org_id = o.org_id and c.id = o.customer_id;
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
  -- once: they have a reason of their own.
  for v_origin in select o.* from unnest(v_origins) o order by o.created_at, o.spin_id loop
    select count(distinct k.device_key) filter (where t.created_at > v_origin.created_at - interval '10 minutes'),
      count(distinct k.device_key), case when bool_or(d.used_at <= v_origin.created_at) then 3 else 1 end
    into v_day, v_month, v_factor
    from private.network_turns t
    join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
    join private.device_customers k on k.org_id = t.org_id and k.campaign_id = t.campaign_id and k.customer_id = t.customer_id
    left join public.redemptions d on d.org_id = t.org_id and d.spin_id = t.spin_id
    where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
      and t.created_at > v_origin.created_at - interval '1 hour' and t.created_at <= v_origin.created_at
      and c.created_at > t.created_at - interval '1 hour';
    continue when v_month < 3;
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    v_factor := v_factor * v_settings.network_names;
    continue when v_day < v_factor and v_month * 2 < v_factor * 3;
    select count(*), count(*) filter (where t.spin_id = v_origin.spin_id) into v_losses, v_new_losses
    from private.network_turns t
    join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
    join public.spins s on s.org_id = t.org_id and s.id = t.spin_id and s.result_type = 'lose'
    where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
      and t.created_at > v_origin.created_at - case when v_month * 2 >= v_factor * 3 then interval '1 hour'
        else interval '10 minutes' end
      and t.created_at <= v_origin.created_at
      and c.created_at > t.created_at - interval '1 hour';
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'network', v_origin.network_key,
      case when v_month * 2 >= v_factor * 3 then v_month else v_day end, array(
      select d.id
      from private.network_turns t
      join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
      join public.redemptions d on d.org_id = t.org_id and d.spin_id = t.spin_id
      where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
        and t.created_at > v_origin.created_at - case when v_month * 2 >= v_factor * 3 then interval '1 hour'
          else interval '10 minutes' end
        and t.created_at <= v_origin.created_at
        and c.created_at > t.created_at - interval '1 hour'
    ), v_losses, v_new_losses);
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
  v_first timestamptz;
  v_last timestamptz;
begin
  if exists (
    select 1 from private.check_groups g
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key and g.is_normal
  ) then
    return;
  end if;
  select min(coalesce(d.used_at, d.created_at)), max(coalesce(d.used_at, d.created_at)) into v_first, v_last
  from public.redemptions d
  where d.org_id = p_org_id and d.id = any (p_codes) and not exists (
    select 1 from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = p_org_id and m.redemption_id = d.id and g.kind = p_kind and g.group_key = p_key
  );
  -- No prize that is new: an open group has more losing turns, and none is opened for them.
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
  select p_org_id, v_group_id, c from unnest(p_codes) c
  -- A group that was dealt with keeps its prizes; what comes later is a group of its own.
  where not exists (
    select 1 from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = p_org_id and m.redemption_id = c and g.kind = p_kind and g.group_key = p_key
  )
  on conflict do nothing;
end;
$function$;

CREATE OR REPLACE FUNCTION private.next_steps(p_org_id uuid, p_is_named boolean, p_sees_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with active as (
    select c.*, c.ends_at is not null and c.ends_at <= now() as is_over
    from public.campaigns c where c.org_id = p_org_id and c.active
  )
  select jsonb_build_object(
    'unseen_reviews', private.unseen_reviews(p_org_id, p_is_named, p_sees_codes),
    'low_stock', private.low_stock(p_org_id),
    'checks', case when p_sees_codes then private.open_checks(p_org_id) else 0 end,
    'over_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name) from active c
      where not exists (select 1 from active other where not other.is_over)
      order by c.ends_at desc, c.id limit 1),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'timezone', s.timezone)
      from active c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      -- The first of its own rewards answers for nearly every campaign.
      where not c.is_over and (
          select true from public.rewards r
          where r.org_id = p_org_id and r.campaign_id = c.id and r.active and r.archived_at is null limit 1) is null
        and (
          select true from public.wheel_segments w
          join public.rewards r on r.org_id = w.org_id and r.id = w.reward_id and r.active and r.archived_at is null
          where w.org_id = p_org_id and w.campaign_id = c.id limit 1) is null
      -- What customers meet today comes first.
      order by coalesce(c.starts_at > now(), false), c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (select 1 from active c where c.store_id = s.id and not c.is_over)
      order by s.created_at, s.id limit 1));
$function$;

CREATE OR REPLACE FUNCTION private.open_checks(p_org_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer from (
    select 1 from private.check_groups g where g.org_id = p_org_id and g.closed_at is null limit 100) o;
$function$;

CREATE OR REPLACE FUNCTION public.check_groups(p_org_id uuid, p_is_closed boolean DEFAULT false, p_after uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 10;
  v_is_named boolean;
  v_after private.check_groups;
  v_groups private.check_groups[];
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('codes.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := private.may_name_customers(p_org_id);
  select * into v_after from private.check_groups g where g.org_id = p_org_id and g.id = p_after;
  -- One more than is shown tells whether there is a next page.
  if coalesce(p_is_closed, false) then
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is not null
        and (v_after.id is null or (g.closed_at, g.id) < (v_after.closed_at, v_after.id))
      order by g.closed_at desc, g.id desc limit v_page_size + 1);
  else
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is null
        and (v_after.id is null or (g.last_at, g.id) < (v_after.last_at, v_after.id))
      order by g.last_at desc, g.id desc limit v_page_size + 1);
  end if;
  return jsonb_build_object(
    'open', private.open_checks(p_org_id),
    'closed', exists (select 1 from private.check_groups g where g.org_id = p_org_id and g.closed_at is not null),
    'has_next', coalesce(array_length(v_groups, 1), 0) > v_page_size,
    'items', coalesce((
      select jsonb_agg(private.describe_check(v_groups[n], v_is_named) order by n)
      from generate_series(1, least(coalesce(array_length(v_groups, 1), 0), v_page_size)) n
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.my_workspace()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null
             and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
          '[]'::jsonb),
        'has_archived_store', exists (
          select 1 from public.stores s
          where s.org_id = o.id and s.archived_at is not null
            and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'unread_reviews', case when private.role_may(m.role, 'reviews.read') then private.unread_reviews(o.id) else 0 end,
        'open_checks', case when private.role_may(m.role, 'codes.read') and private.role_may(m.role, 'rewards.write')
          then private.open_checks(o.id) else 0 end,
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'is_open', private.is_plan_open(s) and s.suspended_at is null,
            'is_suspended', s.suspended_at is not null, 'readable_until', private.readable_until(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_archived_store": false,
      "has_campaign": false, "unread_reviews": 0, "open_checks": 0, "plan": null}'::jsonb
  );
$function$;

ALTER TABLE "private"."check_groups" ADD CONSTRAINT "check_groups_losses_check" CHECK ((losses >= 0));

COMMENT ON COLUMN "private"."check_groups"."losses" IS 'Losing turns that share the reason: those of the device, the network or the domain beside its prizes.';

COMMENT ON FUNCTION "private"."judge_spins"(integer) IS 'Job: reads where the latest spins came from and gives the prizes that were won so their reasons (private.check_groups), with the number of losing turns beside them.';

COMMENT ON FUNCTION "private"."mark_codes"(uuid, uuid, text, text, integer, uuid[], integer, integer) IS 'Gives codes a reason: puts those that lack it into the open group of that reason, made when there is none. p_losses are the losing turns that a new group begins with, p_new_losses those that an open one has not counted. Nothing for what somebody called normal.';

COMMENT ON FUNCTION "private"."next_steps"(uuid, boolean, boolean) IS 'What deserves a merchant''s attention: bad reviews that nobody has seen, rewards that run out, groups of prizes to check (for whoever sees codes), that every active campaign is over, a campaign that runs or is about to, in which nothing can be won, and a store with one that has no public reviews page. Whose the reviews are where asked, and by which identifier codes are looked for.';

COMMENT ON FUNCTION "private"."open_checks"(uuid) IS 'Groups of prizes to check that nobody of an organisation has dealt with, counted up to 100.';

COMMENT ON FUNCTION "public"."my_workspace"() IS 'Organisation, role, permissions, stores, plan and progress of the signed-in user, how many bad reviews they have to read, and how many groups of prizes to check: what every screen starts from. A cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

REVOKE ALL ON FUNCTION "private"."mark_codes"(uuid, uuid, text, text, integer, uuid[], integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_checks"(uuid) FROM PUBLIC;

-- Devices are still known, so that groups that are open tell what came before; networks are not.
update private.check_groups g set losses = l.losses
from (
  select o.org_id, o.id, count(*)::integer as losses
  from private.check_groups o
  join private.device_customers k on k.org_id = o.org_id and k.campaign_id = o.campaign_id
    and k.device_key = split_part(o.group_key, ' ', 1)
  join public.spins s on s.org_id = k.org_id and s.customer_id = k.customer_id and s.campaign_id = k.campaign_id
    and s.created_at between k.first_at and k.last_at and s.result_type = 'lose'
  where o.kind = 'device' and o.closed_at is null
  group by o.org_id, o.id
) l
where g.org_id = l.org_id and g.id = l.id;
