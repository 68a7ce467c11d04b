-- Why: a merchant compares 7, 30, 90 or other days, and sees what they brought, after prizes and subscription

set check_function_bodies = off;

DROP FUNCTION "private"."recent_days"(uuid, date);

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with by_store as materialized (
    select d.store_id, sum(d.redemptions) as visits
    from (
      select f.store_id, f.redemptions from public.campaign_daily_stats f
      where f.org_id = p_org_id and f.shard = 16 and f.day >= p_from and f.day < p_until
      union all
      select f.store_id, f.redemptions from public.campaign_daily_stats f
      where f.org_id = p_org_id and f.shard < 16 and f.day >= p_from and f.day < p_until
    ) d
    group by d.store_id having sum(d.redemptions) <> 0
  ), stores as materialized (
    select v.store_id, v.visits, s.name, s.average_basket
    from by_store v join public.stores s on s.org_id = p_org_id and s.id = v.store_id
  ), prizes as (
    select coalesce(sum(d.redemptions * w.value), 0) as cost,
      coalesce(sum(d.redemptions) filter (where w.value is null), 0) as unpriced
    from private.reward_days_now(p_org_id) d
    join public.rewards w on w.org_id = p_org_id and w.id = d.reward_id
    where d.redemptions <> 0 and d.day >= p_from and d.day < p_until
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'cost', (select p.cost from prizes p), 'unpriced', (select p.unpriced from prizes p),
    'stores', (select count(*) from stores),
    -- Where the figure is not known comes first: it is what one has to fill in.
    'baskets', coalesce((
      select jsonb_agg(jsonb_build_object('id', v.store_id, 'name', v.name, 'average_basket', v.average_basket,
        'visits', v.visits) order by v.average_basket is not null, v.visits desc, v.name, v.store_id)
      from (
        select * from stores v order by v.average_basket is not null, v.visits desc, v.name, v.store_id limit 5
      ) v), '[]'::jsonb),
    'plan', (
      select jsonb_build_object('plan', s.plan, 'billing', s.billing)
      from public.subscriptions s where s.org_id = p_org_id));
$function$;

CREATE OR REPLACE FUNCTION private.recent_days(p_org_id uuid, p_last date, p_days integer DEFAULT 30, p_until date DEFAULT 'infinity'::date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with days as materialized (
    select d.day, d.day > p_last - p_days as is_recent, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews, sum(d.spins) as spins,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.day_figures_now(p_org_id, p_last - 2 * p_days + 1, p_until) d
    group by d.day
  ), periods as (
    select p.is_recent, jsonb_build_object(
      'scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
      'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
      'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0)) as totals
    from (values (true), (false)) p (is_recent) left join days d on d.is_recent = p.is_recent
    group by p.is_recent
  )
  select jsonb_build_object(
    'totals', (select p.totals from periods p where p.is_recent),
    'previous', (select p.totals from periods p where not p.is_recent),
    'monthly_spins', (
      select coalesce(sum(d.spins), 0) from days d
      where d.day >= date_trunc('month', p_last)::date and d.day < (date_trunc('month', p_last) + interval '1 month')::date),
    'days', (
      select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(d.scans, 0),
        'reviews', coalesce(d.reviews, 0), 'spins', coalesce(d.spins, 0)) order by calendar.day)
      from generate_series(p_last - p_days + 1, p_last, interval '1 day') as calendar (day)
      left join days d on d.day = calendar.day::date),
    'funnel', (
      select private.funnel(jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
        'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
        'redemptions', coalesce(sum(d.redemptions), 0)))
      from days d where d.is_recent and d.day <= p_last));
$function$;

CREATE OR REPLACE FUNCTION public.dashboard(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_today date;
  v_recent jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
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
    'todo', private.next_steps(p_org_id, v_today),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel',
      'return', private.period_return(p_org_id, v_today - 29, 'infinity')) end,
    'activity', private.recent_activity(p_org_id, private.may_name_customers(p_org_id)),
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

CREATE OR REPLACE FUNCTION public.period_figures(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_recent jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read')))
    or not private.has_feature(p_org_id, 'advanced_analytics') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- « is not true »: a comparison with null is neither.
  if (p_from > '2000-01-01' and p_to < '2200-01-01' and p_to - p_from between 0 and 365) is not true then
    raise exception 'period_invalid' using errcode = '22023';
  end if;
  v_recent := private.recent_days(p_org_id, p_to, p_to - p_from + 1, p_to + 1);
  return jsonb_build_object('totals', v_recent -> 'totals', 'previous', v_recent -> 'previous',
    'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel',
    'return', private.period_return(p_org_id, p_from, p_to + 1));
end;
$function$;

CREATE INDEX campaign_daily_stats_settled_idx ON public.campaign_daily_stats USING btree (org_id, day) WHERE (shard = 16);

CREATE INDEX reward_daily_stats_used_idx ON public.reward_daily_stats USING btree (org_id, day) WHERE (redemptions <> 0);

COMMENT ON FUNCTION "private"."period_return"(uuid, date, date) IS 'What an organisation''s days from one up to another, which is left out, brought and cost, in euros: visits brought back (codes used), what they are worth at each store''s average basket, visits of stores without one (unestimated), the used rewards at the value that each has now, uses without a value (unpriced), the 5 stores to look at, and the plan.';

COMMENT ON FUNCTION "private"."recent_days"(uuid, date, integer, date) IS 'Figures of an organisation''s p_days days that end with p_last, read once: their totals (of all days before p_until), those of as many days before, each of the days, oldest first, how far customers came in them, and the spins of the last one''s month, where both periods together hold all of it.';

COMMENT ON FUNCTION "public"."period_figures"(uuid, date, date) IS 'Figures of an organisation''s days from one to another, both counted, beside those of as many days before; the shape is periodFigures of _shared/domain. Errors: 42501 without the permission activity.read there or a plan with advanced_analytics, 22023 (period_invalid) when the last day is before the first one, or there are more than 366.';

REVOKE ALL ON FUNCTION "private"."period_return"(uuid, date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recent_days"(uuid, date, integer, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."period_figures"(uuid, date, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."period_figures"(uuid, date, date) TO "authenticated";
