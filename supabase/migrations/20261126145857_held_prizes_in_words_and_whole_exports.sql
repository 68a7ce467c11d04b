-- Why: prize_status names the language in which a decision is said; no ticket is mailed of a prize that is held back; the right of access reaches what the team wrote to a customer, and every notice that a member chose.

set check_function_bodies = off;

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
      'summary', n.summary, 'monthly_report', n.monthly_report, 'push_low_ratings', n.push_low_ratings,
      'push_low_stock', n.push_low_stock, 'push_asked_at', n.push_asked_at))
      from public.notification_preferences n where n.user_id = u.id),
    -- Details may name colleagues and people who were invited: only fields that identify nobody are answered.
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'subject', e.subject_type,
        'subject_id', e.subject_id, 'detail', (select coalesce(jsonb_object_agg(d.key, d.value), '{}')
          from jsonb_each(e.detail) d where d.key in ('fields', 'plan', 'former_plan', 'billing', 'former_billing')))
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.export_customer(p_org_id uuid, p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_table record;
  v_rows jsonb;
  v_all jsonb := '{}';
begin
  for v_table in
    select c.oid::regclass as name, c.relname as title,
      case when c.relname = 'customers' then 'id' else 'customer_id' end as key,
      array_agg(a.attname::text order by a.attnum) as columns
    from private.tenant_tables() t
    join pg_catalog.pg_class c on c.oid = t::oid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      -- As in export_organization.
      and a.attname::text !~ '(_hash|_token|_words|_normalized|_key)$' and a.attname not in ('shard', 'nonce')
    where c.relnamespace = 'public'::regnamespace and (c.relname = 'customers' or exists (
      select 1 from pg_catalog.pg_attribute k
      where k.attrelid = c.oid and k.attname = 'customer_id' and not k.attisdropped))
    group by c.oid, c.relname
  loop
    execute format('select jsonb_agg(to_jsonb(r)) from (select %s from %s where org_id = $1 and %I = $2) r',
      (select string_agg(quote_ident(k), ', ') from unnest(v_table.columns) k), v_table.name, v_table.key)
    into v_rows using p_org_id, p_id;
    if v_rows is not null then
      v_all := v_all || jsonb_build_object(v_table.title, v_rows);
    end if;
  end loop;
  -- What was written to them, and about their reviews; by whom is the colleague's own.
  select jsonb_agg(jsonb_build_object('review_id', a.review_id, 'kind', a.kind, 'body', a.body, 'delivery', a.delivery,
    'created_at', a.created_at, 'redemption_id', a.redemption_id) order by a.id)
  into v_rows
  from public.review_actions a
  join public.pre_spin_reviews r on r.org_id = a.org_id and r.id = a.review_id
  where a.org_id = p_org_id and r.customer_id = p_id;
  return v_all || case when v_rows is null then '{}' else jsonb_build_object('review_actions', v_rows) end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.queue_again(p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_message private.outbox;
  v_lasts boolean;
begin
  select * into v_message from private.outbox o where o.id = p_id for update;
  v_lasts := private.is_lasting(v_message.template);
  if v_message.id is null then
    return 'unknown';
  elsif v_message.state <> 'failed' then
    return 'not_given_up';
  elsif not v_lasts and v_message.expires_at <= now() then
    return 'expired';
  elsif v_message.data = '{}' and v_message.channel <> 'payment' then
    return 'emptied';
  -- No mail about a code that was used or erased, has expired, or is held back.
  elsif v_message.template in ('prize', 'prize_reminder', 'prize_released') and not exists (
    select 1 from public.organizations o
    join public.redemptions d on d.org_id = o.id
      and d.spin_id = substring(v_message.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid
    where private.code_state(d) = 'available' and d.verdict is null)
  then
    return 'prize_over';
  end if;
  update private.outbox o
  set state = 'queued', settled_at = null, last_error = null, attempts_before = o.attempts, queued_again_at = now(),
    next_attempt_at = now(), expires_at = case when v_lasts then now() + interval '1 day' else o.expires_at end
  where o.id = p_id;
  perform pg_notify('tournavis_outbox', '');
  return 'queued';
end;
$function$;

CREATE OR REPLACE FUNCTION public.mail_prize(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid, p_email text, p_address_hash text, OUT outcome text, OUT recipient text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_code public.redemptions;
  v_known text;
  v_retry_after integer;
begin
  v_retry_after := private.count_attempt(array['prize mail address ' || p_address_hash], '{30}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  v_code := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
  if v_code.id is null then
    outcome := 'prize_not_found';
    return;
  end if;
  if private.code_state(v_code) <> 'available' then
    outcome := 'code_' || private.code_state(v_code);
    return;
  elsif v_code.verdict is not null then
    -- A ticket would promise what no till gives now.
    outcome := 'code_held';
    return;
  end if;

  select coalesce(t.end_user_email, c.email) into v_known
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = v_code.org_id and t.id = v_code.spin_id;
  recipient := coalesce(v_known, p_email);
  if recipient is null then
    outcome := 'email_needed';
    return;
  end if;
  -- Asked again, by a thumb or by the network: it is on its way, and nobody's limit is touched.
  if exists (
    select 1 from private.prize_mails m
    where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      and (m.mails >= 3 or m.sent_at > now() - interval '10 minutes')
  ) then
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  -- Whoever plays types the address, which could be anybody's. So an address gets few mails a day, and fewer where this
  -- page alone has named it.
  v_retry_after := private.count_attempt(
    array['prize mail to ' || encode(sha256(convert_to(private.normalize_email(recipient), 'UTF8')), 'hex')],
    array[case when v_known is null then 3 else 10 end], interval '1 day');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    recipient := null;
    return;
  end if;

  insert into private.prize_mails as m (org_id, spin_id) values (v_code.org_id, v_code.spin_id)
  on conflict (org_id, spin_id) do update set mails = m.mails + 1, sent_at = now()
    where m.mails < 3 and m.sent_at <= now() - interval '10 minutes';
  if not found then
    -- The same, at the same instant.
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  perform private.write_prize_mail('prize', recipient, v_code);
  outcome := 'sent';
  -- Enough to recognise one's own address, too little to learn somebody's.
  recipient := left(recipient, 1) || '•••@' || split_part(recipient, '@', -1);
end;
$function$;

CREATE OR REPLACE FUNCTION public.prize_status(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_code constant public.redemptions := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
begin
  if v_code.id is null then
    return null;
  end if;
  return jsonb_build_object('status', private.code_state(v_code), 'verdict', v_code.verdict, 'used_at', v_code.used_at,
    'expires_at', v_code.expires_at,
    'locale', (select c.locale from public.customers c where c.org_id = v_code.org_id and c.id = v_code.customer_id),
    'prize', (
      select s.result::jsonb || jsonb_build_object('expires_at', v_code.expires_at)
      from public.spins s
      where s.org_id = v_code.org_id and s.id = v_code.spin_id));
end;
$function$;

COMMENT ON FUNCTION "private"."export_customer"(uuid, uuid) IS 'Everything that an organisation keeps of a customer, by table (right of access), with what the team wrote to them and about their reviews. Read from the catalog, so that no table is forgotten; what only serves the platform is left out.';

COMMENT ON FUNCTION "private"."queue_again"(uuid) IS 'Queues a message that was given up, with as many tries as a new one. Answers queued, or why not: unknown, not_given_up, expired (its link or code opens nothing any more), emptied (its data is gone), prize_over (its prize was used, has expired, or is held back or cancelled).';

COMMENT ON FUNCTION "public"."mail_prize"(uuid, uuid, uuid, text, text) IS 'Sends a prize to its winner by e-mail, for whoever knows the nonce of its spin: to the address that was given for the spin or stands with the customer; p_email counts only where neither is known. Outcomes: sent (recipient, masked), repeated (within 10 minutes, or 3 times already: nothing is sent), email_needed, prize_not_found, code_used, code_expired (by time, or cancelled), code_held, too_many_attempts (retry_at).';

COMMENT ON FUNCTION "public"."prize_status"(uuid, uuid, uuid) IS 'Whether a prize still waits, the language of its customer''s pages, and the prize as its spin was answered. For whoever knows the nonce of that spin; null otherwise. The server function makes prizeAnswer of _shared/domain of it.';
