-- Why: A till that was left open in a store, and a key of the API, went on taking prizes there once the store was archived.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.inspect_code(p_user_id uuid, p_code text, p_store_id uuid)
 RETURNS TABLE(state text, redemption public.redemptions)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select m.org_id into v_org_id
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id and s.archived_at is null
  where m.user_id = p_user_id and p_store_id = coalesce(private.bound_store(m.role, m.store_id), p_store_id);
  if not found then
    return query select 'forbidden', null::public.redemptions;
  -- Guessed codes are slowed down; a busy till is not.
  elsif private.count_attempt(array['code user ' || p_user_id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(v_org_id, p_store_id, p_code);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.inspect_code_with_key(p_key private.api_keys, p_code text, p_store_id uuid)
 RETURNS TABLE(state text, redemption public.redemptions)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if p_key.scope is distinct from 'redeem' or p_key.store_id <> p_store_id or not exists (
    select 1 from public.stores s where s.org_id = p_key.org_id and s.id = p_store_id and s.archived_at is null
  ) then
    return query select 'forbidden', null::public.redemptions;
  elsif private.count_attempt(array['code key ' || p_key.id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(p_key.org_id, p_store_id, p_code);
  end if;
end;
$function$;

COMMENT ON FUNCTION "private"."inspect_code"(uuid, text, uuid) IS 'State of a code for a user at the till of a store, whatever its case and spaces: available, used, expired, held, cancelled, other_store, test, unknown (other merchants'' codes too), forbidden (not a till of theirs, or of an archived store), too_many_attempts.';

COMMENT ON FUNCTION "public"."lookup_code"(text, uuid) IS 'State of a code before it is used: the shape is codeLookup of _shared/domain. Error 42501 to whoever may not redeem codes at that store, person or key, and at an archived one; errors of my_user_id().';
