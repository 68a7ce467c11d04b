-- Customers: who they are, how they are found, what they agreed to, and how they are forgotten.
--
-- A merchant with 200,000 customers searches for one, or for those absent for three months, and expects the answer
-- while typing. What each customer did is therefore kept on their own row, by the transactions that write it. Names of
-- customers need customers.read, codes need codes.read; activity.read opens figures alone. A person is forgotten in one
-- way only, whether a merchant erases them or time does: three years after the last contact.
--
-- Tables of what customers do (here and in the topics that follow) reference (org_id, id) pairs, so that no row can
-- point into another tenant. They reference the campaign, which references the organisation: a foreign key of their own
-- to organizations would cost a check a row and add nothing. Primary keys start with org_id: one index serves the key,
-- the references and the policies. The tables can be distributed by tenant as they are.

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
  locale text not null default 'fr' check (private.is_language(locale)),
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
  -- The form takes 4000 characters: merged customers keep the notes of each.
  note text check (length(note) <= 20000),
  consent_by text check (consent_by in ('customer', 'team')),
  consent_version smallint check (consent_version >= 1),
  consent_organizer text,
  version integer not null default 1,
  name_key text collate "C" not null generated always as (private.name_order(name)) stored,
  consent_locale text check (private.is_language(consent_locale)),
  consent_withdrawn_at timestamptz,
  consent_withdrawn_by text check (consent_withdrawn_by in ('customer', 'team')),
  primary key (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete set null (store_id),
  check (email is not null or phone is not null),
  check (consent_marketing = (consent_at is not null)),
  constraint customers_consent_withdrawn_check
    check ((consent_withdrawn_at is null) = (consent_withdrawn_by is null) and not (consent_marketing and consent_withdrawn_at is not null))
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
-- Recent customers are few, and each changes this index once a day at most. Customers without any activity come before all
-- others, so that the list can be sorted by it. The day itself is included for those who only count.
create index customers_activity_idx on public.customers (org_id, coalesce(last_activity_day, '-infinity'), id)
  include (last_activity_day, consent_marketing, rating_band, store_id);
-- The list from A to Z, the same with every order of letters of the database.
create index customers_name_idx on public.customers (org_id, name_key, id);
-- An integration that follows withdrawn consents asks for those since a moment. Given ones have no index: each visit would write it.
create index customers_withdrawn_idx on public.customers (org_id, consent_withdrawn_at)
  where consent_withdrawn_at is not null;
-- Most speak French, and are in the list's own index: this one holds the others, and costs a French visit nothing.
create index customers_locale_idx on public.customers (org_id, locale, created_at desc, id desc)
  include (consent_marketing, rating_band, last_activity_day, store_id) where locale <> 'fr';
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
comment on column public.customers.locale is
  'Language of their last visit''s pages, in which mails are written to them; fr by default.';
comment on column public.customers.last_activity_at is 'Last review, spin or redemption.';
comment on column public.customers.created_at is 'First visit.';
comment on column public.customers.review_count is 'Reviews that they left.';
comment on column public.customers.rating_sum is 'Sum of the stars of these reviews.';
comment on column public.customers.spin_count is 'Spins, counted by spin_wheel itself, which writes the row anyway.';
comment on column public.customers.redemption_count is 'Codes used, minus those given back.';
comment on column public.customers.rating_band is 'Mean of their stars, rounded to 1 to 5; 0 without a review.';
comment on column public.customers.last_activity_day is
  'Day (UTC) of the last activity: what the list filters by. It changes once a day, so that the index is seldom written.';
comment on column public.customers.search_words is
  'Where the search looks: names and e-mail without case and accents, and the phone number in digits.';
comment on column public.customers.note is
  'Note of the team for itself, up to 4000 characters, and more where several customers became one; never public.';
comment on column public.customers.consent_by is
  'Origin of the consent: the customer by ticking the box, or the team in their name; null without consent.';
comment on column public.customers.consent_version is
  'Number of the sentence beside the box (consentWordings of _shared/domain); null when the team gave the consent.';
comment on column public.customers.consent_organizer is 'Name of the organisation in that sentence at the time.';
comment on column public.customers.consent_locale is
  'Language in which that sentence was shown; null when the team gave the consent, and for those from before it was kept.';
comment on column public.customers.consent_withdrawn_at is
  'When a consent was last withdrawn; null while there is one, and where there was none.';
comment on column public.customers.consent_withdrawn_by is
  'Side that withdrew it: the customer by the link of a mail, or the team; null where consent_withdrawn_at is.';
comment on column public.customers.version is
  'Rises with every change of what the form holds: saving an older version is refused, and overwrites nothing.';
comment on column public.customers.name_key is
  'Place in the order of names (private.name_order): stored, since each row that is read in an order is asked for its key.';
create trigger adjust_texts before insert or update of first_name, last_name, name, note on public.customers
  for each row when (private.is_unclean(new.first_name) or private.is_unclean(new.last_name) or private.is_unclean(new.name)
    or private.is_unclean(new.note))
  execute function private.clean_texts('first_name', 'last_name', 'name', 'note');
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
    new.consent_locale := null;
    if tg_op = 'UPDATE' then
      new.consent_withdrawn_at := now();
      -- Only the statement that a customer's own link leads to names somebody else (private.take_consents_back).
      new.consent_withdrawn_by := coalesce(new.consent_withdrawn_by, 'team');
    end if;
  elsif tg_op = 'INSERT' or not old.consent_marketing then
    new.consent_at := now();
    -- Customers come without an account; whoever is signed in is one of the team.
    new.consent_by := case when auth.uid() is null then 'customer' else 'team' end;
    new.consent_version := case when new.consent_by = 'customer' then private.consent_version() end;
    -- The statement that gives it brings the page's language along.
    new.consent_locale := case when new.consent_by = 'customer' then new.locale end;
    new.consent_organizer := (select o.name from public.organizations o where o.id = new.org_id);
    new.consent_withdrawn_at := null;
    new.consent_withdrawn_by := null;
  end if;
  return new;
end;
$$;
comment on function private.stamp_consent() is
  'Dates a consent when it is given, with who gave it and the sentence that was shown; forgets both when it is withdrawn, and dates that, '
  'with who withdrew it.';
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
    or (not private.is_wordless(p_filters ->> 'search')
      and c.search_words like private.search_pattern(p_filters ->> 'search')))
  and ((p_filters ->> 'consent') is null or c.consent_marketing = (p_filters ->> 'consent')::boolean)
  and ((p_filters ->> 'rating') is null or c.rating_band = (p_filters ->> 'rating')::smallint)
  and ((p_filters ->> 'store_id') is null or c.store_id = (p_filters ->> 'store_id')::uuid)
  and ((p_filters ->> 'locale') is null or c.locale = (p_filters ->> 'locale'))
  and case
    when (p_filters ->> 'activity') is null then true
    -- As the index on the last activity has it.
    when p_filters ->> 'activity' = 'older' then
      coalesce(c.last_activity_day, '-infinity') < (now() at time zone 'UTC')::date - 90
    else coalesce(c.last_activity_day, '-infinity') > (now() at time zone 'UTC')::date - (p_filters ->> 'activity')::integer
  end;
comment on function private.matches_filters(public.customers, jsonb) is
  'Whether a customer passes the filters of the list (customerFilters of _shared/domain): search, consent, rating (0 to '
  '5), activity (days, or older: none for 90 days), store_id, locale. Planned as part of the query that calls it.';
grant execute on function private.matches_filters(public.customers, jsonb) to service_role;

create function private.newest_with_name(p_org_id uuid, p_pattern text) returns integer
-- In this language the plan is kept.
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select count(*) from (
      select c.search_words from public.customers c
      where c.org_id = p_org_id order by c.created_at desc, c.id desc limit 300
    ) newest where newest.search_words like p_pattern);
end;
$$;
comment on function private.newest_with_name(uuid, text) is
  'How many of an organisation''s 300 newest customers match a pattern of private.search_pattern: PostgreSQL keeps no statistics '
  'of a single organisation.';

create function private.is_frequent_name(p_newest integer) returns boolean
language sql immutable parallel safe set search_path = ''
return p_newest >= 9;
comment on function private.is_frequent_name(integer) is
  'Whether a name that so many of the 300 newest customers have (private.newest_with_name) is met soon among all: three in a hundred.';

create function private.sorted_customers(
  p_org_id uuid, p_filters jsonb, p_key text, p_is_up boolean, p_from uuid, p_limit integer
) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  -- Each of them is the key of an index, which no parameter of a statement could name.
  v_key constant text := case p_key
    when 'name' then 'c.name_key'
    when 'activity' then 'coalesce(c.last_activity_day, ''-infinity'')'
  end;
  v_direction constant text := case when p_is_up then 'asc' else 'desc' end;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_newest integer;
  v_most integer := 3000;
  v_range text := '';
  v_is_near boolean := false;
  v_at text;
  v_ids uuid[];
begin
  if private.is_wordless(p_filters ->> 'search') then
    return '{}';
  end if;
  if p_from is not null then
    execute format('select (%s)::text from public.customers c where c.org_id = $1 and c.id = $2', v_key)
    into v_at using p_org_id, p_from;
    v_range := format('and (%s, c.id) %s (%L::%s, %L::uuid)', v_key, case when p_is_up then '>' else '<' end, v_at,
      case p_key when 'activity' then 'date' else 'text' end, p_from);
  end if;
  -- The index of words knows three signs in a row, and how a word begins.
  if p_key = 'name' and length(v_pattern) >= 4 then
    -- A name that three in a hundred of the newest have is met soon from A to Z. Those of one first name stand together,
    -- maybe last of all: the next 200 tell.
    v_newest := private.newest_with_name(p_org_id, v_pattern);
    if private.is_frequent_name(v_newest) and length(v_pattern) = 4 then
      -- One letter begins words of many names: as far as finding all of them in the index would cost.
      v_is_near := true;
      v_most := 333 * v_newest;
    elsif private.is_frequent_name(v_newest) then
      execute format('select exists (select from (
          select c.search_words from public.customers c where c.org_id = $1 %1$s order by %2$s %3$s, c.id %3$s limit 200
        ) w where w.search_words like $2)', v_range, v_key, v_direction)
      into v_is_near using p_org_id, v_pattern;
    end if;
    if v_is_near then
      execute format('select array(select w.id from (
          select c.id, c.name_key, c.search_words from public.customers c
          where c.org_id = $1 and private.matches_filters(c, $2) %1$s order by %2$s %3$s, c.id %3$s limit $3
        ) w where w.search_words like $4 order by w.name_key %3$s, w.id %3$s limit $5)', v_range, v_key, v_direction)
      into v_ids using p_org_id, p_filters - 'search', v_most, v_pattern, p_limit;
      if cardinality(v_ids) >= p_limit then
        return v_ids;
      end if;
    end if;
    -- « offset 0 »: found by the index of words, then put in order.
    execute format('select array(select f.id from (
        select c.id, c.name_key from public.customers c where c.org_id = $1 and private.matches_filters(c, $2) %1$s offset 0
      ) f order by f.name_key %3$s, f.id %3$s limit $3)', v_range, v_key, v_direction)
    into v_ids using p_org_id, p_filters, p_limit;
    return v_ids;
  end if;
  execute format('select array(select c.id from public.customers c
    where c.org_id = $1 and private.matches_filters(c, $2) %1$s order by %2$s %3$s, c.id %3$s limit $3)',
    v_range, v_key, v_direction)
  into v_ids using p_org_id, p_filters, p_limit;
  return v_ids;
end;
$$;
comment on function private.sorted_customers(uuid, jsonb, text, boolean, uuid, integer) is
  'Customers that pass the filters of the list, by name or by the day (UTC) of the last activity, the least or the greatest '
  'first: as many as asked for, from the first one on, or after a customer. Whoever never did anything is the least.';

create function private.customer_page(
  p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_key text, p_is_up boolean, p_page_size integer,
  out ids uuid[], out is_back boolean, out has_previous boolean, out has_next boolean, out matches integer,
  out has_more_matches boolean
)
-- A plan kept from one search to the next would have to do without the indexes that a search can use.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_is_search constant boolean := private.query_words(p_filters ->> 'search') is not null;
  v_most_counted constant integer := case when v_is_search then 100 else 1000 end;
  -- One more than is shown tells whether there is a next page.
  v_wanted constant integer := case when v_is_search then v_most_counted else p_page_size end + 1;
  v_at timestamptz;
  v_id uuid;
  v_has_more boolean;
begin
  if coalesce(p_before, p_after) is not null then
    select c.created_at, c.id into v_at, v_id from public.customers c
    where c.org_id = p_org_id and c.id = coalesce(p_before, p_after);
  end if;

  is_back := p_before is not null and v_at is not null;
  loop
    -- Read from where the page begins: up or down the same index.
    if p_key in ('name', 'activity') then
      ids := private.sorted_customers(p_org_id, p_filters, p_key, is_back <> p_is_up, case when v_at is not null then v_id end,
        case when v_at is null then v_wanted else p_page_size + 1 end);
    elsif is_back <> p_is_up then
      select array_agg(p.id order by p.created_at, p.id) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) > (v_at, v_id))
        order by c.created_at, c.id limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    else
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) < (v_at, v_id))
        order by c.created_at desc, c.id desc limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    end if;
    v_has_more := coalesce(array_length(ids, 1), 0) > p_page_size;
    exit when v_has_more or not is_back and (v_at is null or cardinality(ids) > 0);
    -- A page before which nothing stands is the first one, and shows all of it. So does one on which nobody stands any more.
    is_back := false;
    v_at := null;
  end loop;

  if p_filters <> '{}' then
    if v_at is null and (v_is_search or not v_has_more) then
      -- Matches that were found once are not looked for again.
      matches := coalesce(array_length(ids, 1), 0);
    else
      select count(*) into matches from (
        select 1 from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters) limit v_most_counted + 1
      ) counted;
    end if;
    has_more_matches := matches > v_most_counted;
    matches := least(matches, v_most_counted);
  end if;
  ids := ids[1:p_page_size];
  has_previous := case when is_back then v_has_more else v_at is not null end;
  has_next := is_back or v_has_more;
end;
$$;
comment on function private.customer_page(uuid, jsonb, uuid, uuid, text, boolean, integer) is
  'Customers of a page of the list, from the last one up where is_back says so. Whether there are pages before and after '
  'it, and how many customers pass the filters, null without any: customer_list words them.';

create function public.customer_list(
  p_org_id uuid, p_filters jsonb default '{}', p_after uuid default null, p_before uuid default null,
  p_sort text default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_key constant text := private.sort_key(p_sort, '{name,created_at,activity}');
  v_page record;
  v_totals record;
  v_reviews bigint;
  v_rating_sum bigint;
begin
  perform 1 from private.my_reading_rights('{customers.read,activity.read}', 'customers.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{customers.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select * into v_page from private.customer_page(p_org_id, v_filters, p_after, p_before, v_key, coalesce(p_sort = v_key, false), 25);
  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from private.campaign_figures_now(p_org_id) d;

  return json_build_object(
    'totals', json_build_object('customers', v_totals.customers, 'consents', v_totals.consents,
      'participants', v_totals.participants,
      'reviews', v_reviews, 'rating_sum', v_rating_sum),
    'matches', coalesce(v_page.matches, v_totals.customers),
    'has_more_matches', coalesce(v_page.has_more_matches, false),
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::json),
    'items', coalesce((
      select json_agg(json_build_object('id', c.id, 'name', c.name, 'email', c.email, 'phone', c.phone,
        'locale', c.locale, 'consent_marketing', c.consent_marketing, 'created_at', c.created_at, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by shown.place * case when v_page.is_back then -1 else 1 end)
      from unnest(v_page.ids) with ordinality shown (id, place)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (select * from public.customers c where c.org_id = p_org_id and c.id = shown.id offset 0) c
    ), '[]'::json));
end;
$$;
comment on function public.customer_list(uuid, jsonb, uuid, uuid, text) is
  'A page of an organisation''s customers, newest first or sorted (name, created_at, activity: the day of it in UTC; '
  'private.sort_key), that pass the filters (private.matches_filters): the one after a '
  'customer, or before one, with the figures above the list (specification, section 2.11); the shape is customerList of '
  '_shared/domain. Matches of a search are counted up to 100, of filters alone up to 1,000. Error 42501 without the '
  'permissions customers.read and activity.read there.';
grant execute on function public.customer_list(uuid, jsonb, uuid, uuid, text) to authenticated;

create function public.customer_detail(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- First, so that a plan that is over is refused the same way whether the customer exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('customers.read'));
  v_customer public.customers;
begin
  select * into v_customer from public.customers c where c.org_id = any (v_org_ids) and c.id = p_id;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'id', v_customer.id, 'version', v_customer.version, 'name', v_customer.name,
    'first_name', v_customer.first_name, 'last_name', v_customer.last_name, 'email', v_customer.email,
    'phone', v_customer.phone, 'locale', v_customer.locale, 'note', v_customer.note,
    'created_at', v_customer.created_at, 'last_activity_at', v_customer.last_activity_at,
    'consent', case when v_customer.consent_marketing then jsonb_build_object('at', v_customer.consent_at,
      'by', v_customer.consent_by, 'version', v_customer.consent_version, 'organizer', v_customer.consent_organizer, 'locale', v_customer.consent_locale) end,
    'consent_withdrawn', case when v_customer.consent_withdrawn_at is not null then jsonb_build_object(
      'at', v_customer.consent_withdrawn_at, 'by', v_customer.consent_withdrawn_by) end,
    'review_count', v_customer.review_count, 'rating_sum', v_customer.rating_sum,
    'spin_count', v_customer.spin_count,
    'win_count', private.customer_wins(v_customer.org_id, p_id),
    'redemption_count', v_customer.redemption_count,
    'open_codes', (select count(*) from public.redemptions r
      where r.org_id = v_customer.org_id and r.customer_id = p_id
        and private.is_in_force(r.status, r.expires_at)),
    'points', private.points_balance(v_customer.org_id, p_id),
    'reviews', private.customer_reviews(v_customer.org_id, p_id),
    'spins', private.customer_spins(v_customer.org_id, p_id),
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))),
    'spends', private.customer_spends(v_customer.org_id, p_id,
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
        first_name = nullif(private.clean_line(p_first_name), ''), last_name = nullif(private.clean_line(p_last_name), ''),
        name = private.clean_line(concat_ws(' ', p_first_name, p_last_name)),
        email = nullif(btrim(p_email), ''), phone = nullif(btrim(p_phone), ''),
        consent_marketing = p_consent_marketing, note = nullif(private.clean_text(p_note), '')
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
  'customer agreed to marketing, or withdrew that, meanwhile), email_taken and phone_taken (with the other customer). Refusals change '
  'nothing. Errors: 42501 without the permission customers.write there, 23514 or 23502 something is not well formed.';
grant execute on function public.save_customer(uuid, integer, text, text, text, text, boolean, text) to authenticated;

create function private.take_consents_back(p_org_id uuid, p_ids uuid[], p_by text) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.customers c set consent_marketing = false, consent_withdrawn_by = p_by
  where c.org_id = p_org_id and c.id = any (p_ids) and c.consent_marketing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.take_consents_back(uuid, uuid[], text) is
  'Withdraws the consent to marketing of customers who gave it, in whose name (customer, team); answers how many had. Asks no permission.';

create function public.withdraw_consents(p_org_id uuid, p_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('customers.write'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  perform 1 from public.customers c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for no key update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  v_count := private.take_consents_back(p_org_id, p_ids, 'team');
  if v_count > 0 then
    perform private.audit(p_org_id, 'customer.consents_withdrawn', 'customer', null, jsonb_build_object('count', v_count));
  end if;
  return v_count;
end;
$$;
comment on function public.withdraw_consents(uuid, uuid[]) is
  'Withdraws the consent to marketing of the customers that were ticked in the list, all or none; answers how many had given '
  'it. Nobody gives one for many at once: a consent is a person''s own. Errors: 42501 when one of them is not a customer that '
  'one may change there, 22023 for none or more than 200.';
grant execute on function public.withdraw_consents(uuid, uuid[]) to authenticated;

-- Withdrawing is as easy as giving (GDPR, article 7(3)): mails to customers carry a link that does it, without an account.
create table private.link_keys (
  purpose text primary key check (purpose in ('consent')),
  key bytea not null default private.new_secret() check (length(key) = 32)
);
comment on table private.link_keys is
  'Secrets that sign links which are never stored: one row a purpose, made with the first link. Without it, all links of that purpose '
  'that are on their way open nothing any more. No function answers one.';
comment on column private.link_keys.purpose is 'Effect of such a link: consent (private.consent_token).';
comment on column private.link_keys.key is 'Secret of 32 bytes.';

create function private.consent_seal(p_key bytea, p_org_id uuid, p_customer_id uuid) returns bytea
language sql immutable set search_path = ''
as $$ select substr(private.hmac_sha256(p_key, 'consent ' || p_org_id || ' ' || p_customer_id), 1, 16); $$;
comment on function private.consent_seal(bytea, uuid, uuid) is
  'Signature (128 bits of an HMAC) that makes a link about a customer''s consent one of ours.';

create function private.consent_token(p_org_id uuid, p_customer_id uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_key bytea;
begin
  select k.key into v_key from private.link_keys k where k.purpose = 'consent';
  if not found then
    -- Of two at one instant the later one waits, and takes the key of the other.
    insert into private.link_keys (purpose) values ('consent') on conflict do nothing;
    select k.key into v_key from private.link_keys k where k.purpose = 'consent';
  end if;
  return translate(encode(uuid_send(p_org_id) || uuid_send(p_customer_id)
    || private.consent_seal(v_key, p_org_id, p_customer_id), 'base64'), '+/', '-_');
end;
$$;
comment on function private.consent_token(uuid, uuid) is
  'Token of the link by which a customer withdraws their consent, 64 characters: two identifiers, which open nothing, and their '
  'signature. The same for ever, so that no row holds it.';

create function private.consent_subject(p_token text, out org_id uuid, out customer_id uuid)
language plpgsql stable set search_path = ''
as $$
declare
  v_bytes bytea;
  v_key constant bytea := (select k.key from private.link_keys k where k.purpose = 'consent');
begin
  if v_key is null or p_token is null or p_token !~ '^[A-Za-z0-9_-]{64}$' then
    return;
  end if;
  v_bytes := decode(translate(p_token, '-_', '+/'), 'base64');
  org_id := encode(substr(v_bytes, 1, 16), 'hex')::uuid;
  customer_id := encode(substr(v_bytes, 17, 16), 'hex')::uuid;
  -- Compared as hashes, so that the time that it takes tells nothing.
  if sha256(substr(v_bytes, 33)) <> sha256(private.consent_seal(v_key, org_id, customer_id)) then
    org_id := null;
    customer_id := null;
  end if;
end;
$$;
comment on function private.consent_subject(text) is
  'Whom a token of private.consent_token names, whether they were erased since or not; nulls where it is none of ours.';

create function public.consent_organizer(p_token text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('organizer', o.name)
  from private.consent_subject(p_token) s
  left join public.organizations o on o.id = s.org_id
  where s.org_id is not null;
$$;
comment on function public.consent_organizer(text) is
  'Whose offers the link with this token ends: the organisation''s name, null where it is gone; nothing about the customer, not even '
  'whether there is one. Null where the token is none of ours. The shape is consentLink of _shared/domain.';
grant execute on function public.consent_organizer(text) to service_role;

create function public.withdraw_own_consent(p_token text, p_address_hash text, out outcome text, out retry_after integer)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subject record;
begin
  retry_after := private.count_attempt(array['consent link address ' || p_address_hash], '{600}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  select * into v_subject from private.consent_subject(p_token);
  if v_subject.org_id is null then
    outcome := 'link_unknown';
    return;
  end if;
  -- Somebody who was erased, or had withdrawn it before, has nothing left to end: that is as good as done.
  if private.take_consents_back(v_subject.org_id, array[v_subject.customer_id], 'customer') > 0 then
    perform private.audit_as(v_subject.org_id, null, 'customer.consent_withdrawn', 'customer', v_subject.customer_id);
  end if;
  outcome := 'withdrawn';
end;
$$;
comment on function public.withdraw_own_consent(text, text) is
  'Withdraws the consent to marketing of the customer whom a link of a mail names, on any plan and after its end. Outcomes: withdrawn (also '
  'when there was none, or the customer is gone), link_unknown, too_many_attempts (with the seconds to wait). Refusals change nothing.';
grant execute on function public.withdraw_own_consent(text, text) to service_role;

create function private.erase_customer_data(p_org_id uuid, p_id uuid, p_before timestamptz default null) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_codes uuid[];
  v_spends uuid[];
begin
  loop
    begin
      -- Codes before the customer, as at the till, and in the order of decide_check: two orders would make deadlocks.
      v_codes := array(
        select r.id from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id
        order by r.reward_id, r.id for update);
      v_spends := array(
        select s.id from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id order by s.id for update);
      perform 1 from public.customers c
      where c.org_id = p_org_id and c.id = p_id and (p_before is null or coalesce(c.last_activity_at, c.created_at) < p_before)
      for update;
      if not found then
        return false;
      end if;
      -- None comes any more. A till may hold one that came while this waited, and wait for the customer.
      exit when not exists (
          select 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id and r.id <> all (v_codes))
        and not exists (
          select 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id and s.id <> all (v_spends));
      raise exception 'lock_again' using errcode = 'TV069';
    exception when sqlstate 'TV069' then
      -- All these locks are given back, to be taken anew.
    end;
  end loop;
  -- A colleague who writes a note, or they themselves who add words, end first: what they wrote goes as well.
  perform 1 from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.id for no key update;
  -- Messages after the reviews that they tell of, and before the answers that they carry, as whoever writes and sends them.
  perform private.forget_messages(p_org_id, p_id);
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- Words that the team wrote to them and about them name them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when private.review_state(r) = 'open' then 'closed' else r.handling end,
    -- A closed review waits to be read no more.
    seen_at = case when private.review_state(r) = 'open' then coalesce(r.seen_at, now()) else r.seen_at end,
    customer_name = null, customer_email = null, customer_phone = null, review_text = null, locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$$;
comment on function private.erase_customer_data(uuid, uuid, timestamptz) is
  'Erases a customer: their row, note, points and messages, with what was written to them or about their reviews. Their visits, '
  'spins and codes stay without name, contact and text, so that the figures do not change. False when the customer was erased '
  'already, or was in contact since p_before. Checks no permission: for erase_customer and the job.';

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
  'Erases a customer (right to erasure): their row, note and points are deleted. Their visits, spins and codes stay without name, '
  'contact and text, so that figures do not change and their codes stay valid. Error 42501 without the permission customers.delete '
  'there.';
grant execute on function public.erase_customer(uuid) to authenticated;

create function public.copy_customer_data(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.customers c
  where c.org_id = any (array(select private.my_org_ids('customers.delete'))) and c.id = p_id;
  -- The other permissions are asked of the role alone: a plan that ended closes lists, and not the right of access.
  if not exists (
    select 1 from public.organization_members m
    where m.org_id = v_org_id and m.user_id = private.my_user_id()
      and private.role_may(m.role, 'codes.read') and private.role_may(m.role, 'reviews.read')
  ) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org_id, 'customer.exported', 'customer', p_id);
  return private.export_customer(v_org_id, p_id);
end;
$$;
comment on function public.copy_customer_data(uuid) is
  'Everything that an organisation keeps of a customer, by table (right of access), as the operator''s command gives it; written '
  'down in the audit trail. It has notes, codes and words: error 42501 without the permissions customers.delete, codes.read and '
  'reviews.read there.';
grant execute on function public.copy_customer_data(uuid) to authenticated;

create function private.find_customers(p_org_id uuid, p_query text, p_limit integer)
returns table (id uuid, title text, detail text)
-- As in customer_list: a kept plan would not know a frequent word from a rare one.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  -- A variable is a constant to the plan: the index is asked once, not the word made anew for every row.
  v_filters constant jsonb := jsonb_build_object('search', p_query);
begin
  -- The index of words answers three letters or more.
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
    select * from (
      select c.org_id, c.id from public.organizations o
      cross join lateral (
        select c.org_id, c.id from public.customers c
        where c.org_id = o.id and c.created_at < v_before
          and coalesce(c.last_activity_at, c.created_at) < v_before
        limit p_limit
      ) c
      limit p_limit
    ) due
    -- In the order in which a spend of points locks people: two orders would make deadlocks.
    order by due.id
  loop
    -- Somebody may come back while this waits for the others.
    if private.erase_customer_data(v_customer.org_id, v_customer.id, v_before) then
      v_count := v_count + 1;
    end if;
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
  'Number of an organisation''s customers that the planner expects to pass the filters (private.matches_filters); counting them all '
  'would be too slow for a search field.';

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

-- Permissions -------------------------------------------------------------------------------------

alter table private.link_keys enable row level security;
alter table public.customers enable row level security;
grant select,
  insert (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, locale),
  update (store_id, first_name, last_name, name, email, phone, consent_marketing, locale)
  on public.customers to authenticated;
grant select, insert, update, delete on public.customers to service_role;
create policy "Members read the customers" on public.customers
  for select to authenticated using (org_id = (select private.my_org_ids('customers.read')));
create policy "Members add customers" on public.customers
  for insert to authenticated with check (org_id = (select private.my_org_ids('customers.write')));
create policy "Members change customers" on public.customers
  for update to authenticated
  using (org_id = (select private.my_org_ids('customers.write')))
  with check (org_id = (select private.my_org_ids('customers.write')));
