-- Why: a phone number with a digit too many was another person, who could play again.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.find_or_create_customer(p_org_id uuid, p_store_id uuid, p_first_name text, p_last_name text, p_name text, p_email text, p_phone text, p_consent_marketing boolean, p_spins integer DEFAULT 0, p_locale text DEFAULT NULL::text, OUT customer_id uuid, OUT is_new boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_email text := private.normalize_email(p_email);
  v_phone text := private.normalize_phone(p_phone);
begin
  if not private.is_email(p_email) then
    raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
  elsif not private.is_whole_phone(p_phone) then
    raise exception 'phone_invalid' using errcode = '23514', constraint = 'customers_phone_is_whole';
  end if;
  is_new := false;
  -- Two rounds: whoever loses the race for a new customer finds the winner's row in the second.
  for round in 1..2 loop
    if v_email is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.email_normalized = v_email
      for no key update;
    end if;
    if customer_id is null and v_phone is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.phone_normalized = v_phone
      for no key update;
    end if;
    exit when customer_id is not null;

    insert into public.customers as c
      (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, last_activity_at, spin_count,
        locale)
    values (p_org_id, p_store_id, p_first_name, p_last_name, p_name, p_email, p_phone, p_consent_marketing, now(), p_spins,
      coalesce(p_locale, 'fr'))
    on conflict do nothing
    returning c.id into customer_id;
    if customer_id is not null then
      is_new := true;
      exit;
    end if;
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_whole_phone(p_phone text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return regexp_replace(regexp_replace(p_phone, '[\s()-]', '', 'g'), '([0-9])\+', '\1', 'g')
    ~ '^((0|(\+|00)?330*)[1-9][0-9]{8}|(\+|00)(?!33)[1-9][0-9]{6,14}|(?!0|33[0-9]{10})[0-9]{7,15})$';
end;
$function$;

CREATE OR REPLACE FUNCTION private.refuse_phone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  raise exception 'phone_invalid' using errcode = '23514', constraint = 'customers_phone_is_whole';
end;
$function$;

CREATE TRIGGER check_phone_on_insert BEFORE INSERT ON public.customers FOR EACH ROW WHEN ((NOT private.is_whole_phone(new.phone))) EXECUTE FUNCTION private.refuse_phone();

CREATE TRIGGER check_phone_on_update BEFORE UPDATE OF phone ON public.customers FOR EACH ROW WHEN (((new.phone IS DISTINCT FROM old.phone) AND (NOT private.is_whole_phone(new.phone)))) EXECUTE FUNCTION private.refuse_phone();

COMMENT ON FUNCTION "private"."find_or_create_customer"(uuid, uuid, text, text, text, text, text, boolean, integer, text) IS 'The customer whom an e-mail (first) or a phone names in an organisation, made when new, with p_spins spins and the language of the page. The names of a known customer stay: whoever types somebody''s address must not rename them. The row is locked until the end of the transaction, so that two calls of one person take turns. Error 23514 when the e-mail is no address, or the phone no whole number.';

COMMENT ON FUNCTION "private"."is_whole_phone"(text) IS 'Whether a phone number has as many digits as one can have: nine behind 0 or behind the 33 of France, else 7 to 15 (E.164). A digit too many would make another person of its customer. The same rule as that of _shared/domain.';

COMMENT ON FUNCTION "private"."refuse_phone"() IS 'Refuses a phone number with too few or too many digits. Error 23514, constraint customers_phone_is_whole.';

REVOKE ALL ON FUNCTION "private"."is_whole_phone"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_whole_phone"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."is_whole_phone"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."refuse_phone"() FROM PUBLIC;
