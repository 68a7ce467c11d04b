-- Stores, their till and the page where their customers leave public reviews.
--
-- The link to public reviews is what a merchant typed: perhaps an address of a private network, or a page under a name
-- like a platform's. It leads to one of the review platforms, or its host was confirmed by the user who entered it, which
-- the audit trail keeps. An existing link stays until it is changed. Figures reference no store, so
-- remove_store alone removes one, after it has checked all that belongs to it.

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
  unique (org_id, id)
);
-- Partial, though every row is in it: a plain one would be a key that foreign keys hold, and a new slug would wait for whoever plays.
create unique index stores_org_id_slug_key on public.stores (org_id, slug) where slug is not null;
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
comment on column public.stores.archived_at is
  'When it was archived; null while in use.';
comment on column public.stores.created_at is 'When it was created.';
comment on column public.stores.version is
  'Rises with every change of a form: saving an older version is refused, and overwrites nothing.';
comment on column public.stores.average_basket is
  'Average amount that a customer spends on a visit, in euros, two decimals at most, as the merchant estimates it; null when '
  'not entered.';
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
  v_limits constant public.plan_limits := private.lock_limits(new.org_id);
begin
  if not v_limits.multi_store and exists (
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
create trigger adjust_texts before insert or update of name, address on public.stores
  for each row when (private.is_unclean(new.name) or private.is_unclean(new.address))
  execute function private.clean_texts('name', 'address');
create trigger bump_store_version
  before update of name, slug, address, timezone, google_place_id, google_review_url, review_mode on public.stores
  for each row execute function private.bump_store_version();

create function private.check_archiving() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Programs without a user are the server's own.
  if auth.uid() is not null then
    if new.org_id not in (select private.my_org_ids(tg_argv[0])) then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    new.archived_at := coalesce(old.archived_at, now());
  end if;
  return new;
end;
$$;
comment on function private.check_archiving() is
  'Refuses to archive a row by the data API without the permission that its function asks for, the argument; the moment is always '
  'now. Error 42501.';
create trigger check_archiving before update of archived_at on public.stores
  for each row when (new.archived_at is not null and new.archived_at is distinct from old.archived_at)
  execute function private.check_archiving('stores.delete');

create function private.deactivate_campaigns() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Campaigns, then the store's advisory lock, as whoever switches one on: two orders would make deadlocks.
  perform private.lock_campaigns(new.org_id, new.id);
  perform pg_advisory_xact_lock(hashtextextended('campaigns of store ' || new.id, 0));
  update public.campaigns c set active = false where c.org_id = new.org_id and c.store_id = new.id and c.active;
  return null;
end;
$$;
comment on function private.deactivate_campaigns() is
  'A store that is archived has no campaign running: its QR codes say so.';
create trigger deactivate_campaigns after update of archived_at on public.stores
  for each row when (old.archived_at is null and new.archived_at is not null)
  execute function private.deactivate_campaigns();

create function private.store_figures(p_org_id uuid, p_store_id uuid default null) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
    'public_clicks', coalesce(sum(d.public_clicks), 0), 'spins', coalesce(sum(d.spins), 0),
    'wins', coalesce(sum(d.wins), 0), 'points_wins', coalesce(sum(d.points_wins), 0),
    'redemptions', coalesce(sum(d.redemptions), 0),
    'free_spins', coalesce(sum(d.free_spins), 0), 'free_wins', coalesce(sum(d.free_wins), 0),
    'free_redemptions', coalesce(sum(d.free_redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where p_store_id is null or d.store_id = p_store_id;
$$;
comment on function private.store_figures(uuid, uuid) is 'Figures of a store''s whole life, or of all stores of an organisation.';

create function private.store_entries(p_org_id uuid, p_store_ids uuid[])
returns table (store_id uuid, slug text, closed text, campaigns bigint, active_campaigns bigint)
language sql stable set search_path = ''
as $$
  with plan as materialized (
    select exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u)) as is_open
  ), there as (
    select c.store_id, count(*) as campaigns, count(*) filter (where c.active) as active,
      (array_agg(c.slug order by c.created_at desc, c.id desc) filter (where private.is_in_time(c)))[1] as slug
    from public.campaigns c where c.org_id = p_org_id and c.store_id = any (p_store_ids) group by c.store_id
  )
  select s.id, case when plan.is_open then t.slug end, case
      when t.store_id is null then 'no_campaign'
      when not plan.is_open then 'plan_closed'
      when t.slug is null then 'none_running'
    end, coalesce(t.campaigns, 0), coalesce(t.active, 0)
  from unnest(p_store_ids) s (id) cross join plan left join there t on t.store_id = s.id;
$$;
comment on function private.store_entries(uuid, uuid[]) is
  'Of some stores, the slug of the newest running campaign, whose review page is the store''s; without one, why: no_campaign, '
  'plan_closed (trial or subscription ended) or none_running; and how many campaigns a store has, and active ones.';

create function private.has_store_history(p_org_id uuid, p_store_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from private.store_days_now(p_org_id, p_store_id, '-infinity', 'infinity'))
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    or exists (select 1 from public.points_spends p where p.org_id = p_org_id and p.used_store_id = p_store_id)
    -- Members who work there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id
      and private.is_waiting(i))
    or exists (select 1 from private.api_keys k where k.org_id = p_org_id and k.store_id = p_store_id
      and k.revoked_at is null);
$$;
comment on function private.has_store_history(uuid, uuid) is
  'Whether a store has a campaign, a figure, a used code (won, or bought with points), a member or open invitation bound to it or an '
  'unrevoked API key: then it is archived, never deleted.';

create function public.store_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1,
  p_sort text default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,scans,reviews,rating,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  perform 1 from private.my_reading_rights('{stores.read,activity.read}', 'stores.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{stores.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) filter (where s.archived_at is null), count(*) filter (where s.archived_at is not null),
    coalesce(array_agg(s.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, s.created_at desc, s.id) filter (
      where (s.archived_at is not null) = v_is_archived
        and (v_pattern is null or private.has_words(s.name, v_pattern, v_hint) or private.has_words(s.address, v_pattern, v_hint))), '{}')
  into v_total, v_archived, v_ids
  from public.stores s
  left join (
    select d.store_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
    from private.campaign_figures_now(p_org_id) d
    where v_key in ('scans', 'reviews', 'rating') group by d.store_id
  ) t on t.store_id = s.id
  cross join lateral (
    select case v_key when 'name' then private.words(s.name) end as word, case v_key
      when 'scans' then coalesce(t.scans, 0)::double precision
      when 'reviews' then coalesce(t.reviews, 0)::double precision
      -- Without a review it has no mean, and stands below the worst.
      when 'rating' then coalesce(t.rating_sum::double precision / nullif(t.reviews, 0), 0)
      when 'created_at' then extract(epoch from s.created_at)::double precision
    end as number
  ) k
  where s.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  v_page := private.last_page(p_page, v_matches, v_page_size);
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  -- Of all stores, which stands above the list, and of each, in one look.
  with sums as (
    select d.store_id, grouping(d.store_id) = 1 as is_total, coalesce(sum(d.scans), 0) as scans,
      coalesce(sum(d.reviews), 0) as reviews, coalesce(sum(d.rating_sum), 0) as rating_sum,
      coalesce(sum(d.five_star_reviews), 0) as five_star_reviews, coalesce(sum(d.public_clicks), 0) as public_clicks,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.store_id))
  ), figures as materialized (
    select f.store_id, f.is_total, json_build_object('scans', f.scans, 'reviews', f.reviews,
      'rating_sum', f.rating_sum, 'five_star_reviews', f.five_star_reviews, 'public_clicks', f.public_clicks,
      'spins', f.spins, 'wins', f.wins, 'redemptions', f.redemptions) as figures
    from sums f where f.is_total or f.store_id = any (v_ids)
  ), doors as materialized (
    select * from private.store_entries(p_org_id, v_ids)
  )
  select
    (select f.figures from figures f where f.is_total),
    coalesce(json_agg(json_build_object(
      'id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
      'timezone', s.timezone, 'created_at', s.created_at, 'archived_at', s.archived_at,
      'active_campaigns', door.active_campaigns, 'campaigns', door.campaigns,
      'slug', door.slug, 'closed', door.closed,
      -- A store with campaigns has a history, which saves the call for nearly every row.
      'has_history', door.campaigns > 0 or private.has_store_history(p_org_id, s.id),
      'figures', coalesce(f.figures, '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0,
        "public_clicks": 0, "spins": 0, "wins": 0, "redemptions": 0}')) order by array_position(v_ids, s.id)), '[]'::json)
  into v_figures, v_items
  from public.stores s
  join doors door on door.store_id = s.id
  left join figures f on f.store_id = s.id
  where s.org_id = p_org_id and s.id = any (v_ids);

  return json_build_object(
    'total', v_total,
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.id in (
        select c.store_id from public.campaigns c where c.org_id = p_org_id and c.active)),
    'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.store_list(uuid, text, boolean, integer, text) is
  'A page of an organisation''s stores in use, or archived, whose name or address contains a text. Newest first or sorted '
  '(name, scans, reviews, rating, created_at; private.sort_key), with the figures above the list (specification, section '
  '2.18); the shape is storeList of _shared/domain. Error 42501 without the permissions stores.read and activity.read '
  'there.';
grant execute on function public.store_list(uuid, text, boolean, integer, text) to authenticated;

create function public.store_stats(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  -- First, so that a plan that is over is refused the same way whether the store exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_store public.stores;
  v_today date;
  v_figures jsonb;
begin
  select * into v_store from public.stores s
  where s.id = p_id and s.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  v_today := private.now_in(v_store.timezone)::date;
  v_figures := private.store_figures(v_store.org_id, p_id);
  return jsonb_build_object(
    'store', jsonb_build_object('id', v_store.id, 'name', v_store.name, 'address', v_store.address),
    'public_rating', private.public_rating(v_store.org_id, p_id, 60) || jsonb_build_object('url', v_store.google_review_url),
    'figures', v_figures - '{free_spins,free_wins,free_redemptions}'::text[],
    'advanced', case when private.has_feature(v_store.org_id, 'advanced_analytics') then jsonb_build_object(
      'funnel', private.funnel(v_figures),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
          'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
        from generate_series(v_today - 29, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
          from private.store_days_now(v_store.org_id, p_id, v_today - 29, 'infinity') d
          group by d.day
        ) f on f.day = calendar.day::date
      )) end,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'archived_at', c.archived_at, 'scans', f.scans, 'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
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
  'Figures of a store, its public page (private.public_rating, 60 days): of its whole life, each of the last 30 days in its time zone, and of the 20 campaigns with the most '
  'reviews there; the shape is storeStats of _shared/domain. advanced, which holds the days and the funnel, is null where '
  'the plan does not include it. Null when there is no such store for the signed-in user.';
grant execute on function public.store_stats(uuid) to authenticated;

create function public.remove_store(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.delete'));
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun.
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  -- The store before the team, as one that comes out of the archive; the team before its invitations, as whoever changes it.
  perform 1 from public.stores s where s.id = p_id for no key update;
  perform private.lock_team(v_org_id);
  -- The lock waits for all who take part right now: in a store that has customers it might never come.
  if not private.has_store_history(v_org_id, p_id) then
    perform 1 from public.stores s where s.id = p_id for update;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- Revoked keys open nothing, whichever till they name.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  -- Invitations that are over open nothing either. One that has expired, sent again without its store, would open every till.
  delete from private.invitations i where i.org_id = v_org_id and i.store_id = p_id;
  delete from public.stores s where s.id = p_id;
end;
$$;
comment on function public.remove_store(uuid, boolean) is
  'Archives a store, whose campaigns then stop, or deletes it when it has no history (has_store_history). Error TV140 when it has '
  'one: then nothing is changed. Errors: 42501 without the permission stores.delete there, 23502 without that choice.';
grant execute on function public.remove_store(uuid, boolean) to authenticated;

create function public.set_average_basket(
  p_store_id uuid, p_before numeric default null, p_basket numeric default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.write'));
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids)
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
    -- A link that was entered before confirmations existed stays as it is when it is saved unchanged.
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
  p_review_host_confirmed text default null, p_timezone text default null, p_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.my_organization();
  v_url constant text := nullif(btrim(p_google_review_url), '');
  v_mode constant text := coalesce(p_review_mode, 'compliant');
  v_store public.stores;
begin
  if v_org_id is null then
    raise exception 'no_organization' using errcode = 'TV023';
  end if;
  if v_org_id not in (select private.my_org_ids('stores.write')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_id is not null then
    -- A second try waits here for the first, and corrects what it made.
    perform pg_advisory_xact_lock(hashtextextended('create store ' || v_org_id, 0));
    update public.stores s set name = p_name, slug = p_slug, address = p_address, google_review_url = v_url,
      review_mode = v_mode, review_host_confirmed = p_review_host_confirmed, timezone = coalesce(p_timezone, s.timezone)
    where s.org_id = v_org_id and s.id = p_id
    returning * into v_store;
  end if;
  if v_store.id is null then
    insert into public.stores (id, org_id, name, slug, address, google_review_url, review_mode, review_host_confirmed, timezone)
    values (coalesce(p_id, gen_random_uuid()), v_org_id, p_name, p_slug, p_address, v_url, v_mode, p_review_host_confirmed,
      coalesce(p_timezone, private.timezone_of(v_org_id)))
    returning * into v_store;
  end if;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$$;
comment on function public.create_store(text, text, text, text, text, text, text, uuid) is
  'Adds a store to the signed-in member''s organisation; without a time zone in that of its first store. p_id may be chosen by the '
  'caller: a second call with it, where the first one''s answer was lost, gives that store the second one''s values. Errors: TV050 the '
  'organisation could not be looked up; TV023 member of none; 42501 without the permission stores.write; 23505 the organisation has a '
  'store with that slug; TV003 the plan has one store; 23514 or 23502 something is not well formed; TV170 the reviews link leads to no '
  'known platform and its host (the detail) is not the one confirmed.';
grant execute on function public.create_store(text, text, text, text, text, text, text, uuid) to authenticated;

-- Permissions -------------------------------------------------------------------------------------

alter table public.stores enable row level security;
grant select,
  insert (org_id, name, slug, address, timezone, google_place_id, google_review_url, review_mode, review_host_confirmed),
  update (name, slug, address, timezone, google_place_id, google_review_url, review_mode, archived_at, review_host_confirmed)
  on public.stores to authenticated;
grant select, insert, update, delete on public.stores to service_role;
create policy "Members read the stores" on public.stores
  for select to authenticated using (org_id = (select private.my_org_ids('stores.read')));
create policy "Members add stores" on public.stores
  for insert to authenticated with check (org_id = (select private.my_org_ids('stores.write')));
create policy "Members change stores" on public.stores
  for update to authenticated
  using (org_id = (select private.my_org_ids('stores.write')))
  with check (org_id = (select private.my_org_ids('stores.write')));

alter table private.review_platforms enable row level security;
