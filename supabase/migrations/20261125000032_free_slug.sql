-- Why: a slug that is taken is answered with the nearest one that is free.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.free_slug(p_kind text, p_slug text, p_owner_id uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_parts constant text[] := regexp_match(p_slug, '^(.+?)(?:-([0-9]{1,3}))?$');
  v_number constant integer := coalesce(v_parts[2]::integer, 1);
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if not private.is_slug(p_slug) then
    return null;
  end if;
  if public.is_slug_free(p_kind, p_slug, p_owner_id) then
    return p_slug;
  end if;
  return (
    select c.slug
    from generate_series(v_number + 1, v_number + 100) n,
      lateral (select trim(trailing '-' from left(v_parts[1], 79 - length(n::text))) || '-' || n as slug) c
    where public.is_slug_free(p_kind, c.slug, p_owner_id)
    order by n limit 1
  );
end;
$function$;

COMMENT ON FUNCTION "public"."free_slug"(text, text, uuid) IS 'The slug itself where it is free (is_slug_free), else the first free one with a number behind it, counted on from its own. Null when it is no slug, for another kind, and when the next 100 numbers are taken too. A hint before saving.';

REVOKE ALL ON FUNCTION "public"."free_slug"(text, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."free_slug"(text, text, uuid) TO "authenticated";
