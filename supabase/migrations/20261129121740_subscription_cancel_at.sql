-- Why: the provider ends a subscription on any day, and the screens named the end of the period; the row keeps a later day beside it.

set check_function_bodies = off;

DROP TRIGGER "audit_plan" ON "public"."subscriptions";

DROP TRIGGER "broadcast_organization" ON "public"."subscriptions";

DROP FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer);

ALTER TABLE "public"."subscriptions" ADD COLUMN "cancel_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.audit_plan()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_action constant text := case
    when new.status is distinct from old.status and new.status = 'canceled' then 'plan.closed'
    when new.status is distinct from old.status and new.status = 'suspended' then 'plan.suspended'
    when (new.plan, new.billing) is distinct from (old.plan, old.billing) then 'plan.changed'
    when new.status is distinct from old.status and new.status = 'past_due' then 'plan.unpaid'
    when new.status is distinct from old.status then 'plan.resumed'
    when new.cancel_at_period_end or new.cancel_at is not null then 'plan.ending'
    else 'plan.continued'
  end;
begin
  perform private.audit_as(new.org_id, private.acting_user(), v_action, 'subscription', null,
    jsonb_strip_nulls(jsonb_build_object('plan', new.plan, 'former_plan', old.plan, 'billing', new.billing,
      'former_billing', old.billing)));
  return null;
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
  update public.subscriptions s set status = 'canceled', closed_at = s.current_period_end, cancel_at_period_end = false,
    cancel_at = null
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

CREATE OR REPLACE FUNCTION private.ends_at(p_subscription public.subscriptions)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return case
    when p_subscription.status = 'canceled' then p_subscription.closed_at
    when p_subscription.cancel_at_period_end then p_subscription.current_period_end
    else p_subscription.cancel_at
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION public.apply_subscription(p_customer_id text, p_subscription_id text, p_plan text, p_billing text, p_state text, p_current_period_end timestamp with time zone, p_cancel_at_period_end boolean, p_past_due_since timestamp with time zone, p_ended_at timestamp with time zone, p_now timestamp with time zone DEFAULT now(), p_due_cents integer DEFAULT NULL::integer, p_cancel_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := public.lock_billing_customer(p_customer_id);
  v_due_until constant timestamptz := private.due_until(p_past_due_since, p_current_period_end);
  v_status text := p_state;
  v_closed_at timestamptz;
begin
  if v_org_id is null then
    return false;
  elsif p_subscription_id is null then
    -- The provider has no subscription at all: a trial goes on, what was paid for is over.
    update public.subscriptions s
    set status = 'canceled', closed_at = coalesce(s.closed_at, p_now), past_due_since = null, due_cents = null,
      cancel_at_period_end = false, cancel_at = null
    where s.org_id = v_org_id and s.stripe_subscription_id is not null and s.status <> 'canceled';
    return found;
  end if;
  if p_state = 'past_due' and v_due_until <= p_now then
    v_status := 'suspended';
    v_closed_at := v_due_until;
  elsif p_state = 'canceled' then
    v_closed_at := p_ended_at;
  end if;
  update public.subscriptions s
  set plan = p_plan, billing = p_billing, status = v_status, stripe_subscription_id = p_subscription_id,
    current_period_end = p_current_period_end, cancel_at_period_end = p_cancel_at_period_end,
    past_due_since = p_past_due_since, closed_at = v_closed_at, due_cents = p_due_cents,
    cancel_at = p_cancel_at
  where s.org_id = v_org_id
    and (s.plan, s.billing, s.status, s.stripe_subscription_id, s.current_period_end, s.cancel_at_period_end,
      s.past_due_since, s.closed_at, s.due_cents, s.cancel_at)
    is distinct from (p_plan, p_billing, v_status, p_subscription_id, p_current_period_end, p_cancel_at_period_end,
      p_past_due_since, v_closed_at, p_due_cents, p_cancel_at);
  if not found then
    return false;
  end if;
  if v_status in ('active', 'past_due') then
    perform private.deactivate_excess_campaigns(v_org_id);
  end if;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION public.billing_overview()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_managed constant uuid[] := array(select private.my_org_ids('billing.manage'));
begin
  return (
    select jsonb_build_object(
      'org_id', s.org_id, 'may_manage', s.org_id = any (v_managed), 'plan', s.plan, 'status', s.status,
      'billing', s.billing, 'trial_end', s.trial_end, 'current_period_end', s.current_period_end,
      'cancel_at_period_end', s.cancel_at_period_end or s.cancel_at is not null, 'past_due_since', s.past_due_since, 'is_open', private.is_open(s),
      'customer_id', case when s.org_id = any (v_managed) then s.stripe_customer_id end,
      'subscription_id', case when s.org_id = any (v_managed) then s.stripe_subscription_id end,
      'active_campaigns', case when s.org_id = any (v_managed) then coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.created_at desc, c.id)
        from (
          select a.id, a.name, a.created_at from public.campaigns a
          where a.org_id = s.org_id and a.active order by a.created_at desc, a.id limit 200
        ) c), '[]') else '[]' end)
    from public.organization_members m join public.subscriptions s on s.org_id = m.org_id
    where m.user_id = v_user_id
  );
end;
$function$;

create trigger audit_plan after update of plan, billing, status, cancel_at_period_end, cancel_at on public.subscriptions
  for each row when ((old.plan, old.billing, old.status, old.cancel_at_period_end or old.cancel_at is not null)
    is distinct from (new.plan, new.billing, new.status, new.cancel_at_period_end or new.cancel_at is not null))
  execute function private.audit_plan();

create trigger broadcast_organization
  after update of is_ending, suspended_at, plan, status, trial_end, current_period_end, cancel_at_period_end, cancel_at,
    past_due_since, closed_at
  on public.subscriptions
  for each row when ((new.is_ending, new.suspended_at, new.plan, new.status, new.trial_end, new.current_period_end,
      new.cancel_at_period_end, new.cancel_at, new.past_due_since, new.closed_at)
    is distinct from (old.is_ending, old.suspended_at, old.plan, old.status, old.trial_end, old.current_period_end,
      old.cancel_at_period_end, old.cancel_at, old.past_due_since, old.closed_at))
  execute function private.broadcast_organization();

COMMENT ON COLUMN "public"."subscriptions"."cancel_at" IS 'When it ends, where it is renewed until then: a day after the paid period that was chosen at the provider; null otherwise.';

COMMENT ON COLUMN "public"."subscriptions"."current_period_end" IS 'End of the paid period, or the day before it on which the subscription ends; null is without end.';

COMMENT ON FUNCTION "private"."audit_plan"() IS 'Writes down that a plan was changed, is not paid, is suspended, has ended, runs again, will end, or will not; by whoever began the transaction (begin_billing), else by the platform.';

COMMENT ON FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, timestamp with time zone) IS 'Makes an organisation''s row say what the payment provider holds: subscription (null: none), plan, billing, state (active, past_due, canceled), end of the paid period, whether it ends then, since when a bill is open, when it ended. p_due_cents is what the open bills come to, null without one; p_cancel_at when it ends after having been renewed. Eight days after that bill it is suspended. Answers whether anything changed; false for an unknown customer. The state must have been read under lock_billing_customer in the same transaction.';

REVOKE ALL ON FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."apply_subscription"(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, timestamp with time zone) TO "service_role";
