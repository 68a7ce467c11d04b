-- Why: rewards, codes and spends that came while a lock was waited for were locked in another order; a till's account was locked last.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_codes uuid[];
  v_spends uuid[];
begin
  loop
    begin
      -- Codes before the customer, as at the till, and in the order of decide_check: two orders would make deadlocks.
      v_codes := array(
        select r.id from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id
        order by r.reward_id, r.id for update);
      v_spends := array(
        select s.id from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id order by s.id for update);
      perform 1 from public.customers c
      where c.org_id = p_org_id and c.id = p_id and (p_before is null or coalesce(c.last_activity_at, c.created_at) < p_before)
      for update;
      if not found then
        return false;
      end if;
      -- None comes any more. A till may hold one that came while this waited, and wait for the customer.
      exit when not exists (
          select 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id and r.id <> all (v_codes))
        and not exists (
          select 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id and s.id <> all (v_spends));
      raise exception 'lock_again' using errcode = 'TV069';
    exception when sqlstate 'TV069' then
      -- All these locks are given back, to be taken anew.
    end;
  end loop;
  -- A colleague who writes a note, or they themselves who add words, end first: what they wrote goes as well.
  perform 1 from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.id for no key update;
  -- Messages after the reviews that they tell of, and before the answers that they carry, as whoever writes and sends them.
  perform private.forget_messages(p_org_id, p_id);
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- Words that the team wrote to them and about them name them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when private.review_state(r) = 'open' then 'closed' else r.handling end,
    -- A closed review waits to be read no more.
    seen_at = case when private.review_state(r) = 'open' then coalesce(r.seen_at, now()) else r.seen_at end,
    customer_name = null, customer_email = null, customer_phone = null, review_text = null, locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.hold_account(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform 1 from auth.users u where u.id = p_user_id for key share;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_campaign_to_remove(p_org_id uuid, p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_reward_id uuid;
  v_going uuid[];
begin
  loop
    begin
      v_going := '{}';
      -- Rewards before campaigns, each in one order, as whoever changes, wins or draws them: two orders would make deadlocks.
      for v_reward_id in select r.id from public.rewards r where r.org_id = p_org_id and r.campaign_id = p_id order by r.id loop
        if exists (select 1 from public.rewards r where r.id = v_reward_id and private.is_shared(r)) then
          -- It stays, and may be won on another wheel all the time: nobody waits for those customers.
          perform 1 from public.rewards r where r.id = v_reward_id for no key update;
        else
          perform 1 from public.rewards r where r.id = v_reward_id for update;
          v_going := v_going || v_reward_id;
        end if;
      end loop;
      perform private.lock_sharing_campaigns(p_org_id, p_id, array(
        select r.id from public.rewards r where r.org_id = p_org_id and r.campaign_id = p_id));
      perform 1 from public.campaigns c where c.id = p_id for update;
      if not exists (
        select 1 from public.rewards r
        where r.org_id = p_org_id and r.campaign_id = p_id and r.id <> all (v_going) and not private.is_shared(r))
      then
        return;
      end if;
      -- A reward is shared no more and goes as well. Whoever wants it on a wheel may hold it and wait for the campaigns.
      raise exception 'lock_again' using errcode = 'TV069';
    exception when sqlstate 'TV069' then
      -- All these locks are given back, to be taken anew.
    end;
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION public.redeem_code(p_user_id uuid, p_session_id uuid, p_aal text, p_code text, p_store_id uuid, p_request_id uuid DEFAULT NULL::uuid, OUT outcome text, OUT body jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_inspection record;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is null and not private.hold_account(p_user_id) then
    outcome := 'session_ended';
  end if;
  if outcome is not null then
    return;
  end if;
  select * into v_inspection from private.inspect_code(p_user_id, p_code, p_store_id);
  select u.outcome, u.body into outcome, body
  from private.use_code(
    v_inspection.state, v_inspection.redemption, p_user_id, null, p_code, p_store_id, p_request_id) u;
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
    perform private.lock_campaign_to_remove(v_org_id, p_id);
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

CREATE OR REPLACE FUNCTION public.restore_code(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_before public.redemptions;
  v_timezone text;
begin
  if v_user_id is not null and not private.hold_account(v_user_id) then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found and private.restore_points_code(p_id) then
    return;
  end if;
  if v_before.id is null or exists (
    select 1 from public.organization_members m
    where m.user_id = v_user_id
      and private.bound_store(m.role, m.store_id) <> v_before.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_before.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', v_user_id, v_before.used_store_id);
  if v_before.spin_id is null then
    return;
  end if;
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1, p_is_free => private.is_free_win(v_before));
end;
$function$;

CREATE OR REPLACE FUNCTION public.spend_points_for(p_customer_id uuid, p_points_reward_id uuid, p_cost integer, p_store_id uuid, p_request_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_customer constant public.customers := private.my_points_customer(p_customer_id);
  v_user_id constant uuid := private.my_user_id();
  v_timezone text;
  v_lots uuid[];
  v_spend public.points_spends;
  v_outcome text;
begin
  if not private.hold_account(v_user_id) then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  select s.timezone into v_timezone
  from public.stores s
  join public.organization_members m on m.org_id = s.org_id and m.user_id = v_user_id
  where s.org_id = v_customer.org_id and s.id = coalesce(private.bound_store(m.role, m.store_id), p_store_id)
    and s.id = p_store_id and s.archived_at is null;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_open_plan(v_customer.org_id);
  -- The reward first, as in spend_points; two spends of one person take turns.
  perform 1 from public.points_rewards r where r.org_id = v_customer.org_id and r.id = p_points_reward_id for key share;
  perform 1 from public.customers c where c.org_id = v_customer.org_id and c.id = p_customer_id for no key update;
  select * into v_spend from public.points_spends s
  where s.org_id = v_customer.org_id and s.request_id = p_request_id;
  if found then
    v_outcome := case
      when v_spend.by_team and v_spend.customer_id is not distinct from p_customer_id
        and v_spend.points_reward_id is not distinct from p_points_reward_id and v_spend.used_store_id = p_store_id
      then 'spent' else 'points_request_reused' end;
  else
    v_lots := array(
      select l.id from public.points_ledger l
      where l.org_id = v_customer.org_id and l.customer_id = p_customer_id and l.remaining > 0);
    select b.outcome, (b.spend).id into v_outcome, v_spend.id
    from private.buy_with_points(v_customer.org_id, v_lots, p_points_reward_id, p_cost, p_request_id, v_timezone) b;
    if v_outcome = 'spent' then
      update public.points_spends s
      set status = 'used', used_at = now(), used_by = v_user_id, used_store_id = p_store_id,
        used_request_id = p_request_id, by_team = true
      where s.org_id = v_customer.org_id and s.id = v_spend.id
      returning * into v_spend;
      perform private.audit(v_customer.org_id, 'points.spent', 'customer', p_customer_id,
        jsonb_build_object('name', v_spend.reward_name, 'points', v_spend.points));
    end if;
  end if;
  return jsonb_build_object(
    'outcome', v_outcome,
    'balance', private.points_balance(v_customer.org_id, p_customer_id),
    'spend_id', case when v_outcome = 'spent' then v_spend.id end,
    'reward', case when v_outcome = 'spent' then v_spend.reward_name end);
exception
  -- The same request for somebody else at the same instant.
  when unique_violation then
    return jsonb_build_object('outcome', 'points_request_reused',
      'balance', private.points_balance(v_customer.org_id, p_customer_id), 'spend_id', null, 'reward', null);
end;
$function$;

COMMENT ON FUNCTION "private"."hold_account"(uuid) IS 'Keeps an account from being deleted until the transaction ends; false where it is gone. Call it before locking codes, as whoever deletes an account does: two orders would make deadlocks.';

COMMENT ON FUNCTION "private"."lock_campaign_to_remove"(uuid, uuid) IS 'Locks a campaign that is about to be deleted, the rewards that go with it, and what its shared rewards concern.';

COMMENT ON FUNCTION "public"."restore_code"(uuid) IS 'Gives back a code that was used by mistake, within 10 minutes, and leaves a trace of who did it (design, section 4). Errors: TV041 when it is not used, TV042 when it is too late, 42501 without the permission codes.redeem there, or at another store than one''s own; those of private.my_user_id.';

COMMENT ON FUNCTION "public"."spend_points_for"(uuid, uuid, integer, uuid, uuid) IS 'Spends the points of a customer who is at a store on a reward that is handed over at once: exactly once a request, whatever phone won them; restore_code takes it back as a whole for ten minutes. Outcomes: spent (repeated as well), those of private.buy_with_points, points_request_reused; the shape is pointsSpent of _shared/domain. Error 42501 without the permissions customers.read and codes.redeem, for no such customer, and for a store that is not a till of theirs; errors of private.my_user_id and of private.require_open_plan.';

REVOKE ALL ON FUNCTION "private"."hold_account"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_campaign_to_remove"(uuid, uuid) FROM PUBLIC;
