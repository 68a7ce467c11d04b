-- Why: until when an open bill can be paid stood in four places; one function says it now, and the workspace tells it to every screen.

set check_function_bodies = off;

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
      private.due_until(p_subscription.past_due_since, p_subscription.current_period_end)
    else p_subscription.current_period_end
  end);
end;
$function$;

CREATE OR REPLACE FUNCTION private.due_until(p_past_due_since timestamp with time zone, p_current_period_end timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(p_past_due_since, p_current_period_end) + private.payment_notice());

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
      -- The period that is not paid has begun all the same.
      coalesce(private.due_until(p_subscription.past_due_since, p_subscription.current_period_end) > now(), true)
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
    perform private.notify_plan_event(new.org_id, 'payment_failed', new.past_due_since,
      private.due_until(new.past_due_since, new.current_period_end));
  elsif new.status = 'suspended' then
    perform private.notify_plan_event(new.org_id, 'plan_suspended', new.closed_at, new.closed_at + private.export_time());
  elsif new.status = 'canceled' then
    perform private.notify_plan_event(new.org_id, case new.plan when 'free_trial' then 'trial_ended' else 'plan_ended' end,
      new.closed_at, new.closed_at + private.export_time());
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.suspend_unpaid_plans(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'suspended', closed_at = private.due_until(s.past_due_since, s.current_period_end)
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
      cancel_at_period_end = false
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

CREATE OR REPLACE FUNCTION public.my_workspace()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null
             and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
          '[]'::jsonb),
        'has_archived_store', exists (
          select 1 from public.stores s
          where s.org_id = o.id and s.archived_at is not null
            and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'unread_reviews', case when private.role_may(m.role, 'reviews.read') then private.unread_reviews(o.id) else 0 end,
        'open_checks', case when private.role_may(m.role, 'codes.read') and private.role_may(m.role, 'rewards.write')
          then private.open_checks(o.id) else 0 end,
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'due_until', case when s.status = 'past_due' then private.due_until(s.past_due_since, s.current_period_end) end,
            'is_open', private.is_plan_open(s) and s.suspended_at is null,
            'is_suspended', s.suspended_at is not null, 'readable_until', private.readable_until(s),
            'ends_at', private.ends_at(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_archived_store": false,
      "has_campaign": false, "unread_reviews": 0, "open_checks": 0, "plan": null}'::jsonb
      || jsonb_build_object('ended_access', private.ended_access((select private.my_user_id())))
  );
$function$;

CREATE OR REPLACE FUNCTION public.settings(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_permissions text[];
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select array_agg(p.permission) into v_permissions
  from public.organization_members m join public.role_permissions p on p.role = m.role
  where m.org_id = p_org_id and m.user_id = v_user_id;

  return jsonb_build_object(
    'organization', (
      select jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'version', o.version, 'created_at', o.created_at)
      from public.organizations o where o.id = p_org_id),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
        'google_review_url', s.google_review_url, 'has_history', private.has_store_history(p_org_id, s.id),
        'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id),
        'active_campaigns', (select count(*) from public.campaigns c
          where c.org_id = p_org_id and c.store_id = s.id and c.active)) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id and s.archived_at is null), '[]'::jsonb),
    'subscription', (
      select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
        'current_period_end', s.current_period_end,
        'ends_at', private.ends_at(s),
        'due_until', case when s.status = 'past_due' then private.due_until(s.past_due_since, s.current_period_end) end,
        'suspended_since', case when s.status = 'suspended' then private.closed_since(s) end,
        'customer_id', case when 'billing.manage' = any (v_permissions) then s.stripe_customer_id end)
      from public.subscriptions s where s.org_id = p_org_id),
    'notifications', (
      select jsonb_build_object('email', coalesce(n.email, true), 'sms', coalesce(n.sms, false),
        'low_ratings', coalesce(n.low_ratings, false), 'summary', coalesce(n.summary, 'none'),
        'monthly_report', coalesce(n.monthly_report, false),
        'address', u.email, 'has_phone', private.proven_phone(u.id) is not null)
      from auth.users u
      left join public.notification_preferences n on n.org_id = p_org_id and n.user_id = u.id
      where u.id = v_user_id)
  );
end;
$function$;

COMMENT ON FUNCTION "private"."due_until"(timestamp with time zone, timestamp with time zone) IS 'Until when the open bill of a subscription can be paid before its plan is suspended: the notice runs from the bill, else from the end of the paid period; null where neither is known. Without search_path, so that it is inlined.';

REVOKE ALL ON FUNCTION "private"."due_until"(timestamp with time zone, timestamp with time zone) FROM PUBLIC;
