-- Why: related rows within related rows made answers of many megabytes, and everybody else waited while one was read and written.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.fits_answer(p_bytes bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if p_bytes > 4 * 1024 * 1024 then
    raise exception 'answer_too_large' using errcode = 'TV210', hint = 'Ask for fewer rows or columns, page by page.';
  end if;
  return true;
end;
$function$;

COMMENT ON FUNCTION "private"."fits_answer"(bigint) IS 'Whether an answer of the data API is small enough: 4 MiB at most, as related rows within related rows multiply. Error TV210 where it is not.';

REVOKE ALL ON FUNCTION "private"."fits_answer"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."fits_answer"(bigint) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."fits_answer"(bigint) TO "service_role";
