-- Why: the dates of a campaign are typed by the clock of its store, and stay so when the store gets another time zone.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.move_campaign_dates()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.campaigns c
  set starts_at = c.starts_at at time zone old.timezone at time zone new.timezone,
    ends_at = c.ends_at at time zone old.timezone at time zone new.timezone
  where c.org_id = new.org_id and c.store_id = new.id and coalesce(c.starts_at, c.ends_at) is not null;
  return null;
end;
$function$;

CREATE TRIGGER move_campaign_dates AFTER UPDATE OF timezone ON public.stores FOR EACH ROW WHEN ((old.timezone <> new.timezone)) EXECUTE FUNCTION private.move_campaign_dates();

COMMENT ON FUNCTION "private"."move_campaign_dates"() IS 'Keeps the dates of a store''s campaigns as they were typed, by the store''s clock, when that gets another time zone.';

REVOKE ALL ON FUNCTION "private"."move_campaign_dates"() FROM PUBLIC;
