-- Why: The API took 24:00 as an end of quiet hours, which a field of a form shows as empty.

set check_function_bodies = off;

-- What stands there goes on meaning what it meant; a whole day loses its last minute.
update private.check_settings s
set quiet_from = case when s.quiet_from < '24:00' then s.quiet_from when s.quiet_to > '00:00' then '00:00' end,
  quiet_to = case
    when s.quiet_from = '24:00' and s.quiet_to = '00:00' then null
    when s.quiet_to < '24:00' then s.quiet_to
    when s.quiet_from = '00:00' then '23:59'
    else '00:00' end
where s.quiet_from = '24:00' or s.quiet_to = '24:00';

ALTER TABLE "private"."check_settings" ADD CONSTRAINT "check_settings_check2" CHECK (((quiet_from < '24:00:00'::time without time zone) AND (quiet_to < '24:00:00'::time without time zone)));

COMMENT ON COLUMN "private"."check_settings"."quiet_to" IS 'Until when: 00:00 is midnight, never 24:00.';
