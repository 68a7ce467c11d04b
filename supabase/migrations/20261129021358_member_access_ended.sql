-- Why: a colleague who was taken out of a team landed on the first steps of a new organisation without a word, and got no mail.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.ended_access(p_user_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select o.name
  from (
    select e.org_id, e.action, e.created_at from public.audit_events e
    where e.subject_id = p_user_id and e.action in ('member.joined', 'member.left', 'member.removed')
    order by e.id desc limit 1
  ) newest
  join public.organizations o on o.id = newest.org_id
  where newest.action = 'member.removed' and newest.created_at > now() - interval '30 days';
$function$;

CREATE OR REPLACE FUNCTION private.is_lasting(p_template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (p_template = ANY (ARRAY['prize'::text, 'prize_reminder'::text, 'review_answer'::text, 'review_gesture'::text, 'contact_request'::text, 'daily_summary'::text, 'weekly_summary'::text, 'password_changed'::text, 'email_changed'::text, 'phone_changed'::text, 'factor_added'::text, 'factor_removed'::text, 'passkey_added'::text, 'passkey_removed'::text, 'organization_end'::text, 'organization_kept'::text, 'access_ended'::text, 'trial_ending'::text, 'trial_ended'::text, 'payment_failed'::text, 'plan_suspended'::text, 'plan_ended'::text]));

CREATE OR REPLACE FUNCTION private.notify_ended_access(p_org_id uuid, p_user_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail('access_ended', u.email, jsonb_build_object('name', private.user_name(u.id),
    'brand', private.brand(o.id), 'facts', jsonb_build_object('organization', o.name)), now() + interval '2 days')
  from auth.users u cross join public.organizations o
  where u.id = p_user_id and u.email_confirmed_at is not null and u.email <> '' and o.id = p_org_id;
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
            'is_suspended', s.suspended_at is not null, 'readable_until', private.readable_until(s))
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

CREATE OR REPLACE FUNCTION public.remove_member(p_member_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_member constant public.organization_members := private.lock_member(v_org_id, p_member_id);
begin
  -- Owners are not removed (specification, section 6): another owner gives them another role first.
  if private.role_may(v_member.role, 'owners.manage') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org_id, 'member.removed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'role', v_member.role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_member_id;
  perform private.withdraw_powerless_invitations(v_org_id);
  perform private.notify_ended_access(v_org_id, p_member_id);
end;
$function$;

CREATE INDEX audit_events_member_idx ON public.audit_events USING btree (subject_id, id) WHERE (action = ANY (ARRAY['member.joined'::text, 'member.left'::text, 'member.removed'::text]));

COMMENT ON FUNCTION "private"."ended_access"(uuid) IS 'Name of the organisation that took somebody out of its team within 30 days; null when they have joined or left one since. Read from the audit trail. The person does not learn who did it.';

COMMENT ON FUNCTION "private"."notify_ended_access"(uuid, uuid) IS 'Writes to a colleague, at a confirmed address, that an organisation has taken them out of its team.';

COMMENT ON FUNCTION "public"."my_workspace"() IS 'Workspace that every screen starts from: organisation, role, permissions, stores, plan and progress of the signed-in user. How many bad reviews they have to read, and how many groups of prizes to check. Without an organisation, the name of one that has just ended their access (private.ended_access). A cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

COMMENT ON FUNCTION "public"."remove_member"(uuid) IS 'Takes a member out of the signed-in user''s team: from the next request on, their sessions open nothing of it, and a mail tells them. Error 42501 without the permission team.manage, for an owner, and for somebody else''s member.';

REVOKE ALL ON FUNCTION "private"."ended_access"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_ended_access"(uuid, uuid) FROM PUBLIC;
