-- Why: whether an organisation needs an owner, and another member owns it: rules that the screen of one's own account asks for as well.

set check_function_bodies = off;

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
          then private.is_second_factor(c.authentication_method)
        else not private.is_second_factor(c.authentication_method)
          and c.authentication_method not in ('token_refresh', 'anonymous')
      end)
  from private.my_session() s;
$function$;

CREATE OR REPLACE FUNCTION private.has_other_owner(p_org_id uuid, p_member_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from public.organization_members m
    where m.org_id = p_org_id and m.user_id <> p_member_id and private.role_may(m.role, 'owners.manage')
  );
$function$;

CREATE OR REPLACE FUNCTION private.is_second_factor(p_method text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (p_method = ANY (ARRAY['totp'::text, 'mfa/phone'::text, 'mfa/webauthn'::text]));

CREATE OR REPLACE FUNCTION private.needs_owner(p_org_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.has_running_payments(o.id) or o.erase_at is null from public.organizations o where o.id = p_org_id;
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
  if private.role_may(v_role, 'owners.manage') and private.needs_owner(v_org_id) then
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

CREATE OR REPLACE FUNCTION private.require_other_owner(p_org_id uuid, p_member_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if not private.has_other_owner(p_org_id, p_member_id) then
    raise exception 'last_owner' using errcode = 'TV104';
  end if;
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
        'is_last_owner', private.role_may(m.role, 'owners.manage') and not private.has_other_owner(m.org_id, m.user_id),
        'needs_owner', private.needs_owner(m.org_id),
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

CREATE OR REPLACE FUNCTION public.use_recovery_code(p_code text, OUT outcome text, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_session auth.sessions := private.my_session();
  v_user_id constant uuid := v_session.user_id;
begin
  if v_user_id is null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  -- A refusal is an answer, not an error: an error would take back the count.
  retry_after := private.count_attempt(array['recovery code ' || v_user_id::text], '{5}', interval '15 minutes');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  -- One after the other: two codes at once would wait for each other's rows.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r
  where r.user_id = v_user_id and r.code_hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    outcome := 'unknown';
    insert into private.account_events (user_id, event, session_id)
    values (v_user_id, 'recovery_code_refused', v_session.id);
    return;
  end if;
  outcome := 'recovered';
  delete from private.recovery_codes r where r.user_id = v_user_id;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- The lost factor may be in other hands, and so may a device that is signed in, or holds a passkey.
  perform private.drop_passkeys(v_user_id);
  delete from auth.sessions s where s.user_id = v_user_id and s.id <> v_session.id;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.id = v_session.id;
  delete from auth.mfa_amr_claims c
  where c.session_id = v_session.id and private.is_second_factor(c.authentication_method);
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_code_used', v_session.id);
  -- The owner has to hear of it, in case somebody else did this.
  perform private.enqueue_mail(
    'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = v_user_id and u.email <> '';
end;
$function$;

COMMENT ON FUNCTION "private"."has_other_owner"(uuid, uuid) IS 'Whether another member than this one owns the organisation.';

COMMENT ON FUNCTION "private"."is_second_factor"(text) IS 'Whether a way in which somebody proved who they are (auth.mfa_amr_claims) is a second factor.';

COMMENT ON FUNCTION "private"."needs_owner"(uuid) IS 'Whether an organisation needs an owner. One that waits to be erased does only while payments run, which an owner has to cancel.';

REVOKE ALL ON FUNCTION "private"."has_other_owner"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_second_factor"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."needs_owner"(uuid) FROM PUBLIC;
