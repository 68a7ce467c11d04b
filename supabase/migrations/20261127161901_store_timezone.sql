-- Why: a new store takes the time zone of its browser or of its organisation: one in Réunion or Martinique had the days of Paris.

set check_function_bodies = off;

DROP FUNCTION "public"."create_store"(text, text, text, text, text, text);

CREATE OR REPLACE FUNCTION public.create_store(p_name text, p_slug text, p_address text, p_google_review_url text, p_review_mode text, p_review_host_confirmed text DEFAULT NULL::text, p_timezone text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.my_organization();
  v_store public.stores;
begin
  if v_org_id is null then
    raise exception 'no_organization' using errcode = 'TV023';
  end if;
  if v_org_id not in (select private.my_org_ids('stores.write')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.stores (org_id, name, slug, address, google_review_url, review_mode, review_host_confirmed, timezone)
  values (v_org_id, p_name, p_slug, p_address, nullif(btrim(p_google_review_url), ''),
    coalesce(p_review_mode, 'compliant'), p_review_host_confirmed, coalesce(p_timezone, private.timezone_of(v_org_id)))
  returning * into v_store;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$function$;

COMMENT ON FUNCTION "public"."create_store"(text, text, text, text, text, text, text) IS 'Adds a store to the signed-in member''s organisation; without a time zone in that of its first store. Errors: TV050 the organisation could not be looked up; TV023 member of none; 42501 without the permission stores.write; 23505 the organisation has a store with that slug; TV003 the plan has one store; 23514 or 23502 something is not well formed; TV170 the reviews link leads to no known platform and its host (the detail) is not the one confirmed.';

REVOKE ALL ON FUNCTION "public"."create_store"(text, text, text, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."create_store"(text, text, text, text, text, text, text) TO "authenticated";
