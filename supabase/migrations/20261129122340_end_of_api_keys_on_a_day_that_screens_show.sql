-- Why: a key whose end no screen can show took the whole list of keys away, for everybody in the team; those that stand have none.

set check_function_bodies = off;

UPDATE "private"."api_keys" SET expires_at = null WHERE expires_at >= '9999-12-31 00:00:00+00';

ALTER TABLE "private"."api_keys" ADD CONSTRAINT "api_keys_end_date_check" CHECK (((expires_at >= '1000-01-01 00:00:00+00'::timestamp with time zone) AND (expires_at < '9999-12-31 00:00:00+00'::timestamp with time zone)));
