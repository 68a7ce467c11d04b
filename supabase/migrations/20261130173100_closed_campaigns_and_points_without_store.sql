-- Why: customers who met a campaign before anybody played learned neither its store nor that it pauses, and points bought codes that no store takes.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.buy_with_points(p_org_id uuid, p_lots uuid[], p_points_reward_id uuid, p_cost integer, p_request_id uuid, p_timezone text, OUT outcome text, OUT spend public.points_spends)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_balance bigint;
  v_customer_id uuid;
  v_reward public.points_rewards;
  v_code text;
begin
  -- A deletion of the reward at this instant goes first or waits.
  select * into v_reward from public.points_rewards r
  where r.org_id = p_org_id and r.id = p_points_reward_id and r.active
  for key share;
  if not found or not private.gives_for_points(p_org_id) then
    outcome := 'points_reward_gone';
    return;
  elsif v_reward.cost is distinct from p_cost then
    outcome := 'points_cost_changed';
    return;
  end if;
  select coalesce(sum(l.remaining), 0), (array_agg(l.customer_id order by l.id desc))[1] into v_balance, v_customer_id
  from public.points_ledger l
  where l.org_id = p_org_id and l.id = any (p_lots) and private.is_spendable(l);
  if v_balance < v_reward.cost then
    outcome := 'points_missing';
    return;
  end if;
  if v_reward.stock <> -1 then
    update public.points_rewards r set stock = r.stock - 1
    where r.org_id = v_reward.org_id and r.id = v_reward.id and r.stock > 0;
    if not found then
      outcome := 'points_sold_out';
      return;
    end if;
  end if;
  loop
    v_code := private.random_code('PTS-{random}');
    -- Codes of prizes come first at the till: none may hide this one.
    continue when exists (
      select 1 from public.redemptions d
      where d.org_id = p_org_id and d.code_key = private.code_key(v_code));
    insert into public.points_spends (
      org_id, customer_id, points_reward_id, reward_name, points, request_id, code, expires_at
    ) values (
      p_org_id, v_customer_id, v_reward.id, v_reward.name, v_reward.cost, p_request_id, v_code,
      private.day_end(private.now_in(p_timezone)::date + 30, p_timezone)
    )
    on conflict (org_id, code_key) do nothing
    returning * into spend;
    exit when spend.id is not null;
  end loop;
  perform private.take_points(spend, p_lots);
  update public.customers c set last_activity_at = now() where c.org_id = p_org_id and c.id = v_customer_id;
  outcome := 'spent';
end;
$function$;

CREATE OR REPLACE FUNCTION private.gives_for_points(p_org_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u))
    and exists (select 1 from public.stores s where s.org_id = p_org_id and s.archived_at is null);
$function$;

CREATE OR REPLACE FUNCTION private.points_offer(p_org_id uuid, p_locale text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id,
    'name', private.in_language(r.name, r.translations, p_locale), 'cost', r.cost, 'sold_out', r.stock = 0)
    order by r.cost, r.name, r.id), '[]'::jsonb)
  from (
    select * from public.points_rewards w
    where w.org_id = p_org_id and w.active and private.gives_for_points(p_org_id)
    order by w.cost, w.id limit 50
  ) r;
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
  -- A draft is not answered: only campaigns that customers have met, or that begin on a known day.
  if not v_was_played
    and not (v_is_open and v_campaign.active and coalesce(v_campaign.starts_at > now(), false))
    and not exists (
      select 1 from public.scan_events e where e.org_id = v_campaign.org_id and e.campaign_id = v_campaign.id)
    and not exists (
      select 1 from public.pre_spin_reviews r where r.org_id = v_campaign.org_id and r.campaign_id = v_campaign.id)
  then
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

COMMENT ON FUNCTION "private"."gives_for_points"(uuid) IS 'Whether points buy anything at an organisation: while it is open, and has a store in use, which takes the code.';

COMMENT ON FUNCTION "private"."points_offer"(uuid, text) IS 'The 50 cheapest rewards of a catalogue that can be had, cheapest first, named in a language (null: as the merchant has named them); none where points buy nothing (private.gives_for_points).';

COMMENT ON FUNCTION "private"."points_wallet"(uuid, jsonb, text) IS 'Points that a phone can prove (private.proven_points), in its language: balance, the points that end first, where its codes are taken (private.taken_in), the catalogue (private.points_offer), and the last 10 codes; null without such a campaign. The shape is pointsWallet of _shared/domain.';

COMMENT ON FUNCTION "public"."closed_campaign_page"(text) IS 'Public facts of a campaign that does not run, by present or former slug: whose it is, why nobody can play, and what is open instead. Null for a draft: a campaign that was never scanned, reviewed or played and has no day to begin on. Null as well for one that runs (campaign_page). The shape is closedCampaign of _shared/domain.';

REVOKE ALL ON FUNCTION "private"."gives_for_points"(uuid) FROM PUBLIC;
