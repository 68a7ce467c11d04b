-- Why: whoever typed « 33612345678 », « (+33) 6 12 34 56 78 » or « +33 06 12 34 56 78 » was another person than at « 06 12 34 56 78 », with
-- another turn of the wheel; so was whoever typed « a@b.fr. » before addresses were judged. The normal form of a number knows
-- these spellings now (as normalizePhone of _shared/domain), and customers who are one person become one
-- (docs/decisions/061).

create or replace function private.normalize_phone(p_phone text) returns text
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

alter function private.find_or_create_customer(uuid, uuid, text, text, text, text, text, boolean, integer)
  set search_path = '';

-- A number is looked for as people type it, from its first digits on.
create or replace function private.wanted_words(p_search text) returns text
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

-- One person, one customer --------------------------------------------------------------------------

-- Notes of several may be longer together than one may be; the form still takes 4000.
alter table public.customers drop constraint customers_note_check, add constraint customers_note_check check (length(note) <= 20000);
comment on column public.customers.note is
  'What the team writes down for itself, up to 4000 characters, and more where several customers became one; never public.';

create function private.mended_email(p_email text) returns text
language sql immutable
as $$
  select case when private.is_email(m.email) and not private.is_email(p_email) then m.email else p_email end
  from (select regexp_replace(p_email, '^(mailto:|[][\s<>()"'',;:.])+|[][\s<>()"'',;:.]+$', '', 'g') as email) m;
$$;

-- One block is one transaction, also where the file runs statement by statement.
do $$
begin
  -- Codes before customers, as at the till.
  lock table public.redemptions, public.spins, public.pre_spin_reviews, public.points_ledger, public.customers
    in share row exclusive mode;

  -- Who is known by another form from now on, and whoever is known by that one already; n is the order of their first visits.
  create temporary table person on commit drop as
  with known as (
    select c.org_id, c.id, c.created_at, c.email_normalized, c.phone_normalized, private.mended_email(c.email) as email,
      private.normalize_email(private.mended_email(c.email)) as email_key, private.normalize_phone(c.phone) as phone_key
    from public.customers c
  ), changed as (
    select * from known k
    where k.email_key is distinct from k.email_normalized or k.phone_key is distinct from k.phone_normalized
  ), concerned as (
    select * from changed
    union
    select k.* from known k join changed d on d.org_id = k.org_id and d.email_key = k.email_key
    union
    select k.* from known k join changed d on d.org_id = k.org_id and d.phone_key = k.phone_key
  )
  select row_number() over (order by o.created_at, o.id) as n, row_number() over (order by o.created_at, o.id) as first,
    o.org_id, o.id, o.email, o.email_key, o.phone_key
  from concerned o;

  -- A number that two share and an address that one of them shares with a third make one person of three.
  loop
    update pg_temp.person p set first = l.first
    from (
      select n, least(
        min(first) over (partition by org_id, coalesce(email_key, '#' || n)),
        min(first) over (partition by org_id, coalesce(phone_key, '#' || n))) as first
      from pg_temp.person
    ) l
    where l.n = p.n and l.first < p.first;
    exit when not found;
  end loop;
  create temporary table doubled on commit drop as
  select p.org_id, p.id, f.id as kept from person p join person f on f.n = p.first where p.n <> p.first;
  analyze doubled;

  -- A prize can be mailed where its address was only written carelessly.
  update public.pre_spin_reviews r set customer_email = private.mended_email(r.customer_email)
  from person p where r.org_id = p.org_id and r.customer_id = p.id and not private.is_email(r.customer_email);
  update public.spins s set end_user_email = private.mended_email(s.end_user_email)
  from person p where s.org_id = p.org_id and s.customer_id = p.id and not private.is_email(s.end_user_email);
  update public.redemptions r set end_user_email = private.mended_email(r.end_user_email)
  from person p where r.org_id = p.org_id and r.customer_id = p.id and not private.is_email(r.end_user_email);

  -- What they did is the one's whom they are.
  update public.redemptions r set customer_id = d.kept from doubled d where r.org_id = d.org_id and r.customer_id = d.id;
  update public.spins s set customer_id = d.kept from doubled d where s.org_id = d.org_id and s.customer_id = d.id;
  update public.pre_spin_reviews r set customer_id = d.kept from doubled d where r.org_id = d.org_id and r.customer_id = d.id;
  update public.points_ledger l set customer_id = d.kept from doubled d where l.org_id = d.org_id and l.customer_id = d.id;
  update private.outbox o set data = o.data || jsonb_build_object('customer', d.kept)
  from doubled d where o.data ->> 'customer' = d.id::text;

  create temporary table whole on commit drop as
  select p.org_id, f.id,
    (array_agg(p.email order by private.is_email(p.email) desc, p.n) filter (where p.email is not null))[1] as email,
    (array_agg(c.phone order by p.n) filter (where c.phone is not null))[1] as phone,
    (array_agg(c.store_id order by p.n) filter (where c.store_id is not null))[1] as store_id,
    -- The consent holds where each of them gave it, in its latest words; nobody can tell a withdrawal from a box left blank.
    bool_and(c.consent_marketing) as consents,
    (array_agg(c.id order by c.consent_at desc nulls last, p.n))[1] as consent_of,
    sum(c.review_count) as reviews, sum(c.rating_sum) as stars, sum(c.spin_count) as spins, sum(c.redemption_count) as redemptions,
    max(c.last_activity_at) as last_activity_at,
    -- The note is the merchant's to read: in French, as they write it.
    left(string_agg(concat_ws(E'\n',
      case when p.n <> p.first then
        'Autre fiche de la même personne : ' || concat_ws(', ', c.name, c.email, c.phone) || '.' end,
      case when c.consent_marketing and not a.consents then
        'Son accord du ' || to_char(c.consent_at at time zone 'Europe/Paris', 'DD/MM/YYYY')
          || ' n''est pas repris : une autre de ses fiches n''en avait pas.' end,
      c.note), E'\n\n' order by p.n), 20000) as note
  from person p
  join person f on f.n = p.first
  join public.customers c on c.org_id = p.org_id and c.id = p.id
  join (
    select q.first, bool_and(k.consent_marketing) as consents
    from person q join public.customers k on k.org_id = q.org_id and k.id = q.id group by q.first
  ) a on a.first = p.first
  where p.first in (select q.first from person q where q.n <> q.first)
  group by p.org_id, f.id;
  create temporary table consent on commit drop as
  select w.org_id, w.id, c.consent_at, c.consent_by, c.consent_version, c.consent_organizer
  from whole w join public.customers c on c.org_id = w.org_id and c.id = w.consent_of where w.consents;

  delete from public.customers c using doubled d where c.org_id = d.org_id and c.id = d.id;
  update public.customers c set
    email = w.email, phone = w.phone, store_id = w.store_id, note = nullif(w.note, ''),
    consent_marketing = w.consents, consent_at = a.consent_at, consent_by = a.consent_by,
    consent_version = a.consent_version, consent_organizer = a.consent_organizer,
    review_count = w.reviews, rating_sum = w.stars, spin_count = w.spins, redemption_count = w.redemptions,
    last_activity_at = w.last_activity_at
  from whole w left join consent a on a.org_id = w.org_id and a.id = w.id
  where c.org_id = w.org_id and c.id = w.id;
  -- Whoever is nobody's double is known by the new form, too.
  update public.customers c set email = p.email, phone = c.phone
  from person p
  where c.org_id = p.org_id and c.id = p.id and not exists (select 1 from whole w where w.org_id = p.org_id and w.id = p.id);
end;
$$;

drop function private.mended_email(text);
