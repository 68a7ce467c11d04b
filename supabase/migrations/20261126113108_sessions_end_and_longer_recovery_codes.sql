-- Why: a session ends 365 days after its sign-in (OWASP ASVS 7.3.2), recovery codes have 128 random bits and more (11.5.1), refused ones leave a trace (16.3.1), and an organisation's name is no password (6.2.11).

set check_function_bodies = off;

ALTER TABLE "private"."account_events" DROP CONSTRAINT "account_events_event_check";

CREATE OR REPLACE FUNCTION private.organization_names(p_user_id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(
    select o.name from public.organization_members m join public.organizations o on o.id = m.org_id
    where m.user_id = p_user_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_recovery_codes()
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_session auth.sessions := private.my_session();
  v_codes text[];
begin
  if v_user_id is null then
    raise exception 'unauthenticated' using errcode = '42501';
  elsif not exists (select 1 from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified') then
    -- Whoever has one has used it, or would not have come so far.
    raise exception 'second_factor_required' using errcode = 'TV010';
  end if;
  -- One after the other: of two calls at once, the codes of the later stay, all ten.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r where r.user_id = v_user_id;
  select array_agg(rtrim(regexp_replace(
      substr(
        private.random_code('{random}') || private.random_code('{random}') || private.random_code('{random}')
          || private.random_code('{random}'),
        1, 28),
      '(.{4})', '\1-', 'g'), '-'))
  into v_codes from generate_series(1, 10);
  insert into private.recovery_codes (user_id, code_hash)
  select v_user_id, private.recovery_code_hash(v_user_id, code) from unnest(v_codes) as code;
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_codes_created', v_session.id);
  return v_codes;
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
  where c.session_id = v_session.id and c.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn');
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_code_used', v_session.id);
  -- Whoever did not do this themselves has to hear of it.
  perform private.enqueue_mail(
    'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = v_user_id and u.email <> '';
end;
$function$;

ALTER TABLE "private"."account_events" ADD CONSTRAINT "account_events_event_check" CHECK ((event = ANY (ARRAY['recovery_codes_created'::text, 'recovery_code_used'::text, 'recovery_code_refused'::text, 'session_ended'::text, 'passkey_added'::text, 'passkey_removed'::text])));

COMMENT ON COLUMN "private"."account_events"."event" IS 'What happened: recovery_codes_created, recovery_code_used, recovery_code_refused, session_ended, passkey_added or passkey_removed.';

COMMENT ON COLUMN "private"."recovery_codes"."code_hash" IS 'SHA-256 of user and code. The code has 140 random bits (80 until November 2026), which no computer tries out: a slow hash would add nothing.';

COMMENT ON FUNCTION "private"."organization_names"(uuid) IS 'Names of the organisations of a user: words that are no password of theirs.';

COMMENT ON FUNCTION "public"."create_recovery_codes"() IS 'Ten new recovery codes of the signed-in user, of 28 signs in groups of four; those before are worth nothing any more. They are shown once. Error TV010 to whoever has no second factor; errors of my_user_id().';

REVOKE ALL ON FUNCTION "private"."organization_names"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."organization_names"(uuid) TO "service_role";

-- Sessions from before have a year from now: none ends because of the update.
update auth.sessions set not_after = now() + interval '365 days' where not_after is null;
