-- Why: a till that got no answer to a redemption asks again, and has to hear of its own use, not of « already used ».

set check_function_bodies = off;

DROP FUNCTION "private"."use_code"(text, public.redemptions, uuid, uuid, text, uuid);

DROP FUNCTION "public"."redeem_code"(uuid, uuid, text, text, uuid);

DROP FUNCTION "public"."redeem_code_with_key"(text, text, text, uuid);

ALTER TABLE "public"."redemption_events" ADD COLUMN "request_id" uuid;

CREATE OR REPLACE FUNCTION private.use_code(p_state text, p_redemption public.redemptions, p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid, p_request_id uuid, OUT outcome text, OUT body jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_redemption public.redemptions := p_redemption;
  v_timezone text;
begin
  outcome := p_state;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available'
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, api_key_id, store_id, request_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_key_id, p_store_id, p_request_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      select s.timezone into v_timezone from public.stores s
      where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
      perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
        private.now_in(v_timezone)::date, p_redemptions => 1);
    else
      -- Another till was faster.
      outcome := 'used';
      select * into v_redemption from public.redemptions r
      where r.org_id = p_redemption.org_id and r.id = p_redemption.id;
    end if;
  end if;
  -- The use that counts now is this very request's, whose answer was lost.
  if outcome = 'used' and exists (
    select 1 from public.redemption_events e
    where e.org_id = v_redemption.org_id and e.redemption_id = v_redemption.id and e.action = 'used'
      and e.created_at = v_redemption.used_at and e.request_id = p_request_id and e.store_id = p_store_id
      and (e.user_id = p_user_id or e.api_key_id = p_key_id)
  ) then
    outcome := 'redeemed';
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$function$;

CREATE OR REPLACE FUNCTION public.redeem_code(p_user_id uuid, p_session_id uuid, p_aal text, p_code text, p_store_id uuid, p_request_id uuid DEFAULT NULL::uuid, OUT outcome text, OUT body jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_inspection record;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select * into v_inspection from private.inspect_code(p_user_id, p_code, p_store_id);
  select u.outcome, u.body into outcome, body
  from private.use_code(
    v_inspection.state, v_inspection.redemption, p_user_id, null, p_code, p_store_id, p_request_id) u;
end;
$function$;

CREATE OR REPLACE FUNCTION public.redeem_code_with_key(p_key_hash text, p_address_hash text, p_code text, p_store_id uuid, p_request_id uuid DEFAULT NULL::uuid, OUT outcome text, OUT body jsonb, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_request record;
  v_key private.api_keys;
  v_inspection record;
begin
  select * into v_request from public.begin_api_request(p_key_hash, null, p_address_hash);
  if v_request.outcome <> 'accepted' then
    outcome := v_request.outcome;
    retry_after := v_request.retry_after;
    return;
  end if;
  select * into v_key from private.api_keys k where k.id = v_request.key_id;
  select * into v_inspection from private.inspect_code_with_key(v_key, p_code, p_store_id);
  select u.outcome, u.body into outcome, body
  from private.use_code(
    v_inspection.state, v_inspection.redemption, null, v_key.id, p_code, p_store_id, p_request_id) u;
end;
$function$;

COMMENT ON COLUMN "public"."redemption_events"."request_id" IS 'What the till called its request: repeated after a lost answer, it gets that answer. Null when it did not say.';

COMMENT ON FUNCTION "private"."use_code"(text, public.redemptions, uuid, uuid, text, uuid, uuid) IS 'Uses a code that was inspected, once, for a person or a key of the API: the outcome (redeemed, or why not) and what the till shows. The same request at the same store again, known by its identifier, is answered as the first time.';

COMMENT ON FUNCTION "public"."redeem_code"(uuid, uuid, text, text, uuid, uuid) IS 'Uses a code at the till of a store, once (specification, section 7.2), for a user whose token names a session and an assurance level. Outcomes: redeemed, used, expired, other_store, test, unknown, forbidden, too_many_attempts, second_factor_required, session_ended; body is what the till shows, null for the last two. A request that is repeated with its identifier, since its answer was lost, is answered as the first time.';

COMMENT ON FUNCTION "public"."redeem_code_with_key"(text, text, text, uuid, uuid) IS 'Uses a code at the till of a store, once, for a key of the API (its SHA-256 in hexadecimal). Outcomes: those of redeem_code, and those of begin_api_request, for which body is null.';

REVOKE ALL ON FUNCTION "private"."use_code"(text, public.redemptions, uuid, uuid, text, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."redeem_code"(uuid, uuid, text, text, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."redeem_code"(uuid, uuid, text, text, uuid, uuid) TO "service_role";

REVOKE ALL ON FUNCTION "public"."redeem_code_with_key"(text, text, text, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."redeem_code_with_key"(text, text, text, uuid, uuid) TO "service_role";
