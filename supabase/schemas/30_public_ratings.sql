-- Public ratings: what the public page of a store shows, as the merchant reads it there.
--
-- The merchant types the page's rating and number of reviews when they like: a row a day. What was collected here stands
-- beside it, counted from the day of the first row. Where the operator has a key, Google is asked too (decision 086): its
-- answer goes to the screen and is never stored.

create table public.public_ratings (
  org_id uuid not null,
  store_id uuid not null,
  day date not null,
  rating numeric not null check (rating >= 0 and rating <= 5 and scale(rating) <= 1),
  reviews integer not null check (reviews between 0 and 10000000),
  typed_at timestamptz not null default now(),
  primary key (org_id, store_id, day),
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete cascade,
  -- A page without reviews shows no rating, and one star is the least that a review gives.
  check (case when reviews = 0 then rating = 0 else rating >= 1 end)
);
comment on table public.public_ratings is 'Rating and number of reviews of a store''s public page, as typed in by the merchant.';
comment on column public.public_ratings.org_id is 'Organisation.';
comment on column public.public_ratings.store_id is 'Store.';
comment on column public.public_ratings.day is 'Day on which it was read, in the store''s time zone.';
comment on column public.public_ratings.rating is 'Mean of the stars, 1 to 5 with one decimal; 0 without a review.';
comment on column public.public_ratings.reviews is 'Number of reviews.';
comment on column public.public_ratings.typed_at is 'When it was typed in, or typed in anew on the same day.';

create table private.rating_source (
  is_only boolean primary key default true check (is_only),
  failures integer not null default 0 check (failures >= 0),
  resumes_at timestamptz
);
comment on table private.rating_source is 'One row: how the official interface of public ratings has answered.';
comment on column private.rating_source.is_only is 'True: there is one row at most.';
comment on column private.rating_source.failures is 'Failures since it answered last, 12 at most.';
comment on column private.rating_source.resumes_at is 'It is left alone until then; null where it answers.';

create function private.public_rating(p_org_id uuid, p_store_id uuid, p_points integer) returns jsonb
language sql stable set search_path = ''
as $$
  with first as (
    select r.day, r.rating, r.reviews from public.public_ratings r
    where r.org_id = p_org_id and r.store_id = p_store_id order by r.day limit 1
  ), newest as (
    select r.day, r.rating, r.reviews from public.public_ratings r
    where r.org_id = p_org_id and r.store_id = p_store_id order by r.day desc limit p_points
  ), points as materialized (
    -- From each point to the next: however many points, each day is added up once.
    select n.day, n.rating, n.reviews, sum(c.reviews) over (order by n.day) as collected
    from (
      select w.*, coalesce(lag(w.day) over (order by w.day), f.day) as since from newest w cross join first f
    ) n
    cross join lateral (
      select coalesce(sum(d.reviews), 0) as reviews from private.store_reviews_now(p_org_id, p_store_id, n.since + 1, n.day + 1) d
    ) c
  )
  select jsonb_build_object(
    'first', (select jsonb_build_object('day', f.day, 'rating', f.rating, 'reviews', f.reviews) from first f),
    'collected', coalesce((
      select p.collected + coalesce(sum(d.reviews), 0)
      from (select p.day, p.collected from points p order by p.day desc limit 1) p
      left join lateral private.store_reviews_now(p_org_id, p_store_id, p.day + 1, 'infinity') d on true
      group by p.collected), 0),
    'points', coalesce((
      select jsonb_agg(jsonb_build_object('day', p.day, 'rating', p.rating, 'reviews', p.reviews,
        'collected', p.collected) order by p.day)
      from points p), '[]'::jsonb));
$$;
comment on function private.public_rating(uuid, uuid, integer) is
  'Figures of a store''s public page on the first day that was typed in, and on the newest ones, oldest first. Each has the '
  'reviews that were collected here after the first day, up to that one. collected counts up to today; first is null where '
  'nothing was typed in.';

create function private.public_ratings(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'stores', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is null),
    'items', coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name,
      'rating', private.public_rating(p_org_id, s.id, 1)) order by s.day desc nulls last, s.created_at, s.id), '[]'::jsonb))
  from (
    select o.id, o.name, o.created_at, t.day
    from public.stores o
    left join lateral (
      select r.day from public.public_ratings r
      where r.org_id = p_org_id and r.store_id = o.id order by r.day desc limit 1
    ) t on true
    where o.org_id = p_org_id and o.archived_at is null
    order by t.day desc nulls last, o.created_at, o.id limit 3
  ) s;
$$;
comment on function private.public_ratings(uuid) is
  'The public page of up to 3 stores in use, the one whose figures were typed in last first, and how many stores there are.';

create function public.set_public_rating(p_store_id uuid, p_rating numeric, p_reviews integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.write'));
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids)
  for key share;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.public_ratings as r (org_id, store_id, day, rating, reviews)
  values (v_store.org_id, p_store_id, private.now_in(v_store.timezone)::date, trim_scale(p_rating), p_reviews)
  on conflict (org_id, store_id, day) do update
    set rating = excluded.rating, reviews = excluded.reviews, typed_at = excluded.typed_at
    where (r.rating, r.reviews) is distinct from (excluded.rating, excluded.reviews);
  -- A request whose answer was lost comes again, and changes nothing.
  if found then
    perform private.audit(v_store.org_id, 'store.rated', 'store', p_store_id, jsonb_build_object('name', v_store.name));
  end if;
end;
$$;
comment on function public.set_public_rating(uuid, numeric, integer) is
  'Writes down what a store''s public page shows today, in its time zone: rating and number of reviews, in place of what was '
  'written down earlier today. Errors: 23514 or 23502 not such figures, 42501 without the permission stores.write there.';
grant execute on function public.set_public_rating(uuid, numeric, integer) to authenticated;

create function public.remove_public_rating(p_store_id uuid, p_day date) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.write'));
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids)
  for key share;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  delete from public.public_ratings r where r.org_id = v_store.org_id and r.store_id = p_store_id and r.day = p_day;
  if found then
    perform private.audit(v_store.org_id, 'store.rating_removed', 'store', p_store_id,
      jsonb_build_object('name', v_store.name));
  end if;
end;
$$;
comment on function public.remove_public_rating(uuid, date) is
  'Takes away what was written down of a store''s public page on a day: it was typed wrongly. Error 42501 without the '
  'permission stores.write there.';
grant execute on function public.remove_public_rating(uuid, date) to authenticated;

create function public.public_rating_question(
  p_user_id uuid, p_session_id uuid, p_aal text, p_store_id uuid, out outcome text, out place_id text
) returns record
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_store public.stores;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select s.* into v_store from public.stores s
  join public.organization_members m on m.org_id = s.org_id and m.user_id = p_user_id
  join public.role_permissions r on r.role = m.role and r.permission = 'activity.read'
  where s.id = p_store_id;
  if not found then
    outcome := 'forbidden';
  elsif not private.is_readable(v_store.org_id) then
    outcome := 'closed';
  elsif v_store.google_place_id is null then
    outcome := 'no_place';
  elsif exists (
    select 1 from public.public_ratings r
    where r.org_id = v_store.org_id and r.store_id = p_store_id and r.day = private.now_in(v_store.timezone)::date
  ) then
    outcome := 'typed';
  elsif exists (select 1 from private.rating_source s where s.resumes_at > now()) then
    outcome := 'paused';
  -- Each question may cost the operator money.
  elsif private.count_attempt(
    array['public rating store ' || p_store_id, 'public rating organization ' || v_store.org_id], '{6,60}', interval '1 day'
  ) is not null then
    outcome := 'too_many';
  else
    outcome := 'ask';
    place_id := v_store.google_place_id;
  end if;
end;
$$;
comment on function public.public_rating_question(uuid, uuid, text, uuid) is
  'Whether Google may be asked now for a store''s public page, and by which identifier. For a user, with the session and '
  'the assurance level of their token. Outcomes: ask, or why not: session_ended, second_factor_required, forbidden '
  '(without the permission activity.read there), closed (the plan ended 30 days ago), no_place, typed (today''s figures '
  'were typed in), paused (it failed just now), too_many (6 a store and 60 an organisation in a day).';
grant execute on function public.public_rating_question(uuid, uuid, text, uuid) to service_role;

create function public.rate_rating_source(p_failed boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not p_failed then
    update private.rating_source s set failures = 0, resumes_at = null where s.failures > 0;
    return;
  end if;
  insert into private.rating_source as s (failures, resumes_at) values (1, now() + interval '1 minute')
  on conflict (is_only) do update
    set failures = least(s.failures + 1, 12),
      resumes_at = now() + least(interval '1 minute' * power(2, s.failures), interval '6 hours');
end;
$$;
comment on function public.rate_rating_source(boolean) is
  'Writes down that Google answered, or did not: then it is left alone for a minute, twice as long each time, 6 hours at most.';
grant execute on function public.rate_rating_source(boolean) to service_role;

-- Permissions -------------------------------------------------------------------------------------

-- Read with the figures of a store and the dashboard, written through the functions above.
alter table public.public_ratings enable row level security;
alter table private.rating_source enable row level security;
grant select, insert, update, delete on public.public_ratings to service_role;
