-- Why: whoever has cancelled still read a next payment in the settings, which will not come. They tell the end of the
-- plan in its place.

create or replace function public.settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
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
        'ends_at', case when s.status = 'canceled' then s.closed_at when s.cancel_at_period_end then s.current_period_end end,
        'customer_id', case when 'billing.manage' = any (v_permissions) then s.stripe_customer_id end)
      from public.subscriptions s where s.org_id = p_org_id),
    'notifications', (
      select jsonb_build_object('email', coalesce(n.email, true), 'sms', coalesce(n.sms, false),
        'low_ratings', coalesce(n.low_ratings, false), 'summary', coalesce(n.summary, 'none'),
        'address', u.email, 'has_phone', private.proven_phone(u.id) is not null)
      from auth.users u
      left join public.notification_preferences n on n.org_id = p_org_id and n.user_id = u.id
      where u.id = v_user_id)
  );
end;
$$;
