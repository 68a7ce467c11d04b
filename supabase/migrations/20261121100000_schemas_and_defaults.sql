-- Why: a platform default that grants everything to everybody is the most common hole of a
-- database that is reached from browsers. Everything below starts from nothing: what a role
-- may do is granted table by table and function by function in the migrations that follow.

create schema if not exists private;
comment on schema private is
  'Rules and tables that no API exposes. Reached only through functions of schema public.';

revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

-- The right of PUBLIC to execute new functions is a global default; it can only be withdrawn globally.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
alter default privileges in schema private revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema private revoke execute on functions from anon, authenticated, service_role;

grant usage on schema public to anon, authenticated, service_role;

-- Time-ordered identifiers keep the indexes of the event tables compact: new rows land side by side.
create function private.uuid_v7() returns uuid
language sql volatile parallel safe
return encode(
  set_bit(
    set_bit(
      overlay(
        uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6
      ),
      52, 1
    ),
    53, 1
  ),
  'hex'
)::uuid;
comment on function private.uuid_v7() is
  'A new UUID of version 7: 48 bits of time in milliseconds, then 74 random bits.';

create function private.now_in(p_timezone text) returns timestamp
language sql stable parallel safe
return now() at time zone p_timezone;
comment on function private.now_in(text) is
  'The present wall-clock time of a time zone (name of the tz database).';
