-- Why: a consent to marketing is withdrawn as easily as it is given (GDPR, article 7(3)), by the link of a mail; who withdrew it, and when, is kept.

set check_function_bodies = off;

CREATE TABLE "private"."link_keys" ("purpose" text NOT NULL, CONSTRAINT "link_keys_pkey" PRIMARY KEY (purpose), CONSTRAINT "link_keys_purpose_check" CHECK ((purpose = 'consent'::text)), "key" bytea NOT NULL DEFAULT private.new_secret(), CONSTRAINT "link_keys_key_check" CHECK ((length(key) = 32)));

ALTER TABLE "private"."link_keys" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."customers" ADD COLUMN "consent_withdrawn_at" timestamp with time zone;

ALTER TABLE "public"."customers" ADD COLUMN "consent_withdrawn_by" text;

CREATE OR REPLACE FUNCTION private.consent_seal(p_key bytea, p_org_id uuid, p_customer_id uuid)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select substr(private.hmac_sha256(p_key, 'consent ' || p_org_id || ' ' || p_customer_id), 1, 16); $function$;

CREATE OR REPLACE FUNCTION private.consent_subject(p_token text, OUT org_id uuid, OUT customer_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_bytes bytea;
  v_key constant bytea := (select k.key from private.link_keys k where k.purpose = 'consent');
begin
  if v_key is null or p_token is null or p_token !~ '^[A-Za-z0-9_-]{64}$' then
    return;
  end if;
  v_bytes := decode(translate(p_token, '-_', '+/'), 'base64');
  org_id := encode(substr(v_bytes, 1, 16), 'hex')::uuid;
  customer_id := encode(substr(v_bytes, 17, 16), 'hex')::uuid;
  -- Compared as hashes, so that the time that it takes tells nothing.
  if sha256(substr(v_bytes, 33)) <> sha256(private.consent_seal(v_key, org_id, customer_id)) then
    org_id := null;
    customer_id := null;
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.consent_token(p_org_id uuid, p_customer_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_key bytea;
begin
  select k.key into v_key from private.link_keys k where k.purpose = 'consent';
  if not found then
    -- Of two at one instant the later one waits, and takes the key of the other.
    insert into private.link_keys (purpose) values ('consent') on conflict do nothing;
    select k.key into v_key from private.link_keys k where k.purpose = 'consent';
  end if;
  return translate(encode(uuid_send(p_org_id) || uuid_send(p_customer_id)
    || private.consent_seal(v_key, p_org_id, p_customer_id), 'base64'), '+/', '-_');
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
  if v_consents and p_template <> 'low_rating' then
    v_data := v_data || jsonb_build_object('offers', jsonb_build_object(
      'token', private.consent_token(p_org_id, p_customer_id),
      'organizer', (select o.name from public.organizations o where o.id = p_org_id)));
  end if;
  return private.enqueue_message('mail', p_template, p_to, v_data, p_expires_at, p_not_before, p_org_id || ' ' || p_customer_id);
end;
$function$;

CREATE OR REPLACE FUNCTION private.stamp_consent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not new.consent_marketing then
    new.consent_at := null;
    new.consent_by := null;
    new.consent_version := null;
    new.consent_organizer := null;
    new.consent_locale := null;
    if tg_op = 'UPDATE' then
      new.consent_withdrawn_at := now();
      -- Only the statement that a customer's own link leads to names somebody else (private.take_consents_back).
      new.consent_withdrawn_by := coalesce(new.consent_withdrawn_by, 'team');
    end if;
  elsif tg_op = 'INSERT' or not old.consent_marketing then
    new.consent_at := now();
    -- Customers come without an account; whoever is signed in is one of the team.
    new.consent_by := case when auth.uid() is null then 'customer' else 'team' end;
    new.consent_version := case when new.consent_by = 'customer' then private.consent_version() end;
    -- The statement that gives it brings the page's language along.
    new.consent_locale := case when new.consent_by = 'customer' then new.locale end;
    new.consent_organizer := (select o.name from public.organizations o where o.id = new.org_id);
    new.consent_withdrawn_at := null;
    new.consent_withdrawn_by := null;
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.take_consents_back(p_org_id uuid, p_ids uuid[], p_by text)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  update public.customers c set consent_marketing = false, consent_withdrawn_by = p_by
  where c.org_id = p_org_id and c.id = any (p_ids) and c.consent_marketing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.consent_organizer(p_token text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('organizer', o.name)
  from private.consent_subject(p_token) s
  left join public.organizations o on o.id = s.org_id
  where s.org_id is not null;
$function$;

CREATE OR REPLACE FUNCTION public.customer_detail(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a customer or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('customers.read'));
  v_customer public.customers;
begin
  select * into v_customer from public.customers c where c.org_id = any (v_org_ids) and c.id = p_id;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'id', v_customer.id, 'version', v_customer.version, 'name', v_customer.name,
    'first_name', v_customer.first_name, 'last_name', v_customer.last_name, 'email', v_customer.email,
    'phone', v_customer.phone, 'locale', v_customer.locale, 'note', v_customer.note,
    'created_at', v_customer.created_at, 'last_activity_at', v_customer.last_activity_at,
    'consent', case when v_customer.consent_marketing then jsonb_build_object('at', v_customer.consent_at,
      'by', v_customer.consent_by, 'version', v_customer.consent_version, 'organizer', v_customer.consent_organizer, 'locale', v_customer.consent_locale) end,
    'consent_withdrawn', case when v_customer.consent_withdrawn_at is not null then jsonb_build_object(
      'at', v_customer.consent_withdrawn_at, 'by', v_customer.consent_withdrawn_by) end,
    'review_count', v_customer.review_count, 'rating_sum', v_customer.rating_sum,
    'spin_count', v_customer.spin_count,
    'win_count', private.customer_wins(v_customer.org_id, p_id),
    'redemption_count', v_customer.redemption_count,
    'open_codes', (select count(*) from public.redemptions r
      where r.org_id = v_customer.org_id and r.customer_id = p_id and r.status = 'available'
        and (r.expires_at is null or r.expires_at > now())),
    'points', private.points_balance(v_customer.org_id, p_id),
    'reviews', private.customer_reviews(v_customer.org_id, p_id),
    'spins', private.customer_spins(v_customer.org_id, p_id),
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))),
    'spends', private.customer_spends(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))));
end;
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_consents(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('customers.write'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  perform 1 from public.customers c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for no key update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  v_count := private.take_consents_back(p_org_id, p_ids, 'team');
  if v_count > 0 then
    perform private.audit(p_org_id, 'customer.consents_withdrawn', 'customer', null, jsonb_build_object('count', v_count));
  end if;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_own_consent(p_token text, p_address_hash text, OUT outcome text, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_subject record;
begin
  retry_after := private.count_attempt(array['consent link address ' || p_address_hash], '{600}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  select * into v_subject from private.consent_subject(p_token);
  if v_subject.org_id is null then
    outcome := 'link_unknown';
    return;
  end if;
  -- Somebody who was erased, or had withdrawn it before, has nothing left to end: that is as good as done.
  if private.take_consents_back(v_subject.org_id, array[v_subject.customer_id], 'customer') > 0 then
    perform private.audit_as(v_subject.org_id, null, 'customer.consent_withdrawn', 'customer', v_subject.customer_id);
  end if;
  outcome := 'withdrawn';
end;
$function$;

ALTER TABLE "public"."customers" ADD CONSTRAINT "customers_consent_withdrawn_by_check" CHECK ((consent_withdrawn_by = ANY (ARRAY['customer'::text, 'team'::text])));

ALTER TABLE "public"."customers" ADD CONSTRAINT "customers_consent_withdrawn_check" CHECK ((((consent_withdrawn_at IS NULL) = (consent_withdrawn_by IS NULL)) AND (NOT (consent_marketing AND (consent_withdrawn_at IS NOT NULL)))));

COMMENT ON COLUMN "private"."link_keys"."purpose" IS 'Effect of such a link: consent (private.consent_token).';

COMMENT ON COLUMN "public"."customers"."consent_withdrawn_at" IS 'When a consent was last withdrawn; null while there is one, and where there was none.';

COMMENT ON COLUMN "public"."customers"."consent_withdrawn_by" IS 'Side that withdrew it: the customer by the link of a mail, or the team; null where consent_withdrawn_at is.';

COMMENT ON FUNCTION "private"."consent_seal"(bytea, uuid, uuid) IS 'Signature (128 bits of an HMAC) that makes a link about a customer''s consent one of ours.';

COMMENT ON FUNCTION "private"."consent_subject"(text) IS 'Whom a token of private.consent_token names, whether they were erased since or not; nulls where it is none of ours.';

COMMENT ON FUNCTION "private"."consent_token"(uuid, uuid) IS 'Token of the link by which a customer withdraws their consent, 64 characters: two identifiers, which open nothing, and their signature. The same for ever, so that no row holds it.';

COMMENT ON FUNCTION "private"."enqueue_customer_mail"(uuid, uuid, text, text, jsonb, timestamp with time zone, timestamp with time zone) IS 'Writes a mail to a customer, or about one (low_rating), as enqueue_mail does any other: it goes with that customer. One to a customer who agreed to marketing brings the link that withdraws it, unless another address than this is known to be theirs. Null, and no mail, once they are erased; one about nobody (null) is written. Codes and the customer are locked before a review.';

COMMENT ON FUNCTION "private"."stamp_consent"() IS 'Dates a consent when it is given, with who gave it and the sentence that was shown; forgets both when it is withdrawn, and dates that, with who withdrew it.';

COMMENT ON FUNCTION "private"."take_consents_back"(uuid, uuid[], text) IS 'Withdraws the consent to marketing of customers who gave it, in whose name (customer, team); answers how many had. Asks no permission.';

COMMENT ON FUNCTION "public"."consent_organizer"(text) IS 'Whose offers the link with this token ends: the organisation''s name, null where it is gone; nothing about the customer, not even whether there is one. Null where the token is none of ours. The shape is consentLink of _shared/domain.';

COMMENT ON FUNCTION "public"."save_customer"(uuid, integer, text, text, text, text, boolean, text) IS 'Saves the form of a customer. Outcomes: saved (with the new version), conflict (somebody saved another version, or the customer agreed to marketing, or withdrew that, meanwhile), email_taken and phone_taken (with the other customer). Refusals change nothing. Errors: 42501 without the permission customers.write there, 23514 or 23502 something is not well formed.';

COMMENT ON FUNCTION "public"."withdraw_own_consent"(text, text) IS 'Withdraws the consent to marketing of the customer whom a link of a mail names, on any plan and after its end. Outcomes: withdrawn (also when there was none, or the customer is gone), link_unknown, too_many_attempts (with the seconds to wait). Refusals change nothing.';

COMMENT ON TABLE "private"."link_keys" IS 'Secrets that sign links which are never stored: one row a purpose, made with the first link. Without it, all links of that purpose that are on their way open nothing any more. No function answers one.';

REVOKE ALL ON FUNCTION "private"."consent_seal"(bytea, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consent_subject"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consent_token"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_consents_back"(uuid, uuid[], text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."consent_organizer"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."consent_organizer"(text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."withdraw_own_consent"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."withdraw_own_consent"(text, text) TO "service_role";

COMMENT ON COLUMN "private"."link_keys"."key" IS 'Secret of 32 bytes.';
