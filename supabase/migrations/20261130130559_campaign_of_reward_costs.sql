-- Why: rewards of the same name, of several campaigns, stood in the list of costs without a difference.

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
      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'uses', t.uses, 'value', t.value, 'version', t.version,
          'campaign', (select c.name from public.campaigns c where c.org_id = p_org_id and c.id = t.campaign_id))
        order by t.value is not null, t.uses * t.value desc, t.uses desc, t.name, t.id)
      from (
        select r.id, r.name, r.campaign_id, u.uses, r.value, r.version
        from used u join public.rewards r on r.org_id = p_org_id and r.id = u.reward_id
        order by r.value is not null, u.uses * r.value desc, u.uses desc, r.name, r.id limit 5
      ) t), '[]'::jsonb));
$function$;
