-- Why: the editor tells what a turn costs, and customers and posters see no segment that no turn can end on

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.campaign_editor(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.read')))
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
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
    ),
    'rewards', coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'active', r.active, 'stock', r.stock,
        'is_archived', r.archived_at is not null, 'value', r.value) order by r.created_at, r.id)
      from public.rewards r
      where r.campaign_id = p_id and (r.archived_at is null or exists (
        select 1 from public.wheel_segments s
        where s.org_id = r.org_id and s.campaign_id = p_id and s.reward_id = r.id))
    ), '[]'::jsonb),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_page(p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_open boolean;
  v_result jsonb;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return null;
  end if;
  select * into v_wheel from private.wheel(v_campaign.org_id, v_campaign.id, null);
  v_is_open := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable) is not null
    and not v_wheel.is_example;

  select jsonb_build_object(
    'id', v_campaign.id,
    'slug', v_campaign.slug,
    'name', v_campaign.name,
    'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
    'store', jsonb_build_object('id', s.id, 'name', s.name, 'timezone', s.timezone),
    'google_review_url', s.google_review_url,
    'review_mode', s.review_mode,
    'starts_at', v_campaign.starts_at,
    'ends_at', v_campaign.ends_at,
    'play_interval_days', v_campaign.play_interval_days,
    -- The wheel is drawn as it is drawn from: what no turn can end on is not shown to those who turn it.
    'segments', (
      select jsonb_agg(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color, 'position', w.n - 1)
        order by w.n)
      from (
        select s.id, s.label, s.color, row_number() over (order by s.n) as n
        from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
          with ordinality as s (id, label, color, weight, n)
        where s.weight > 0
      ) w
    ),
    'wheel_open', v_is_open and (
      l.monthly_spins < 0
      or private.monthly_spins_used(o.id, private.now_in(s.timezone)::date) < l.monthly_spins
    ),
    'rules_version', v_campaign.rules_version,
    'white_label', l.white_label,
    'brand', private.brand(o.id)
  ) into v_result
  from public.organizations o
  join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
  join public.subscriptions u on u.org_id = o.id
  join public.plan_limits l on l.plan = u.plan
  where o.id = v_campaign.org_id;
  return v_result;
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_poster(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'segments', (
      select jsonb_agg(jsonb_build_object('color', t.color,
        'prize', case when t.reward_id is not null and not w.is_example then t.label end) order by t.n)
      from unnest(w.colors, w.labels, w.reward_ids, w.weights) with ordinality as t (color, label, reward_id, weight, n)
      where t.weight > 0
    ),
    'white_label', private.has_feature(c.org_id, 'white_label'),
    'brand', private.brand(c.org_id))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
$function$;

COMMENT ON FUNCTION "public"."campaign_poster"(uuid) IS 'What a campaign''s posters show: address, names, its wheel''s segments of a weight above zero in order with the prizes that they stand for, whether the product''s name stays away (white_label), and the merchant''s brand in its place. The shape is campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was put away, and when its store is gone.';
