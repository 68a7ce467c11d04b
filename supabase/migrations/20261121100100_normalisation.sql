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

-- The two forms below fill generated columns. They are written in PL/pgSQL because PostgreSQL inlines
-- SQL functions into such columns anew for every statement, which costs more than calling them.
create function private.normalize_email(p_email text) returns text
language plpgsql immutable parallel safe
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

create function private.normalize_phone(p_phone text) returns text
language plpgsql immutable parallel safe
as $$
declare
  v_digits text;
begin
  if p_phone is null then
    return null;
  end if;
  -- (0) is how the French write the trunk digit after a country code: +33 (0)6 …
  v_digits := regexp_replace(replace(p_phone, '(0)', case when btrim(p_phone) ~ '^\(0\)' then '0' else '' end),
    '[^0-9]', '', 'g');
  if v_digits = '' then
    return null;
  end if;
  if btrim(p_phone) like '+%' or v_digits like '00%' then
    -- No country code starts with 0: leading zeros are the prefix that stands for the plus.
    return '+' || nullif(ltrim(v_digits, '0'), '');
  end if;
  if v_digits ~ '^0[1-9][0-9]{8}$' then
    return '+33' || substr(v_digits, 2);
  end if;
  return v_digits;
end;
$$;
comment on function private.normalize_phone(text) is
  'One spelling of a phone number, to recognise a person: international with a plus where the '
  'country is known (a ten-digit number that starts with 0 is French), else its digits. Null without a digit.';

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
  private.normalize_email(text), private.normalize_phone(text)
  to authenticated, service_role;
