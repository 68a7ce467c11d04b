-- Each assumption of « Ce que ça rapporte » is changed where it stands: the share of codes that brought a visit back, and what prizes cost.

set check_function_bodies = off;

DROP TRIGGER "audit_organization_change" ON "public"."organizations";

ALTER TABLE "public"."organizations" ADD COLUMN "return_share" smallint NOT NULL DEFAULT 100;

CREATE OR REPLACE FUNCTION private.period_costs(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with used as materialized (
    select u.reward_id, sum(u.uses) as uses
    from (
      select d.reward_id, d.redemptions as uses from private.reward_days_now(p_org_id) d
      where d.day >= p_from and d.day < p_until and d.redemptions <> 0
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
    -- Where the figure is not known comes first: it is what one has to fill in.
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'uses', t.uses, 'value', t.value, 'version', t.version)
        order by t.value is not null, t.uses * t.value desc, t.uses desc, t.name, t.id)
      from (
        select r.id, r.name, u.uses, r.value, r.version
        from used u join public.rewards r on r.org_id = p_org_id and r.id = u.reward_id
        order by r.value is not null, u.uses * r.value desc, u.uses desc, r.name, r.id limit 5
      ) t), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded is read once for all stores; of what is, each store's days stand side by side.
  with recent as materialized (
    select d.store_id, sum(d.redemptions) as visits from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_until group by d.store_id
  ), stores as materialized (
    select s.id as store_id, coalesce(v.visits, 0) + coalesce(n.visits, 0) as visits, s.name, s.average_basket
    from public.stores s
    left join recent n on n.store_id = s.id
    cross join lateral (
      select sum(f.redemptions) as visits from private.folded_store_days f
      where f.org_id = p_org_id and f.store_id = s.id and f.day >= p_from and f.day < p_until
    ) v
    where s.org_id = p_org_id and coalesce(v.visits, 0) + coalesce(n.visits, 0) <> 0
  ), prizes as (
    select c.cost, c.unpriced from private.cost_now(p_org_id, p_from, p_until) c
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'return_share', (select o.return_share from public.organizations o where o.id = p_org_id),
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

CREATE OR REPLACE FUNCTION public.campaign_stats(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_totals jsonb;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  v_totals := private.campaign_totals(v_campaign.org_id, p_campaign_id);
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'name', v_campaign.name, 'active', v_campaign.active,
      'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at,
      'has_prize', p_campaign_id in (select private.with_prize(v_campaign.org_id, array[p_campaign_id])),
      'has_reward', exists (
        select 1 from public.rewards r
        where r.org_id = v_campaign.org_id and r.active and r.archived_at is null and (
          r.campaign_id = p_campaign_id or r.id in (
            select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))),
      'store_id', v_store.id, 'has_review_link', v_store.google_review_url is not null,
      'has_poster', v_campaign.poster_at is not null or (v_totals ->> 'scans')::bigint > 0),
    'totals', v_totals - '{free_spins,free_wins,free_redemptions}'::text[],
    'reviews', private.campaign_reviews(
      v_campaign.org_id, p_campaign_id, private.may_name_customers(v_campaign.org_id)),
    'top_rewards', private.campaign_top_rewards(v_campaign.org_id, p_campaign_id),
    'advanced', case when private.has_feature(v_campaign.org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.campaign_days(v_campaign.org_id, p_campaign_id, private.now_in(v_store.timezone)::date),
      'funnel', private.funnel(v_totals),
      'return', private.campaign_cost(v_campaign.org_id, p_campaign_id) || jsonb_build_object(
        'store_id', v_store.id, 'average_basket', v_store.average_basket,
        'return_share', (select o.return_share from public.organizations o where o.id = v_campaign.org_id),
        'visits', v_totals -> 'redemptions')) end);
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
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read')))
    or not private.has_feature(p_org_id, 'advanced_analytics') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if (p_from > '2000-01-01' and p_to < '2200-01-01' and p_to - p_from between 0 and 365) is not true then
    raise exception 'period_invalid' using errcode = '22023';
  end if;
  return private.period_costs(p_org_id, p_from, case
    -- The usual days have no end: a store further east is a day ahead.
    when p_to >= private.now_in(private.timezone_of(p_org_id))::date then date 'infinity' else p_to + 1 end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_return_share(p_org_id uuid, p_before integer, p_share integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_share integer;
begin
  select o.return_share into v_share from public.organizations o
  where o.id = p_org_id and o.id = any (array(select private.my_org_ids('organization.update')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  -- Saved already: a request whose answer was lost comes again.
  elsif v_share = p_share then
    return;
  elsif v_share is distinct from p_before then
    raise exception 'return_share_changed' using errcode = 'TV071', detail = v_share::text;
  end if;
  update public.organizations o set return_share = p_share where o.id = p_org_id;
end;
$function$;

ALTER TABLE "public"."organizations" ADD CONSTRAINT "organizations_return_share_check" CHECK (((return_share >= 0) AND (return_share <= 100)));

CREATE TRIGGER audit_organization_change AFTER INSERT OR UPDATE OF name, slug, return_share ON public.organizations FOR EACH ROW EXECUTE FUNCTION private.audit_change('organization', 'name', 'slug', 'return_share');

COMMENT ON COLUMN "public"."organizations"."return_share" IS 'Of a hundred codes used, how many brought their customer back, as the merchant reckons: what earnings count.';

COMMENT ON FUNCTION "private"."period_costs"(uuid, date, date) IS 'How many rewards of an organisation were used from one day up to another, which is left out, and the 5 to look at: those without a value, then those that cost most, each with its uses, its value now in euros and its version.';

COMMENT ON FUNCTION "private"."period_return"(uuid, date, date) IS 'What an organisation''s days from one up to another, which is left out, brought and cost, in euros: visits brought back (codes used), what they are worth at each store''s average basket, visits of stores without one (unestimated), the share of them that the merchant counts (return_share, a hundredth), the used rewards at the value that each has now, uses without a value (unpriced), the 5 stores to look at, and the plan.';

COMMENT ON FUNCTION "public"."period_costs"(uuid, date, date) IS 'The 5 rewards to look at of those that were used from one day to another, both counted; the shape is periodCosts of _shared/domain. Errors: those of period_figures.';

COMMENT ON FUNCTION "public"."set_return_share"(uuid, integer, integer) IS 'Sets how many of a hundred codes used brought their customer back, 0 to 100; p_before is what stood there when it was read. Errors: TV071 somebody changed it since (nothing is overwritten), 23514, 23502 or 22003 not such a number, 42501 without the permission organization.update there.';

REVOKE ALL ON FUNCTION "private"."period_costs"(uuid, date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."period_costs"(uuid, date, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."period_costs"(uuid, date, date) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_return_share"(uuid, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."set_return_share"(uuid, integer, integer) TO "authenticated";
