-- Why: which keys are open, which mails go to the team, when a scan is counted again, a prize mailed again and a code given back: each rule was written out in two to four places.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.api_key_refusal(p_key private.api_keys)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_key.id is null or not private.is_api_key_open(p_key) then 'api_key_refused'
    when not private.includes_api(p_key.org_id) then 'api_not_in_plan'
  end;
$function$;

CREATE OR REPLACE FUNCTION private.check_redemption_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (old.status = 'available' and new.status = 'used')
    or (old.status = 'available' and new.status = 'expired' and old.expires_at <= now())
    or (old.status = 'used' and new.status = 'available' and private.may_restore(old.used_at))
    or (old.status = 'available' and new.status = 'expired' and new.verdict = 'cancelled')
    or (old.status = 'expired' and new.status = 'available' and old.verdict is not null and new.verdict is null)
  then
    return new;
  end if;
  raise exception 'redemption_transition_refused' using errcode = '23514',
    constraint = 'redemptions_status_transition', detail = old.status || ' -> ' || new.status;
end;
$function$;

CREATE OR REPLACE FUNCTION private.enqueue_customer_mail(p_org_id uuid, p_customer_id uuid, p_template text, p_to text, p_data jsonb, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_not_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_consents boolean;
  v_data jsonb := p_data;
begin
  -- An erasure at this instant goes first, or waits and finds this mail.
  select c.consent_marketing and coalesce(c.email_normalized = private.normalize_email(p_to), true) into v_consents
  from public.customers c where c.org_id = p_org_id and c.id = p_customer_id for key share;
  if p_customer_id is not null and not found then
    return null;
  end if;
  if v_consents and not private.is_for_the_team(p_template) then
    v_data := v_data || jsonb_build_object('offers', jsonb_build_object(
      'token', private.consent_token(p_org_id, p_customer_id),
      'organizer', (select o.name from public.organizations o where o.id = p_org_id)));
  end if;
  return private.enqueue_message('mail', p_template, p_to, v_data, p_expires_at, p_not_before, p_org_id || ' ' || p_customer_id);
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_messages_to(p_contacts text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  delete from private.outbox o
  where lower(o.recipient) = any (array(select lower(c) from unnest(p_contacts) c))
    -- Those of merchants to their customers go with such a customer.
    and (o.customer is null or private.is_for_the_team(o.template))
    -- Written for an address, whoever has an account with it.
    and o.template <> 'contact_request' and (o.template <> 'invitation' or o.state <> 'queued');
$function$;

CREATE OR REPLACE FUNCTION private.is_api_key_open(p_key private.api_keys)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p_key.revoked_at is null and (p_key.expires_at is null or p_key.expires_at > now());
$function$;

CREATE OR REPLACE FUNCTION private.is_for_the_team(p_template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select p_template = 'low_rating';
$function$;

CREATE OR REPLACE FUNCTION private.is_same_visit(p_scanned_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (p_scanned_at > (now() - '00:30:00'::interval));

CREATE OR REPLACE FUNCTION private.may_mail_prize(p_mails smallint, p_sent_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((p_mails < 3) AND (p_sent_at <= (now() - '00:10:00'::interval)));

CREATE OR REPLACE FUNCTION private.open_api_keys_by(p_org_id uuid, p_user_id uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*) from private.api_keys k
  where k.org_id = p_org_id and k.created_by = p_user_id and private.is_api_key_open(k);
$function$;

CREATE OR REPLACE FUNCTION private.sweep_limits(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_attempts integer;
  v_scans integer;
begin
  delete from private.rate_limits r where r.ctid = any (array(
    select o.ctid from private.rate_limits o where o.expires_at < now() limit p_limit for update skip locked
  ));
  get diagnostics v_attempts = row_count;
  delete from private.recent_scans r where r.ctid = any (array(
    select o.ctid from private.recent_scans o where not private.is_same_visit(o.scanned_at)
    limit p_limit for update skip locked
  ));
  get diagnostics v_scans = row_count;
  return v_attempts + v_scans;
end;
$function$;

CREATE OR REPLACE FUNCTION private.team_members(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.user_id, 'name', private.name_of(u.raw_user_meta_data, u.email), 'email', u.email, 'role', m.role, 'added_at', m.added_at,
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end,
    'api_keys', case when p_org_id in (select private.my_org_ids('team.manage'))
      then private.open_api_keys_by(m.org_id, m.user_id) else 0 end)
    order by array_position('{owner,admin,member,cashier}', m.role), m.added_at, m.user_id), '[]'::jsonb)
  from public.organization_members m
  join auth.users u on u.id = m.user_id
  -- Only where there is a store is its role asked about.
  left join public.stores s on s.org_id = m.org_id and s.id = m.store_id
    and s.id = private.bound_store(m.role, m.store_id)
  where m.org_id = p_org_id;
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
        'api_keys', private.open_api_keys_by(m.org_id, m.user_id))
      from public.organization_members m join public.organizations o on o.id = m.org_id
      where m.user_id = v_user_id),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = v_user_id and (s.not_after is null or s.not_after > now())));
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
      and not private.may_mail_prize(m.mails, m.sent_at)
  ) then
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  -- The player types the address, which could be anybody's. So an address gets few mails a day, and fewer where this
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
    where private.may_mail_prize(m.mails, m.sent_at);
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

CREATE OR REPLACE FUNCTION public.record_scan(p_slug text, p_source text, p_visitor_hash text, p_address_hash text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_timezone text;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return 'campaign_not_found';
  end if;

  -- Looked at first, so that reloading a page takes nothing from those who share an address.
  if exists (
    select 1 from private.recent_scans r
    where r.campaign_id = v_campaign.id and r.visitor_hash = p_visitor_hash
      and private.is_same_visit(r.scanned_at)
  ) then
    return 'repeated';
  end if;
  if private.count_attempt(
    array['scan address ' || p_address_hash || ' ' || v_campaign.id::text], '{600}', interval '1 hour') is not null
  then
    return 'too_many_attempts';
  end if;
  insert into private.recent_scans as r (campaign_id, visitor_hash, scanned_at)
  values (v_campaign.id, p_visitor_hash, now())
  on conflict (campaign_id, visitor_hash) do update set scanned_at = excluded.scanned_at
    where not private.is_same_visit(r.scanned_at);
  if not found then
    return 'repeated';
  end if;
  if random() < 0.01 then
    delete from private.recent_scans r
    where r.ctid = any (array(
      select o.ctid from private.recent_scans o where not private.is_same_visit(o.scanned_at)
      limit 500 for update skip locked
    ));
  end if;

  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  insert into public.scan_events (org_id, campaign_id, store_id, source)
  values (v_campaign.org_id, v_campaign.id, v_campaign.store_id, p_source);
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_timezone)::date, p_scans => 1);
  return 'counted';
end;
$function$;

COMMENT ON FUNCTION "private"."enqueue_customer_mail"(uuid, uuid, text, text, jsonb, timestamp with time zone, timestamp with time zone) IS 'Writes a mail to a customer, or about one (is_for_the_team), as enqueue_mail does any other: it goes with that customer. One to a customer who agreed to marketing brings the link that withdraws it, unless another address than this is known to be theirs. Null, and no mail, once they are erased; one about nobody (null) is written. Codes and the customer are locked before a review.';

COMMENT ON FUNCTION "private"."is_api_key_open"(private.api_keys) IS 'Whether a key is neither taken back nor expired, whatever the plan.';

COMMENT ON FUNCTION "private"."is_for_the_team"(text) IS 'Whether a mail of this template goes to members about a customer; all others that name a customer go to that customer.';

COMMENT ON FUNCTION "private"."is_same_visit"(timestamp with time zone) IS 'Whether a scan now belongs to the visit of the visitor''s last counted scan, and is not counted again: for 30 minutes.';

COMMENT ON FUNCTION "private"."may_mail_prize"(smallint, timestamp with time zone) IS 'Whether a prize that was mailed this often, and last then, may be mailed again: 3 times at most, 10 minutes apart.';

COMMENT ON FUNCTION "private"."open_api_keys_by"(uuid, uuid) IS 'Number of an organisation''s keys that a user made and that are still open: they outlast the user''s membership.';

REVOKE ALL ON FUNCTION "private"."is_api_key_open"(private.api_keys) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_for_the_team"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_same_visit"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_mail_prize"(smallint, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_api_keys_by"(uuid, uuid) FROM PUBLIC;
