-- Texts: slugs, e-mail addresses, phone numbers and the words that searches look for.
--
-- Slugs are public addresses, and e-mails and phones decide who has already played. Each must come out the same from
-- every writer. Their normal forms are therefore made here, in immutable functions for generated columns and indexes.
-- The trigrams of an index hold only what the database's character type calls a letter, which for ours (C) is ASCII:
-- each other letter is therefore written as five ASCII capitals. Nothing else in the words is a capital, so that a
-- French search never meets them.

-- Names are one line, without characters that hide or reverse the text beside them (decision 100). Free texts keep
-- their lines.

create function private.is_unclean(p_text text) returns boolean
language sql immutable parallel safe
return case
  when octet_length(p_text) = length(p_text) then p_text ~ '^ | $|  |[\u0001-\u001f\u007f]'
  else p_text ~ ('^ | $|  |[\u0300-\u036f]{5}|[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164\ufe00-\ufe2f\ufeff\uffa0\ufff0-\uffff'
      '\U000e0000-\U000e0fff]')
    or p_text is not nfc normalized
end;
comment on function private.is_unclean(text) is
  'Whether clean_line might change a text: true for some that it keeps. Planned as part of the condition that calls it.';
grant execute on function private.is_unclean(text) to authenticated, service_role;

create function private.without_piled_marks(p_text text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(p_text,
  '([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+',
  '\1', 'g');
comment on function private.without_piled_marks(text) is
  'A text with four accents on a letter at most (UTS 39, 5.4): more of them cover the lines above and below.';

create function private.clean_line(p_text text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_text text := p_text;
begin
  if p_text is null or not private.is_unclean(p_text) then
    return p_text;
  end if;
  -- Line breaks, tabs and unusual spaces; those that French sets before its signs stay.
  v_text := regexp_replace(v_text, '[\u0009-\u000d\u0085\u1680\u2000-\u200a\u2028\u2029\u205f\u3000]', ' ', 'g');
  -- Controls, signs of no width, and those that reverse what follows.
  v_text := regexp_replace(v_text,
    '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u180e\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e001f]', '', 'g');
  -- Flags of regions are a black flag with tags.
  v_text := regexp_replace(v_text, '(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+', '', 'g');
  if v_text !~ '[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]' then
    v_text := regexp_replace(v_text, '[\u061c\u200e\u200f]', '', 'g');
  end if;
  -- A variant of a letter that has none.
  v_text := regexp_replace(v_text, '(?<=[ \u00a0\u202fA-Za-z\u00c0-\u058f])[\ufe00-\ufe0f\u200c\u200d]+', '', 'g');
  -- Joiners after a letter of a script that does not join.
  v_text := regexp_replace(v_text,
    '(?<![^\u0001-\u058f\u10a0-\u10ff\u1d00-\u206f\u2c60-\u2d2f\u2de0-\u2dff\u3000-\ua4cf\ua640-\ua69f\ua720-\ua7ff\uac00-\ud7ff])[\u200c\u200d]+',
    '', 'g');
  v_text := private.without_piled_marks(normalize(v_text, nfc));
  v_text := btrim(regexp_replace(v_text, '[ \u00a0\u202f]{2,}', ' ', 'g'), U&' \00a0\202f');
  return case when v_text ~ '[^ \u00a0\u061c\u115f\u1160\u180b-\u180f\u200c-\u200f\u202f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]'
    then v_text else '' end;
end;
$$;
comment on function private.clean_line(text) is
  'A text of one line as others may read it: line breaks are spaces, spaces single and none at its ends; without controls, signs '
  'of no width and those that reverse what follows; empty where nothing is to be seen. cleanLine of _shared/http.';

create function private.typed_alike(p_text text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(translate(private.clean_line(p_text), U&'\00a0\202f\2019', '  '''), ' {2,}', ' ', 'g');
comment on function private.typed_alike(text) is
  'A text of one line as any keyboard types it: its spaces may break and its apostrophes are straight. Two names are compared so where '
  'somebody types the other from the screen.';

create function private.clean_text(p_text text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_text text := p_text;
begin
  if octet_length(p_text) = length(p_text) and p_text !~ '^\s|\s$|[\u0001-\u0008\u000b-\u001f\u007f]' then
    return p_text;
  end if;
  v_text := regexp_replace(v_text, '\u000d\u000a?|[\u000b\u000c\u0085\u2028\u2029]', E'\n', 'g');
  v_text := regexp_replace(v_text, '[\u0001-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u206f\ufeff\ufff0-\ufffb]', '', 'g');
  v_text := btrim(private.without_piled_marks(v_text), E' \n\t' || U&'\00a0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200a\200b\202f\205f\2060\3000');
  return case when private.clean_line(v_text) = '' then '' else v_text end;
end;
$$;
comment on function private.clean_text(text) is
  'A text of many lines as others may read it: its lines stay; without controls, signs that reverse what follows, '
  'and blanks at its ends; empty where nothing is to be seen. Null for null.';

create function private.clean_texts() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_row constant jsonb := to_jsonb(new);
  v_clean jsonb := '{}';
  v_field text;
  v_is_line boolean;
begin
  foreach v_field in array tg_argv loop
    v_is_line := v_field <> all ('{description,note}');
    -- A null of JSON would become one of SQL.
    continue when jsonb_typeof(v_row -> v_field) not in ('string', 'object');
    v_clean := v_clean || jsonb_build_object(v_field, case jsonb_typeof(v_row -> v_field)
      when 'string' then to_jsonb(case when v_is_line then private.clean_line(v_row ->> v_field)
        else private.clean_text(v_row ->> v_field) end)
      -- A text that is blank stays, to be refused by the check of its column.
      else (
        select coalesce(jsonb_object_agg(t.key, case jsonb_typeof(t.value)
          when 'string' then to_jsonb(private.clean_line(t.value #>> '{}')) else t.value end), '{}')
        from jsonb_each(v_row -> v_field) t)
    end);
  end loop;
  return jsonb_populate_record(new, v_clean);
end;
$$;
comment on function private.clean_texts() is
  'Cleans the texts of a row that its arguments name and those within its objects (clean_line; clean_text for a description or a '
  'note). Its triggers are named adjust_texts: they come before whatever else reads the row.';

-- lower() of the plain alphabet takes the 26 capitals, which is faster than a table of 32 signs.
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

create function private.plain_letters(p_text text) returns text
language sql immutable parallel safe
return translate(p_text, 'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ’«»–—…', 'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuyy------');
comment on function private.plain_letters(text) is
  'A text with the accented letters of French and its neighbours as those of ASCII, and its typographic signs as hyphens.';
grant execute on function private.plain_letters(text) to authenticated, service_role;

create function private.words(p_text text) returns text
language sql immutable parallel safe
return case
  -- Two short ways to what slugify answers, since a search asks for hundreds of names: ASCII has a byte for each letter, and
  -- so have most French texts without their accents.
  when octet_length(p_text) = length(p_text)
    then trim(both '-' from regexp_replace(lower(p_text collate "C"), '[^a-z0-9]+', '-', 'g'))
  when octet_length(private.plain_letters(p_text)) = length(p_text)
    then trim(both '-' from regexp_replace(lower(private.plain_letters(p_text) collate "C"), '[^a-z0-9]+', '-', 'g'))
  when private.has_other_script(p_text) then private.other_script_words(p_text)
  else private.slugify(p_text)
end;
comment on function private.words(text) is
  'Words to look for, or in: a slug, which keeps the letters and digits of every script (other_script_words); may be empty.';
grant execute on function private.words(text) to authenticated, service_role;

create function private.pattern_hint(p_pattern text) returns text
language sql immutable parallel safe
return translate(p_pattern, '-? ', '%%%');
comment on function private.pattern_hint(text) is
  'Plain letters, in lower case, of texts whose words are like a pattern; the pattern itself where one tells the other.';
grant execute on function private.pattern_hint(text) to service_role;

create function private.has_words(p_text text, p_pattern text, p_hint text) returns boolean
language sql immutable parallel safe
return case
  when octet_length(p_text) <> length(p_text) then private.words(p_text) like p_pattern
  when lower(p_text collate "C") not like p_hint then false
  -- One run of plain letters is in a text where it is in its words.
  else p_hint = p_pattern or private.words(p_text) like p_pattern
end;
comment on function private.has_words(text, text, text) is
  'Whether the words of a text are like a pattern (words_pattern), whose hint (pattern_hint) spares most texts the making of '
  'their words. Planned as part of the query that calls it.';

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

create function private.review_words(p_text text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return '-' || private.words(p_text);
end;
$$;
comment on function private.review_words(text) is
  'Where a review is looked for: its text without case and accents, each word after a hyphen.';
grant execute on function private.review_words(text) to service_role;

create function private.has_review_words(p_text text, p_pattern text, p_hint text) returns boolean
language sql immutable parallel safe
return case
  when octet_length(p_text) <> length(p_text) then private.review_words(p_text) like p_pattern
  when lower(p_text collate "C") not like p_hint then false
  -- One run of plain letters is in a text where it is in its words.
  else p_hint = p_pattern or private.review_words(p_text) like p_pattern
end;
comment on function private.has_review_words(text, text, text) is
  'Whether review_words of a text are like a pattern (search_pattern), whose hint (pattern_hint) spares most texts the making '
  'of their words. Planned as part of the query that calls it.';
grant execute on function private.has_review_words(text, text, text) to service_role;

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

-- Words of a row, and words of a search.
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

create function private.name_order(p_name text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return left(private.words(p_name), 80);
end;
$$;
comment on function private.name_order(text) is
  'Sort key of a name: its words without case and accents, up to 80 letters, so that an index can hold it.';
grant execute on function private.name_order(text) to authenticated, service_role;

-- Phone numbers are searched from their first digits on, as people type them.
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

create function private.is_wordless(p_search text) returns boolean
language sql immutable parallel safe set search_path = ''
return coalesce(private.query_words(p_search) = '?', false);
comment on function private.is_wordless(text) is
  'Whether a search is of signs alone (query_words), which stand in no word. It finds nothing: asked first, as the index would be '
  'read from end to end.';
grant execute on function private.is_wordless(text) to service_role;

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

create function private.indexed_patterns(p_search text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_words constant text[] := string_to_array(private.query_words(p_search), '-');
begin
  return case when cardinality(v_words) > 1 then
    array(select '%-' || w || '%' from unnest(v_words[2:]) w)
      || case when length(v_words[1]) > 2 then array['%' || v_words[1] || '%'] else '{}' end
  end;
end;
$$;
comment on function private.indexed_patterns(text) is
  'Patterns of what an index of words can tell of a search of several: how each but the first begins, and the first from three '
  'signs on. Null for a search of one word.';
grant execute on function private.indexed_patterns(text) to service_role;

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

create function private.sort_key(p_sort text, p_keys text[]) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_key constant text := nullif(ltrim(p_sort, '-'), '');
begin
  if v_key <> all (p_keys) or p_sort not in (v_key, '-' || v_key) then
    raise exception 'sort_unknown' using errcode = '22023';
  end if;
  return v_key;
end;
$$;
comment on function private.sort_key(text, text[]) is
  'Column by which a list is sorted: one of the keys, with a minus before it for the greatest first; null when none is asked '
  'for. Error 22023 for any other.';

create function private.check_selection(p_ids uuid[]) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if coalesce(array_ndims(p_ids), 0) <> 1 or cardinality(p_ids) > 200 or array_position(p_ids, null) is not null then
    raise exception 'selection_invalid' using errcode = '22023';
  end if;
end;
$$;
comment on function private.check_selection(uuid[]) is
  'Refuses a selection of a list that is empty, or larger than anybody ticks by hand (200). Error 22023.';

create function private.require_whole_selection(p_ids uuid[], p_found integer) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if p_found <> (select count(distinct s.id) from unnest(p_ids) as s (id)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_whole_selection(uuid[], integer) is
  'Refuses a selection of a list of which fewer rows were found than it names: what is done to many is done to all or none. Error 42501.';

create function private.code_patterns(p_search text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_words constant text := private.words(p_search);
begin
  return case
    when btrim(coalesce(p_search, '')) = '' then null
    when v_words = '' then '{}'
    -- The index knows three signs in a row, and how words begin: one or two signs are looked for there.
    when length(v_words) > 2 then array['%' || v_words || '%']
    else array[v_words || '%', '%-' || v_words || '%']
  end;
end;
$$;
comment on function private.code_patterns(text) is
  'Patterns of code_words for a search, one of which fits: one or two signs begin a word, more stand anywhere; none for signs '
  'alone, null when nothing is searched.';
grant execute on function private.code_patterns(text) to service_role;

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

-- Addresses from before this rule stay, since their owners cannot be asked. New ones are checked.
create function private.refuse_email() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
end;
$$;
comment on function private.refuse_email() is
  'Refuses what is no e-mail address. Error 23514, constraint customers_email_is_address.';

create function private.name_or_email(p_name text, p_email text) returns text
language sql immutable parallel safe
return coalesce(nullif(btrim(p_name), ''), p_email);
comment on function private.name_or_email(text, text) is
  'How the team reads who a customer is: the name, or the address of somebody who gave none. Planned as part of the query that '
  'calls it.';

create function private.greeting_name(p_name text) returns text
language sql immutable parallel safe set search_path = ''
return nullif(split_part(btrim(p_name), ' ', 1), '');
comment on function private.greeting_name(text) is
  'Name that begins a mail: the first word of what somebody gave; null of nothing.';

create function private.code_key(p_code text) returns text
language sql immutable parallel safe
return upper(regexp_replace(p_code, '[^A-Za-z0-9]', '', 'g'));
comment on function private.code_key(text) is
  'A code as it is compared, whatever its case, spaces and signs; the generated columns code_key say the same. Planned as part '
  'of the query that calls it.';
grant execute on function private.code_key(text) to service_role;

create function private.code_prefix(p_search text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select case when btrim(coalesce(p_search, '')) <> ''
    -- Signs alone begin no code: the question mark stands in none.
    then coalesce(nullif(private.code_key(p_search), ''), '?') end;
$$;
comment on function private.code_prefix(text) is
  'Beginning of redemptions.code_key for a search by the code alone; null when nothing is searched.';
grant execute on function private.code_prefix(text) to service_role;

create function private.is_language(p_locale text) returns boolean
language sql immutable parallel safe
return p_locale in ('fr', 'en', 'de', 'es', 'it', 'nl');
comment on function private.is_language(text) is
  'Whether a text names a language of the phone pages: the same list as LANGUAGES of _shared/domain. Planned as part of the '
  'query that calls it.';
grant execute on function private.is_language(text) to authenticated, service_role;

-- PL/pgSQL, because PostgreSQL inlines an SQL function into a constraint and plans it anew for each statement that
-- writes a row.
create function private.is_translations(p_translations jsonb, p_most integer) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if p_translations = '{}'::jsonb then
    return true;
  end if;
  return jsonb_typeof(p_translations) = 'object'
    and p_translations - array['en', 'de', 'es', 'it', 'nl'] = '{}'::jsonb
    and not exists (
      select 1 from jsonb_each(p_translations) as t (locale, text)
      where jsonb_typeof(t.text) <> 'string' or t.text #>> '{}' <> btrim(t.text #>> '{}')
        or length(t.text #>> '{}') not between 1 and p_most);
end;
$$;
comment on function private.is_translations(jsonb, integer) is
  'Whether a value holds translations of a merchant''s text: an object from en, de, es, it or nl to a text of 1 to p_most characters '
  'without spaces around it. A language that is missing reads the text itself.';
grant execute on function private.is_translations(jsonb, integer) to authenticated, service_role;

create function private.in_language(p_text text, p_translations jsonb, p_locale text) returns text
language sql immutable parallel safe
return coalesce(p_translations ->> p_locale, p_text);
comment on function private.in_language(text, jsonb, text) is
  'A merchant''s text in a language, as far as it was translated: else the text itself. Planned as part of the query '
  'that calls it.';
