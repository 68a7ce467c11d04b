-- Why: settings and banner say when a cancelled subscription ends and until when a bill can be paid; they named a next payment that was not coming.

set check_function_bodies = off;

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
  end;
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
        'due_until', case when s.status = 'past_due' then
          coalesce(s.past_due_since, s.current_period_end) + private.payment_notice() end,
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

COMMENT ON FUNCTION "private"."ends_at"(public.subscriptions) IS 'When a subscription that was cancelled ends, or has ended; null while it goes on.';

REVOKE ALL ON FUNCTION "private"."ends_at"(public.subscriptions) FROM PUBLIC;
