-- What the till of an organisation without a store in use can say.

-- As in `20261122010030_bindings_survive_roles.sql`, with whether a store of theirs is archived.
create or replace function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
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
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'is_open', private.is_plan_open(s), 'readable_until', private.readable_until(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_archived_store": false,
      "has_campaign": false, "plan": null}'::jsonb
  );
$$;
