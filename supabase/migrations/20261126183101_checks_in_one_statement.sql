-- Why: a page of prizes to check words its groups in one statement, and the points catalogue keeps its plans.

set check_function_bodies = off;

DROP FUNCTION "private"."describe_check"(private.check_groups, boolean);

CREATE OR REPLACE FUNCTION private.describe_checks(p_groups private.check_groups[], p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'names', p.names, 'losses', p.losses,
    'campaign', (select jsonb_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = p.org_id and c.id = p.campaign_id),
    'label', case when p.kind in ('disposable', 'quiet_hours') then split_part(p.group_key, ' ', 1) end,
    'opened_at', p.opened_at, 'last_at', p.last_at,
    'closed_at', p.closed_at, 'closed_by', p.closed_by, 'is_normal', p.is_normal,
    'total', (select count(*) from private.check_codes m where m.org_id = p.org_id and m.group_id = p.id),
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
        select m.redemption_id from private.check_codes m where m.org_id = p.org_id and m.group_id = p.id
        order by m.redemption_id desc limit 50
      ) m
      -- One by one, by their key: a plan kept for any group might read all codes.
      cross join lateral (select r.* from public.redemptions r where r.org_id = p.org_id and r.id = m.redemption_id offset 0) d
    ), '[]'::jsonb)) order by p.ordinality), '[]'::jsonb)
  from unnest(p_groups) with ordinality p;
$function$;

CREATE OR REPLACE FUNCTION public.check_groups(p_org_id uuid, p_is_closed boolean DEFAULT false, p_after uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 10;
  v_held text[];
  v_last_at timestamptz;
  v_last_id uuid;
  v_groups private.check_groups[];
begin
  select r.held into v_held
  from private.my_reading_rights('{codes.read,customers.read}', 'codes.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select case when coalesce(p_is_closed, false) then g.closed_at else g.last_at end, g.id into v_last_at, v_last_id
  from private.check_groups g where g.org_id = p_org_id and g.id = p_after;
  if not found then
    v_last_at := 'infinity';
    v_last_id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  end if;
  -- One more than is shown tells whether there is a next page. Each side of the list has its index.
  if coalesce(p_is_closed, false) then
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is not null and (g.closed_at, g.id) < (v_last_at, v_last_id)
      order by g.closed_at desc, g.id desc limit v_page_size + 1);
  else
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is null and (g.last_at, g.id) < (v_last_at, v_last_id)
      order by g.last_at desc, g.id desc limit v_page_size + 1);
  end if;
  return jsonb_build_object(
    'open', private.open_checks(p_org_id),
    'closed', exists (select 1 from private.check_groups g where g.org_id = p_org_id and g.closed_at is not null),
    'has_next', coalesce(array_length(v_groups, 1), 0) > v_page_size,
    'items', private.describe_checks(v_groups[1:v_page_size], 'customers.read' = any (v_held)));
end;
$function$;

CREATE OR REPLACE FUNCTION public.points_catalogue(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_balances bigint[];
  v_holders bigint[];
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Many customers have the same balance: each is divided once.
  select array_agg(h.balance), array_agg(h.holders) into v_balances, v_holders
  from (
    select c.balance, count(*) as holders
    from (
      select sum(l.remaining) as balance from public.points_ledger l
      where l.org_id = p_org_id and l.remaining > 0 and (l.expires_at is null or l.expires_at > now())
      group by l.customer_id
    ) c
    group by c.balance
  ) h;
  return jsonb_build_object(
    'owed', jsonb_build_object(
      'points', (select coalesce(sum(b * n), 0) from unnest(v_balances, v_holders) h (b, n)),
      'customers', (select coalesce(sum(n), 0) from unnest(v_holders) n),
      'codes', (select count(*) from public.points_spends s
        where s.org_id = p_org_id and s.status = 'available' and s.expires_at > now())),
    'earns', exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.type = 'points' and r.active and r.archived_at is null),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'version', r.version, 'name', r.name, 'translations', r.translations, 'cost', r.cost, 'stock', r.stock, 'active', r.active,
        -- Balances of several customers are not added up: each spends their own.
        'affordable', (select coalesce(sum(b / r.cost * n), 0) from unnest(v_balances, v_holders) h (b, n)),
        'spends', (select count(*) from public.points_spends s
          where s.org_id = p_org_id and s.points_reward_id = r.id and s.status <> 'expired'))
        order by r.cost, r.name, r.id)
      from public.points_rewards r where r.org_id = p_org_id), '[]'::jsonb));
end;
$function$;

COMMENT ON FUNCTION "private"."describe_checks"(private.check_groups[], boolean) IS 'Groups of prizes to check in their order, each with its newest 50 codes and all their reasons; names only where asked.';

REVOKE ALL ON FUNCTION "private"."describe_checks"(private.check_groups[], boolean) FROM PUBLIC;
