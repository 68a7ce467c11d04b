-- Reviews: what customers say, and which of them the team has seen.
--
-- A review is recorded when the star is touched, by a phone that may lose its network at any moment. The page's key of
-- the visit decides: a repeated call finds the first review. A review stays when its customer is forgotten. It takes no
-- text afterwards, since nobody could be asked to erase it. Readers who may not name customers get an alias: with a
-- review's own identifier, spin_wheel repeats the code that it won.

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
  handling text check (handling in ('open', 'answered', 'closed')),
  handling_version integer not null default 0,
  assigned_to uuid,
  claimed_by uuid,
  claimed_at timestamptz,
  locale text default 'fr' check (private.is_language(locale)),
  primary key (org_id, id),
  unique (org_id, campaign_id, visit_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id)
);
-- A member who holds the identifier of a review acts on it without naming the organisation.
create index pre_spin_reviews_id_idx on public.pre_spin_reviews (id);
create index pre_spin_reviews_org_created_idx on public.pre_spin_reviews (org_id, created_at desc);
create index pre_spin_reviews_org_campaign_idx on public.pre_spin_reviews (org_id, campaign_id, created_at desc);
create index pre_spin_reviews_org_customer_idx on public.pre_spin_reviews (org_id, customer_id, created_at desc);
create index pre_spin_reviews_org_store_idx on public.pre_spin_reviews (org_id, store_id, created_at desc);
create index pre_spin_reviews_org_rating_idx on public.pre_spin_reviews (org_id, rating, created_at desc);
-- Unseen reviews only: the index is as short as the list that it serves.
create index pre_spin_reviews_org_unseen_idx on public.pre_spin_reviews (org_id, created_at desc)
  where rating <= 3 and seen_at is null;
-- The inbox (24_review_inbox.sql) asks for few of many: each of these holds only what its filter shows.
create index pre_spin_reviews_org_open_idx on public.pre_spin_reviews (org_id, created_at desc)
  where handling = 'open' or (handling is null and rating <= 3);
create index pre_spin_reviews_org_handled_idx on public.pre_spin_reviews (org_id, handling, created_at desc)
  where handling is not null;
create index pre_spin_reviews_org_assigned_idx on public.pre_spin_reviews (org_id, assigned_to, created_at desc)
  where assigned_to is not null;
create index pre_spin_reviews_org_text_idx on public.pre_spin_reviews (org_id, created_at desc)
  where review_text is not null;
-- An integration that follows messages asks for those since a moment: they come after the rating.
create index pre_spin_reviews_org_feedback_idx on public.pre_spin_reviews (org_id, feedback_at)
  where feedback_at is not null;
create index pre_spin_reviews_org_locale_idx on public.pre_spin_reviews (org_id, locale, created_at desc)
  where locale <> 'fr';
create index pre_spin_reviews_words_idx on public.pre_spin_reviews using gin (
  org_id extensions.uuid_ops, private.review_words(review_text) extensions.gin_trgm_ops
) with (gin_pending_list_limit = 512) where review_text is not null;
comment on table public.pre_spin_reviews is 'A rating of a visit, with private feedback (specification, section 3).';
comment on column public.pre_spin_reviews.id is 'Identifier; who holds it may add the feedback and play once.';
comment on column public.pre_spin_reviews.org_id is 'Organisation.';
comment on column public.pre_spin_reviews.campaign_id is 'Campaign.';
comment on column public.pre_spin_reviews.store_id is 'Store of the campaign at the time.';
comment on column public.pre_spin_reviews.customer_id is 'Author of the review; null once the customer is erased.';
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

comment on column public.pre_spin_reviews.handling is
  'State in the inbox: open (to be dealt with), answered or closed; null while nobody has decided: then it is to be dealt '
  'with when it has 3 stars or fewer.';
comment on column public.pre_spin_reviews.handling_version is
  'Rises with every answer and every change of what became of it: an action on an older one is refused, and changes nothing.';
comment on column public.pre_spin_reviews.assigned_to is 'Member who takes care of it; null for nobody.';
comment on column public.pre_spin_reviews.claimed_by is 'Member who is writing an answer to it; null for nobody.';
comment on column public.pre_spin_reviews.claimed_at is
  'When that member last wrote on it: five minutes later a colleague may.';
comment on column public.pre_spin_reviews.locale is
  'Language of the pages on which it was left, fr by default; null once the customer is erased.';

create function private.is_bad_rating(p_rating smallint) returns boolean
language sql immutable parallel safe
return p_rating <= 3;
comment on function private.is_bad_rating(smallint) is
  'Whether a visit went badly and is dealt with: 3 stars or fewer (BAD_RATING of _shared/domain). The partial indexes of '
  'reviews repeat the number. Planned as part of the query that calls it.';
grant execute on function private.is_bad_rating(smallint) to service_role;

create function private.is_unread(r public.pre_spin_reviews) returns boolean
language sql stable
return private.is_bad_rating(r.rating) and r.seen_at is null and r.created_at > now() - interval '30 days';
comment on function private.is_unread(public.pre_spin_reviews) is
  'Whether a review is a bad one of the last 30 days that nobody marked as seen, answered or closed. Planned as part of the '
  'query that calls it.';

create function private.review_next(p_rating integer, p_review_mode text, p_google_review_url text) returns text
language sql immutable parallel safe set search_path = ''
return case
  when private.is_bad_rating(p_rating::smallint) then 'feedback'
  when p_rating = 4 and p_google_review_url is not null and p_review_mode = 'gating' then 'google'
  else 'ready'
end;
comment on function private.review_next(integer, text, text) is
  'The step after a rating (specification, section 4.2): the same table as afterRating of _shared/domain.';

create function public.record_review(
  p_campaign_id uuid, p_visit_id uuid, p_first_name text, p_last_name text, p_email text, p_phone text,
  p_consent_marketing boolean, p_rating integer, p_source text, p_address_hash text,
  p_locale text default null,
  out outcome text, out review_id uuid, out next text, out google_review_url text, out retry_after integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_review public.pre_spin_reviews;
  v_customer_id uuid;
  v_name constant text := private.clean_line(concat_ws(' ', p_first_name, p_last_name));
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

  -- A campaign in which nobody ever took part may be deleted at this instant.
  perform 1 from public.campaigns c where c.id = p_campaign_id for key share;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  select f.customer_id into v_customer_id
  from private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, p_first_name, p_last_name,
    v_name, p_email, p_phone, p_consent_marketing, p_locale => p_locale) f;
  if (
    select count(*) from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.customer_id = v_customer_id
      and r.created_at > now() - interval '1 hour'
  ) >= 20 then
    outcome := 'too_many_attempts';
    retry_after := 3600;
    return;
  end if;

  -- Consent is given by ticking the box and stays until it is withdrawn; a blank box takes nothing back.
  update public.customers c
  set last_activity_at = now(), consent_marketing = c.consent_marketing or p_consent_marketing,
    locale = coalesce(p_locale, c.locale)
  where c.org_id = v_campaign.org_id and c.id = v_customer_id;

  insert into public.pre_spin_reviews (
    org_id, campaign_id, store_id, customer_id, visit_id, customer_name, customer_email, customer_phone,
    rating, consent_marketing, source, locale
  ) values (
    v_campaign.org_id, v_campaign.id, v_campaign.store_id, v_customer_id, p_visit_id, v_name, p_email, p_phone,
    p_rating, p_consent_marketing, p_source, coalesce(p_locale, 'fr')
  ) returning id into review_id;
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_store.timezone)::date,
    p_reviews => 1, p_rating_sum => p_rating, p_five_star_reviews => (p_rating = 5)::integer);

  outcome := 'created';
  next := private.review_next(p_rating, v_store.review_mode, v_store.google_review_url);
  google_review_url := v_store.google_review_url;
end;
$$;
comment on function public.record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text, text) is
  'Records a rating and its customer, once for a visit (specification, section 7.2). Outcomes: created, repeated '
  '(the same visit again), campaign_not_found, too_many_attempts (with the seconds to wait). p_locale is the language of the '
  'page: the review and the customer keep it; without one a known customer keeps theirs. Error 23514 when it is none of ours.';
grant execute on function public.record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text, text)
  to service_role;

create function public.record_feedback(p_review_id uuid, p_feedback text, out outcome text, out google_review_url text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_store_id uuid;
  v_feedback constant text := private.clean_text(p_feedback);
  v_text text;
begin
  -- Customers who were forgotten have no review any more: what they write would come back to stay.
  update public.pre_spin_reviews r set review_text = v_feedback, feedback_at = now()
  where r.id = p_review_id and r.customer_id is not null and r.review_text is null
  returning r.org_id, r.store_id into v_org_id, v_store_id;
  if found then
    outcome := 'added';
  else
    select r.org_id, r.store_id, r.review_text into v_org_id, v_store_id, v_text
    from public.pre_spin_reviews r where r.id = p_review_id and r.customer_id is not null;
    outcome := case
      when not found then 'review_not_found'
      when v_text = v_feedback then 'repeated'
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

-- The writer of these events locks the customer's row before any counter: no order is added to the locks.
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
language sql immutable parallel safe
-- The time of a UUID of version 7, then 18 digits of a hash, marked as such (version 8).
return (left(p_id::text, 13) || '-8'
  || overlay(overlay(left(md5(p_id::text), 18) placing '-' from 7 for 0) placing '-8' from 4 for 0))::uuid;
comment on function private.alias_of(uuid) is
  'Alias of a review: always the same for it, and not reversible to its identifier. It begins with the same millisecond as the '
  'identifier, so that the index of identifiers finds the review by its alias.';

create function private.review_id_of(p_org_ids uuid[], p_id uuid, out org_id uuid, out id uuid)
language plpgsql stable set search_path = ''
as $$
begin
  select r.org_id, r.id into org_id, id from public.pre_spin_reviews r
  where r.org_id = any (p_org_ids) and r.id = p_id;
  if not found then
    select r.org_id, r.id into org_id, id from public.pre_spin_reviews r
    where r.org_id = any (p_org_ids)
      and r.id between (left(p_id::text, 13) || '-0000-0000-000000000000')::uuid
        and (left(p_id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
      and private.alias_of(r.id) = p_id;
  end if;
end;
$$;
comment on function private.review_id_of(uuid[], uuid) is
  'The review of one of these organisations that an identifier or an alias names; nulls when there is none.';

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

create function private.unseen_reviews(p_org_id uuid, p_is_named boolean, p_sees_codes boolean) returns jsonb
language sql stable set search_path = ''
as $$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and private.is_unread(r)
    order by r.created_at desc, r.id desc limit 100
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', case when p_is_named and p_sees_codes then r.id else private.alias_of(r.id) end,
        'at', r.created_at, 'rating', r.rating, 'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when p_is_named then r.customer_id end,
        'name', case when p_is_named then private.name_or_email(r.customer_name, r.customer_email) end,
        'text', case when p_is_named then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id), '[]'::jsonb));
$$;
comment on function private.unseen_reviews(uuid, boolean, boolean) is
  'The newest 3 reviews of 3 stars or fewer within 30 days that nobody marked as seen. How many there are, counted up to '
  '100. Who wrote them, and the beginning of their words (400 characters), where asked; under an alias for whoever may '
  'not see codes.';

create function public.mark_review_seen(p_review_id uuid, p_is_seen boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_named record;
  v_store text;
begin
  select * into v_named from private.review_id_of(array(select private.my_org_ids('customers.write')), p_review_id);
  if v_named.id is null or p_is_seen is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- The second of two colleagues changes nothing.
  update public.pre_spin_reviews r
  set seen_at = case when p_is_seen then now() end
  where r.org_id = v_named.org_id and r.id = v_named.id and (r.seen_at is not null) <> p_is_seen
  returning (select s.name from public.stores s where s.org_id = r.org_id and s.id = r.store_id) into v_store;
  if found then
    perform private.audit(v_named.org_id, case when p_is_seen then 'review.seen' else 'review.unseen' end, 'review',
      private.alias_of(v_named.id), jsonb_build_object('name', v_store));
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
    'name', case when p_is_named then private.name_or_email(r.customer_name, r.customer_email) end,
    'customer_id', case when p_is_named then r.customer_id end)
    order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.campaign_id = p_campaign_id
    order by v.created_at desc limit 10
  ) r;
$$;
comment on function private.campaign_reviews(uuid, uuid, boolean) is
  'The 10 newest reviews of a campaign, newest first, with whose they are where asked.';

-- Permissions -------------------------------------------------------------------------------------

alter table public.pre_spin_reviews enable row level security;
grant select on public.pre_spin_reviews to authenticated;
grant select, insert, update, delete on public.pre_spin_reviews to service_role;
-- Rows that name a customer and open a code need both permissions. One list, made once a statement, lets the index on
-- org_id serve. A review and a spin open codes: for a review's identifier or a spin's key, spin_wheel repeats the code
-- that it won. For a review that has not played, it spins.
create policy "Members read the reviews" on public.pre_spin_reviews
  for select to authenticated
  using (org_id = (select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read')));
