-- The reads of one campaign, store or reward tell of an ended plan before they look for it, whatever plan PostgreSQL picks.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.campaign_editor(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a campaign or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
  v_library uuid[];
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    and exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = c.org_id
        and private.role_may(m.role, 'campaigns.write'));
  if not found then
    return null;
  end if;
  v_wheel := private.wheel(v_campaign.org_id, p_id, null);
  v_is_drawn := exists (select 1 from public.wheel_segments s where s.campaign_id = p_id);
  if v_campaign.org_id = any (array(select private.my_org_ids('rewards.read'))) then
    v_library := array(
      select r.id from public.rewards r
      where r.org_id = v_campaign.org_id and r.campaign_id <> p_id and r.active and r.archived_at is null
      order by r.created_at desc, r.id limit 200);
  end if;
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at,
      'translations', v_campaign.translations),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight,
        'translations', coalesce(s.translations, d.translations, '{}')) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
      left join public.wheel_segments s on s.campaign_id = p_id and s.id = w.id
      -- The losing segment of a wheel that is only suggested.
      left join private.default_segments d
        on d.purpose = 'losing' and not v_is_drawn and w.reward_id is null and d.label = w.label
    ),
    'rewards', coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'active', r.active, 'stock', r.stock,
        'is_archived', r.archived_at is not null, 'value', r.value, 'picture', r.picture, 'home', r.home)
        order by r.home nulls first, r.created_at, r.id)
      from (
        select w.*, case when w.campaign_id <> p_id then c.name end as home
        from (
          select o.id from public.rewards o
          where o.org_id = v_campaign.org_id and o.campaign_id = p_id and o.archived_at is null
          union
          select s.reward_id from public.wheel_segments s where s.campaign_id = p_id
          union
          select l from unnest(v_library) l
        ) i
        -- One by one: a condition that has all three would compare each reward with the whole library.
        cross join lateral (
          select * from public.rewards r where r.org_id = v_campaign.org_id and r.id = i.id offset 0
        ) w
        join public.campaigns c on c.org_id = v_campaign.org_id and c.id = w.campaign_id
      ) r
    ), '[]'::jsonb),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_stats(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a campaign or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_campaign public.campaigns;
  v_store public.stores;
  v_totals jsonb;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (v_org_ids);
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

CREATE OR REPLACE FUNCTION public.reward_stats(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a reward or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_reward public.rewards;
  v_campaign_name text;
  v_today date;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  select c.name, private.now_in(s.timezone)::date into v_campaign_name, v_today
  from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = v_reward.org_id and c.id = v_reward.campaign_id;
  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type,
      'stock', v_reward.stock, 'campaign_name', v_campaign_name),
    'advanced', case when private.has_feature(v_reward.org_id, 'advanced_analytics') then jsonb_build_object(
      'figures', private.reward_figures(v_reward.org_id, p_id),
      'counts', private.code_counts(v_reward.org_id, p_id),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'wins', coalesce(f.wins, 0),
          'redemptions', coalesce(f.redemptions, 0)) order by calendar.day)
        from generate_series(v_today - 89, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.wins) as wins, sum(d.redemptions) as redemptions
          from private.reward_days_now(v_reward.org_id) d
          where d.reward_id = p_id and d.day >= v_today - 89
          group by d.day
        ) f on f.day = calendar.day::date
      )) end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_stats(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a store or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_store public.stores;
  v_today date;
  v_figures jsonb;
begin
  select * into v_store from public.stores s
  where s.id = p_id and s.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  v_today := private.now_in(v_store.timezone)::date;
  v_figures := private.store_figures(v_store.org_id, p_id);
  return jsonb_build_object(
    'store', jsonb_build_object('id', v_store.id, 'name', v_store.name, 'address', v_store.address),
    'public_rating', private.public_rating(v_store.org_id, p_id, 60) || jsonb_build_object('url', v_store.google_review_url),
    'figures', v_figures - '{free_spins,free_wins,free_redemptions}'::text[],
    'advanced', case when private.has_feature(v_store.org_id, 'advanced_analytics') then jsonb_build_object(
      'funnel', private.funnel(v_figures),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
          'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
        from generate_series(v_today - 29, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
          from private.store_days_now(v_store.org_id, p_id, v_today - 29, 'infinity') d
          group by d.day
        ) f on f.day = calendar.day::date
      )) end,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'scans', f.scans,
        'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
      from (
        select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
        from private.campaign_figures_now(v_store.org_id) d where d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$function$;
