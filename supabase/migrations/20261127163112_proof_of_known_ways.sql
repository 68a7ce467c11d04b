-- Why: whoever finds an account open adds no way in that deletes it, and what the hosted platform has logged of sign-ins is copied and erased with its account.

set check_function_bodies = off;

ALTER TABLE "private"."account_events" DROP CONSTRAINT "account_events_event_check";

DROP FUNCTION "private"."has_fresh_proof"();

CREATE OR REPLACE FUNCTION private.erase_account(p_user_id uuid, p_is_own boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Before the account is locked: joining a team locks the team first.
  perform private.release_account(p_user_id, p_is_own);
  delete from auth.flow_state f where f.user_id = p_user_id;
  delete from auth.audit_log_entries l where l.id in (select s.id from private.sign_in_log(p_user_id) s);
  delete from auth.users u where u.id = p_user_id;
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
      'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at, 'last_sign_in_at', u.last_sign_in_at,
      'new_email', nullif(u.email_change, ''), 'new_phone', nullif(u.phone_change, ''),
      'phone_confirmed_at', u.phone_confirmed_at, 'invited_at', u.invited_at, 'banned_until', u.banned_until,
      'trial_end', (select t.trial_end from private.account_trials t where t.user_id = u.id)),
    'ways_in', (select jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
      'created_at', i.created_at, 'last_sign_in_at', i.last_sign_in_at) order by i.created_at) from auth.identities i where i.user_id = u.id),
    'second_factors', (select jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
      'phone', f.phone, 'status', f.status, 'created_at', f.created_at, 'last_asked_at', f.last_challenged_at,
      'addresses', (select jsonb_agg(distinct host(h.ip_address)) from auth.mfa_challenges h where h.factor_id = f.id))
      order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id),
    'passkeys', (select jsonb_agg(jsonb_build_object('name', k.friendly_name, 'created_at', k.created_at,
      'last_used_at', k.last_used_at) order by k.created_at) from auth.webauthn_credentials k where k.user_id = u.id),
    'sessions', (select jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_seen_at', s.refreshed_at, 'device', s.user_agent,
      'address', host(s.ip)) order by s.created_at) from auth.sessions s where s.user_id = u.id),
    'membership', (select jsonb_agg(jsonb_build_object('organization', o.name, 'role', m.role, 'added_at', m.added_at,
        'store', (select s.name from public.stores s where s.org_id = m.org_id and s.id = m.store_id)))
      from public.organization_members m join public.organizations o on o.id = m.org_id where m.user_id = u.id),
    'invitations', (select jsonb_agg(jsonb_build_object('organization', o.name, 'address', v.email, 'role', v.role,
        'sent_at', v.sent_at, 'accepted_at', v.accepted_at, 'withdrawn_at', v.withdrawn_at) order by v.id)
      from private.invitations v join public.organizations o on o.id = v.org_id
      where v.accepted_by = u.id or private.normalize_email(v.email) = private.normalize_email(u.email)),
    'api_keys', (select jsonb_agg(jsonb_build_object('name', k.name, 'created_at', k.created_at) order by k.id)
      from private.api_keys k where k.created_by = u.id),
    -- Of codes and reviews the identifiers: whose they are is another's.
    'till', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'redemption_id', e.redemption_id)
      order by e.id) from public.redemption_events e where e.user_id = u.id),
    'points_handed_out', (select jsonb_agg(jsonb_build_object('at', s.used_at, 'spend_id', s.id) order by s.id)
      from public.points_spends s where s.used_by = u.id),
    'reviews_dealt_with', (select jsonb_agg(jsonb_build_object('at', a.created_at, 'kind', a.kind, 'review_id', a.review_id,
      'as', a.actor_name) order by a.id) from public.review_actions a where a.user_id = u.id),
    'messages', (select jsonb_agg(jsonb_build_object('channel', o.channel, 'template', o.template, 'state', o.state,
        'created_at', o.created_at, 'settled_at', o.settled_at) order by o.id)
      from private.outbox o where lower(o.recipient) in (lower(u.email), u.phone)
        -- Those of merchants to their customers are such a customer's.
        and (o.customer is null or o.template = 'low_rating')),
    'notices', (select jsonb_agg(jsonb_build_object('email', n.email, 'sms', n.sms, 'low_ratings', n.low_ratings,
      'summary', n.summary, 'monthly_report', n.monthly_report, 'push_low_ratings', n.push_low_ratings,
      'push_low_stock', n.push_low_stock, 'push_asked_at', n.push_asked_at))
      from public.notification_preferences n where n.user_id = u.id),
    -- Details may name colleagues and people who were invited: only fields that identify nobody are answered.
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'subject', e.subject_type, 'as', e.actor_name,
        'subject_id', e.subject_id, 'detail', (select coalesce(jsonb_object_agg(d.key, d.value), '{}')
          from jsonb_each(e.detail) d where d.key in ('fields', 'plan', 'former_plan', 'billing', 'former_billing')))
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id),
    'sign_in_log', (select jsonb_agg(jsonb_build_object('at', l.created_at, 'action', l.payload ->> 'action',
      'address', nullif(l.ip_address, '')) order by l.created_at) from private.sign_in_log(u.id) l))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.fresh_proof()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select bool_or(
    -- Nobody found an account open that is hardly made.
    u.created_at > now() - interval '1 day'
    or not exists (
      select 1 from private.account_events e
      where e.user_id = u.id and e.created_at > now() - interval '1 day'
        and e.event = case
          when private.is_second_factor(c.authentication_method) then 'factor_added'
          when c.authentication_method = 'password' then 'password_changed'
          when c.authentication_method = 'passkey' then 'passkey_added'
          when c.authentication_method in ('oauth', 'sso/saml', 'web3') then 'identity_added'
          -- All others are codes and links that were sent.
          else 'contact_changed'
        end))
  from private.my_session() s
  join auth.users u on u.id = s.user_id
  join auth.mfa_amr_claims c on c.session_id = s.id
  where c.updated_at > now() - interval '10 minutes'
    and case
      when exists (select 1 from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')
        then private.is_second_factor(c.authentication_method)
      else not private.is_second_factor(c.authentication_method)
        and c.authentication_method not in ('token_refresh', 'anonymous')
    end;
$function$;

CREATE OR REPLACE FUNCTION private.note_passkey(p_user_id uuid, p_event text, p_session_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- An addition is noted by the trigger note_passkey.
  if p_event <> 'passkey_added' then
    insert into private.account_events (user_id, event, session_id) values (p_user_id, p_event, p_session_id);
  end if;
  perform private.enqueue_mail(p_event, u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = p_user_id and u.email <> '';
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_way_in()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.account_events (user_id, event)
  values (case when tg_relid = 'auth.users'::regclass then new.id else (to_jsonb(new) ->> 'user_id')::uuid end, tg_argv[0]);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.sign_in_log(p_user_id uuid)
 RETURNS SETOF auth.audit_log_entries
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Without an index: parsing every entry would take many times as long as reading it.
  select l from auth.audit_log_entries l where l.payload::text like '%' || p_user_id || '%';
$function$;

CREATE OR REPLACE FUNCTION public.delete_account(p_id uuid, OUT outcome text, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_proof constant boolean := private.fresh_proof();
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
  elsif v_proof is not true then
    outcome := case when v_proof is null then 'proof_needed' else 'proof_too_new' end;
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

ALTER TABLE "private"."account_events" ADD CONSTRAINT "account_events_event_check" CHECK ((event = ANY (ARRAY['recovery_codes_created'::text, 'recovery_code_used'::text, 'recovery_code_refused'::text, 'session_ended'::text, 'passkey_added'::text, 'passkey_removed'::text, 'factor_added'::text, 'identity_added'::text, 'password_changed'::text, 'contact_changed'::text])));

CREATE TRIGGER note_identity AFTER INSERT ON auth.identities FOR EACH ROW WHEN ((new.provider <> ALL (ARRAY['email'::text, 'phone'::text]))) EXECUTE FUNCTION private.note_way_in('identity_added');

CREATE TRIGGER note_factor AFTER INSERT OR UPDATE OF status ON auth.mfa_factors FOR EACH ROW WHEN ((new.status = 'verified'::auth.factor_status)) EXECUTE FUNCTION private.note_way_in('factor_added');

CREATE TRIGGER note_contact AFTER UPDATE OF email, phone ON auth.users FOR EACH ROW WHEN (((((new.email)::text IS DISTINCT FROM (old.email)::text) AND ((new.email)::text <> ''::text)) OR ((new.phone IS DISTINCT FROM old.phone) AND (new.phone <> ''::text)))) EXECUTE FUNCTION private.note_way_in('contact_changed');

CREATE TRIGGER note_password AFTER UPDATE OF encrypted_password ON auth.users FOR EACH ROW WHEN ((((new.encrypted_password)::text IS DISTINCT FROM (old.encrypted_password)::text) AND ((new.encrypted_password)::text <> ''::text) AND ((new.email_confirmed_at IS NOT NULL) OR (new.phone_confirmed_at IS NOT NULL)))) EXECUTE FUNCTION private.note_way_in('password_changed');

CREATE TRIGGER note_passkey AFTER INSERT ON auth.webauthn_credentials FOR EACH ROW EXECUTE FUNCTION private.note_way_in('passkey_added');

COMMENT ON COLUMN "private"."account_events"."event" IS 'Kind of event: recovery_codes_created, recovery_code_used, recovery_code_refused, session_ended, passkey_added, passkey_removed, factor_added, identity_added (a provider was linked), password_changed or contact_changed (address or number).';

COMMENT ON FUNCTION "private"."fresh_proof"() IS 'Whether the person of this session has proven within ten minutes who they are: with the second factor where they have one, else by any sign-in; null when they have not. Refreshing a session proves nothing. False when all such proofs are of a kind that was added or changed within a day: whoever found the session open could have done that.';

COMMENT ON FUNCTION "private"."note_way_in"() IS 'Records that an account can be opened in a new way (event as argument). It stays known when the way is removed again: see fresh_proof.';

COMMENT ON FUNCTION "private"."sign_in_log"(uuid) IS 'Entries of the hosted platform''s log about an account: its sign-ins, with its address. Our own service writes none.';

COMMENT ON FUNCTION "public"."delete_account"(uuid) IS 'Deletes the signed-in user''s own account for good, and writes to its address that it is gone. The caller names it: a proof by somebody else''s passkey deletes nothing. Outcomes: deleted; proof_needed (none within ten minutes), proof_too_new (see fresh_proof); last_owner (of an organisation that stays, or that is still charged); too_many_attempts (10 in a quarter of an hour; retry_after in seconds). Errors of my_user_id(); 42501 for another account and for a key of the API.';

REVOKE ALL ON FUNCTION "private"."fresh_proof"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_way_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sign_in_log"(uuid) FROM PUBLIC;
