-- Why: a search knew the letters of French alone, so that « Иван », « 王 » or « محمد » was found nowhere. Their letters are kept
-- now. The trigrams of an index hold only what the database's character type calls a letter, which for ours (C) is ASCII:
-- each other letter is therefore written as five ASCII capitals. Nothing else in the words is a capital, so that a French
-- search never meets them, and its words stay what they were.
-- A search that comes to no words at all was taken for no search: whoever looked for « % » was shown, and exported, every
-- code, other people's included. It matches nothing now.

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

create function private.other_script_words(p_text text) returns text
language plpgsql immutable parallel safe
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

create function private.words(p_text text) returns text
language sql immutable parallel safe
return case when private.has_other_script(p_text) then private.other_script_words(p_text) else private.slugify(p_text) end;
comment on function private.words(text) is
  'Words to look for, or in: a slug, which keeps the letters and digits of every script (other_script_words); may be empty.';
grant execute on function private.has_other_script(text), private.other_script_words(text), private.words(text)
  to authenticated, service_role;

-- What is looked in, and what is looked for.
create or replace function private.customer_words(p_first_name text, p_last_name text, p_name text, p_email text, p_phone text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return '-' || concat_ws(' ', private.words(concat_ws(' ', p_first_name, p_last_name, p_name, p_email)), private.phone_digits(p_phone));
end;
$$;

create or replace function private.code_words(p_code text, p_code_key text, p_email text, p_name text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return private.words(concat_ws(' ', p_code, p_code_key, p_email, p_name));
end;
$$;

create or replace function private.wanted_words(p_search text) returns text
language plpgsql immutable parallel safe
as $$
begin
  if btrim(coalesce(p_search, '')) = '' then
    return null;
  elsif p_search ~ '^[0-9 +().-]+$' and p_search ~ '[0-9]' then
    return regexp_replace(regexp_replace(p_search, '^ *(\+|00)33', '0'), '[^0-9]', '', 'g');
  end if;
  -- Signs alone match nobody: the question mark stands in no word.
  return coalesce(nullif(private.words(p_search), ''), '?');
end;
$$;

create function private.code_pattern(p_search text) returns text
language plpgsql immutable parallel safe
as $$
begin
  if btrim(coalesce(p_search, '')) = '' then
    return null;
  end if;
  -- Signs alone match no code: the question mark stands in no word.
  return '%' || coalesce(nullif(private.words(p_search), ''), '?') || '%';
end;
$$;
comment on function private.code_pattern(text) is
  'Pattern of code_words for a search: what it says stands anywhere; null when nothing is searched.';
grant execute on function private.code_pattern(text) to service_role;

create or replace function public.find_anything(p_query text, p_limit integer default 5) returns jsonb
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
    from private.my_org_ids('activity.read') o cross join lateral private.find_codes(o, v_query, v_limit) f)
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

create or replace function public.reward_codes(p_id uuid, p_search text default '', p_page integer default 1) returns jsonb
-- A plan kept from one search to the next would not know a frequent word, best found among the newest codes, from
-- a rare one, best found by the index of words.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_pattern constant text := private.code_pattern(p_search);
  v_reward public.rewards;
  v_items jsonb;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', case when shown.status = 'available' and shown.expires_at <= now() then 'expired' else shown.status end,
    'customer', coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email),
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at),
    'trace', private.code_trace(v_reward.org_id, shown.id)) order by shown.created_at desc, shown.id desc), '[]'::jsonb)
  into v_items
  from (
    -- One more than is shown tells whether there is a next page.
    select r.* from public.redemptions r
    where r.org_id = v_reward.org_id and r.reward_id = p_id and (v_pattern is null or r.words like v_pattern)
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

create or replace function public.export_redemptions(p_org_id uuid, p_filters jsonb)
returns table (
  code text, status text, reward text, campaign text, customer text, email text, created_at text, expires_at text,
  used_at text, used_store text
)
language sql stable
as $$
  select r.code, case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end,
    r.reward_name, c.name, r.end_user_name, r.end_user_email, private.export_moment(r.created_at, z.timezone),
    private.export_moment(r.expires_at, z.timezone), private.export_moment(r.used_at, z.timezone), s.name
  from public.redemptions r
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join public.stores s on s.org_id = r.org_id and s.id = r.used_store_id
  where r.org_id = p_org_id
    and ((p_filters ->> 'reward_id') is null or r.reward_id = (p_filters ->> 'reward_id')::uuid)
    and ((p_filters ->> 'status') is null or (p_filters ->> 'status')
      = case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end)
    and (private.code_pattern(p_filters ->> 'search') is null
      -- As they are kept: to make them anew for each row costs more.
      or r.words like private.code_pattern(p_filters ->> 'search'))
  order by r.created_at desc, r.id desc;
$$;

comment on function private.search_pattern(text) is
  'Pattern of customers.search_words for a search: one or two Latin letters or digits begin a word or a phone number, more, '
  'and any letter of another script, stand anywhere; null when nothing is searched.';
comment on function private.find_customers(uuid, text, integer) is
  'The newest customers of an organisation whom the list would find (private.is_wanted); none for less than three '
  'characters, unless they are of another script.';

-- The rows whose words these letters change are written anew; no version, count or consent follows from it.
update public.customers set name = name
where private.has_other_script(concat_ws(' ', first_name, last_name, name, email));
update public.redemptions set end_user_name = end_user_name
where private.has_other_script(concat_ws(' ', code, end_user_email, end_user_name));
