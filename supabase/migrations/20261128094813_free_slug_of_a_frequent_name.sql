-- The address of a name that more than a hundred others have is proposed as well, and found in some thirty looks.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.numbered_slug(p_slug text, p_number integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select trim(trailing '-' from left(p_slug, 79 - length(p_number::text))) || '-' || p_number;
$function$;

CREATE OR REPLACE FUNCTION public.free_slug(p_kind text, p_slug text, p_owner_id uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_parts constant text[] := regexp_match(p_slug, '^(.+?)(?:-([0-9]{1,3}))?$');
  v_number constant integer := coalesce(v_parts[2]::integer, 1);
  v_taken integer := v_number;
  v_free integer;
  v_step integer := 1;
  v_middle integer;
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
  -- Ten numbers one by one, then steps that double: a name that thousands have takes some thirty looks.
  loop
    v_free := v_taken + v_step;
    exit when public.is_slug_free(p_kind, private.numbered_slug(v_parts[1], v_free), p_owner_id);
    v_taken := v_free;
    if v_taken >= v_number + 10 then
      v_step := v_step * 2;
    end if;
    if v_step > 1000000 then
      return null;
    end if;
  end loop;
  while v_free - v_taken > 1 loop
    v_middle := (v_taken + v_free) / 2;
    if public.is_slug_free(p_kind, private.numbered_slug(v_parts[1], v_middle), p_owner_id) then
      v_free := v_middle;
    else
      v_taken := v_middle;
    end if;
  end loop;
  return private.numbered_slug(v_parts[1], v_free);
end;
$function$;

COMMENT ON FUNCTION "private"."numbered_slug"(text, integer) IS 'A slug with a number behind it, shortened to the 80 signs that a slug may have.';

COMMENT ON FUNCTION "public"."free_slug"(text, text, uuid) IS 'The slug itself where it is free (is_slug_free), else a free one with a number behind it, counted on from its own: of the next ten numbers the first, and further on one whose predecessor is taken. Null when it is no slug, for another kind, and when a million numbers are taken. A hint before saving.';

REVOKE ALL ON FUNCTION "private"."numbered_slug"(text, integer) FROM PUBLIC;
