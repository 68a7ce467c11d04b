-- Why: whoever belonged to an organisation that was erased landed on the first steps of a new one without a word.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.has_erased_organization(p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from auth.users u
    join private.outbox o on lower(o.recipient) = lower(u.email) and o.template = 'organization_erased'
    where u.id = p_user_id and u.email_confirmed_at is not null
      and not exists (
        select 1 from public.audit_events e
        where e.subject_id = p_user_id and e.action in ('member.joined', 'member.left', 'member.removed')
          and e.created_at > o.created_at)
  );
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
      || jsonb_build_object('ended_access', private.ended_access((select private.my_user_id())),
        'has_erased_organization', private.has_erased_organization((select private.my_user_id())))
  );
$function$;

COMMENT ON FUNCTION "private"."has_erased_organization"(uuid) IS 'Whether the organisation that somebody belonged to last was erased: as long as a record of the mail that says so is kept. Nothing of the organisation remains, its name neither.';

COMMENT ON FUNCTION "public"."my_workspace"() IS 'Workspace that every screen starts from: organisation, role, permissions, stores, plan and progress of the signed-in user. How many bad reviews they have to read, and how many groups of prizes to check. Without an organisation, the name of one that has just ended their access (private.ended_access), or whether theirs was erased. A cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

REVOKE ALL ON FUNCTION "private"."has_erased_organization"(uuid) FROM PUBLIC;
