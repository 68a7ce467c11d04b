-- Why: a till kept offering a prize that a colleague had just held back or cancelled, and refusing one that was released.

set check_function_bodies = off;

DROP TRIGGER "broadcast_code_change" ON "public"."redemptions";

CREATE TRIGGER broadcast_code_change AFTER UPDATE OF status, verdict ON public.redemptions FOR EACH ROW WHEN (((new.verdict IS DISTINCT FROM old.verdict) OR ((new.status IS DISTINCT FROM old.status) AND (('used'::text = new.status) OR ('used'::text = old.status))))) EXECUTE FUNCTION private.broadcast_change('codes', 'code');

COMMENT ON FUNCTION "private"."broadcast_change"() IS 'Tells the channel of the trigger''s first argument that something of the second kind was written: scan, review (by its alias), spin, win (a new code) or code (one that was used or restored, or that the team gave, held back, cancelled or released).';
