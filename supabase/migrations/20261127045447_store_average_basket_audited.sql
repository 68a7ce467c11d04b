-- The average basket of a store decides what figures are worth: its change stands in the audit trail, as that of the return share.

set check_function_bodies = off;

DROP TRIGGER "audit_store_change" ON "public"."stores";

CREATE TRIGGER audit_store_change AFTER INSERT OR DELETE OR UPDATE OF name, slug, address, google_place_id, google_review_url, review_mode, timezone, archived_at, average_basket ON public.stores FOR EACH ROW EXECUTE FUNCTION private.audit_change('store', 'name', 'slug', 'address', 'google_place_id', 'google_review_url', 'review_mode', 'timezone', 'archived_at', 'average_basket');
