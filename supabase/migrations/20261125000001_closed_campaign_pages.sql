-- Why: says of a closed campaign whose it is and what is open instead, and how long one waits between two plays

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.open_wheels(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', c.slug, 'name', c.name, 'store_name', s.name, 'timezone', s.timezone, 'ends_at', c.ends_at
  ) order by c.created_at desc, c.id), '[]'::jsonb)
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  where c.org_id = p_org_id and c.active and private.is_running(c, u);
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
    'segments', (
      select jsonb_agg(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color, 'position', w.n - 1)
        order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors) with ordinality as w (id, label, color, n)
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

CREATE OR REPLACE FUNCTION public.closed_campaign_page(p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_is_open boolean;
  v_was_played boolean;
begin
  select c.* into v_campaign from public.campaigns c
  where c.id = coalesce(
    (select n.id from public.campaigns n where n.slug = p_slug),
    (select r.campaign_id from public.campaign_slug_redirects r where r.slug = p_slug));
  if not found then
    return null;
  end if;
  select private.is_open(u) into v_is_open from public.subscriptions u where u.org_id = v_campaign.org_id;
  v_was_played := exists (
    select 1 from public.spins s where s.org_id = v_campaign.org_id and s.campaign_id = v_campaign.id
  );
  -- Nobody is told of a draft: only of what was played once, and of what has its day.
  if not v_was_played and not (v_is_open and v_campaign.active and coalesce(v_campaign.starts_at > now(), false)) then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'state', case
        when v_campaign.ends_at <= now() or v_campaign.archived_at is not null then 'ended'
        when v_is_open and v_campaign.active and v_campaign.starts_at > now() then 'upcoming'
        else 'paused'
      end,
      'slug', v_campaign.slug,
      'name', v_campaign.name,
      'store', jsonb_build_object('name', s.name, 'timezone', s.timezone),
      'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
      'starts_at', v_campaign.starts_at,
      'ends_at', v_campaign.ends_at,
      'was_played', v_was_played,
      'open_wheels', private.open_wheels(o.id),
      'white_label', private.has_feature(o.id, 'white_label'),
      'brand', private.brand(o.id))
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
    where o.id = v_campaign.org_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION public.organization_page(p_slug text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'name', o.name,
    'slug', o.slug,
    'white_label', private.has_feature(o.id, 'white_label'),
    'brand', private.brand(o.id),
    'campaigns', private.open_wheels(o.id)
  )
  from public.organizations o
  join public.subscriptions u on u.org_id = o.id
  where o.id = (
      select n.id
      from (
        select g.id, 0 as rank from public.organizations g where g.slug = p_slug
        union all
        select r.org_id, 1 from public.organization_slug_redirects r where r.slug = p_slug
      ) n
      order by n.rank limit 1
    )
    and private.is_open(u);
$function$;

COMMENT ON FUNCTION "private"."open_wheels"(uuid) IS 'The running campaigns of an organisation, newest first, as the public sees them. The shape is openWheel of _shared/domain.';

COMMENT ON FUNCTION "public"."closed_campaign_page"(text) IS 'What the public may know of a campaign that does not run, by present or former slug: whose it is, why nobody can play, and what is open instead. Null for a draft: a campaign that was never played and has no day to begin on. The shape is closedCampaign of _shared/domain; for a campaign that runs, ask campaign_page.';

REVOKE ALL ON FUNCTION "private"."open_wheels"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."closed_campaign_page"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."closed_campaign_page"(text) TO "service_role";
