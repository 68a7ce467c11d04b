-- Why: passkeys sign people in; who gets or loses one is told, and a lost device loses them

set check_function_bodies = off;

ALTER TABLE "private"."account_events" DROP CONSTRAINT "account_events_event_check";

CREATE OR REPLACE FUNCTION private.drop_passkeys(p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  delete from auth.webauthn_credentials c where c.user_id = p_user_id;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform private.note_passkey(p_user_id, 'passkey_removed');
  end if;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.export_account(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'account', jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'metadata', u.raw_user_meta_data,
      'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at, 'last_sign_in_at', u.last_sign_in_at),
    'ways_in', (select jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
      'created_at', i.created_at) order by i.created_at) from auth.identities i where i.user_id = u.id),
    'second_factors', (select jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
      'phone', f.phone, 'status', f.status, 'created_at', f.created_at) order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id),
    'passkeys', (select jsonb_agg(jsonb_build_object('name', k.friendly_name, 'created_at', k.created_at,
      'last_used_at', k.last_used_at) order by k.created_at) from auth.webauthn_credentials k where k.user_id = u.id),
    'sessions', (select jsonb_agg(jsonb_build_object('created_at', s.created_at, 'device', s.user_agent,
      'address', host(s.ip)) order by s.created_at) from auth.sessions s where s.user_id = u.id),
    'membership', (select jsonb_agg(jsonb_build_object('organization', o.name, 'role', m.role, 'added_at', m.added_at))
      from public.organization_members m join public.organizations o on o.id = m.org_id where m.user_id = u.id),
    'notices', (select jsonb_agg(jsonb_build_object('email', n.email, 'sms', n.sms, 'low_ratings', n.low_ratings,
      'summary', n.summary)) from public.notification_preferences n where n.user_id = u.id),
    -- Names in the detail are of colleagues and of those who were invited: only what nobody can be known by is told.
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'subject', e.subject_type,
        'subject_id', e.subject_id, 'detail', (select coalesce(jsonb_object_agg(d.key, d.value), '{}')
          from jsonb_each(e.detail) d where d.key in ('fields', 'plan', 'former_plan', 'billing', 'former_billing')))
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.note_passkey(p_user_id uuid, p_event text, p_session_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.account_events (user_id, event, session_id) values (p_user_id, p_event, p_session_id);
  perform private.enqueue_mail(p_event, u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = p_user_id and u.email <> '';
end;
$function$;

CREATE OR REPLACE FUNCTION private.sweep_accounts(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
  v_total integer := 0;
begin
  -- A used refresh token is kept for a while: shown again, it betrays a theft.
  delete from auth.refresh_tokens t where t.id = any (array(
    select o.id from auth.refresh_tokens o where o.revoked and o.updated_at < now() - interval '7 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.sessions s where s.id = any (array(
    select o.id from auth.sessions o
    where o.not_after < now() - interval '1 day'
      or greatest(o.refreshed_at at time zone 'UTC', o.created_at) < now() - interval '180 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.flow_state f where f.id = any (array(
    select o.id from auth.flow_state o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.one_time_tokens t where t.id = any (array(
    select o.id from auth.one_time_tokens o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.mfa_challenges c where c.id = any (array(
    select o.id from auth.mfa_challenges o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.webauthn_challenges c where c.id = any (array(
    select o.id from auth.webauthn_challenges o where o.expires_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_total + v_count;
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
  where c.session_id = v_session.id and c.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn');
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_code_used', v_session.id);
  -- Whoever did not do this themselves has to hear of it.
  perform private.enqueue_mail(
    'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = v_user_id and u.email <> '';
end;
$function$;

ALTER TABLE "private"."account_events" ADD CONSTRAINT "account_events_event_check" CHECK ((event = ANY (ARRAY['recovery_codes_created'::text, 'recovery_code_used'::text, 'session_ended'::text, 'passkey_added'::text, 'passkey_removed'::text])));

COMMENT ON COLUMN "private"."account_events"."event" IS 'What happened: recovery_codes_created, recovery_code_used, session_ended, passkey_added or passkey_removed.';

COMMENT ON FUNCTION "private"."drop_passkeys"(uuid) IS 'Deletes all passkeys of an account and notifies its user; answers how many there were.';

COMMENT ON FUNCTION "private"."note_passkey"(uuid, text, uuid) IS 'Records that an account got or lost a passkey (passkey_added, passkey_removed), and notifies its user by e-mail.';

COMMENT ON FUNCTION "private"."sweep_accounts"(integer) IS 'Job: used refresh tokens after 7 days, sessions that ended or were not refreshed for 180 days, and tokens, sign-ins and challenges of factors and passkeys that nobody finished within a day go.';

COMMENT ON FUNCTION "public"."use_recovery_code"(text) IS 'Gives a recovery code in place of a lost second factor: all factors, passkeys, recovery codes and other sessions of the user go, so that a factor can be enrolled anew. Outcomes: recovered, unknown, too_many_attempts (5 in a quarter of an hour; retry_after in seconds). Error TV011 when the session was ended.';

REVOKE ALL ON FUNCTION "private"."drop_passkeys"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_passkey"(uuid, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."note_passkey"(uuid, text, uuid) TO "service_role";
