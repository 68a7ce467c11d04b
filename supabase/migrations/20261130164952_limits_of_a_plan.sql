-- Why: The limits of a plan, and what holds where there is no subscription yet, were written in six places; each could drift from the others.

set check_function_bodies = off;

DROP FUNCTION "private"."lock_team"(uuid);

DROP FUNCTION "private"."user_limit"(uuid);

CREATE OR REPLACE FUNCTION private.enforce_campaign_limit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_limits constant public.plan_limits := private.lock_limits(new.org_id);
  v_limit constant integer := v_limits.max_active_campaigns;
begin
  if v_limit >= 0 and (
    select count(*) from public.campaigns c where c.org_id = new.org_id and c.active and c.id <> new.id
  ) >= v_limit then
    raise exception 'active_campaign_limit_reached' using errcode = 'TV001', detail = v_limit::text;
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.enforce_store_limit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_limits constant public.plan_limits := private.lock_limits(new.org_id);
begin
  if not v_limits.multi_store and exists (
    select 1 from public.stores s
    where s.org_id = new.org_id and s.archived_at is null and s.id <> new.id
  ) then
    raise exception 'store_limit_reached' using errcode = 'TV003', detail = '1';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.has_feature(p_org_id uuid, p_feature text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select case p_feature
      when 'csv_export' then l.csv_export
      when 'api_access' then l.api_access
      when 'white_label' then l.white_label
      when 'multi_store' then l.multi_store
      when 'advanced_analytics' then l.advanced_analytics
      when 'custom_roles' then l.custom_roles
    end
    from private.limits_of(p_org_id) l
  ), false);
$function$;

CREATE OR REPLACE FUNCTION private.joining_refusal(p_org_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    (select private.closed_reason(s) from public.subscriptions s where s.org_id = p_org_id),
    -- The invitation that is asked about holds one of the seats itself.
    case when l.max_users >= 0 and private.users_used(p_org_id) > l.max_users then 'user_limit_reached' end)
  from private.limits_of(p_org_id) l;
$function$;

CREATE OR REPLACE FUNCTION private.limits_of(p_org_id uuid)
 RETURNS SETOF public.plan_limits
 LANGUAGE sql
 STABLE ROWS 1
 SET search_path TO ''
AS $function$
  select l.* from public.plan_limits l
  where l.plan = coalesce((select s.plan from public.subscriptions s where s.org_id = p_org_id), 'free_trial');
$function$;

CREATE OR REPLACE FUNCTION private.lock_limits(p_org_id uuid)
 RETURNS public.plan_limits
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_limits public.plan_limits;
begin
  perform 1 from public.subscriptions s where s.org_id = p_org_id for no key update;
  select l.* into v_limits from private.limits_of(p_org_id) l;
  return v_limits;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_team(p_org_id uuid)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select l.max_users from private.lock_limits(p_org_id) l;
$function$;

CREATE OR REPLACE FUNCTION public.dashboard(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_held text[];
  v_today date;
  v_recent jsonb;
  v_is_named boolean;
begin
  select r.held into v_held
  from private.my_reading_rights('{activity.read,customers.read,codes.read,reviews.read}', 'activity.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
  v_is_named := 'customers.read' = any (v_held);
  v_recent := private.recent_days(p_org_id, v_today);
  return jsonb_build_object(
    'limits', (
      select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
        'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
      from private.limits_of(p_org_id) l),
    'used', jsonb_build_object(
      'active_campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
      'monthly_spins', v_recent -> 'monthly_spins',
      'users', private.users_used(p_org_id)),
    'totals', private.organization_totals(p_org_id),
    'last_30_days', v_recent -> 'totals',
    'previous_30_days', v_recent -> 'previous',
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
    'todo', private.next_steps(p_org_id, v_is_named, 'codes.read' = any (v_held)),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel',
      'return', private.period_return(p_org_id, v_today - 29, 'infinity')) end,
    'first_day', coalesce(
      (select min(f.day) from private.folded_days f where f.org_id = p_org_id),
      (select min(d.day) from public.campaign_daily_stats d where d.org_id = p_org_id and d.shard < 16)),
    'activity', private.recent_activity(p_org_id, v_is_named),
    'public_ratings', private.public_ratings(p_org_id),
    'reviews', case when 'reviews.read' = any (v_held)
      then private.latest_words(p_org_id, v_is_named) end,
    'active_campaigns', coalesce(
      (select jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name,
         'active', true, 'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'scans', (
         select coalesce(sum(f.scans), 0) from private.campaign_figures_now(p_org_id) f
         where f.campaign_id = shown.id)) order by shown.created_at desc, shown.id)
       from (
         select c.* from public.campaigns c
         where c.org_id = p_org_id and c.active order by c.created_at desc, c.id limit 2
       ) shown),
      '[]'::jsonb)
  );
end;
$function$;

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
    'can_export', private.includes_export(v_org_id),
    'page', v_page, 'has_next', v_has_next, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.team(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('team.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'members', private.team_members(p_org_id),
    'invitations', case when p_org_id in (select private.my_org_ids('team.manage'))
      then private.team_invitations(p_org_id) else '[]'::jsonb end,
    'roles', private.team_roles(p_org_id),
    'has_own_roles', private.has_feature(p_org_id, 'custom_roles'),
    'used', private.users_used(p_org_id),
    'limit', (select l.max_users from private.limits_of(p_org_id) l));
end;
$function$;

COMMENT ON FUNCTION "private"."limits_of"(uuid) IS 'Limits of an organisation''s plan, one row; those of the free trial while it has no subscription yet.';

COMMENT ON FUNCTION "private"."lock_limits"(uuid) IS 'Limits of an organisation''s plan, held until the transaction ends, so that two that count against them count each other.';

COMMENT ON FUNCTION "private"."lock_team"(uuid) IS 'Locks an organisation''s team against other changes until the transaction ends. Returns the number of users that the plan allows; -1 is unlimited.';

REVOKE ALL ON FUNCTION "private"."limits_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_limits"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_team"(uuid) FROM PUBLIC;
