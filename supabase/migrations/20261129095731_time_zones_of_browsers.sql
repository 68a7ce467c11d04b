-- Why: a store could get a time zone that PostgreSQL reads and no browser knows, of which its pages failed.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_timezone(p_timezone text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- PostgreSQL also knows abbreviations, words with an offset of their own and folders, which no browser does.
  if p_timezone !~ ('^([A-Z][A-Za-z_]+(/[A-Za-z_-]+)+|Etc/GMT(-(1[0-4]|[0-9])|\+(1[0-2]|[0-9]))?|UTC|GMT|[CEMW]ET|[EMH]ST'
    || '|EST5EDT|CST6CDT|MST7MDT|PST8PDT)$')
  then
    return false;
  end if;
  perform now() at time zone p_timezone;
  return true;
exception when invalid_parameter_value then
  return false;
end;
$function$;

COMMENT ON FUNCTION "private"."is_timezone"(text) IS 'Whether the database knows a time zone of that name, which browsers know as well: their pages fail of any other.';
