-- Why: a running campaign that was asked for among closed ones was answered as paused.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.closed_campaign_page(p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_is_open boolean;
  v_is_running boolean;
  v_was_played boolean;
begin
  select c.* into v_campaign from public.campaigns c
  where c.id = coalesce(
    (select n.id from public.campaigns n where n.slug = p_slug),
    (select r.campaign_id from public.campaign_slug_redirects r where r.slug = p_slug));
  if not found then
    return null;
  end if;
  select private.is_open(u), private.is_running(v_campaign, u) into v_is_open, v_is_running
  from public.subscriptions u where u.org_id = v_campaign.org_id;
  if v_is_running then
    return null;
  end if;
  v_was_played := exists (
    select 1 from public.spins s where s.org_id = v_campaign.org_id and s.campaign_id = v_campaign.id
  );
  -- A draft is not answered: only campaigns that were played once, or that begin on a known day.
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

COMMENT ON FUNCTION "public"."closed_campaign_page"(text) IS 'Public facts of a campaign that does not run, by present or former slug: whose it is, why nobody can play, and what is open instead. Null for a draft: a campaign that was never played and has no day to begin on. Null as well for one that runs (campaign_page). The shape is closedCampaign of _shared/domain.';
