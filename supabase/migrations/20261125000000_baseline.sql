-- The whole schema, generated from supabase/schemas by `npm run schema`. Never edited by hand.

-- 01_foundations.sql ==============================================================================

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

create function private.now_in(p_timezone text) returns timestamp
language sql stable parallel safe
return now() at time zone p_timezone;
comment on function private.now_in(text) is
  'The present wall-clock time of a time zone (name of the tz database).';

create function private.is_timezone(p_timezone text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  perform now() at time zone p_timezone;
  return true;
exception when invalid_parameter_value then
  return false;
end;
$$;
comment on function private.is_timezone(text) is
  'Whether the database knows a time zone of that name.';

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

-- A view over a function has no rows to write to: whoever tries is refused as for any table that is not theirs to write.
create function private.refuse_write() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'forbidden' using errcode = '42501';
end;
$$;
comment on function private.refuse_write() is 'Refuses to write to a view that shows what stands elsewhere. Error 42501.';

-- 02_texts.sql ====================================================================================

-- Texts: slugs, e-mail addresses, phone numbers and the words that searches look for.
--
-- Slugs are public addresses, and e-mails and phones decide who has already played. Each must come out the same whoever
-- writes it, so their normal forms are made here, in immutable functions that generated columns and indexes rest on.
-- The trigrams of an index hold only what the database's character type calls a letter, which for ours (C) is ASCII: each
-- other letter is therefore written as five ASCII capitals. Nothing else in the words is a capital, so that a French search
-- never meets them.

-- The 26 capitals are not looked up sign by sign in a table of 32: lower() of the plain alphabet knows them.
create function private.slugify(p_text text) returns text
language sql immutable parallel safe set search_path = ''
return trim(both '-' from regexp_replace(
  translate(
    lower(replace(replace(replace(replace(replace(
      regexp_replace(normalize(coalesce(p_text, ''), nfd), U&'[\0300-\036f]', '', 'g'),
      'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), 'Æ', 'ae'), 'ß', 'ss') collate "C"),
    'øØłŁđĐ', 'oolldd'
  ),
  '[^a-z0-9]+', '-', 'g'
));
comment on function private.slugify(text) is
  'Slug of a name (specification, section 5): lowercase, accents removed, runs of other characters '
  'become one hyphen, edges trimmed; may be empty. The same rule as slugify of _shared/domain.';
grant execute on function private.slugify(text) to authenticated, service_role;

create function private.is_slug(p_text text) returns boolean
language sql immutable parallel safe set search_path = ''
return p_text ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(p_text) <= 80;
comment on function private.is_slug(text) is
  'Whether a text is a slug: lowercase letters, digits and single inner hyphens, at most 80 characters.';
grant execute on function private.is_slug(text) to authenticated, service_role;

-- The two forms below fill generated columns. They are written in PL/pgSQL because PostgreSQL inlines
-- SQL functions into such columns anew for every statement, which costs more than calling them.
create function private.normalize_email(p_email text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_local text;
  v_domain text;
begin
  if v_email is null or v_email = '' then
    return null;
  end if;
  v_local := split_part(v_email, '@', 1);
  v_domain := substr(v_email, length(v_local) + 2);
  v_local := coalesce(nullif(split_part(v_local, '+', 1), ''), v_local);
  if v_domain in ('gmail.com', 'googlemail.com') then
    v_domain := 'gmail.com';
    v_local := coalesce(nullif(replace(v_local, '.', ''), ''), v_local);
  end if;
  return v_local || '@' || v_domain;
end;
$$;
comment on function private.normalize_email(text) is
  'The mailbox behind an address, to recognise a person: lowercase, without +tag, and without dots '
  'for Gmail, whose mailboxes ignore them. Null for a blank text.';
grant execute on function private.normalize_email(text) to authenticated, service_role;

create function private.normalize_phone(p_phone text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  -- (0) is how the French write the trunk digit after a country code: +33 (0)6 …
  v_number text := regexp_replace(
    regexp_replace(p_phone, '\( *0 *\)', case when p_phone ~ '^ *\( *0 *\)' then '0' else '' end, 'g'), '[^0-9]', '', 'g');
  v_is_international constant boolean := p_phone ~ '^[ (]*\+' or v_number like '00%';
begin
  if v_is_international then
    -- No country code starts with 0: leading zeros are the prefix that stands for the plus.
    v_number := ltrim(v_number, '0');
  end if;
  if v_number ~ '^(0|330*)[1-9][0-9]{8}$' then
    return '+33' || right(v_number, 9);
  end if;
  return case when v_is_international then '+' else '' end || nullif(v_number, '');
end;
$$;
comment on function private.normalize_phone(text) is
  'One spelling of a phone number, to recognise a person: international with a plus where the country is known (+33, 0033, '
  '33, and ten digits that start with one 0, are France), else its digits. Null without a digit. The same rule as '
  'normalizePhone of _shared/domain.';
grant execute on function private.normalize_phone(text) to authenticated, service_role;

create function private.has_other_script(p_text text) returns boolean
language sql immutable parallel safe
return p_text ~ ('['
  -- Greek, Cyrillic, Armenian; Hebrew; Arabic; Syriac to Thai, Lao, Tibetan, Georgian, Ethiopic and their neighbours.
  '\u0370-\u037d\u037f-\u0386\u0388-\u0559\u0560-\u0588'
  '\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7-\u05f2'
  '\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ff'
  '\u0710-\u0963\u0966-\u096f\u0971-\u0df3\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0f00\u0f20-\u0f33\u0f40-\u0fbc'
  '\u1000-\u1049\u1050-\u10fa\u10fc-\u135f\u1369-\u13ff\u1401-\u166c\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16ee-\u1734'
  '\u1740-\u17d3\u17dc-\u17ff\u1810-\u1cff\u1f00-\u1fff\u2d00-\u2dff'
  -- Chinese, Japanese, Korean, Yi and their neighbours, with the forms kept for older sets of characters.
  '\u3005-\u3007\u3021-\u302f\u3031-\u3035\u303b\u303c\u3041-\u309f\u30a1-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\ua48f'
  '\ua4d0-\ua4fd\ua500-\ua6ff\ua800-\uab2f\uab70-\ud7ff\uf900-\ufaff\ufb13-\ufd3d\ufd50-\ufdfb\ufe70-\ufefc\uff66-\uffdc'
  '\U00010000-\U0001cfff\U0001e000-\U0001edff\U00020000-\U0003ffff'
  ']');
comment on function private.has_other_script(text) is
  'Whether a text has a letter or a digit of another script than the Latin one, by its place in Unicode: what a database '
  'calls a letter depends on its locale.';
grant execute on function private.has_other_script(text) to authenticated, service_role;

create function private.other_script_words(p_text text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return trim(both '-' from regexp_replace((
    select string_agg(
      case when private.has_other_script(l.letter) then
        -- The plane as Q, R, S or T, then four letters of A to P: no letter begins within another.
        chr(81 + l.code / 65536) || translate(lpad(to_hex(l.code % 65536), 4, '0'), '0123456789abcdef', 'ABCDEFGHIJKLMNOP')
      else coalesce(nullif(private.slugify(l.letter), ''), '-')
      end, '' order by l.n)
    from (
      select t.letter, t.n, case
        -- Small letters, whatever the locale: Greek (with one sigma), Cyrillic, Armenian, Georgian.
        when ascii(t.letter) between x'0391'::integer and x'03a9'::integer then ascii(t.letter) + 32
        when ascii(t.letter) = x'03c2'::integer then x'03c3'::integer
        when ascii(t.letter) between x'0400'::integer and x'040f'::integer then ascii(t.letter) + 80
        when ascii(t.letter) between x'0410'::integer and x'042f'::integer then ascii(t.letter) + 32
        when ascii(t.letter) between x'0460'::integer and x'0481'::integer
          or ascii(t.letter) between x'048a'::integer and x'04bf'::integer
          or ascii(t.letter) between x'04d0'::integer and x'052f'::integer then ascii(t.letter) | 1
        when ascii(t.letter) between x'04c1'::integer and x'04ce'::integer then ascii(t.letter) + ascii(t.letter) % 2
        when ascii(t.letter) = x'04c0'::integer then x'04cf'::integer
        when ascii(t.letter) between x'0531'::integer and x'0556'::integer then ascii(t.letter) + 48
        when ascii(t.letter) between x'1c90'::integer and x'1cbf'::integer then ascii(t.letter) - 3008
        else ascii(t.letter)
      end as code
      from string_to_table(
        -- Accents, the vowels that Hebrew and Arabic may leave out, the stroke that draws a word out, joiners.
        regexp_replace(normalize(p_text, nfd),
          '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200c\u200d]',
          '', 'g'),
        null
      ) with ordinality as t (letter, n)
    ) l
  ), '-+', '-', 'g'));
end;
$$;
comment on function private.other_script_words(text) is
  'A text as slugify writes it, but with each letter of another script as five ASCII capitals that name its small form.';
grant execute on function private.other_script_words(text) to authenticated, service_role;

create function private.words(p_text text) returns text
language sql immutable parallel safe
return case when private.has_other_script(p_text) then private.other_script_words(p_text) else private.slugify(p_text) end;
comment on function private.words(text) is
  'Words to look for, or in: a slug, which keeps the letters and digits of every script (other_script_words); may be empty.';
grant execute on function private.words(text) to authenticated, service_role;

create function private.code_words(p_code text, p_code_key text, p_email text, p_name text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return private.words(concat_ws(' ', p_code, p_code_key, p_email, p_name));
end;
$$;
comment on function private.code_words(text, text, text, text) is
  'Where a code is looked for: itself with and without its signs, its customer''s e-mail and name, without case and accents.';
grant execute on function private.code_words(text, text, text, text) to service_role;

create function private.phone_digits(p_phone text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return regexp_replace(regexp_replace(private.normalize_phone(p_phone), '^\+33', '0'), '[^0-9]', '', 'g');
end;
$$;
comment on function private.phone_digits(text) is
  'A phone number as one looks for it: digits only, a French one with its leading 0.';
grant execute on function private.phone_digits(text) to authenticated, service_role;

-- What is looked in, and what is looked for.
create function private.customer_words(p_first_name text, p_last_name text, p_name text, p_email text, p_phone text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return '-' || concat_ws(' ', private.words(concat_ws(' ', p_first_name, p_last_name, p_name, p_email)), private.phone_digits(p_phone));
end;
$$;
comment on function private.customer_words(text, text, text, text, text) is
  'Where a customer is looked for: names and e-mail without case and accents, each word after a hyphen, and the phone '
  'number in digits after a space.';
grant execute on function private.customer_words(text, text, text, text, text) to authenticated, service_role;

-- A number is looked for as people type it, from its first digits on.
create function private.query_words(p_search text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if btrim(coalesce(p_search, '')) = '' then
    return null;
  elsif p_search ~ '^[0-9 +().-]+$' and p_search ~ '[0-9]' then
    if private.normalize_phone(p_search) ~ '^\+33[1-9][0-9]{8}$' then
      return private.phone_digits(p_search);
    end if;
    return regexp_replace(
      regexp_replace(p_search, '^[ (]*(\+|00) *33[ ).-]*(\( *0 *\)|0)?', '0'), '[^0-9]', '', 'g');
  end if;
  -- Signs alone match nobody: the question mark stands in no word.
  return coalesce(nullif(private.words(p_search), ''), '?');
end;
$$;
comment on function private.query_words(text) is
  'A search in the spelling of customers.search_words; null when nothing is searched.';
grant execute on function private.query_words(text) to service_role;

create function private.search_pattern(p_search text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_words text := private.query_words(p_search);
begin
  -- The index knows three signs in a row, and how words begin: one or two signs are looked for there.
  return '%' || case when length(v_words) > 2 then '' when v_words ~ '^[0-9]' then ' ' else '-' end || v_words || '%';
end;
$$;
comment on function private.search_pattern(text) is
  'Pattern of customers.search_words for a search: one or two Latin letters or digits begin a word or a phone number, more, '
  'and any letter of another script, stand anywhere; null when nothing is searched.';
grant execute on function private.search_pattern(text) to service_role;

create function private.is_phone(p_phone text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return p_phone ~ '^[0-9\s+()-]+$' and p_phone ~ '[0-9]' and length(p_phone) <= 32
    and length(regexp_replace(p_phone, '\s', '', 'g')) >= 10;
end;
$$;
comment on function private.is_phone(text) is
  'Whether a text is a phone number (specification, section 5): digits, spaces and + ( ) -, at least 10 signs.';
grant execute on function private.is_phone(text) to authenticated, service_role;

create function private.words_pattern(p_search text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if btrim(coalesce(p_search, '')) = '' then
    return null;
  end if;
  -- Signs alone match nothing: the question mark stands in no word.
  return '%' || coalesce(nullif(private.words(p_search), ''), '?') || '%';
end;
$$;
comment on function private.words_pattern(text) is
  'Pattern of private.words for a search: what it says stands anywhere, whatever its case and accents; null when nothing is '
  'searched.';
grant execute on function private.words_pattern(text) to service_role;

create function private.code_pattern(p_search text) returns text
language sql immutable parallel safe set search_path = ''
return private.words_pattern(p_search);
comment on function private.code_pattern(text) is
  'Pattern of code_words for a search: what it says stands anywhere; null when nothing is searched.';
grant execute on function private.code_pattern(text) to service_role;

create function private.is_email(p_email text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return length(p_email) <= 254 and strpos(p_email, '@') <= 65
    and p_email ~ ('^[A-Za-z0-9_#$&''*+/=?^`{|}~-]+(\.[A-Za-z0-9_#$&''*+/=?^`{|}~-]+)*'
      '@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+([A-Za-z]{2,63}|xn--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$');
end;
$$;
comment on function private.is_email(text) is
  'Whether a text is an address that every mail server can be asked to reach: ASCII alone, at most 64 signs and 254 in all, '
  'single dots, no % and !, a host name with a dot. The same rule as isEmailAddress of _shared/domain.';
grant execute on function private.is_email(text) to authenticated, service_role;

-- Nobody can be asked about addresses that stand there already: they stay, and what is new is judged.
create function private.refuse_email() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
end;
$$;
comment on function private.refuse_email() is
  'Refuses what is no e-mail address. Error 23514, constraint customers_email_is_address.';

create function private.code_prefix(p_search text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select case when btrim(coalesce(p_search, '')) <> ''
    -- Signs alone begin no code: the question mark stands in none.
    then coalesce(nullif(upper(regexp_replace(p_search, '[^A-Za-z0-9]', '', 'g')), ''), '?') end;
$$;
comment on function private.code_prefix(text) is
  'What redemptions.code_key begins with for a search by the code alone; null when nothing is searched.';
grant execute on function private.code_prefix(text) to service_role;

-- 03_jobs_and_messages.sql ========================================================================

-- Jobs and messages: what happens at a time, and what is sent afterwards.
--
-- A mail that is sent by the request that causes it is lost when the mail server is away, and sent although the request was
-- rolled back. So the request writes it down with everything else, and a worker sends it. What has to happen at a time
-- (codes expire, leftovers go) is a row here as well, so that several processes share the work without doing any of it
-- twice. A hosted project has no process of ours: its database runs the jobs itself (pg_cron), and calls the server function
-- run-jobs (pg_net) while messages wait.

create table private.outbox (
  id uuid primary key default private.uuid_v7(),
  channel text not null check (channel in ('mail', 'sms', 'payment', 'file')),
  template text not null check (template ~ '^[a-z][a-z0-9_]{0,49}$'),
  recipient text not null check (length(recipient) between 3 and 320),
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object' and length(data::text) <= 20000),
  state text not null default 'queued' check (state in ('queued', 'sent', 'captured', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_error text check (length(last_error) <= 100),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'queued') = (settled_at is null)),
  -- Links and codes open accounts: once a message has gone, or has been given up, they are nobody's business.
  check (state not in ('sent', 'failed') or data = '{}')
) with (fillfactor = 80);
create index outbox_due_idx on private.outbox (next_attempt_at) where state = 'queued';
create index outbox_settled_idx on private.outbox (settled_at) where state <> 'queued';
create index outbox_captured_idx on private.outbox (id) where state = 'captured';
comment on table private.outbox is
  'Messages to people, written in the transaction that causes them and sent afterwards, at least once each.';
comment on column private.outbox.id is 'Identifier; a mail''s Message-ID is made of it, so that a repeat is recognised.';
comment on column private.outbox.channel is
  'mail, sms, payment (work at the payment provider), or file (files to remove, on a hosted project).';
comment on column private.outbox.template is 'Name of the text to send.';
comment on column private.outbox.recipient is
  'Address or phone number; a customer of the payment provider; the bucket of files.';
comment on column private.outbox.data is 'What the text mentions (url, code, name …); emptied once sent or given up.';
comment on column private.outbox.state is
  'queued, sent, captured (kept in the mailbox of the local mode) or failed (given up).';
comment on column private.outbox.attempts is 'How often a worker took it; the number is also the worker''s proof that it is still its turn.';
comment on column private.outbox.next_attempt_at is
  'When a worker may take it. A worker that takes it moves this ahead: when it dies, the message is due again then.';
comment on column private.outbox.expires_at is 'Afterwards sending is no use, and is given up.';
comment on column private.outbox.last_error is 'Code of the last failure (never a text of the mail server: it holds addresses).';
comment on column private.outbox.created_at is 'When it was written.';
comment on column private.outbox.settled_at is 'When it was sent, captured or given up; null while queued.';

create table private.jobs (
  name text primary key check (name ~ '^[a-z][a-z_]{0,49}$'),
  run_every interval not null check (run_every between interval '10 seconds' and interval '31 days'),
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_count integer,
  last_error text,
  failures integer not null default 0 check (failures >= 0)
);
comment on table private.jobs is 'Work that comes again and again, and where it stands.';
comment on column private.jobs.name is 'Name, and that of the function private.<name>(p_limit integer) which does the work.';
comment on column private.jobs.run_every is 'Time from one run to the next.';
comment on column private.jobs.next_run_at is 'When it is due.';
comment on column private.jobs.last_run_at is 'When it last ran, with success or not.';
comment on column private.jobs.last_count is 'Rows that the last run dealt with; null when it failed.';
comment on column private.jobs.last_error is 'SQLSTATE of the last failure; null after a success.';
comment on column private.jobs.failures is 'Failures in a row.';

create function private.enqueue_message(
  p_channel text, p_template text, p_to text, p_data jsonb, p_expires_at timestamptz
) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_id uuid;
begin
  insert into private.outbox (channel, template, recipient, data, expires_at)
  values (p_channel, p_template, p_to, coalesce(p_data, '{}'), coalesce(p_expires_at, now() + interval '6 hours'))
  returning id into v_id;
  -- Heard when this transaction commits, and not at all when it does not.
  perform pg_notify('tournavis_outbox', '');
  return v_id;
end;
$$;
comment on function private.enqueue_message(text, text, text, jsonb, timestamptz) is
  'Writes a message down for sending and wakes the workers once the transaction commits.';

create function private.enqueue_mail(
  p_template text, p_to text, p_data jsonb, p_expires_at timestamptz default null
) returns uuid
language sql volatile security definer set search_path = ''
as $$ select private.enqueue_message('mail', p_template, p_to, p_data, p_expires_at); $$;
comment on function private.enqueue_mail(text, text, jsonb, timestamptz) is
  'Writes a mail down for sending: template, address, what the text mentions, and until when it is worth sending '
  '(six hours by default). Call it in the transaction that the mail speaks of. Answers its identifier.';
grant execute on function private.enqueue_mail(text, text, jsonb, timestamptz) to service_role;

create function private.enqueue_sms(
  p_template text, p_to text, p_data jsonb, p_expires_at timestamptz default null
) returns uuid
language sql volatile security definer set search_path = ''
as $$ select private.enqueue_message('sms', p_template, p_to, p_data, p_expires_at); $$;
comment on function private.enqueue_sms(text, text, jsonb, timestamptz) is
  'Writes a text message down for sending, as enqueue_mail does a mail.';
grant execute on function private.enqueue_sms(text, text, jsonb, timestamptz) to service_role;

create function private.claim_messages(p_limit integer, p_now timestamptz default now())
returns table (
  id uuid, channel text, template text, recipient text, data jsonb, attempt integer, created_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  update private.outbox o
  set state = 'failed', last_error = coalesce(o.last_error, 'expired'), data = '{}', settled_at = p_now
  where o.id = any (array(
    select due.id from private.outbox due
    where due.state = 'queued' and due.next_attempt_at <= p_now and due.expires_at <= p_now
    order by due.next_attempt_at limit 1000 for update skip locked
  ));
  return query
    update private.outbox o
    -- Longer than any mail server is waited for.
    set attempts = o.attempts + 1, next_attempt_at = p_now + interval '2 minutes'
    where o.id = any (array(
      select due.id from private.outbox due
      where due.state = 'queued' and due.next_attempt_at <= p_now
      order by due.next_attempt_at limit p_limit for update skip locked
    ))
    returning o.id, o.channel, o.template, o.recipient, o.data, o.attempts, o.created_at;
end;
$$;
comment on function private.claim_messages(integer, timestamptz) is
  'Takes messages that are due, for two minutes: another worker gets them only when this one has not settled them by '
  'then. Those whose time is over are given up.';
grant execute on function private.claim_messages(integer, timestamptz) to service_role;

create function private.message_sent(p_id uuid, p_attempt integer, p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.outbox
  set state = 'sent', data = '{}', last_error = null, settled_at = p_now
  where id = p_id and state = 'queued' and attempts = p_attempt;
  return found;
end;
$$;
comment on function private.message_sent(uuid, integer, timestamptz) is
  'Settles a claimed message as sent and empties its data. False when it was no longer the caller''s.';
grant execute on function private.message_sent(uuid, integer, timestamptz) to service_role;

create function private.message_captured(p_id uuid, p_attempt integer, p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.outbox set state = 'captured', settled_at = p_now
  where id = p_id and state = 'queued' and attempts = p_attempt;
  return found;
end;
$$;
comment on function private.message_captured(uuid, integer, timestamptz) is
  'Keeps a claimed message for the mailbox of the local mode. False when it was no longer the caller''s.';
grant execute on function private.message_captured(uuid, integer, timestamptz) to service_role;

create function private.retry_delay(p_failures integer) returns interval
language sql immutable set search_path = ''
return least(interval '10 seconds' * power(2, least(greatest(p_failures, 1) - 1, 10)), interval '30 minutes');
comment on function private.retry_delay(integer) is
  'How long to wait after so many failures in a row: 10 s, 20 s, 40 s … at most half an hour.';

create function private.message_failed(
  p_id uuid, p_attempt integer, p_code text, p_permanent boolean, p_now timestamptz default now()
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_state text;
begin
  update private.outbox o
  set last_error = p_code,
    next_attempt_at = p_now + private.retry_delay(o.attempts),
    state = case when gives_up then 'failed' else 'queued' end,
    settled_at = case when gives_up then p_now end,
    data = case when gives_up then '{}' else o.data end
  from (
    select q.id, p_permanent or p_now + private.retry_delay(q.attempts) >= q.expires_at as gives_up
    from private.outbox q where q.id = p_id
  ) verdict
  where o.id = verdict.id and o.state = 'queued' and o.attempts = p_attempt
  returning o.state into v_state;
  return v_state;
end;
$$;
comment on function private.message_failed(uuid, integer, text, boolean, timestamptz) is
  'Puts a claimed message back for a later attempt, or gives it up: when the failure is permanent, or when the next '
  'attempt would come too late. Answers queued or failed; null when it was no longer the caller''s.';
grant execute on function private.message_failed(uuid, integer, text, boolean, timestamptz) to service_role;

create function private.release_message(p_id uuid, p_attempt integer, p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.outbox set next_attempt_at = p_now
  where id = p_id and state = 'queued' and attempts = p_attempt;
  return found;
end;
$$;
comment on function private.release_message(uuid, integer, timestamptz) is
  'Gives a claimed message back untried, for another worker. False when it was no longer the caller''s.';
grant execute on function private.release_message(uuid, integer, timestamptz) to service_role;

create function private.captured_messages(p_limit integer, p_to text default null)
returns table (id uuid, channel text, template text, recipient text, data jsonb, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.channel, o.template, o.recipient, o.data, o.created_at
  from private.outbox o
  where o.state = 'captured' and (p_to is null or lower(o.recipient) = lower(p_to))
  order by o.id desc limit p_limit;
$$;
comment on function private.captured_messages(integer, text) is
  'The mailbox of the local mode, newest first; of one recipient when named.';
grant execute on function private.captured_messages(integer, text) to service_role;

create function private.captured_message(p_id uuid)
returns table (id uuid, channel text, template text, recipient text, data jsonb, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.channel, o.template, o.recipient, o.data, o.created_at
  from private.outbox o where o.state = 'captured' and o.id = p_id;
$$;
comment on function private.captured_message(uuid) is 'One message of the mailbox of the local mode.';
grant execute on function private.captured_message(uuid) to service_role;

create function private.sweep_outbox(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.outbox m where m.id = any (array(
    select o.id from private.outbox o where o.state <> 'queued' and o.settled_at < now() - interval '7 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_outbox(integer) is
  'Job: messages that were sent, captured or given up a week ago go.';
insert into private.jobs (name, run_every) values ('sweep_outbox', interval '1 hour');

create function private.run_next_job(
  p_now timestamptz default now(), out job text, out rows integer, out error text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- Runs stay short: what is left is taken up a second later.
  c_batch constant integer := 2000;
  v_job private.jobs;
begin
  -- The lock on the row is the lease: it ends with this transaction, however that ends.
  select * into v_job from private.jobs j where j.next_run_at <= p_now
  order by j.next_run_at limit 1 for update skip locked;
  if not found then
    return;
  end if;
  job := v_job.name;
  begin
    execute format('select private.%I($1)', job) into rows using c_batch;
    update private.jobs j
    set last_run_at = p_now, last_count = rows, last_error = null, failures = 0,
      next_run_at = p_now + case when rows >= c_batch then interval '1 second' else j.run_every end
    where j.name = job;
  exception when query_canceled or others then
    rows := null;
    error := sqlstate;
    update private.jobs j
    set last_run_at = p_now, last_count = null, last_error = error, failures = j.failures + 1,
      next_run_at = p_now + greatest(least(j.run_every, interval '10 seconds'), private.retry_delay(j.failures + 1))
    where j.name = job;
  end;
end;
$$;
comment on function private.run_next_job(timestamptz) is
  'Runs one job that is due and that no other process is running: its name, the rows that it dealt with, or the '
  'SQLSTATE of its failure (it is tried again later). All null when nothing is due.';
grant execute on function private.run_next_job(timestamptz) to service_role;

create function private.run_due_jobs(p_now timestamptz default now())
returns table (job text, rows integer, error text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  loop
    select r.job, r.rows, r.error into job, rows, error from private.run_next_job(p_now) r;
    exit when job is null;
    return next;
  end loop;
end;
$$;
comment on function private.run_due_jobs(timestamptz) is
  'Runs every job that is due, one after another: what pg_cron calls on a hosted project.';
grant execute on function private.run_due_jobs(timestamptz) to service_role;

create function private.next_job_in() returns double precision
language sql stable security definer set search_path = ''
as $$ select extract(epoch from min(j.next_run_at) - clock_timestamp())::double precision from private.jobs j; $$;
comment on function private.next_job_in() is 'Seconds until a job is due, by the database''s clock; below zero when one is.';
grant execute on function private.next_job_in() to service_role;

create function private.next_message_in() returns double precision
language sql stable security definer set search_path = ''
as $$
  select extract(epoch from min(o.next_attempt_at) - clock_timestamp())::double precision
  from private.outbox o where o.state = 'queued';
$$;
comment on function private.next_message_in() is
  'Seconds until a message is due, by the database''s clock; below zero when one is, null when none waits.';
grant execute on function private.next_message_in() to service_role;

create function private.queue_metrics()
returns table (kind text, name text, amount double precision)
language sql stable security definer set search_path = ''
as $$
  select 'messages', s.state, (
    select count(*) from private.outbox o where o.state = s.state)::double precision
  from (values ('queued'), ('failed')) s (state)
  union all
  select 'oldest', 'queued', coalesce(extract(epoch from now() - min(o.created_at)), 0)::double precision
  from private.outbox o where o.state = 'queued'
  union all
  select 'failures', j.name, j.failures::double precision from private.jobs j
  order by 1, 2;
$$;
comment on function private.queue_metrics() is
  'What a monitoring system watches: messages queued and given up, age of the oldest that waits (seconds), failures in '
  'a row of each job.';
grant execute on function private.queue_metrics() to service_role;

create function private.call_worker() returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_url text;
  v_secret text;
begin
  -- Most of the time nothing waits, and nobody is called.
  if coalesce(private.next_message_in() > 0, true) then
    return null;
  end if;
  select max(s.decrypted_secret) filter (where s.name = 'project_url'),
    max(s.decrypted_secret) filter (where s.name = 'jobs_secret')
  into v_url, v_secret
  from vault.decrypted_secrets s where s.name in ('project_url', 'jobs_secret');
  if v_url is null or v_secret is null then
    raise exception 'The Vault lacks project_url or jobs_secret.' using errcode = '55000';
  end if;
  return net.http_post(
    url := v_url || '/functions/v1/run-jobs',
    headers := jsonb_build_object('content-type', 'application/json', 'x-jobs-secret', v_secret),
    body := '{}'::jsonb,
    timeout_milliseconds := 60000);
end;
$$;
comment on function private.call_worker() is
  'Calls the server function run-jobs of a hosted project while messages wait; pg_cron runs it. Answers the request''s '
  'number, null when nothing waits. Error 55000 where the Vault does not say which project this is.';

-- Who may read and write --------------------------------------------------------------------------

alter table private.outbox enable row level security;

alter table private.jobs enable row level security;

-- A hosted project ------------------------------------------------------------------------------

-- Where pg_cron alone is there, it runs the jobs.
do $$
begin
  if exists (select from pg_catalog.pg_extension where extname = 'pg_cron') then
    perform cron.schedule('tournavis jobs', '* * * * *', 'select private.run_due_jobs()');
  end if;
end;
$$;

do $$
begin
  -- Any other PostgreSQL lacks one of them.
  if (select count(*) from pg_catalog.pg_available_extensions
      where name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3
  then
    return;
  end if;
  create extension if not exists supabase_vault;
  create extension if not exists pg_net with schema extensions;
  create extension if not exists pg_cron with schema pg_catalog;
  perform cron.schedule('tournavis jobs', '* * * * *', 'select private.run_due_jobs()');
  perform cron.schedule('tournavis worker', '10 seconds', 'select private.call_worker()');
  perform cron.schedule('tournavis history', '17 3 * * *',
    $c$delete from cron.job_run_details where end_time < now() - interval '7 days'$c$);
-- Installed, but not switched on for this database: a process of ours works there.
exception when object_not_in_prerequisite_state or insufficient_privilege or undefined_object or raise_exception then
  raise warning 'pg_cron is not to be had here (%): run a server process for jobs and messages.', sqlerrm;
end;
$$;

-- 04_accounts.sql =================================================================================

-- Accounts and limits: sessions, second factors, recovery codes, attempts that are counted, proven addresses.
--
-- A second factor that only the sign-in page asks for protects nothing: whoever stole a password gets a token by one HTTP
-- call. So the database itself refuses to act for a user who has a verified factor until the token says that it was used
-- (aal2), and for a token whose session was ended. Guessing passwords and codes, and flooding a stranger's mailbox, must be
-- slow whichever process is asked, so attempts are counted here.
-- Anybody may sign up with anybody's address. Whoever then follows the mail proves that the address is theirs, and nothing
-- about the password that waits there. The table of accounts itself notes what is not known to come from the address's own
-- person, so that no service can forget it.

-- Attempts are counted in an unlogged table: a crash forgets them, which costs nothing but their memory.
create unlogged table private.rate_limits (
  key text not null,
  window_start timestamptz not null,
  shard smallint not null,
  hits integer not null,
  expires_at timestamptz not null,
  primary key (key, window_start, shard)
) with (fillfactor = 60);
create index rate_limits_expires_at_idx on private.rate_limits (expires_at);
comment on table private.rate_limits is
  'Attempts of a device, a person or an address in a window of time. Keys are keyed hashes: no address and no device stands here.';
comment on column private.rate_limits.key is 'What is counted: action, kind and keyed hash.';
comment on column private.rate_limits.window_start is 'Start of the window.';
comment on column private.rate_limits.shard is 'Part of the count, 0 to 15.';
comment on column private.rate_limits.hits is 'Attempts.';
comment on column private.rate_limits.expires_at is 'When the row may go.';

create table private.account_events (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null check (event in ('recovery_codes_created', 'recovery_code_used', 'session_ended')),
  session_id uuid,
  created_at timestamptz not null default now()
);
create index account_events_user_id_idx on private.account_events (user_id, created_at);
create index account_events_created_at_idx on private.account_events (created_at);
comment on table private.account_events is
  'Trace of what changed the protection of an account; no address, no device. Kept 13 months, like all logs.';
comment on column private.account_events.id is 'Identifier, ordered by time.';
comment on column private.account_events.user_id is 'Whose account.';
comment on column private.account_events.event is 'What happened: recovery_codes_created, recovery_code_used or session_ended.';
comment on column private.account_events.session_id is 'Session in which it was done; it may be gone.';
comment on column private.account_events.created_at is 'When.';

create table private.totp_steps (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  last_step bigint not null
);
comment on table private.totp_steps is
  'Newest one-time password that a factor has accepted. A password seen over a shoulder is worth nothing afterwards.';
comment on column private.totp_steps.factor_id is 'Factor.';
comment on column private.totp_steps.last_step is 'Number of its period of 30 seconds since 1970.';

-- The platform has none. They work on any Supabase project, since only the factors' own table is needed.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is
  'Codes with which somebody who lost their second factor gets rid of it, once. Only hashes: the codes are shown once.';
comment on column private.recovery_codes.user_id is 'Whose code.';
comment on column private.recovery_codes.code_hash is
  'SHA-256 of user and code. The code has 80 random bits, which no computer tries out: a slow hash would add nothing.';
comment on column private.recovery_codes.created_at is 'When it was made.';

create table private.unproven_accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  sign_ups integer not null check (sign_ups >= 0)
);
comment on table private.unproven_accounts is
  'Accounts whose password, name or sessions may be somebody else''s than the person''s who has their address.';
comment on column private.unproven_accounts.user_id is 'Account.';
comment on column private.unproven_accounts.sign_ups is
  'Sign-ups that waited for its confirmation; 0 for an account that changed to an address.';

create function private.window_start(p_window interval) returns timestamptz
language sql stable parallel safe
return date_bin(p_window, now(), 'epoch');
comment on function private.window_start(interval) is
  'Start of the present window of time of that length, in which attempts are counted.';

create function private.count_attempt(p_keys text[], p_limits integer[], p_window interval) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_start timestamptz := private.window_start(p_window);
  v_shard smallint := private.shard();
  v_hits integer[];
  v_total bigint;
begin
  with counted as (
    insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
    select k, v_start, v_shard, 1, v_start + p_window from unnest(p_keys) k
    on conflict (key, window_start, shard) do update set hits = r.hits + 1
    returning r.hits
  )
  -- INSERT returns its rows in the order of the keys.
  select array_agg(c.hits) into v_hits from counted c;

  -- Now and then, whoever opens a window sweeps what is over. Rows that others hold are left to the next.
  if v_hits[1] = 1 and random() < 0.01 then
    delete from private.rate_limits r
    where r.ctid = any (array(
      select o.ctid from private.rate_limits o where o.expires_at < now()
      limit 500 for update skip locked
    ));
  end if;

  for i in 1..array_length(p_keys, 1) loop
    -- Connections share the load evenly: while this shard is below its part, the whole is near enough below
    -- the limit, and reading the other shards can wait.
    continue when v_hits[i] * 16 <= p_limits[i];
    select sum(r.hits) into v_total
    from private.rate_limits r where r.key = p_keys[i] and r.window_start = v_start;
    if v_total > p_limits[i] then
      return greatest(1, ceil(extract(epoch from v_start + p_window - now())))::integer;
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.count_attempt(text[], integer[], interval) is
  'Counts an attempt of each key in the present window of time and answers null while each has its limit or fewer, '
  'else the seconds until the next window. Soft: other connections may let a few more through.';

create function private.user_name(p_user_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    nullif(btrim((
      -- Supabase keeps what the sign-up gave as JSON, Supabase Lite as a text that holds it.
      case jsonb_typeof(u.raw_user_meta_data)
        when 'string' then (u.raw_user_meta_data #>> '{}')::jsonb
        else u.raw_user_meta_data
      end
    ) ->> 'full_name'), ''),
    split_part(u.email, '@', 1)
  )
  from auth.users u where u.id = p_user_id;
$$;
comment on function private.user_name(uuid) is
  'Full name of a user, else the part of the e-mail before the at-sign (specification, section 2.9).';

create function private.sweep_limits(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_attempts integer;
  v_scans integer;
begin
  delete from private.rate_limits r where r.ctid = any (array(
    select o.ctid from private.rate_limits o where o.expires_at < now() limit p_limit for update skip locked
  ));
  get diagnostics v_attempts = row_count;
  delete from private.recent_scans r where r.ctid = any (array(
    select o.ctid from private.recent_scans o where o.scanned_at < now() - interval '30 minutes'
    limit p_limit for update skip locked
  ));
  get diagnostics v_scans = row_count;
  return v_attempts + v_scans;
end;
$$;
comment on function private.sweep_limits(integer) is 'Job: counts of attempts and of visits whose window is over go.';
insert into private.jobs (name, run_every) values ('sweep_limits', interval '5 minutes');

create function private.sweep_accounts(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
  v_total integer := 0;
begin
  -- A used refresh token is kept for a while: shown again, it betrays a theft.
  delete from auth.refresh_tokens t where t.id = any (array(
    select o.id from auth.refresh_tokens o where o.revoked and o.updated_at < now() - interval '7 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.sessions s where s.id = any (array(
    select o.id from auth.sessions o
    where o.not_after < now() - interval '1 day'
      or greatest(o.refreshed_at at time zone 'UTC', o.created_at) < now() - interval '180 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.flow_state f where f.id = any (array(
    select o.id from auth.flow_state o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.one_time_tokens t where t.id = any (array(
    select o.id from auth.one_time_tokens o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.mfa_challenges c where c.id = any (array(
    select o.id from auth.mfa_challenges o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_total + v_count;
end;
$$;
comment on function private.sweep_accounts(integer) is
  'Job: used refresh tokens after 7 days, sessions that ended or were not refreshed for 180 days, and tokens, sign-ins '
  'and challenges that nobody finished within a day go.';
insert into private.jobs (name, run_every) values ('sweep_accounts', interval '15 minutes');

create function private.session_refusal(p_user_id uuid, p_session_id uuid, p_aal text) returns text
language sql stable set search_path = ''
as $$
  select case
    when s.id is null then 'session_ended'
    -- An old token of a session that was strengthened since says aal1; the row of a session that was
    -- weakened since says aal1. Both have to agree.
    when p_aal = 'aal2' and s.aal = 'aal2' then null
    when exists (
      select 1 from auth.mfa_factors f where f.user_id = p_user_id and f.status = 'verified'
    ) then 'second_factor_required'
  end
  from (values (1)) as one (row)
  left join auth.sessions s on s.id = p_session_id and s.user_id = p_user_id
    and (s.not_after is null or s.not_after > now());
$$;
comment on function private.session_refusal(uuid, uuid, text) is
  'Why nothing is done for a user whose token names this session and assurance level: session_ended, '
  'second_factor_required, or null when there is no reason. Two lookups by index at most.';

create function private.my_user_id() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := auth.uid();
  v_claims jsonb;
  v_refusal text;
begin
  if v_user_id is null then
    -- A key for the till reads no table and calls no function but those that ask for it by name.
    if (private.my_api_key()).scope = 'redeem' then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    return null;
  end if;
  v_claims := auth.jwt();
  v_refusal := private.session_refusal(
    v_user_id, nullif(v_claims ->> 'session_id', '')::uuid, v_claims ->> 'aal');
  if v_refusal = 'second_factor_required' then
    raise exception 'second_factor_required' using errcode = 'TV010';
  elsif v_refusal is not null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  return v_user_id;
end;
$$;
comment on function private.my_user_id() is
  'The signed-in user, for whom policies and functions act; null without one, and for a key of the API. Error TV010 when the '
  'user has a second factor that this session has not used, TV011 when the session was ended, 42501 and errors of '
  'my_api_key() for keys. Takes the place of auth.uid() everywhere.';
grant execute on function private.my_user_id() to authenticated, service_role;

create function private.sweep_account_events(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.account_events e where e.id = any (array(
    select o.id from private.account_events o where o.created_at < now() - interval '13 months'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_account_events(integer) is
  'Job: traces of accounts go after 13 months (specification, section 9).';
insert into private.jobs (name, run_every) values ('sweep_account_events', interval '1 day');

create function private.accept_totp_step(p_factor_id uuid, p_step bigint) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with accepted as (
    insert into private.totp_steps as t (factor_id, last_step) values (p_factor_id, p_step)
    on conflict (factor_id) do update set last_step = excluded.last_step where t.last_step < excluded.last_step
    returning 1
  )
  select exists (select 1 from accepted);
$$;
comment on function private.accept_totp_step(uuid, bigint) is
  'Takes a one-time password''s period as used and answers whether it may be used: it is newer than any used before. '
  'Of two at once, one is told no.';
grant execute on function private.accept_totp_step(uuid, bigint) to service_role;

create function private.recovery_code_hash(p_user_id uuid, p_code text) returns bytea
language sql immutable parallel safe set search_path = ''
return sha256(convert_to(
  p_user_id::text || ' ' || upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g')), 'UTF8'
));
comment on function private.recovery_code_hash(uuid, text) is
  'What is stored of a recovery code, whatever its case, spaces and hyphens.';

create function private.my_session() returns auth.sessions
language sql stable security definer set search_path = ''
as $$
  select s from auth.sessions s
  where s.id = nullif((select auth.jwt()) ->> 'session_id', '')::uuid
    and s.user_id = (select auth.uid())
    and (s.not_after is null or s.not_after > now());
$$;
comment on function private.my_session() is
  'Session of the signed-in user''s token, whatever its assurance level; null when it was ended.';

create function public.create_recovery_codes() returns text[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_session auth.sessions := private.my_session();
  v_codes text[];
begin
  if v_user_id is null then
    raise exception 'unauthenticated' using errcode = '42501';
  elsif not exists (select 1 from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified') then
    -- Whoever has one has used it, or would not have come so far.
    raise exception 'second_factor_required' using errcode = 'TV010';
  end if;
  -- One after the other: of two calls at once, the codes of the later stay, all ten.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r where r.user_id = v_user_id;
  select array_agg(regexp_replace(
      private.random_code('{random}') || private.random_code('{random}'), '(.{4})(.{4})(.{4})(.{4})', '\1-\2-\3-\4'))
  into v_codes from generate_series(1, 10);
  insert into private.recovery_codes (user_id, code_hash)
  select v_user_id, private.recovery_code_hash(v_user_id, code) from unnest(v_codes) as code;
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_codes_created', v_session.id);
  return v_codes;
end;
$$;
comment on function public.create_recovery_codes() is
  'Ten new recovery codes of the signed-in user, as XXXX-XXXX-XXXX-XXXX; those before are worth nothing any more. They '
  'are told once. Error TV010 to whoever has no second factor; errors of my_user_id().';
grant execute on function public.create_recovery_codes() to authenticated;

create function public.use_recovery_code(p_code text, out outcome text, out retry_after integer)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_session auth.sessions := private.my_session();
  v_user_id constant uuid := v_session.user_id;
begin
  if v_user_id is null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  -- A refusal is an answer, not an error: an error would take back the count.
  retry_after := private.count_attempt(array['recovery code ' || v_user_id::text], '{5}', interval '15 minutes');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  -- One after the other: two codes at once would wait for each other's rows.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r
  where r.user_id = v_user_id and r.code_hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    outcome := 'unknown';
    return;
  end if;
  outcome := 'recovered';
  delete from private.recovery_codes r where r.user_id = v_user_id;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- The lost factor may be in other hands, and so may a device that is signed in.
  delete from auth.sessions s where s.user_id = v_user_id and s.id <> v_session.id;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.id = v_session.id;
  delete from auth.mfa_amr_claims c
  where c.session_id = v_session.id and c.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn');
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_code_used', v_session.id);
  -- Whoever did not do this themselves has to hear of it.
  perform private.enqueue_mail(
    'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = v_user_id and u.email <> '';
end;
$$;
comment on function public.use_recovery_code(text) is
  'Gives a recovery code in place of a lost second factor: all factors, all recovery codes and all other sessions of the '
  'user go, so that a factor can be enrolled anew. Outcomes: recovered, unknown, too_many_attempts (5 in a quarter of an '
  'hour; retry_after in seconds). Error TV011 when the session was ended.';
grant execute on function public.use_recovery_code(text) to authenticated;

create function public.count_recovery_codes() returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_session auth.sessions := private.my_session();
begin
  if v_session.user_id is null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  return (select count(*) from private.recovery_codes r where r.user_id = v_session.user_id);
end;
$$;
comment on function public.count_recovery_codes() is
  'How many recovery codes the signed-in user has left. Answered before the second factor too: the page that asks for '
  'it offers a recovery code only to whoever has one. Error TV011 when the session was ended.';
grant execute on function public.count_recovery_codes() to authenticated;

create function private.drop_idle_recovery_codes(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.recovery_codes r
  where r.user_id = p_user_id and not exists (
    select 1 from auth.mfa_factors f where f.user_id = p_user_id and f.status = 'verified'
  );
$$;
comment on function private.drop_idle_recovery_codes(uuid) is
  'Forgets the recovery codes of a user who has no second factor any more: there is nothing to recover.';
grant execute on function private.drop_idle_recovery_codes(uuid) to service_role;

create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, ip text, is_current boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_session auth.sessions := private.my_session();
begin
  return query
    select s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'UTC'), s.user_agent,
      case family(s.ip) when 6 then network(set_masklen(s.ip, 64))::text else host(s.ip) end,
      s.id = v_session.id
    from auth.sessions s
    where s.user_id = v_user_id and (s.not_after is null or s.not_after > now())
    order by s.id = v_session.id desc, 3 desc;
end;
$$;
comment on function public.my_sessions() is
  'Sessions of the signed-in user, this one first, then the most recently seen. last_seen_at is the last refresh, '
  'an hour behind at most; ip is an IPv4 address or the /64 of an IPv6 one. Errors of my_user_id().';
grant execute on function public.my_sessions() to authenticated;

create function public.end_session(p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  -- The user before the session, as everywhere: two orders would make deadlocks.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from auth.sessions s where s.id = p_id and s.user_id = v_user_id;
  if not found then
    return false;
  end if;
  insert into private.account_events (user_id, event, session_id) values (v_user_id, 'session_ended', p_id);
  return true;
end;
$$;
comment on function public.end_session(uuid) is
  'Ends a session of the signed-in user: its tokens are worth nothing from the next statement on. False when they have '
  'no such session. Errors of my_user_id().';
grant execute on function public.end_session(uuid) to authenticated;

create function private.count_auth_attempt(
  p_keys text[], p_limits integer[], p_window interval,
  out seconds integer, out refused_key text, out remaining_ms integer
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  for i in 1..cardinality(p_keys) loop
    seconds := private.count_attempt(array['auth ' || p_keys[i]], p_limits[i:i], p_window);
    if seconds is not null then
      refused_key := p_keys[i];
      select floor(extract(epoch from min(r.expires_at) - now()) * 1000) into remaining_ms
      from private.rate_limits r where r.key = 'auth ' || refused_key and r.expires_at > now();
      return;
    end if;
  end loop;
end;
$$;
comment on function private.count_auth_attempt(text[], integer[], interval) is
  'Counts an attempt to sign in, sign up or get a message under each key (keyed hashes) in turn, up to the first that is '
  'beyond its limit. Answers nulls while all are within theirs, else the seconds until the next window, that key, and the '
  'milliseconds that are left, rounded down.';
grant execute on function private.count_auth_attempt(text[], integer[], interval) to service_role;

create function private.reset_auth_attempts(p_keys text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.rate_limits r
  where r.key = any (array(select 'auth ' || key from unnest(p_keys) key));
$$;
comment on function private.reset_auth_attempts(text[]) is
  'Forgets the attempts counted under these keys: whoever has proved who they are was not guessing.';
grant execute on function private.reset_auth_attempts(text[]) to service_role;

create function private.proven_phone(p_user_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    (select nullif(u.phone, '') from auth.users u where u.id = p_user_id and u.phone_confirmed_at is not null),
    (select f.phone from auth.mfa_factors f
     where f.user_id = p_user_id and f.factor_type = 'phone' and f.status = 'verified' order by f.created_at limit 1));
$$;
comment on function private.proven_phone(uuid) is
  'A number that the user has proven to be theirs: the account''s, else that of a second factor; null without one.';

create function private.acting_user() returns uuid
language sql stable set search_path = ''
as $$ select nullif(current_setting('tournavis.acting_user', true), '')::uuid; $$;
comment on function private.acting_user() is
  'For whom the server began this transaction at the payment provider (begin_billing); null for anything else.';

create function private.network_address_hash() returns text
language sql stable set search_path = ''
as $$
  select encode(sha256(convert_to(btrim(split_part(address, ',', 1)), 'UTF8')), 'hex')
  from (select nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-forwarded-for') request (address)
  where address <> '';
$$;
comment on function private.network_address_hash() is
  'SHA-256 of the client''s address as the platform names it in x-forwarded-for (our own server puts a keyed hash in its '
  'place); null outside a request of the data API.';

create function private.note_unproven_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.unproven_accounts (user_id, sign_ups) values (new.id, 1);
  elsif new.email is distinct from old.email then
    insert into private.unproven_accounts (user_id, sign_ups) values (new.id, 0)
    on conflict (user_id) do update set sign_ups = 0;
  else
    -- Without a row a sign-up without a password was first.
    insert into private.unproven_accounts as a (user_id, sign_ups) values (new.id, 2)
    on conflict (user_id) do update set sign_ups = a.sign_ups + 1;
  end if;
  return null;
end;
$$;
comment on function private.note_unproven_account() is
  'Notes an account that waits with a password, another sign-up for it, and an account that changed its address.';
create trigger note_sign_up after insert on auth.users
  for each row when (new.encrypted_password <> '' and new.email_confirmed_at is null and new.phone_confirmed_at is null)
  execute function private.note_unproven_account();
create trigger note_repeated_sign_up after update of encrypted_password on auth.users
  for each row when (
    new.email is not distinct from old.email and new.email_confirmed_at is null and new.phone_confirmed_at is null
    and (old.encrypted_password <> '' or new.encrypted_password <> ''))
  execute function private.note_unproven_account();
create trigger note_changed_address after update of email on auth.users
  for each row when (new.email is distinct from old.email and new.email <> '')
  execute function private.note_unproven_account();

create function private.count_sign_ups(p_user_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce((select a.sign_ups from private.unproven_accounts a where a.user_id = p_user_id), 0);
$$;
comment on function private.count_sign_ups(uuid) is
  'Sign-ups that wait for the confirmation of an account; 0 for one that is proven.';
grant execute on function private.count_sign_ups(uuid) to service_role;

create function private.is_proven(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (select 1 from private.unproven_accounts a where a.user_id = p_user_id);
$$;
comment on function private.is_proven(uuid) is
  'Whether what opens an account is known to be its address''s own person''s.';
grant execute on function private.is_proven(uuid) to service_role;

create function private.prove_account(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.unproven_accounts a where a.user_id = p_user_id;
$$;
comment on function private.prove_account(uuid) is
  'Notes that what opens an account is its address''s own person''s. For the authentication service alone.';
grant execute on function private.prove_account(uuid) to service_role;

-- Who may read and write --------------------------------------------------------------------------

alter table private.rate_limits enable row level security;
grant select on private.rate_limits to service_role;

alter table private.account_events enable row level security;

alter table private.totp_steps enable row level security;

alter table private.recovery_codes enable row level security;

alter table private.unproven_accounts enable row level security;

-- 05_organizations.sql ============================================================================

-- Organisations: who belongs to them, what a role may do, and what a plan allows.
--
-- The organisation is the tenant. Every policy and every limit reads these tables. A plan that is over closes in two steps:
-- its pages close to the public at once and nothing new is taken, while everything stays readable and exportable for
-- 30 days (specification, section 9); then reading ends as well, until somebody pays. Both are decided where every policy
-- asks, so that no screen and no function can forget it.

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  slug text not null unique check (private.is_slug(slug)),
  created_at timestamptz not null default now(),
  version integer not null default 1 check (version >= 1),
  erase_at timestamptz
);
create index organizations_erase_at_idx on public.organizations (erase_at) where erase_at is not null;
comment on table public.organizations is 'A merchant: the tenant that owns everything else (specification, section 3).';
comment on column public.organizations.id is 'Identifier.';
comment on column public.organizations.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.organizations.slug is 'Public address /org/{slug}, unique over the platform.';
comment on column public.organizations.created_at is 'When it was created.';
comment on column public.organizations.version is
  'Rises with every change of name or slug: whoever saves an older version is told, and overwrites nothing.';
comment on column public.organizations.erase_at is
  'When everything of it goes, 30 days after its owner asked; null while it stays.';

create table public.roles (
  role text primary key,
  org_id uuid references public.organizations (id) on delete cascade,
  name text check (name = btrim(name) and length(name) between 1 and 40),
  description text not null default '' check (length(description) <= 200),
  created_at timestamptz not null default now(),
  unique (org_id, role),
  check ((org_id is null) = (role in ('owner', 'admin', 'member', 'cashier'))),
  check ((org_id is null) = (name is null))
);
create unique index roles_name_idx on public.roles (org_id, lower(name)) where org_id is not null;
comment on table public.roles is
  'The roles that a member can have: those given to everybody (specification, section 6), and those of one organisation.';
comment on column public.roles.role is
  'owner, admin, member (Équipe), cashier (Caisse), or the identifier of an organisation''s own role.';
comment on column public.roles.org_id is 'Organisation whose role it is; null of those given to everybody.';
comment on column public.roles.name is 'What its organisation calls it, 1 to 40 characters; null of those given.';
comment on column public.roles.description is 'What it is for, in the organisation''s words; up to 200 characters.';
comment on column public.roles.created_at is 'When it was made.';

insert into public.roles (role) values ('owner'), ('admin'), ('member'), ('cashier');

create table public.role_permissions (
  role text not null references public.roles (role) on delete cascade,
  permission text not null check (permission ~ '^[a-z]+\.[a-z]+$'),
  org_id uuid,
  primary key (role, permission),
  foreign key (org_id, role) references public.roles (org_id, role) on delete cascade,
  check ((org_id is null) = (role in ('owner', 'admin', 'member', 'cashier')))
);
create index role_permissions_org_idx on public.role_permissions (org_id, role);
comment on table public.role_permissions is
  'Which role may do what. The policies and the interface both read this table; the rule exists nowhere else.';
comment on column public.role_permissions.role is 'Role.';
comment on column public.role_permissions.permission is 'What it may do, as subject.verb: campaigns.write, codes.redeem …';
comment on column public.role_permissions.org_id is 'Organisation whose role it is; null of those given to everybody.';

insert into public.role_permissions (role, permission)
select role, permission
from (values
  ('organization.update', '{owner,admin}'::text[]),
  ('organization.delete', '{owner}'),
  ('organization.export', '{owner}'),
  ('owners.manage', '{owner}'),
  ('team.read', '{owner,admin,member}'),
  ('team.manage', '{owner,admin}'),
  ('roles.manage', '{owner}'),
  ('audit.read', '{owner,admin}'),
  ('api.manage', '{owner,admin}'),
  ('billing.read', '{owner,admin}'),
  ('billing.manage', '{owner,admin}'),
  ('stores.read', '{owner,admin,member}'),
  ('stores.write', '{owner,admin,member}'),
  ('stores.delete', '{owner,admin}'),
  ('campaigns.read', '{owner,admin,member}'),
  ('campaigns.write', '{owner,admin,member}'),
  ('campaigns.delete', '{owner,admin}'),
  ('rewards.read', '{owner,admin,member}'),
  ('rewards.write', '{owner,admin,member}'),
  ('rewards.delete', '{owner,admin}'),
  ('customers.read', '{owner,admin,member}'),
  ('customers.write', '{owner,admin,member}'),
  ('customers.delete', '{owner,admin}'),
  ('activity.read', '{owner,admin,member}'),
  ('codes.read', '{owner,admin,member}'),
  ('codes.redeem', '{owner,admin,member,cashier}')
) as granted (permission, roles), unnest(roles) as role;

create table public.organization_members (
  org_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null unique references auth.users (id) on delete cascade,
  role text not null references public.roles (role),
  added_at timestamptz not null default now(),
  store_id uuid,
  role_org_key uuid generated always as (
    case when role in ('owner', 'admin', 'member', 'cashier') then null else org_id end) stored,
  primary key (org_id, user_id),
  foreign key (role_org_key, role) references public.roles (org_id, role)
);
create index organization_members_role_idx on public.organization_members (role);
create index organization_members_store_idx on public.organization_members (org_id, store_id);
create index organization_members_own_role_idx on public.organization_members (role_org_key, role);
comment on table public.organization_members is
  'Who works for which organisation; a user belongs to one at most (specification, section 3).';
comment on column public.organization_members.org_id is 'Organisation.';
comment on column public.organization_members.user_id is 'User of the authentication service; unique, since a user belongs to one organisation.';
comment on column public.organization_members.role is 'Role, which decides the permissions.';
comment on column public.organization_members.added_at is 'When the user joined.';
comment on column public.organization_members.store_id is
  'The only store at whose till the member works; null for all of them. Counts while the role has nothing but the till '
  '(private.bound_store).';
comment on column public.organization_members.role_org_key is
  'Where the role is looked for: the organisation, or null for those given to everybody.';

create table public.plan_limits (
  plan text primary key check (plan in ('free_trial', 'basic', 'pro')),
  max_active_campaigns integer not null check (max_active_campaigns >= -1),
  monthly_spins integer not null check (monthly_spins >= -1),
  max_users integer not null check (max_users >= -1),
  csv_export boolean not null,
  api_access boolean not null,
  white_label boolean not null,
  multi_store boolean not null,
  advanced_analytics boolean not null,
  custom_roles boolean not null
);
comment on table public.plan_limits is 'What each plan allows (specification, section 9).';
comment on column public.plan_limits.plan is 'free_trial, basic or pro.';
comment on column public.plan_limits.max_active_campaigns is 'Most campaigns active at once; -1 is unlimited.';
comment on column public.plan_limits.monthly_spins is 'Most spins in a calendar month of the store''s time zone; -1 is unlimited.';
comment on column public.plan_limits.max_users is 'Most members, invitations included; -1 is unlimited.';
comment on column public.plan_limits.csv_export is 'Whether lists can be exported as CSV.';
comment on column public.plan_limits.api_access is 'Whether the data API is open to the merchant''s own keys.';
comment on column public.plan_limits.white_label is 'Whether the product''s logo gives way to the merchant''s.';
comment on column public.plan_limits.multi_store is 'Whether more than one store is included.';
comment on column public.plan_limits.advanced_analytics is 'Whether trends, funnel and return on investment are included.';
comment on column public.plan_limits.custom_roles is 'Whether an owner can make roles of their own.';

insert into public.plan_limits
  (plan, max_active_campaigns, monthly_spins, max_users, csv_export, api_access, white_label, multi_store,
    advanced_analytics, custom_roles)
values
  ('free_trial', 1, 100, 2, false, false, false, false, false, false),
  ('basic', 3, 1000, 5, false, false, false, true, true, false),
  ('pro', -1, -1, -1, true, true, true, true, true, true);

create table public.subscriptions (
  org_id uuid primary key references public.organizations (id) on delete cascade,
  plan text not null default 'free_trial' references public.plan_limits (plan),
  status text not null default 'active'
    check (status in ('active', 'past_due', 'suspended', 'canceled')),
  trial_end timestamptz,
  current_period_end timestamptz,
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  created_at timestamptz not null default now(),
  billing text check (billing in ('monthly', 'yearly')),
  cancel_at_period_end boolean not null default false,
  past_due_since timestamptz,
  closed_at timestamptz,
  kept_campaign_ids uuid[] not null default '{}',
  reconciled_at timestamptz,
  is_ending boolean not null default false,
  check (plan <> 'free_trial' or trial_end is not null)
);
create index subscriptions_plan_idx on public.subscriptions (plan);
create index subscriptions_reconciled_at_idx on public.subscriptions (reconciled_at nulls first)
  where stripe_customer_id is not null;
create index subscriptions_trial_end_idx on public.subscriptions (trial_end)
  where status = 'active' and plan = 'free_trial';
create index subscriptions_period_end_idx on public.subscriptions (current_period_end)
  where status = 'active' and plan <> 'free_trial';
create index subscriptions_past_due_idx on public.subscriptions (past_due_since) where status = 'past_due';
comment on table public.subscriptions is 'The plan of an organisation (specification, sections 3 and 4.4).';
comment on column public.subscriptions.org_id is 'Organisation; one subscription each.';
comment on column public.subscriptions.plan is 'Plan in force.';
comment on column public.subscriptions.status is 'active, past_due (payment default, 8 days'' notice), suspended or canceled.';
comment on column public.subscriptions.trial_end is 'End of the free trial, 14 days after creation; required on the free trial.';
comment on column public.subscriptions.current_period_end is 'End of the paid period; null is without end.';
comment on column public.subscriptions.stripe_customer_id is 'Customer at the payment provider; readable by owner and admin only.';
comment on column public.subscriptions.stripe_subscription_id is 'Subscription at the payment provider; readable by owner and admin only.';
comment on column public.subscriptions.created_at is 'When it was created.';
comment on column public.subscriptions.billing is 'How often it is paid: monthly or yearly; null on the trial, and where nobody pays.';
comment on column public.subscriptions.cancel_at_period_end is 'Whether it ends with the paid period.';
comment on column public.subscriptions.past_due_since is 'When the bill that is not paid was made; null when everything is paid.';
comment on column public.subscriptions.closed_at is 'When the plan ended or was suspended; null while it runs.';
comment on column public.subscriptions.kept_campaign_ids is 'Campaigns that the merchant wants to stay active when a smaller plan has room for fewer.';
comment on column public.subscriptions.reconciled_at is 'When the nightly comparison with the payment provider was last asked for.';
comment on column public.subscriptions.is_ending is
  'Its organisation waits to be erased, and is closed to the public: written together with organizations.erase_at, and '
  'here as well because every spin reads this row already.';

create table public.notification_preferences (
  org_id uuid not null,
  user_id uuid not null,
  email boolean not null default true,
  sms boolean not null default false,
  low_ratings boolean not null default false,
  summary text not null default 'none' check (summary in ('none', 'daily', 'weekly')),
  next_summary_at timestamptz,
  unsubscribe_token uuid not null default gen_random_uuid() unique,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references public.organization_members (org_id, user_id) on delete cascade,
  check ((next_summary_at is null) = (summary = 'none' or not email))
);
create index notification_preferences_due_idx on public.notification_preferences (next_summary_at)
  where next_summary_at is not null;
create index notification_preferences_alert_idx on public.notification_preferences (org_id) where low_ratings;
comment on table public.notification_preferences is 'What a member wants to be told, and how (specification, section 3).';
comment on column public.notification_preferences.org_id is 'Organisation.';
comment on column public.notification_preferences.user_id is 'Member.';
comment on column public.notification_preferences.email is 'Whether to write by e-mail.';
comment on column public.notification_preferences.sms is 'Whether to write by SMS.';
comment on column public.notification_preferences.low_ratings is
  'Whether to be told at once of a review of 3 stars or fewer, by the channels that are on.';
comment on column public.notification_preferences.summary is 'Summary of the figures by e-mail: none, daily or weekly.';
comment on column public.notification_preferences.next_summary_at is
  'When the next summary is due; null without one. It moves on in the transaction that writes the mail: one a period.';
comment on column public.notification_preferences.unsubscribe_token is
  'Names this row in the link of a mail that says « no more »; it opens nothing else.';

create table public.organization_slug_redirects (
  slug text primary key check (private.is_slug(slug)),
  org_id uuid not null references public.organizations (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index organization_slug_redirects_org_idx on public.organization_slug_redirects (org_id);
comment on table public.organization_slug_redirects is 'Former slugs of organisations: printed addresses live on after a renaming.';
comment on column public.organization_slug_redirects.slug is 'Former slug.';
comment on column public.organization_slug_redirects.org_id is 'Organisation that it leads to.';
comment on column public.organization_slug_redirects.created_at is 'When it was given up.';

create table private.ended_subscriptions (
  former_id uuid primary key,
  plan text not null,
  stripe_customer_id text not null,
  stripe_subscription_id text,
  began_at timestamptz not null,
  ended_at timestamptz not null default now()
);
create index ended_subscriptions_ended_at_idx on private.ended_subscriptions (ended_at);
comment on table private.ended_subscriptions is
  'What was billed to organisations that are gone, kept 10 years for the tax office (specification, section 9): the payment '
  'provider''s numbers, by which it finds its bills, and no name, address or person.';
comment on column private.ended_subscriptions.former_id is 'Identifier that the organisation had.';
comment on column private.ended_subscriptions.plan is 'Its last plan.';
comment on column private.ended_subscriptions.stripe_customer_id is 'Customer at the payment provider.';
comment on column private.ended_subscriptions.stripe_subscription_id is 'Last subscription there; null without one.';
comment on column private.ended_subscriptions.began_at is 'When the organisation began.';
comment on column private.ended_subscriptions.ended_at is 'When it was erased.';

create function private.is_plan_open(p_subscription public.subscriptions) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return case
    when p_subscription.status = 'active' and p_subscription.plan = 'free_trial' then
      p_subscription.trial_end > now()
    when p_subscription.status = 'active' then
      p_subscription.current_period_end is null
      or p_subscription.current_period_end > now() - interval '8 days'
    when p_subscription.status = 'past_due' then
      -- The period that is not paid has begun all the same: the notice runs from its bill.
      coalesce(p_subscription.past_due_since, p_subscription.current_period_end) is null
      or coalesce(p_subscription.past_due_since, p_subscription.current_period_end) > now() - interval '8 days'
    else false
  end;
end;
$$;
comment on function private.is_plan_open(public.subscriptions) is
  'Whether a subscription keeps the public pages open: its trial runs, or its paid period has not been '
  'over for more than the 8 days'' notice of a payment default (specification, section 9).';

create function private.is_open(p_subscription public.subscriptions) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return not p_subscription.is_ending and private.is_plan_open(p_subscription);
end;
$$;
comment on function private.is_open(public.subscriptions) is
  'Whether a subscription keeps the public pages open: its plan does (private.is_plan_open), and its organisation does '
  'not wait to be erased.';

create function private.closed_since(p_subscription public.subscriptions) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  if private.is_plan_open(p_subscription) then
    return null;
  end if;
  -- The jobs write the moment down; until they have run, the dates say the same.
  return coalesce(p_subscription.closed_at, case
    when p_subscription.plan = 'free_trial' then p_subscription.trial_end
    when p_subscription.status = 'past_due' then
      coalesce(p_subscription.past_due_since, p_subscription.current_period_end) + interval '8 days'
    else p_subscription.current_period_end
  end);
end;
$$;
comment on function private.closed_since(public.subscriptions) is
  'Since when a plan is over or suspended, whether or not the jobs have run; null while it is in force, and where nobody '
  'knows.';

create function private.readable_until(p_subscription public.subscriptions) returns timestamptz
language sql stable set search_path = ''
as $$ select private.closed_since(p_subscription) + interval '30 days'; $$;
comment on function private.readable_until(public.subscriptions) is
  'Until when the data of a plan that is over can be read and exported; null while it is in force.';

create function private.require_plan(p_org_id uuid, p_permission text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.org_id = p_org_id;
  if not found then
    return true;
  elsif p_permission like '%.write'
    or p_permission in ('stores.delete', 'campaigns.delete', 'rewards.delete', 'organization.update')
  then
    if not private.is_open(v_subscription) then
      raise exception 'subscription_closed' using errcode = 'TV085';
    end if;
  elsif p_permission like '%.read' and p_permission <> 'billing.read'
    and private.readable_until(v_subscription) <= now()
  then
    raise exception 'reading_closed' using errcode = 'TV120';
  end if;
  return true;
end;
$$;
comment on function private.require_plan(uuid, text) is
  'True where an organisation''s plan allows what a permission stands for. Errors: TV085 to write or delete once it is '
  'over, suspended, or the organisation is being ended; TV120 to read 30 days after its end.';

create function private.my_org_ids(p_permission text default null) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_key private.api_keys;
begin
  if v_user_id is not null then
    return query
    select m.org_id
    from public.organization_members m
    where m.user_id = v_user_id
      -- In this order: whoever may not anyway learns nothing of the plan.
      and case
        when p_permission is null then true
        when exists (
          select 1 from public.role_permissions p where p.role = m.role and p.permission = p_permission
        ) then private.require_plan(m.org_id, p_permission)
        else false
      end;
    return;
  end if;
  v_key := private.my_api_key();
  if v_key.scope = 'read' and coalesce(p_permission in
    ('stores.read', 'campaigns.read', 'rewards.read', 'customers.read', 'codes.read', 'activity.read'), true)
  then
    return next v_key.org_id;
  end if;
end;
$$;
comment on function private.my_org_ids(text) is
  'Organisations in which the signed-in user has a permission (any role when null); for a reading key of the API its own, '
  'for what is read of shops, campaigns and customers, and never of the team or of billing. Policies call it as '
  'any (array(select …)), so that it runs once a statement and the index on org_id serves. Errors of my_user_id(); '
  'TV085 for a permission to write where the plan is no longer in force, TV120 for one to read 30 days later.';
grant execute on function private.my_org_ids(text) to authenticated, service_role;

create function private.enforce_user_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_seat(new.org_id);
  return new;
end;
$$;
comment on function private.enforce_user_limit() is
  'Refuses a member beyond the plan''s number of users, invitations included. Error TV002, with the limit as detail.';
create trigger enforce_user_limit before insert on public.organization_members
  for each row execute function private.enforce_user_limit();

create function private.role_may(p_role text, p_permission text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select 1 from public.role_permissions p where p.role = p_role and p.permission = p_permission);
$$;
comment on function private.role_may(text, text) is 'Whether a role has a permission.';

create function private.bound_store(p_role text, p_store_id uuid) returns uuid
language sql stable set search_path = ''
as $$
  select case when not private.role_may(p_role, 'stores.read') then p_store_id end;
$$;
comment on function private.bound_store(text, uuid) is
  'The only store at whose till somebody of a role works, of the one that is kept for them; null for all, and for roles '
  'that see all stores.';

-- Whoever is bound to a store finds no other one: not in the list, not by naming it. The plan comes along: its badge, its
-- banner and its limits are on every screen of the back-office.
create function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null
             and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
          '[]'::jsonb),
        'has_archived_store', exists (
          select 1 from public.stores s
          where s.org_id = o.id and s.archived_at is not null
            and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'is_open', private.is_plan_open(s), 'readable_until', private.readable_until(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_archived_store": false,
      "has_campaign": false, "plan": null}'::jsonb
  );
$$;
comment on function public.my_workspace() is
  'Organisation, role, permissions, stores, plan and progress of the signed-in user: what every screen starts from. A '
  'cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';
grant execute on function public.my_workspace() to authenticated, service_role;

create function private.add_owner(p_org_id uuid, p_user_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_constraint text;
begin
  insert into public.organization_members (org_id, user_id, role) values (p_org_id, p_user_id, 'owner');
  insert into public.notification_preferences (org_id, user_id) values (p_org_id, p_user_id);
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'organization_members_user_id_key' then
      raise exception 'already_member' using errcode = 'TV020';
    end if;
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
  when others then
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
end;
$$;
comment on function private.add_owner(uuid, uuid) is
  'Makes a user the owner of a new organisation. Error TV020 to a member of another one, TV021 with the SQLSTATE as '
  'detail when it fails otherwise.';

create function private.previous_trial_end(p_user_id uuid) returns timestamptz
language sql stable set search_path = ''
as $$
  select min(s.trial_end)
  from public.organization_members m
  join public.organizations o on o.id = m.org_id and o.erase_at is not null
  join public.role_permissions p on p.role = m.role and p.permission = 'organization.delete'
  join public.subscriptions s on s.org_id = o.id
  where m.user_id = p_user_id;
$$;
comment on function private.previous_trial_end(uuid) is
  'When the free trial ends that an owner had with the organisation that waits to be erased; null without one. A trial is an '
  'account''s (specification, section 1), not an organisation''s.';

create function public.create_organization(p_name text, p_slug text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_trial_end timestamptz;
  v_org public.organizations;
begin
  -- Whoever has proven neither an address nor a number is nobody yet.
  if not exists (
    select 1 from auth.users u
    where u.id = v_user_id and (u.email_confirmed_at is not null or u.phone_confirmed_at is not null)
  ) then
    raise exception 'not_confirmed' using errcode = '42501';
  end if;
  -- Two clicks take turns, so that the second learns what the first has done.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  v_trial_end := private.previous_trial_end(v_user_id);
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  insert into public.organizations (name, slug) values (btrim(p_name), p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  update public.subscriptions s set trial_end = v_trial_end where s.org_id = v_org.id and v_trial_end < s.trial_end;
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$$;
comment on function public.create_organization(text, text) is
  'Makes an organisation with its owner, free trial and notification preferences: all of it or nothing, and one a user, '
  'whatever happens at once; a member of one that waits to be erased leaves it, its owner goes on with the trial begun there. '
  'Errors: 42501 without a confirmed address or number, TV020 already a member, 23505 the slug is taken, 23514 or 23502 name '
  'or slug are not well formed, TV021 the membership and TV022 the subscription failed.';
grant execute on function public.create_organization(text, text) to authenticated;

create function private.my_organization() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  return v_org_id;
exception
  -- Who is asking is no failure of the lookup.
  when sqlstate 'TV010' or sqlstate 'TV011' then
    raise;
  when others then
    raise log 'organization_lookup_failed: % %', sqlstate, sqlerrm;
    raise exception 'organization_lookup_failed' using errcode = 'TV050', detail = sqlstate;
end;
$$;
comment on function private.my_organization() is
  'Organisation of the signed-in user; null of a member of none. Errors of my_user_id(), and TV050 with the SQLSTATE as '
  'detail when the lookup fails: the database''s own words go to its log.';

create function private.has_feature(p_org_id uuid, p_feature text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select case p_feature
      when 'csv_export' then l.csv_export
      when 'api_access' then l.api_access
      when 'white_label' then l.white_label
      when 'multi_store' then l.multi_store
      when 'advanced_analytics' then l.advanced_analytics
      when 'custom_roles' then l.custom_roles
    end
    from public.subscriptions s join public.plan_limits l on l.plan = s.plan
    where s.org_id = p_org_id
  ), false);
$$;
comment on function private.has_feature(uuid, text) is
  'Whether an organisation''s plan includes a feature, named as its column of plan_limits (specification, section 9). '
  'False without a subscription, and of a feature that there is not.';
grant execute on function private.has_feature(uuid, text) to authenticated, service_role;

create function public.is_slug_free(p_kind text, p_slug text, p_owner_id uuid default null) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return case p_kind
    when 'organization' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.organizations o
        where o.slug = p_slug and o.id <> all (array(select private.my_org_ids()))
      ) and not exists (
        select 1 from public.organization_slug_redirects r
        where r.slug = p_slug and r.org_id <> all (array(select private.my_org_ids()))
      )
    when 'store' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.stores s
        where s.org_id = any (array(select private.my_org_ids('stores.read'))) and s.slug = p_slug
          and s.id is distinct from p_owner_id
      )
    when 'campaign' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.campaigns c where c.slug = p_slug and c.id is distinct from p_owner_id
      ) and not exists (
        select 1 from public.campaign_slug_redirects r where r.slug = p_slug and r.campaign_id is distinct from p_owner_id
      )
  end;
end;
$$;
comment on function public.is_slug_free(text, text, uuid) is
  'Whether an organisation or a campaign (over the whole platform, former addresses included) or a store (within one''s '
  'organisation) may take a slug; the owner is the store or campaign that would take it, null for a new one. False when '
  'it is no slug, null for another kind. Kind, to be told early: the constraints decide.';
grant execute on function public.is_slug_free(text, text, uuid) to authenticated;

create function private.require_open_plan(p_org_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if exists (select 1 from public.subscriptions s where s.org_id = p_org_id and not private.is_open(s)) then
    raise exception 'subscription_closed' using errcode = 'TV085';
  end if;
  return true;
end;
$$;
comment on function private.require_open_plan(uuid) is
  'True while an organisation''s plan is in force. Error TV085 when its trial or subscription has ended, or is suspended.';

create function private.refuse_former_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_slug text;
begin
  -- Whoever takes a slug and whoever gives it up at the same instant take turns, always in the same order.
  for v_slug in
    select distinct s from unnest(array[new.slug, case when tg_op = 'UPDATE' then old.slug end]) s where s is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('organization slug ' || v_slug, 0));
  end loop;
  if exists (
    select 1 from public.organization_slug_redirects r where r.slug = new.slug and r.org_id <> new.id
  ) then
    raise exception 'slug_taken' using errcode = '23505', constraint = 'organizations_slug_key';
  end if;
  return new;
end;
$$;
comment on function private.refuse_former_slug() is
  'Refuses a slug that another organisation had: its posters would lead to a stranger. Error 23505.';
create trigger refuse_former_slug_on_insert before insert on public.organizations
  for each row execute function private.refuse_former_slug();
create trigger refuse_former_slug_on_update before update of slug on public.organizations
  for each row when (old.slug is distinct from new.slug) execute function private.refuse_former_slug();

create function private.keep_former_organization_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.organization_slug_redirects r where r.slug = new.slug and r.org_id = new.id;
  insert into public.organization_slug_redirects (slug, org_id) values (old.slug, new.id);
  return null;
end;
$$;
comment on function private.keep_former_organization_slug() is 'Leaves a redirect from the slug that an organisation gives up.';
create trigger keep_former_organization_slug after update of slug on public.organizations
  for each row when (old.slug is distinct from new.slug) execute function private.keep_former_organization_slug();

create function private.bump_organization_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_organization_version() is 'Numbers the versions of an organisation''s name and slug.';
create trigger bump_organization_version before update of name, slug on public.organizations
  for each row when ((old.name, old.slug) is distinct from (new.name, new.slug))
  execute function private.bump_organization_version();

create function public.settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_permissions text[];
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select array_agg(p.permission) into v_permissions
  from public.organization_members m join public.role_permissions p on p.role = m.role
  where m.org_id = p_org_id and m.user_id = v_user_id;

  return jsonb_build_object(
    'organization', (
      select jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'version', o.version, 'created_at', o.created_at)
      from public.organizations o where o.id = p_org_id),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
        'google_review_url', s.google_review_url, 'has_history', private.has_store_history(p_org_id, s.id),
        'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id),
        'active_campaigns', (select count(*) from public.campaigns c
          where c.org_id = p_org_id and c.store_id = s.id and c.active)) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id and s.archived_at is null), '[]'::jsonb),
    'subscription', (
      select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
        'current_period_end', s.current_period_end,
        'ends_at', case when s.status = 'canceled' then s.closed_at when s.cancel_at_period_end then s.current_period_end end,
        'customer_id', case when 'billing.manage' = any (v_permissions) then s.stripe_customer_id end)
      from public.subscriptions s where s.org_id = p_org_id),
    'notifications', (
      select jsonb_build_object('email', coalesce(n.email, true), 'sms', coalesce(n.sms, false),
        'low_ratings', coalesce(n.low_ratings, false), 'summary', coalesce(n.summary, 'none'),
        'address', u.email, 'has_phone', private.proven_phone(u.id) is not null)
      from auth.users u
      left join public.notification_preferences n on n.org_id = p_org_id and n.user_id = u.id
      where u.id = v_user_id)
  );
end;
$$;
comment on function public.settings(uuid) is
  'What the settings of an organisation show (specification, section 2.19), for a member who may read its stores and its '
  'activity: name, address and version; stores in use; plan (the provider''s customer only to those who manage billing), '
  'null without one; and what the reader wants to be told. The shape is settings of _shared/domain. Error 42501 otherwise.';
grant execute on function public.settings(uuid) to authenticated;

create function private.is_readable(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select 1 from public.subscriptions s where s.org_id = p_org_id and private.readable_until(s) <= now()
  );
$$;
comment on function private.is_readable(uuid) is
  'Whether an organisation''s data can be read: its plan is in force, or was less than 30 days ago.';

create function private.includes_api(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select private.has_feature(p_org_id, 'api_access')
    and exists (select 1 from public.subscriptions s where s.org_id = p_org_id and private.is_open(s));
$$;
comment on function private.includes_api(uuid) is
  'Whether an organisation''s plan includes the API and is in force: a key of an ended plan opens nothing, and opens again '
  'with the next one.';

create function private.may_name_customers(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select p_org_id in (select private.my_org_ids('customers.read'));
$$;
comment on function private.may_name_customers(uuid) is
  'Whether answers to the signed-in member, or to the key of the API, may say who somebody is: functions that whoever reads '
  'figures may call leave names, addresses and identifiers of customers out otherwise, and look for nobody by them.';

create function private.my_plans()
returns table (org_id uuid, plan text, status text, trial_end timestamptz, current_period_end timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.org_id, s.plan, s.status, s.trial_end, s.current_period_end
  from public.subscriptions s
  where s.org_id = any (array(select private.my_org_ids()));
$$;
comment on function private.my_plans() is
  'Plan, status and dates of the signed-in member''s organisation. The table behind it also holds payment identifiers, which '
  'are for whoever may read billing.';
grant execute on function private.my_plans() to authenticated;

create view public.organization_plans with (security_invoker = true) as
  select p.org_id, p.plan, p.status, p.trial_end, p.current_period_end from private.my_plans() p;
comment on view public.organization_plans is
  'Plan, status and dates of the signed-in member''s organisation, without the payment identifiers: limits and badges need it.';
comment on column public.organization_plans.org_id is 'Organisation.';
comment on column public.organization_plans.plan is 'Plan in force.';
comment on column public.organization_plans.status is 'Status of the subscription.';
comment on column public.organization_plans.trial_end is 'End of the free trial.';
comment on column public.organization_plans.current_period_end is 'End of the paid period; null is without end.';
grant select on public.organization_plans to authenticated;
grant select on public.organization_plans to service_role;
create trigger refuse_write instead of insert or update or delete on public.organization_plans
  for each row execute function private.refuse_write();

-- Who may read and write --------------------------------------------------------------------------

alter table public.organizations enable row level security;
grant select, update (name, slug) on public.organizations to authenticated;
grant select, insert, update, delete on public.organizations to service_role;
create policy "Members read their organisation" on public.organizations
  for select to authenticated
  using (id = any (array(select private.my_org_ids())));
create policy "Owners and admins update their organisation" on public.organizations
  for update to authenticated
  using (id = any (array(select private.my_org_ids('organization.update'))))
  with check (id = any (array(select private.my_org_ids('organization.update'))));

alter table public.roles enable row level security;
grant select on public.roles to authenticated;
grant select, insert, update, delete on public.roles to service_role;
create policy "Signed-in users read the given roles and those of their organis" on public.roles
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids())) or org_id is null);

alter table public.role_permissions enable row level security;
grant select on public.role_permissions to authenticated;
grant select, insert, update, delete on public.role_permissions to service_role;
create policy "Signed-in users read what the roles may do that they read" on public.role_permissions
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids())) or org_id is null);

alter table public.organization_members enable row level security;
grant select on public.organization_members to authenticated;
grant select, insert, update, delete on public.organization_members to service_role;
create policy "Members read their own membership and, if they may, the team" on public.organization_members
  for select to authenticated
  using (
  user_id = (select private.my_user_id()) or org_id = any (array(select private.my_org_ids('team.read'))));

alter table public.plan_limits enable row level security;
grant select on public.plan_limits to authenticated;
grant select, insert, update, delete on public.plan_limits to service_role;
create policy "Members read the plans" on public.plan_limits
  for select to authenticated
  using (exists (select 1 from private.my_org_ids() o));

alter table public.subscriptions enable row level security;
grant select on public.subscriptions to authenticated;
grant select, insert, update, delete on public.subscriptions to service_role;
create policy "Owners and admins read the subscription" on public.subscriptions
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids('billing.read'))));

alter table public.notification_preferences enable row level security;
grant select on public.notification_preferences to authenticated;
grant select, insert, update, delete on public.notification_preferences to service_role;
create policy "Members read their own notification preferences" on public.notification_preferences
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids())) and user_id = (select private.my_user_id()));

alter table public.organization_slug_redirects enable row level security;
grant select on public.organization_slug_redirects to authenticated;
grant select, insert, update, delete on public.organization_slug_redirects to service_role;
create policy "Members read the former slugs of their organisation" on public.organization_slug_redirects
  for select to authenticated using (org_id = any (array(select private.my_org_ids())));

alter table private.ended_subscriptions enable row level security;

-- 06_stores.sql ===================================================================================

-- Stores, their till and the page where their customers leave public reviews.
--
-- The link that customers follow to leave a public review is whatever a merchant typed: an address of one's own network,
-- somebody else's page behind a name that looks like a platform's. It leads to one of the review platforms, or its host was
-- confirmed by whoever entered it, which the audit trail keeps. A link that stands already stays until somebody changes it.
-- Figures hold on to no store by reference, so a store is removed by remove_store alone, which looks at all that hangs on it.

create table public.stores (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references public.organizations (id) on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  slug text not null check (private.is_slug(slug)),
  address text not null check (btrim(address) <> '' and length(address) <= 300),
  timezone text not null default 'Europe/Paris',
  google_place_id text check (length(google_place_id) <= 200),
  google_review_url text check (google_review_url ~ '^https?://[^\s]+$' and length(google_review_url) <= 2000),
  review_mode text not null default 'compliant' check (review_mode in ('compliant', 'gating')),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  version integer not null default 1 check (version >= 1),
  average_basket numeric
    check (average_basket > 0 and average_basket < 100000 and scale(average_basket) <= 2),
  review_host_confirmed text check (length(review_host_confirmed) <= 253),
  review_host_confirmed_at timestamptz,
  unique (org_id, id),
  unique (org_id, slug)
);
create index stores_org_id_created_at_idx on public.stores (org_id, created_at desc);
create index stores_org_id_name_idx on public.stores (org_id, name);
comment on table public.stores is 'A shop of an organisation (specification, section 3).';
comment on column public.stores.id is 'Identifier.';
comment on column public.stores.org_id is 'Organisation.';
comment on column public.stores.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.stores.slug is 'Short name, unique within the organisation.';
comment on column public.stores.address is 'Postal address, 1 to 300 characters.';
comment on column public.stores.timezone is 'Time zone (tz database): days and months of its figures and limits follow it.';
comment on column public.stores.google_place_id is 'Identifier of the place at the reviews provider.';
comment on column public.stores.google_review_url is 'Public reviews page, http or https; null when the store has none.';
comment on column public.stores.review_mode is 'compliant: everybody may go to the public reviews page; gating: satisfied customers only.';
comment on column public.stores.archived_at is 'When it was put away; null while in use.';
comment on column public.stores.created_at is 'When it was created.';
comment on column public.stores.version is
  'Rises with every change of a form: whoever saves an older version is told, and overwrites nothing.';
comment on column public.stores.average_basket is
  'What a customer spends on a visit, in euros, two decimals at most, as the merchant estimates it; null when not entered.';
comment on column public.stores.review_host_confirmed is
  'Host of the public reviews page, confirmed by whoever entered it because it is none of the known platforms; null for these.';
comment on column public.stores.review_host_confirmed_at is 'When it was confirmed; the audit trail says by whom.';

create table private.review_platforms (
  place text primary key check (place = lower(place) and place ~ '^[a-z0-9.-]+(/[a-z]+)?$'),
  platform text not null
);
comment on table private.review_platforms is
  'Where public reviews are left: the same as REVIEW_PLATFORMS of _shared/domain, which a test compares.';
comment on column private.review_platforms.place is
  'Host without « www. », with the first part of the path where the rest of the host leads anywhere.';
comment on column private.review_platforms.platform is 'Name of the platform.';

insert into private.review_platforms (platform, place)
select listed.platform, place
from (values
  ('Google', 'g.page goo.gl/maps maps.app.goo.gl search.google.com/local share.google'),
  ('Airbnb', 'fr.airbnb.be fr.airbnb.ca fr.airbnb.ch'),
  ('Apple', 'maps.apple.com'),
  ('Avis Vérifiés', 'avis-verifies.com verified-reviews.com'),
  ('Booking', 'booking.com'),
  ('Custplace', 'custplace.com fr.custplace.com'),
  ('Doctolib', 'doctolib.fr'),
  ('Expedia', 'expedia.fr expedia.com hotels.com fr.hotels.com'),
  ('Facebook', 'facebook.com fr-fr.facebook.com m.facebook.com fb.com'),
  ('Foursquare', 'foursquare.com fr.foursquare.com'),
  ('Fresha', 'fresha.com'),
  ('Gîtes de France', 'gites-de-france.com'),
  ('Houzz', 'houzz.fr houzz.com'),
  ('Mariages.net', 'mariages.net'),
  ('Michelin', 'guide.michelin.com'),
  ('Opinion System', 'opinionsystem.fr'),
  ('Pages Jaunes', 'pagesjaunes.fr'),
  ('Petit Futé', 'petitfute.com'),
  ('Planity', 'planity.com'),
  ('Société des Avis Garantis', 'societe-des-avis-garantis.fr'),
  ('TheFork', 'lafourchette.com'),
  ('Tripadvisor', 'de.tripadvisor.ch fr.tripadvisor.be fr.tripadvisor.ca fr.tripadvisor.ch it.tripadvisor.ch'),
  ('Trustpilot', 'trustpilot.com be.trustpilot.com ca.trustpilot.com ch.trustpilot.com fr.trustpilot.com '
    'fr-be.trustpilot.com fr-ca.trustpilot.com fr-ch.trustpilot.com')
) listed (platform, places), unnest(string_to_array(listed.places, ' ')) place
union all
select listed.platform, listed.prefix || ending || path
from (values
  ('Google', 'google.', 'be bf bi bj ca cd cf cg ch ci cm co.ma co.uk com de dj dz es fr ga gp ht ie it lu mg ml mu nl pt '
    'rw sc sn td tg tn', '{/local,/maps,/search}'::text[]),
  ('Google', 'maps.google.', 'be bf bi bj ca cd cf cg ch ci cm co.ma co.uk com de dj dz es fr ga gp ht ie it lu mg ml mu nl '
    'pt rw sc sn td tg tn', '{""}'),
  ('Airbnb', 'airbnb.', 'at be ca ch co.uk com de es fr ie it lu nl pt', '{""}'),
  ('TheFork', 'thefork.', 'be ch co.uk com de es fr it nl pt', '{""}'),
  ('Treatwell', 'treatwell.', 'at be ch co.uk de es fr ie it lt nl pt', '{""}'),
  ('Tripadvisor', 'tripadvisor.', 'at be ca ch co.uk com de es fr ie it nl pt', '{""}'),
  ('Yelp', '', 'yelp.be yelp.ca yelp.ch yelp.com yelp.fr fr.yelp.be fr.yelp.ca fr.yelp.ch m.yelp.com m.yelp.fr',
    '{/biz,/writeareview}')
) listed (platform, prefix, endings, paths),
  unnest(string_to_array(listed.endings, ' ')) ending, unnest(listed.paths) path;

-- Checked at the end of the statement, so that an organisation can still be deleted as a whole.
alter table public.organization_members
  add foreign key (org_id, store_id) references public.stores (org_id, id);

create function private.check_store_timezone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_timezone(new.timezone) then
    raise exception 'unknown_timezone' using errcode = '23514', constraint = 'stores_timezone_check';
  end if;
  return new;
end;
$$;
comment on function private.check_store_timezone() is
  'Refuses a time zone that the database does not know. Error 23514, constraint stores_timezone_check.';
create trigger check_store_timezone before insert or update of timezone on public.stores
  for each row execute function private.check_store_timezone();

create function private.enforce_store_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_multi_store boolean;
begin
  -- The lock makes two stores opened at once count each other.
  select l.multi_store into v_is_multi_store
  from public.subscriptions s join public.plan_limits l on l.plan = s.plan
  where s.org_id = new.org_id
  for no key update of s;
  if not coalesce(v_is_multi_store, false) and exists (
    select 1 from public.stores s
    where s.org_id = new.org_id and s.archived_at is null and s.id <> new.id
  ) then
    raise exception 'store_limit_reached' using errcode = 'TV003', detail = '1';
  end if;
  return new;
end;
$$;
comment on function private.enforce_store_limit() is
  'Refuses a second store to a plan without several (plan_limits.multi_store). Error TV003, with the limit as detail.';
create trigger enforce_store_limit_on_insert before insert on public.stores
  for each row when (new.archived_at is null) execute function private.enforce_store_limit();
create trigger enforce_store_limit_on_update before update of archived_at on public.stores
  for each row when (new.archived_at is null and old.archived_at is not null)
  execute function private.enforce_store_limit();

create function private.timezone_of(p_org_id uuid) returns text
language sql stable set search_path = ''
return coalesce(
  (select s.timezone from public.stores s where s.org_id = p_org_id order by s.created_at, s.id limit 1), 'Europe/Paris');
comment on function private.timezone_of(uuid) is 'Time zone of an organisation: its first store''s.';
grant execute on function private.timezone_of(uuid) to service_role;

create function private.bump_store_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_store_version() is 'Numbers the versions of a store.';
create trigger bump_store_version
  before update of name, slug, address, timezone, google_place_id, google_review_url, review_mode on public.stores
  for each row execute function private.bump_store_version();

create function private.deactivate_campaigns() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set active = false where c.org_id = new.org_id and c.store_id = new.id and c.active;
  return null;
end;
$$;
comment on function private.deactivate_campaigns() is 'A store that is put away has no campaign running: its QR codes say so.';
create trigger deactivate_campaigns after update of archived_at on public.stores
  for each row when (old.archived_at is null and new.archived_at is not null)
  execute function private.deactivate_campaigns();

create function private.store_figures(p_org_id uuid, p_store_id uuid default null) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
    'public_clicks', coalesce(sum(d.public_clicks), 0), 'spins', coalesce(sum(d.spins), 0),
    'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where p_store_id is null or d.store_id = p_store_id;
$$;
comment on function private.store_figures(uuid, uuid) is 'Figures of a store''s whole life, or of all stores of an organisation.';

create function private.store_entry(p_org_id uuid, p_store_id uuid, out slug text, out closed text)
language plpgsql stable set search_path = ''
as $$
begin
  select c.slug into slug
  from public.campaigns c join public.subscriptions u on u.org_id = c.org_id
  where c.org_id = p_org_id and c.store_id = p_store_id and private.is_running(c, u)
  order by c.created_at desc, c.id desc limit 1;
  if found then
    return;
  end if;
  closed := case
    when not exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
      then 'no_campaign'
    when not exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u))
      then 'plan_closed'
    else 'none_running'
  end;
end;
$$;
comment on function private.store_entry(uuid, uuid) is
  'Slug of a store''s newest running campaign, whose review page is the store''s; without one, why: no_campaign, '
  'plan_closed (trial or subscription ended) or none_running.';

create function private.has_store_history(p_org_id uuid, p_store_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.store_id = p_store_id)
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    -- Whoever works there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id)
    or exists (select 1 from private.api_keys k where k.org_id = p_org_id and k.store_id = p_store_id
      and k.revoked_at is null);
$$;
comment on function private.has_store_history(uuid, uuid) is
  'Whether a campaign, a figure, a code used there, somebody''s place or a key that was not taken back hangs on a store: then '
  'it is archived, never deleted.';

create function public.store_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_nothing constant jsonb := '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0, "public_clicks": 0,
    "spins": 0, "wins": 0, "redemptions": 0}';
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches from public.stores s
  where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
    and (v_pattern is null or private.words(s.name) like v_pattern or private.words(s.address) like v_pattern);
  -- A page that is no more, because stores went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  -- By store, and of all stores where there is none.
  select jsonb_object_agg(coalesce(f.store_id::text, ''), jsonb_build_object('scans', f.scans, 'reviews', f.reviews,
    'rating_sum', f.rating_sum, 'five_star_reviews', f.five_star_reviews, 'public_clicks', f.public_clicks,
    'spins', f.spins, 'wins', f.wins, 'redemptions', f.redemptions))
  into v_figures
  from (
    select d.store_id, coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.five_star_reviews), 0) as five_star_reviews,
      coalesce(sum(d.public_clicks), 0) as public_clicks, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.store_id))
  ) f;

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'address', shown.address, 'review_mode', shown.review_mode,
    'timezone', shown.timezone, 'created_at', shown.created_at, 'archived_at', shown.archived_at,
    'active_campaigns', (select count(*) from public.campaigns c
      where c.org_id = p_org_id and c.store_id = shown.id and c.active),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = shown.id),
    'slug', door.slug, 'closed', door.closed, 'has_history', private.has_store_history(p_org_id, shown.id),
    'figures', coalesce(v_figures -> shown.id::text, v_nothing)) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select * from public.stores s
    where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
      and (v_pattern is null or private.words(s.name) like v_pattern or private.words(s.address) like v_pattern)
    order by s.created_at desc, s.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral private.store_entry(p_org_id, shown.id) door;

  return jsonb_build_object(
    'total', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is null),
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and exists (
        select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id and c.active)),
    'archived', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is not null),
    'figures', v_figures -> '',
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.store_list(uuid, text, boolean, integer) is
  'A page of an organisation''s stores in use, or put away, newest first, whose name or address contains a text, with the '
  'figures above the list (specification, section 2.18); the shape is storeList of _shared/domain. Error 42501 without '
  'the permissions stores.read and activity.read there.';
grant execute on function public.store_list(uuid, text, boolean, integer) to authenticated;

create function public.store_stats(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_store public.stores;
  v_today date;
  v_figures jsonb;
begin
  select * into v_store from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  v_today := private.now_in(v_store.timezone)::date;
  v_figures := private.store_figures(v_store.org_id, p_id);
  return jsonb_build_object(
    'store', jsonb_build_object('id', v_store.id, 'name', v_store.name, 'address', v_store.address),
    'figures', v_figures,
    'advanced', case when private.has_feature(v_store.org_id, 'advanced_analytics') then jsonb_build_object(
      'funnel', private.funnel(v_figures),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
          'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
        from generate_series(v_today - 29, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
          from public.campaign_daily_stats d
          where d.org_id = v_store.org_id and d.store_id = p_id and d.day > v_today - 30
          group by d.day
        ) f on f.day = calendar.day::date
      )) end,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'scans', f.scans,
        'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
      from (
        select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
        from private.campaign_figures_now(v_store.org_id) d where d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$$;
comment on function public.store_stats(uuid) is
  'Figures of a store: of its whole life, each of the last 30 days in its time zone, and of the 20 campaigns with the most '
  'reviews there; the shape is storeStats of _shared/domain. advanced, which holds the days and the funnel, is null where '
  'the plan does not include it. Null when there is no such store for the signed-in user.';
grant execute on function public.store_stats(uuid) to authenticated;

create function public.remove_store(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  -- The lock keeps new campaigns away until it is decided.
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('stores.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- What was taken back opens nothing, whichever till it names.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  delete from public.stores s where s.id = p_id;
end;
$$;
comment on function public.remove_store(uuid, boolean) is
  'Archives a store, whose campaigns then stop, or deletes it when nothing hangs on it. Error TV140 when something does: '
  'then nothing is changed. Error 42501 without the permission stores.delete there.';
grant execute on function public.remove_store(uuid, boolean) to authenticated;

create function public.set_average_basket(
  p_store_id uuid, p_before numeric default null, p_basket numeric default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('stores.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  -- Saved already: a request whose answer was lost comes again.
  elsif v_store.average_basket is not distinct from p_basket then
    return;
  elsif v_store.average_basket is distinct from p_before then
    raise exception 'average_basket_changed' using errcode = 'TV070', detail = coalesce(v_store.average_basket::text, '');
  end if;
  update public.stores s set average_basket = trim_scale(p_basket)
  where s.org_id = v_store.org_id and s.id = p_store_id;
end;
$$;
comment on function public.set_average_basket(uuid, numeric, numeric) is
  'Sets what a customer of a store spends on a visit, in euros, or forgets it (null); p_before is what stood there when it '
  'was read. Errors: TV070 somebody changed it since (nothing is overwritten), 23514 not an amount, 42501 without the '
  'permission stores.write there.';
grant execute on function public.set_average_basket(uuid, numeric, numeric) to authenticated;

create function private.review_host(p_url text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_host text;
begin
  if length(p_url) > 2000 then
    return null;
  end if;
  v_host := lower((regexp_match(p_url,
    '^https://((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9]))(?:[/?#][!-[\]-~]*)?$',
    'i'))[1]);
  if length(v_host) > 253 or v_host ~ '\.(?:arpa|corp|home|internal|lan|local|localhost|onion)$' then
    return null;
  end if;
  return v_host;
end;
$$;
comment on function private.review_host(text) is
  'Host of the address of a public reviews page, in lower case; null for what is no such address: another scheme than https, '
  'a user, a port, a number in the place of a name, a name of one''s own network. reviewHost of _shared/domain.';

create function private.is_review_page(p_url text) returns boolean
language plpgsql stable set search_path = ''
as $$
declare
  v_host constant text := private.review_host(p_url);
  v_name constant text := regexp_replace(v_host, '^www\.', '');
  v_path constant text := (regexp_match(substr(p_url, length('https://' || v_host) + 1), '^[^?#]*'))[1];
begin
  -- « .. » would lead out of the path.
  return v_host is not null and v_path !~* '(^|/)(\.|%2e)' and exists (
    select 1 from private.review_platforms p
    where p.place in (v_name, v_name || '/' || split_part(v_path, '/', 2))
  );
end;
$$;
comment on function private.is_review_page(text) is
  'Whether an address stands on one of the platforms where public reviews are left. isReviewPage of _shared/domain.';

create function private.check_review_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_kept constant boolean := tg_op = 'UPDATE' and new.google_review_url is not distinct from old.google_review_url;
  v_host constant text := private.review_host(new.google_review_url);
  v_is_confirmed constant boolean := coalesce(new.review_host_confirmed = v_host, false);
begin
  if not v_is_kept and new.google_review_url is not null and v_host is null then
    raise exception 'review_link_malformed'
      using errcode = 'check_violation', table = 'stores', constraint = 'stores_google_review_url_check';
  elsif v_host is null or private.is_review_page(new.google_review_url) then
    new.review_host_confirmed := null;
  elsif not v_is_confirmed and v_is_kept then
    -- Nothing was asked when it was entered, and nobody is asked for leaving it.
    new.review_host_confirmed := old.review_host_confirmed;
  elsif not v_is_confirmed then
    raise exception 'review_link_unconfirmed' using errcode = 'TV170', detail = v_host;
  end if;
  if new.review_host_confirmed is null then
    new.review_host_confirmed_at := null;
  elsif tg_op = 'INSERT' or new.review_host_confirmed is distinct from old.review_host_confirmed then
    new.review_host_confirmed_at := now();
  end if;
  return new;
end;
$$;
comment on function private.check_review_link() is
  'Takes a link to public reviews that leads to a known platform, or whose host is confirmed in the same change or was '
  'before. Errors: 23514 for what is no address of a page, TV170 for an unconfirmed host, which is the detail.';
create trigger check_review_link before insert or update of google_review_url, review_host_confirmed on public.stores
  for each row execute function private.check_review_link();

create function public.create_store(
  p_name text, p_slug text, p_address text, p_google_review_url text, p_review_mode text,
  p_review_host_confirmed text default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
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
  insert into public.stores (org_id, name, slug, address, google_review_url, review_mode, review_host_confirmed)
  values (v_org_id, btrim(p_name), p_slug, btrim(p_address), nullif(btrim(p_google_review_url), ''),
    coalesce(p_review_mode, 'compliant'), p_review_host_confirmed)
  returning * into v_store;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$$;
comment on function public.create_store(text, text, text, text, text, text) is
  'Adds a store to the signed-in member''s organisation. Errors: TV050 the organisation could not be looked up, TV023 '
  'member of none, 42501 without the permission stores.write, 23505 the organisation has a store with that slug, TV003 '
  'the plan has one store, 23514 or 23502 something is not well formed, TV170 the reviews link leads to no known platform '
  'and its host (the detail) is not the one confirmed.';
grant execute on function public.create_store(text, text, text, text, text, text) to authenticated;

-- Who may read and write --------------------------------------------------------------------------

alter table public.stores enable row level security;
grant select,
  insert (org_id, name, slug, address, timezone, google_place_id, google_review_url, review_mode, review_host_confirmed),
  update (name, slug, address, timezone, google_place_id, google_review_url, review_mode, archived_at, review_host_confirmed)
  on public.stores to authenticated;
grant select, insert, update, delete on public.stores to service_role;
create policy "Members read the stores" on public.stores
  for select to authenticated using (org_id = any (array(select private.my_org_ids('stores.read'))));
create policy "Members add stores" on public.stores
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('stores.write'))));
create policy "Members change stores" on public.stores
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('stores.write'))))
  with check (org_id = any (array(select private.my_org_ids('stores.write'))));

alter table private.review_platforms enable row level security;

-- 07_campaigns.sql ================================================================================

-- Campaigns: their address, their editing, their list and figures, their posters.
--
-- A campaign's slug is printed on paper and lives on walls: it is unique over the whole platform, a renaming leaves a
-- redirect, and another merchant's earlier choice only costs a suffix. To whoever edits it, a campaign and its wheel are one
-- thing: it is saved, copied and removed whole or not at all, and two people who edit it at once are told. A campaign that
-- customers know is put away rather than deleted, and neither that one nor one of a closed store runs again by a switch.

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references public.organizations (id) on delete cascade,
  store_id uuid not null,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  slug text not null unique check (private.is_slug(slug)),
  description text check (length(description) <= 2000),
  active boolean not null default true,
  starts_at timestamptz,
  ends_at timestamptz,
  play_interval_days smallint not null default 1 check (play_interval_days between 0 and 365),
  rules_version integer not null default 1 check (rules_version >= 1),
  created_at timestamptz not null default now(),
  version integer not null default 1 check (version >= 1),
  archived_at timestamptz,
  rules_stale boolean not null default true,
  unique (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  check (ends_at >= starts_at),
  constraint campaigns_archived_check check (archived_at is null or not active),
  constraint campaigns_start_date_check check (
    starts_at >= '1000-01-01 00:00Z' and starts_at < '9999-12-31 00:00Z'
  ),
  constraint campaigns_end_date_check check (
    ends_at >= '1000-01-01 00:00Z' and ends_at < '9999-12-31 00:00Z'
  )
);
create unique index campaigns_org_id_name_key on public.campaigns (org_id, lower(btrim(name)));
create index campaigns_org_id_created_at_idx on public.campaigns (org_id, created_at desc);
create index campaigns_org_id_store_id_idx on public.campaigns (org_id, store_id);
create index campaigns_org_id_active_idx on public.campaigns (org_id) where active;
create index campaigns_active_idx on public.campaigns (org_id, created_at desc) where active;
comment on table public.campaigns is 'A review campaign with its wheel, reached by QR code (specification, section 3).';
comment on column public.campaigns.id is 'Identifier.';
comment on column public.campaigns.org_id is 'Organisation.';
comment on column public.campaigns.store_id is 'Store where it runs.';
comment on column public.campaigns.name is 'Name, 1 to 120 characters, unique within the organisation whatever its case.';
comment on column public.campaigns.slug is 'Public address /c/{slug}, unique over the platform; made from the name when null, with a suffix when another merchant has it.';
comment on column public.campaigns.description is 'Internal description, never public.';
comment on column public.campaigns.active is 'Whether it may run; the plan limits how many do.';
comment on column public.campaigns.starts_at is 'First instant; null is at once.';
comment on column public.campaigns.ends_at is 'Last instant; null is without end.';
comment on column public.campaigns.play_interval_days is 'Calendar days of the store between two plays of one person, 0 to 365; 0 is no limit.';
comment on column public.campaigns.rules_version is
  'Version of the rules in force (campaign_rules); each spin keeps the version that it was played under.';
comment on column public.campaigns.created_at is 'When it was created.';
comment on column public.campaigns.version is
  'Rises with every change of the campaign or of its wheel: whoever saves an older version is told, and overwrites nothing.';
comment on column public.campaigns.archived_at is 'When it was put away; null while in use. Put away, it is never active.';
comment on column public.campaigns.rules_stale is
  'Whether something that the rules speak of has changed in this transaction: at its end they are published.';

create table public.campaign_slug_redirects (
  slug text primary key check (private.is_slug(slug)),
  org_id uuid not null,
  campaign_id uuid not null,
  created_at timestamptz not null default now(),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade
);
create index campaign_slug_redirects_campaign_idx on public.campaign_slug_redirects (org_id, campaign_id);
comment on table public.campaign_slug_redirects is 'Former slugs of campaigns: printed QR codes live on after a renaming.';
comment on column public.campaign_slug_redirects.slug is 'Former slug.';
comment on column public.campaign_slug_redirects.org_id is 'Organisation.';
comment on column public.campaign_slug_redirects.campaign_id is 'Campaign that it leads to.';
comment on column public.campaign_slug_redirects.created_at is 'When the campaign was renamed.';

create function private.assign_campaign_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_base text;
  v_slug text;
  v_suffix integer := 1;
begin
  v_base := coalesce(nullif(new.slug, ''), nullif(left(private.slugify(new.name), 70), ''), 'campagne');
  v_base := trim(trailing '-' from v_base);
  -- Merchants who choose the same slug at the same instant take turns, with or without a suffix.
  perform pg_advisory_xact_lock(hashtextextended(
    'campaign slug ' || left(regexp_replace(v_base, '(-[0-9]+)+$', ''), 70), 0));
  v_slug := v_base;
  -- One's own slug twice is a mistake to be told (23505), not to be hidden by a suffix.
  while exists (
      select 1 from public.campaigns c
      where c.slug = v_slug and c.org_id <> new.org_id
    ) or exists (
      select 1 from public.campaign_slug_redirects r
      where r.slug = v_slug and r.campaign_id <> new.id
    )
  loop
    v_suffix := v_suffix + 1;
    v_slug := left(v_base, 70) || '-' || v_suffix;
  end loop;
  new.slug := v_slug;
  return new;
end;
$$;
comment on function private.assign_campaign_slug() is
  'Makes a missing slug from the name and adds a suffix to one that another merchant has, now or formerly.';
create trigger assign_campaign_slug before insert or update of slug on public.campaigns
  for each row execute function private.assign_campaign_slug();

create function private.keep_former_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.campaign_slug_redirects r where r.slug = new.slug and r.campaign_id = new.id;
  insert into public.campaign_slug_redirects (slug, org_id, campaign_id)
  values (old.slug, new.org_id, new.id);
  return null;
end;
$$;
comment on function private.keep_former_slug() is 'Leaves a redirect from the slug that a campaign gives up.';
create trigger keep_former_slug after update of slug on public.campaigns
  for each row when (old.slug is distinct from new.slug) execute function private.keep_former_slug();

create function private.enforce_campaign_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_limit integer;
begin
  -- The lock makes two activations at once count each other.
  select l.max_active_campaigns into v_limit
  from public.subscriptions s join public.plan_limits l on l.plan = s.plan
  where s.org_id = new.org_id
  for no key update of s;
  v_limit := coalesce(v_limit, 1);
  if v_limit >= 0 and (
    select count(*) from public.campaigns c where c.org_id = new.org_id and c.active and c.id <> new.id
  ) >= v_limit then
    raise exception 'active_campaign_limit_reached' using errcode = 'TV001', detail = v_limit::text;
  end if;
  return new;
end;
$$;
comment on function private.enforce_campaign_limit() is
  'Refuses an active campaign beyond the plan''s number. Error TV001, with the limit as detail.';
create trigger enforce_campaign_limit_on_insert before insert on public.campaigns
  for each row when (new.active) execute function private.enforce_campaign_limit();
create trigger enforce_campaign_limit_on_update before update of active on public.campaigns
  for each row when (new.active and not old.active) execute function private.enforce_campaign_limit();

create function private.is_running(p_campaign public.campaigns, p_subscription public.subscriptions)
returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return p_campaign.active
    and (p_campaign.starts_at is null or p_campaign.starts_at <= now())
    and (p_campaign.ends_at is null or p_campaign.ends_at > now())
    and private.is_open(p_subscription);
end;
$$;
comment on function private.is_running(public.campaigns, public.subscriptions) is
  'Whether the public may take part now: active, within its dates, its organisation''s plan in force.';

create function private.bump_campaign_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_campaign_version() is 'Numbers the versions of a campaign.';
create trigger bump_campaign_version
  before update of name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at
  on public.campaigns
  for each row
  when ((old.name, old.slug, old.description, old.store_id, old.active, old.starts_at, old.ends_at,
      old.play_interval_days, old.archived_at)
    is distinct from (new.name, new.slug, new.description, new.store_id, new.active, new.starts_at, new.ends_at,
      new.play_interval_days, new.archived_at))
  execute function private.bump_campaign_version();

create function private.check_campaign_may_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_store_archived_at timestamptz;
begin
  if new.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  -- The lock makes this and the archiving of the store see each other.
  select s.archived_at into v_store_archived_at
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id
  for share;
  if v_store_archived_at is not null then
    raise exception 'store_archived' using errcode = 'TV060';
  end if;
  return new;
end;
$$;
comment on function private.check_campaign_may_run() is
  'Refuses an active campaign that is put away (error TV061) or whose store is (error TV060).';
create trigger check_campaign_may_run_on_insert before insert on public.campaigns
  for each row when (new.active) execute function private.check_campaign_may_run();
create trigger check_campaign_may_run_on_update before update of active, store_id, archived_at on public.campaigns
  for each row
  when (new.active and (not old.active or new.store_id <> old.store_id or new.archived_at is not null))
  execute function private.check_campaign_may_run();

create function public.campaign_editor(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.read')))
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    and exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = c.org_id
        and private.role_may(m.role, 'campaigns.write'));
  if not found then
    return null;
  end if;
  v_wheel := private.wheel(v_campaign.org_id, p_id, null);
  v_is_drawn := exists (select 1 from public.wheel_segments s where s.campaign_id = p_id);
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
    ),
    'rewards', coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'active', r.active, 'stock', r.stock,
        'is_archived', r.archived_at is not null) order by r.created_at, r.id)
      from public.rewards r
      where r.campaign_id = p_id and (r.archived_at is null or exists (
        select 1 from public.wheel_segments s
        where s.org_id = r.org_id and s.campaign_id = p_id and s.reward_id = r.id))
    ), '[]'::jsonb),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$$;
comment on function public.campaign_editor(uuid) is
  'All that the editing of a campaign needs, in one request: the campaign with its version, its wheel (drawn, else '
  'suggested from its rewards, else the example, private.wheel), rewards and stores to choose from; the shape is '
  'campaignEditor of _shared/domain. Null when there is no such campaign that the signed-in user may change.';
grant execute on function public.campaign_editor(uuid) to authenticated;

create function public.save_campaign(
  p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean,
  p_play_interval_days integer, p_description text default null, p_starts_at timestamptz default null,
  p_ends_at timestamptz default null, p_segments jsonb default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- Whoever saves at the same instant waits here, and then finds another version.
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_campaign.version is distinct from p_version then
    raise exception 'campaign_conflict' using errcode = 'TV062', detail = v_campaign.version::text;
  end if;
  if v_campaign.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  update public.campaigns c
  set name = btrim(p_name), slug = p_slug, store_id = p_store_id, description = nullif(btrim(p_description), ''),
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days
  where c.id = p_id;
  if v_segments is not null and jsonb_typeof(v_segments) <> 'null' then
    perform private.redraw_wheel(v_campaign.org_id, p_id, v_segments);
  end if;
  return (
    select jsonb_build_object('version', c.version, 'slug', c.slug) from public.campaigns c where c.id = p_id
  );
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_slug_key' then
      raise exception 'campaign_slug_taken' using errcode = 'TV066';
    end if;
    raise;
end;
$$;
comment on function public.save_campaign(
  uuid, integer, text, text, uuid, boolean, integer, text, timestamptz, timestamptz, jsonb
) is
  'Saves a version of a campaign and, unless p_segments is null, its wheel (private.redraw_wheel): all of it or nothing. '
  'Answers the new version, and the slug, which got a suffix where another merchant has it. Errors: 42501 not a campaign '
  'that one may change, TV062 somebody saved a newer version (detail), TV061 it is put away, TV060 active in a store that '
  'is put away, TV001 beyond the plan''s active campaigns, 23505 the organisation has a campaign of that name, TV066 one '
  'with that slug, TV063 to TV065 of the wheel, 23503 not a store of the organisation, 23514 or 23502 not well formed.';
grant execute on function public.save_campaign(uuid, integer, text, text, uuid, boolean, integer, text, timestamptz, timestamptz, jsonb)
  to authenticated;

create function public.duplicate_campaign(p_id uuid, p_name text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_name text := btrim(left(btrim(p_name), 120));
  v_base constant text := coalesce(nullif(left(private.slugify(p_name), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
begin
  -- Two copies made at once take turns, so that each finds a name.
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and c.org_id = any (array(select private.my_org_ids('rewards.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Neither nothing nor signs that nobody sees are a name.
  if v_name is null or v_name !~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  while exists (
    select 1 from public.campaigns c
    where c.org_id = v_source.org_id and (lower(btrim(c.name)) = lower(v_name) or c.slug = v_slug)
  )
  loop
    v_number := v_number + 1;
    v_name := btrim(left(btrim(p_name), 110)) || ' (' || v_number || ')';
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.campaign_id = p_id and (r.archived_at is null or exists (
      select 1 from public.wheel_segments s
      where s.org_id = r.org_id and s.campaign_id = p_id and s.reward_id = r.id))
  ), copied as (
    insert into public.rewards (id, org_id, campaign_id, name, description, type, reward_type, value, code_template,
      stock, max_per_user, metadata, active, archived_at, created_at)
    select w.copy_id, w.org_id, v_copy.id, w.name, w.description, w.type, w.reward_type, w.value, w.code_template,
      -- They keep their order, which is that of a wheel nobody has drawn.
      w.stock, w.max_per_user, w.metadata, w.active, w.archived_at, now() + w.n * interval '1 microsecond'
    from wanted w
  )
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select s.org_id, v_copy.id, w.copy_id, s.label, s.color, s.weight, s.position
  from public.wheel_segments s left join wanted w on w.id = s.reward_id
  where s.campaign_id = p_id;
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
end;
$$;
comment on function public.duplicate_campaign(uuid, text) is
  'Copies a campaign with its wheel and its rewards (with the stock that is left), under a name that gets a number where '
  'it is taken, and a slug of its own: inactive, without history, without dates that are over. Answers id and name. '
  'Errors: 42501 when it is not a campaign that one may copy, 22023 when the name has nothing that can be seen.';
grant execute on function public.duplicate_campaign(uuid, text) to authenticated;

-- Rewards' figures are read with what was not folded yet.
create function private.has_campaign_history(p_org_id uuid, p_campaign_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
      select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = p_campaign_id
    ) or exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.campaign_id = p_campaign_id
        and (private.reward_dependencies(p_org_id, r.id)).wins
    );
$$;
comment on function private.has_campaign_history(uuid, uuid) is
  'Whether anybody ever scanned, rated or played a campaign, or won one of its rewards (in an earlier campaign): then it '
  'is archived, never deleted. Read from counters.';

create function public.remove_campaign(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  -- The lock waits for customers who are taking part right now, and lets none begin afterwards.
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- The references have the last word, whatever the counters say.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$$;
comment on function public.remove_campaign(uuid, boolean) is
  'Archives a campaign, which then is inactive, or deletes it with its wheel, its rewards and its former addresses when '
  'nothing hangs on it. Error TV067 when something does: then nothing is changed. Error 42501 without the permission '
  'campaigns.delete there.';
grant execute on function public.remove_campaign(uuid, boolean) to authenticated;

create function public.restore_campaign(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.campaigns c set archived_at = null
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function public.restore_campaign(uuid) is
  'Takes a campaign out of the archive; it stays inactive. Error 42501 when it is not a campaign that one may change.';
grant execute on function public.restore_campaign(uuid) to authenticated;

create function public.campaign_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_matches integer;
  v_page integer;
  v_items jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
    and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'slug', shown.slug, 'active', shown.active,
    'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'created_at', shown.created_at,
    'archived_at', shown.archived_at, 'store_name', shown.store_name,
    'timezone', shown.timezone,
    'rewards', (select count(*) from public.rewards r where r.campaign_id = shown.id),
    'has_history', private.has_campaign_history(p_org_id, shown.id),
    'scans', f.scans, 'reviews', f.reviews, 'spins', f.spins,
    'redemptions', f.redemptions) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select c.*, s.name as store_name, s.timezone
    from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
      and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern)
    order by c.created_at desc, c.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral (
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d where d.campaign_id = shown.id
  ) f;

  return jsonb_build_object(
    'total', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is null),
    'active', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
    'archived', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is not null),
    'figures', private.organization_totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.campaign_list(uuid, text, boolean, integer) is
  'A page of an organisation''s campaigns in use, or put away, newest first, whose name or store''s name contains a text, '
  'with the figures above the list (specification, section 2.13); the shape is campaignList of _shared/domain. Error '
  '42501 without the permission campaigns.read there.';
grant execute on function public.campaign_list(uuid, text, boolean, integer) to authenticated;

create function private.campaign_top_rewards(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'redemptions', t.redemptions)
    order by t.redemptions desc, w.name, w.id), '[]'::jsonb)
  from (
    select c.reward_id, sum(c.redemptions) as redemptions
    from public.campaign_reward_totals c where c.org_id = p_org_id and c.campaign_id = p_campaign_id
    group by c.reward_id having sum(c.redemptions) > 0
    order by 2 desc, 1 limit 5
  ) t
  join public.rewards w on w.org_id = p_org_id and w.id = t.reward_id;
$$;
comment on function private.campaign_top_rewards(uuid, uuid) is 'The 5 rewards of a campaign whose codes were used most.';

create function private.campaign_cost(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('cost', coalesce(sum(c.redemptions * w.value), 0),
    'unpriced', coalesce(sum(c.redemptions) filter (where w.value is null), 0))
  from public.campaign_reward_totals c
  join public.rewards w on w.org_id = c.org_id and w.id = c.reward_id
  where c.org_id = p_org_id and c.campaign_id = p_campaign_id;
$$;
comment on function private.campaign_cost(uuid, uuid) is
  'What the used rewards of a campaign cost, in euros, at the value that each has now, and how many uses have no value.';

create function public.campaign_stats(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_totals jsonb;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  v_totals := private.campaign_totals(v_campaign.org_id, p_campaign_id);
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'name', v_campaign.name, 'active', v_campaign.active,
      'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at),
    'totals', v_totals,
    'reviews', private.campaign_reviews(
      v_campaign.org_id, p_campaign_id, private.may_name_customers(v_campaign.org_id)),
    'top_rewards', private.campaign_top_rewards(v_campaign.org_id, p_campaign_id),
    'advanced', case when private.has_feature(v_campaign.org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.campaign_days(v_campaign.org_id, p_campaign_id, private.now_in(v_store.timezone)::date),
      'funnel', private.funnel(v_totals),
      'return', private.campaign_cost(v_campaign.org_id, p_campaign_id) || jsonb_build_object(
        'store_id', v_store.id, 'average_basket', v_store.average_basket,
        'visits', v_totals -> 'redemptions')) end);
end;
$$;
comment on function public.campaign_stats(uuid) is
  'Everything that the page of a campaign shows (specification, section 2.16), in one request; the shape is campaignStats of '
  '_shared/domain. The days are those of its store''s time zone. advanced is null where the plan does not include it, and who '
  'wrote a review without the permission customers.read. Null when there is no such campaign for the signed-in user.';
grant execute on function public.campaign_stats(uuid) to authenticated;

create function public.campaign_poster(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'segments', (
      select jsonb_agg(jsonb_build_object('color', t.color,
        'prize', case when t.reward_id is not null and not w.is_example then t.label end) order by t.n)
      from unnest(w.colors, w.labels, w.reward_ids) with ordinality as t (color, label, reward_id, n)
    ),
    'white_label', private.has_feature(c.org_id, 'white_label'),
    'brand', private.brand(c.org_id))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
$$;
comment on function public.campaign_poster(uuid) is
  'What a campaign''s posters show: address, names, its wheel''s segments in order with the prizes that '
  'they stand for, whether the product''s name stays away (white_label), and the merchant''s brand in its place. The shape is campaignPoster of _shared/domain. Null for '
  'whoever may not read the campaign, when it was put away, and when its store is gone.';
grant execute on function public.campaign_poster(uuid) to authenticated;

-- Who may read and write --------------------------------------------------------------------------

alter table public.campaigns enable row level security;
grant select, delete,
  insert (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days),
  update (store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  on public.campaigns to authenticated;
grant select, insert, update, delete on public.campaigns to service_role;
create policy "Members read the campaigns" on public.campaigns
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));
create policy "Members add campaigns" on public.campaigns
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
create policy "Members change campaigns" on public.campaigns
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('campaigns.write'))))
  with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
create policy "Owners and admins delete campaigns" on public.campaigns
  for delete to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.delete'))));

alter table public.campaign_slug_redirects enable row level security;
grant select on public.campaign_slug_redirects to authenticated;
grant select, insert, update, delete on public.campaign_slug_redirects to service_role;
create policy "Members read the former slugs" on public.campaign_slug_redirects
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));

-- 08_rewards.sql ==================================================================================

-- Rewards, the wheel, and the rules of the game that follow from both.
--
-- What can be won, and with which odds, must hold whoever edits it: weights that sum to 100, a segment that wins only a reward
-- of its own campaign, a stock that never goes below zero. The rules are made of the campaign itself, kept word for word a
-- version, and never changed afterwards.

-- PostgreSQL reads and plans the constraints of a row for each statement that writes it, and an SQL function in
-- one as if its body stood there: every prize taken from a stock paid for the check of its details. PL/pgSQL is called.
create function private.is_reward_metadata(p_metadata jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return p_metadata is null or (
    jsonb_typeof(p_metadata) = 'object'
    and p_metadata <> '{}'::jsonb
    and p_metadata - array['discountPercent', 'item', 'points', 'validityDays'] = '{}'::jsonb
    and case when p_metadata ? 'discountPercent' then
      jsonb_typeof(p_metadata -> 'discountPercent') = 'number'
      and (p_metadata ->> 'discountPercent')::numeric between 1 and 100 else true end
    and case when p_metadata ? 'points' then
      jsonb_typeof(p_metadata -> 'points') = 'number'
      and (p_metadata ->> 'points')::numeric between 1 and 1000000
      and scale((p_metadata ->> 'points')::numeric) = 0 else true end
    and case when p_metadata ? 'validityDays' then
      jsonb_typeof(p_metadata -> 'validityDays') = 'number'
      and (p_metadata ->> 'validityDays')::numeric between 1 and 3650
      and scale((p_metadata ->> 'validityDays')::numeric) = 0 else true end
    and case when p_metadata ? 'item' then
      jsonb_typeof(p_metadata -> 'item') = 'string'
      and length(p_metadata ->> 'item') between 1 and 200 else true end
  );
end;
$$;
comment on function private.is_reward_metadata(jsonb) is
  'Whether a reward''s details are well formed (specification, section 5): discount 1-100, whole points and '
  'validity days from 1, a short item text, nothing else, and null rather than empty.';
grant execute on function private.is_reward_metadata(jsonb) to authenticated, service_role;

create table public.rewards (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null,
  campaign_id uuid not null,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  description text check (length(description) <= 2000),
  type text not null check (type in ('coupon', 'gift', 'points')),
  reward_type text not null check (reward_type = type),
  value numeric check (value >= 0 and value < 1000000 and scale(value) <= 2),
  code_template text check (
    btrim(code_template) <> '' and length(code_template) <= 40
    -- TEST is how the test mode marks codes that are worth nothing.
    and code_template !~* '^\s*TEST'
  ),
  stock integer not null default -1 check (stock >= -1),
  max_per_user smallint not null default 1 check (max_per_user >= 1),
  metadata jsonb,
  active boolean not null default true,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  version integer not null default 1 check (version >= 1),
  unique (org_id, id),
  unique (org_id, campaign_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  constraint rewards_metadata_check check (private.is_reward_metadata(metadata)),
  constraint rewards_points_check
    check (type <> 'points' or (metadata ->> 'points') is not null)
) with (fillfactor = 70);
create index rewards_org_id_created_at_idx on public.rewards (org_id, created_at desc);
create index rewards_campaign_id_idx on public.rewards (campaign_id);
comment on table public.rewards is 'What can be won in a campaign (specification, section 3).';
comment on column public.rewards.id is 'Identifier.';
comment on column public.rewards.org_id is 'Organisation.';
comment on column public.rewards.campaign_id is 'Campaign.';
comment on column public.rewards.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.rewards.description is 'Internal or explanatory text.';
comment on column public.rewards.type is 'coupon, gift or points.';
comment on column public.rewards.reward_type is 'Always equal to type (specification, section 3); filled when missing.';
comment on column public.rewards.value is 'What it costs the merchant, in euros, two decimals at most; null when not entered.';
comment on column public.rewards.code_template is 'Shape of its codes: {random} is replaced, or appended when missing; null is WIN and the random part. May not start with TEST.';
comment on column public.rewards.stock is 'How many are left to win; -1 is unlimited.';
comment on column public.rewards.max_per_user is 'How often one person may win it, from 1.';
comment on column public.rewards.metadata is 'Optional discountPercent (1-100), item (text), points (from 1), validityDays (from 1); null when empty.';
comment on column public.rewards.active is 'Whether it can be won.';
comment on column public.rewards.archived_at is 'When it was put away; null while in use.';
comment on column public.rewards.created_at is 'When it was created.';
comment on column public.rewards.version is
  'Rises with every change that a merchant makes in the form: whoever saves an older version is told, and overwrites nothing.';

create table public.wheel_segments (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null,
  campaign_id uuid not null,
  reward_id uuid,
  label text not null check (btrim(label) <> '' and length(label) <= 60),
  color text not null check (color ~ '^#[0-9A-Fa-f]{6}$'),
  weight smallint not null check (weight between 0 and 100),
  position smallint not null default 0 check (position >= 0),
  unique (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade,
  foreign key (org_id, campaign_id, reward_id) references public.rewards (org_id, campaign_id, id) on delete restrict
);
create index wheel_segments_campaign_idx on public.wheel_segments (campaign_id, position);
create index wheel_segments_reward_idx on public.wheel_segments (org_id, campaign_id, reward_id);
comment on table public.wheel_segments is 'A segment of a campaign''s wheel (specification, section 3).';
comment on column public.wheel_segments.id is 'Identifier.';
comment on column public.wheel_segments.org_id is 'Organisation.';
comment on column public.wheel_segments.campaign_id is 'Campaign.';
comment on column public.wheel_segments.reward_id is 'Reward of the same campaign; null is a losing segment.';
comment on column public.wheel_segments.label is 'Text on the wheel, 1 to 60 characters.';
comment on column public.wheel_segments.color is 'Colour, as #RRGGBB.';
comment on column public.wheel_segments.weight is 'Odds in percent, whole, 0 to 100; the weights of a campaign sum to 100.';
comment on column public.wheel_segments.position is 'Order on the wheel, clockwise.';

create table private.default_segments (
  id uuid primary key,
  purpose text not null check (purpose in ('example', 'losing')),
  label text not null,
  color text not null,
  weight smallint not null,
  position smallint not null
);
comment on table private.default_segments is
  'Segments of a wheel that nobody has drawn yet (specification, section 9): an example for the test mode, '
  'and the losing segment that completes the rewards of a campaign without segments.';
comment on column private.default_segments.id is 'Identifier.';
comment on column private.default_segments.purpose is 'example: shown and drawn in test mode only; losing: takes what equal shares leave.';
comment on column private.default_segments.label is 'Text on the wheel.';
comment on column private.default_segments.color is 'Colour, as #RRGGBB.';
comment on column private.default_segments.weight is 'Odds in percent; of no meaning for losing.';
comment on column private.default_segments.position is 'Order on the wheel.';

insert into private.default_segments (id, purpose, label, color, weight, position) values
  ('00000000-0000-4000-8000-000000000001', 'example', 'Café offert', '#8B5CF6', 25, 0),
  ('00000000-0000-4000-8000-000000000002', 'example', 'Réduction 10%', '#10B981', 25, 1),
  ('00000000-0000-4000-8000-000000000003', 'example', 'Dessert offert', '#F59E0B', 15, 2),
  ('00000000-0000-4000-8000-000000000004', 'example', 'Pas de chance', '#6B7280', 35, 3),
  ('00000000-0000-4000-8000-000000000005', 'losing', 'Pas de chance', '#6B7280', 0, 0);

create table public.campaign_rules (
  org_id uuid not null,
  campaign_id uuid not null,
  version integer not null check (version >= 1),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  content_hash bytea not null check (length(content_hash) = 32),
  published_at timestamptz not null default now(),
  primary key (org_id, campaign_id, version),
  unique (campaign_id, content_hash),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade
);
comment on table public.campaign_rules is 'Each version of the rules of a campaign''s draw; a version never changes.';
comment on column public.campaign_rules.org_id is 'Organisation.';
comment on column public.campaign_rules.campaign_id is 'Campaign.';
comment on column public.campaign_rules.version is 'Number, from 1; spins.rules_version names it.';
comment on column public.campaign_rules.content is 'What the rules say (private.rules_content); the shape is rulesContent of _shared/domain.';
comment on column public.campaign_rules.content_hash is 'SHA-256 of the content: rules that come back to what they were are that version again.';
comment on column public.campaign_rules.published_at is 'When it first held.';

create function private.complete_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.type := coalesce(new.type, new.reward_type);
    new.reward_type := coalesce(new.reward_type, new.type);
  elsif new.type is distinct from old.type then
    new.reward_type := new.type;
  elsif new.reward_type is distinct from old.reward_type then
    new.type := new.reward_type;
  end if;
  new.value := trim_scale(new.value);
  return new;
end;
$$;
comment on function private.complete_reward() is
  'Fills type from reward_type or the other way round: the specification writes both. Both different is refused by a check.';
-- Not on every update: a spin takes from the stock.
create trigger complete_reward before insert or update of type, reward_type, value on public.rewards
  for each row execute function private.complete_reward();

create function private.check_wheel_total() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign_id uuid := coalesce(new.campaign_id, old.campaign_id);
  v_total bigint;
begin
  select sum(s.weight) into v_total from public.wheel_segments s where s.campaign_id = v_campaign_id;
  if v_total <> 100 then
    raise exception 'wheel_total_not_100' using errcode = '23514',
      constraint = 'wheel_segments_total_check', detail = v_total::text;
  end if;
  return null;
end;
$$;
comment on function private.check_wheel_total() is
  'At the end of the transaction a campaign''s weights sum to 100, or it has no segment. Error 23514, '
  'constraint wheel_segments_total_check, with the sum as detail (specification, section 5).';
create constraint trigger check_wheel_total
  after insert or update or delete on public.wheel_segments
  deferrable initially deferred
  for each row execute function private.check_wheel_total();

create function private.bump_campaign_rules_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true, version = c.version + 1
  where c.id in (select distinct changed.campaign_id from changed);
  return null;
end;
$$;
comment on function private.bump_campaign_rules_version() is
  'A change of the segments may change the rules of the game, and is a new version of the campaign.';
create trigger bump_rules_version_on_insert after insert on public.wheel_segments
  referencing new table as changed
  for each statement execute function private.bump_campaign_rules_version();
create trigger bump_rules_version_on_update after update on public.wheel_segments
  referencing new table as changed
  for each statement execute function private.bump_campaign_rules_version();
create trigger bump_rules_version_on_delete after delete on public.wheel_segments
  referencing old table as changed
  for each statement execute function private.bump_campaign_rules_version();

create function private.wheel(
  p_org_id uuid, p_campaign_id uuid, p_customer_id uuid,
  out segment_ids uuid[], out reward_ids uuid[], out labels text[], out colors text[], out weights integer[],
  out is_drawable boolean[], out is_example boolean
)
language plpgsql stable set search_path = ''
as $$
begin
  is_example := false;
  select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
    array_agg(w.weight::integer), array_agg(w.drawable)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable
  from (
    select s.id, s.reward_id, s.label, s.color, s.weight,
      s.reward_id is null or (
        r.active and r.archived_at is null and r.stock <> 0
        and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id))
      ) as drawable
    from public.wheel_segments s
    left join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
    where s.campaign_id = p_campaign_id
    order by s.position, s.id
  ) w;
  if segment_ids is not null then
    return;
  end if;

  -- No segments: the rewards in equal shares, and a losing segment that takes the remainder (section 9).
  select array_agg(w.id), array_agg(w.id), array_agg(w.name), array_agg(w.color), array_agg(w.weight),
    array_agg(w.drawable)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable
  from (
    select r.id, r.name,
      ('{#8B5CF6,#10B981,#F59E0B,#EF4444,#06B6D4,#EC4899}'::text[])[
        1 + (row_number() over (order by r.created_at, r.id) - 1) % 6] as color,
      (100 / count(*) over ())::integer as weight,
      r.active and r.stock <> 0
        and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id)) as drawable
    from public.rewards r
    where r.campaign_id = p_campaign_id and r.archived_at is null
    order by r.created_at, r.id
  ) w;
  if segment_ids is not null then
    select segment_ids || p_campaign_id, reward_ids || null::uuid, labels || d.label, colors || d.color,
      weights || 100 - cardinality(weights) * weights[1], is_drawable || true
    into segment_ids, reward_ids, labels, colors, weights, is_drawable
    from private.default_segments d where d.purpose = 'losing';
    return;
  end if;

  -- Nothing is offered at all: an example to look at and to test, never a real draw.
  is_example := true;
  select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
    array_agg(w.weight::integer), array_agg(false)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable
  from (
    select d.id, case when d.label <> l.label then d.id end as reward_id, d.label, d.color, d.weight
    from private.default_segments d, private.default_segments l
    where d.purpose = 'example' and l.purpose = 'losing'
    order by d.position
  ) w;
end;
$$;
comment on function private.wheel(uuid, uuid, uuid) is
  'The segments of a campaign''s wheel in order, as arrays: those that the merchant drew, else its rewards in equal shares, '
  'else the example. is_drawable tells whether a segment can be drawn for a customer (null: for anybody): a reward '
  'must be active, in stock and not yet won max_per_user times; losing segments always can; the example never.';

create function private.bump_reward_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_reward_version() is 'Numbers the versions of a reward.';
-- Neither a win, which takes from the stock, nor the switch of the list is a change of the form.
create trigger bump_reward_version
  before update of campaign_id, name, description, type, reward_type, value, code_template, max_per_user, metadata
  on public.rewards
  for each row execute function private.bump_reward_version();

create function private.reward_dependencies(p_org_id uuid, p_reward_id uuid, out wins boolean, out segments integer)
language sql stable set search_path = ''
as $$
  select
    exists (
      select 1 from private.reward_totals_now(p_org_id) t
      where t.reward_id = p_reward_id and t.wins > 0),
    (select count(*) from public.wheel_segments w
     where w.org_id = p_org_id
       and w.campaign_id = (select r.campaign_id from public.rewards r where r.org_id = p_org_id and r.id = p_reward_id)
       and w.reward_id = p_reward_id)::integer;
$$;
comment on function private.reward_dependencies(uuid, uuid) is
  'What hangs on a reward: whether it was ever won, and on how many segments of its wheel it stands. Read from counters.';

create function public.remove_reward(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_dependencies record;
begin
  -- The lock waits for customers who are winning it right now, and lets none win it afterwards.
  select r.org_id into v_org_id from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('rewards.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.rewards r set archived_at = now() where r.id = p_id and r.archived_at is null;
    return;
  end if;
  v_dependencies := private.reward_dependencies(v_org_id, p_id);
  if v_dependencies.wins or v_dependencies.segments > 0 then
    raise exception 'reward_has_history' using errcode = 'TV040';
  end if;
  delete from public.rewards r where r.id = p_id;
exception
  -- The references have the last word, whatever the counters say.
  when foreign_key_violation or restrict_violation then
    raise exception 'reward_has_history' using errcode = 'TV040';
end;
$$;
comment on function public.remove_reward(uuid, boolean) is
  'Archives a reward, or deletes it when nothing hangs on it. Error TV040 when something does (it was won meanwhile, or put '
  'on a wheel): then nothing is changed. Error 42501 without the permission rewards.delete there.';
grant execute on function public.remove_reward(uuid, boolean) to authenticated;

create function private.reward_figures(p_org_id uuid, p_reward_id uuid default null) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
    'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
  from private.reward_totals_now(p_org_id) t
  where p_reward_id is null or t.reward_id = p_reward_id;
$$;
comment on function private.reward_figures(uuid, uuid) is 'Figures of a reward''s whole life, or of all rewards of an organisation.';

create function public.reward_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_campaigns uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(select c.id from public.campaigns c where c.org_id = p_org_id and private.words(c.name) like v_pattern);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null),
    coalesce(array_agg(r.id order by r.created_at desc, r.id) filter (
      where (r.archived_at is not null) = v_is_archived
        and (v_pattern is null or r.campaign_id = any (v_campaigns) or private.words(r.name) like v_pattern)), '{}')
  into v_total, v_archived, v_ids
  from public.rewards r where r.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  -- A page that is no more, because rewards went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'archived_at', r.archived_at,
      'segments', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id)
        and not exists (select 1 from public.wheel_segments w
          where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      'is_won', coalesce(f.wins > 0, false),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by r.created_at desc, r.id), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.reward_list(uuid, text, boolean, integer) is
  'A page of an organisation''s rewards in use, or put away, newest first, whose name or campaign''s name contains a text, '
  'with the figures above the list (specification, section 2.17); the shape is rewardList of _shared/domain. Error '
  '42501 without the permissions rewards.read and activity.read there.';
grant execute on function public.reward_list(uuid, text, boolean, integer) to authenticated;

create function public.reward_stats(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_reward public.rewards;
  v_campaign_name text;
  v_today date;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select c.name, private.now_in(s.timezone)::date into v_campaign_name, v_today
  from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = v_reward.org_id and c.id = v_reward.campaign_id;
  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type,
      'stock', v_reward.stock, 'campaign_name', v_campaign_name),
    'advanced', case when private.has_feature(v_reward.org_id, 'advanced_analytics') then jsonb_build_object(
      'figures', private.reward_figures(v_reward.org_id, p_id),
      'counts', private.code_counts(v_reward.org_id, p_id),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'wins', coalesce(f.wins, 0),
          'redemptions', coalesce(f.redemptions, 0)) order by calendar.day)
        from generate_series(v_today - 89, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.wins) as wins, sum(d.redemptions) as redemptions
          from private.reward_days_now(v_reward.org_id) d
          where d.reward_id = p_id and d.day >= v_today - 89
          group by d.day
        ) f on f.day = calendar.day::date
      )) end);
end;
$$;
comment on function public.reward_stats(uuid) is
  'Figures of a reward: of its whole life, its codes by state, and each of the last 90 days in the time zone of its '
  'campaign''s store; the shape is rewardStats of _shared/domain. advanced, which holds them, is null where the plan does '
  'not include it. Null when there is no such reward for the signed-in user.';
grant execute on function public.reward_stats(uuid) to authenticated;

create function private.read_segments(p_segments jsonb)
returns table (n bigint, id uuid, reward_id uuid, label text, color text, weight integer)
language sql stable set search_path = ''
as $$
  select s.n, s.id, s.reward_id, btrim(s.label), s.color, s.weight
  from rows from (
    jsonb_to_recordset(p_segments) as (id uuid, reward_id uuid, label text, color text, weight integer)
  ) with ordinality as s (id, reward_id, label, color, weight, n);
$$;
comment on function private.read_segments(jsonb) is
  'Segments as an editor sends them, numbered from 1: a list of {id (null: new), reward_id (null: loses), label, color, weight}.';

create function private.redraw_wheel(p_org_id uuid, p_campaign_id uuid, p_segments jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_total bigint;
  v_is_unclear boolean;
begin
  if jsonb_typeof(p_segments) <> 'array' or jsonb_array_length(p_segments) > 100 then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select coalesce(sum(s.weight), 0), count(s.id) > count(distinct s.id) into v_total, v_is_unclear
  from private.read_segments(p_segments) s;
  if v_is_unclear then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  if v_total <> 100 then
    raise exception 'wheel_total_not_100' using errcode = 'TV063', detail = v_total::text;
  end if;
  if exists (
    select 1 from private.read_segments(p_segments) s
    where s.reward_id is not null and not exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.campaign_id = p_campaign_id and r.id = s.reward_id)
  ) then
    raise exception 'reward_of_another_campaign' using errcode = 'TV065';
  end if;

  -- A segment that stays keeps its identifier: spins in progress and past spins point at it.
  delete from public.wheel_segments w
  where w.campaign_id = p_campaign_id
    and not exists (select 1 from private.read_segments(p_segments) s where s.id = w.id);
  update public.wheel_segments w
  set reward_id = s.reward_id, label = s.label, color = s.color, weight = s.weight, position = s.n - 1
  from private.read_segments(p_segments) s
  where w.campaign_id = p_campaign_id and w.id = s.id
    and (w.reward_id, w.label, w.color, w.weight, w.position)
      is distinct from (s.reward_id, s.label, s.color, s.weight::smallint, (s.n - 1)::smallint);
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select p_org_id, p_campaign_id, s.reward_id, s.label, s.color, s.weight, s.n - 1
  from private.read_segments(p_segments) s
  where not exists (select 1 from public.wheel_segments w where w.campaign_id = p_campaign_id and w.id = s.id)
  order by s.n;
end;
$$;
comment on function private.redraw_wheel(uuid, uuid, jsonb) is
  'Makes a campaign''s wheel what an editor sends, in order (private.read_segments). Errors: TV063 the weights do not sum '
  'to 100 (detail: their sum), TV064 not a list of at most 100 different segments, TV065 a reward of another campaign, '
  '23514 or 23502 a segment is not well formed.';

create function private.low_stock(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- What is not folded yet is one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, sum(f.wins) as wins from private.recent_figures f
    where f.org_id = p_org_id and f.reward_id is not null and f.day is not null
    group by f.reward_id, f.day
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from public.rewards r
    join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id and c.active
      and (c.ends_at is null or c.ends_at > now())
    join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      -- Few, or gone in a week at the pace of the last one, whose days are those of the store.
      and (r.stock <= 5 or r.stock <= (
        select coalesce(sum(d.wins), 0)
        from (
          select f.wins from public.reward_daily_stats f
          where f.org_id = p_org_id and f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
          union all
          select f.wins from recent f where f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
        ) d))
    order by r.stock, r.name, r.id limit 3
  ) low;
$$;
comment on function private.low_stock(uuid) is
  'Up to 3 rewards of campaigns that run or are about to, which run out: 5 left or fewer, or no more than were won in the last 7 days of the '
  'store''s time zone.';

create function private.refuse_rules_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'rules_are_immutable' using errcode = 'TV130';
end;
$$;
comment on function private.refuse_rules_change() is 'A published version of the rules stays as it is. Error TV130.';
create trigger refuse_rules_change before update on public.campaign_rules
  for each row execute function private.refuse_rules_change();

create function private.rules_moment(p_at timestamptz) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
end;
$$;
comment on function private.rules_moment(timestamptz) is
  'A moment as ISO 8601 in UTC, whatever the session''s time zone: the same rules are the same bytes.';

create function private.rules_content(p_campaign public.campaigns) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_wheel record := private.wheel(p_campaign.org_id, p_campaign.id, null);
  v_segments jsonb;
  v_prizes jsonb := '[]'::jsonb;
  v_winning numeric;
  v_losing numeric;
  v_total numeric;
  v_losing_labels jsonb;
begin
  if not v_wheel.is_example then
    -- What cannot be won (stopped, put away, weight 0) leaves its odds to the losing segments, else to the other prizes;
    -- an empty stock is no part of the rules: they say what happens then.
    select coalesce(sum(w.weight) filter (where r.id is not null and w.weight > 0), 0),
      coalesce(sum(w.weight) filter (where w.reward_id is null), 0),
      sum(w.weight),
      coalesce(jsonb_agg(distinct w.label) filter (where w.reward_id is null and w.weight > 0), '[]'::jsonb)
    into v_winning, v_losing, v_total, v_losing_labels
    from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) as w (reward_id, label, weight)
    left join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = w.reward_id and r.active and r.archived_at is null;
    if v_losing = 0 then
      v_total := v_winning;
    end if;

    select coalesce(jsonb_agg(jsonb_build_object(
      'name', r.name, 'type', r.type, 'value', r.value,
      'discount', r.metadata -> 'discountPercent', 'item', r.metadata -> 'item', 'points', r.metadata -> 'points',
      'validity_days', case when r.type <> 'points' then coalesce((r.metadata ->> 'validityDays')::integer, 30) end,
      'max_per_user', r.max_per_user,
      -- All that were put into play: those that are left, and those that were won.
      'number', case when r.stock >= 0 then r.stock + coalesce((
        select sum(t.wins) from private.reward_totals_now(r.org_id) t where t.reward_id = r.id), 0) end,
      'odds', trim_scale(round(100 * p.weight / v_total, 2)),
      'labels', p.labels) order by p.place), '[]'::jsonb)
    into v_prizes
    from (
      select w.reward_id, sum(w.weight) as weight, min(w.n) as place, jsonb_agg(distinct w.label) as labels
      from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) with ordinality as w (reward_id, label, weight, n)
      where w.reward_id is not null and w.weight > 0
      group by w.reward_id
    ) p
    join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = p.reward_id and r.active and r.archived_at is null;
  end if;

  return (
    select jsonb_build_object(
      -- Which wording the page gives them: a new one is a new version.
      'wording', 1,
      'organizer', o.name,
      'store', jsonb_build_object('name', s.name, 'address', s.address),
      'timezone', s.timezone,
      'starts_at', private.rules_moment(p_campaign.starts_at),
      'ends_at', private.rules_moment(p_campaign.ends_at),
      'play_interval_days', p_campaign.play_interval_days,
      'prizes', v_prizes,
      'losing', case when v_losing > 0 then jsonb_build_object(
        'odds', trim_scale(round(100 * (v_total - v_winning) / v_total, 2)), 'labels', v_losing_labels) end)
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = p_campaign.store_id
    where o.id = p_campaign.org_id
  );
end;
$$;
comment on function private.rules_content(public.campaigns) is
  'What the rules of a campaign say now: organiser, store, dates, interval between two spins, prizes with their number '
  '(null: unlimited), value, validity and odds in percent, and the odds of losing (null: nobody loses).';

create function private.publish_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_content jsonb;
  v_hash bytea;
  v_version integer;
begin
  -- Who changes the same campaign at the same time waits here, and then reads what the other has left.
  select * into v_campaign from public.campaigns c where c.id = new.id and c.rules_stale for no key update;
  if not found then
    return null;
  end if;
  v_content := private.rules_content(v_campaign);
  v_hash := sha256(convert_to(v_content::text, 'UTF8'));
  select r.version into v_version from public.campaign_rules r
  where r.campaign_id = new.id and r.content_hash = v_hash;
  if not found then
    insert into public.campaign_rules (org_id, campaign_id, version, content, content_hash)
    select v_campaign.org_id, new.id, coalesce(max(r.version) + 1, v_campaign.rules_version), v_content, v_hash
    from public.campaign_rules r where r.org_id = v_campaign.org_id and r.campaign_id = new.id
    returning version into v_version;
  end if;
  update public.campaigns c set rules_version = v_version, rules_stale = false where c.id = new.id;
  return null;
end;
$$;
comment on function private.publish_rules() is
  'At the end of a transaction that changed what the rules speak of: keeps what they say now as a version, unless they '
  'said so before, and puts that version in force. Once a campaign and a transaction.';
create constraint trigger publish_rules after insert or update on public.campaigns
  deferrable initially deferred
  for each row when (new.rules_stale) execute function private.publish_rules();

create function private.mark_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.rules_stale := true;
  return new;
end;
$$;
comment on function private.mark_rules() is 'Dates, interval and store of a campaign stand in its rules.';
create trigger mark_rules before update of starts_at, ends_at, play_interval_days, store_id on public.campaigns
  for each row
  when ((old.starts_at, old.ends_at, old.play_interval_days, old.store_id)
    is distinct from (new.starts_at, new.ends_at, new.play_interval_days, new.store_id))
  execute function private.mark_rules();

create function private.mark_rules_of_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true
  where c.id in (new.campaign_id, old.campaign_id) and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_reward() is 'What can be won, and how many of it, stands in the rules.';
create trigger mark_rules_on_insert_or_delete after insert or delete on public.rewards
  for each row execute function private.mark_rules_of_reward();
create trigger mark_rules_on_update
  after update of name, type, value, max_per_user, metadata, active, archived_at, campaign_id on public.rewards
  for each row
  when ((old.name, old.type, old.value, old.max_per_user, old.metadata, old.active, old.archived_at, old.campaign_id)
    is distinct from
    (new.name, new.type, new.value, new.max_per_user, new.metadata, new.active, new.archived_at, new.campaign_id))
  execute function private.mark_rules_of_reward();
-- Not when a win takes one: as many are in play as before. Whoever signs in may take one out as well.
create trigger mark_rules_on_stock after update of stock on public.rewards
  for each row
  when (old.stock <> new.stock and (new.stock <> old.stock - 1 or current_user = 'authenticated'))
  execute function private.mark_rules_of_reward();

create function private.mark_rules_of_store() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true
  where c.org_id = new.org_id and c.store_id = new.id and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_store() is 'Name, address and time zone of a store stand in the rules of its campaigns.';
create trigger mark_rules after update of name, address, timezone on public.stores
  for each row when ((old.name, old.address, old.timezone) is distinct from (new.name, new.address, new.timezone))
  execute function private.mark_rules_of_store();

create function private.mark_rules_of_organization() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true where c.org_id = new.id and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_organization() is 'The organiser''s name stands in the rules of all campaigns.';
create trigger mark_rules after update of name on public.organizations
  for each row when (old.name is distinct from new.name) execute function private.mark_rules_of_organization();

create function public.campaign_rules_page(p_slug text, p_version integer default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
begin
  select c.* into v_campaign from public.campaigns c
  where c.id = coalesce(
    (select n.id from public.campaigns n where n.slug = p_slug),
    (select r.campaign_id from public.campaign_slug_redirects r where r.slug = p_slug));
  if not found then
    return null;
  end if;
  -- Nobody reads a draft; but what was played once can be read for good, also when the game is over.
  if not exists (
    select 1 from public.subscriptions u where u.org_id = v_campaign.org_id and private.is_running(v_campaign, u)
  ) and not exists (
    select 1 from public.spins s where s.org_id = v_campaign.org_id and s.campaign_id = v_campaign.id
  ) then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'id', v_campaign.id, 'slug', v_campaign.slug, 'campaign', v_campaign.name,
      'version', r.version, 'published_at', private.rules_moment(r.published_at),
      'in_force', v_campaign.rules_version,
      'white_label', private.has_feature(v_campaign.org_id, 'white_label'),
      'brand', private.brand(v_campaign.org_id),
      'versions', (
        select jsonb_agg(jsonb_build_object('version', v.version, 'published_at', private.rules_moment(v.published_at))
          order by v.version desc)
        from (
          select l.version, l.published_at from public.campaign_rules l
          where l.org_id = v_campaign.org_id and l.campaign_id = v_campaign.id
          order by l.version desc limit 50
        ) v
      ),
      'content', r.content)
    from public.campaign_rules r
    where r.org_id = v_campaign.org_id and r.campaign_id = v_campaign.id
      and r.version = coalesce(p_version, v_campaign.rules_version)
  );
end;
$$;
comment on function public.campaign_rules_page(text, integer) is
  'The rules of a campaign''s draw by present or former slug: the version in force, or the one asked for, with a list of '
  'the 50 newest; null when there is none, or when the campaign neither runs nor was ever played. The shape is rulesPage '
  'of _shared/domain.';
grant execute on function public.campaign_rules_page(text, integer) to service_role;

-- Who may read and write --------------------------------------------------------------------------

alter table public.rewards enable row level security;
grant select, delete,
  insert (org_id, campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, active),
  update (campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, active, archived_at)
  on public.rewards to authenticated;
grant select, insert, update, delete on public.rewards to service_role;
create policy "Members read the rewards" on public.rewards
  for select to authenticated using (org_id = any (array(select private.my_org_ids('rewards.read'))));
create policy "Members add rewards" on public.rewards
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('rewards.write'))));
create policy "Members change rewards" on public.rewards
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('rewards.write'))))
  with check (org_id = any (array(select private.my_org_ids('rewards.write'))));
create policy "Owners and admins delete rewards" on public.rewards
  for delete to authenticated using (org_id = any (array(select private.my_org_ids('rewards.delete'))));

alter table public.wheel_segments enable row level security;
grant select, delete,
  insert (org_id, campaign_id, reward_id, label, color, weight, position),
  update (reward_id, label, color, weight, position)
  on public.wheel_segments to authenticated;
grant select, insert, update, delete on public.wheel_segments to service_role;
create policy "Members read the wheel" on public.wheel_segments
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));
create policy "Members add segments" on public.wheel_segments
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
create policy "Members change segments" on public.wheel_segments
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('campaigns.write'))))
  with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
-- Redrawing a wheel deletes its segments and inserts them anew (specification, section 7.1), so it goes with writing.
create policy "Members remove segments" on public.wheel_segments
  for delete to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.write'))));

alter table private.default_segments enable row level security;
grant select on private.default_segments to service_role;

alter table public.campaign_rules enable row level security;
grant select on public.campaign_rules to authenticated;
grant select on public.campaign_rules to service_role;
create policy "Members read the rules" on public.campaign_rules
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));

-- 09_customers.sql ================================================================================

-- Customers: who they are, how they are found, what they agreed to, and how they are forgotten.
--
-- A merchant with 200,000 customers looks for one of them, or for those who have not come for three months, and expects the
-- answer while typing. What each customer did is therefore kept on their own row, by the transactions that write it.
-- Whatever names a customer asks for customers.read, a code for codes.read; activity.read opens figures alone. A person is
-- forgotten in one way only, whether a merchant erases them or time does: three years after the last contact.
--
-- Tables of what customers do (here and in the topics that follow) reference (org_id, id) pairs, so that no row can point
-- into another tenant. They reference the campaign, which references the organisation: a foreign key of their own to
-- organizations would cost a check a row and add nothing. Primary keys start with org_id, so that one index serves the key,
-- the references and the policies, and the tables can be distributed by tenant as they are.

create table public.customers (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null references public.organizations (id) on delete cascade,
  store_id uuid,
  first_name text check (length(first_name) <= 120),
  last_name text check (length(last_name) <= 120),
  name text not null check (btrim(name) <> '' and length(name) <= 250),
  email text check (email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$' and length(email) <= 254),
  phone text check (private.is_phone(phone)),
  email_normalized text generated always as (private.normalize_email(email)) stored,
  phone_normalized text generated always as (private.normalize_phone(phone)) stored,
  consent_marketing boolean not null default false,
  consent_at timestamptz,
  locale text not null default 'fr' check (locale ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  last_activity_at timestamptz,
  created_at timestamptz not null default now(),
  review_count integer not null default 0,
  rating_sum integer not null default 0,
  spin_count integer not null default 0,
  redemption_count integer not null default 0,
  rating_band smallint not null generated always as (
    case when review_count = 0 then 0 else round(rating_sum::numeric / review_count)::smallint end
  ) stored,
  last_activity_day date generated always as ((last_activity_at at time zone 'UTC')::date) stored,
  search_words text not null generated always as (
    private.customer_words(first_name, last_name, name, email, phone)
  ) stored,
  -- The form takes 4000: notes of several customers who are one may be longer together.
  note text check (length(note) <= 20000),
  consent_by text check (consent_by in ('customer', 'team')),
  consent_version smallint check (consent_version >= 1),
  consent_organizer text,
  version integer not null default 1,
  primary key (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete set null (store_id),
  check (email is not null or phone is not null),
  check (consent_marketing = (consent_at is not null))
) with (fillfactor = 85);
create unique index customers_org_id_email_key on public.customers (org_id, email_normalized)
  where email_normalized is not null;
create unique index customers_org_id_phone_key on public.customers (org_id, phone_normalized)
  where phone_normalized is not null;
-- The list's order, with everything that it filters by: one index answers the page and the count.
create index customers_list_idx on public.customers (org_id, created_at desc, id desc)
  include (consent_marketing, rating_band, last_activity_day, store_id);
create index customers_words_idx on public.customers using gin (
  org_id extensions.uuid_ops, search_words extensions.gin_trgm_ops
) with (gin_pending_list_limit = 512);
create index customers_store_list_idx on public.customers (org_id, store_id, created_at desc, id desc)
  include (consent_marketing, rating_band, last_activity_day);
create index customers_rating_list_idx on public.customers (org_id, rating_band, consent_marketing, created_at desc, id desc)
  include (last_activity_day, store_id);
-- Who came lately is few, and changes this index once a day.
create index customers_activity_idx on public.customers (org_id, last_activity_day)
  include (consent_marketing, rating_band, store_id);
comment on table public.customers is
  'A person who took part, known to one organisation by e-mail or phone (specification, section 3).';
comment on column public.customers.id is 'Identifier.';
comment on column public.customers.org_id is 'Organisation.';
comment on column public.customers.store_id is 'Store of the first visit.';
comment on column public.customers.first_name is 'First name, as given on the first visit.';
comment on column public.customers.last_name is 'Last name, as given on the first visit.';
comment on column public.customers.name is 'Full name.';
comment on column public.customers.email is 'E-mail address as typed.';
comment on column public.customers.phone is 'Phone number as typed.';
comment on column public.customers.email_normalized is 'Mailbox, unique within the organisation: who this is.';
comment on column public.customers.phone_normalized is 'Number, unique within the organisation: who this is.';
comment on column public.customers.consent_marketing is 'Whether marketing is allowed; given by ticking a box, never withdrawn by leaving it blank.';
comment on column public.customers.consent_at is 'When consent was given; null without consent.';
comment on column public.customers.locale is 'Language, fr by default.';
comment on column public.customers.last_activity_at is 'Last review, spin or redemption.';
comment on column public.customers.created_at is 'First visit.';
comment on column public.customers.review_count is 'Reviews that they left.';
comment on column public.customers.rating_sum is 'Sum of the stars of these reviews.';
comment on column public.customers.spin_count is 'Turns of the wheel, counted by spin_wheel itself, which writes the row anyway.';
comment on column public.customers.redemption_count is 'Codes used, minus those given back.';
comment on column public.customers.rating_band is 'Mean of their stars, rounded to 1 to 5; 0 without a review.';
comment on column public.customers.last_activity_day is
  'Day (UTC) of the last activity: what the list filters by. It changes once a day, so that the index is seldom written.';
comment on column public.customers.search_words is
  'Where the search looks: names and e-mail without case and accents, and the phone number in digits.';
comment on column public.customers.note is
  'What the team writes down for itself, up to 4000 characters, and more where several customers became one; never public.';
comment on column public.customers.consent_by is
  'Who gave the consent: the customer by ticking the box, or the team in their name; null without consent.';
comment on column public.customers.consent_version is
  'Number of the sentence beside the box (consentWordings of _shared/domain); null when the team gave the consent.';
comment on column public.customers.consent_organizer is 'Name of the organisation in that sentence at the time.';
comment on column public.customers.version is
  'Rises with every change of what the form holds: whoever saves an older version is told, and overwrites nothing.';
create trigger check_email_on_insert before insert on public.customers
  for each row when (not private.is_email(new.email))
  execute function private.refuse_email();
create trigger check_email_on_update before update of email on public.customers
  for each row when (new.email is distinct from old.email and not private.is_email(new.email))
  execute function private.refuse_email();

create function private.consent_version() returns smallint
language sql immutable parallel safe set search_path = ''
return 1::smallint;
comment on function private.consent_version() is
  'Number of the sentence that stands beside the box now: the last of consentWordings of _shared/domain.';

create function private.stamp_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not new.consent_marketing then
    new.consent_at := null;
    new.consent_by := null;
    new.consent_version := null;
    new.consent_organizer := null;
  elsif tg_op = 'INSERT' or not old.consent_marketing then
    new.consent_at := now();
    -- Customers come without an account; whoever is signed in is one of the team.
    new.consent_by := case when auth.uid() is null then 'customer' else 'team' end;
    new.consent_version := case when new.consent_by = 'customer' then private.consent_version() end;
    new.consent_organizer := (select o.name from public.organizations o where o.id = new.org_id);
  end if;
  return new;
end;
$$;
comment on function private.stamp_consent() is
  'Dates a consent when it is given, with who gave it and the sentence that was shown, and forgets both when it is withdrawn.';
create trigger stamp_consent_on_insert before insert on public.customers
  for each row when (new.consent_marketing or new.consent_at is not null)
  execute function private.stamp_consent();
create trigger stamp_consent_on_update before update of consent_marketing on public.customers
  for each row when (new.consent_marketing is distinct from old.consent_marketing)
  execute function private.stamp_consent();

create function private.bump_customer_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_customer_version() is 'Numbers the versions of a customer''s form.';
create trigger bump_customer_version before update on public.customers
  for each row
  when ((old.first_name, old.last_name, old.name, old.email, old.phone, old.note, old.consent_marketing)
    is distinct from (new.first_name, new.last_name, new.name, new.email, new.phone, new.note, new.consent_marketing))
  execute function private.bump_customer_version();

create function private.matches_filters(c public.customers, p_filters jsonb) returns boolean
language sql stable parallel safe
return (private.query_words(p_filters ->> 'search') is null
    or c.search_words like private.search_pattern(p_filters ->> 'search'))
  and ((p_filters ->> 'consent') is null or c.consent_marketing = (p_filters ->> 'consent')::boolean)
  and ((p_filters ->> 'rating') is null or c.rating_band = (p_filters ->> 'rating')::smallint)
  and ((p_filters ->> 'store_id') is null or c.store_id = (p_filters ->> 'store_id')::uuid)
  and case
    when (p_filters ->> 'activity') is null then true
    when p_filters ->> 'activity' = 'older' then
      c.last_activity_day is null or c.last_activity_day < (now() at time zone 'UTC')::date - 90
    else c.last_activity_day > (now() at time zone 'UTC')::date - (p_filters ->> 'activity')::integer
  end;
comment on function private.matches_filters(public.customers, jsonb) is
  'Whether a customer passes the filters of the list (customerFilters of _shared/domain): search, consent, rating (0 to '
  '5), activity (days, or older: none for 90 days), store_id. Planned as part of the query that calls it.';
grant execute on function private.matches_filters(public.customers, jsonb) to service_role;

create function public.customer_list(
  p_org_id uuid, p_filters jsonb default '{}', p_after uuid default null, p_before uuid default null
) returns jsonb
-- A plan kept from one search to the next would have to do without the indexes that a search can use.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_is_search constant boolean := private.query_words(v_filters ->> 'search') is not null;
  v_most_counted constant integer := case when v_is_search then 100 else 1000 end;
  -- One more than is shown tells whether there is a next page.
  v_wanted constant integer := case when v_is_search then v_most_counted else v_page_size end + 1;
  v_at timestamptz;
  v_id uuid;
  v_ids uuid[];
  v_is_back boolean := p_before is not null;
  v_has_more boolean;
  v_totals record;
  v_reviews bigint;
  v_rating_sum bigint;
  v_matches integer;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('customers.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select c.created_at, c.id into v_at, v_id from public.customers c
  where c.org_id = p_org_id and c.id = coalesce(p_before, p_after);

  if v_is_back and v_at is not null then
    select array_agg(p.id order by p.created_at, p.id) into v_ids from (
      select c.created_at, c.id from public.customers c
      where c.org_id = p_org_id and private.matches_filters(c, v_filters) and (c.created_at, c.id) > (v_at, v_id)
      order by c.created_at, c.id limit v_page_size + 1
    ) p;
    v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;
  end if;
  -- A page before which nothing stands is the first one, and shows all of it.
  if v_at is null or (v_is_back and not v_has_more) then
    v_is_back := false;
    v_at := null;
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select c.created_at, c.id from public.customers c
      where c.org_id = p_org_id and private.matches_filters(c, v_filters)
      order by c.created_at desc, c.id desc limit v_wanted
    ) p;
  elsif not v_is_back then
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select c.created_at, c.id from public.customers c
      where c.org_id = p_org_id and private.matches_filters(c, v_filters) and (c.created_at, c.id) < (v_at, v_id)
      order by c.created_at desc, c.id desc limit v_page_size + 1
    ) p;
  end if;
  v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;

  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from private.campaign_figures_now(p_org_id) d;
  if v_filters = '{}' then
    v_matches := v_totals.customers;
  elsif v_at is null and (v_is_search or not v_has_more) then
    -- What was looked for once is not looked for again.
    v_matches := coalesce(array_length(v_ids, 1), 0);
  else
    select count(*) into v_matches from (
      select 1 from public.customers c
      where c.org_id = p_org_id and private.matches_filters(c, v_filters) limit v_most_counted + 1
    ) counted;
  end if;

  return jsonb_build_object(
    'totals', jsonb_build_object('customers', v_totals.customers, 'consents', v_totals.consents,
      'participants', v_totals.participants,
      'reviews', v_reviews, 'rating_sum', v_rating_sum),
    'matches', case when v_filters = '{}' then v_matches else least(v_matches, v_most_counted) end,
    'has_more_matches', v_filters <> '{}' and v_matches > v_most_counted,
    'has_previous', case when v_is_back then v_has_more else v_at is not null end,
    'has_next', v_is_back or v_has_more,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'email', c.email, 'phone', c.phone,
        'consent_marketing', c.consent_marketing, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by c.created_at desc, c.id desc)
      from public.customers c
      where c.org_id = p_org_id and c.id = any (v_ids[1:v_page_size])
    ), '[]'::jsonb));
end;
$$;
comment on function public.customer_list(uuid, jsonb, uuid, uuid) is
  'A page of an organisation''s customers, newest first, that pass the filters (private.matches_filters): the one after a '
  'customer, or before one, with the figures above the list (specification, section 2.11); the shape is customerList of '
  '_shared/domain. Matches of a search are counted up to 100, of filters alone up to 1,000. Error 42501 without the '
  'permissions customers.read and activity.read there.';
grant execute on function public.customer_list(uuid, jsonb, uuid, uuid) to authenticated;

create function public.customer_detail(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_customer public.customers;
begin
  select * into v_customer from public.customers c
  where c.org_id = any (array(select private.my_org_ids('customers.read'))) and c.id = p_id;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'id', v_customer.id, 'version', v_customer.version, 'name', v_customer.name,
    'first_name', v_customer.first_name, 'last_name', v_customer.last_name, 'email', v_customer.email,
    'phone', v_customer.phone, 'locale', v_customer.locale, 'note', v_customer.note,
    'created_at', v_customer.created_at, 'last_activity_at', v_customer.last_activity_at,
    'consent', case when v_customer.consent_marketing then jsonb_build_object('at', v_customer.consent_at,
      'by', v_customer.consent_by, 'version', v_customer.consent_version, 'organizer', v_customer.consent_organizer) end,
    'review_count', v_customer.review_count, 'rating_sum', v_customer.rating_sum,
    'spin_count', v_customer.spin_count,
    'win_count', private.customer_wins(v_customer.org_id, p_id),
    'redemption_count', v_customer.redemption_count,
    'open_codes', (select count(*) from public.redemptions r
      where r.org_id = v_customer.org_id and r.customer_id = p_id and r.status = 'available'
        and (r.expires_at is null or r.expires_at > now())),
    'points', (select coalesce(sum(l.points), 0) from public.points_ledger l
      where l.org_id = v_customer.org_id and l.customer_id = p_id),
    'reviews', private.customer_reviews(v_customer.org_id, p_id),
    'spins', private.customer_spins(v_customer.org_id, p_id),
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))));
end;
$$;
comment on function public.customer_detail(uuid) is
  'Everything that the page of a customer shows (specification, section 2.12), in one request; the shape is customerDetail of '
  '_shared/domain. Codes are null without the permission codes.read. Null when the signed-in user''s organisation has no '
  'such customer.';
grant execute on function public.customer_detail(uuid) to authenticated;

create function public.save_customer(
  p_id uuid, p_version integer, p_first_name text, p_last_name text, p_email text, p_phone text,
  p_consent_marketing boolean, p_note text
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer public.customers;
  v_other record;
  v_version integer;
begin
  -- Two rounds: somebody may take the address between the question and the answer.
  for round in 1..2 loop
    select * into v_customer from public.customers c
    where c.org_id = any (array(select private.my_org_ids('customers.write'))) and c.id = p_id
    for no key update;
    if not found then
      raise exception 'forbidden' using errcode = '42501';
    elsif v_customer.version is distinct from p_version then
      return jsonb_build_object('outcome', 'conflict');
    end if;
    select c.id, c.name, c.email_normalized = private.normalize_email(p_email) as is_email into v_other
    from public.customers c
    where c.org_id = v_customer.org_id and c.id <> p_id
      and (c.email_normalized = private.normalize_email(p_email) or c.phone_normalized = private.normalize_phone(p_phone))
    order by 3 desc nulls last limit 1;
    if found then
      return jsonb_build_object(
        'outcome', case when v_other.is_email then 'email_taken' else 'phone_taken' end,
        'other', jsonb_build_object('id', v_other.id, 'name', v_other.name));
    end if;
    begin
      update public.customers c set
        first_name = nullif(btrim(p_first_name), ''), last_name = nullif(btrim(p_last_name), ''),
        name = btrim(concat_ws(' ', nullif(btrim(p_first_name), ''), nullif(btrim(p_last_name), ''))),
        email = nullif(btrim(p_email), ''), phone = nullif(btrim(p_phone), ''),
        consent_marketing = p_consent_marketing, note = nullif(btrim(p_note), '')
      where c.org_id = v_customer.org_id and c.id = p_id
      returning c.version into v_version;
      return jsonb_build_object('outcome', 'saved', 'version', v_version);
    exception when unique_violation then
      if round = 2 then
        raise;
      end if;
    end;
  end loop;
end;
$$;
comment on function public.save_customer(uuid, integer, text, text, text, text, boolean, text) is
  'Saves the form of a customer. Outcomes: saved (with the new version), conflict (somebody saved another version, or the '
  'customer agreed to marketing meanwhile), email_taken and phone_taken (with the other customer). Refusals change '
  'nothing. Errors: 42501 without the permission customers.write there, 23514 or 23502 something is not well formed.';
grant execute on function public.save_customer(uuid, integer, text, text, text, text, boolean, text) to authenticated;

create function private.erase_customer_data(p_org_id uuid, p_id uuid) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  -- Codes before the customer, as at the till: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id for update;
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_id for update;
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, customer_name = null, customer_email = null, customer_phone = null, review_text = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$$;
comment on function private.erase_customer_data(uuid, uuid) is
  'Forgets a person: the customer, their note and points go; their visits, spins and codes stay as nobody''s, without name, '
  'contact and words, so that the figures hold. False when somebody was faster. Asks no permission: for erase_customer and for the job.';

create function public.erase_customer(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.customers c
  where c.org_id = any (array(select private.my_org_ids('customers.delete'))) and c.id = p_id;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if private.erase_customer_data(v_org_id, p_id) then
    perform private.audit(v_org_id, 'customer.erased', 'customer', p_id);
  end if;
end;
$$;
comment on function public.erase_customer(uuid) is
  'Forgets a person (right to erasure): the customer, their note and points go, and their visits, spins and codes stay as '
  'nobody''s, without name, contact and words, so that the figures hold and codes in their hands stay good. Error 42501 '
  'without the permission customers.delete there.';
grant execute on function public.erase_customer(uuid) to authenticated;

create function private.find_customers(p_org_id uuid, p_query text, p_limit integer)
returns table (id uuid, title text, detail text)
-- As in customer_list: a kept plan would not know a frequent word from a rare one.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  -- A variable is a constant to the plan: the index is asked once, not the word made anew for every row.
  v_filters constant jsonb := jsonb_build_object('search', p_query);
begin
  -- Fewer letters have no index to be looked for in.
  if length(coalesce(private.query_words(p_query), '')) < 3 then
    return;
  end if;
  return query
    select c.id, c.name, coalesce(c.email, c.phone)
    from public.customers c
    where c.org_id = p_org_id and private.matches_filters(c, v_filters)
    order by c.created_at desc, c.id desc
    limit p_limit;
end;
$$;
comment on function private.find_customers(uuid, text, integer) is
  'The newest customers of an organisation whom the list would find (private.matches_filters); none for less than three '
  'characters, unless they are of another script.';

create function private.sweep_customers(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_before constant timestamptz := now() - interval '3 years';
  v_count integer := 0;
  v_customer record;
begin
  -- An organisation at a time, so that the index on its customers' age serves; the last contact is never before it.
  for v_customer in
    select c.org_id, c.id from public.organizations o
    cross join lateral (
      select c.org_id, c.id from public.customers c
      where c.org_id = o.id and c.created_at < v_before
        and coalesce(c.last_activity_at, c.created_at) < v_before
      limit p_limit
    ) c
    limit p_limit
  loop
    perform private.erase_customer_data(v_customer.org_id, v_customer.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.sweep_customers(integer) is
  'Job: customers are forgotten three years after the last contact (specification, section 9), at most p_limit at a time.';
insert into private.jobs (name, run_every) values ('sweep_customers', interval '1 day');

create function private.expected_customers(p_org_id uuid, p_filters jsonb) returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_plan json;
begin
  execute format('explain (format json) select 1 from public.customers c where c.org_id = %L and private.matches_filters(c, %L::jsonb)',
    p_org_id, p_filters) into v_plan;
  return (v_plan -> 0 -> 'Plan' ->> 'Plan Rows')::bigint;
end;
$$;
comment on function private.expected_customers(uuid, jsonb) is
  'How many customers of an organisation the statistics of the database expect to pass the filters (private.matches_filters): to '
  'count them all would keep whoever types waiting.';

create function public.customer_count(p_org_id uuid, p_filters jsonb) returns jsonb
-- As in customer_list: a kept plan would have to do without the indexes that a search can use.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_most_counted constant integer := 10000;
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_matches bigint;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('customers.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches from (
    select 1 from public.customers c
    where c.org_id = p_org_id and private.matches_filters(c, v_filters) limit v_most_counted + 1
  ) counted;
  if v_matches <= v_most_counted then
    return jsonb_build_object('matches', v_matches, 'is_estimate', false);
  end if;
  return jsonb_build_object('is_estimate', true, 'matches', least(
    greatest(private.expected_customers(p_org_id, v_filters), v_matches),
    (select t.customers from private.customer_totals_now(p_org_id) t)));
end;
$$;
comment on function public.customer_count(uuid, jsonb) is
  'How many customers of an organisation pass the filters of the list (private.matches_filters): exact up to 10,000, beyond that '
  'estimated from the statistics of the database; the shape is customerCount of _shared/domain. Error 42501 without the '
  'permission customers.read there.';
grant execute on function public.customer_count(uuid, jsonb) to authenticated;

-- Who may read and write --------------------------------------------------------------------------

alter table public.customers enable row level security;
grant select,
  insert (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, locale),
  update (store_id, first_name, last_name, name, email, phone, consent_marketing, locale)
  on public.customers to authenticated;
grant select, insert, update, delete on public.customers to service_role;
create policy "Members read the customers" on public.customers
  for select to authenticated using (org_id = any (array(select private.my_org_ids('customers.read'))));
create policy "Members add customers" on public.customers
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('customers.write'))));
create policy "Members change customers" on public.customers
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('customers.write'))))
  with check (org_id = any (array(select private.my_org_ids('customers.write'))));

-- 10_figures.sql ==================================================================================

-- Figures: counters, and how they are folded.
--
-- Dashboards must not count events, and counting must not make customers queue on one row. Each counter is spread over
-- 16 rows ("shards"); a database connection always adds to its own, so that two customers served at once hardly ever meet.
-- A day that is over changes no more: its shards become one row, and what they held is added to a row for the campaign's
-- whole life and to one for the organisation's day. Whatever comes late for such a day lands in a shard again, and is
-- folded like the rest (decision 026). Readers ask the functions named …_now, which add what is not folded yet.

create table public.campaign_daily_stats (
  org_id uuid not null,
  campaign_id uuid not null,
  day date not null,
  -- The last shard is that of days that are settled: no connection counts into it.
  shard smallint not null check (shard between 0 and 16),
  store_id uuid not null,
  scans integer not null default 0,
  reviews integer not null default 0,
  rating_sum integer not null default 0,
  five_star_reviews integer not null default 0,
  public_clicks integer not null default 0,
  spins integer not null default 0,
  wins integer not null default 0,
  redemptions integer not null default 0,
  one_star_reviews integer not null default 0,
  two_star_reviews integer not null default 0,
  three_star_reviews integer not null default 0,
  four_star_reviews integer not null default 0,
  primary key (org_id, campaign_id, day, shard, store_id),
  -- The store has no foreign key here: with both in the primary key, the data API would take this table for
  -- a many-to-many relation of campaigns and stores, and « the store of a campaign » would be ambiguous.
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict
) with (fillfactor = 60);
create index campaign_daily_stats_org_store_idx on public.campaign_daily_stats (org_id, store_id, day);
-- Few rows, wherever they are in time. Days of an organisation are read from folded_days.
create index campaign_daily_stats_open_idx on public.campaign_daily_stats (org_id, campaign_id, day) where shard < 16;
comment on table public.campaign_daily_stats is
  'Figures of a campaign a day, kept by the transactions that write the events. Sum over the shards.';
comment on column public.campaign_daily_stats.org_id is 'Organisation.';
comment on column public.campaign_daily_stats.campaign_id is 'Campaign.';
comment on column public.campaign_daily_stats.day is 'Day in the store''s time zone.';
comment on column public.campaign_daily_stats.shard is
  'Which part of the day''s figures: 0 to 15 are counted into, 16 holds what fold_days has settled.';
comment on column public.campaign_daily_stats.store_id is 'Store of the campaign at the time.';
comment on column public.campaign_daily_stats.scans is 'Scans.';
comment on column public.campaign_daily_stats.reviews is 'Reviews.';
comment on column public.campaign_daily_stats.rating_sum is 'Sum of their stars.';
comment on column public.campaign_daily_stats.five_star_reviews is 'Reviews of 5 stars.';
comment on column public.campaign_daily_stats.public_clicks is 'Visits that opened the public reviews page, counted on the day when they did.';
comment on column public.campaign_daily_stats.spins is 'Turns of the wheel.';
comment on column public.campaign_daily_stats.wins is 'Turns that won.';
comment on column public.campaign_daily_stats.redemptions is 'Codes used, counted on the day of their use, minus those given back.';
comment on column public.campaign_daily_stats.one_star_reviews is 'Reviews of 1 star.';
comment on column public.campaign_daily_stats.two_star_reviews is 'Reviews of 2 stars.';
comment on column public.campaign_daily_stats.three_star_reviews is 'Reviews of 3 stars.';
comment on column public.campaign_daily_stats.four_star_reviews is 'Reviews of 4 stars.';

-- Whatever happens is appended to one narrow table, which nobody ever waits for; a job folds that into the figures
-- (decision 020). Readers add both up, by the functions below: they always see everything that was committed. Totals and
-- days apart, since the list adds up a reward's whole life, and the picture the last 90 days: each reads few rows.
create table private.recent_figures (
  id bigint not null generated always as identity,
  org_id uuid not null,
  reward_id uuid,
  day date,
  wins integer not null default 0,
  codes integer not null default 0,
  redemptions integer not null default 0,
  expirations integer not null default 0,
  customers integer not null default 0,
  consents integer not null default 0,
  participants integer not null default 0,
  primary key (org_id, id)
);
comment on table private.recent_figures is
  'What happened to rewards and customers since the figures were last folded: a row an event, or minus one. No foreign '
  'key: what is gone when it is folded is left out.';
comment on column private.recent_figures.id is 'Number of the row.';
comment on column private.recent_figures.org_id is 'Organisation.';
comment on column private.recent_figures.reward_id is 'Reward; null when the row is about customers.';
comment on column private.recent_figures.day is 'Day in the store''s time zone of a win, or of the use of a code.';
comment on column private.recent_figures.wins is 'As in reward_totals.';
comment on column private.recent_figures.codes is 'As in reward_totals.';
comment on column private.recent_figures.redemptions is 'As in reward_totals.';
comment on column private.recent_figures.expirations is 'As in reward_totals.';
comment on column private.recent_figures.customers is 'As in customer_totals.';
comment on column private.recent_figures.consents is 'As in customer_totals.';
comment on column private.recent_figures.participants is 'As in customer_totals.';

create table public.reward_totals (
  org_id uuid not null,
  reward_id uuid not null,
  wins integer not null default 0,
  codes integer not null default 0,
  redemptions integer not null default 0,
  expirations integer not null default 0,
  primary key (org_id, reward_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
comment on table public.reward_totals is
  'Figures of a reward''s whole life, as last folded. private.reward_totals_now() has them of this instant.';
comment on column public.reward_totals.org_id is 'Organisation.';
comment on column public.reward_totals.reward_id is 'Reward.';
comment on column public.reward_totals.wins is 'Turns that won it.';
comment on column public.reward_totals.codes is 'Codes that were given; points have none.';
comment on column public.reward_totals.redemptions is 'Codes used, minus those given back.';
comment on column public.reward_totals.expirations is 'Codes that expired unused.';

create table public.reward_daily_stats (
  org_id uuid not null,
  reward_id uuid not null,
  day date not null,
  wins integer not null default 0,
  redemptions integer not null default 0,
  primary key (org_id, reward_id, day),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
comment on table public.reward_daily_stats is
  'Figures of a reward a day, as last folded. private.reward_days_now() has them of this instant.';
comment on column public.reward_daily_stats.org_id is 'Organisation.';
comment on column public.reward_daily_stats.reward_id is 'Reward.';
comment on column public.reward_daily_stats.day is 'Day in the store''s time zone.';
comment on column public.reward_daily_stats.wins is 'Turns that won it.';
comment on column public.reward_daily_stats.redemptions is 'Codes used, counted on the day of their use, minus those given back.';

create table public.customer_totals (
  org_id uuid primary key references public.organizations (id) on delete cascade,
  customers integer not null default 0,
  consents integer not null default 0,
  participants integer not null default 0
) with (fillfactor = 60);
comment on table public.customer_totals is
  'How many customers an organisation has, as last folded. private.customer_totals_now() has it of this instant.';
comment on column public.customer_totals.org_id is 'Organisation.';
comment on column public.customer_totals.customers is 'Customers.';
comment on column public.customer_totals.consents is 'Customers who agreed to marketing.';
comment on column public.customer_totals.participants is 'Customers who turned the wheel at least once.';

-- A reward may be moved to another campaign, so its own totals do not tell what it was worth to this one. Written
-- when a code is used or given back, never while somebody waits for the wheel.
create table public.campaign_reward_totals (
  org_id uuid not null,
  campaign_id uuid not null,
  reward_id uuid not null,
  shard smallint not null check (shard between 0 and 15),
  redemptions integer not null default 0,
  primary key (org_id, campaign_id, reward_id, shard),
  -- The campaign has no foreign key here: with both in the primary key, the data API would take this table for a
  -- many-to-many relation of campaigns and rewards, and « the campaign of a reward » would be ambiguous.
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
create index campaign_reward_totals_reward_idx on public.campaign_reward_totals (org_id, reward_id);
comment on table public.campaign_reward_totals is
  'How often a campaign''s codes of a reward were used, kept by the transactions that use them. Sum over the shards.';
comment on column public.campaign_reward_totals.org_id is 'Organisation.';
comment on column public.campaign_reward_totals.campaign_id is 'Campaign in which the code was won.';
comment on column public.campaign_reward_totals.reward_id is 'Reward.';
comment on column public.campaign_reward_totals.shard is 'Which of the 16 parts of the figures, 0 to 15.';
comment on column public.campaign_reward_totals.redemptions is 'Codes used, minus those given back.';

create table private.folded_campaigns (
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  scans integer not null,
  reviews integer not null,
  rating_sum integer not null,
  one_star_reviews integer not null,
  two_star_reviews integer not null,
  three_star_reviews integer not null,
  four_star_reviews integer not null,
  five_star_reviews integer not null,
  public_clicks integer not null,
  spins integer not null,
  wins integer not null,
  redemptions integer not null,
  primary key (org_id, campaign_id, store_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade
) with (fillfactor = 60);
comment on table private.folded_campaigns is
  'Sum of a campaign''s settled days at a store. private.campaign_figures_now() adds what is not settled.';
comment on column private.folded_campaigns.org_id is 'Organisation.';
comment on column private.folded_campaigns.campaign_id is 'Campaign.';
comment on column private.folded_campaigns.store_id is 'Store of the campaign at the time.';
comment on column private.folded_campaigns.scans is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.rating_sum is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.one_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.two_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.three_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.four_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.five_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.public_clicks is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.spins is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.wins is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.redemptions is 'As in campaign_daily_stats.';

create table private.folded_days (
  org_id uuid not null references public.organizations (id) on delete cascade,
  day date not null,
  scans integer not null,
  reviews integer not null,
  rating_sum integer not null,
  one_star_reviews integer not null,
  two_star_reviews integer not null,
  three_star_reviews integer not null,
  four_star_reviews integer not null,
  five_star_reviews integer not null,
  public_clicks integer not null,
  spins integer not null,
  wins integer not null,
  redemptions integer not null,
  primary key (org_id, day)
) with (fillfactor = 60);
comment on table private.folded_days is
  'Sum of a settled day over an organisation''s campaigns. private.day_figures_now() adds what is not settled.';
comment on column private.folded_days.org_id is 'Organisation.';
comment on column private.folded_days.day is 'Day in the store''s time zone.';
comment on column private.folded_days.scans is 'As in campaign_daily_stats.';
comment on column private.folded_days.reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.rating_sum is 'As in campaign_daily_stats.';
comment on column private.folded_days.one_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.two_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.three_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.four_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.five_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.public_clicks is 'As in campaign_daily_stats.';
comment on column private.folded_days.spins is 'As in campaign_daily_stats.';
comment on column private.folded_days.wins is 'As in campaign_daily_stats.';
comment on column private.folded_days.redemptions is 'As in campaign_daily_stats.';

create function private.count_event(
  p_org_id uuid, p_campaign_id uuid, p_store_id uuid, p_day date,
  p_scans integer default 0, p_reviews integer default 0, p_rating_sum integer default 0,
  p_five_star_reviews integer default 0, p_public_clicks integer default 0, p_spins integer default 0,
  p_wins integer default 0, p_redemptions integer default 0
) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.campaign_daily_stats as d
    (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
      three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
  -- The sum of one review's stars is its stars.
  values (p_org_id, p_campaign_id, p_day, private.shard(), p_store_id, p_scans, p_reviews, p_rating_sum,
    (p_reviews = 1 and p_rating_sum = 1)::integer, (p_reviews = 1 and p_rating_sum = 2)::integer,
    (p_reviews = 1 and p_rating_sum = 3)::integer, (p_reviews = 1 and p_rating_sum = 4)::integer,
    p_five_star_reviews, p_public_clicks, p_spins, p_wins, p_redemptions)
  on conflict (org_id, campaign_id, day, shard, store_id) do update set
    scans = d.scans + excluded.scans,
    reviews = d.reviews + excluded.reviews,
    rating_sum = d.rating_sum + excluded.rating_sum,
    one_star_reviews = d.one_star_reviews + excluded.one_star_reviews,
    two_star_reviews = d.two_star_reviews + excluded.two_star_reviews,
    three_star_reviews = d.three_star_reviews + excluded.three_star_reviews,
    four_star_reviews = d.four_star_reviews + excluded.four_star_reviews,
    five_star_reviews = d.five_star_reviews + excluded.five_star_reviews,
    public_clicks = d.public_clicks + excluded.public_clicks,
    spins = d.spins + excluded.spins,
    wins = d.wins + excluded.wins,
    redemptions = d.redemptions + excluded.redemptions;
end;
$$;
comment on function private.count_event(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer) is
  'Adds to the figures of a campaign''s day, in the same transaction as the event; reviews one at a time.';

-- With a setting of its own, a function is called apart: it takes 7 to 9 microseconds a call instead of under 1 to 5, an index
-- no longer answers it, and a list is made whole before its first row is read. Those of which that matters have bodies whose
-- names were bound when they were made, which no search path changes (tests/database/catalog.test.ts lists them).
create function private.reward_totals_now(p_org_id uuid)
returns table (reward_id uuid, wins integer, codes integer, redemptions integer, expirations integer)
language sql stable
begin atomic
  select t.reward_id, t.wins, t.codes, t.redemptions, t.expirations
  from public.reward_totals t where t.org_id = p_org_id
  union all
  select f.reward_id, f.wins, f.codes, f.redemptions, f.expirations
  from private.recent_figures f where f.org_id = p_org_id and f.reward_id is not null;
end;
comment on function private.reward_totals_now(uuid) is
  'Figures of an organisation''s rewards at this instant: sum over the rows of a reward. Planned as part of the query that calls it.';

create function private.reward_days_now(p_org_id uuid)
returns table (reward_id uuid, day date, wins integer, redemptions integer)
language sql stable
begin atomic
  select d.reward_id, d.day, d.wins, d.redemptions from public.reward_daily_stats d where d.org_id = p_org_id
  union all
  select f.reward_id, f.day, f.wins, f.redemptions
  from private.recent_figures f where f.org_id = p_org_id and f.reward_id is not null and f.day is not null;
end;
comment on function private.reward_days_now(uuid) is
  'Figures of an organisation''s rewards a day at this instant: sum over the rows of a reward and a day. Planned as part of '
  'the query that calls it.';

create function private.count_win() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.recent_figures (org_id, reward_id, day, wins, codes)
  select new.org_id, new.reward_id, (new.created_at at time zone s.timezone)::date, 1,
    (new.result ->> 'redemption_code' is not null)::integer
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  return null;
end;
$$;
comment on function private.count_win() is 'Counts a win, and the code that came with it, for its reward.';

create function private.count_code_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.recent_figures (org_id, reward_id, day, redemptions, expirations)
  select new.org_id, new.reward_id, (coalesce(new.used_at, old.used_at) at time zone s.timezone)::date,
    (new.status = 'used')::integer - (old.status = 'used')::integer, (new.status = 'expired')::integer
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  return null;
end;
$$;
comment on function private.count_code_change() is
  'Counts a code that is used, given back (on the day of its use) or expired for its reward.';

create function private.customer_totals_now(p_org_id uuid, out customers bigint, out consents bigint, out participants bigint)
language sql stable set search_path = ''
as $$
  select coalesce(sum(t.customers), 0), coalesce(sum(t.consents), 0), coalesce(sum(t.participants), 0)
  from (
    select f.customers, f.consents, f.participants from public.customer_totals f where f.org_id = p_org_id
    union all
    select f.customers, f.consents, f.participants
    from private.recent_figures f where f.org_id = p_org_id and f.reward_id is null
  ) t;
$$;
comment on function private.customer_totals_now(uuid) is 'How many customers an organisation has at this instant.';

create function private.count_customer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.recent_figures (org_id, customers, consents, participants)
    values (new.org_id, 1, new.consent_marketing::integer, (new.spin_count > 0)::integer);
  elsif tg_op = 'DELETE' then
    insert into private.recent_figures (org_id, customers, consents, participants)
    values (old.org_id, -1, -old.consent_marketing::integer, -(old.spin_count > 0)::integer);
  else
    insert into private.recent_figures (org_id, consents, participants)
    values (new.org_id, new.consent_marketing::integer - old.consent_marketing::integer,
      (new.spin_count > 0)::integer - (old.spin_count > 0)::integer);
  end if;
  return null;
end;
$$;
comment on function private.count_customer() is 'Counts a customer who comes, goes, agrees to marketing or plays for the first time.';
create trigger count_new_or_gone_customer after insert or delete on public.customers
  for each row execute function private.count_customer();
create trigger count_changed_customer after update of consent_marketing, spin_count on public.customers
  for each row
  when (
    old.consent_marketing is distinct from new.consent_marketing
    or (old.spin_count > 0) is distinct from (new.spin_count > 0)
  )
  execute function private.count_customer();

create function private.fold_figures(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  -- One statement: whoever reads meanwhile finds every event once, in the recent rows or in the figures.
  with taken as (
    delete from private.recent_figures f where f.ctid = any (array(
      select o.ctid from private.recent_figures o limit 10 * p_limit for update skip locked
    ))
    returning f.*
  ), totals as (
    insert into public.reward_totals as t (org_id, reward_id, wins, codes, redemptions, expirations)
    select f.org_id, f.reward_id, sum(f.wins), sum(f.codes), sum(f.redemptions), sum(f.expirations)
    from taken f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    group by f.org_id, f.reward_id
    on conflict (org_id, reward_id) do update set
      wins = t.wins + excluded.wins,
      codes = t.codes + excluded.codes,
      redemptions = t.redemptions + excluded.redemptions,
      expirations = t.expirations + excluded.expirations
  ), days as (
    insert into public.reward_daily_stats as d (org_id, reward_id, day, wins, redemptions)
    select f.org_id, f.reward_id, f.day, sum(f.wins), sum(f.redemptions)
    from taken f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    where f.day is not null
    group by f.org_id, f.reward_id, f.day
    on conflict (org_id, reward_id, day) do update set
      wins = d.wins + excluded.wins,
      redemptions = d.redemptions + excluded.redemptions
  ), customers as (
    insert into public.customer_totals as t (org_id, customers, consents, participants)
    select f.org_id, sum(f.customers), sum(f.consents), sum(f.participants)
    from taken f join public.organizations o on o.id = f.org_id
    where f.reward_id is null
    group by f.org_id
    -- Somebody whom a refused turn made and took away again is nothing to write down.
    having sum(f.customers) <> 0 or sum(f.consents) <> 0 or sum(f.participants) <> 0
    on conflict (org_id) do update set
      customers = t.customers + excluded.customers,
      consents = t.consents + excluded.consents,
      participants = t.participants + excluded.participants
  )
  select count(*) into v_count from taken;
  return v_count;
end;
$$;
comment on function private.fold_figures(integer) is
  'Job: what happened lately goes into the figures of rewards and customers (decision 020).';
insert into private.jobs (name, run_every) values ('fold_figures', interval '1 minute');

create function private.count_code_of_campaign() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.campaign_reward_totals as t (org_id, campaign_id, reward_id, shard, redemptions)
  values (new.org_id, new.campaign_id, new.reward_id, private.shard(),
    (new.status = 'used')::integer - (old.status = 'used')::integer)
  on conflict (org_id, campaign_id, reward_id, shard) do update set redemptions = t.redemptions + excluded.redemptions;
  return null;
end;
$$;
comment on function private.count_code_of_campaign() is
  'Counts a code that is used, or given back, for its campaign and reward, at the end of the transaction: see count_win.';

create function private.funnel(p_totals jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
return jsonb_build_object('scans', p_totals -> 'scans', 'reviews', p_totals -> 'reviews', 'spins', p_totals -> 'spins',
  'wins', p_totals -> 'wins', 'redemptions', p_totals -> 'redemptions');
comment on function private.funnel(jsonb) is 'Funnel made of totals: scan, review, spin, win, use.';

create function private.campaign_figures_now(p_org_id uuid)
returns table (
  campaign_id uuid, store_id uuid, scans integer, reviews integer, rating_sum integer, one_star_reviews integer,
  two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer,
  public_clicks integer, spins integer, wins integer, redemptions integer
)
language sql stable
begin atomic
  select f.campaign_id, f.store_id, f.scans, f.reviews, f.rating_sum, f.one_star_reviews, f.two_star_reviews,
    f.three_star_reviews, f.four_star_reviews, f.five_star_reviews, f.public_clicks, f.spins, f.wins, f.redemptions
  from private.folded_campaigns f where f.org_id = p_org_id
  union all
  select d.campaign_id, d.store_id, d.scans, d.reviews, d.rating_sum, d.one_star_reviews, d.two_star_reviews,
    d.three_star_reviews, d.four_star_reviews, d.five_star_reviews, d.public_clicks, d.spins, d.wins, d.redemptions
  from public.campaign_daily_stats d where d.org_id = p_org_id and d.shard < 16;
end;
comment on function private.campaign_figures_now(uuid) is
  'Figures of the whole lives of an organisation''s campaigns, by store, at this instant: sum over the rows. Planned as part '
  'of the query that calls it.';

create function private.campaign_totals(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0),
    'stars', jsonb_build_array(coalesce(sum(d.one_star_reviews), 0), coalesce(sum(d.two_star_reviews), 0),
      coalesce(sum(d.three_star_reviews), 0), coalesce(sum(d.four_star_reviews), 0),
      coalesce(sum(d.five_star_reviews), 0)),
    'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
    'redemptions', coalesce(sum(d.redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where d.campaign_id = p_campaign_id;
$$;
comment on function private.campaign_totals(uuid, uuid) is
  'Figures of a campaign''s whole life; stars are the reviews of 1, 2, 3, 4 and 5 stars.';

create function private.campaign_days(p_org_id uuid, p_campaign_id uuid, p_today date) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
    'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
  from generate_series(p_today - 29, p_today, interval '1 day') as calendar (day)
  left join (
    select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
    from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.campaign_id = p_campaign_id and d.day > p_today - 30 and d.day <= p_today
    group by d.day
  ) f on f.day = calendar.day::date;
$$;
comment on function private.campaign_days(uuid, uuid, date) is
  'Scans, reviews and spins of a campaign on each of the 30 days that end with one, oldest first.';

create function private.fold_days(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  -- One statement: whoever reads meanwhile finds every event once, among the open rows or in the sums.
  with taken as (
    delete from public.campaign_daily_stats d where d.ctid = any (array(
      select o.ctid
      from public.campaign_daily_stats o left join public.stores s on s.org_id = o.org_id and s.id = o.store_id
      where o.shard < 16 and o.day < private.now_in(coalesce(s.timezone, 'Europe/Paris'))::date
      limit 10 * p_limit::bigint for update of o skip locked
    ))
    returning d.*
  ), settled as (
    insert into public.campaign_daily_stats as d
      (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
    select t.org_id, t.campaign_id, t.day, 16, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions)
    from taken t group by t.org_id, t.campaign_id, t.day, t.store_id order by t.org_id, t.campaign_id, t.day, t.store_id
    on conflict (org_id, campaign_id, day, shard, store_id) do update set
      scans = d.scans + excluded.scans,
      reviews = d.reviews + excluded.reviews,
      rating_sum = d.rating_sum + excluded.rating_sum,
      one_star_reviews = d.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = d.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = d.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = d.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = d.five_star_reviews + excluded.five_star_reviews,
      public_clicks = d.public_clicks + excluded.public_clicks,
      spins = d.spins + excluded.spins,
      wins = d.wins + excluded.wins,
      redemptions = d.redemptions + excluded.redemptions
  ), campaigns as (
    insert into private.folded_campaigns as c
      (org_id, campaign_id, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
    select t.org_id, t.campaign_id, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions)
    from taken t group by t.org_id, t.campaign_id, t.store_id order by t.org_id, t.campaign_id, t.store_id
    on conflict (org_id, campaign_id, store_id) do update set
      scans = c.scans + excluded.scans,
      reviews = c.reviews + excluded.reviews,
      rating_sum = c.rating_sum + excluded.rating_sum,
      one_star_reviews = c.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = c.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = c.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = c.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = c.five_star_reviews + excluded.five_star_reviews,
      public_clicks = c.public_clicks + excluded.public_clicks,
      spins = c.spins + excluded.spins,
      wins = c.wins + excluded.wins,
      redemptions = c.redemptions + excluded.redemptions
  ), days as (
    insert into private.folded_days as f
      (org_id, day, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
    select t.org_id, t.day, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions)
    from taken t group by t.org_id, t.day order by t.org_id, t.day
    on conflict (org_id, day) do update set
      scans = f.scans + excluded.scans,
      reviews = f.reviews + excluded.reviews,
      rating_sum = f.rating_sum + excluded.rating_sum,
      one_star_reviews = f.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = f.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = f.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = f.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = f.five_star_reviews + excluded.five_star_reviews,
      public_clicks = f.public_clicks + excluded.public_clicks,
      spins = f.spins + excluded.spins,
      wins = f.wins + excluded.wins,
      redemptions = f.redemptions + excluded.redemptions
  )
  select count(*) into v_count from taken;
  return v_count;
end;
$$;
comment on function private.fold_days(integer) is
  'Job: days that are over in their store''s time zone become one row each, and part of the sums of campaigns and of '
  'organisations'' days (decision 026).';
insert into private.jobs (name, run_every) values ('fold_days', interval '10 minutes');

create function private.day_figures_now(p_org_id uuid, p_from date, p_to date)
returns table (
  day date, scans integer, reviews integer, rating_sum integer, one_star_reviews integer, two_star_reviews integer,
  three_star_reviews integer, four_star_reviews integer, five_star_reviews integer, public_clicks integer,
  spins integer, wins integer, redemptions integer
)
language sql stable
begin atomic
  select f.day, f.scans, f.reviews, f.rating_sum, f.one_star_reviews, f.two_star_reviews,
    f.three_star_reviews, f.four_star_reviews, f.five_star_reviews, f.public_clicks, f.spins, f.wins, f.redemptions
  from private.folded_days f where f.org_id = p_org_id and f.day >= p_from and f.day < p_to
  union all
  select d.day, d.scans, d.reviews, d.rating_sum, d.one_star_reviews, d.two_star_reviews,
    d.three_star_reviews, d.four_star_reviews, d.five_star_reviews, d.public_clicks, d.spins, d.wins, d.redemptions
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_to;
end;
comment on function private.day_figures_now(uuid, date, date) is
  'Figures of an organisation''s days from one up to another, which is left out, at this instant: sum over the rows of a '
  'day. Planned as part of the query that calls it.';

create function private.organization_totals(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'scans', coalesce(sum(f.scans), 0), 'reviews', coalesce(sum(f.reviews), 0),
    'rating_sum', coalesce(sum(f.rating_sum), 0), 'five_star_reviews', coalesce(sum(f.five_star_reviews), 0),
    'wins', coalesce(sum(f.wins), 0), 'redemptions', coalesce(sum(f.redemptions), 0))
  from private.campaign_figures_now(p_org_id) f;
$$;
comment on function private.organization_totals(uuid) is 'Figures of an organisation, of all time.';

create function private.recent_days(p_org_id uuid, p_today date) returns jsonb
language sql stable set search_path = ''
as $$
  with days as materialized (
    select d.day, d.day >= p_today - 29 as is_recent, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews, sum(d.spins) as spins,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.day_figures_now(p_org_id, p_today - 59, 'infinity') d
    group by d.day
  ), periods as (
    select p.is_recent, jsonb_build_object(
      'scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
      'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
      'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0)) as totals
    from (values (true), (false)) p (is_recent) left join days d on d.is_recent = p.is_recent
    group by p.is_recent
  )
  select jsonb_build_object(
    'last_30_days', (select p.totals from periods p where p.is_recent),
    'previous_30_days', (select p.totals from periods p where not p.is_recent),
    'monthly_spins', (
      select coalesce(sum(d.spins), 0) from days d
      where d.day >= date_trunc('month', p_today)::date and d.day < (date_trunc('month', p_today) + interval '1 month')::date),
    'days', (
      select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(d.scans, 0),
        'reviews', coalesce(d.reviews, 0), 'spins', coalesce(d.spins, 0)) order by calendar.day)
      from generate_series(p_today - 29, p_today, interval '1 day') as calendar (day)
      left join days d on d.day = calendar.day::date),
    'funnel', (
      select private.funnel(jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
        'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
        'redemptions', coalesce(sum(d.redemptions), 0)))
      from days d where d.is_recent and d.day <= p_today));
$$;
comment on function private.recent_days(uuid, date) is
  'What the dashboard shows of an organisation''s last 60 days, read once: totals of the 30 days that end with a day and of '
  'the 30 before, spins of its month, each of the 30 days, oldest first, and how far customers came in them.';

-- Who may read and write --------------------------------------------------------------------------

alter table public.campaign_daily_stats enable row level security;
grant select on public.campaign_daily_stats to authenticated;
grant select, insert, update, delete on public.campaign_daily_stats to service_role;
-- Trends are read from these tables: what a function leaves out must not be had from them.
create policy "Members read the figures" on public.campaign_daily_stats
  for select to authenticated
  using (org_id = any (array(
    select o from private.my_org_ids('activity.read') o where private.has_feature(o, 'advanced_analytics'))));

alter table private.recent_figures enable row level security;

alter table public.reward_totals enable row level security;
grant select on public.reward_totals to authenticated;
grant select, insert, update, delete on public.reward_totals to service_role;
create policy "Members read the totals of rewards" on public.reward_totals
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));

alter table public.reward_daily_stats enable row level security;
grant select on public.reward_daily_stats to authenticated;
grant select, insert, update, delete on public.reward_daily_stats to service_role;
create policy "Members read the daily figures of rewards" on public.reward_daily_stats
  for select to authenticated
  using (org_id = any (array(
    select o from private.my_org_ids('activity.read') o where private.has_feature(o, 'advanced_analytics'))));

alter table public.customer_totals enable row level security;
grant select on public.customer_totals to authenticated;
grant select, insert, update, delete on public.customer_totals to service_role;
create policy "Members read the totals of customers" on public.customer_totals
  for select to authenticated using (org_id = any (array(select private.my_org_ids('customers.read'))));

alter table public.campaign_reward_totals enable row level security;
grant select on public.campaign_reward_totals to authenticated;
grant select, insert, update, delete on public.campaign_reward_totals to service_role;
create policy "Members read the totals of campaigns' rewards" on public.campaign_reward_totals
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));

alter table private.folded_campaigns enable row level security;

alter table private.folded_days enable row level security;

-- 11_public_pages.sql =============================================================================

-- Public pages: what somebody without a session is shown, and the scans that are counted.
--
-- The anonymous key reads no table. A public page gets what it needs by slug, from the functions below, which only the
-- server's own role may call: no list of merchants, no internal description. A visitor is an address with a browser's name,
-- and the name is whatever a program says: an address therefore has its limit of scans in a campaign, high enough for a
-- shop's Wi-Fi and a mobile network.

create table public.scan_events (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  source text not null default 'qr' check (source ~ '^[a-z0-9_-]{1,32}$'),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict
);
create index scan_events_org_campaign_idx on public.scan_events (org_id, campaign_id, created_at desc);
create index scan_events_org_store_idx on public.scan_events (org_id, store_id);
comment on table public.scan_events is 'A visit through a printed QR code or a link (specification, section 3).';
comment on column public.scan_events.id is 'Identifier.';
comment on column public.scan_events.org_id is 'Organisation.';
comment on column public.scan_events.campaign_id is 'Campaign.';
comment on column public.scan_events.store_id is 'Store of the campaign at the time.';
comment on column public.scan_events.source is 'qr, or the word of the link.';
comment on column public.scan_events.created_at is 'When.';

-- Scans are counted once in 30 minutes for one visitor of one campaign.
create unlogged table private.recent_scans (
  campaign_id uuid not null,
  visitor_hash text not null,
  scanned_at timestamptz not null,
  primary key (campaign_id, visitor_hash)
);
create index recent_scans_scanned_at_idx on private.recent_scans (scanned_at);
comment on table private.recent_scans is 'Visitors of the last half hour, so that a reload is not a second scan.';
comment on column private.recent_scans.campaign_id is 'Campaign.';
comment on column private.recent_scans.visitor_hash is 'Keyed hash of address and user agent.';
comment on column private.recent_scans.scanned_at is 'When the scan was counted.';

create function private.running_campaign(p_slug text) returns setof public.campaigns
language plpgsql stable set search_path = ''
as $$
begin
  return query
    with named as (
      select c.* from public.campaigns c where c.slug = p_slug
      union all
      select c.* from public.campaign_slug_redirects r
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
      where r.slug = p_slug
    )
    select c.* from public.campaigns c
    join public.subscriptions s on s.org_id = c.org_id
    where c.id = (select n.id from named n limit 1) and private.is_running(c, s);
end;
$$;
comment on function private.running_campaign(text) is
  'The running campaign behind a present or former slug; no row when there is none.';

create function public.campaign_page(p_slug text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_open boolean;
  v_result jsonb;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return null;
  end if;
  select * into v_wheel from private.wheel(v_campaign.org_id, v_campaign.id, null);
  v_is_open := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable) is not null
    and not v_wheel.is_example;

  select jsonb_build_object(
    'id', v_campaign.id,
    'slug', v_campaign.slug,
    'name', v_campaign.name,
    'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
    'store', jsonb_build_object('id', s.id, 'name', s.name, 'timezone', s.timezone),
    'google_review_url', s.google_review_url,
    'review_mode', s.review_mode,
    'starts_at', v_campaign.starts_at,
    'ends_at', v_campaign.ends_at,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color, 'position', w.n - 1)
        order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors) with ordinality as w (id, label, color, n)
    ),
    'wheel_open', v_is_open and (
      l.monthly_spins < 0
      or private.monthly_spins_used(o.id, private.now_in(s.timezone)::date) < l.monthly_spins
    ),
    'rules_version', v_campaign.rules_version,
    'white_label', l.white_label,
    'brand', private.brand(o.id)
  ) into v_result
  from public.organizations o
  join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
  join public.subscriptions u on u.org_id = o.id
  join public.plan_limits l on l.plan = u.plan
  where o.id = v_campaign.org_id;
  return v_result;
end;
$$;
comment on function public.campaign_page(text) is
  'All that the public may know of a running campaign, by present or former slug (design, section 4); null '
  'when there is none. The shape is publicCampaign of _shared/domain.';
grant execute on function public.campaign_page(text) to service_role;

create function public.organization_page(p_slug text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', o.name,
    'slug', o.slug,
    'white_label', private.has_feature(o.id, 'white_label'),
    'brand', private.brand(o.id),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'slug', c.slug, 'name', c.name, 'store_name', s.name, 'timezone', s.timezone, 'ends_at', c.ends_at
      ) order by c.created_at desc, c.id)
      from public.campaigns c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      where c.org_id = o.id and c.active and private.is_running(c, u)
    ), '[]'::jsonb)
  )
  from public.organizations o
  join public.subscriptions u on u.org_id = o.id
  where o.id = (
      select n.id
      from (
        select g.id, 0 as rank from public.organizations g where g.slug = p_slug
        union all
        select r.org_id, 1 from public.organization_slug_redirects r where r.slug = p_slug
      ) n
      order by n.rank limit 1
    )
    and private.is_open(u);
$$;
comment on function public.organization_page(text) is
  'An organisation''s open campaigns, newest first, for /org/{slug}, by present or former slug; null when it is unknown or '
  'closed.';
grant execute on function public.organization_page(text) to service_role;

create function public.record_scan(p_slug text, p_source text, p_visitor_hash text, p_address_hash text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_timezone text;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return 'campaign_not_found';
  end if;

  -- Looked at first, so that reloading a page takes nothing from those who share an address.
  if exists (
    select 1 from private.recent_scans r
    where r.campaign_id = v_campaign.id and r.visitor_hash = p_visitor_hash
      and r.scanned_at > now() - interval '30 minutes'
  ) then
    return 'repeated';
  end if;
  if private.count_attempt(
    array['scan address ' || p_address_hash || ' ' || v_campaign.id::text], '{600}', interval '1 hour') is not null
  then
    return 'too_many_attempts';
  end if;
  insert into private.recent_scans as r (campaign_id, visitor_hash, scanned_at)
  values (v_campaign.id, p_visitor_hash, now())
  on conflict (campaign_id, visitor_hash) do update set scanned_at = excluded.scanned_at
    where r.scanned_at <= now() - interval '30 minutes';
  if not found then
    return 'repeated';
  end if;
  if random() < 0.01 then
    delete from private.recent_scans r
    where r.ctid = any (array(
      select o.ctid from private.recent_scans o where o.scanned_at < now() - interval '30 minutes'
      limit 500 for update skip locked
    ));
  end if;

  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  insert into public.scan_events (org_id, campaign_id, store_id, source)
  values (v_campaign.org_id, v_campaign.id, v_campaign.store_id, p_source);
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_timezone)::date, p_scans => 1);
  return 'counted';
end;
$$;
comment on function public.record_scan(text, text, text, text) is
  'Counts a scan of a running campaign, once in 30 minutes for a visitor, and 600 new visitors an hour of one address. '
  'Outcomes: counted, repeated, too_many_attempts, campaign_not_found.';
grant execute on function public.record_scan(text, text, text, text) to service_role;

-- Who may read and write --------------------------------------------------------------------------

alter table public.scan_events enable row level security;
grant select on public.scan_events to authenticated;
grant select, insert, update, delete on public.scan_events to service_role;
create policy "Members read the scans" on public.scan_events
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));

alter table private.recent_scans enable row level security;
grant select on private.recent_scans to service_role;

-- 12_reviews.sql ==================================================================================

-- Reviews: what customers say, and which of them the team has seen.
--
-- A review is recorded when the star is touched, by a phone that may lose its network at any moment. The key that the page
-- makes for the visit decides: whoever comes again finds the first review. A review stays when its customer is forgotten,
-- and takes no words afterwards: nobody could be asked to have them erased. Reviews bear an alias for whoever may not name
-- customers: with a review's own identifier spin_wheel repeats the code that it won.

create table public.pre_spin_reviews (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  end_user_id uuid generated always as (customer_id) stored,
  visit_id uuid not null,
  customer_name text,
  customer_email text,
  customer_phone text,
  end_user_email text generated always as (customer_email) stored,
  rating smallint not null check (rating between 1 and 5),
  review_text text check (length(btrim(review_text)) >= 20 and length(review_text) <= 4000),
  consent_marketing boolean not null default false,
  source text not null default 'qr' check (source ~ '^[a-z0-9_-]{1,32}$'),
  public_click_at timestamptz,
  submitted_at timestamptz not null default now(),
  feedback_at timestamptz,
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  primary key (org_id, id),
  unique (org_id, campaign_id, visit_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id)
);
-- Who holds the identifier of a review acts on it without naming the organisation.
create index pre_spin_reviews_id_idx on public.pre_spin_reviews (id);
create index pre_spin_reviews_org_created_idx on public.pre_spin_reviews (org_id, created_at desc);
create index pre_spin_reviews_org_campaign_idx on public.pre_spin_reviews (org_id, campaign_id, created_at desc);
create index pre_spin_reviews_org_customer_idx on public.pre_spin_reviews (org_id, customer_id, created_at desc);
create index pre_spin_reviews_org_store_idx on public.pre_spin_reviews (org_id, store_id);
-- Only what is still to be seen stands in it: as short as the list that it serves.
create index pre_spin_reviews_org_unseen_idx on public.pre_spin_reviews (org_id, created_at desc)
  where rating <= 3 and seen_at is null;
comment on table public.pre_spin_reviews is 'A rating of a visit, with private feedback (specification, section 3).';
comment on column public.pre_spin_reviews.id is 'Identifier; who holds it may add the feedback and play once.';
comment on column public.pre_spin_reviews.org_id is 'Organisation.';
comment on column public.pre_spin_reviews.campaign_id is 'Campaign.';
comment on column public.pre_spin_reviews.store_id is 'Store of the campaign at the time.';
comment on column public.pre_spin_reviews.customer_id is 'Who; null once the customer is erased.';
comment on column public.pre_spin_reviews.end_user_id is 'The same, under the name of the specification.';
comment on column public.pre_spin_reviews.visit_id is 'Made by the page once a journey: a repeat finds the first review.';
comment on column public.pre_spin_reviews.customer_name is 'Name at the time.';
comment on column public.pre_spin_reviews.customer_email is 'E-mail at the time.';
comment on column public.pre_spin_reviews.customer_phone is 'Phone at the time.';
comment on column public.pre_spin_reviews.end_user_email is 'The e-mail again, under the other name of the specification.';
comment on column public.pre_spin_reviews.rating is 'Stars, 1 to 5.';
comment on column public.pre_spin_reviews.review_text is 'Private feedback, 20 to 4000 characters; null when none was left.';
comment on column public.pre_spin_reviews.consent_marketing is 'Whether the box was ticked on this visit.';
comment on column public.pre_spin_reviews.source is 'How the visit began.';
comment on column public.pre_spin_reviews.public_click_at is 'When the public reviews page was first opened from this visit.';
comment on column public.pre_spin_reviews.submitted_at is 'When the star was clicked.';
comment on column public.pre_spin_reviews.feedback_at is 'When the feedback was sent.';
comment on column public.pre_spin_reviews.created_at is 'When the row was written.';
comment on column public.pre_spin_reviews.seen_at is
  'When somebody of the team marked it as seen, so that the dashboard brings it up no more; null before.';

create function private.review_next(p_rating integer, p_review_mode text, p_google_review_url text) returns text
language sql immutable parallel safe set search_path = ''
return case
  when p_rating <= 3 then 'feedback'
  when p_rating = 4 and p_google_review_url is not null and p_review_mode = 'gating' then 'google'
  else 'ready'
end;
comment on function private.review_next(integer, text, text) is
  'The step after a rating (specification, section 4.2): the same table as afterRating of _shared/domain.';

create function public.record_review(
  p_campaign_id uuid, p_visit_id uuid, p_first_name text, p_last_name text, p_email text, p_phone text,
  p_consent_marketing boolean, p_rating integer, p_source text, p_address_hash text,
  out outcome text, out review_id uuid, out next text, out google_review_url text, out retry_after integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_review public.pre_spin_reviews;
  v_customer_id uuid;
  v_name text := btrim(concat_ws(' ', p_first_name, p_last_name));
begin
  -- One journey at a time: a double click waits here and finds the review of the first.
  perform pg_advisory_xact_lock(hashtextextended(p_campaign_id::text || p_visit_id::text, 1));
  select * into v_campaign from public.campaigns c where c.id = p_campaign_id;
  select * into v_review from public.pre_spin_reviews r
  where r.org_id = v_campaign.org_id and r.campaign_id = p_campaign_id and r.visit_id = p_visit_id;
  if found then
    select * into v_store from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id;
    outcome := 'repeated';
    review_id := v_review.id;
    next := private.review_next(v_review.rating, v_store.review_mode, v_store.google_review_url);
    google_review_url := v_store.google_review_url;
    return;
  end if;

  if not exists (
    select 1 from public.subscriptions s where s.org_id = v_campaign.org_id and private.is_running(v_campaign, s)
  ) then
    outcome := 'campaign_not_found';
    return;
  end if;

  retry_after := private.count_attempt(
    array['review address ' || p_address_hash || ' ' || p_campaign_id::text], '{600}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;

  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  select f.customer_id into v_customer_id
  from private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, p_first_name, p_last_name,
    v_name, p_email, p_phone, p_consent_marketing) f;
  -- Consent is given by ticking the box and stays until it is withdrawn; a blank box takes nothing back.
  update public.customers c
  set last_activity_at = now(), consent_marketing = c.consent_marketing or p_consent_marketing
  where c.org_id = v_campaign.org_id and c.id = v_customer_id;

  if (
    select count(*) from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.customer_id = v_customer_id
      and r.created_at > now() - interval '1 hour'
  ) >= 20 then
    outcome := 'too_many_attempts';
    retry_after := 3600;
    return;
  end if;

  insert into public.pre_spin_reviews (
    org_id, campaign_id, store_id, customer_id, visit_id, customer_name, customer_email, customer_phone,
    rating, consent_marketing, source
  ) values (
    v_campaign.org_id, v_campaign.id, v_campaign.store_id, v_customer_id, p_visit_id, v_name, p_email, p_phone,
    p_rating, p_consent_marketing, p_source
  ) returning id into review_id;
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_store.timezone)::date,
    p_reviews => 1, p_rating_sum => p_rating, p_five_star_reviews => (p_rating = 5)::integer);

  outcome := 'created';
  next := private.review_next(p_rating, v_store.review_mode, v_store.google_review_url);
  google_review_url := v_store.google_review_url;
end;
$$;
comment on function public.record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text) is
  'Records a rating and its customer, once for a visit (specification, section 7.2). Outcomes: created, repeated '
  '(the same visit again), campaign_not_found, too_many_attempts (with the seconds to wait).';
grant execute on function public.record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text)
  to service_role;

create function public.record_feedback(p_review_id uuid, p_feedback text, out outcome text, out google_review_url text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_store_id uuid;
  v_text text;
begin
  -- Whoever was forgotten has no review any more: what they write would come back to stay.
  update public.pre_spin_reviews r set review_text = p_feedback, feedback_at = now()
  where r.id = p_review_id and r.customer_id is not null and r.review_text is null
  returning r.org_id, r.store_id into v_org_id, v_store_id;
  if found then
    outcome := 'added';
  else
    select r.org_id, r.store_id, r.review_text into v_org_id, v_store_id, v_text
    from public.pre_spin_reviews r where r.id = p_review_id and r.customer_id is not null;
    outcome := case
      when not found then 'review_not_found'
      when v_text = p_feedback then 'repeated'
      else 'feedback_exists'
    end;
  end if;
  select s.google_review_url into google_review_url
  from public.stores s where s.org_id = v_org_id and s.id = v_store_id;
end;
$$;
comment on function public.record_feedback(uuid, text) is
  'Adds private feedback to a review, once. Outcomes: added, repeated (the same text again), feedback_exists '
  '(another text stands already), review_not_found (also when its customer was forgotten).';
grant execute on function public.record_feedback(uuid, text) to service_role;

create function public.record_public_click(p_review_id uuid, p_campaign_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_review public.pre_spin_reviews;
  v_timezone text;
begin
  update public.pre_spin_reviews r set public_click_at = now()
  where r.id = p_review_id and r.campaign_id = p_campaign_id and r.public_click_at is null
  returning * into v_review;
  if not found then
    return case when exists (
      select 1 from public.pre_spin_reviews r where r.id = p_review_id and r.campaign_id = p_campaign_id
    ) then 'repeated' else 'review_not_found' end;
  end if;
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_review.org_id and s.id = v_review.store_id;
  perform private.count_event(v_review.org_id, v_review.campaign_id, v_review.store_id,
    private.now_in(v_timezone)::date, p_public_clicks => 1);
  return 'counted';
end;
$$;
comment on function public.record_public_click(uuid, uuid) is
  'Counts that a visit opened the public reviews page, once. Answers counted, repeated or review_not_found.';
grant execute on function public.record_public_click(uuid, uuid) to service_role;

-- The customer's row is locked by whoever writes these events, before any counter: no order is added to the locks.
create function private.count_customer_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.customers c set review_count = c.review_count + 1, rating_sum = c.rating_sum + new.rating
  where c.org_id = new.org_id and c.id = new.customer_id;
  return null;
end;
$$;
comment on function private.count_customer_review() is 'Counts a review for its customer.';
create trigger count_customer_review after insert on public.pre_spin_reviews
  for each row when (new.customer_id is not null) execute function private.count_customer_review();

create function private.alias_of(p_id uuid) returns uuid
language sql immutable parallel safe set search_path = ''
as $$
  -- Marked as a UUID of a hash (version 8).
  select overlay(overlay(md5(p_id::text) placing '8' from 13) placing '8' from 17)::uuid;
$$;
comment on function private.alias_of(uuid) is
  'Tells one review from another in a list, always the same, and opens nothing: nobody finds the identifier that it was made of.';

create function private.customer_reviews(p_org_id uuid, p_customer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    -- As in private.unseen_reviews, which leads here.
    'id', case when p_org_id = any (array(select private.my_org_ids('codes.read'))) then r.id else private.alias_of(r.id) end,
    'at', r.created_at, 'rating', r.rating,
    'text', r.review_text, 'campaign', c.name) order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.customer_id = p_customer_id
    order by v.created_at desc, v.id desc limit 20
  ) r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id;
$$;
comment on function private.customer_reviews(uuid, uuid) is 'The last 20 reviews of a customer, newest first.';

create function private.unseen_reviews(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '7 days'
    order by r.created_at desc, r.id desc limit 100
  ), reader as (
    select private.may_name_customers(p_org_id) as sees_customers,
      p_org_id in (select private.my_org_ids('codes.read')) as sees_codes
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', case when reader.sees_customers and reader.sees_codes then r.id else private.alias_of(r.id) end,
        'at', r.created_at, 'rating', r.rating, 'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when reader.sees_customers then r.customer_id end,
        'name', case when reader.sees_customers then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'text', case when reader.sees_customers then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      cross join reader), '[]'::jsonb));
$$;
comment on function private.unseen_reviews(uuid) is
  'The newest 3 reviews of 3 stars or fewer within 7 days that nobody marked as seen, and how many there are, counted up to '
  '100. Who wrote them, and the beginning of their words (400 characters), for whoever may see customers; under an alias for '
  'whoever may not see codes.';

create function public.mark_review_seen(p_review_id uuid, p_is_seen boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('customers.write'));
begin
  update public.pre_spin_reviews r
  -- Whoever of two colleagues comes second changes nothing.
  set seen_at = case when p_is_seen then coalesce(r.seen_at, now()) end
  where r.org_id = any (v_org_ids) and r.id = p_review_id;
  if not found then
    -- By its alias, among those that the dashboard may have shown a day ago.
    update public.pre_spin_reviews r
    set seen_at = case when p_is_seen then coalesce(r.seen_at, now()) end
    where r.org_id = any (v_org_ids) and r.rating <= 3 and r.created_at > now() - interval '8 days'
      and private.alias_of(r.id) = p_review_id;
  end if;
  if not found or p_is_seen is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function public.mark_review_seen(uuid, boolean) is
  'Takes a review, named by its identifier or its alias, off what an organisation is to do next, or puts it back there. '
  'Errors: 42501 without the permission customers.write in its organisation.';
grant execute on function public.mark_review_seen(uuid, boolean) to authenticated;

create function private.campaign_reviews(p_org_id uuid, p_campaign_id uuid, p_is_named boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
    'name', case when p_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
    'customer_id', case when p_is_named then r.customer_id end)
    order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.campaign_id = p_campaign_id
    order by v.created_at desc limit 10
  ) r;
$$;
comment on function private.campaign_reviews(uuid, uuid, boolean) is
  'The 10 newest reviews of a campaign, newest first, with whose they are where asked.';

-- Who may read and write --------------------------------------------------------------------------

alter table public.pre_spin_reviews enable row level security;
grant select on public.pre_spin_reviews to authenticated;
grant select, insert, update, delete on public.pre_spin_reviews to service_role;
-- What names somebody and opens something asks for both rights, in one list that runs once a statement, so that the index on
-- org_id serves. A review and a turn open codes: spin_wheel answers whoever repeats the identifier of a review, or the key of a
-- turn, with the code that it won, and turns the wheel for whoever comes first with a review that has not played.
create policy "Members read the reviews" on public.pre_spin_reviews
  for select to authenticated
  using (org_id = any (array(
  select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read'))));

-- 13_spins.sql ====================================================================================

-- Spins: the draw, and what one spin writes.
--
-- A spin moves real prizes. It is drawn here, where no client can reach, in one transaction with the stock, the code and the
-- counters: whatever breaks, all of it happened once or none of it did. The draw knows neither the rating nor the text nor
-- the click of the review: nothing below reads them.

create table public.spins (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  review_id uuid,
  play_id uuid,
  segment_id uuid not null,
  reward_id uuid,
  end_user_email text,
  end_user_name text,
  result_type text not null check (result_type in ('reward', 'lose')),
  nonce uuid not null,
  rules_version integer not null,
  result json not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id),
  foreign key (org_id, review_id) references public.pre_spin_reviews (org_id, id) on delete set null (review_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict,
  check ((result_type = 'reward') = (reward_id is not null))
);
create unique index spins_review_key on public.spins (org_id, review_id) where review_id is not null;
create unique index spins_play_key on public.spins (org_id, campaign_id, play_id) where play_id is not null;
create index spins_org_campaign_idx on public.spins (org_id, campaign_id, created_at desc);
create index spins_org_customer_idx on public.spins (org_id, customer_id, created_at desc);
create index spins_org_reward_idx on public.spins (org_id, reward_id) where reward_id is not null;
create index spins_org_created_idx on public.spins (org_id, created_at desc);
create index spins_org_store_idx on public.spins (org_id, store_id);
comment on table public.spins is 'A spin, drawn by the server (specification, section 3).';
comment on column public.spins.id is 'Identifier.';
comment on column public.spins.org_id is 'Organisation.';
comment on column public.spins.campaign_id is 'Campaign.';
comment on column public.spins.store_id is 'Store of the campaign at the time.';
comment on column public.spins.customer_id is 'Who played; null once the customer is erased.';
comment on column public.spins.review_id is 'Review that gave the turn: one turn a review.';
comment on column public.spins.play_id is 'Key of a turn without a review, made by the page: one turn a key.';
comment on column public.spins.segment_id is 'Segment that was drawn. No foreign key: wheels are redrawn, history stays.';
comment on column public.spins.reward_id is 'Reward won; null for a loss.';
comment on column public.spins.end_user_email is 'E-mail at the time.';
comment on column public.spins.end_user_name is 'Name at the time.';
comment on column public.spins.result_type is 'reward (a win) or lose.';
comment on column public.spins.nonce is 'Random identifier of the draw, for its audit.';
comment on column public.spins.rules_version is 'Version of the rules that it was played under.';
comment on column public.spins.result is 'The answer that was given, letter for letter: a repeated call gets it again.';
comment on column public.spins.created_at is 'When.';
create trigger count_win after insert on public.spins
  for each row when (new.reward_id is not null) execute function private.count_win();

create table public.points_ledger (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  customer_id uuid not null,
  spin_id uuid,
  reward_id uuid,
  points integer not null check (points <> 0),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, spin_id),
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete cascade,
  foreign key (org_id, spin_id) references public.spins (org_id, id) on delete restrict,
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict
);
create index points_ledger_customer_idx on public.points_ledger (org_id, customer_id, created_at desc);
create index points_ledger_reward_idx on public.points_ledger (org_id, reward_id);
comment on table public.points_ledger is
  'Points credited to customers; the balance is the sum. Points rewards are credited automatically and need no code (specification, section 5).';
comment on column public.points_ledger.id is 'Identifier.';
comment on column public.points_ledger.org_id is 'Organisation.';
comment on column public.points_ledger.customer_id is 'Customer.';
comment on column public.points_ledger.spin_id is 'Turn that won them; one entry a turn.';
comment on column public.points_ledger.reward_id is 'Reward.';
comment on column public.points_ledger.points is 'Points added (or taken when negative).';
comment on column public.points_ledger.created_at is 'When.';

create table public.usage_alerts (
  org_id uuid not null references public.organizations (id) on delete cascade,
  month date not null,
  threshold smallint not null check (threshold in (80, 100)),
  created_at timestamptz not null default now(),
  primary key (org_id, month, threshold)
);
comment on table public.usage_alerts is
  'What a merchant has to be told: the month''s spins reached 80% or 100% of the plan.';
comment on column public.usage_alerts.org_id is 'Organisation.';
comment on column public.usage_alerts.month is 'First day of the month.';
comment on column public.usage_alerts.threshold is 'Percent of the plan''s spins: 80 or 100.';
comment on column public.usage_alerts.created_at is 'When it was reached.';

create function private.monthly_spins_used(p_org_id uuid, p_day date) returns integer
language plpgsql stable set search_path = ''
as $$
declare
  v_from constant date := date_trunc('month', p_day)::date;
  v_to constant date := (date_trunc('month', p_day) + interval '1 month')::date;
begin
  -- Not through day_figures_now: the draw asks this, and may know of turns alone.
  return coalesce((
    select sum(f.spins) from private.folded_days f
    where f.org_id = p_org_id and f.day >= v_from and f.day < v_to
  ), 0) + coalesce((
    select sum(d.spins) from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= v_from and d.day < v_to
  ), 0);
end;
$$;
comment on function private.monthly_spins_used(uuid, date) is
  'Spins of an organisation in the calendar month of a day: what the plan limits.';

create function private.wins_of(p_org_id uuid, p_customer_id uuid, p_reward_id uuid) returns bigint
language sql stable
return (
  select count(*) from public.spins w
  where w.org_id = p_org_id and w.customer_id = p_customer_id and w.reward_id = p_reward_id
);
comment on function private.wins_of(uuid, uuid, uuid) is 'How often a customer has won a reward.';

create function private.random_below(p_bound integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  -- The largest multiple of the bound that 32 bits hold: above it a remainder would favour small numbers.
  v_ceiling constant bigint := 4294967296 - 4294967296 % p_bound;
  v_bytes bytea;
  v_number bigint;
begin
  loop
    -- The first 48 bits of a version 4 UUID are plain output of the cryptographic generator.
    v_bytes := uuid_send(gen_random_uuid());
    -- (<< and | bind equally in SQL: every shift needs its parentheses.)
    v_number := (get_byte(v_bytes, 0)::bigint << 24) | (get_byte(v_bytes, 1) << 16)
      | (get_byte(v_bytes, 2) << 8) | get_byte(v_bytes, 3);
    exit when v_number < v_ceiling;
  end loop;
  return v_number % p_bound;
end;
$$;
comment on function private.random_below(integer) is
  'A number from 0 to p_bound - 1, each as likely, from the database''s cryptographic generator.';

create function private.draw_segment(p_weights integer[], p_rewards uuid[], p_is_drawable boolean[]) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_total integer := 0;
  v_winning integer := 0;
  v_losing integer := 0;
  v_point integer;
  v_is_win boolean;
begin
  for i in 1..coalesce(array_length(p_weights, 1), 0) loop
    v_total := v_total + p_weights[i];
    if p_rewards[i] is null then
      v_losing := v_losing + p_weights[i];
    elsif p_is_drawable[i] then
      v_winning := v_winning + p_weights[i];
    end if;
  end loop;
  if v_losing = 0 then
    if v_winning = 0 then
      return null;
    end if;
    v_total := v_winning;
  end if;

  -- What cannot be won goes to the losing segments in proportion: a point anywhere outside the winning
  -- stretch loses, and a second draw says on which segment.
  v_point := private.random_below(v_total);
  v_is_win := v_point < v_winning;
  if not v_is_win then
    v_point := private.random_below(v_losing);
  end if;
  for i in 1..array_length(p_weights, 1) loop
    continue when (p_rewards[i] is null) = v_is_win or (v_is_win and not p_is_drawable[i]);
    v_point := v_point - p_weights[i];
    if v_point < 0 then
      return i;
    end if;
  end loop;
end;
$$;
comment on function private.draw_segment(integer[], uuid[], boolean[]) is
  'Index (from 1) of the segment drawn by weight; a segment without reward loses. A reward that is not drawable leaves its '
  'weight to the losing segments in proportion, or is spread over the rest when there is none (design, section 4); null '
  'when no weight is left.';

-- Reviews, turns and codes keep the address that was typed, whoever it names.
create function private.find_or_create_customer(
  p_org_id uuid, p_store_id uuid, p_first_name text, p_last_name text, p_name text,
  p_email text, p_phone text, p_consent_marketing boolean, p_spins integer default 0,
  out customer_id uuid, out is_new boolean
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_email text := private.normalize_email(p_email);
  v_phone text := private.normalize_phone(p_phone);
begin
  if not private.is_email(p_email) then
    raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
  end if;
  is_new := false;
  -- Two rounds: whoever loses the race for a new customer finds the winner's row in the second.
  for round in 1..2 loop
    if v_email is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.email_normalized = v_email
      for no key update;
    end if;
    if customer_id is null and v_phone is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.phone_normalized = v_phone
      for no key update;
    end if;
    exit when customer_id is not null;

    insert into public.customers as c
      (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, last_activity_at, spin_count)
    values (p_org_id, p_store_id, p_first_name, p_last_name, p_name, p_email, p_phone, p_consent_marketing, now(), p_spins)
    on conflict do nothing
    returning c.id into customer_id;
    if customer_id is not null then
      is_new := true;
      exit;
    end if;
  end loop;
end;
$$;
comment on function private.find_or_create_customer(uuid, uuid, text, text, text, text, text, boolean, integer) is
  'The customer whom an e-mail (first) or a phone names in an organisation, made when new, with p_spins spins. '
  'The names of a known customer stay: whoever types somebody''s address must not rename them. The row is locked until '
  'the end of the transaction, so that two calls of one person take turns. Error 23514 when the e-mail is no address.';

create function public.spin_wheel(
  p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text,
  p_device_hash text, p_address_hash text,
  out outcome text, out body text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign record;
  v_today date;
  v_person record;
  v_customer_id uuid;
  v_is_new boolean := false;
  v_name text := p_name;
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_last_day date;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
  v_spin_id uuid;
  v_nonce uuid;
  v_code text;
  v_expires_at timestamptz;
begin
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- One call a key at a time; a repeated call gets the first answer, letter for letter, whatever has
  -- changed since.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_review_id, p_play_id)::text, 2));
  if p_review_id is not null then
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.review_id = p_review_id and s.campaign_id = p_campaign_id;
  else
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.campaign_id = p_campaign_id and s.play_id = p_play_id;
  end if;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if not v_campaign.is_running then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- High for an address, since a shop's Wi-Fi and a mobile network are shared; lower for one device.
  v_retry_after := private.count_attempt(
    array[
      'spin address ' || p_address_hash || ' ' || p_campaign_id::text,
      'spin device ' || p_device_hash || ' ' || p_campaign_id::text
    ],
    '{600,20}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  -- The person, whose row is locked: two turns of one person take turns, and what follows counts what they did.
  if p_review_id is not null then
    select r.customer_id, r.customer_name, r.customer_email into v_customer_id, v_name, v_email
    from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.id = p_review_id and r.campaign_id = p_campaign_id;
    if v_customer_id is null then
      outcome := 'review_not_found';
      return;
    end if;
    perform 1 from public.customers c
    where c.org_id = v_campaign.org_id and c.id = v_customer_id for no key update;
  else
    -- Whoever is new is written down with this turn: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      p_name, p_email, p_phone, false, p_spins => 1);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- May this person play? One turn in so many calendar days of the store; without an interval, 30 an hour.
  if not v_is_new then
    if v_campaign.play_interval_days > 0 then
      select max(s.created_at at time zone v_campaign.timezone)::date into v_last_day
      from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id;
      if v_last_day + v_campaign.play_interval_days > v_today then
        outcome := 'already_played';
        retry_at := (v_last_day + v_campaign.play_interval_days)::timestamp at time zone v_campaign.timezone;
        return;
      end if;
    elsif (
      select count(*) from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id
        and s.created_at > now() - interval '1 hour'
    ) >= 30 then
      outcome := 'too_many_attempts';
      retry_at := now() + interval '1 hour';
      return;
    end if;
  end if;

  -- Does the plan leave a spin? Only a limited plan makes its customers take turns, at most its limit times a month.
  if v_campaign.monthly_spins >= 0 then
    perform 1 from public.subscriptions u where u.org_id = v_campaign.org_id for no key update;
    v_used := private.monthly_spins_used(v_campaign.org_id, v_today);
    if v_used >= v_campaign.monthly_spins then
      outcome := 'spins_used_up';
    end if;
  end if;

  -- The draw. A stock that somebody else emptied in the meantime only means drawing again without it.
  while outcome is null loop
    v_wheel := private.wheel(v_campaign.org_id, p_campaign_id, case when not v_is_new then v_customer_id end);
    v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable);
    if v_index is null or v_wheel.is_example then
      outcome := 'nothing_to_draw';
      exit;
    end if;
    exit when v_wheel.reward_ids[v_index] is null;

    select * into v_reward from public.rewards r
    where r.org_id = v_campaign.org_id and r.id = v_wheel.reward_ids[v_index];
    exit when v_reward.stock = -1;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is not null then
    -- Refused: nothing is stored, not even who asked.
    if v_is_new then
      delete from public.customers c where c.org_id = v_campaign.org_id and c.id = v_customer_id;
    end if;
    return;
  end if;

  v_spin_id := private.uuid_v7();
  v_nonce := gen_random_uuid();
  if v_reward.type in ('coupon', 'gift') then
    v_expires_at := private.day_end(
      v_today + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_campaign.timezone);
    loop
      insert into public.redemptions as d (
        org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        end_user_email, end_user_name, expires_at
      ) values (
        v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_reward.id, v_spin_id, v_customer_id,
        private.random_code(v_reward.code_template), v_reward.name, v_email, v_name, v_expires_at
      )
      on conflict (org_id, code_key) do nothing
      returning d.code into v_code;
      exit when v_code is not null;
    end loop;
  end if;
  body := json_build_object(
    'spin_id', v_spin_id,
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_reward.id is not null then
      json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type) end,
    'redemption_code', v_code,
    'expires_at', v_expires_at,
    'nonce', v_nonce
  )::text;

  insert into public.spins (
    id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
    end_user_email, end_user_name, result_type, nonce, rules_version, result
  ) values (
    v_spin_id, v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_customer_id, p_review_id,
    case when p_review_id is null then p_play_id end, v_wheel.segment_ids[v_index], v_reward.id,
    v_email, v_name, case when v_reward.id is null then 'lose' else 'reward' end,
    v_nonce, v_campaign.rules_version, body::json
  );
  if v_reward.type = 'points' then
    insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points)
    values (v_campaign.org_id, v_customer_id, v_spin_id, v_reward.id, (v_reward.metadata ->> 'points')::integer);
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$$;
comment on function public.spin_wheel(uuid, uuid, uuid, text, text, text, text, text) is
  'One spin for a review, or for a contact with a key of its own: exactly once a key. body is the spin '
  'result of the specification (section 3), the same bytes when repeated. Outcomes: spun, repeated, '
  'campaign_not_found, review_not_found, already_played and too_many_attempts (retry_at says when again), '
  'spins_used_up, nothing_to_draw. Refusals store nothing but the count of attempts.';
grant execute on function public.spin_wheel(uuid, uuid, uuid, text, text, text, text, text) to service_role;

create function public.test_spin(
  p_campaign_id uuid, p_address_hash text, out outcome text, out body text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_timezone text;
  v_retry_after integer;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
begin
  select c.org_id, s.timezone into v_org_id, v_timezone
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  where c.id = p_campaign_id and private.is_running(c, u);
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  v_retry_after := private.count_attempt(array['test address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  -- Whoever tests wants to see the whole wheel: stocks and earlier wins do not count here.
  v_wheel := private.wheel(v_org_id, p_campaign_id, null);
  v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids,
    array_fill(true, array[cardinality(v_wheel.weights)]));
  if v_index is null then
    outcome := 'nothing_to_draw';
    return;
  end if;
  if v_wheel.reward_ids[v_index] is not null then
    select * into v_reward from public.rewards r
    where r.org_id = v_org_id and r.id = v_wheel.reward_ids[v_index];
  end if;

  body := json_build_object(
    'spin_id', gen_random_uuid(),
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_wheel.reward_ids[v_index] is not null then json_build_object(
      'id', v_wheel.reward_ids[v_index],
      'name', coalesce(v_reward.name, v_wheel.labels[v_index]),
      'type', coalesce(v_reward.type, 'gift')) end,
    'redemption_code', case when v_wheel.reward_ids[v_index] is not null and v_reward.type is distinct from 'points'
      then private.random_code('TEST-{random}') end,
    'expires_at', case when v_wheel.reward_ids[v_index] is not null and v_reward.type is distinct from 'points'
      then private.day_end(
        private.now_in(v_timezone)::date + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_timezone) end,
    'nonce', gen_random_uuid()
  )::text;
  outcome := 'spun';
end;
$$;
comment on function public.test_spin(uuid, text) is
  'A draw without consequence for the test mode (design, section 4): nothing is stored, no stock is taken, the '
  'code is marked TEST and cannot be redeemed. Outcomes: spun, campaign_not_found, too_many_attempts, nothing_to_draw.';
grant execute on function public.test_spin(uuid, text) to service_role;

create function private.customer_spins(p_org_id uuid, p_customer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.created_at, 'campaign', c.name,
    'reward', w.name, 'value', w.value, 'points', l.points) order by s.created_at desc, s.id desc), '[]'::jsonb)
  from (
    select * from public.spins v where v.org_id = p_org_id and v.customer_id = p_customer_id
    order by v.created_at desc, v.id desc limit 20
  ) s
  left join public.campaigns c on c.org_id = s.org_id and c.id = s.campaign_id
  left join public.rewards w on w.org_id = s.org_id and w.id = s.reward_id
  left join public.points_ledger l on l.org_id = s.org_id and l.spin_id = s.id;
$$;
comment on function private.customer_spins(uuid, uuid) is 'The last 20 spins of a customer, newest first, with what they won.';

-- Who may read and write --------------------------------------------------------------------------

alter table public.spins enable row level security;
grant select on public.spins to authenticated;
grant select, insert, update, delete on public.spins to service_role;
create policy "Members read the spins" on public.spins
  for select to authenticated
  using (org_id = any (array(
  select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read'))));

alter table public.points_ledger enable row level security;
grant select on public.points_ledger to authenticated;
grant select, insert, update, delete on public.points_ledger to service_role;
create policy "Members read the points" on public.points_ledger
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids('customers.read'))));

alter table public.usage_alerts enable row level security;
grant select on public.usage_alerts to authenticated;
grant select, insert, update, delete on public.usage_alerts to service_role;
create policy "Members read the usage alerts" on public.usage_alerts
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));

-- 14_codes.sql ====================================================================================

-- Codes: what was won, used at a till, given back, exported, and asked about by its winner.
--
-- At the till one code is worth one prize. Whether it is used is decided by one conditional update, so that fifty tills at
-- once make one success; and no answer tells that another merchant's code exists. Mails, tickets and tills name the last day
-- of a prize, without an hour: a code ends with that day, where the store is.
-- A prize is fetched days later. Its winner can ask from the phone that won whether it still waits, and have it sent by
-- e-mail. The secret is the draw's nonce, which only that phone was told; and nobody can make us write to whom they please:
-- the mail goes to the address that was given for the turn, and such an address has its limit.

create table public.redemptions (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  reward_id uuid not null,
  spin_id uuid not null,
  customer_id uuid,
  code text not null check (length(code) between 4 and 64),
  code_key text generated always as (upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g'))) stored,
  status text not null default 'available' check (status in ('available', 'used', 'expired')),
  reward_name text not null,
  end_user_email text,
  end_user_name text,
  expires_at timestamptz,
  used_at timestamptz,
  used_by uuid references auth.users (id) on delete set null,
  used_store_id uuid,
  created_at timestamptz not null default now(),
  words text generated always as (
    private.code_words(code, upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g')), end_user_email, end_user_name)
  ) stored,
  primary key (org_id, id),
  unique (org_id, spin_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, used_store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict,
  -- Checked at the end of the transaction: the code is drawn before the turn that it belongs to is written.
  foreign key (org_id, spin_id) references public.spins (org_id, id) deferrable initially deferred,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id),
  check ((status = 'used') = (used_at is not null)),
  check (used_at is not null or (used_by is null and used_store_id is null))
) with (fillfactor = 85);
create unique index redemptions_org_code_key on public.redemptions (org_id, code_key);
create index redemptions_org_campaign_idx on public.redemptions (org_id, campaign_id, created_at desc);
create index redemptions_org_reward_idx on public.redemptions (org_id, reward_id, created_at desc);
create index redemptions_org_customer_idx on public.redemptions (org_id, customer_id, created_at desc);
create index redemptions_org_created_idx on public.redemptions (org_id, created_at desc);
create index redemptions_org_store_idx on public.redemptions (org_id, store_id);
create index redemptions_org_used_store_idx on public.redemptions (org_id, used_store_id) where used_store_id is not null;
create index redemptions_used_by_idx on public.redemptions (used_by) where used_by is not null;
create index redemptions_expiry_idx on public.redemptions (expires_at) where status = 'available';
-- What was used last, without looking at what was only won.
create index redemptions_org_used_at_idx on public.redemptions (org_id, used_at desc) where used_at is not null;
create index redemptions_words_idx on public.redemptions
  using gin (reward_id extensions.uuid_ops, words extensions.gin_trgm_ops);
comment on table public.redemptions is 'A code that was won, and its use at the till (specification, section 3).';
comment on column public.redemptions.id is 'Identifier.';
comment on column public.redemptions.org_id is 'Organisation.';
comment on column public.redemptions.campaign_id is 'Campaign.';
comment on column public.redemptions.store_id is 'Store where the code is valid.';
comment on column public.redemptions.reward_id is 'Reward.';
comment on column public.redemptions.spin_id is 'Turn that won it; one code a turn.';
comment on column public.redemptions.customer_id is 'Who won; null once the customer is erased.';
comment on column public.redemptions.code is 'Code as printed on the ticket.';
comment on column public.redemptions.code_key is 'The code without case, spaces and signs, unique within the organisation: what the till looks for.';
comment on column public.redemptions.status is 'available, used (by staff) or expired (by time).';
comment on column public.redemptions.reward_name is 'Name of the reward at the time.';
comment on column public.redemptions.end_user_email is 'E-mail at the time.';
comment on column public.redemptions.end_user_name is 'Name at the time.';
comment on column public.redemptions.expires_at is
  'Last second of the last day at the store; from the reward''s validity days, 30 by default.';
comment on column public.redemptions.used_at is 'When it was used.';
comment on column public.redemptions.used_by is 'Staff member who used it; null once that account is gone.';
comment on column public.redemptions.used_store_id is 'Store where it was used.';
comment on column public.redemptions.created_at is 'When it was won.';
comment on column public.redemptions.words is 'Where it is looked for: the code, and its customer''s e-mail and name, as code_words writes them.';
create trigger count_code_change after update of status on public.redemptions
  for each row when (old.status is distinct from new.status) execute function private.count_code_change();
create constraint trigger count_code_of_campaign after update on public.redemptions
  deferrable initially deferred for each row
  when ((old.status = 'used') is distinct from (new.status = 'used'))
  execute function private.count_code_of_campaign();

create table public.redemption_events (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  redemption_id uuid not null,
  action text not null check (action in ('used', 'restored', 'expired')),
  user_id uuid references auth.users (id) on delete set null,
  store_id uuid,
  created_at timestamptz not null default now(),
  api_key_id uuid,
  primary key (org_id, id),
  foreign key (org_id, redemption_id) references public.redemptions (org_id, id) on delete cascade,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict
);
create index redemption_events_redemption_idx on public.redemption_events (org_id, redemption_id, created_at);
create index redemption_events_user_idx on public.redemption_events (user_id) where user_id is not null;
create index redemption_events_store_idx on public.redemption_events (org_id, store_id) where store_id is not null;
create index redemption_events_api_key_idx on public.redemption_events (org_id, api_key_id) where api_key_id is not null;
comment on table public.redemption_events is 'Who used a code, or gave it back, and when: the trace that a dispute asks for.';
comment on column public.redemption_events.id is 'Identifier.';
comment on column public.redemption_events.org_id is 'Organisation.';
comment on column public.redemption_events.redemption_id is 'Code.';
comment on column public.redemption_events.action is 'used, restored (undone by staff) or expired (by time).';
comment on column public.redemption_events.user_id is 'Staff member; null for time, or once that account is gone.';
comment on column public.redemption_events.store_id is 'Store of the till.';
comment on column public.redemption_events.created_at is 'When.';
comment on column public.redemption_events.api_key_id is 'Key of the organisation that used the code in a person''s place.';

create table private.prize_mails (
  org_id uuid not null,
  spin_id uuid not null,
  mails smallint not null default 1,
  sent_at timestamptz not null default now(),
  primary key (org_id, spin_id),
  foreign key (org_id, spin_id) references public.spins (org_id, id) on delete cascade
);
comment on table private.prize_mails is 'Which prizes were sent to their winners by e-mail; not to which address.';
comment on column private.prize_mails.org_id is 'Organisation.';
comment on column private.prize_mails.spin_id is 'Turn that won.';
comment on column private.prize_mails.mails is 'How often, 3 at most.';
comment on column private.prize_mails.sent_at is 'The last time.';

create function private.check_redemption_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (old.status = 'available' and new.status = 'used')
    or (old.status = 'available' and new.status = 'expired' and old.expires_at <= now())
    or (old.status = 'used' and new.status = 'available' and old.used_at > now() - interval '10 minutes')
  then
    return new;
  end if;
  raise exception 'redemption_transition_refused' using errcode = '23514',
    constraint = 'redemptions_status_transition', detail = old.status || ' -> ' || new.status;
end;
$$;
comment on function private.check_redemption_status() is
  'A code goes from available to used (staff) or expired (time), and back from used within 10 minutes; '
  'nothing else. Error 23514, constraint redemptions_status_transition.';
create trigger check_redemption_status before update of status on public.redemptions
  for each row when (old.status is distinct from new.status)
  execute function private.check_redemption_status();

create function private.random_code(p_template text) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  -- 32 signs without look-alikes (0/O, 1/I): 5 bits each, so no remainder favours any.
  v_alphabet constant text := 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  v_bytes constant bytea := uuid_send(gen_random_uuid());
  v_bits bigint := (get_byte(v_bytes, 0)::bigint << 32) | (get_byte(v_bytes, 1)::bigint << 24)
    | (get_byte(v_bytes, 2) << 16) | (get_byte(v_bytes, 3) << 8) | get_byte(v_bytes, 4);
  v_random text := '';
begin
  for i in 1..8 loop
    v_random := v_random || substr(v_alphabet, (v_bits & 31)::integer + 1, 1);
    v_bits := v_bits >> 5;
  end loop;
  return case
    when p_template is null then 'WIN' || v_random
    when position('{random}' in p_template) > 0 then replace(p_template, '{random}', v_random)
    else p_template || '-' || v_random
  end;
end;
$$;
comment on function private.random_code(text) is
  'A code after a template: {random} becomes 8 random signs of A-Z and 2-9 without look-alikes, appended '
  'when the template lacks it; without a template WIN and the 8 signs (specification, section 9).';

create function private.code_at(p_org_id uuid, p_store_id uuid, p_code text)
returns table (state text, redemption public.redemptions)
language plpgsql stable set search_path = ''
as $$
declare
  v_key text := upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g'));
  v_redemption public.redemptions;
begin
  select * into v_redemption from public.redemptions r where r.org_id = p_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      -- A store that was put away has no till: its codes are good at any other.
      when v_redemption.store_id <> p_store_id and exists (
        select 1 from public.stores s
        where s.org_id = p_org_id and s.id = v_redemption.store_id and s.archived_at is null
      ) then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.status = 'expired' or v_redemption.expires_at <= now() then 'expired'
      else 'available'
    end,
    v_redemption;
end;
$$;
comment on function private.code_at(uuid, uuid, text) is
  'What a code of an organisation is at one of its stores, whatever its case and spaces: available, used, expired, '
  'other_store (never for a store that was put away), test, unknown (other merchants'' codes too).';

create function private.inspect_code(p_user_id uuid, p_code text, p_store_id uuid)
returns table (state text, redemption public.redemptions)
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select m.org_id into v_org_id
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id
  where m.user_id = p_user_id and p_store_id = coalesce(private.bound_store(m.role, m.store_id), p_store_id);
  if not found then
    return query select 'forbidden', null::public.redemptions;
  -- Whoever types codes at random is slowed down; a busy till is not.
  elsif private.count_attempt(array['code user ' || p_user_id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(v_org_id, p_store_id, p_code);
  end if;
end;
$$;
comment on function private.inspect_code(uuid, text, uuid) is
  'What a code is to a user at the till of a store, whatever its case and spaces: available, used, expired, '
  'other_store, test, unknown (other merchants'' codes too), forbidden (not a till of theirs), too_many_attempts.';

create function private.may_restore(p_used_at timestamptz) returns boolean
language sql stable set search_path = ''
as $$ select p_used_at > now() - interval '10 minutes'; $$;
comment on function private.may_restore(timestamptz) is
  'Whether a code that was used then may still be given back (design, section 4).';

create function private.describe_code(p_state text, p_code text, p_redemption public.redemptions) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'state', p_state,
    'code', coalesce(p_redemption.code, p_code),
    'reward', case when p_redemption.id is not null then (
      select jsonb_build_object('id', r.id, 'name', p_redemption.reward_name, 'type', r.type)
      from public.rewards r where r.org_id = p_redemption.org_id and r.id = p_redemption.reward_id) end,
    'customer', case when p_redemption.id is not null then
      jsonb_build_object('name', coalesce(p_redemption.end_user_name, p_redemption.end_user_email)) end,
    'store', case when p_redemption.id is not null then (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s where s.org_id = p_redemption.org_id and s.id = p_redemption.store_id) end,
    'expires_at', p_redemption.expires_at,
    'used_at', p_redemption.used_at,
    'used_by', case
      when p_redemption.used_by is not null then private.user_name(p_redemption.used_by)
      when p_redemption.used_at is not null then (
        select k.name from public.redemption_events e
        join private.api_keys k on k.org_id = e.org_id and k.id = e.api_key_id
        where e.org_id = p_redemption.org_id and e.redemption_id = p_redemption.id and e.action = 'used'
        order by e.created_at desc limit 1)
    end,
    'undo_id', case
      when p_state in ('redeemed', 'used') and private.may_restore(p_redemption.used_at) then p_redemption.id
    end
  );
$$;
comment on function private.describe_code(text, text, public.redemptions) is
  'What the till shows of a code: the shape is codeLookup of _shared/domain.';

create function public.lookup_code(p_code text, p_store_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_key constant private.api_keys := private.my_api_key();
  v_inspection record;
begin
  if v_key.id is null then
    select * into v_inspection from private.inspect_code((select private.my_user_id()), p_code, p_store_id);
  else
    select * into v_inspection from private.inspect_code_with_key(v_key, p_code, p_store_id);
  end if;
  if v_inspection.state = 'forbidden' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return private.describe_code(v_inspection.state, p_code, v_inspection.redemption);
end;
$$;
comment on function public.lookup_code(text, uuid) is
  'What a code is, before it is used: the shape is codeLookup of _shared/domain. Error 42501 to whoever may not '
  'redeem codes at that store, person or key; errors of my_user_id().';
grant execute on function public.lookup_code(text, uuid) to authenticated, service_role;

create function private.expire_codes(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.redemptions r set status = 'expired'
  from (
    -- A code that a till is using right now is left to that till.
    select due.org_id, due.id from public.redemptions due
    where due.status = 'available' and due.expires_at <= now()
    order by due.expires_at limit p_limit for update skip locked
  ) over
  where r.org_id = over.org_id and r.id = over.id;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.expire_codes(integer) is 'Job: codes whose last instant has passed become expired.';
insert into private.jobs (name, run_every) values ('expire_codes', interval '1 minute');

create function private.use_code(
  p_state text, p_redemption public.redemptions, p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid,
  out outcome text, out body jsonb
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_redemption public.redemptions := p_redemption;
  v_timezone text;
begin
  outcome := p_state;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available'
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, api_key_id, store_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_key_id, p_store_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      select s.timezone into v_timezone from public.stores s
      where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
      perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
        private.now_in(v_timezone)::date, p_redemptions => 1);
    else
      -- Another till was faster.
      outcome := 'used';
      select * into v_redemption from public.redemptions r
      where r.org_id = p_redemption.org_id and r.id = p_redemption.id;
    end if;
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$$;
comment on function private.use_code(text, public.redemptions, uuid, uuid, text, uuid) is
  'Uses a code that was inspected, once, for a person or a key of the API: the outcome (redeemed, or why not) and what the '
  'till shows.';

create function public.redeem_code(
  p_user_id uuid, p_session_id uuid, p_aal text, p_code text, p_store_id uuid, out outcome text, out body jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_inspection record;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select * into v_inspection from private.inspect_code(p_user_id, p_code, p_store_id);
  select u.outcome, u.body into outcome, body
  from private.use_code(v_inspection.state, v_inspection.redemption, p_user_id, null, p_code, p_store_id) u;
end;
$$;
comment on function public.redeem_code(uuid, uuid, text, text, uuid) is
  'Uses a code at the till of a store, once (specification, section 7.2), for a user whose token names a session and an '
  'assurance level. Outcomes: redeemed, used, expired, other_store, test, unknown, forbidden, too_many_attempts, '
  'second_factor_required, session_ended; body is what the till shows, null for the last two.';
grant execute on function public.redeem_code(uuid, uuid, text, text, uuid) to service_role;

create function private.code_trace(p_org_id uuid, p_redemption_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'action', e.action, 'at', e.created_at, 'by', private.user_name(e.user_id)) order by e.created_at, e.id), '[]'::jsonb)
  from public.redemption_events e where e.org_id = p_org_id and e.redemption_id = p_redemption_id;
$$;
comment on function private.code_trace(uuid, uuid) is 'Who used a code or gave it back, oldest first.';

create function private.code_counts(p_org_id uuid, p_reward_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'total', f.codes, 'used', f.redemptions, 'expired', f.expirations + o.codes,
    'available', f.codes - f.redemptions - f.expirations - o.codes)
  from jsonb_to_record(private.reward_figures(p_org_id, p_reward_id))
    as f (codes bigint, redemptions bigint, expirations bigint),
    -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
    (select count(*) as codes from public.redemptions r
     where r.status = 'available' and r.expires_at <= now() and r.org_id = p_org_id and r.reward_id = p_reward_id) o;
$$;
comment on function private.code_counts(uuid, uuid) is 'Codes of a reward by state, at this instant, from its counters.';

create function public.reward_codes(p_id uuid, p_search text default '', p_page integer default 1) returns jsonb
-- A plan kept from one search to the next would not know a frequent word, best found among the newest codes, from
-- a rare one, best found by the index of words.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_prefix text;
  v_items jsonb;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('codes.read')));
  if not found then
    return null;
  end if;
  v_is_named := private.may_name_customers(v_reward.org_id);
  -- Whoever may not know whose a code is does not find it by a name either: those look by its first letters.
  if v_is_named then
    v_pattern := private.code_pattern(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', case when shown.status = 'available' and shown.expires_at <= now() then 'expired' else shown.status end,
    'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at),
    'trace', private.code_trace(v_reward.org_id, shown.id)) order by shown.created_at desc, shown.id desc), '[]'::jsonb)
  into v_items
  from (
    -- One more than is shown tells whether there is a next page.
    select r.* from public.redemptions r
    where r.org_id = v_reward.org_id and r.reward_id = p_id and (v_pattern is null or r.words like v_pattern)
      -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
      and (v_prefix is null or (r.code_key >= v_prefix and r.code_key <= v_prefix || repeat('Z', 32)
        and r.code_key like v_prefix || '%'))
    order by r.created_at desc, r.id desc
    limit v_page_size + 1 offset (v_page - 1) * v_page_size
  ) shown;

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_reward.org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_reward.org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$$;
comment on function public.reward_codes(uuid, text, integer) is
  'A page of a reward''s codes, newest first, in which a text is found in the code, or in its customer''s e-mail or name, with '
  'the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Without the '
  'permission customers.read nobody is named, and a text is found where a code begins with it. Null when there is no such '
  'reward for the signed-in user, who needs the permission codes.read.';
grant execute on function public.reward_codes(uuid, text, integer) to authenticated;

create function public.restore_code(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.redemptions;
  v_timezone text;
begin
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found or exists (
    select 1 from public.organization_members m
    where m.user_id = (select private.my_user_id())
      and private.bound_store(m.role, m.store_id) <> v_before.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_before.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', (select private.my_user_id()), v_before.used_store_id);
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1);
end;
$$;
comment on function public.restore_code(uuid) is
  'Gives back a code that was used by mistake, within 10 minutes, and leaves a trace of who did it (design, section 4). '
  'Errors: TV041 when it is not used, TV042 when it is too late, 42501 without the permission codes.redeem there, or at '
  'another store than one''s own.';
grant execute on function public.restore_code(uuid) to authenticated;

create function private.count_customer_code() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.customers c
  set redemption_count = c.redemption_count + (new.status = 'used')::integer - (old.status = 'used')::integer
  where c.org_id = new.org_id and c.id = new.customer_id;
  return null;
end;
$$;
comment on function private.count_customer_code() is 'Counts a code that is used, or given back, for its customer.';
create trigger count_customer_code after update of status on public.redemptions
  for each row when (new.customer_id is not null and (old.status = 'used') is distinct from (new.status = 'used'))
  execute function private.count_customer_code();

create function private.customer_wins(p_org_id uuid, p_customer_id uuid) returns integer
language sql stable
return (
  select count(*) from public.spins s
  where s.org_id = p_org_id and s.customer_id = p_customer_id and s.reward_id is not null
)::integer;
comment on function private.customer_wins(uuid, uuid) is
  'Spins that a customer won: counted when somebody asks, since a person turns the wheel a few times.';
grant execute on function private.customer_wins(uuid, uuid) to service_role;

create function private.prize_of(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid) returns public.redemptions
language sql stable set search_path = ''
as $$
  select d.* from public.campaigns c
  join public.spins s on s.org_id = c.org_id and s.id = p_spin_id
  join public.redemptions d on d.org_id = s.org_id and d.spin_id = s.id
  where c.id = p_campaign_id and s.campaign_id = c.id and s.nonce = p_nonce;
$$;
comment on function private.prize_of(uuid, uuid, uuid) is
  'The code that a spin won, for whoever knows the turn''s nonce; null otherwise.';

create function private.code_state(p_code public.redemptions) returns text
language sql stable set search_path = ''
as $$
  select case when p_code.status = 'available' and p_code.expires_at <= now() then 'expired' else p_code.status end;
$$;
comment on function private.code_state(public.redemptions) is
  'available, used or expired, at this instant: the job that closes codes comes a little later.';

create function public.prize_status(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_code constant public.redemptions := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
begin
  if v_code.id is null then
    return null;
  end if;
  return jsonb_build_object('status', private.code_state(v_code), 'used_at', v_code.used_at,
    'expires_at', v_code.expires_at,
    'prize', (
      select s.result::jsonb || jsonb_build_object('expires_at', v_code.expires_at)
      from public.spins s
      where s.org_id = v_code.org_id and s.id = v_code.spin_id));
end;
$$;
comment on function public.prize_status(uuid, uuid, uuid) is
  'Whether a prize still waits, and the prize as its spin was answered, for whoever knows the nonce of that spin; null '
  'otherwise. The shape is prizeAnswer of _shared/domain.';
grant execute on function public.prize_status(uuid, uuid, uuid) to service_role;

create function public.mail_prize(
  p_campaign_id uuid, p_spin_id uuid, p_nonce uuid, p_email text, p_address_hash text,
  out outcome text, out recipient text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_code public.redemptions;
  v_prize record;
  v_retry_after integer;
begin
  v_retry_after := private.count_attempt(array['prize mail address ' || p_address_hash], '{30}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  v_code := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
  if v_code.id is null then
    outcome := 'prize_not_found';
    return;
  end if;
  if private.code_state(v_code) <> 'available' then
    outcome := 'code_' || private.code_state(v_code);
    return;
  end if;

  select coalesce(t.end_user_email, c.email) as known, s.name as store, s.timezone, g.slug, t.rules_version
  into v_prize
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = v_code.org_id and t.id = v_code.spin_id;
  recipient := coalesce(v_prize.known, p_email);
  if recipient is null then
    outcome := 'email_needed';
    return;
  end if;
  -- Asked again, by a thumb or by the network: it is on its way, and nobody's limit is touched.
  if exists (
    select 1 from private.prize_mails m
    where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      and (m.mails >= 3 or m.sent_at > now() - interval '10 minutes')
  ) then
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  -- Whoever turns a wheel names the address, which could be anybody's: few mails a day reach it, whatever is won, and
  -- fewer still where this page alone has named it.
  v_retry_after := private.count_attempt(
    array['prize mail to ' || encode(sha256(convert_to(private.normalize_email(recipient), 'UTF8')), 'hex')],
    array[case when v_prize.known is null then 3 else 10 end], interval '1 day');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    recipient := null;
    return;
  end if;

  insert into private.prize_mails as m (org_id, spin_id) values (v_code.org_id, v_code.spin_id)
  on conflict (org_id, spin_id) do update set mails = m.mails + 1, sent_at = now()
    where m.mails < 3 and m.sent_at <= now() - interval '10 minutes';
  if not found then
    -- The same, at the same instant.
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  perform private.enqueue_mail('prize', recipient, jsonb_build_object(
    -- Behind the sign that no browser sends along: the nonce opens the prize.
    'path', '/c/' || v_prize.slug || '/gain#gain=' || v_code.spin_id || '.' || p_nonce,
    'code', v_code.code,
    'facts', jsonb_strip_nulls(jsonb_build_object(
      -- What a merchant has named like an address of the web is left out of a mail that bears our name.
      'prize', case when v_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then v_code.reward_name end,
      'store', v_prize.store,
      'rules', '/c/' || v_prize.slug || '/reglement?version=' || v_prize.rules_version,
      'until', to_char(v_code.expires_at at time zone v_prize.timezone, 'DD/MM/YYYY')))),
    now() + interval '1 day');
  outcome := 'sent';
  -- Enough to recognise one's own address, too little to learn somebody's.
  recipient := left(recipient, 1) || '•••@' || split_part(recipient, '@', -1);
end;
$$;
comment on function public.mail_prize(uuid, uuid, uuid, text, text) is
  'Sends a prize to its winner by e-mail, for whoever knows the nonce of its spin: to the address that was given for the '
  'turn or stands with the customer; p_email counts only where neither is known. Outcomes: sent (recipient, masked), '
  'repeated (within 10 minutes, or 3 times already: nothing is sent), email_needed, prize_not_found, code_used, '
  'code_expired, too_many_attempts (retry_at).';
grant execute on function public.mail_prize(uuid, uuid, uuid, text, text) to service_role;

create function private.customer_redemptions(p_org_id uuid, p_customer_id uuid, p_has_codes boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'at', d.used_at, 'campaign', c.name,
    'reward', d.reward_name, 'value', w.value, 'code', case when p_has_codes then d.code end)
    order by d.used_at desc, d.id desc), '[]'::jsonb)
  from (
    select * from public.redemptions v
    where v.org_id = p_org_id and v.customer_id = p_customer_id and v.status = 'used'
    order by v.used_at desc, v.id desc limit 20
  ) d
  left join public.campaigns c on c.org_id = d.org_id and c.id = d.campaign_id
  left join public.rewards w on w.org_id = d.org_id and w.id = d.reward_id;
$$;
comment on function private.customer_redemptions(uuid, uuid, boolean) is
  'The last 20 rewards that a customer used, newest first, with their codes where asked: for ten minutes a use can be undone.';

create function private.find_codes(p_org_id uuid, p_query text, p_limit integer, p_is_named boolean)
returns table (id uuid, title text, detail text, parent_id uuid)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_key constant text := private.code_prefix(p_query);
begin
  if length(coalesce(v_key, '')) < 3 then
    return;
  end if;
  return query
    select r.id, r.code,
      concat_ws(', ', r.reward_name,
        case when p_is_named then coalesce(nullif(btrim(r.end_user_name), ''), r.end_user_email) end),
      r.reward_id
    from public.redemptions r
    -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
    where r.org_id = p_org_id and r.code_key >= v_key and r.code_key <= v_key || repeat('Z', 32)
      and starts_with(r.code_key, v_key)
    order by r.code_key
    limit p_limit;
end;
$$;
comment on function private.find_codes(uuid, text, integer, boolean) is
  'Codes of an organisation that begin with a text, whatever its case, spaces and signs, with whose they are where asked; '
  'none for less than three letters or digits. The parent is the reward.';

-- Who may read and write --------------------------------------------------------------------------

alter table public.redemptions enable row level security;
grant select on public.redemptions to authenticated;
grant select, insert, update, delete on public.redemptions to service_role;
create policy "Members read the codes" on public.redemptions
  for select to authenticated
  using (org_id = any (array(
  select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read'))));

alter table public.redemption_events enable row level security;
grant select on public.redemption_events to authenticated;
grant select, insert, update, delete on public.redemption_events to service_role;
create policy "Members read the trace of codes" on public.redemption_events
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids('codes.read'))));

alter table private.prize_mails enable row level security;

-- 15_exports.sql ==================================================================================

-- Exports: lists that a merchant takes along as a file.
--
-- They are as long as the lists are, and leave row by row. What they find is what the lists find: the same filters, the same
-- rights.

create function private.includes_export(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select private.has_feature(p_org_id, 'csv_export');
$$;
comment on function private.includes_export(uuid) is 'Whether an organisation''s plan exports lists (specification, section 9).';

create function public.begin_export(
  p_user_id uuid, p_session_id uuid, p_aal text, p_type text, p_org_id uuid,
  out outcome text, out is_named boolean
) returns record
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_permissions text[];
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select array_agg(r.permission) into v_permissions
  from public.organization_members m join public.role_permissions r on r.role = m.role
  where m.user_id = p_user_id and m.org_id = p_org_id;
  is_named := coalesce('customers.read' = any (v_permissions), false);
  outcome := case
    when not coalesce(
      case p_type when 'customers' then 'customers.read' when 'redemptions' then 'codes.read' end = any (v_permissions), false)
      then 'forbidden'
    when not private.is_readable(p_org_id) then 'closed'
    when not private.includes_export(p_org_id) then 'plan'
    -- One at a time for an organisation, and two for everybody: a connection each, for as long as they last.
    when not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
      or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
        or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
      then 'busy'
    else 'started'
  end;
end;
$$;
comment on function public.begin_export(uuid, uuid, text, text, uuid) is
  'Whether a user whose token names a session and an assurance level may export customers (customers.read) or redemptions '
  '(codes.read) of an organisation now, and whether customers may be named to them; the place is held until the transaction '
  'ends. Outcomes: started, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days '
  'ago), plan (none that exports), busy (another export runs).';
grant execute on function public.begin_export(uuid, uuid, text, text, uuid) to service_role;

create function private.export_moment(p_at timestamptz, p_timezone text) returns text
language sql stable parallel safe
return to_char(p_at at time zone p_timezone, 'DD/MM/YYYY HH24:MI');
comment on function private.export_moment(timestamptz, text) is 'A moment as spreadsheets in French read it.';
grant execute on function private.export_moment(timestamptz, text) to service_role;

create function public.export_customers(p_org_id uuid, p_filters jsonb)
returns table (
  first_name text, last_name text, name text, email text, phone text, consent boolean, consent_at text, locale text,
  store text, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer,
  last_activity_at text, created_at text
)
language sql stable
begin atomic
  select c.first_name, c.last_name, c.name, c.email, c.phone, c.consent_marketing,
    private.export_moment(c.consent_at, z.timezone), c.locale, s.name, c.review_count, c.rating_sum, c.spin_count,
    private.customer_wins(c.org_id, c.id), c.redemption_count, private.export_moment(c.last_activity_at, z.timezone),
    private.export_moment(c.created_at, z.timezone)
  from public.customers c
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and private.matches_filters(c, p_filters)
  order by c.created_at desc, c.id desc;
end;
comment on function public.export_customers(uuid, jsonb) is
  'Customers of an organisation that pass the filters of the list (private.matches_filters), newest first, as an export shows them.';
grant execute on function public.export_customers(uuid, jsonb) to service_role;

create function public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
returns table (
  code text, status text, reward text, campaign text, customer text, email text, created_at text, expires_at text,
  used_at text, used_store text
)
language sql stable
begin atomic
  select r.code, case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end,
    r.reward_name, c.name, case when p_is_named then r.end_user_name end, case when p_is_named then r.end_user_email end,
    private.export_moment(r.created_at, z.timezone), private.export_moment(r.expires_at, z.timezone),
    private.export_moment(r.used_at, z.timezone), s.name
  from public.redemptions r
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join public.stores s on s.org_id = r.org_id and s.id = r.used_store_id
  where r.org_id = p_org_id
    and ((p_filters ->> 'reward_id') is null or r.reward_id = (p_filters ->> 'reward_id')::uuid)
    and ((p_filters ->> 'status') is null or (p_filters ->> 'status')
      = case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end)
    and (private.code_pattern(p_filters ->> 'search') is null or case
      -- As they are kept: to make them anew for each row costs more.
      when p_is_named then r.words like private.code_pattern(p_filters ->> 'search')
      else starts_with(r.code_key, private.code_prefix(p_filters ->> 'search')) end)
  order by r.created_at desc, r.id desc;
end;
comment on function public.export_redemptions(uuid, jsonb, boolean) is
  'Codes of an organisation, newest first, as an export shows them; filters: reward_id, status, search. Where nobody may be '
  'named, customers and their e-mails are null, and a search means how the code begins.';
grant execute on function public.export_redemptions(uuid, jsonb, boolean) to service_role;

-- 16_dashboard.sql ================================================================================

-- Dashboard: the first screen of the day, and the search through everything.
--
-- Each is one request that adds up counters: neither ever counts events, however many there are. The search is asked while
-- typing and looks into all lists; it therefore uses the indexes that the lists have, and asks nothing of a table that would
-- read it from end to end. Lists say what happened, and leave out to whom, for whoever reads figures without customers: a
-- search that a name or an address could be tried on asks for the same right, since what it finds would tell.

create function private.next_steps(p_org_id uuid, p_today date) returns jsonb
language sql stable set search_path = ''
as $$
  with active as (
    select c.*, c.ends_at is not null and c.ends_at <= now() as is_over
    from public.campaigns c where c.org_id = p_org_id and c.active
  )
  select jsonb_build_object(
    'unseen_reviews', private.unseen_reviews(p_org_id),
    'low_stock', private.low_stock(p_org_id),
    'over_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name) from active c
      where not exists (select 1 from active other where not other.is_over)
      order by c.ends_at desc, c.id limit 1),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'timezone', s.timezone)
      from active c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      where not c.is_over and c.id not in (
        select r.campaign_id from public.rewards r
        where r.org_id = p_org_id and r.active and r.archived_at is null and r.campaign_id is not null)
      -- What customers meet today comes first.
      order by coalesce(c.starts_at > now(), false), c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (select 1 from active c where c.store_id = s.id and not c.is_over)
      order by s.created_at, s.id limit 1));
$$;
comment on function private.next_steps(uuid, date) is
  'What deserves a merchant''s attention: bad reviews that nobody has seen, rewards that run out, that every active campaign '
  'is over, a campaign that runs or is about to, in which nothing can be won, and a store with one that has no public '
  'reviews page.';

create function private.recent_activity(p_org_id uuid, p_is_named boolean) returns jsonb
language sql stable set search_path = ''
as $$
  with latest as (
    (
      select 'review' as kind, r.created_at as at, r.customer_name as name, r.customer_email as email,
        r.rating, null::text as reward
      from public.pre_spin_reviews r where r.org_id = p_org_id
      order by r.created_at desc limit 5
    )
    union all
    (
      select 'redeem', d.used_at, d.end_user_name, d.end_user_email, null, d.reward_name
      from public.redemptions d where d.org_id = p_org_id and d.used_at is not null
      order by d.used_at desc limit 3
    )
    union all
    (
      -- A win left a code, or points: both lists are short ways to it, where the turns themselves are many.
      select * from (
        (
          select 'win', d.created_at as at, d.end_user_name, d.end_user_email, null::smallint, d.reward_name
          from public.redemptions d where d.org_id = p_org_id
          order by d.created_at desc limit 2
        )
        union all
        (
          select 'win', l.created_at, s.end_user_name, s.end_user_email, null, r.name
          from (
            select * from public.points_ledger p where p.org_id = p_org_id order by p.id desc limit 2
          ) l
          join public.spins s on s.org_id = l.org_id and s.id = l.spin_id
          join public.rewards r on r.org_id = l.org_id and r.id = l.reward_id
        )
      ) wins
      order by wins.at desc limit 2
    )
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'kind', shown.kind, 'at', shown.at,
    'name', case when p_is_named then coalesce(nullif(btrim(shown.name), ''), shown.email) end,
    'rating', shown.rating, 'reward', shown.reward) order by shown.at desc, shown.kind), '[]'::jsonb)
  from (select * from latest l order by l.at desc, l.kind limit 4) shown;
$$;
comment on function private.recent_activity(uuid, boolean) is
  'The newest 4 of the latest 5 reviews, 3 uses of codes and 2 wins (specification, section 9), with names where asked.';

create function public.dashboard(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_today date;
  v_recent jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
  v_recent := private.recent_days(p_org_id, v_today);
  return jsonb_build_object(
    'limits', coalesce(
      (select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
         'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
       from public.subscriptions s join public.plan_limits l on l.plan = s.plan where s.org_id = p_org_id),
      '{"max_active_campaigns": 1, "monthly_spins": 100, "max_users": 2}'::jsonb),
    'used', jsonb_build_object(
      'active_campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
      'monthly_spins', v_recent -> 'monthly_spins',
      'users', private.users_used(p_org_id)),
    'totals', private.organization_totals(p_org_id),
    'last_30_days', v_recent -> 'last_30_days',
    'previous_30_days', v_recent -> 'previous_30_days',
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
    'todo', private.next_steps(p_org_id, v_today),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel') end,
    'activity', private.recent_activity(p_org_id, private.may_name_customers(p_org_id)),
    'active_campaigns', coalesce(
      (select jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name,
         'active', true, 'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'scans', (
         select coalesce(sum(f.scans), 0) from private.campaign_figures_now(p_org_id) f
         where f.campaign_id = shown.id)) order by shown.created_at desc, shown.id)
       from (
         select c.* from public.campaigns c
         where c.org_id = p_org_id and c.active order by c.created_at desc, c.id limit 2
       ) shown),
      '[]'::jsonb)
  );
end;
$$;
comment on function public.dashboard(uuid) is
  'Everything that the dashboard shows of an organisation (specification, section 2.10), in one request; the shape is '
  'dashboard of _shared/domain. advanced is null where the plan does not include it, and who somebody is without the '
  'permission customers.read. Error 42501 without the permission activity.read there.';
grant execute on function public.dashboard(uuid) to authenticated;

create function public.find_anything(p_query text, p_limit integer default 5) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_query constant text := left(btrim(coalesce(p_query, '')), 120);
  v_words constant text := '%' || private.words(v_query) || '%';
  v_limit constant integer := least(greatest(coalesce(p_limit, 5), 1), 10);
  v_found jsonb;
begin
  if private.words(v_query) = '' then
    return '[]'::jsonb;
  end if;
  -- Whoever lacks a permission has no organisation in that part. A user has one organisation at most.
  with found as (
    (select 1 as part, row_number() over (order by c.active desc, c.created_at desc, c.id) as place,
      'campaign' as kind, c.id, c.name as title, s.name as detail, null::uuid as parent_id
    from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = any (array(select private.my_org_ids('campaigns.read')))
      and private.words(c.name || ' ' || c.slug) like v_words
    order by place limit v_limit)
    union all
    (select 2, row_number() over (), 'customer', f.id, f.title, f.detail, null
    from private.my_org_ids('customers.read') o cross join lateral private.find_customers(o, v_query, v_limit) f)
    union all
    (select 3, row_number() over (), 'code', f.id, f.title, f.detail, f.parent_id
    from private.my_org_ids('codes.read') o
    cross join lateral private.find_codes(o, v_query, v_limit, private.may_name_customers(o)) f)
    union all
    (select 4, row_number() over (order by r.active desc, r.created_at desc, r.id) as place,
      'reward', r.id, r.name, c.name, null
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = any (array(select private.my_org_ids('rewards.read')))
      and r.archived_at is null and private.words(r.name) like v_words
    order by place limit v_limit)
    union all
    (select 5, row_number() over (order by s.created_at desc, s.id) as place, 'store', s.id, s.name, s.address, null
    from public.stores s
    where s.org_id = any (array(select private.my_org_ids('stores.read')))
      and s.archived_at is null and private.words(s.name || ' ' || s.address) like v_words
    order by place limit v_limit)
  )
  select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'id', f.id, 'title', f.title, 'detail', f.detail,
    'parent_id', f.parent_id) order by f.part, f.place), '[]'::jsonb)
  into v_found from found f;
  return v_found;
end;
$$;
comment on function public.find_anything(text, integer) is
  'What of the signed-in member''s organisation a text means: campaigns, customers, codes, rewards and stores in use, as many '
  'of each as the limit says (1 to 10), each only with its permission (campaigns.read, customers.read, codes.read, '
  'rewards.read, stores.read); the shape is foundThings of _shared/domain. Without case and accents.';
grant execute on function public.find_anything(text, integer) to authenticated;

-- 17_team.sql =====================================================================================

-- Team: invitations, members, and roles of an organisation's own.
--
-- Whoever may come in, and as what, is decided here and nowhere else. An invitation is a promise to one mailbox: it is worth
-- a seat of the plan from the moment it is sent, opens once, and only to whoever has proven that the address is theirs. All
-- that changes a team takes turns on one lock, so that two clicks cannot make a seat too many or leave an organisation
-- without an owner. An invitation is also a mail of ours to whomever a member names, so it has limits an hour and a day.
-- An owner on the plan Pro makes further roles out of the permissions that there are, and they are enforced like the given
-- ones. A role belongs to one organisation, by reference and not by care; and nobody hands out what they do not have.

create table private.invitations (
  org_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null,
  role text not null references public.roles (role),
  store_id uuid,
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  accepted_by uuid references auth.users (id) on delete set null,
  withdrawn_at timestamptz,
  role_org_key uuid generated always as (
    case when role in ('owner', 'admin', 'member', 'cashier') then null else org_id end) stored,
  primary key (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id),
  check (accepted_at is null or withdrawn_at is null),
  foreign key (role_org_key, role) references public.roles (org_id, role),
  constraint invitations_email_check
    check (email = lower(email) and (private.is_email(email) or accepted_at is not null))
);
create unique index invitations_open_idx on private.invitations (org_id, email)
  where accepted_at is null and withdrawn_at is null;
create index invitations_store_idx on private.invitations (org_id, store_id);
create index invitations_role_idx on private.invitations (role);
create index invitations_invited_by_idx on private.invitations (invited_by);
create index invitations_accepted_by_idx on private.invitations (accepted_by);
create index invitations_expires_at_idx on private.invitations (expires_at);
create index invitations_waiting_idx on private.invitations (email) where accepted_at is null and withdrawn_at is null;
create index invitations_own_role_idx on private.invitations (role_org_key, role);
comment on table private.invitations is
  'Who was asked to join a team. Read through public.team and public.invitation_page; gone 30 days after its time.';
comment on column private.invitations.org_id is 'Organisation.';
comment on column private.invitations.id is 'Identifier.';
comment on column private.invitations.email is 'Address that was invited, in lower case: nobody else can accept.';
comment on column private.invitations.role is 'Role that the person will have.';
comment on column private.invitations.store_id is
  'The only store of a till''s role; null for all. Counts while the role has nothing but the till (private.bound_store).';
comment on column private.invitations.token_hash is 'SHA-256 of what the link of the mail carries: 244 random bits, kept nowhere.';
comment on column private.invitations.invited_by is 'Who invited, or sent it again last.';
comment on column private.invitations.created_at is 'When it was made.';
comment on column private.invitations.sent_at is 'When its mail was last written; each mail has its own link.';
comment on column private.invitations.expires_at is 'Until when it can be accepted: 7 days after the mail.';
comment on column private.invitations.accepted_at is 'When it was accepted.';
comment on column private.invitations.accepted_by is 'Who accepted it.';
comment on column private.invitations.withdrawn_at is 'When it was taken back.';
comment on column private.invitations.role_org_key is
  'Where the role is looked for: the organisation, or null for those given to everybody.';

create function private.users_used(p_org_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select ((select count(*) from public.organization_members m where m.org_id = p_org_id)
    + (select count(*) from private.invitations i
       where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()))::integer;
$$;
comment on function private.users_used(uuid) is
  'Seats of the plan that are taken: members, and invitations that can still be accepted.';

create function private.lock_team(p_org_id uuid) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_limit integer;
begin
  select l.max_users into v_limit
  from public.subscriptions s join public.plan_limits l on l.plan = s.plan
  where s.org_id = p_org_id
  for no key update of s;
  return coalesce(v_limit, 2);
end;
$$;
comment on function private.lock_team(uuid) is
  'Lets nobody else change the team until the transaction ends, and answers the plan''s number of users; -1 is unlimited.';

-- Nobody new joins a team whose plan is over: not by invitation, not by acceptance.
create function private.require_seat(p_org_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_limit constant integer := private.lock_team(p_org_id);
begin
  perform private.require_open_plan(p_org_id);
  if v_limit >= 0 and private.users_used(p_org_id) >= v_limit then
    raise exception 'user_limit_reached' using errcode = 'TV002', detail = v_limit::text;
  end if;
end;
$$;
comment on function private.require_seat(uuid) is
  'Refuses one more member or invitation than the plan has users. Error TV002, with the limit as detail; TV085 when the '
  'plan is over.';

create function private.has_power_over(p_org_id uuid, p_role text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
      select 1 from public.roles r where r.role = p_role and (r.org_id is null or r.org_id = p_org_id)
    ) and not exists (
      select p.permission from public.role_permissions p where p.role = p_role
      except
      select p.permission from public.organization_members m
      join public.role_permissions p on p.role = m.role
      where m.org_id = p_org_id and m.user_id = (select private.my_user_id())
    );
$$;
comment on function private.has_power_over(uuid, text) is
  'Whether the signed-in member may do all that a role of their organisation may do: nobody gives, takes or changes more '
  'than they have. An owner''s role, by owners alone.';

create function private.require_power_over(p_org_id uuid, p_roles text[]) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if exists (select 1 from unnest(p_roles) as r (role) where not coalesce(private.has_power_over(p_org_id, r.role), false)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_power_over(uuid, text[]) is
  'Roles are given and touched by whoever has all of their permissions (private.has_power_over). Error 42501 otherwise, and '
  'for a role that is none of the organisation''s.';

create function private.may_give(p_org_id uuid, p_role text) returns boolean
language sql stable set search_path = ''
as $$
  select private.has_feature(p_org_id, 'custom_roles')
    or not exists (select 1 from public.roles r where r.role = p_role and r.org_id is not null);
$$;
comment on function private.may_give(uuid, text) is
  'Whether a plan lets a role be given: the given ones always, an organisation''s own with the plan that includes them. Who '
  'has one keeps it.';

create function private.begin_team_change(p_roles text[] default '{}') returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  -- Asked with the lock held: a right that was taken away meanwhile is gone.
  if v_org_id is null or v_org_id not in (select private.my_org_ids('team.manage')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_power_over(v_org_id, p_roles);
  if exists (select 1 from unnest(p_roles) r (role) where not private.may_give(v_org_id, r.role)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  end if;
  return v_org_id;
end;
$$;
comment on function private.begin_team_change(text[]) is
  'Locks the team of the signed-in user and answers its organisation. Error 42501 without the permission team.manage, or '
  'without power over one of the roles that are given; TV114 for a role of one''s own where the plan has none.';

create function private.till_store(p_org_id uuid, p_role text, p_store_id uuid) returns uuid
language plpgsql stable set search_path = ''
as $$
begin
  if p_store_id is null or private.role_may(p_role, 'stores.read') then
    return null;
  end if;
  if not exists (
    select 1 from public.stores s where s.org_id = p_org_id and s.id = p_store_id and s.archived_at is null
  ) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return p_store_id;
end;
$$;
comment on function private.till_store(uuid, text, uuid) is
  'The store that somebody of this role is bound to; null for roles that see all stores. Error 42501 for a store that is '
  'not in use there.';

create function private.require_other_owner(p_org_id uuid, p_member_id uuid) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not exists (
    select 1 from public.organization_members m
    where m.org_id = p_org_id and m.user_id <> p_member_id and private.role_may(m.role, 'owners.manage')
  ) then
    raise exception 'last_owner' using errcode = 'TV104';
  end if;
end;
$$;
comment on function private.require_other_owner(uuid, uuid) is
  'Somebody else has to own the organisation before its owner goes. Error TV104. Call it with the team locked.';

create function private.send_invitation(p_invitation private.invitations, p_limit integer) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_user_id constant uuid := private.my_user_id();
  v_of_organization constant text := 'invitations of ' || p_invitation.org_id;
  v_by constant text := 'invitations by ' || v_user_id;
  v_address constant text := private.network_address_hash();
  v_retry_after integer;
begin
  -- A merchant does not flood a mailbox, nor strangers with mails of ours.
  v_retry_after := greatest(
    private.count_attempt(
      array[v_of_organization, v_by,
        'invitations to ' || encode(sha256(convert_to(p_invitation.email, 'UTF8')), 'hex')],
      array[case when p_limit < 0 then 200 else 30 end, 60, 5], interval '1 day'),
    private.count_attempt(
      array[v_of_organization || ' in an hour', v_by || ' in an hour']
        || case when v_address is not null then array['invitations from ' || v_address] else '{}' end,
      '{20,20,30}', interval '1 hour'));
  if v_retry_after is not null then
    perform private.refuse_for_now('TV103', 'too_many_invitations', v_retry_after);
  end if;
  update private.invitations i
  set token_hash = sha256(convert_to(v_token, 'UTF8')), invited_by = v_user_id, sent_at = now(),
    expires_at = now() + interval '7 days'
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id;
  perform private.enqueue_mail('invitation', p_invitation.email, jsonb_build_object(
    'path', '/invitation?token=' || v_token,
    'organization', (select o.name from public.organizations o where o.id = p_invitation.org_id),
    'inviter', private.user_name(v_user_id)), now() + interval '2 days');
end;
$$;
comment on function private.send_invitation(private.invitations, integer) is
  'Writes the mail of an invitation, with a new link that takes the place of the one before, for 7 days. Refuses with 429 and '
  'TV103 beyond 20 an hour of an organisation and of who invites, 30 of an address of the network, 30 a day of an organisation '
  '(200 where the plan has no limit of users), 60 of who invites and 5 to one mailbox.';

create function public.invite_member(p_email text, p_role text, p_store_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change(array[p_role]);
  v_email constant text := lower(btrim(p_email));
  v_invitation private.invitations;
begin
  if exists (
    select 1 from public.organization_members m join auth.users u on u.id = m.user_id
    where m.org_id = v_org_id and lower(u.email) = v_email
  ) then
    raise exception 'already_in_team' using errcode = 'TV096';
  end if;
  -- What has expired gives its place away.
  update private.invitations i set withdrawn_at = now()
  where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
    and i.expires_at <= now();
  if exists (
    select 1 from private.invitations i
    where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
  ) then
    raise exception 'already_invited' using errcode = 'TV097';
  end if;
  perform private.require_seat(v_org_id);
  insert into private.invitations (org_id, email, role, store_id, token_hash)
  values (v_org_id, v_email, p_role, private.till_store(v_org_id, p_role, p_store_id),
    sha256(convert_to(gen_random_uuid()::text, 'UTF8')))
  returning * into v_invitation;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.sent', 'invitation', v_invitation.id,
    jsonb_build_object('name', v_email, 'role', p_role));
  return v_invitation.id;
end;
$$;
comment on function public.invite_member(text, text, uuid) is
  'Invites an address into the signed-in user''s team, by mail, with a role, and a store for a role of the till. Whether the '
  'address has an account is told to nobody. Errors: TV096 belongs to this team already, TV097 invited already, TV002 the '
  'plan''s users are used up (limit as detail), TV103 too many mails (seconds as detail), 23514 or 23502 no address, 42501 '
  'without the permission team.manage, an owner invited by another role, a role or store that is none.';
grant execute on function public.invite_member(text, text, uuid) to authenticated;

create function private.open_invitation(p_org_id uuid, p_id uuid) returns private.invitations
language plpgsql volatile set search_path = ''
as $$
declare
  v_invitation private.invitations;
begin
  select * into v_invitation from private.invitations i
  where i.org_id = p_org_id and i.id = p_id and i.accepted_at is null and i.withdrawn_at is null for update;
  if not found then
    raise exception 'invitation_unknown' using errcode = 'TV098';
  end if;
  perform private.require_power_over(p_org_id, array[v_invitation.role]);
  return v_invitation;
end;
$$;
comment on function private.open_invitation(uuid, uuid) is
  'An invitation that nobody has accepted or taken back, locked. Errors TV098 and 42501.';

create function public.resend_invitation(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_invitation private.invitations;
begin
  -- Nobody could accept it.
  perform private.require_open_plan(v_org_id);
  v_invitation := private.open_invitation(v_org_id, p_id);
  if v_invitation.expires_at <= now() then
    perform private.require_seat(v_org_id);
  end if;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.resent', 'invitation', p_id,
    jsonb_build_object('name', v_invitation.email, 'role', v_invitation.role));
end;
$$;
comment on function public.resend_invitation(uuid) is
  'Sends an invitation again, for 7 more days; the link of the mail before opens nothing any more. Errors: TV085 the plan is '
  'over, TV098 it is not open, TV002 it had expired and its seat is taken, TV103 too many mails, 42501 as invite_member.';
grant execute on function public.resend_invitation(uuid) to authenticated;

create function public.withdraw_invitation(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_invitation constant private.invitations := private.open_invitation(v_org_id, p_id);
begin
  update private.invitations i set withdrawn_at = now() where i.org_id = v_org_id and i.id = p_id;
  perform private.audit(v_org_id, 'invitation.withdrawn', 'invitation', p_id,
    jsonb_build_object('name', v_invitation.email, 'role', v_invitation.role));
end;
$$;
comment on function public.withdraw_invitation(uuid) is
  'Takes an invitation back: its link opens nothing any more, and its seat is free. Errors TV098 it is not open, 42501 as '
  'invite_member.';
grant execute on function public.withdraw_invitation(uuid) to authenticated;

create function private.invitation_state(p_invitation private.invitations) returns text
language sql stable set search_path = ''
as $$
  select case
    when p_invitation.id is null then 'unknown'
    when p_invitation.accepted_at is not null then 'accepted'
    when p_invitation.withdrawn_at is not null then 'withdrawn'
    when p_invitation.expires_at <= now() then 'expired'
    else 'open'
  end;
$$;
comment on function private.invitation_state(private.invitations) is 'unknown, accepted, withdrawn, expired or open.';

create function public.invitation_page(p_token text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_invitation private.invitations;
  v_state text;
  v_organization text;
begin
  select * into v_invitation from private.invitations i where i.token_hash = sha256(convert_to(p_token, 'UTF8'));
  v_state := private.invitation_state(v_invitation);
  select o.name into v_organization from public.organizations o where o.id = v_invitation.org_id;
  if v_state <> 'open' then
    return jsonb_build_object('state', v_state, 'organization', v_organization);
  end if;
  return jsonb_build_object('state', v_state, 'organization', v_organization, 'email', v_invitation.email,
    'role', v_invitation.role,
    'role_name', (select r.name from public.roles r where r.role = v_invitation.role),
    'role_description', (select r.description from public.roles r where r.role = v_invitation.role),
    'inviter', private.user_name(v_invitation.invited_by),
    'expires_at', v_invitation.expires_at,
    'store', (select s.name from public.stores s where s.org_id = v_invitation.org_id
      and s.id = private.bound_store(v_invitation.role, v_invitation.store_id)));
end;
$$;
comment on function public.invitation_page(text) is
  'What the link of an invitation shows to whoever follows it: the shape is invitationPage of _shared/domain. The link came '
  'to the mailbox that it names.';
grant execute on function public.invitation_page(text) to service_role;

create function private.join_by_invitation(p_invitation private.invitations) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_user auth.users;
  v_invitation private.invitations;
begin
  perform private.lock_team(p_invitation.org_id);
  -- It may have been accepted, taken back or sent again while the lock was waited for.
  select * into v_invitation from private.invitations i
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id and i.token_hash = p_invitation.token_hash
  for update;
  select * into v_user from auth.users u where u.id = v_user_id;
  case private.invitation_state(v_invitation)
    when 'open' then null;
    when 'withdrawn' then raise exception 'invitation_withdrawn' using errcode = 'TV099';
    when 'expired' then raise exception 'invitation_expired' using errcode = 'TV100';
    else
      -- A repeat of what has worked, whose answer was lost.
      if v_invitation.accepted_by = v_user_id and exists (
        select 1 from public.organization_members m where m.org_id = v_invitation.org_id and m.user_id = v_user_id
      ) then
        return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
      end if;
      raise exception 'invitation_unknown' using errcode = 'TV098';
  end case;
  if lower(v_user.email) is distinct from v_invitation.email then
    raise exception 'invitation_for_other_address' using errcode = 'TV101';
  elsif v_user.email_confirmed_at is null then
    -- Whoever only names an address takes nobody's place.
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  -- Whose own organisation waits to be erased may begin anew here.
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  update private.invitations i set accepted_at = now(), accepted_by = v_user_id
  where i.org_id = v_invitation.org_id and i.id = v_invitation.id;
  insert into public.organization_members (org_id, user_id, role, store_id)
  values (v_invitation.org_id, v_user_id, v_invitation.role, v_invitation.store_id);
  insert into public.notification_preferences (org_id, user_id) values (v_invitation.org_id, v_user_id);
  perform private.audit(v_invitation.org_id, 'member.joined', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_invitation.role));
  return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
end;
$$;
comment on function private.join_by_invitation(private.invitations) is
  'Makes the signed-in user a member by an invitation as it was read before; call it with the user''s membership locked. '
  'Errors of accept_invitation.';

create function public.accept_invitation(p_token text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_invitation private.invitations;
begin
  -- As in create_organization: of two ways into a team at once, the later learns of the other.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || private.my_user_id(), 0));
  select * into v_invitation from private.invitations i where i.token_hash = sha256(convert_to(p_token, 'UTF8'));
  return private.join_by_invitation(v_invitation);
end;
$$;
comment on function public.accept_invitation(text) is
  'Makes the signed-in user a member, once, when the invitation is theirs: the address of their account is the invited one '
  'and is confirmed. A repeat by the same person answers the same. Errors: TV098 no such link, or used, TV099 taken back, '
  'TV100 expired, TV101 another address, TV102 the address is not confirmed, TV020 member of an organisation already, '
  'TV002 the plan has fewer users by now.';
grant execute on function public.accept_invitation(text) to authenticated;

create function private.lock_member(p_org_id uuid, p_member_id uuid) returns public.organization_members
language plpgsql volatile set search_path = ''
as $$
declare
  v_member public.organization_members;
begin
  select * into v_member from public.organization_members m
  where m.org_id = p_org_id and m.user_id = p_member_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_power_over(p_org_id, array[v_member.role]);
  return v_member;
end;
$$;
comment on function private.lock_member(uuid, uuid) is
  'A member whom the signed-in user has power over, locked. Error 42501 for somebody else, and for an owner unless by one.';

create function public.change_member_role(p_member_id uuid, p_role text, p_store_id uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change(array[p_role]);
  v_member constant public.organization_members := private.lock_member(v_org_id, p_member_id);
begin
  if private.role_may(v_member.role, 'owners.manage') and not private.role_may(p_role, 'owners.manage') then
    perform private.require_other_owner(v_org_id, p_member_id);
  end if;
  update public.organization_members m set role = p_role, store_id = private.till_store(v_org_id, p_role, p_store_id)
  where m.org_id = v_org_id and m.user_id = p_member_id;
  perform private.audit(v_org_id, 'member.role_changed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'former_role', v_member.role, 'role', p_role));
end;
$$;
comment on function public.change_member_role(uuid, text, uuid) is
  'Gives a member of the signed-in user''s team another role, and a store for a role of the till. Errors: TV104 the last '
  'owner stays one, 42501 without the permission team.manage, or without power over the member or the role.';
grant execute on function public.change_member_role(uuid, text, uuid) to authenticated;

create function public.remove_member(p_member_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_member constant public.organization_members := private.lock_member(v_org_id, p_member_id);
begin
  -- Owners are not removed (specification, section 6): another owner gives them another role first.
  if private.role_may(v_member.role, 'owners.manage') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org_id, 'member.removed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'role', v_member.role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_member_id;
end;
$$;
comment on function public.remove_member(uuid) is
  'Takes a member out of the signed-in user''s team: from the next request on, their sessions open nothing of it. Error '
  '42501 without the permission team.manage, for an owner, and for somebody else''s member.';
grant execute on function public.remove_member(uuid) to authenticated;

create function public.leave_organization() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id uuid;
  v_role text;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = v_user_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- An organisation that is ending may have no owner any more: that holds nobody else back.
  if private.role_may(v_role, 'owners.manage') then
    perform private.require_other_owner(v_org_id, v_user_id);
  end if;
  perform private.audit(v_org_id, 'member.left', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = v_user_id;
end;
$$;
comment on function public.leave_organization() is
  'Takes the signed-in user out of their organisation. Error TV104 to the last owner, 42501 to a member of none.';
grant execute on function public.leave_organization() to authenticated;

create function public.transfer_ownership(p_member_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id constant uuid := private.begin_team_change('{owner}');
begin
  perform private.lock_member(v_org_id, p_member_id);
  if p_member_id = v_user_id then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.organization_members m set role = 'owner', store_id = null
  where m.org_id = v_org_id and m.user_id = p_member_id;
  update public.organization_members m set role = 'admin' where m.org_id = v_org_id and m.user_id = v_user_id;
  perform private.audit(v_org_id, 'organization.transferred', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id)));
end;
$$;
comment on function public.transfer_ownership(uuid) is
  'Makes another member the owner and the signed-in owner an administrator, in one. Error 42501 to whoever is no owner, and '
  'for oneself or somebody who is no member.';
grant execute on function public.transfer_ownership(uuid) to authenticated;

create function private.team_members(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.user_id, 'name', private.user_name(m.user_id), 'email', u.email, 'role', m.role, 'added_at', m.added_at,
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by array_position('{owner,admin,member,cashier}', m.role), m.added_at, m.user_id), '[]'::jsonb)
  from public.organization_members m
  join auth.users u on u.id = m.user_id
  left join public.stores s on s.org_id = m.org_id and s.id = private.bound_store(m.role, m.store_id)
  where m.org_id = p_org_id;
$$;
comment on function private.team_members(uuid) is 'Members of an organisation, owners first, then by how long they belong to it.';

create function private.team_invitations(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'email', i.email, 'role', i.role, 'sent_at', i.sent_at, 'expires_at', i.expires_at,
    'is_expired', i.expires_at <= now(), 'inviter', private.user_name(i.invited_by),
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by i.created_at desc, i.id), '[]'::jsonb)
  from private.invitations i
  left join public.stores s on s.org_id = i.org_id and s.id = private.bound_store(i.role, i.store_id)
  where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null;
$$;
comment on function private.team_invitations(uuid) is 'Invitations of an organisation that nobody accepted or took back, newest first.';

create function private.team_roles(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object(
    'role', r.role, 'name', r.name, 'description', r.description,
    'permissions', (select coalesce(jsonb_agg(p.permission order by p.permission), '[]'::jsonb)
      from public.role_permissions p where p.role = r.role),
    'members', (select count(*) from public.organization_members m where m.org_id = p_org_id and m.role = r.role),
    'invitations', (select count(*) from private.invitations i where i.org_id = p_org_id and i.role = r.role
      and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()),
    'has_power', private.has_power_over(p_org_id, r.role),
    'may_give', private.has_power_over(p_org_id, r.role) and private.may_give(p_org_id, r.role))
    order by array_position('{owner,admin,member,cashier}', r.role), lower(r.name))
  from public.roles r
  where r.org_id is null or r.org_id = p_org_id;
$$;
comment on function private.team_roles(uuid) is
  'Roles of an organisation, the given ones first: what they may do, how many have them, and what the signed-in member may '
  'do with them.';

create function public.team(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('team.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'members', private.team_members(p_org_id),
    'invitations', case when p_org_id in (select private.my_org_ids('team.manage'))
      then private.team_invitations(p_org_id) else '[]'::jsonb end,
    'roles', private.team_roles(p_org_id),
    'has_own_roles', private.has_feature(p_org_id, 'custom_roles'),
    'used', private.users_used(p_org_id),
    'limit', coalesce((select l.max_users from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                       where s.org_id = p_org_id), 2));
end;
$$;
comment on function public.team(uuid) is
  'Members of an organisation, the invitations that wait (for whoever may manage the team), its roles, whether its plan lets '
  'it make its own, and the seats that are taken, of how many; the shape is team of _shared/domain. Error 42501 without the '
  'permission team.read there.';
grant execute on function public.team(uuid) to authenticated;

create function private.sweep_invitations(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.invitations i where (i.org_id, i.id) in (
    select o.org_id, o.id from private.invitations o where o.expires_at < now() - interval '30 days'
    order by o.expires_at limit p_limit for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_invitations(integer) is
  'Job: invitations go 30 days after their time, whatever came of them; an address is kept no longer than that.';
insert into private.jobs (name, run_every) values ('sweep_invitations', interval '1 day');

create function private.has_proven_address(p_user_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select private.is_proven(p_user_id) or (
    -- The password may be anybody's; a session that the mail itself has opened is its person's.
    private.count_sign_ups(p_user_id) > 0 and exists (
      select 1 from auth.mfa_amr_claims c
      where c.session_id = (private.my_session()).id
        and c.authentication_method in ('email/signup', 'recovery')
    )
  );
$$;
comment on function private.has_proven_address(uuid) is
  'Whether the signed-in user, in this session, is known to be the person whose address the account has.';

create function public.waiting_invitation() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
    'role_name', (select r.name from public.roles r where r.role = i.role),
    'inviter', private.user_name(i.invited_by), 'expires_at', i.expires_at)
  from auth.users u
  join private.invitations i on i.email = lower(u.email) and private.invitation_state(i) = 'open'
  join public.organizations o on o.id = i.org_id
  where u.id = (select private.my_user_id()) and u.email_confirmed_at is not null and private.has_proven_address(u.id)
  order by i.sent_at desc, i.id limit 1;
$$;
comment on function public.waiting_invitation() is
  'The invitation that waits for the signed-in user''s address, where that is known to be this person''s: the newest, null '
  'without one. The shape is waitingInvitation of _shared/domain.';
grant execute on function public.waiting_invitation() to authenticated;

create function public.accept_waiting_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_invitation private.invitations;
begin
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  -- Found by the address: nobody learns whether an identifier is somebody else's invitation.
  select i.* into v_invitation from auth.users u
  join private.invitations i on i.email = lower(u.email) and i.id = p_id
  where u.id = v_user_id;
  if not private.has_proven_address(v_user_id) then
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  return private.join_by_invitation(v_invitation);
end;
$$;
comment on function public.accept_waiting_invitation(uuid) is
  'Makes the signed-in user a member by the invitation that waits for their address, without the link of its mail. Errors '
  'of accept_invitation; TV098 also for an invitation to another address, TV102 also for an account whose password may be '
  'somebody else''s than the address.';
grant execute on function public.accept_waiting_invitation(uuid) to authenticated;

create function private.begin_role_change(p_role text) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids('roles.manage') o;
  perform private.lock_team(v_org_id);
  if v_org_id is null
    -- Asked with the lock held: a right that was taken away meanwhile is gone.
    or v_org_id not in (select private.my_org_ids('roles.manage'))
    or (p_role is not null and not exists (
      select 1 from public.roles r where r.org_id = v_org_id and r.role = p_role))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_org_id;
end;
$$;
comment on function private.begin_role_change(text) is
  'Locks the team of the signed-in user, who may make roles, and answers its organisation. Error 42501 otherwise, and for a '
  'role that is not the organisation''s own.';

create function private.expand_permissions(p_permissions text[]) returns text[]
language sql stable set search_path = ''
as $$
  select coalesce(array_agg(distinct p.permission order by p.permission), '{}')
  from (
    select w as permission from unnest(p_permissions) w
    union all
    -- Whoever changes something has to see it; whoever validates a code is handed it by its owner.
    select split_part(w, '.', 1) || '.read' from unnest(p_permissions) w where w <> 'codes.redeem'
    union all
    -- Whoever makes a reward has to see what it is won in.
    select 'campaigns.read' from unnest(p_permissions) w where w in ('rewards.write', 'rewards.delete')
    union all
    -- Codes are listed by the reward that they are for.
    select 'rewards.read' from unnest(p_permissions) w where w = 'codes.read'
    union all
    -- Every permission but those of the till needs access to the back-office.
    select unnest('{activity.read,stores.read}'::text[]) from unnest(p_permissions) w where w <> 'codes.redeem'
  ) p
  where exists (select 1 from public.role_permissions known where known.role = 'owner' and known.permission = p.permission);
$$;
comment on function private.expand_permissions(text[]) is
  'Permissions with those that they are of no use without: to read what one changes, and the way in.';

create function public.save_role(
  p_name text, p_description text, p_permissions text[], p_role text default null
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_role_change(p_role);
  v_role constant text := coalesce(p_role, gen_random_uuid()::text);
  v_permissions constant text[] := private.expand_permissions(p_permissions);
begin
  if not (private.has_feature(v_org_id, 'custom_roles') and private.require_open_plan(v_org_id)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  -- What administrators may do can be given; the rest is the owner's alone.
  elsif not v_permissions @> p_permissions or cardinality(v_permissions) = 0 or exists (
    select 1 from unnest(v_permissions) w where not private.role_may('admin', w)
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_role is null and (select count(*) from public.roles r where r.org_id = v_org_id) >= 20 then
    raise exception 'too_many_roles' using errcode = 'TV115';
  end if;
  insert into public.roles as r (role, org_id, name, description)
  values (v_role, v_org_id, btrim(p_name), btrim(coalesce(p_description, '')))
  on conflict (role) do update set name = excluded.name, description = excluded.description;
  delete from public.role_permissions p where p.role = v_role and p.permission <> all (v_permissions);
  insert into public.role_permissions (role, org_id, permission)
  select v_role, v_org_id, w from unnest(v_permissions) w
  on conflict do nothing;
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', btrim(p_name)));
  return v_role;
end;
$$;
comment on function public.save_role(text, text, text[], text) is
  'Makes a role of the signed-in owner''s organisation, or changes one, with a name, a description and permissions, to '
  'which those are added that they need; whoever has the role may at once do what it says. Answers the role. Errors: TV114 '
  'the plan includes none, TV085 it is no longer in force, TV115 there are 20, 23505 the name is taken, 23514 or 23502 no '
  'name, 42501 to others, for another''s role, without any permission, and for one that is the owner''s alone.';
grant execute on function public.save_role(text, text, text[], text) to authenticated;

create function public.delete_role(p_role text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_name text;
begin
  if p_role is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_org_id := private.begin_role_change(p_role);
  -- What came of an invitation does not hold on to a role; one that waits does.
  delete from private.invitations i
  where i.role_org_key = v_org_id and i.role = p_role and (
    i.accepted_at is not null or i.withdrawn_at is not null or i.expires_at <= now());
  if exists (select 1 from public.organization_members m where m.role_org_key = v_org_id and m.role = p_role)
    or exists (select 1 from private.invitations i where i.role_org_key = v_org_id and i.role = p_role)
  then
    raise exception 'role_in_use' using errcode = 'TV113';
  end if;
  delete from public.roles r where r.org_id = v_org_id and r.role = p_role returning r.name into v_name;
  perform private.audit(v_org_id, 'role.deleted', 'role', p_role::uuid, jsonb_build_object('name', v_name));
end;
$$;
comment on function public.delete_role(text) is
  'Deletes a role of the signed-in owner''s organisation, on any plan. Errors: TV113 a member or an open invitation has it, '
  '42501 to others, and for a role that is not the organisation''s own.';
grant execute on function public.delete_role(text) to authenticated;

create function private.name_roles() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_field text;
  v_name text;
begin
  foreach v_field in array '{role,former_role}'::text[] loop
    select r.name into v_name from public.roles r
    where r.org_id = new.org_id and r.role = new.detail ->> v_field;
    if found then
      new.detail := jsonb_set(new.detail, array[v_field], to_jsonb(v_name));
    end if;
  end loop;
  return new;
end;
$$;
comment on function private.name_roles() is
  'Writes an organisation''s own roles into its trail by their names of the time, whoever writes the entry: a role may be '
  'renamed or gone when it is read.';

-- Who may read and write --------------------------------------------------------------------------

alter table private.invitations enable row level security;

-- 18_audit.sql ====================================================================================

-- Audit trail: who did what.
--
-- Where several people work for a merchant, « who took this away? » needs an answer that none of them can change. What
-- somebody did is written down in the transaction that does it, by the tables themselves where a row can be written from
-- several places, and stays for 13 months. A spin writes nothing here.

create table public.audit_events (
  org_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  user_id uuid,
  actor_name text check (length(actor_name) <= 200),
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject_type text not null check (subject_type ~ '^[a-z_]+$'),
  subject_id uuid,
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object' and length(detail::text) <= 4000),
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index audit_events_user_idx on public.audit_events (org_id, user_id, id);
create index audit_events_action_idx on public.audit_events (org_id, action, id);
create index audit_events_created_at_idx on public.audit_events (created_at);
comment on table public.audit_events is
  'Who did what in an organisation. Only ever added to, through private.audit; kept 13 months, like all logs.';
comment on column public.audit_events.org_id is 'Organisation.';
comment on column public.audit_events.id is 'Identifier, ordered by time.';
comment on column public.audit_events.user_id is
  'Who did it; null when the platform did. Not a reference: whoever leaves keeps what they did.';
comment on column public.audit_events.actor_name is 'Their name at the time.';
comment on column public.audit_events.action is 'What was done, as subject.verb: store.archived, member.removed …';
comment on column public.audit_events.subject_type is 'Kind of thing that it was done to: store, reward, customer …';
comment on column public.audit_events.subject_id is 'Which one; it may be gone.';
comment on column public.audit_events.detail is
  'What the sentence about it mentions: the name of a store or a colleague, the fields changed. No customer''s data.';
comment on column public.audit_events.created_at is 'When.';
create trigger name_roles before insert on public.audit_events
  for each row when (new.detail ?| '{role,former_role}') execute function private.name_roles();

create function private.refuse_audit_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'audit_is_append_only' using errcode = 'TV095';
end;
$$;
comment on function private.refuse_audit_change() is 'Refuses to change what was written down, to whoever it is. Error TV095.';
create trigger refuse_audit_change before update on public.audit_events
  for each row execute function private.refuse_audit_change();

create function private.audit_as(
  p_org_id uuid, p_user_id uuid, p_action text, p_subject_type text, p_subject_id uuid, p_detail jsonb default '{}'
) returns void
language sql volatile security definer set search_path = ''
as $$
  -- An organisation that is just being deleted takes its trail along.
  insert into public.audit_events (org_id, user_id, actor_name, action, subject_type, subject_id, detail)
  select o.id, p_user_id, left(private.user_name(p_user_id), 200), p_action, p_subject_type, p_subject_id,
    coalesce(p_detail, '{}')
  from public.organizations o where o.id = p_org_id;
$$;
comment on function private.audit_as(uuid, uuid, text, text, uuid, jsonb) is
  'Writes down what a user did (null: the platform), for functions that the server calls with p_user_id. Call it in the '
  'transaction that does it; the detail holds no customer''s data. A new action needs its sentence in '
  'web/features/team/audit/audit.copy.ts.';
grant execute on function private.audit_as(uuid, uuid, text, text, uuid, jsonb) to service_role;

create function private.audit(
  p_org_id uuid, p_action text, p_subject_type text, p_subject_id uuid, p_detail jsonb default '{}'
) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.audit_as(p_org_id, private.my_user_id(), p_action, p_subject_type, p_subject_id, p_detail);
$$;
comment on function private.audit(uuid, text, text, uuid, jsonb) is
  'Writes down what the signed-in user did, or the platform when nobody is signed in: see audit_as.';
grant execute on function private.audit(uuid, text, text, uuid, jsonb) to service_role;

create function private.sweep_audit_events(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from public.audit_events e where (e.org_id, e.id) in (
    select o.org_id, o.id from public.audit_events o where o.created_at < now() - interval '13 months'
    order by o.created_at limit p_limit for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_audit_events(integer) is
  'Job: what was written down of who did what goes after 13 months (specification, section 9).';
insert into private.jobs (name, run_every) values ('sweep_audit_events', interval '1 day');

-- Stores, campaigns and rewards are written by screens and by functions alike: the table sees both.
create function private.audit_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_kind constant text := tg_argv[0];
  v_old constant jsonb := case when tg_op = 'INSERT' then '{}'::jsonb else to_jsonb(old) end;
  v_new constant jsonb := case when tg_op = 'DELETE' then '{}'::jsonb else to_jsonb(new) end;
  v_row constant jsonb := v_old || v_new;
  v_detail jsonb := jsonb_build_object('name', v_row -> 'name');
  v_fields text[];
  v_verb text;
begin
  if tg_op = 'UPDATE' then
    select array_agg(f order by f) into v_fields from unnest(tg_argv[1:]) f where v_old -> f is distinct from v_new -> f;
    if v_fields is null then
      return null;
    end if;
    v_detail := v_detail || jsonb_build_object('fields', to_jsonb(v_fields));
    if v_old ->> 'name' <> v_new ->> 'name' then
      v_detail := v_detail || jsonb_build_object('former_name', v_old -> 'name');
    end if;
  end if;
  v_verb := case
    when tg_op = 'INSERT' then 'created'
    when tg_op = 'DELETE' then 'deleted'
    when 'archived_at' = any (v_fields) then case when v_new ->> 'archived_at' is null then 'restored' else 'archived' end
    when 'active' = any (v_fields) then case when (v_new ->> 'active')::boolean then 'activated' else 'deactivated' end
    else 'updated'
  end;
  perform private.audit(coalesce(v_row ->> 'org_id', v_row ->> 'id')::uuid, v_kind || '.' || v_verb, v_kind,
    (v_row ->> 'id')::uuid, v_detail);
  return null;
end;
$$;
comment on function private.audit_change() is
  'Writes down that a row was created, changed, put away, brought back, switched on or off, or deleted. Arguments: the kind '
  'of thing, then the columns whose change counts.';
create trigger audit_organization_change after insert or update of name, slug on public.organizations
  for each row execute function private.audit_change('organization', 'name', 'slug');
create trigger audit_store_change
  after insert or delete or update of
    name, slug, address, google_place_id, google_review_url, review_mode, timezone, archived_at on public.stores
  for each row execute function private.audit_change(
    'store', 'name', 'slug', 'address', 'google_place_id', 'google_review_url', 'review_mode', 'timezone', 'archived_at');
-- Not the stock: every win takes one.
create trigger audit_reward_change
  after insert or delete or update of
    name, description, type, value, campaign_id, code_template, max_per_user, metadata, active, archived_at on public.rewards
  for each row execute function private.audit_change(
    'reward', 'name', 'description', 'type', 'value', 'campaign_id', 'code_template', 'max_per_user', 'metadata',
    'active', 'archived_at');
create trigger audit_campaign_change
  after insert or delete or update of
    name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at on public.campaigns
  for each row execute function private.audit_change(
    'campaign', 'name', 'slug', 'description', 'store_id', 'active', 'starts_at', 'ends_at', 'play_interval_days',
    'archived_at');

create function private.audit_restored_code() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit_as(new.org_id, new.user_id, 'code.restored', 'redemption', new.redemption_id,
    (select jsonb_build_object('name', r.reward_name) from public.redemptions r
     where r.org_id = new.org_id and r.id = new.redemption_id));
  return null;
end;
$$;
comment on function private.audit_restored_code() is 'Writes down that a code was given back, with the name of its reward.';
create trigger audit_restored_code after insert on public.redemption_events
  for each row when (new.action = 'restored') execute function private.audit_restored_code();

create function private.audit_people(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- From one person to the one before by the index, however much each has done.
  with recursive people as (
    (select e.user_id, e.actor_name from public.audit_events e
     where e.org_id = p_org_id and e.user_id is not null order by e.user_id desc, e.id desc limit 1)
    union all
    select earlier.user_id, earlier.actor_name from people p cross join lateral (
      select e.user_id, e.actor_name from public.audit_events e
      where e.org_id = p_org_id and e.user_id < p.user_id order by e.user_id desc, e.id desc limit 1
    ) earlier
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', p.user_id, 'name', p.actor_name) order by p.actor_name, p.user_id), '[]')
  from people p;
$$;
comment on function private.audit_people(uuid) is 'Whoever did something that is written down, with their last name.';

create function private.audit_actions(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with recursive actions as (
    (select e.action from public.audit_events e where e.org_id = p_org_id order by e.action limit 1)
    union all
    select (select e.action from public.audit_events e
            where e.org_id = p_org_id and e.action > a.action order by e.action limit 1)
    from actions a where a.action is not null
  )
  select coalesce(jsonb_agg(a.action order by a.action) filter (where a.action is not null), '[]') from actions a;
$$;
comment on function private.audit_actions(uuid) is 'Which kinds of actions are written down.';

create function private.audit_wheel() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Whoever makes a campaign with its wheel, or deletes it, is written down as doing that; segments that come, change and
  -- go together are one change.
  if exists (select 1 from public.campaigns c where c.id = new.id) and not exists (
    select 1 from public.audit_events e
    where e.org_id = new.org_id and e.subject_id = new.id and e.created_at = now()
      and (e.action = 'campaign.created' or e.detail -> 'fields' = '["wheel"]'::jsonb)
  ) then
    perform private.audit(new.org_id, 'campaign.updated', 'campaign', new.id,
      jsonb_build_object('name', new.name, 'fields', jsonb_build_array('wheel')));
  end if;
  return null;
end;
$$;
comment on function private.audit_wheel() is
  'Writes down, once a transaction, that the wheel of a campaign was redrawn: a change of its segments sets the version.';
create constraint trigger audit_wheel after update of version on public.campaigns
  deferrable initially deferred for each row execute function private.audit_wheel();

create function private.audit_plan() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_action constant text := case
    when new.status is distinct from old.status and new.status = 'canceled' then 'plan.closed'
    when new.status is distinct from old.status and new.status = 'suspended' then 'plan.suspended'
    when (new.plan, new.billing) is distinct from (old.plan, old.billing) then 'plan.changed'
    when new.status is distinct from old.status and new.status = 'past_due' then 'plan.unpaid'
    when new.status is distinct from old.status then 'plan.resumed'
    when new.cancel_at_period_end then 'plan.ending'
    else 'plan.continued'
  end;
begin
  perform private.audit_as(new.org_id, private.acting_user(), v_action, 'subscription', null,
    jsonb_strip_nulls(jsonb_build_object('plan', new.plan, 'former_plan', old.plan, 'billing', new.billing,
      'former_billing', old.billing)));
  return null;
end;
$$;
comment on function private.audit_plan() is
  'Writes down that a plan was changed, is not paid, is suspended, has ended, runs again, will end with its period, or '
  'will not; by whoever began the transaction (begin_billing), else by the platform.';
create trigger audit_plan after update of plan, billing, status, cancel_at_period_end on public.subscriptions
  for each row when ((old.plan, old.billing, old.status, old.cancel_at_period_end)
    is distinct from (new.plan, new.billing, new.status, new.cancel_at_period_end))
  execute function private.audit_plan();

create function public.audit_trail(
  p_org_id uuid, p_person_id uuid default null, p_action text default null, p_before uuid default null,
  p_after uuid default null
) returns jsonb
-- Each filter has its index: a plan made for another filter would read the whole trail.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  v_is_back constant boolean := p_after is not null;
  v_items jsonb;
  v_is_more boolean;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('audit.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- One more than is shown tells whether the list goes on in that direction.
  if v_is_back then
    select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]'::jsonb) into v_items
    from (
      select a.* from public.audit_events a
      where a.org_id = p_org_id and a.id > p_after
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id limit v_page_size + 1
    ) e;
  else
    select coalesce(jsonb_agg(to_jsonb(e) order by e.id desc), '[]'::jsonb) into v_items
    from (
      select a.* from public.audit_events a
      where a.org_id = p_org_id and (p_before is null or a.id < p_before)
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id desc limit v_page_size + 1
    ) e;
  end if;
  v_is_more := jsonb_array_length(v_items) > v_page_size;
  return jsonb_build_object(
    'people', private.audit_people(p_org_id), 'actions', private.audit_actions(p_org_id),
    'has_next', v_is_back or v_is_more,
    'has_previous', case when v_is_back then v_is_more else p_before is not null end,
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', i.item -> 'id', 'at', i.item -> 'created_at', 'by', i.item -> 'actor_name',
        'is_platform', i.item -> 'user_id' = 'null'::jsonb, 'action', i.item -> 'action',
        'subject_type', i.item -> 'subject_type', 'subject_id', i.item -> 'subject_id', 'detail', i.item -> 'detail')
        order by i.item ->> 'id' desc), '[]'::jsonb)
      from jsonb_array_elements(v_items) with ordinality as i (item, place)
      where i.place <= v_page_size));
end;
$$;
comment on function public.audit_trail(uuid, uuid, text, uuid, uuid) is
  'A page of what was done in an organisation, newest first: of one person, of one action, older than one entry or newer '
  'than one; with the people and actions to choose from. The shape is auditTrail of _shared/domain. Error 42501 without '
  'the permission audit.read there.';
grant execute on function public.audit_trail(uuid, uuid, text, uuid, uuid) to authenticated;

create function private.audit_review_host() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit(new.org_id, 'store.link_confirmed', 'store', new.id,
    jsonb_build_object('name', new.name, 'host', new.review_host_confirmed));
  return null;
end;
$$;
comment on function private.audit_review_host() is 'Writes down who confirmed the host of a link to public reviews.';
create trigger audit_added_review_host after insert on public.stores
  for each row when (new.review_host_confirmed is not null) execute function private.audit_review_host();
create trigger audit_changed_review_host after update of google_review_url, review_host_confirmed on public.stores
  for each row
  when (new.review_host_confirmed is not null and new.review_host_confirmed is distinct from old.review_host_confirmed)
  execute function private.audit_review_host();

-- Who may read and write --------------------------------------------------------------------------

alter table public.audit_events enable row level security;
-- The server's own role adds through the functions below, like everybody.
revoke all on public.audit_events from service_role;
grant select on public.audit_events to authenticated;
grant select on public.audit_events to service_role;
create policy "Owners and admins read the audit trail" on public.audit_events
  for select to authenticated using (org_id = any (array(select private.my_org_ids('audit.read'))));

-- 19_billing.sql ==================================================================================

-- Billing: what is paid for, and what is told when that changes.
--
-- What an organisation pays for is decided at the payment provider, and told to us in any order, late, twice or not at all.
-- So our row is never changed by what a message says: one function writes down what the provider holds now, read under a
-- lock, and the same state always leaves the same row. A trial ends and a notice runs out although nobody does anything:
-- jobs bring the row up to date, and no reading depends on when they ran. Whoever pays is told of each step once, by the
-- transaction that takes it.

create table private.payment_sandbox (
  id text primary key check (length(id) between 3 and 300),
  kind text not null check (kind ~ '^[a-z][a-z_]{0,39}$'),
  customer_id text,
  body jsonb not null,
  serial bigint generated always as identity,
  created_at timestamptz not null default now()
);
create index payment_sandbox_kind_idx on private.payment_sandbox (kind, customer_id, serial);
comment on table private.payment_sandbox is
  'What the payment sandbox of the local mode holds in the provider''s place. Empty on a real service.';
comment on column private.payment_sandbox.id is 'Identifier, as the provider would give it.';
comment on column private.payment_sandbox.kind is 'customer, subscription, invoice, checkout_session, event …';
comment on column private.payment_sandbox.customer_id is 'Customer that it belongs to.';
comment on column private.payment_sandbox.body is 'The object as the provider''s HTTP API would answer it, and what only the sandbox knows.';
comment on column private.payment_sandbox.serial is 'Order in which things came to be.';
comment on column private.payment_sandbox.created_at is 'When it was made.';

create table private.plan_notices (
  org_id uuid not null references public.organizations (id) on delete cascade,
  kind text not null check (kind in ('trial_ending', 'trial_ended', 'payment_failed', 'plan_suspended', 'plan_ended')),
  about timestamptz not null,
  told_at timestamptz not null default now(),
  primary key (org_id, kind, about)
);
comment on table private.plan_notices is 'What owners and admins were told about their plan by mail: each thing once.';
comment on column private.plan_notices.org_id is 'Organisation.';
comment on column private.plan_notices.kind is 'Template of the mail.';
comment on column private.plan_notices.about is 'The moment that it speaks of: end of the trial, date of the open bill, end of the plan.';
comment on column private.plan_notices.told_at is 'When the mail was written.';

create function private.start_trial(p_org_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.subscriptions (org_id, plan, status, trial_end)
  values (p_org_id, 'free_trial', 'active', now() + interval '14 days');
exception
  when others then
    raise exception 'subscription_failed' using errcode = 'TV022', detail = sqlstate;
end;
$$;
comment on function private.start_trial(uuid) is
  'Starts the free trial of 14 days (specification, section 4.4). Error TV022 with the SQLSTATE as detail when it fails.';

create function private.lock_billing(p_org_id uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('billing of ' || p_org_id, 0)); $$;
comment on function private.lock_billing(uuid) is
  'Lets whoever reads or changes an organisation''s subscription at the payment provider take turns, until the '
  'transaction ends. Nothing else waits for it: the public pages go on.';

create function public.begin_billing(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid default null,
  out outcome text, out org_id uuid, out org_name text, out email text, out plan text, out status text,
  out customer_id text, out subscription_id text
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select m.org_id into begin_billing.org_id
  from public.organization_members m
  join public.role_permissions r on r.role = m.role and r.permission = 'billing.manage'
  where m.user_id = p_user_id and (p_org_id is null or m.org_id = p_org_id);
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  perform private.lock_billing(begin_billing.org_id);
  select 'granted', o.name, u.email, s.plan, s.status, s.stripe_customer_id, s.stripe_subscription_id
  into outcome, org_name, begin_billing.email, begin_billing.plan, begin_billing.status, customer_id, subscription_id
  from public.organizations o
  join public.subscriptions s on s.org_id = o.id
  left join auth.users u on u.id = p_user_id
  where o.id = begin_billing.org_id;
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  -- What this transaction changes of the plan is this person's doing.
  perform set_config('tournavis.acting_user', p_user_id::text, true);
end;
$$;
comment on function public.begin_billing(uuid, uuid, text, uuid) is
  'Whether a user whose token names a session and an assurance level may change what an organisation (their own when '
  'null) pays for, and what stands there now; the billing lock is held until the transaction ends. Outcomes: granted, '
  'session_ended, second_factor_required, forbidden (not there, or no permission billing.manage).';
grant execute on function public.begin_billing(uuid, uuid, text, uuid) to service_role;

create function public.set_billing_customer(p_org_id uuid, p_customer_id text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_billing(p_org_id);
  update public.subscriptions s set stripe_customer_id = p_customer_id where s.org_id = p_org_id;
end;
$$;
comment on function public.set_billing_customer(uuid, text) is
  'Notes which customer of the payment provider an organisation is. Error 23505 when it is another organisation''s.';
grant execute on function public.set_billing_customer(uuid, text) to service_role;

create function public.keep_campaigns(p_org_id uuid, p_plan text, p_campaign_ids uuid[]) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_limit integer;
  v_kept uuid[];
begin
  perform private.lock_billing(p_org_id);
  select l.max_active_campaigns into v_limit from public.plan_limits l where l.plan = p_plan;
  if v_limit < 0 or (
    select count(*) from public.campaigns c where c.org_id = p_org_id and c.active
  ) <= v_limit then
    return 'fits';
  end if;
  select coalesce(array_agg(c.id), '{}') into v_kept
  from public.campaigns c where c.org_id = p_org_id and c.active and c.id = any (p_campaign_ids);
  if cardinality(v_kept) not between 1 and v_limit then
    return 'campaigns_to_choose';
  end if;
  update public.subscriptions s set kept_campaign_ids = v_kept where s.org_id = p_org_id;
  return 'fits';
end;
$$;
comment on function public.keep_campaigns(uuid, text, uuid[]) is
  'Prepares the change to a plan: answers fits when it has room for the active campaigns, or when those to keep are '
  'named (they are noted; the rest rests once the plan changes), else campaigns_to_choose.';
grant execute on function public.keep_campaigns(uuid, text, uuid[]) to service_role;

create function private.deactivate_excess_campaigns(p_org_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  update public.campaigns c set active = false
  from (
    select a.id, row_number() over (
      order by (a.id = any (s.kept_campaign_ids)) desc, a.created_at desc, a.id
    ) as place, l.max_active_campaigns as room
    from public.campaigns a
    join public.subscriptions s on s.org_id = a.org_id
    join public.plan_limits l on l.plan = s.plan
    where a.org_id = p_org_id and a.active
  ) ranked
  where c.org_id = p_org_id and c.id = ranked.id and ranked.room >= 0 and ranked.place > ranked.room;
end;
$$;
comment on function private.deactivate_excess_campaigns(uuid) is
  'Lets the active campaigns rest for which the plan has no room: those that the merchant kept stay, then the newest.';

create function public.lock_billing_customer(p_customer_id text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.subscriptions s where s.stripe_customer_id = p_customer_id;
  if found then
    perform private.lock_billing(v_org_id);
  end if;
  return v_org_id;
end;
$$;
comment on function public.lock_billing_customer(text) is
  'Takes the billing lock of the organisation that is this customer of the provider, until the transaction ends; null '
  'when nobody is. Whoever applies a state reads it after this: then an older state can never come later.';
grant execute on function public.lock_billing_customer(text) to service_role;

create function public.apply_subscription(
  p_customer_id text, p_subscription_id text, p_plan text, p_billing text, p_state text,
  p_current_period_end timestamptz, p_cancel_at_period_end boolean, p_past_due_since timestamptz,
  p_ended_at timestamptz, p_now timestamptz default now()
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := public.lock_billing_customer(p_customer_id);
  v_status text := p_state;
  v_closed_at timestamptz;
begin
  if v_org_id is null then
    return false;
  elsif p_subscription_id is null then
    -- The provider has no subscription at all: a trial goes on, what was paid for is over.
    update public.subscriptions s
    set status = 'canceled', closed_at = coalesce(s.closed_at, p_now), past_due_since = null, cancel_at_period_end = false
    where s.org_id = v_org_id and s.stripe_subscription_id is not null and s.status <> 'canceled';
    return found;
  end if;
  if p_state = 'past_due' and p_past_due_since <= p_now - interval '8 days' then
    v_status := 'suspended';
    v_closed_at := p_past_due_since + interval '8 days';
  elsif p_state = 'canceled' then
    v_closed_at := p_ended_at;
  end if;
  update public.subscriptions s
  set plan = p_plan, billing = p_billing, status = v_status, stripe_subscription_id = p_subscription_id,
    current_period_end = p_current_period_end, cancel_at_period_end = p_cancel_at_period_end,
    past_due_since = p_past_due_since, closed_at = v_closed_at
  where s.org_id = v_org_id
    and (s.plan, s.billing, s.status, s.stripe_subscription_id, s.current_period_end, s.cancel_at_period_end,
      s.past_due_since, s.closed_at)
    is distinct from (p_plan, p_billing, v_status, p_subscription_id, p_current_period_end, p_cancel_at_period_end,
      p_past_due_since, v_closed_at);
  if not found then
    return false;
  end if;
  if v_status in ('active', 'past_due') then
    perform private.deactivate_excess_campaigns(v_org_id);
  end if;
  return true;
end;
$$;
comment on function public.apply_subscription(text, text, text, text, text, timestamptz, boolean, timestamptz, timestamptz, timestamptz) is
  'Makes an organisation''s row say what the payment provider holds: subscription (null: none), plan, billing, state '
  '(active, past_due, canceled), end of the paid period, whether it ends then, since when a bill is open, when it ended. '
  'Eight days after that bill it is suspended. Answers whether anything changed; false for an unknown customer. The '
  'state must have been read under lock_billing_customer in the same transaction.';
grant execute on function public.apply_subscription(text, text, text, text, text, timestamptz, boolean, timestamptz, timestamptz, timestamptz)
  to service_role;

create function public.billing_overview() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_managed constant uuid[] := array(select private.my_org_ids('billing.manage'));
begin
  return (
    select jsonb_build_object(
      'org_id', s.org_id, 'may_manage', s.org_id = any (v_managed), 'plan', s.plan, 'status', s.status,
      'billing', s.billing, 'trial_end', s.trial_end, 'current_period_end', s.current_period_end,
      'cancel_at_period_end', s.cancel_at_period_end, 'past_due_since', s.past_due_since, 'is_open', private.is_open(s),
      'customer_id', case when s.org_id = any (v_managed) then s.stripe_customer_id end,
      'subscription_id', case when s.org_id = any (v_managed) then s.stripe_subscription_id end,
      'active_campaigns', case when s.org_id = any (v_managed) then coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.created_at desc, c.id)
        from (
          select a.id, a.name, a.created_at from public.campaigns a
          where a.org_id = s.org_id and a.active order by a.created_at desc, a.id limit 200
        ) c), '[]') else '[]' end)
    from public.organization_members m join public.subscriptions s on s.org_id = m.org_id
    where m.user_id = v_user_id
  );
end;
$$;
comment on function public.billing_overview() is
  'Plan of the signed-in member''s organisation as /pricing and /checkout need it (billingOverview of _shared/domain); '
  'null without an organisation. Identifiers of the payment provider and the active campaigns (200 at most) are for '
  'whoever has the permission billing.manage.';
grant execute on function public.billing_overview() to authenticated;

create function private.enqueue_payment_task(p_task text, p_subject text) returns uuid
language sql volatile security definer set search_path = ''
as $$ select private.enqueue_message('payment', p_task, p_subject, '{}', now() + interval '3 days'); $$;
comment on function private.enqueue_payment_task(text, text) is
  'Writes work at the payment provider down: reconcile (a customer), or sandbox_event (an event of the local sandbox to '
  'deliver). Answers its identifier.';
grant execute on function private.enqueue_payment_task(text, text) to service_role;

create function private.reconcile_subscriptions(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  with due as (
    update public.subscriptions s set reconciled_at = now()
    where s.org_id = any (array(
      select o.org_id from public.subscriptions o
      where o.stripe_customer_id is not null
        and (o.reconciled_at is null or o.reconciled_at < now() - interval '20 hours')
      order by o.reconciled_at nulls first limit p_limit for update skip locked
    ))
    returning s.stripe_customer_id
  )
  select count(private.enqueue_payment_task('reconcile', d.stripe_customer_id)) into v_count from due d;
  return v_count;
end;
$$;
comment on function private.reconcile_subscriptions(integer) is
  'Job: once a day every customer of the payment provider is read again, whatever was told or not.';
insert into private.jobs (name, run_every, next_run_at) values
  ('reconcile_subscriptions', interval '1 day',
    (date_trunc('day', now() at time zone 'Europe/Paris') + interval '1 day 3 hours') at time zone 'Europe/Paris');

create function private.end_trials(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'canceled', closed_at = s.trial_end
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'active' and o.plan = 'free_trial' and o.trial_end <= now()
    order by o.trial_end limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.end_trials(integer) is 'Job: free trials whose last instant has passed are over.';
insert into private.jobs (name, run_every) values ('end_trials', interval '5 minutes');

create function private.end_periods(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'canceled', closed_at = s.current_period_end, cancel_at_period_end = false
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'active' and o.plan <> 'free_trial'
      and o.current_period_end <= now() - case when o.cancel_at_period_end then interval '0' else interval '8 days' end
    order by o.current_period_end limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.end_periods(integer) is
  'Job: paid periods that were to be the last are over; others that nobody renewed, eight days later. What the payment '
  'provider knows better, the next message or the nightly comparison says.';
insert into private.jobs (name, run_every) values ('end_periods', interval '5 minutes');

create function private.suspend_unpaid_plans(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'suspended', closed_at = s.past_due_since + interval '8 days'
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'past_due' and o.past_due_since <= now() - interval '8 days'
    order by o.past_due_since limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.suspend_unpaid_plans(integer) is
  'Job: eight days after a bill that is still open, the plan is suspended (specification, section 9).';
insert into private.jobs (name, run_every) values ('suspend_unpaid_plans', interval '5 minutes');

create function private.has_running_payments(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.subscriptions s
    where s.org_id = p_org_id and s.stripe_subscription_id is not null
      and s.status in ('active', 'past_due', 'suspended') and not s.cancel_at_period_end
  );
$$;
comment on function private.has_running_payments(uuid) is
  'Whether the payment provider would go on charging an organisation, a suspended one as well: then it is cancelled there '
  'first.';

create function private.notify_plan_event(p_org_id uuid, p_kind text, p_about timestamptz, p_day timestamptz) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_day constant text := to_char(p_day at time zone private.timezone_of(p_org_id), 'DD/MM/YYYY');
  v_person record;
begin
  -- Two who want to tell the same at once take turns on this row; the later finds it told.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return false;
  end if;
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'facts', jsonb_strip_nulls(jsonb_build_object('organization', v_person.organization, 'day', v_day))),
      now() + interval '2 days');
  end loop;
  return true;
end;
$$;
comment on function private.notify_plan_event(uuid, text, timestamptz, timestamptz) is
  'Writes to whoever may manage billing (owner and admins) that a plan ends, has ended or is not paid; the day is the one '
  'that the mail mentions. Answers false, and writes nothing, when the same was told before.';

create function private.notify_plan_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- An organisation that is being ended was told that its pages are closed.
  if new.is_ending then
    return null;
  elsif new.status = 'past_due' then
    perform private.notify_plan_event(new.org_id, 'payment_failed', new.past_due_since, new.past_due_since + interval '8 days');
  elsif new.status = 'suspended' then
    perform private.notify_plan_event(new.org_id, 'plan_suspended', new.closed_at, new.closed_at + interval '30 days');
  elsif new.status = 'canceled' then
    perform private.notify_plan_event(new.org_id, case new.plan when 'free_trial' then 'trial_ended' else 'plan_ended' end,
      new.closed_at, new.closed_at + interval '30 days');
  end if;
  return null;
end;
$$;
comment on function private.notify_plan_change() is
  'Tells of a bill that is open (for how long it can be), of a plan that is suspended and of one that is over (until when '
  'its data can be read).';
create trigger notify_plan_change after update of status, past_due_since, closed_at on public.subscriptions
  for each row when (
    (new.status = 'past_due' and new.past_due_since is not null
      and (old.status, old.past_due_since) is distinct from (new.status, new.past_due_since))
    or (new.status in ('suspended', 'canceled') and new.closed_at is not null and old.status is distinct from new.status))
  execute function private.notify_plan_change();

create function private.notify_ending_trials(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_due record;
  v_count integer := 0;
begin
  for v_due in
    select s.org_id, s.trial_end from public.subscriptions s
    where s.status = 'active' and s.plan = 'free_trial' and not s.is_ending
      and s.trial_end > now() and s.trial_end <= now() + interval '3 days'
      and not exists (
        select 1 from private.plan_notices n
        where n.org_id = s.org_id and n.kind = 'trial_ending' and n.about = s.trial_end)
    order by s.trial_end limit p_limit for no key update skip locked
  loop
    perform private.notify_plan_event(v_due.org_id, 'trial_ending', v_due.trial_end, v_due.trial_end);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.notify_ending_trials(integer) is 'Job: tells, once, of free trials that end within three days.';
insert into private.jobs (name, run_every) values ('notify_ending_trials', interval '15 minutes');

-- Who may read and write --------------------------------------------------------------------------

alter table private.payment_sandbox enable row level security;
grant select, insert, update on private.payment_sandbox to service_role;

alter table private.plan_notices enable row level security;

-- 20_brand.sql ====================================================================================

-- Brand: a merchant's logo and colour in the place of the product's name.
--
-- The files stand in the platform's storage, by organisation, and only what the server has read, measured and written anew
-- is ever public. The plan decides here whether customers see it, so that it goes with the plan and comes back with it.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('logos', 'logos', true, 262144, '{image/webp}'),
  ('logo-uploads', 'logo-uploads', false, 2097152, '{image/png,image/jpeg,image/webp}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.organization_brands (
  org_id uuid primary key references public.organizations (id) on delete cascade,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  logo text check (logo ~ '^[0-9a-f]{32}$'),
  logo_width smallint check (logo_width between 1 and 1000),
  logo_height smallint check (logo_height between 1 and 1000),
  updated_at timestamptz not null default now(),
  check (num_nulls(logo, logo_width, logo_height) in (0, 3))
);
comment on table public.organization_brands is
  'Logo and colour of an organisation, for its customers'' pages and its posters; shown while the plan includes it.';
comment on column public.organization_brands.org_id is 'Whose brand it is.';
comment on column public.organization_brands.color is
  'As the merchant chose it (#rrggbb, lower case); pages darken it until it can be read. Null: the product''s own.';
comment on column public.organization_brands.logo is
  'Mark of its contents, which names its files in the bucket logos: {org_id}/{logo}.webp for pages, {org_id}/{logo}-print.webp '
  'for paper. Null without one.';
comment on column public.organization_brands.logo_width is 'Width of the picture for pages, in pixels.';
comment on column public.organization_brands.logo_height is 'Height of the picture for pages, in pixels.';
comment on column public.organization_brands.updated_at is 'When something of it was last changed.';

create function private.may_upload_logo(p_name text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  if p_name is null or p_name !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return false;
  end if;
  v_org_id := split_part(p_name, '/', 1)::uuid;
  return v_org_id in (select private.my_org_ids('organization.update'))
    and private.has_feature(v_org_id, 'white_label')
    -- Each goes within seconds (the function brand_logo takes it, the job sweep_files forgets it): more is no use but a heap.
    and (select count(*) from storage.objects o
      where o.bucket_id = 'logo-uploads' and o.name like v_org_id || '/%') < 5;
-- The storage knows no other word for it; the function brand_logo, which follows, says why.
exception when sqlstate 'TV010' or sqlstate 'TV011' or sqlstate 'TV085' then
  return false;
end;
$$;
comment on function private.may_upload_logo(text) is
  'Whether the signed-in user may put a picture under this name of the bucket logo-uploads: {organisation}/{UUID}, theirs, '
  'with the permission organization.update and a plan in force that shows the merchant''s brand; five at once.';
grant execute on function private.may_upload_logo(text) to authenticated;

create function private.stored_brand(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'color', b.color,
    'logo', case when b.logo is not null then jsonb_build_object(
      'path', b.org_id || '/' || b.logo || '.webp',
      'print_path', b.org_id || '/' || b.logo || '-print.webp',
      'width', b.logo_width, 'height', b.logo_height) end)
  from public.organization_brands b
  where b.org_id = p_org_id and (b.color is not null or b.logo is not null);
$$;
comment on function private.stored_brand(uuid) is
  'Colour and logo of an organisation, with the paths of its files in the bucket logos; null without either. The shape is '
  'brand of _shared/domain.';

create function private.brand(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select case when private.has_feature(p_org_id, 'white_label') then private.stored_brand(p_org_id) end;
$$;
comment on function private.brand(uuid) is
  'The brand that customers see: that of the organisation while its plan includes it, else null.';

create function public.brand_settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    or not exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = p_org_id
        and private.role_may(m.role, 'organization.update'))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'slug', o.slug,
      'included', private.has_feature(o.id, 'white_label'), 'brand', private.stored_brand(o.id),
      'campaign_slug', (
        select c.slug
        from public.campaigns c
        join public.subscriptions u on u.org_id = c.org_id
        where c.org_id = o.id and c.active and private.is_running(c, u)
        order by c.created_at desc, c.id
        limit 1
      ))
    from public.organizations o where o.id = p_org_id);
end;
$$;
comment on function public.brand_settings(uuid) is
  'What the screen « Votre marque » shows: the organisation''s name and address, that of its newest running '
  'campaign, its brand, and whether its plan shows it to customers. The shape is brandSettings of _shared/domain. Error 42501 without the permission organization.update there.';
grant execute on function public.brand_settings(uuid) to authenticated;

create function private.note_brand(p_org_id uuid, p_user_id uuid, p_action text) returns void
language sql volatile set search_path = ''
as $$
  select private.audit_as(p_org_id, p_user_id, p_action, 'organization', p_org_id,
    (select jsonb_build_object('name', o.name) from public.organizations o where o.id = p_org_id));
$$;
comment on function private.note_brand(uuid, uuid, text) is 'Writes into the audit trail what a user changed of the brand.';

create function public.save_brand_color(p_org_id uuid, p_color text default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('organization.update'))) then
    raise exception 'forbidden' using errcode = '42501';
  elsif not private.has_feature(p_org_id, 'white_label') then
    raise exception 'brand_not_in_plan' using errcode = 'TV150';
  end if;
  insert into public.organization_brands as b (org_id, color) values (p_org_id, lower(p_color))
  on conflict (org_id) do update set color = excluded.color, updated_at = now()
  where b.color is distinct from excluded.color;
  if found then
    perform private.note_brand(p_org_id, private.my_user_id(), 'brand.color_changed');
  end if;
end;
$$;
comment on function public.save_brand_color(uuid, text) is
  'Sets the colour that an organisation''s customers see (#rrggbb; null: the product''s own). Errors: 42501 without the '
  'permission organization.update there, TV085 the plan is no longer in force, TV150 it does not include a brand, 23514 it '
  'is no colour.';
grant execute on function public.save_brand_color(uuid, text) to authenticated;

create function public.begin_brand_logo(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    where m.user_id = p_user_id and m.org_id = p_org_id and private.role_may(m.role, 'organization.update')
  ) then
    return 'forbidden';
  elsif exists (select 1 from public.subscriptions s where s.org_id = p_org_id and not private.is_open(s)) then
    return 'closed';
  elsif not private.has_feature(p_org_id, 'white_label') then
    return 'not_in_plan';
  -- One at a time for an organisation, two for everybody: a picture costs memory and a processor while it is read.
  elsif not pg_try_advisory_xact_lock(hashtextextended('logo of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('logo 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('logo 2', 0)))
  then
    return 'busy';
  end if;
  return 'started';
end;
$$;
comment on function public.begin_brand_logo(uuid, uuid, text, uuid) is
  'Whether a user whose token names a session and an assurance level may change an organisation''s logo now; the place is '
  'held until the transaction ends. Answers started, or why not: session_ended, second_factor_required, forbidden, closed '
  '(the plan is no longer in force), not_in_plan, busy (other pictures are being read).';
grant execute on function public.begin_brand_logo(uuid, uuid, text, uuid) to service_role;

create function public.set_brand_logo(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_logo text, p_width integer, p_height integer
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if public.begin_brand_logo(p_user_id, p_session_id, p_aal, p_org_id) <> 'started' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.organization_brands as b (org_id, logo, logo_width, logo_height)
  values (p_org_id, p_logo, p_width, p_height)
  on conflict (org_id) do update
    set logo = excluded.logo, logo_width = excluded.logo_width, logo_height = excluded.logo_height, updated_at = now()
  where b.logo is distinct from excluded.logo;
  if found then
    perform private.note_brand(p_org_id, p_user_id,
      case when p_logo is null then 'brand.logo_removed' else 'brand.logo_changed' end);
  end if;
end;
$$;
comment on function public.set_brand_logo(uuid, uuid, text, uuid, text, integer, integer) is
  'Makes the files of this name an organisation''s logo (null: it has none any more), in the transaction of '
  'begin_brand_logo. Error 42501 to whomever begin_brand_logo would refuse.';
grant execute on function public.set_brand_logo(uuid, uuid, text, uuid, text, integer, integer) to service_role;

create function public.stale_logo_files(p_org_id uuid) returns setof text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Whoever is changing the logo just now will look here as well.
  if not pg_try_advisory_xact_lock(hashtextextended('logo of ' || p_org_id, 0)) then
    return;
  end if;
  return query
  select o.name from storage.objects o
  where o.bucket_id = 'logos' and o.name like p_org_id || '/%'
    and not exists (
      select 1 from public.organization_brands b where b.org_id = p_org_id
        and o.name in (b.org_id || '/' || b.logo || '.webp', b.org_id || '/' || b.logo || '-print.webp'));
end;
$$;
comment on function public.stale_logo_files(uuid) is
  'Files of an organisation in the bucket logos that are not its logo, to be removed before the transaction ends, which '
  'keeps others from changing it meanwhile; none while somebody does.';
grant execute on function public.stale_logo_files(uuid) to service_role;

create function private.erase_files(p_bucket text, p_names text[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- What an entry of the outbox has room for.
  c_at_once constant integer := 100;
  v_names text[];
  v_count integer;
begin
  -- Where bytes stand in the database they go with the row.
  if to_regclass('storage.contents') is not null then
    delete from storage.objects o where o.bucket_id = p_bucket and o.name = any (p_names);
    get diagnostics v_count = row_count;
    return v_count;
  end if;
  -- On a hosted project they would be left behind: the storage itself removes both.
  v_names := array(
    select n.name from unnest(p_names) n (name)
    where not exists (
      select from private.outbox m
      where m.channel = 'file' and m.state = 'queued' and m.recipient = p_bucket and m.data -> 'names' ? n.name)
    order by n.name);
  v_count := cardinality(v_names);
  for v_first in 1 .. v_count by c_at_once loop
    -- The job sweep_files finds again within the hour what could not be removed by then.
    perform private.enqueue_message('file', 'remove', p_bucket,
      jsonb_build_object('names', v_names[v_first : v_first + c_at_once - 1]), now() + interval '1 hour');
  end loop;
  return v_count;
end;
$$;
comment on function private.erase_files(text, text[]) is
  'Takes files out of a bucket, or has them taken out on a hosted project; answers how many.';

create function private.erase_organization_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.erase_files(o.bucket_id, array_agg(o.name))
  from storage.objects o
  where o.bucket_id in ('logos', 'logo-uploads') and o.name like old.id || '/%'
  group by o.bucket_id;
  return null;
end;
$$;
comment on function private.erase_organization_files() is 'The files of an organisation go with it.';
create trigger erase_organization_files after delete on public.organizations
  for each row execute function private.erase_organization_files();

create function private.sweep_files(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
begin
  return coalesce((
    select sum(private.erase_files(f.bucket_id, f.names))
    from (
      select s.bucket_id, array_agg(s.name) as names
      from (
        select o.bucket_id, o.name from storage.objects o
        where o.bucket_id in ('logos', 'logo-uploads') and o.created_at < now() - interval '1 hour'
          and not exists (
            select 1 from public.organization_brands b
            where o.bucket_id = 'logos' and b.org_id::text = split_part(o.name, '/', 1)
              and split_part(o.name, '/', 2) in (b.logo || '.webp', b.logo || '-print.webp'))
        limit p_limit
      ) s
      group by s.bucket_id
    ) f
  ), 0);
end;
$$;
comment on function private.sweep_files(integer) is
  'Job: pictures that were uploaded and never became a logo, and logos that no organisation has any more, go after an hour: '
  'what a process that died in between left behind.';
insert into private.jobs (name, run_every) values ('sweep_files', interval '1 hour');

-- Who may read and write --------------------------------------------------------------------------

alter table public.organization_brands enable row level security;
revoke all on public.organization_brands from anon;
revoke all on public.organization_brands from authenticated;
grant select on public.organization_brands to authenticated;
create policy "Members read the brand of their organisation" on public.organization_brands
  for select to authenticated using (org_id = any (array(select private.my_org_ids())));

-- Nothing else is open: nobody lists, reads, replaces or deletes files, and the server alone writes the bucket logos.
create policy "Those who manage an organisation upload pictures to become its logo" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'logo-uploads' and private.may_upload_logo(name));

-- 21_api_keys.sql =================================================================================

-- Keys of the API: what a merchant's own programs may ask for.
--
-- A key stands for the organisation, not for a person: it reads the organisation's rows, or it uses codes at the till, and
-- nothing else. Whether it still counts (taken back, expired, plan) is asked of these tables at every statement, so no token
-- outlives its key.

create table private.api_keys (
  org_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default gen_random_uuid() unique,
  name text not null check (name = btrim(name) and length(name) between 1 and 80),
  scope text not null check (scope in ('read', 'redeem')),
  store_id uuid,
  prefix text not null check (length(prefix) between 8 and 20),
  key_hash bytea not null unique check (length(key_hash) = 32),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id),
  -- Checked at the end of the statement, so that an organisation can still be deleted as a whole.
  foreign key (org_id, store_id) references public.stores (org_id, id),
  check (store_id is null or scope = 'redeem')
);
create index api_keys_store_idx on private.api_keys (org_id, store_id);
create index api_keys_created_by_idx on private.api_keys (created_by);
comment on table private.api_keys is
  'Keys of organisations for the data API. Read through public.api_keys; the key itself is shown once and stands nowhere.';
comment on column private.api_keys.org_id is 'Organisation whose rows it opens.';
comment on column private.api_keys.id is 'Identifier; short-lived tokens name it.';
comment on column private.api_keys.name is 'What the merchant calls it, 1 to 80 characters.';
comment on column private.api_keys.scope is 'read: the organisation''s rows; redeem: what a code is, and using it.';
comment on column private.api_keys.store_id is 'The only store whose till it serves; null for all. Scope redeem alone.';
comment on column private.api_keys.prefix is 'How the key begins, to recognise it by; opens nothing.';
comment on column private.api_keys.key_hash is
  'SHA-256 of the key, which has 256 random bits: no computer tries them out, so a slow hash would add nothing.';
comment on column private.api_keys.created_by is 'Who made it; null once that account is gone. The key stays the organisation''s.';
comment on column private.api_keys.created_at is 'When it was made.';
comment on column private.api_keys.expires_at is 'Until when it counts; null is without end.';
comment on column private.api_keys.last_used_at is 'When it was last used, to the hour.';
comment on column private.api_keys.revoked_at is 'When it was taken back, for good; null while it counts.';

-- Codes that a key used.
alter table public.redemption_events add foreign key (org_id, api_key_id) references private.api_keys (org_id, id);

create function private.api_key_refusal(p_key private.api_keys) returns text
language sql stable set search_path = ''
as $$
  select case
    when p_key.id is null or p_key.revoked_at is not null or p_key.expires_at <= now() then 'api_key_refused'
    when not private.includes_api(p_key.org_id) then 'api_not_in_plan'
  end;
$$;
comment on function private.api_key_refusal(private.api_keys) is
  'Why a key opens nothing: api_key_refused (unknown, taken back, expired), api_not_in_plan; null when it counts.';

create function private.my_api_key() returns private.api_keys
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_id constant text := auth.jwt() ->> 'api_key_id';
  v_key private.api_keys;
  v_refusal text;
begin
  -- A person is a person, whatever else their token says.
  if v_id is null or auth.uid() is not null then
    return null;
  end if;
  select * into v_key from private.api_keys k where k.id = v_id::uuid;
  v_refusal := private.api_key_refusal(v_key);
  if v_refusal = 'api_not_in_plan' then
    raise exception 'api_not_in_plan' using errcode = 'TV111';
  elsif v_refusal is not null then
    raise exception 'api_key_refused' using errcode = 'TV110';
  end if;
  -- PostgreSQL itself refuses what would write from here on (25006), whichever function it stands in.
  if v_key.scope = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return v_key;
end;
$$;
comment on function private.my_api_key() is
  'The organisation''s key for which policies and functions act; null without one. With a reading key the rest of the '
  'transaction writes nothing. Errors TV110 the key was taken back or has expired, TV111 the plan does not include the API.';

create function private.new_api_key() returns text
language sql volatile set search_path = ''
as $$
  -- 366 random bits, of which the hash keeps 256; written without what an address or a shell would change.
  select 'tv_live_' || translate(encode(
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'),
    '+/=', '-_');
$$;
comment on function private.new_api_key() is 'A key of the API that nobody has: tv_live_ and 256 random bits.';

create function private.require_delegation(p_org_id uuid, p_scope text) returns void
language plpgsql stable set search_path = ''
as $$
declare
  v_needed constant text[] := case p_scope
    when 'redeem' then '{codes.redeem}'
    else '{stores.read,campaigns.read,rewards.read,customers.read,codes.read,activity.read}'
  end;
begin
  if exists (select 1 from unnest(v_needed) n where p_org_id not in (select private.my_org_ids(n))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_delegation(uuid, text) is
  'Nobody makes a key that opens what they may not open themselves. Error 42501.';

create function public.create_api_key(
  p_name text, p_scope text, p_store_id uuid default null, p_expires_at timestamptz default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_key constant text := private.new_api_key();
  v_org_id uuid;
  v_row private.api_keys;
begin
  select o into v_org_id from private.my_org_ids('api.manage') o;
  -- One after the other, so that the keys are counted.
  perform private.lock_team(v_org_id);
  if v_org_id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_delegation(v_org_id, p_scope);
  if not private.includes_api(v_org_id) then
    raise exception 'api_not_in_plan' using errcode = 'TV111';
  elsif p_expires_at <= now() then
    raise exception 'already_expired' using errcode = '23514';
  elsif p_store_id is not null and not exists (
    select 1 from public.stores s where s.org_id = v_org_id and s.id = p_store_id and s.archived_at is null
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.api_keys k where k.org_id = v_org_id and k.revoked_at is null) >= 20 then
    raise exception 'too_many_api_keys' using errcode = 'TV112';
  end if;
  insert into private.api_keys (org_id, name, scope, store_id, prefix, key_hash, created_by, expires_at)
  values (v_org_id, btrim(p_name), p_scope, p_store_id, left(v_key, 13), sha256(convert_to(v_key, 'UTF8')),
    private.my_user_id(), p_expires_at)
  returning * into v_row;
  perform private.audit(v_org_id, 'api_key.created', 'api_key', v_row.id, jsonb_build_object('name', v_row.name));
  return jsonb_build_object('id', v_row.id, 'name', v_row.name, 'key', v_key);
end;
$$;
comment on function public.create_api_key(text, text, uuid, timestamptz) is
  'Makes a key for the API of the signed-in user''s organisation and answers it, this once: scope read or redeem, the latter '
  'at one store or at all, with or without an end. The shape is newApiKey of _shared/domain. Errors: 42501 without the '
  'permission api.manage or what the key would open, or for a store that is not in use there, TV111 the plan does not '
  'include the API, TV112 there are 20 keys, 23514 or 23502 no name, scope or future.';
grant execute on function public.create_api_key(text, text, uuid, timestamptz) to authenticated;

create function public.revoke_api_key(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row private.api_keys;
begin
  select * into v_row from private.api_keys k
  where k.org_id = any (array(select private.my_org_ids('api.manage'))) and k.id = p_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_row.revoked_at is not null then
    return;
  end if;
  update private.api_keys k set revoked_at = now() where k.org_id = v_row.org_id and k.id = p_id;
  perform private.audit(v_row.org_id, 'api_key.revoked', 'api_key', p_id, jsonb_build_object('name', v_row.name));
end;
$$;
comment on function public.revoke_api_key(uuid) is
  'Takes a key back for good: its next request opens nothing. Nothing happens to one that was taken back already. Error '
  '42501 without the permission api.manage there, and for a key that is none.';
grant execute on function public.revoke_api_key(uuid) to authenticated;

create function public.api_keys(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('api.manage'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'is_included', private.includes_api(p_org_id),
    'keys', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', k.id, 'name', k.name, 'scope', k.scope, 'prefix', k.prefix, 'created_at', k.created_at,
        'created_by', private.user_name(k.created_by), 'expires_at', k.expires_at,
        'is_expired', coalesce(k.expires_at <= now(), false), 'last_used_at', k.last_used_at,
        'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
        order by k.created_at desc, k.id)
      from private.api_keys k
      left join public.stores s on s.org_id = k.org_id and s.id = k.store_id
      where k.org_id = p_org_id and k.revoked_at is null), '[]'::jsonb));
end;
$$;
comment on function public.api_keys(uuid) is
  'Keys of an organisation that were not taken back, newest first, without what opens anything, and whether its plan '
  'includes the API: the shape is apiKeys of _shared/domain. Error 42501 without the permission api.manage there.';
grant execute on function public.api_keys(uuid) to authenticated;

create function public.begin_api_request(
  p_key_hash text, p_key_id uuid, p_address_hash text,
  out outcome text, out key_id uuid, out scope text, out retry_after integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_key private.api_keys;
begin
  select * into v_key from private.api_keys k
  where k.key_hash = decode(p_key_hash, 'hex') or (p_key_hash is null and k.id = p_key_id);
  outcome := private.api_key_refusal(v_key);
  if outcome = 'api_key_refused' then
    -- Nobody guesses 256 bits; whoever tries is not served for it.
    retry_after := private.count_attempt(array['api guess ' || p_address_hash], '{60}', interval '1 minute');
  elsif outcome is null then
    retry_after := private.count_attempt(array['api key ' || v_key.id::text], '{600}', interval '1 minute');
  end if;
  if retry_after is not null then
    outcome := 'too_many_attempts';
  elsif outcome is null then
    outcome := 'accepted';
    key_id := v_key.id;
    scope := v_key.scope;
    -- To the hour: what every request would write, few requests do.
    update private.api_keys k set last_used_at = now()
    where k.org_id = v_key.org_id and k.id = v_key.id
      and (k.last_used_at is null or k.last_used_at < now() - interval '1 hour');
  end if;
end;
$$;
comment on function public.begin_api_request(text, uuid, text) is
  'Whether a request with a key (its SHA-256 in hexadecimal, or null and the identifier that a token names) may go on, '
  'counted: 600 a minute for a key, 60 wrong ones for an address (keyed hash). Outcomes: accepted, with the key''s identifier '
  'and scope; api_key_refused; api_not_in_plan; too_many_attempts, with the seconds to wait.';
grant execute on function public.begin_api_request(text, uuid, text) to service_role;

create function private.inspect_code_with_key(p_key private.api_keys, p_code text, p_store_id uuid)
returns table (state text, redemption public.redemptions)
language plpgsql volatile set search_path = ''
as $$
begin
  if p_key.scope is distinct from 'redeem' or p_key.store_id <> p_store_id or not exists (
    select 1 from public.stores s where s.org_id = p_key.org_id and s.id = p_store_id
  ) then
    return query select 'forbidden', null::public.redemptions;
  elsif private.count_attempt(array['code key ' || p_key.id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(p_key.org_id, p_store_id, p_code);
  end if;
end;
$$;
comment on function private.inspect_code_with_key(private.api_keys, text, uuid) is
  'What a code is to a key of the API at the till of a store: the states of private.inspect_code.';

create function public.redeem_code_with_key(
  p_key_hash text, p_address_hash text, p_code text, p_store_id uuid,
  out outcome text, out body jsonb, out retry_after integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_request record;
  v_key private.api_keys;
  v_inspection record;
begin
  select * into v_request from public.begin_api_request(p_key_hash, null, p_address_hash);
  if v_request.outcome <> 'accepted' then
    outcome := v_request.outcome;
    retry_after := v_request.retry_after;
    return;
  end if;
  select * into v_key from private.api_keys k where k.id = v_request.key_id;
  select * into v_inspection from private.inspect_code_with_key(v_key, p_code, p_store_id);
  select u.outcome, u.body into outcome, body
  from private.use_code(v_inspection.state, v_inspection.redemption, null, v_key.id, p_code, p_store_id) u;
end;
$$;
comment on function public.redeem_code_with_key(text, text, text, uuid) is
  'Uses a code at the till of a store, once, for a key of the API (its SHA-256 in hexadecimal). Outcomes: those of '
  'redeem_code, and those of begin_api_request, for which body is null.';
grant execute on function public.redeem_code_with_key(text, text, text, uuid) to service_role;

-- Who may read and write --------------------------------------------------------------------------

alter table private.api_keys enable row level security;

-- 22_notifications.sql ============================================================================

-- Notifications: the mails that a member asked for.
--
-- A merchant who hears at once of a bad visit can still call the customer, and one who gets the figures every week need not
-- come and look. Both are mails that somebody asked for, written in the transaction that they speak of, and both can be
-- ended with one click, without signing in. Nobody asks for text messages without a number that was proven to be theirs.

create function private.next_summary(p_summary text, p_timezone text, p_after timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$
  select (d.start + interval '8 hours'
    -- Added to the wall clock: a day there has 23 or 25 hours now and then.
    + case when d.start + interval '8 hours' > d.local then interval '0' else d.length end) at time zone p_timezone
  from (
    select t.local, date_trunc(case p_summary when 'daily' then 'day' else 'week' end, t.local) as start,
      case p_summary when 'daily' then interval '1 day' else interval '7 days' end as length
    from (select p_after at time zone p_timezone as local) t
  ) d
  where p_summary in ('daily', 'weekly');
$$;
comment on function private.next_summary(text, text, timestamptz) is
  'When the next summary after a moment is due: at 8 in the morning there, every day or on Mondays; null for none.';

create function public.save_notifications(p_org_id uuid, p_email boolean, p_sms boolean, p_low_ratings boolean, p_summary text)
returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids())) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_sms and private.proven_phone(v_user_id) is null then
    raise exception 'phone_required' using errcode = 'TV105';
  end if;
  insert into public.notification_preferences as n (org_id, user_id, email, sms, low_ratings, summary, next_summary_at)
  values (p_org_id, v_user_id, p_email, p_sms, p_low_ratings, p_summary,
    case when p_email then private.next_summary(p_summary, private.timezone_of(p_org_id), now()) end)
  on conflict (org_id, user_id) do update set
    email = excluded.email, sms = excluded.sms, low_ratings = excluded.low_ratings, summary = excluded.summary,
    -- Saved once more, the next summary keeps its date.
    next_summary_at = case
      when n.summary = excluded.summary and n.email = excluded.email then n.next_summary_at
      else excluded.next_summary_at
    end;
end;
$$;
comment on function public.save_notifications(uuid, boolean, boolean, boolean, text) is
  'Saves what the signed-in member wants to be told: channels (e-mail, SMS), an alert for reviews of 3 stars or fewer, and '
  'a summary (none, daily, weekly). Errors: 42501 to members of another organisation, TV105 text messages without a '
  'proven number, 23514 another word for the summary, 23502 a null.';
grant execute on function public.save_notifications(uuid, boolean, boolean, boolean, text) to authenticated;

create function private.alert_low_rating() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_store text;
  v_reader record;
begin
  -- Nearly always nobody asked: one look into an index.
  if not exists (
    select 1 from public.notification_preferences n where n.org_id = new.org_id and n.low_ratings
  ) then
    return null;
  end if;
  -- A prankster must not be able to fill a merchant's mailbox.
  if private.count_attempt(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_token,
      private.proven_phone(u.id) as phone,
      -- Whoever may not see customers is led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_mail('low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'customer', v_reader.customer_id,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_token))),
        now() + interval '1 day');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone,
        jsonb_build_object('store', v_store, 'rating', new.rating), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.alert_low_rating() is
  'Writes to those who asked to be told of a review of 3 stars or fewer, and who may read reviews: at most 30 alerts an '
  'hour for one organisation.';
create trigger alert_low_rating after insert on public.pre_spin_reviews
  for each row when (new.rating <= 3) execute function private.alert_low_rating();

create function private.send_summaries(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_due record;
  v_timezone text;
  v_until date;
  v_from date;
  v_figures record;
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.summary, n.next_summary_at, n.unsubscribe_token,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_summary_at <= now()
    order by n.next_summary_at limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The period ends with the day before the summary was due, however late this run comes.
    v_until := (v_due.next_summary_at at time zone v_timezone)::date;
    v_from := v_until - case v_due.summary when 'daily' then 1 else 7 end;
    update public.notification_preferences n
    set next_summary_at = private.next_summary(n.summary, v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;

    continue when v_due.address is null or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    into v_figures
    from private.day_figures_now(v_due.org_id, v_from, v_until) d;
    -- A day on which nothing happened is not worth a mail; a week is.
    continue when v_due.summary = 'daily'
      and v_figures.scans + v_figures.reviews + v_figures.spins + v_figures.redemptions = 0;

    perform private.enqueue_mail(v_due.summary || '_summary', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'from', to_char(v_from, 'DD/MM/YYYY'), 'to', to_char(v_until - 1, 'DD/MM/YYYY'),
        'scans', v_figures.scans::text, 'reviews', v_figures.reviews::text, 'spins', v_figures.spins::text,
        'wins', v_figures.wins::text, 'redemptions', v_figures.redemptions::text,
        'average', case when v_figures.reviews > 0 then
          replace(round(v_figures.rating_sum::numeric / v_figures.reviews, 1)::text, '.', ',') end,
        'token', v_due.unsubscribe_token))),
      now() + interval '1 day');
  end loop;
  return v_count;
end;
$$;
comment on function private.send_summaries(integer) is
  'Job: summaries that are due, one for each member and period: the date of the next moves on in the transaction that '
  'writes the mail. Periods are days of the organisation''s time zone.';
insert into private.jobs (name, run_every) values ('send_summaries', interval '5 minutes');

create function public.unsubscribe(p_token uuid, p_kind text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.notification_preferences n set
    low_ratings = n.low_ratings and p_kind <> 'alert',
    summary = case when p_kind = 'summary' then 'none' else n.summary end,
    next_summary_at = case when p_kind = 'summary' then null else n.next_summary_at end
  where n.unsubscribe_token = p_token and p_kind in ('alert', 'summary');
  return found;
end;
$$;
comment on function public.unsubscribe(uuid, text) is
  'Ends the alerts (alert) or the summaries (summary) of whoever has a mail with this token. False when there is nobody, '
  'or the kind is another word.';
grant execute on function public.unsubscribe(uuid, text) to service_role;

create function private.audit_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Only ever one's own: by the settings, or by the link of a mail.
  perform private.audit_as(new.org_id, new.user_id, 'notifications.updated', 'member', new.user_id);
  return null;
end;
$$;
comment on function private.audit_notifications() is 'Writes down that a member changed what they want to be told.';
create trigger audit_notifications after update of email, sms, low_ratings, summary on public.notification_preferences
  for each row when ((old.email, old.sms, old.low_ratings, old.summary)
    is distinct from (new.email, new.sms, new.low_ratings, new.summary))
  execute function private.audit_notifications();

-- 23_organization_end.sql =========================================================================

-- The end of an organisation: everything is taken along, and nothing stays behind.
--
-- The organisation closes to the public at once, its owner may take that back for 30 days or begin anew, and then everything
-- of it goes, in portions that stop nobody else. What the tables are is read from the catalog, so that one made tomorrow is
-- emptied as well. The law keeps what was billed for ten years: without a name, it is only the provider's own numbers.

create function private.notify_organization_end(p_org_id uuid, p_template text) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_person record;
begin
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization, o.erase_at
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'organization.update'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_template, v_person.email, jsonb_build_object('name', v_person.name,
      'facts', jsonb_strip_nulls(jsonb_build_object('organization', v_person.organization,
        'day', to_char(v_person.erase_at at time zone private.timezone_of(p_org_id), 'DD/MM/YYYY')))),
      now() + interval '2 days');
  end loop;
end;
$$;
comment on function private.notify_organization_end(uuid, text) is
  'Writes to the owners and admins of an organisation that it will be erased, and when, or that it stays.';

create function public.end_organization(p_name text) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org public.organizations;
begin
  -- Before any row: whoever subscribes or changes the plan meanwhile takes them in that order.
  perform private.lock_billing(o) from private.my_org_ids('organization.delete') o;
  select * into v_org from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_org.erase_at is not null then
    raise exception 'already_ending' using errcode = 'TV107';
  elsif btrim(coalesce(p_name, '')) <> v_org.name then
    raise exception 'other_name' using errcode = 'TV106';
  elsif private.has_running_payments(v_org.id) then
    raise exception 'payments_running' using errcode = 'TV108';
  end if;
  update public.organizations o set erase_at = now() + interval '30 days' where o.id = v_org.id
  returning o.erase_at into v_org.erase_at;
  update public.subscriptions s set is_ending = true where s.org_id = v_org.id;
  perform private.audit(v_org.id, 'organization.ended', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_end');
  return v_org.erase_at;
end;
$$;
comment on function public.end_organization(text) is
  'The owner asks for the organisation to be erased, by its name: it closes to the public at once and goes in 30 days. '
  'Answers when. Errors: 42501 to others, TV106 another name was typed, TV107 it was asked already, TV108 the payment '
  'provider would go on charging; then nothing is changed.';
grant execute on function public.end_organization(text) to authenticated;

create function public.keep_organization() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_org.erase_at is null then
    return;
  -- Its rows may be going already.
  elsif v_org.erase_at <= now() then
    raise exception 'too_late' using errcode = 'TV109';
  end if;
  update public.organizations o set erase_at = null where o.id = v_org.id;
  update public.subscriptions s set is_ending = false where s.org_id = v_org.id;
  perform private.audit(v_org.id, 'organization.kept', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_kept');
end;
$$;
comment on function public.keep_organization() is
  'The owner takes back that the organisation shall be erased; nothing happens when nobody asked for it. Errors: 42501 to '
  'others, TV109 the 30 days are over.';
grant execute on function public.keep_organization() to authenticated;

create function public.deletion_summary(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('organization.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'stores', (select count(*) from public.stores s where s.org_id = p_org_id),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id),
    'customers', (select t.customers from private.customer_totals_now(p_org_id) t),
    'reviews', (select coalesce(sum(d.reviews), 0) from private.campaign_figures_now(p_org_id) d),
    'codes', (select coalesce(sum(d.wins), 0) from private.campaign_figures_now(p_org_id) d),
    'members', (select count(*) from public.organization_members m where m.org_id = p_org_id),
    'has_running_payments', private.has_running_payments(p_org_id));
end;
$$;
comment on function public.deletion_summary(uuid) is
  'What goes with an organisation, counted, for the owner''s last question; and whether its payments stand in the way. The '
  'shape is deletionSummary of _shared/domain. Error 42501 to others.';
grant execute on function public.deletion_summary(uuid) to authenticated;

create function private.release_member(p_user_id uuid) returns void
language sql volatile set search_path = ''
as $$
  delete from public.organization_members m
  using public.organizations o
  where m.user_id = p_user_id and o.id = m.org_id and o.erase_at is not null;
$$;
comment on function private.release_member(uuid) is
  'Takes somebody, the owner too, out of an organisation that waits to be erased, for another one (design, section 5): once '
  'its owner has gone, nobody of it can take the erasure back but another owner.';

create function private.erase_rows(p_org_id uuid, p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_table regclass;
  v_count integer;
  v_total integer := 0;
begin
  for v_table in select t from private.tenant_tables() t loop
    execute format(
      'delete from %1$s t where t.ctid = any (array(select o.ctid from %1$s o where o.org_id = $1 limit $2))', v_table)
    using p_org_id, p_limit - v_total;
    get diagnostics v_count = row_count;
    v_total := v_total + v_count;
    exit when v_total >= p_limit;
  end loop;
  return v_total;
end;
$$;
comment on function private.erase_rows(uuid, integer) is
  'Deletes up to so many rows of an organisation, those first that nothing refers to. Answers how many.';

create function private.erase_organizations(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_org public.organizations;
  v_count integer;
begin
  select * into v_org from public.organizations o
  where o.erase_at <= now() and not private.has_running_payments(o.id)
  order by o.erase_at limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  -- Before its row goes; a portion later it is written already.
  insert into private.ended_subscriptions (former_id, plan, stripe_customer_id, stripe_subscription_id, began_at)
  select s.org_id, s.plan, s.stripe_customer_id, s.stripe_subscription_id, v_org.created_at
  from public.subscriptions s where s.org_id = v_org.id and s.stripe_customer_id is not null
  on conflict do nothing;
  v_count := private.erase_rows(v_org.id, p_limit);
  if v_count < p_limit then
    delete from public.organizations o where o.id = v_org.id;
    -- As if the portion were full: the next organisation is looked at a second later.
    return p_limit;
  end if;
  return v_count;
end;
$$;
comment on function private.erase_organizations(integer) is
  'Job: everything of an organisation whose 30 days are over goes, a portion each run, the organisation itself last. One '
  'that the payment provider would go on charging waits until it is cancelled there.';
insert into private.jobs (name, run_every) values ('erase_organizations', interval '10 minutes');

create function private.sweep_ended_subscriptions(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.ended_subscriptions e where e.former_id in (
    select o.former_id from private.ended_subscriptions o where o.ended_at < now() - interval '10 years'
    order by o.ended_at limit p_limit for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_ended_subscriptions(integer) is 'Job: what was billed to organisations that are gone goes after 10 years.';
insert into private.jobs (name, run_every) values ('sweep_ended_subscriptions', interval '1 day');

create function public.begin_export_organization(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_is_noted boolean
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    join public.role_permissions r on r.role = m.role and r.permission = 'organization.export'
    where m.user_id = p_user_id and m.org_id = p_org_id
  ) then
    return 'forbidden';
  elsif not private.is_readable(p_org_id) then
    return 'closed';
  -- One at a time for an organisation, and two for everybody, lists included: a connection each, for as long as they last.
  elsif not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
  then
    return 'busy';
  end if;
  if p_is_noted then
    perform private.audit_as(p_org_id, p_user_id, 'organization.exported', 'organization', p_org_id,
      (select jsonb_build_object('name', o.name) from public.organizations o where o.id = p_org_id));
  end if;
  return 'started';
end;
$$;
comment on function public.begin_export_organization(uuid, uuid, text, uuid, boolean) is
  'Whether a user whose token names a session and an assurance level may take along everything of an organisation now, '
  'whatever its plan; the place is held until the transaction ends, and it is written down when asked. Answers started, '
  'or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), busy (another '
  'export runs).';
grant execute on function public.begin_export_organization(uuid, uuid, text, uuid, boolean) to service_role;

create function public.export_organization(p_org_id uuid) returns table (name text, columns text[], query text)
language sql stable security definer set search_path = ''
as $$
  select c.relname::text, shown.columns,
    format('select to_json(r) as row from (select %s from %s where %I = %L order by %s) r', shown.list, c.oid::regclass,
      t.key, p_org_id, (
        select string_agg(quote_ident(a.attname), ', ' order by k.place)
        from pg_catalog.pg_constraint p, unnest(p.conkey) with ordinality k (number, place)
        join pg_catalog.pg_attribute a on a.attnum = k.number
        where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid))
  from (
    select r::oid as oid, 'org_id' as key from private.tenant_tables() r
    union all
    select 'public.organizations'::regclass::oid, 'id'
  ) t
  join pg_catalog.pg_class c on c.oid = t.oid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  cross join lateral (
    select array_agg(a.attname::text order by a.attnum) as columns,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as list
    from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      -- What only serves the platform: spread counters, words to search by, marks against abuse.
      and a.attname::text !~ '(_hash|_token|_words|_normalized|_key)$' and a.attname not in ('shard', 'nonce')
  ) shown
  order by c.relname;
$$;
comment on function public.export_organization(uuid) is
  'Every table that holds something of an organisation, with its columns and the query that reads its rows as JSON, in the '
  'order of the key: what an export of all its data is made of. Read from the catalog, so that no table is forgotten.';
grant execute on function public.export_organization(uuid) to service_role;
