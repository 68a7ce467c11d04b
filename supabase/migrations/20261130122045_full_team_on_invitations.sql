-- Why: an invitation to a team without a seat left said so only after an account was made and joining was refused.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.joining_refusal(p_org_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    (select private.closed_reason(s) from public.subscriptions s where s.org_id = p_org_id),
    -- The invitation that is asked about holds one of the seats itself.
    case when v_limit >= 0 and private.users_used(p_org_id) > v_limit then 'user_limit_reached' end)
  from private.user_limit(p_org_id) v_limit;
$function$;

CREATE OR REPLACE FUNCTION private.user_limit(p_org_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce((select l.max_users from public.subscriptions s join public.plan_limits l on l.plan = s.plan
    where s.org_id = p_org_id), 2);
$function$;

CREATE OR REPLACE FUNCTION public.invitation_page(p_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_invitation private.invitations;
  v_state text;
  v_organization text;
begin
  select * into v_invitation from private.invitations i where i.token_hash = sha256(convert_to(p_token, 'UTF8'));
  v_state := private.invitation_state(v_invitation);
  select o.name into v_organization from public.organizations o where o.id = v_invitation.org_id;
  if v_state <> 'open' then
    return jsonb_build_object('state', v_state, 'organization', v_organization);
  end if;
  return jsonb_build_object('state', v_state, 'organization', v_organization, 'email', v_invitation.email,
    'role', v_invitation.role,
    'role_name', (select r.name from public.roles r where r.role = v_invitation.role),
    'role_description', (select r.description from public.roles r where r.role = v_invitation.role),
    'inviter', private.user_name(v_invitation.invited_by),
    'expires_at', v_invitation.expires_at,
    'store', (select s.name from public.stores s where s.org_id = v_invitation.org_id
      and s.id = private.bound_store(v_invitation.role, v_invitation.store_id)),
    'closed', private.joining_refusal(v_invitation.org_id));
end;
$function$;

CREATE OR REPLACE FUNCTION public.team(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('team.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'members', private.team_members(p_org_id),
    'invitations', case when p_org_id in (select private.my_org_ids('team.manage'))
      then private.team_invitations(p_org_id) else '[]'::jsonb end,
    'roles', private.team_roles(p_org_id),
    'has_own_roles', private.has_feature(p_org_id, 'custom_roles'),
    'used', private.users_used(p_org_id),
    'limit', private.user_limit(p_org_id));
end;
$function$;

CREATE OR REPLACE FUNCTION public.waiting_invitation()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
    'role_name', (select r.name from public.roles r where r.role = i.role),
    'inviter', private.user_name(i.invited_by), 'expires_at', i.expires_at,
    'closed', private.joining_refusal(i.org_id))
  from auth.users u
  join private.invitations i on i.email = lower(u.email) and private.invitation_state(i) = 'open'
  join public.organizations o on o.id = i.org_id
  where u.id = (select private.my_user_id()) and u.email_confirmed_at is not null and private.has_proven_address(u.id)
  order by i.sent_at desc, i.id limit 1;
$function$;

COMMENT ON FUNCTION "private"."joining_refusal"(uuid) IS 'Reason for which private.require_seat refuses whoever accepts an open invitation now: that of private.closed_reason, or user_limit_reached; null while it takes them in.';

COMMENT ON FUNCTION "private"."user_limit"(uuid) IS 'Number of users that the plan of an organisation allows; -1 is unlimited.';

COMMENT ON FUNCTION "public"."invitation_page"(text) IS 'Invitation as the page behind its link shows it: the shape is invitationPage of _shared/domain. The link came to the mailbox that it names. While it is open, closed is that of private.joining_refusal.';

REVOKE ALL ON FUNCTION "private"."joining_refusal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."user_limit"(uuid) FROM PUBLIC;
