-- Why: a mail about a prize that is let go shows its code, and one about a bill how much is due.

set check_function_bodies = off;

DROP FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone);

ALTER TABLE "public"."subscriptions" ADD COLUMN "due_cents" integer;

CREATE OR REPLACE FUNCTION private.decide_code(p_code public.redemptions, p_action text, p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_timezone text;
  v_decided_at timestamptz;
  v_expires_at timestamptz := p_code.expires_at;
  v_released public.redemptions;
begin
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
    perform private.drop_verdict_mail(p_code);
    update public.redemptions d set status = 'expired', verdict = 'cancelled'
    where d.org_id = p_code.org_id and d.id = p_code.id;
    update public.rewards r set stock = r.stock + 1
    where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.stock >= 0;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_cancelled'));
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
    select v.decided_at into v_decided_at from private.code_verdicts v
    where v.org_id = p_code.org_id and v.redemption_id = p_code.id;
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

CREATE OR REPLACE FUNCTION private.notify_plan_event(p_org_id uuid, p_kind text, p_about timestamp with time zone, p_day timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_person record;
begin
  -- Of two transactions about the same event the second waits for this row, and finds it stored.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return false;
  end if;
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization, s.due_cents
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    join public.subscriptions s on s.org_id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', jsonb_build_object('day', jsonb_build_object('at', p_day, 'timezone', private.timezone_of(p_org_id))))
        || case when v_person.due_cents is null then '{}' else jsonb_build_object('due_cents', v_person.due_cents) end,
      now() + interval '2 days');
  end loop;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_winner(p_code public.redemptions, p_template text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_address text;
begin
  select coalesce(t.end_user_email, c.email) into v_address
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
  -- Whoever spins names the address, which could be anybody's: few mails a day reach it.
  if v_address is null or private.count_attempt(
    array['prize verdict to ' || encode(sha256(convert_to(private.normalize_email(v_address), 'UTF8')), 'hex')],
    '{5}', interval '1 day') is not null
  then
    return null;
  end if;
  if p_template = 'prize_released' then
    return private.write_prize_mail(p_template, v_address, p_code);
  end if;
  return private.enqueue_mail(p_template, v_address, jsonb_build_object(
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label'),
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', s.name,
        'address', s.address))),
    now() + interval '1 day', now() + interval '10 minutes')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.queue_again(p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_message private.outbox;
  v_lasts boolean;
begin
  select * into v_message from private.outbox o where o.id = p_id for update;
  v_lasts := private.is_lasting(v_message.template);
  if v_message.id is null then
    return 'unknown';
  elsif v_message.state <> 'failed' then
    return 'not_given_up';
  elsif not v_lasts and v_message.expires_at <= now() then
    return 'expired';
  elsif v_message.data = '{}' and v_message.channel <> 'payment' then
    return 'emptied';
  -- No mail about a code that was used or erased, or has expired.
  elsif v_message.template in ('prize', 'prize_reminder', 'prize_released') and not exists (
    select 1 from public.organizations o
    join public.redemptions d on d.org_id = o.id
      and d.spin_id = substring(v_message.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid
    where private.code_state(d) = 'available')
  then
    return 'prize_over';
  end if;
  update private.outbox o
  set state = 'queued', settled_at = null, last_error = null, attempts_before = o.attempts, queued_again_at = now(),
    next_attempt_at = now(), expires_at = case when v_lasts then now() + interval '1 day' else o.expires_at end
  where o.id = p_id;
  perform pg_notify('tournavis_outbox', '');
  return 'queued';
end;
$function$;

CREATE OR REPLACE FUNCTION public.apply_subscription(p_customer_id text, p_subscription_id text, p_plan text, p_billing text, p_state text, p_current_period_end timestamp with time zone, p_cancel_at_period_end boolean, p_past_due_since timestamp with time zone, p_ended_at timestamp with time zone, p_now timestamp with time zone DEFAULT now(), p_due_cents integer DEFAULT NULL::integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := public.lock_billing_customer(p_customer_id);
  v_status text := p_state;
  v_closed_at timestamptz;
begin
  if v_org_id is null then
    return false;
  elsif p_subscription_id is null then
    -- The provider has no subscription at all: a trial goes on, what was paid for is over.
    update public.subscriptions s
    set status = 'canceled', closed_at = coalesce(s.closed_at, p_now), past_due_since = null, due_cents = null,
      cancel_at_period_end = false
    where s.org_id = v_org_id and s.stripe_subscription_id is not null and s.status <> 'canceled';
    return found;
  end if;
  if p_state = 'past_due' and p_past_due_since <= p_now - interval '8 days' then
    v_status := 'suspended';
    v_closed_at := p_past_due_since + interval '8 days';
  elsif p_state = 'canceled' then
    v_closed_at := p_ended_at;
  end if;
  update public.subscriptions s
  set plan = p_plan, billing = p_billing, status = v_status, stripe_subscription_id = p_subscription_id,
    current_period_end = p_current_period_end, cancel_at_period_end = p_cancel_at_period_end,
    past_due_since = p_past_due_since, closed_at = v_closed_at, due_cents = p_due_cents
  where s.org_id = v_org_id
    and (s.plan, s.billing, s.status, s.stripe_subscription_id, s.current_period_end, s.cancel_at_period_end,
      s.past_due_since, s.closed_at, s.due_cents)
    is distinct from (p_plan, p_billing, v_status, p_subscription_id, p_current_period_end, p_cancel_at_period_end,
      p_past_due_since, v_closed_at, p_due_cents);
  if not found then
    return false;
  end if;
  if v_status in ('active', 'past_due') then
    perform private.deactivate_excess_campaigns(v_org_id);
  end if;
  return true;
end;
$function$;

ALTER TABLE "public"."subscriptions" ADD CONSTRAINT "subscriptions_due_cents_check" CHECK ((due_cents > 0));

COMMENT ON COLUMN "public"."subscriptions"."due_cents" IS 'What the bills that are not paid come to, tax included, in cents; null when everything is paid, or the provider did not say.';

COMMENT ON FUNCTION "private"."notify_plan_event"(uuid, text, timestamp with time zone, timestamp with time zone) IS 'Writes to whoever may manage billing (owner and admins) that a plan ends, has ended or is not paid, and how much that is; the day is the one that the mail mentions. Answers false, and writes nothing, when that mail was sent before.';

COMMENT ON FUNCTION "private"."notify_winner"(public.redemptions, text) IS 'Writes the mail that tells a winner what becomes of a prize: held and cancelled wait ten minutes for an undo, released shows the code at once. Answers its identifier, null without an address or after five such mails a day.';

COMMENT ON FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer) IS 'Makes an organisation''s row say what the payment provider holds: subscription (null: none), plan, billing, state (active, past_due, canceled), end of the paid period, whether it ends then, since when a bill is open, when it ended. p_due_cents is what the open bills come to, null without one. Eight days after that bill it is suspended. Answers whether anything changed; false for an unknown customer. The state must have been read under lock_billing_customer in the same transaction.';

REVOKE ALL ON FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer) TO "service_role";

-- Rows that wait: the template of a released prize now shows its code.
update private.outbox o
set data = o.data || jsonb_build_object('code', d.code) || case when d.expires_at is null then '{}' else
  jsonb_build_object('until', jsonb_build_object('at', d.expires_at, 'timezone', s.timezone)) end
from public.redemptions d join public.stores s on s.org_id = d.org_id and s.id = d.store_id
where o.template = 'prize_released' and o.state = 'queued'
  and d.spin_id = substring(o.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid;
