-- Why: a colleague's open screen went on to say that the organisation will be erased, or did not say it, until it was loaded anew.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.broadcast_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send(jsonb_build_object('kind', 'organization', 'id', new.org_id),
    'change', 'organization:' || new.org_id || ':' || k.kind, true)
  from unnest(array['activity', 'codes']) k (kind);
  return null;
end;
$function$;

CREATE TRIGGER broadcast_organization AFTER UPDATE OF is_ending, suspended_at ON public.subscriptions FOR EACH ROW WHEN (((new.is_ending IS DISTINCT FROM old.is_ending) OR (new.suspended_at IS DISTINCT FROM old.suspended_at))) EXECUTE FUNCTION private.broadcast_organization();

COMMENT ON FUNCTION "private"."broadcast_organization"() IS 'Tells both channels of an organisation that it waits to be erased or is suspended, or no longer: every open screen says so.';

REVOKE ALL ON FUNCTION "private"."broadcast_organization"() FROM PUBLIC;
