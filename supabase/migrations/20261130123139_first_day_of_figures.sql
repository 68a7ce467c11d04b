-- Why: A shop of this month was offered the reports of twelve months before it, all of them empty.

set check_function_bodies = off;

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
    'limits', coalesce(
      (select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
         'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
       from public.subscriptions s join public.plan_limits l on l.plan = s.plan where s.org_id = p_org_id),
      '{"max_active_campaigns": 1, "monthly_spins": 100, "max_users": 2}'::jsonb),
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
