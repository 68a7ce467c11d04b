-- Why: without a choice, removing meant deleting, a review was taken as untouched, and points were spent whatever the cost that was shown.

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
  if not found or not exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u)) then
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

CREATE OR REPLACE FUNCTION public.remove_campaign(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.delete')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun, and none begins anything afterwards.
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  -- The lock waits for all who take part right now: in a campaign that has customers it might never come.
  if not private.has_campaign_history(v_org_id, p_id) then
    -- Rewards before campaigns, as whoever changes, wins or draws one: two orders would make deadlocks.
    perform 1 from public.rewards r
    where r.org_id = v_org_id and r.campaign_id = p_id and not private.is_shared(r) order by r.id for update;
    perform 1 from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id order by r.id for no key update;
    perform private.lock_sharing_campaigns(v_org_id, p_id, array(
      select r.id from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id));
    perform 1 from public.campaigns c where c.id = p_id for update;
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  -- Shared rewards move to another campaign that uses them.
  update public.rewards r set campaign_id = (
    select min(s.campaign_id::text)::uuid from public.wheel_segments s where s.org_id = v_org_id and s.reward_id = r.id)
  where r.org_id = v_org_id and r.campaign_id = p_id and private.is_shared(r);
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_reward(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_dependencies record;
begin
  select r.org_id into v_org_id from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('rewards.delete')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is winning it: a draw that has begun ends, and none begins with it afterwards.
    update public.rewards r set archived_at = now() where r.id = p_id and r.archived_at is null;
    return;
  end if;
  v_dependencies := private.reward_dependencies(v_org_id, p_id);
  -- The lock waits for all who win it right now: of a reward in demand it might never come.
  if not v_dependencies.wins and v_dependencies.segments = 0 then
    perform 1 from public.rewards r where r.id = p_id for update;
    v_dependencies := private.reward_dependencies(v_org_id, p_id);
  end if;
  if v_dependencies.wins or v_dependencies.segments > 0 then
    raise exception 'reward_has_history' using errcode = 'TV040';
  end if;
  delete from public.rewards r where r.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'reward_has_history' using errcode = 'TV040';
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_store(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('stores.delete')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun.
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  -- The lock waits for all who take part right now: in a store that has customers it might never come.
  if not private.has_store_history(v_org_id, p_id) then
    perform 1 from public.stores s where s.id = p_id for update;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- Revoked keys open nothing, whichever till they name.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  delete from public.stores s where s.id = p_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_review_state(p_id uuid, p_version integer, p_state text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_review public.pre_spin_reviews := private.lock_review(p_id);
  v_verb constant text := case p_state when 'answered' then 'answered' when 'closed' then 'closed' else 'reopened' end;
begin
  -- PostgreSQL's own refusal would show the row, with the customer and the identifier that tells a phone its code.
  if p_state is null or p_state not in ('answered', 'closed', 'open', 'none') then
    raise exception 'unknown_state' using errcode = '23514';
  elsif v_review.handling_version is distinct from p_version then
    return private.review_conflict(v_review);
  end if;
  update public.pre_spin_reviews r
  set handling = nullif(p_state, 'none'), handling_version = r.handling_version + 1,
    seen_at = case when v_verb = 'reopened' then null else coalesce(r.seen_at, now()) end,
    claimed_by = null, claimed_at = null
  where r.org_id = v_review.org_id and r.id = v_review.id;
  perform private.add_review_action(v_review, v_verb, v_verb);
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

COMMENT ON FUNCTION "public"."remove_campaign"(uuid, boolean) IS 'Archives a campaign, which then is inactive, or deletes it when it has no history. Its wheel, the rewards that no other shares and its former addresses go with it; no other organisation gets these. Error TV067 when it has one: then nothing is changed. Errors: 42501 without the permission campaigns.delete there, 23502 without that choice.';

COMMENT ON FUNCTION "public"."remove_reward"(uuid, boolean) IS 'Archives a reward, or deletes it when it was never won and is on no wheel. Error TV040 when that has changed meanwhile: then nothing is changed. Errors: 42501 without the permission rewards.delete there, 23502 without that choice.';

COMMENT ON FUNCTION "public"."remove_store"(uuid, boolean) IS 'Archives a store, whose campaigns then stop, or deletes it when it has no history (has_store_history). Error TV140 when it has one: then nothing is changed. Errors: 42501 without the permission stores.delete there, 23502 without that choice.';
