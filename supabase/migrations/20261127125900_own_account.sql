-- Why: a person deletes their own account, and takes a copy of what is kept of them, without the operator; invitations of an account that goes are withdrawn.

set check_function_bodies = off;

DROP FUNCTION "private"."release_account"(uuid);

DROP FUNCTION "private"."withdraw_powerless_invitations"(uuid);

CREATE OR REPLACE FUNCTION private.copy_account(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.export_account(p_user_id) || jsonb_build_object('push_devices', private.export_push_devices(p_user_id));
$function$;

CREATE OR REPLACE FUNCTION private.erase_account(p_user_id uuid, p_is_own boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Before the account is locked: joining a team locks the team first.
  perform private.release_account(p_user_id, p_is_own);
  delete from auth.flow_state f where f.user_id = p_user_id;
  delete from auth.users u where u.id = p_user_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.has_fresh_proof()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from auth.mfa_amr_claims c
    where c.session_id = s.id and c.updated_at > now() - interval '10 minutes'
      and case
        when exists (select 1 from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')
          then c.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn')
        else c.authentication_method not in ('totp', 'mfa/phone', 'mfa/webauthn', 'token_refresh', 'anonymous')
      end)
  from private.my_session() s;
$function$;

CREATE OR REPLACE FUNCTION private.release_account(p_user_id uuid, p_is_own boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_role text;
begin
  perform private.forget_messages_to(array[u.email, u.phone]) from auth.users u where u.id = p_user_id;
  perform private.forget_colleague(p_user_id);
  -- One that waits is the organisation's own affair: an address that proves nothing must not take it back.
  delete from private.invitations i where i.accepted_by = p_user_id;
  -- As in create_organization: nobody enters a team with an account that goes.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || p_user_id, 0));
  select m.org_id into v_org_id from public.organization_members m where m.user_id = p_user_id;
  if not found then
    return;
  end if;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = p_user_id for update;
  if not found then
    return;
  end if;
  -- An organisation that waits to be erased needs an owner only while somebody has to cancel its payments.
  if private.role_may(v_role, 'owners.manage')
    and (private.has_running_payments(v_org_id)
      or exists (select 1 from public.organizations o where o.id = v_org_id and o.erase_at is null))
  then
    perform private.require_other_owner(v_org_id, p_user_id);
  end if;
  -- A person who deletes their own account asks to be forgotten: a name would stay there for 13 months.
  if p_is_own then
    perform private.audit_as(v_org_id, null, 'member.erased', 'member', null, jsonb_build_object('role', v_role));
  else
    perform private.audit_as(v_org_id, null, 'member.removed', 'member', p_user_id,
      jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  end if;
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
  perform private.withdraw_powerless_invitations(v_org_id, null);
end;
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_powerless_invitations(p_org_id uuid, p_actor_id uuid DEFAULT private.my_user_id())
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_gone record;
begin
  for v_gone in
    update private.invitations i set withdrawn_at = now()
    where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null
      and not private.may_invite(i.org_id, i.invited_by, i.role)
    returning i.id, i.email, i.role
  loop
    perform private.audit_as(p_org_id, p_actor_id, 'invitation.withdrawn', 'invitation', v_gone.id,
      jsonb_build_object('name', v_gone.email, 'role', v_gone.role));
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION public.account_deletion_summary()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  if v_user_id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'organization', (
      select jsonb_build_object(
        'name', o.name,
        'erase_at', o.erase_at,
        'is_last_owner', private.role_may(m.role, 'owners.manage') and not exists (
          select 1 from public.organization_members w
          where w.org_id = m.org_id and w.user_id <> m.user_id and private.role_may(w.role, 'owners.manage')),
        'has_colleagues', exists (
          select 1 from public.organization_members w where w.org_id = m.org_id and w.user_id <> m.user_id),
        'has_running_payments', private.has_running_payments(o.id),
        'api_keys', (
          select count(*) from private.api_keys k
          where k.org_id = m.org_id and k.created_by = m.user_id and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > now())))
      from public.organization_members m join public.organizations o on o.id = m.org_id
      where m.user_id = v_user_id),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = v_user_id and (s.not_after is null or s.not_after > now())));
end;
$function$;

CREATE OR REPLACE FUNCTION public.copy_account_data(OUT outcome text, OUT retry_after integer, OUT data jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  if v_user_id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  retry_after := private.count_attempt(array['copy of account ' || v_user_id], '{10}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  outcome := 'copied';
  data := private.copy_account(v_user_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.delete_account(p_id uuid, OUT outcome text, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_email text;
  v_name text;
begin
  if v_user_id is null or p_id is distinct from v_user_id then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- A refusal is an answer, not an error: an error would take back the count.
  retry_after := private.count_attempt(array['deletion of account ' || v_user_id], '{10}', interval '15 minutes');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  elsif not private.has_fresh_proof() then
    outcome := 'proof_needed';
    return;
  end if;
  select u.email, private.user_name(u.id) into v_email, v_name from auth.users u where u.id = v_user_id;
  begin
    perform private.erase_account(v_user_id, true);
  exception when sqlstate 'TV104' then
    outcome := 'last_owner';
    return;
  end;
  outcome := 'deleted';
  -- Afterwards: messages to an account go with it.
  if v_email <> '' then
    perform private.enqueue_mail(
      'account_deleted', v_email, jsonb_build_object('email', v_email, 'name', v_name), now() + interval '1 day');
  end if;
end;
$function$;

COMMENT ON FUNCTION "private"."copy_account"(uuid) IS 'Everything that is kept of somebody with an account, their devices for messages included (right of access); null without one.';

COMMENT ON FUNCTION "private"."erase_account"(uuid, boolean) IS 'Deletes an account for good: ways in, sessions, membership, devices and messages go with it. Asked for by its own person, or by the operator. Error TV104, as release_account; then nothing is changed.';

COMMENT ON FUNCTION "private"."has_fresh_proof"() IS 'Whether the person of this session has proven within ten minutes who they are: with the second factor where they have one, else by any sign-in. Refreshing a session proves nothing.';

COMMENT ON FUNCTION "private"."release_account"(uuid, boolean) IS 'Takes an account that is to be deleted out of its team, and writes that down there: without a name where it is its person''s own wish. Messages to it, the invitation that it accepted and its name beside reviews go, and the invitations that it made are withdrawn. Error TV104 for the last owner of an organisation that stays, or that the payment provider goes on charging: it would belong to nobody. Whoever deletes calls it before the account is locked, as whoever joins a team locks that first.';

COMMENT ON FUNCTION "private"."withdraw_powerless_invitations"(uuid, uuid) IS 'Withdraws the open invitations that those who made them could not make any more (private.may_invite), once a member or a role is less. Written down as done by the signed-in user, or by the platform (null).';

COMMENT ON FUNCTION "public"."account_deletion_summary"() IS 'Summary of what goes with the signed-in user''s account, what stays of it in their organisation, and what holds it back: they are its last owner. The shape is accountDeletion of _shared/domain. Errors of my_user_id(); 42501 for a key of the API.';

COMMENT ON FUNCTION "public"."copy_account_data"() IS 'Everything that is kept of the signed-in user, as the operator''s command gives it. Outcomes: copied, too_many_attempts (10 an hour; retry_after in seconds). Errors of my_user_id(); 42501 for a key of the API.';

COMMENT ON FUNCTION "public"."delete_account"(uuid) IS 'Deletes the signed-in user''s own account for good, and writes to its address that it is gone. The caller names it: a proof by somebody else''s passkey deletes nothing. Outcomes: deleted; proof_needed (none within ten minutes, see has_fresh_proof); last_owner (of an organisation that stays, or that is still charged); too_many_attempts (10 in a quarter of an hour; retry_after in seconds). Errors of my_user_id(); 42501 for another account and for a key of the API.';

REVOKE ALL ON FUNCTION "private"."copy_account"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erase_account"(uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_fresh_proof"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_account"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."release_account"(uuid, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "private"."withdraw_powerless_invitations"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."account_deletion_summary"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."account_deletion_summary"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."copy_account_data"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."copy_account_data"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."delete_account"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."delete_account"(uuid) TO "authenticated";
