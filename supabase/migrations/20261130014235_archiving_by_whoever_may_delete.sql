-- Why: a member who may not remove stores or rewards archived them by the data API, at any moment, which stopped their campaigns.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_archiving()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Programs without a user are the server's own.
  if auth.uid() is not null then
    if new.org_id not in (select private.my_org_ids(tg_argv[0])) then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    new.archived_at := coalesce(old.archived_at, now());
  end if;
  return new;
end;
$function$;

CREATE TRIGGER check_archiving BEFORE UPDATE OF archived_at ON public.rewards FOR EACH ROW WHEN (((new.archived_at IS NOT NULL) AND (new.archived_at IS DISTINCT FROM old.archived_at))) EXECUTE FUNCTION private.check_archiving('rewards.delete');

CREATE TRIGGER check_archiving BEFORE UPDATE OF archived_at ON public.stores FOR EACH ROW WHEN (((new.archived_at IS NOT NULL) AND (new.archived_at IS DISTINCT FROM old.archived_at))) EXECUTE FUNCTION private.check_archiving('stores.delete');

COMMENT ON FUNCTION "private"."check_archiving"() IS 'Refuses to archive a row by the data API without the permission that its function asks for, the argument; the moment is always now. Error 42501.';

REVOKE ALL ON FUNCTION "private"."check_archiving"() FROM PUBLIC;
