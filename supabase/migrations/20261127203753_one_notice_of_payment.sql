-- Why: the notice before a default of payment closes the pages, and the days left to export, were written out in nine and four places.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_end(p_org_id uuid, p_name text, p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o where o.id = p_org_id for update;
  if v_org.erase_at is not null then
    raise exception 'already_ending' using errcode = 'TV107';
  elsif private.typed_alike(coalesce(p_name, v_org.name)) <> private.typed_alike(v_org.name) then
    raise exception 'other_name' using errcode = 'TV106';
  elsif private.has_running_payments(v_org.id) then
    raise exception 'payments_running' using errcode = 'TV108';
  end if;
  update public.organizations o set erase_at = now() + private.export_time() where o.id = v_org.id
  returning o.erase_at into v_org.erase_at;
  update public.subscriptions s set is_ending = true where s.org_id = v_org.id;
  perform private.audit_as(v_org.id, p_user_id, 'organization.ended', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_end', p_user_id);
  return v_org.erase_at;
end;
$function$;

CREATE OR REPLACE FUNCTION private.closed_since(p_subscription public.subscriptions)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if private.is_plan_open(p_subscription) then
    return null;
  end if;
  -- The jobs write the moment down; until they have run, the dates say the same.
  return coalesce(p_subscription.closed_at, case
    when p_subscription.plan = 'free_trial' then p_subscription.trial_end
    when p_subscription.status = 'past_due' then
      coalesce(p_subscription.past_due_since, p_subscription.current_period_end) + private.payment_notice()
    else p_subscription.current_period_end
  end);
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_periods(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'canceled', closed_at = s.current_period_end, cancel_at_period_end = false
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'active' and o.plan <> 'free_trial'
      and o.current_period_end <= now() - case when o.cancel_at_period_end then interval '0' else private.payment_notice() end
    order by o.current_period_end limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.export_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '30 days'::interval;

CREATE OR REPLACE FUNCTION private.is_plan_open(p_subscription public.subscriptions)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return case
    when p_subscription.status = 'active' and p_subscription.plan = 'free_trial' then
      p_subscription.trial_end > now()
    when p_subscription.status = 'active' then
      p_subscription.current_period_end is null
      or p_subscription.current_period_end > now() - private.payment_notice()
    when p_subscription.status = 'past_due' then
      -- The period that is not paid has begun all the same: the notice runs from its bill.
      coalesce(p_subscription.past_due_since, p_subscription.current_period_end) is null
      or coalesce(p_subscription.past_due_since, p_subscription.current_period_end) > now() - private.payment_notice()
    else false
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_plan_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- No notice while an organisation is being ended: another mail has said so.
  if new.is_ending then
    return null;
  elsif new.status = 'past_due' then
    perform private.notify_plan_event(new.org_id, 'payment_failed', new.past_due_since, new.past_due_since + private.payment_notice());
  elsif new.status = 'suspended' then
    perform private.notify_plan_event(new.org_id, 'plan_suspended', new.closed_at, new.closed_at + private.export_time());
  elsif new.status = 'canceled' then
    perform private.notify_plan_event(new.org_id, case new.plan when 'free_trial' then 'trial_ended' else 'plan_ended' end,
      new.closed_at, new.closed_at + private.export_time());
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.payment_notice()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '8 days'::interval;

CREATE OR REPLACE FUNCTION private.readable_until(p_subscription public.subscriptions)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.closed_since(p_subscription) + private.export_time(); $function$;

CREATE OR REPLACE FUNCTION private.suspend_unpaid_plans(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'suspended', closed_at = s.past_due_since + private.payment_notice()
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'past_due' and o.past_due_since <= now() - private.payment_notice()
    order by o.past_due_since limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
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
  if p_state = 'past_due' and p_past_due_since <= p_now - private.payment_notice() then
    v_status := 'suspended';
    v_closed_at := p_past_due_since + private.payment_notice();
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

COMMENT ON FUNCTION "private"."export_time"() IS 'How long everything can still be exported once a plan is over or an organisation ends (EXPORT_AFTER_END_DAYS of _shared/domain).';

COMMENT ON FUNCTION "private"."payment_notice"() IS 'Notice before a default of payment closes the pages (PAYMENT_NOTICE_DAYS of _shared/domain).';

REVOKE ALL ON FUNCTION "private"."export_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."payment_notice"() FROM PUBLIC;
