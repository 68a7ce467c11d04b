-- Schemas, default privileges and helpers that every topic uses.
--
-- A platform default that grants everything to everybody is the most common hole of a database that is reached from
-- browsers. Everything starts from nothing: each topic grants table by table and function by function.
--
-- The files of this folder are the one source of the schema. They run in the order of their names; each has its tables,
-- then its functions, then who may read and write. Bodies of functions may name what a later file makes, since what
-- customers do and what merchants see of it refer to each other: bodies are therefore checked by a test once everything is
-- there (tests/database/migrations.test.ts). Everything else is made after what it needs.
set check_function_bodies = off;

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

-- After the defaults, so that nobody may call the extensions' own functions either.
create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;

-- Time-ordered identifiers keep the indexes of the event tables compact: new rows land side by side.
create function private.uuid_v7() returns uuid
language sql volatile parallel safe
return (
  overlay(
    lpad(to_hex((extract(epoch from clock_timestamp()) * 4096000)::bigint), 15, '0')
    placing '7' from 13 for 0
  ) || substr(gen_random_uuid()::text, 20)
)::uuid;
comment on function private.uuid_v7() is
  'A new UUID of version 7: 48 bits of time in milliseconds and 12 of its fraction (RFC 9562, section 6.2, method 3), so '
  'that rows of one transaction keep their order, then 62 random bits.';
grant execute on function private.uuid_v7() to authenticated, service_role;

create function private.new_secret() returns bytea
language sql volatile set search_path = ''
as $$
  -- A version 4 UUID holds 122 bits of the cryptographic generator.
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
$$;
comment on function private.new_secret() is 'A new secret key of 32 bytes.';

create function private.hmac_sha256(p_key bytea, p_message text) returns bytea
language plpgsql immutable set search_path = ''
as $$
declare
  v_inner bytea := decode(repeat('36', 64), 'hex');
  v_outer bytea := decode(repeat('5c', 64), 'hex');
begin
  -- RFC 2104, without an extension that a hosted project would have to switch on. Keys are no longer than a block.
  for i in 0..length(p_key) - 1 loop
    v_inner := set_byte(v_inner, i, get_byte(v_inner, i) # get_byte(p_key, i));
    v_outer := set_byte(v_outer, i, get_byte(v_outer, i) # get_byte(p_key, i));
  end loop;
  return sha256(v_outer || sha256(v_inner || convert_to(p_message, 'UTF8')));
end;
$$;
comment on function private.hmac_sha256(bytea, text) is 'HMAC-SHA-256 of a text, with a key of at most 64 bytes.';

create function private.now_in(p_timezone text) returns timestamp
language sql stable parallel safe
return now() at time zone p_timezone;
comment on function private.now_in(text) is
  'The present wall-clock time of a time zone (name of the tz database).';

create function private.is_timezone(p_timezone text) returns boolean
language plpgsql stable set search_path = ''
as $$
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
$$;
comment on function private.is_timezone(text) is
  'Whether the database knows a time zone of that name, which browsers know as well: their pages fail of any other.';

create function private.shard() returns smallint
language sql stable parallel safe
return (pg_backend_pid() % 16)::smallint;
comment on function private.shard() is
  'Shard of the counters that this connection adds to, 0 to 15.';

create function private.tenant_tables() returns setof regclass
language sql stable set search_path = ''
as $$
  with recursive tenant as (
    select c.oid from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'private')
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relkind = 'r'
  ),
  reference as (
    select distinct k.conrelid as child, k.confrelid as parent
    from pg_catalog.pg_constraint k
    where k.contype = 'f' and k.conrelid <> k.confrelid
      and k.conrelid in (select oid from tenant) and k.confrelid in (select oid from tenant)
  ),
  levels as (
    select oid, 0 as depth from tenant
    union
    select r.child, l.depth + 1 from levels l join reference r on r.parent = l.oid where l.depth < 20
  )
  select l.oid::regclass from levels l group by l.oid order by max(l.depth) desc, l.oid::regclass::text;
$$;
comment on function private.tenant_tables() is
  'Every table whose rows belong to an organisation (column org_id), those that refer to others first.';

create function private.day_end(p_day date, p_timezone text) returns timestamptz
language sql immutable parallel safe
return (p_day + time '23:59:59') at time zone p_timezone;
comment on function private.day_end(date, text) is
  'Last second of a day in a time zone (name of the tz database), as zonedDayEnd of web/lib: not the next midnight less a '
  'second, which is within the next day where the clock goes back to midnight.';

create function private.refuse_for_now(p_code text, p_message text, p_seconds integer) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  -- The form in which the data API lets a function word its whole answer.
  raise sqlstate 'PGRST' using
    message = jsonb_build_object('code', p_code, 'message', p_message, 'details', p_seconds::text, 'hint', null)::text,
    detail = jsonb_build_object('status', 429,
      'headers', jsonb_build_object('Retry-After', p_seconds::text,
        'Access-Control-Expose-Headers', 'Retry-After'))::text;
end;
$$;
comment on function private.refuse_for_now(text, text, integer) is
  'Refuses a call of the data API with 429, a code of ours and « Retry-After ». Raises PGRST, with the code in its message.';

create function private.fits_answer(p_bytes bigint) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  if p_bytes > 4 * 1024 * 1024 then
    raise exception 'answer_too_large' using errcode = 'TV210', hint = 'Ask for fewer rows or columns, page by page.';
  end if;
  return true;
end;
$$;
comment on function private.fits_answer(bigint) is
  'Whether an answer of the data API is small enough: 4 MiB at most, as related rows within related rows multiply. Error TV210 where it is not.';
grant execute on function private.fits_answer(bigint) to authenticated, service_role;

-- A view over a function has no rows to write to: a write is refused as for any table without that right.
create function private.refuse_write() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'forbidden' using errcode = '42501';
end;
$$;
comment on function private.refuse_write() is 'Refuses to write to a view that shows what stands elsewhere. Error 42501.';

create function private.last_page(p_page integer, p_rows integer, p_size integer) returns integer
language sql immutable parallel safe set search_path = ''
return least(greatest(coalesce(p_page, 1), 1), greatest(ceil(p_rows::numeric / p_size)::integer, 1));
comment on function private.last_page(integer, integer, integer) is
  'A page of so many rows, from 1: one that is no more, because rows went meanwhile, is the last one.';
