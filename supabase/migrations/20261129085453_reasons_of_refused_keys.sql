-- Why: a key of an organisation that waits to be erased or is suspended was refused as if its plan had no API.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.api_key_refusal(p_key private.api_keys)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_key.id is null or not private.is_api_key_open(p_key) then 'api_key_refused'
    when private.includes_api(p_key.org_id) then null
    else coalesce((
      select case when s.suspended_at is not null then 'organization_suspended' when s.is_ending then 'organization_ending' end
      from public.subscriptions s where s.org_id = p_key.org_id and private.has_feature(s.org_id, 'api_access')
    ), 'api_not_in_plan')
  end;
$function$;

CREATE OR REPLACE FUNCTION private.my_api_key()
 RETURNS private.api_keys
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id constant text := auth.jwt() ->> 'api_key_id';
  v_key private.api_keys;
  v_refusal text;
begin
  -- A token of a signed-in user never acts as an API key, even where it names one.
  if v_id is null or auth.uid() is not null then
    return null;
  end if;
  select * into v_key from private.api_keys k where k.id = v_id::uuid;
  v_refusal := private.api_key_refusal(v_key);
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = case v_refusal
      when 'api_key_refused' then 'TV110' when 'api_not_in_plan' then 'TV111'
      when 'organization_suspended' then 'TV190' else 'TV191' end;
  end if;
  -- PostgreSQL itself refuses what would write from here on (25006), whichever function it stands in.
  if v_key.scope = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return v_key;
end;
$function$;

COMMENT ON FUNCTION "private"."api_key_refusal"(private.api_keys) IS 'Reason why a key is refused: api_key_refused (unknown, revoked, expired), api_not_in_plan (or it is over), organization_suspended, organization_ending; null when it is accepted.';

COMMENT ON FUNCTION "private"."my_api_key"() IS 'The organisation''s key for which policies and functions act; null without one. With a reading key the rest of the transaction writes nothing. Errors TV110 the key was taken back or has expired, TV111 the plan does not include the API or is over; TV190 the organisation is suspended, TV191 it waits to be erased.';

COMMENT ON FUNCTION "public"."begin_api_request"(text, uuid, text) IS 'Whether a request with a key (its SHA-256 in hexadecimal, or null and the identifier that a token names) may go on, counted: 600 a minute for a key, 60 wrong ones for an address (keyed hash). Outcomes: accepted, with the key''s identifier and scope; why not, as api_key_refusal; too_many_attempts, with the seconds to wait.';
