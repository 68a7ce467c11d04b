-- Why: a poster that was taken is a step of its own in what a campaign still needs; those that were scanned count as having one.

set check_function_bodies = off;

ALTER TABLE "public"."campaigns" ADD COLUMN "poster_at" timestamp with time zone;

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
        'visits', v_totals -> 'redemptions')) end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.note_poster(p_campaign_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform 1 from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.campaigns c set poster_at = now() where c.id = p_campaign_id and c.poster_at is null;
end;
$function$;

COMMENT ON COLUMN "public"."campaigns"."poster_at" IS 'When a poster of it was taken first; null before.';

COMMENT ON FUNCTION "public"."note_poster"(uuid) IS 'Writes down that a poster of a campaign was taken, once: what is taken later changes nothing. Error 42501 when it is not a campaign that one may change.';

REVOKE ALL ON FUNCTION "public"."note_poster"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."note_poster"(uuid) TO "authenticated";
