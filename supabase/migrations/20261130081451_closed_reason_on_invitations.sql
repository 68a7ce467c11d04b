-- Why: an invitation to a closed organisation said so only after an account was made and joining was refused.

set check_function_bodies = off;

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
    'closed', (select private.closed_reason(s) from public.subscriptions s where s.org_id = v_invitation.org_id));
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
    'closed', (select private.closed_reason(s) from public.subscriptions s where s.org_id = i.org_id))
  from auth.users u
  join private.invitations i on i.email = lower(u.email) and private.invitation_state(i) = 'open'
  join public.organizations o on o.id = i.org_id
  where u.id = (select private.my_user_id()) and u.email_confirmed_at is not null and private.has_proven_address(u.id)
  order by i.sent_at desc, i.id limit 1;
$function$;

COMMENT ON FUNCTION "public"."invitation_page"(text) IS 'Invitation as the page behind its link shows it: the shape is invitationPage of _shared/domain. The link came to the mailbox that it names. While it is open, closed is the reason for which private.require_seat refuses to take anybody in.';

COMMENT ON FUNCTION "public"."waiting_invitation"() IS 'The invitation that waits for the signed-in user''s address, where that is known to be this person''s: the newest, null without one. The shape is waitingInvitation of _shared/domain; closed is that of public.invitation_page.';
