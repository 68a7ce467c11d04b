-- Why: a prize that was held and then cancelled lost the days of the hold when it was given back, and its winner heard of nothing. Who takes a spend back, and who erases a customer, locks in the order of the others: two transactions stopped each other.

set check_function_bodies = off;

ALTER TABLE "private"."code_verdicts" ADD COLUMN "is_notified" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.decide_code(p_code public.redemptions, p_action text, p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_timezone text;
  v_decided_at timestamptz;
  v_is_notified boolean;
  v_expires_at timestamptz := p_code.expires_at;
  v_released public.redemptions;
begin
  select v.decided_at into v_decided_at from private.code_verdicts v
  where v.org_id = p_code.org_id and v.redemption_id = p_code.id;
  if p_action = 'hold' then
    if p_code.status <> 'available' or p_code.verdict is not null or p_code.expires_at <= now() then
      return false;
    end if;
    update public.redemptions d set verdict = 'held' where d.org_id = p_code.org_id and d.id = p_code.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_held'));
  elsif p_action = 'cancel' then
    -- Over by time, and never held back: its winner has lost nothing by a cancellation, and the stock stays as it is.
    if p_code.status = 'used' or p_code.verdict = 'cancelled'
      or (p_code.verdict is null and (p_code.status = 'expired' or p_code.expires_at <= now()))
    then
      return false;
    end if;
    v_is_notified := not private.drop_verdict_mail(p_code);
    update public.redemptions d set status = 'expired', verdict = 'cancelled'
    where d.org_id = p_code.org_id and d.id = p_code.id;
    update public.rewards r set stock = r.stock + 1
    where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.stock >= 0;
    insert into private.code_verdicts (org_id, redemption_id, mail_id, decided_at, is_notified)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_cancelled'), coalesce(v_decided_at, now()),
      v_is_notified);
  else
    if p_code.verdict is null then
      return false;
    end if;
    if p_code.verdict = 'cancelled' then
      -- What was given back to the stock may have been won since: then the prize stays cancelled.
      update public.rewards r set stock = case when r.stock > 0 then r.stock - 1 else r.stock end
      where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.stock <> 0;
      if not found then
        return false;
      end if;
    end if;
    select s.timezone into v_timezone from public.stores s where s.org_id = p_code.org_id and s.id = p_code.store_id;
    -- Valid for as many days longer as it could not be used.
    if v_expires_at is not null then
      v_expires_at := private.day_end((v_expires_at at time zone v_timezone)::date + (
        private.now_in(v_timezone)::date - (coalesce(v_decided_at, now()) at time zone v_timezone)::date), v_timezone);
    end if;
    update public.redemptions d set status = 'available', verdict = null, expires_at = v_expires_at
    where d.org_id = p_code.org_id and d.id = p_code.id
    returning d.* into v_released;
    if not private.drop_verdict_mail(p_code) then
      perform private.notify_winner(v_released, 'prize_released');
    end if;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  values (p_code.org_id, p_code.id,
    case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id);
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.drop_verdict_mail(p_code public.redemptions)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_mail_id uuid;
  v_is_notified boolean;
begin
  delete from private.code_verdicts v where v.org_id = p_code.org_id and v.redemption_id = p_code.id
  returning v.mail_id, v.is_notified into v_mail_id, v_is_notified;
  if v_mail_id is not null then
    update private.outbox o set state = 'failed', last_error = 'decision_undone', data = '{}', settled_at = now()
    where o.id = v_mail_id and o.state = 'queued' and o.attempts = 0;
    v_is_notified := v_is_notified or not found;
  end if;
  return v_is_notified is not true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till, and in the order of decide_check: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.reward_id, r.id for update;
  perform 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id order by s.id for update;
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_id for update;
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- What the team wrote to them and about them names them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when r.handling = 'open' or (r.handling is null and r.rating <= 3) then 'closed' else r.handling end, customer_name = null, customer_email = null, customer_phone = null, review_text = null,
    locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  perform private.forget_given_up(array[c.email, c.phone])
  from public.customers c where c.org_id = p_org_id and c.id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.give_points_back(p_spend public.points_spends)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Before the entries and the stock, as whoever spends: two orders would make deadlocks.
  perform 1 from public.customers c
  where c.org_id = p_spend.org_id and c.id in (
    select l.customer_id from public.points_ledger l where l.org_id = p_spend.org_id and l.spend_id = p_spend.id)
  order by c.id for no key update;
  insert into public.points_ledger (org_id, customer_id, kind, points, lot_id, spend_id)
  select l.org_id, l.customer_id, 'returned', - l.points, l.lot_id, l.spend_id
  from public.points_ledger l
  where l.org_id = p_spend.org_id and l.spend_id = p_spend.id and l.kind = 'spent';
  update public.points_rewards r set stock = r.stock + 1
  where r.org_id = p_spend.org_id and r.id = p_spend.points_reward_id and r.stock >= 0;
end;
$function$;

COMMENT ON COLUMN "private"."code_verdicts"."decided_at" IS 'Since when it cannot be used, held and then cancelled alike; a prize given back is valid for as many days longer.';

COMMENT ON COLUMN "private"."code_verdicts"."is_notified" IS 'Whether its winner was mailed that it was held, before it was cancelled.';

COMMENT ON FUNCTION "private"."drop_verdict_mail"(public.redemptions) IS 'Takes back the mail about a decision while it waits. False when its winner was notified, of this decision or of one before it.';
