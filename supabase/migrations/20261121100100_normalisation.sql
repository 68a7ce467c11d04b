-- Why: slugs are public addresses and e-mails and phones decide who has already played. Each must
-- come out the same whoever writes it, so their normal forms are made here, in immutable functions
-- that generated columns and indexes can rest on.

create function private.slugify(p_text text) returns text
language sql immutable parallel safe
return trim(both '-' from regexp_replace(
  translate(
    replace(replace(replace(replace(replace(
      regexp_replace(normalize(coalesce(p_text, ''), nfd), U&'[\0300-\036f]', '', 'g'),
      'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), 'Æ', 'ae'), 'ß', 'ss'),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZøØłŁđĐ',
    'abcdefghijklmnopqrstuvwxyzoolldd'
  ),
  '[^a-z0-9]+', '-', 'g'
));
comment on function private.slugify(text) is
  'Slug of a name (specification, section 5): lowercase, accents removed, runs of other characters '
  'become one hyphen, edges trimmed; may be empty. The same rule as slugify of _shared/domain.';

create function private.is_slug(p_text text) returns boolean
language sql immutable parallel safe
return p_text ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(p_text) <= 80;
comment on function private.is_slug(text) is
  'Whether a text is a slug: lowercase letters, digits and single inner hyphens, at most 80 characters.';

create function private.normalize_email(p_email text) returns text
language sql immutable parallel safe
return case
  when p_email is null or btrim(p_email) = '' then null
  when split_part(lower(btrim(p_email)), '@', 2) in ('gmail.com', 'googlemail.com') then
    coalesce(
      nullif(replace(split_part(split_part(lower(btrim(p_email)), '@', 1), '+', 1), '.', ''), ''),
      split_part(lower(btrim(p_email)), '@', 1)
    ) || '@gmail.com'
  else
    coalesce(
      nullif(split_part(split_part(lower(btrim(p_email)), '@', 1), '+', 1), ''),
      split_part(lower(btrim(p_email)), '@', 1)
    ) || substring(lower(btrim(p_email)) from '@.*$')
end;
comment on function private.normalize_email(text) is
  'The mailbox behind an address, to recognise a person: lowercase, without +tag, and without dots '
  'for Gmail, whose mailboxes ignore them. Null for a blank text.';

create function private.normalize_phone(p_phone text) returns text
language sql immutable parallel safe
return case
  when p_phone is null or regexp_replace(p_phone, '\D', '', 'g') = '' then null
  -- (0) is how the French write the trunk digit after a country code: +33 (0)6 …
  when btrim(p_phone) ~ '^(\+|00)' then
    '+' || regexp_replace(
      regexp_replace(regexp_replace(btrim(p_phone), '^00', '+'), '\(0\)', '', 'g'), '\D', '', 'g')
  when regexp_replace(p_phone, '\D', '', 'g') ~ '^0[1-9][0-9]{8}$' then
    '+33' || substring(regexp_replace(p_phone, '\D', '', 'g') from 2)
  else regexp_replace(p_phone, '\D', '', 'g')
end;
comment on function private.normalize_phone(text) is
  'One spelling of a phone number, to recognise a person: international with a plus where the '
  'country is known (a ten-digit number that starts with 0 is French), else its digits. Null without a digit.';

create function private.is_email(p_email text) returns boolean
language sql immutable parallel safe
return p_email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$' and length(p_email) <= 254;
comment on function private.is_email(text) is
  'Whether a text is address-shaped (specification, section 5).';

create function private.is_phone(p_phone text) returns boolean
language sql immutable parallel safe
return p_phone ~ '^[0-9\s+()-]+$'
  and length(regexp_replace(p_phone, '\s', '', 'g')) >= 10 and length(p_phone) <= 32;
comment on function private.is_phone(text) is
  'Whether a text is a phone number as people type it (specification, section 5): at least 10 '
  'characters without spaces, drawn from digits, spaces, hyphens, plus and parentheses.';

create function private.is_timezone(p_timezone text) returns boolean
language plpgsql stable
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

-- Constraints and generated columns run with the rights of whoever writes the row.
grant execute on function private.uuid_v7(), private.slugify(text), private.is_slug(text),
  private.normalize_email(text), private.normalize_phone(text), private.is_email(text), private.is_phone(text)
  to authenticated, service_role;
