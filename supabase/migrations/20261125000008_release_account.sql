-- Why: an account that is deleted leaves its team, and the last owner of an organisation cannot be deleted

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.release_account(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_role text;
begin
  -- As in create_organization: nobody enters a team with an account that goes.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || p_user_id, 0));
  select m.org_id into v_org_id from public.organization_members m where m.user_id = p_user_id;
  if not found then
    return;
  end if;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = p_user_id for update;
  if not found then
    return;
  end if;
  -- An organisation that waits to be erased needs no owner any more.
  if private.role_may(v_role, 'owners.manage')
    and exists (select 1 from public.organizations o where o.id = v_org_id and o.erase_at is null)
  then
    perform private.require_other_owner(v_org_id, p_user_id);
  end if;
  perform private.audit_as(v_org_id, null, 'member.removed', 'member', p_user_id,
    jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.release_deleted_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.release_account(old.id);
  return coalesce(new, old);
end;
$function$;

CREATE TRIGGER release_deleted_account BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.release_deleted_account();

CREATE TRIGGER release_emptied_account BEFORE UPDATE OF deleted_at ON auth.users FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION private.release_deleted_account();

COMMENT ON FUNCTION "private"."release_account"(uuid) IS 'Takes an account that is to be deleted out of its team, and writes that down there. Error TV104 for the last owner of an organisation that stays: it would belong to nobody. Whoever deletes calls it before the account is locked, as whoever joins a team locks that first.';

COMMENT ON FUNCTION "private"."release_deleted_account"() IS 'Lets no account go, whoever deletes it, that an organisation still needs: see release_account.';

REVOKE ALL ON FUNCTION "private"."release_account"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."release_account"(uuid) TO "service_role";

REVOKE ALL ON FUNCTION "private"."release_deleted_account"() FROM PUBLIC;
