-- Why: a merchant with 200,000 customers looks for one of them, or for those who have not come for three months, and
-- expects the answer while typing. What each customer did is therefore kept on their own row, by the transactions that
-- write it (whoever plays holds that row already), and the totals above the list beside it. The same holds for what a
-- person may demand of the merchant: to be corrected, to know which sentence they agreed to, to be forgotten.

-- A customer's own figures -----------------------------------------------------------------------

create function private.phone_digits(p_phone text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return regexp_replace(regexp_replace(private.normalize_phone(p_phone), '^\+33', '0'), '[^0-9]', '', 'g');
end;
$$;
comment on function private.phone_digits(text) is
  'A phone number as one looks for it: digits only, a French one with its leading 0.';

create function private.customer_words(p_first_name text, p_last_name text, p_name text, p_email text, p_phone text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return '-' || concat_ws(' ', private.slugify(concat_ws(' ', p_first_name, p_last_name, p_name, p_email)), private.phone_digits(p_phone));
end;
$$;
comment on function private.customer_words(text, text, text, text, text) is
  'Where a customer is looked for: names and e-mail without case and accents, each word after a hyphen, and the phone '
  'number in digits after a space.';
grant execute on function private.phone_digits(text), private.customer_words(text, text, text, text, text)
  to authenticated, service_role;

alter table public.customers
  add column review_count integer not null default 0,
  add column rating_sum integer not null default 0,
  add column spin_count integer not null default 0,
  add column redemption_count integer not null default 0,
  add column rating_band smallint not null generated always as (
    case when review_count = 0 then 0 else round(rating_sum::numeric / review_count)::smallint end
  ) stored,
  add column last_activity_day date generated always as ((last_activity_at at time zone 'UTC')::date) stored,
  add column search_words text not null generated always as (
    private.customer_words(first_name, last_name, name, email, phone)
  ) stored,
  add column note text check (length(note) <= 4000),
  add column consent_by text check (consent_by in ('customer', 'team')),
  add column consent_version smallint check (consent_version >= 1),
  add column consent_organizer text,
  add column version integer not null default 1;
comment on column public.customers.review_count is 'Reviews that they left.';
comment on column public.customers.rating_sum is 'Sum of the stars of these reviews.';
comment on column public.customers.spin_count is 'Turns of the wheel, counted by spin_wheel itself, which writes the row anyway.';
comment on column public.customers.redemption_count is 'Codes used, minus those given back.';
comment on column public.customers.rating_band is 'Mean of their stars, rounded to 1 to 5; 0 without a review.';
comment on column public.customers.last_activity_day is
  'Day (UTC) of the last activity: what the list filters by. It changes once a day, so that the index is seldom written.';
comment on column public.customers.search_words is
  'Where the search looks: names and e-mail without case and accents, and the phone number in digits.';
comment on column public.customers.note is 'What the team writes down for itself, up to 4000 characters; never public.';
comment on column public.customers.consent_by is
  'Who gave the consent: the customer by ticking the box, or the team in their name; null without consent.';
comment on column public.customers.consent_version is
  'Number of the sentence beside the box (consentWordings of _shared/domain); null when the team gave the consent.';
comment on column public.customers.consent_organizer is 'Name of the organisation in that sentence at the time.';
comment on column public.customers.version is
  'Rises with every change of what the form holds: whoever saves an older version is told, and overwrites nothing.';

create function private.wanted_words(p_search text) returns text
language plpgsql immutable parallel safe
as $$
begin
  if btrim(coalesce(p_search, '')) = '' then
    return null;
  elsif p_search ~ '^[0-9 +().-]+$' and p_search ~ '[0-9]' then
    return regexp_replace(regexp_replace(p_search, '^ *(\+|00)33', '0'), '[^0-9]', '', 'g');
  end if;
  -- Signs alone match nobody: the question mark stands in no word.
  return coalesce(nullif(private.slugify(p_search), ''), '?');
end;
$$;
comment on function private.wanted_words(text) is
  'A search in the spelling of customers.search_words; null when nothing is searched.';

create function private.search_pattern(p_search text) returns text
language plpgsql immutable parallel safe
as $$
declare
  v_words text := private.wanted_words(p_search);
begin
  -- The index knows three signs in a row, and how words begin: one or two signs are looked for there.
  return '%' || case when length(v_words) > 2 then '' when v_words ~ '^[0-9]' then ' ' else '-' end || v_words || '%';
end;
$$;
comment on function private.search_pattern(text) is
  'Pattern of customers.search_words for a search: one or two letters or digits begin a word or a phone number, more '
  'stand anywhere; null when nothing is searched.';

-- The list's order, with everything that it filters by: one index answers the page and the count.
create index customers_list_idx on public.customers (org_id, created_at desc, id desc)
  include (consent_marketing, rating_band, last_activity_day, store_id);
create index customers_words_idx on public.customers using gin (
  org_id extensions.uuid_ops, search_words extensions.gin_trgm_ops
) with (gin_pending_list_limit = 512);

-- Which sentence was agreed to --------------------------------------------------------------------

create function private.consent_version() returns smallint
language sql immutable parallel safe
return 1::smallint;
comment on function private.consent_version() is
  'Number of the sentence that stands beside the box now: the last of consentWordings of _shared/domain.';

create or replace function private.stamp_consent() returns trigger
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

-- Counting ---------------------------------------------------------------------------------------
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
alter table public.customer_totals enable row level security;
grant select on public.customer_totals to authenticated;
grant select, insert, update, delete on public.customer_totals to service_role;
create policy "Members read the totals of customers" on public.customer_totals
  for select to authenticated using (org_id = any (array(select private.my_org_ids('customers.read'))));

create function private.customer_totals_now(p_org_id uuid, out customers bigint, out consents bigint, out participants bigint)
language sql stable
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
language plpgsql volatile
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

-- What happened before there were counters.
update public.customers c set
  consent_by = case when c.consent_marketing then 'customer' end,
  consent_version = case when c.consent_marketing then private.consent_version() end,
  consent_organizer = case when c.consent_marketing then
    (select o.name from public.organizations o where o.id = c.org_id) end,
  review_count = coalesce(r.reviews, 0), rating_sum = coalesce(r.stars, 0),
  spin_count = coalesce(s.spins, 0), redemption_count = coalesce(d.used, 0)
from public.customers k
left join (
  select v.org_id, v.customer_id, count(*) as reviews, sum(v.rating) as stars
  from public.pre_spin_reviews v group by 1, 2
) r on r.org_id = k.org_id and r.customer_id = k.id
left join (
  select v.org_id, v.customer_id, count(*) as spins from public.spins v group by 1, 2
) s on s.org_id = k.org_id and s.customer_id = k.id
left join (
  select v.org_id, v.customer_id, count(*) as used from public.redemptions v where v.status = 'used' group by 1, 2
) d on d.org_id = k.org_id and d.customer_id = k.id
where c.org_id = k.org_id and c.id = k.id;
-- What the update above appended is counted here, once.
delete from private.recent_figures f where f.reward_id is null;
insert into public.customer_totals (org_id, customers, consents, participants)
select c.org_id, count(*), count(*) filter (where c.consent_marketing), count(*) filter (where c.spin_count > 0)
from public.customers c group by c.org_id;

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

-- The list ---------------------------------------------------------------------------------------

create function private.is_wanted(c public.customers, p_filters jsonb) returns boolean
language sql stable parallel safe
return (private.wanted_words(p_filters ->> 'search') is null
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
comment on function private.is_wanted(public.customers, jsonb) is
  'Whether a customer passes the filters of the list (customerFilters of _shared/domain): search, consent, rating (0 to '
  '5), activity (days, or older: none for 90 days), store_id. Planned as part of the query that calls it.';
grant execute on function private.is_wanted(public.customers, jsonb), private.wanted_words(text), private.search_pattern(text)
  to service_role;

create function private.can_export(p_org_id uuid) returns boolean
language sql stable
as $$
  select coalesce(
    (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
     where s.org_id = p_org_id), false);
$$;
comment on function private.can_export(uuid) is 'Whether an organisation''s plan exports lists (specification, section 9).';

create function public.customer_list(
  p_org_id uuid, p_filters jsonb default '{}', p_after uuid default null, p_before uuid default null
) returns jsonb
-- A plan kept from one search to the next would have to do without the indexes that a search can use.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  v_most_counted constant integer := 1000;
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
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
      where c.org_id = p_org_id and private.is_wanted(c, v_filters) and (c.created_at, c.id) > (v_at, v_id)
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
      where c.org_id = p_org_id and private.is_wanted(c, v_filters)
      order by c.created_at desc, c.id desc limit v_page_size + 1
    ) p;
  elsif not v_is_back then
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select c.created_at, c.id from public.customers c
      where c.org_id = p_org_id and private.is_wanted(c, v_filters) and (c.created_at, c.id) < (v_at, v_id)
      order by c.created_at desc, c.id desc limit v_page_size + 1
    ) p;
  end if;
  v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;

  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from public.campaign_daily_stats d where d.org_id = p_org_id;
  if v_filters = '{}' then
    v_matches := v_totals.customers;
  elsif v_at is null and not v_has_more then
    -- The one page is all there is: what is rare is not looked for twice.
    v_matches := coalesce(array_length(v_ids, 1), 0);
  else
    select count(*) into v_matches from (
      select 1 from public.customers c
      where c.org_id = p_org_id and private.is_wanted(c, v_filters) limit v_most_counted + 1
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
    'can_export', private.can_export(p_org_id),
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
  'A page of an organisation''s customers, newest first, that pass the filters (private.is_wanted): the one after a '
  'customer, or before one, with the figures above the list (specification, section 2.11); the shape is customerList of '
  '_shared/domain. Matches are counted up to 1,000. Error 42501 without the permissions customers.read and activity.read there.';
grant execute on function public.customer_list(uuid, jsonb, uuid, uuid) to authenticated;

-- One customer -----------------------------------------------------------------------------------

create function private.customer_reviews(p_org_id uuid, p_customer_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'at', r.created_at, 'rating', r.rating,
    'text', r.review_text, 'campaign', c.name) order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.customer_id = p_customer_id
    order by v.created_at desc, v.id desc limit 20
  ) r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id;
$$;
comment on function private.customer_reviews(uuid, uuid) is 'The last 20 reviews of a customer, newest first.';

create function private.customer_spins(p_org_id uuid, p_customer_id uuid) returns jsonb
language sql stable
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
comment on function private.customer_spins(uuid, uuid) is 'The last 20 turns of a customer, newest first, with what they won.';

create function private.customer_redemptions(p_org_id uuid, p_customer_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'at', d.used_at, 'campaign', c.name,
    'reward', d.reward_name, 'value', w.value, 'code', d.code) order by d.used_at desc, d.id desc), '[]'::jsonb)
  from (
    select * from public.redemptions v
    where v.org_id = p_org_id and v.customer_id = p_customer_id and v.status = 'used'
    order by v.used_at desc, v.id desc limit 20
  ) d
  left join public.campaigns c on c.org_id = d.org_id and c.id = d.campaign_id
  left join public.rewards w on w.org_id = d.org_id and w.id = d.reward_id;
$$;
comment on function private.customer_redemptions(uuid, uuid) is 'The last 20 codes that a customer used, newest first.';

create function private.customer_wins(p_org_id uuid, p_customer_id uuid) returns integer
language sql stable
return (
  select count(*) from public.spins s
  where s.org_id = p_org_id and s.customer_id = p_customer_id and s.reward_id is not null
)::integer;
comment on function private.customer_wins(uuid, uuid) is
  'Turns that a customer won: counted when somebody asks, since a person turns the wheel a few times.';
grant execute on function private.customer_wins(uuid, uuid) to service_role;

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
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id));
end;
$$;
comment on function public.customer_detail(uuid) is
  'Everything that the page of a customer shows (specification, section 2.12), in one request; the shape is '
  'customerDetail of _shared/domain. Null when the signed-in user''s organisation has no such customer.';
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
  -- Codes before the customer, as at the till: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = v_org_id and r.customer_id = p_id for update;
  perform 1 from public.customers c where c.org_id = v_org_id and c.id = p_id for update;
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = v_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = v_org_id and s.customer_id = p_id;
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, customer_name = null, customer_email = null, customer_phone = null, review_text = null
  where r.org_id = v_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = v_org_id and c.id = p_id;
end;
$$;
comment on function public.erase_customer(uuid) is
  'Forgets a person (right to erasure): the customer, their note and points go, and their visits, turns and codes stay as '
  'nobody''s, without name, contact and words, so that the figures hold and codes in their hands stay good. Error 42501 '
  'without the permission customers.delete there.';
grant execute on function public.erase_customer(uuid) to authenticated;

-- Export -----------------------------------------------------------------------------------------

create function public.begin_export(p_user_id uuid, p_session_id uuid, p_aal text, p_type text, p_org_id uuid)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    join public.role_permissions r on r.role = m.role
      and r.permission = case p_type when 'customers' then 'customers.read' when 'redemptions' then 'activity.read' end
    where m.user_id = p_user_id and m.org_id = p_org_id
  ) then
    return 'forbidden';
  elsif not private.can_export(p_org_id) then
    return 'plan';
  -- One at a time for an organisation, and two for everybody: a connection each, for as long as they last.
  elsif not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
  then
    return 'busy';
  end if;
  return 'started';
end;
$$;
comment on function public.begin_export(uuid, uuid, text, text, uuid) is
  'Whether a user whose token names a session and an assurance level may export customers or redemptions of an '
  'organisation now; the place is held until the transaction ends. Answers started, or why not: session_ended, '
  'second_factor_required, forbidden, plan (none that exports), busy (another export runs).';
grant execute on function public.begin_export(uuid, uuid, text, text, uuid) to service_role;

create function private.export_moment(p_at timestamptz, p_timezone text) returns text
language sql stable parallel safe
return to_char(p_at at time zone p_timezone, 'DD/MM/YYYY HH24:MI');
comment on function private.export_moment(timestamptz, text) is 'A moment as spreadsheets in French read it.';

create function private.timezone_of(p_org_id uuid) returns text
language sql stable
return coalesce(
  (select s.timezone from public.stores s where s.org_id = p_org_id order by s.created_at, s.id limit 1), 'Europe/Paris');
comment on function private.timezone_of(uuid) is 'Time zone of an organisation: its first store''s.';
grant execute on function private.export_moment(timestamptz, text), private.timezone_of(uuid) to service_role;

-- Neither is a security definer on purpose: so they become part of the query that reads them row by row.
create function public.export_customers(p_org_id uuid, p_filters jsonb)
returns table (
  first_name text, last_name text, name text, email text, phone text, consent boolean, consent_at text, locale text,
  store text, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer,
  last_activity_at text, created_at text
)
language sql stable
as $$
  select c.first_name, c.last_name, c.name, c.email, c.phone, c.consent_marketing,
    private.export_moment(c.consent_at, z.timezone), c.locale, s.name, c.review_count, c.rating_sum, c.spin_count,
    private.customer_wins(c.org_id, c.id), c.redemption_count, private.export_moment(c.last_activity_at, z.timezone),
    private.export_moment(c.created_at, z.timezone)
  from public.customers c
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and private.is_wanted(c, p_filters)
  order by c.created_at desc, c.id desc;
$$;
comment on function public.export_customers(uuid, jsonb) is
  'Customers of an organisation that pass the filters of the list (private.is_wanted), newest first, as an export shows them.';

create function public.export_redemptions(p_org_id uuid, p_filters jsonb)
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
    and (private.slugify(p_filters ->> 'search') = ''
      or private.code_words(r.code, r.code_key, r.end_user_email, r.end_user_name)
        like '%' || private.slugify(p_filters ->> 'search') || '%')
  order by r.created_at desc, r.id desc;
$$;
comment on function public.export_redemptions(uuid, jsonb) is
  'Codes of an organisation, newest first, as an export shows them; filters: reward_id, status, search.';
grant execute on function private.code_words(text, text, text, text) to service_role;
grant execute on function public.export_customers(uuid, jsonb), public.export_redemptions(uuid, jsonb) to service_role;

-- Stores -----------------------------------------------------------------------------------------

alter table public.stores add column version integer not null default 1 check (version >= 1);
comment on column public.stores.version is
  'Rises with every change of a form: whoever saves an older version is told, and overwrites nothing.';
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

create function private.rest_campaigns() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set active = false where c.org_id = new.org_id and c.store_id = new.id and c.active;
  return null;
end;
$$;
comment on function private.rest_campaigns() is 'A store that is put away has no campaign running: its QR codes say so.';
create trigger rest_campaigns after update of archived_at on public.stores
  for each row when (old.archived_at is null and new.archived_at is not null)
  execute function private.rest_campaigns();

create function private.store_figures(p_org_id uuid, p_store_id uuid default null) returns jsonb
language sql stable
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
    'public_clicks', coalesce(sum(d.public_clicks), 0), 'spins', coalesce(sum(d.spins), 0),
    'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0))
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and (p_store_id is null or d.store_id = p_store_id);
$$;
comment on function private.store_figures(uuid, uuid) is 'Figures of a store''s whole life, or of all stores of an organisation.';

create function private.store_door(p_org_id uuid, p_store_id uuid, out slug text, out closed text)
language plpgsql stable
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
comment on function private.store_door(uuid, uuid) is
  'Slug of a store''s newest running campaign, whose review page is the store''s; without one, why: no_campaign, '
  'plan_closed (trial or subscription ended) or none_running.';

create function private.has_store_history(p_org_id uuid, p_store_id uuid) returns boolean
language sql stable
as $$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.store_id = p_store_id)
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id);
$$;
comment on function private.has_store_history(uuid, uuid) is
  'Whether a campaign, a figure or a code used there hangs on a store: then it is archived, never deleted.';

create function public.store_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := '%' || regexp_replace(btrim(coalesce(p_search, '')), '([\\%_])', '\\\1', 'g') || '%';
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_matches integer;
  v_page integer;
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
    and (s.name ilike v_pattern or s.address ilike v_pattern);
  -- A page that is no more, because stores went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'address', shown.address, 'review_mode', shown.review_mode,
    'timezone', shown.timezone, 'created_at', shown.created_at, 'archived_at', shown.archived_at,
    'active_campaigns', (select count(*) from public.campaigns c
      where c.org_id = p_org_id and c.store_id = shown.id and c.active),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = shown.id),
    'slug', door.slug, 'closed', door.closed, 'has_history', private.has_store_history(p_org_id, shown.id),
    'figures', private.store_figures(p_org_id, shown.id)) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select * from public.stores s
    where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
      and (s.name ilike v_pattern or s.address ilike v_pattern)
    order by s.created_at desc, s.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral private.store_door(p_org_id, shown.id) door;

  return jsonb_build_object(
    'total', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is null),
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and exists (
        select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id and c.active)),
    'archived', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is not null),
    'figures', private.store_figures(p_org_id),
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
begin
  select * into v_store from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  v_today := private.now_in(v_store.timezone)::date;
  return jsonb_build_object(
    'store', jsonb_build_object('id', v_store.id, 'name', v_store.name, 'address', v_store.address),
    'figures', private.store_figures(v_store.org_id, p_id),
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
    ),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'scans', f.scans,
        'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
      from (
        select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
        from public.campaign_daily_stats d where d.org_id = v_store.org_id and d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$$;
comment on function public.store_stats(uuid) is
  'Figures of a store: of its whole life, each of the last 30 days in its time zone, and of the 20 campaigns with the most '
  'reviews there; the shape is storeStats of _shared/domain. Null when there is no such store for the signed-in user.';
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
    raise exception 'store_has_history' using errcode = 'TV050';
  end if;
  delete from public.stores s where s.id = p_id;
end;
$$;
comment on function public.remove_store(uuid, boolean) is
  'Archives a store, whose campaigns then stop, or deletes it when nothing hangs on it. Error TV050 when something does: '
  'then nothing is changed. Error 42501 without the permission stores.delete there.';
grant execute on function public.remove_store(uuid, boolean) to authenticated;
