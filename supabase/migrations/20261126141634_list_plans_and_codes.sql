-- Why: codes, prizes to check and costs were planned anew for each row that they show; period_figures and period_costs share their guard.

set check_function_bodies = off;

DROP FUNCTION "private"."reward_figures"(uuid, uuid);

CREATE OR REPLACE FUNCTION private.code_counts(p_org_id uuid, p_reward_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'total', f.codes + g.codes, 'used', f.redemptions + g.used, 'expired', f.expirations + o.codes + g.expired,
    'available', f.codes - f.redemptions - f.expirations - o.codes + g.codes - g.used - g.expired)
  from jsonb_to_record(private.reward_figures(p_org_id, p_reward_id))
    as f (codes bigint, redemptions bigint, expirations bigint),
    -- Over, but not yet seen by the job that comes every minute: few. Asked in the order of the index in which they stand first:
    -- a plan made for any reward might else read all of its codes.
    (select count(*) as codes from (
       select r.spin_id from public.redemptions r
       where r.status = 'available' and r.expires_at <= now() and r.org_id = p_org_id and r.reward_id = p_reward_id
       order by r.expires_at, r.id offset 0
     ) r where r.spin_id is not null) o,
    (select count(*) as codes, count(*) filter (where r.status = 'used') as used,
       count(*) filter (where private.code_state(r) = 'expired') as expired
     from public.redemptions r where r.org_id = p_org_id and r.reward_id = p_reward_id and r.spin_id is null) g;
$function$;

CREATE OR REPLACE FUNCTION private.code_page(p_org_id uuid, p_reward_id uuid, p_status text, p_pattern text, p_prefix text, p_skip integer, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_last constant integer := p_skip + p_limit;
begin
  -- Each state is found by an index in which the newest stand first; what is over stands in two of its ranges.
  return array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_pattern, p_prefix)
         and case when p_status = 'expired' then r.status = 'expired' and r.verdict is null
           else private.is_in_code_list(r, p_status) end
       order by r.created_at desc, r.id desc limit v_last)
      union all
      -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
      (select r.id, r.created_at from public.redemptions r
       where p_status = 'expired' and r.status = 'available' and r.expires_at <= now() and r.verdict is null
         and r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_pattern, p_prefix)
       order by r.created_at desc, r.id desc limit v_last)
    ) found
    order by found.created_at desc, found.id desc
    limit p_limit offset p_skip
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.period_costs(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with used as materialized (
    select u.reward_id, sum(u.uses) as uses
    from (
      -- In the order of their index, days need no sorting: most rows are theirs.
      select d.reward_id, sum(d.redemptions) as uses from public.reward_daily_stats d
      where d.org_id = p_org_id and d.day >= p_from and d.day < p_until group by d.reward_id
      union all
      select f.reward_id, f.redemptions from private.recent_figures f
      where f.org_id = p_org_id and f.reward_id is not null and f.day >= p_from and f.day < p_until and f.redemptions <> 0
      union all
      -- What the team gave costs as much.
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

CREATE OR REPLACE FUNCTION private.require_period(p_org_id uuid, p_from date, p_to date)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read')))
    or not private.has_feature(p_org_id, 'advanced_analytics') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- « is not true »: a comparison with null is neither.
  if (p_from > '2000-01-01' and p_to < '2200-01-01' and p_to - p_from between 0 and 365) is not true then
    raise exception 'period_invalid' using errcode = '22023';
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.reward_figures(p_org_id uuid, p_reward_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
    'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
  from private.reward_totals_now(p_org_id) t
  where t.reward_id = p_reward_id;
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
    'items', coalesce((
      select jsonb_agg(private.describe_check(v_groups[n], 'customers.read' = any (v_held)) order by n)
      from generate_series(1, least(coalesce(array_length(v_groups, 1), 0), v_page_size)) n
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.period_costs(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform private.require_period(p_org_id, p_from, p_to);
  return private.period_costs(p_org_id, p_from, case
    -- The usual days have no end: a store further east is a day ahead.
    when p_to >= private.now_in(private.timezone_of(p_org_id))::date then date 'infinity' else p_to + 1 end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.period_figures(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform private.require_period(p_org_id, p_from, p_to);
  return private.period(p_org_id, p_from, p_to);
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
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
  v_pattern text;
  v_prefix text;
  v_items jsonb;
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
  -- Whoever may not know whose a code is does not find it by a name either: those look by its first letters.
  if v_is_named then
    v_pattern := private.code_pattern(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- One more than is shown tells whether there is a next page.
  if p_sort <> '' then
    v_ids := private.sorted_codes(v_org_id, p_id, v_status, v_pattern, v_prefix, p_sort, v_skip, v_page_size + 1);
  else
    v_ids := private.code_page(v_org_id, p_id, v_status, v_pattern, v_prefix, v_skip, v_page_size + 1);
  end if;
  -- One by one, by their key: a kept plan of « any (…) » might read all codes.
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end, 'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', private.code_trace(v_org_id, shown.id)) order by f.place), '[]'::jsonb)
  into v_items
  from unnest(v_ids) with ordinality f (id, place)
  cross join lateral (
    select r.* from public.redemptions r where r.org_id = v_org_id and r.id = f.id offset 0
  ) shown;

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$function$;

COMMENT ON FUNCTION "private"."code_page"(uuid, uuid, text, text, text, integer, integer) IS 'Codes of a reward, newest first, that are in the list of a state and match a search, as in sorted_codes: so many after so many.';

COMMENT ON FUNCTION "private"."require_period"(uuid, date, date) IS 'Refuses days that are no period, or of which one may not read figures. Errors: those of period_figures.';

COMMENT ON FUNCTION "private"."reward_figures"(uuid, uuid) IS 'Figures of a reward''s whole life.';

REVOKE ALL ON FUNCTION "private"."code_page"(uuid, uuid, text, text, text, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_period"(uuid, date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reward_figures"(uuid, uuid) FROM PUBLIC;
