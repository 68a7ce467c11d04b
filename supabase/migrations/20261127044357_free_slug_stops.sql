-- The first free address is looked for no further: a taken one asked about all hundred numbers behind it.

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
  v_slug text;
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
  for v_next in v_number + 1 .. v_number + 100 loop
    v_slug := trim(trailing '-' from left(v_parts[1], 79 - length(v_next::text))) || '-' || v_next;
    if public.is_slug_free(p_kind, v_slug, p_owner_id) then
      return v_slug;
    end if;
  end loop;
  return null;
end;
$function$;
