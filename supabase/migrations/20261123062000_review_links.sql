-- Why: the link that customers follow to leave a public review is whatever a merchant typed: an address of one's own
-- network, somebody else's page behind a name that looks like a platform's. It leads to one of the review platforms, or its
-- host was confirmed by whoever entered it, which the audit trail keeps. Links that stand already stay as they are until
-- somebody changes them: printed codes go on working, and the form shows their merchant what it would ask today.

create table private.review_platforms (
  place text primary key check (place = lower(place) and place ~ '^[a-z0-9.-]+(/[a-z]+)?$'),
  platform text not null
);
alter table private.review_platforms enable row level security;
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

alter table public.stores
  add column review_host_confirmed text check (length(review_host_confirmed) <= 253),
  add column review_host_confirmed_at timestamptz;
comment on column public.stores.review_host_confirmed is
  'Host of the public reviews page, confirmed by whoever entered it because it is none of the known platforms; null for these.';
comment on column public.stores.review_host_confirmed_at is 'When it was confirmed; the audit trail says by whom.';
grant insert (review_host_confirmed), update (review_host_confirmed) on public.stores to authenticated;

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
    -- Nothing was asked when it was entered, and nobody is asked for leaving it.
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

create function private.audit_review_host() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit(new.org_id, 'store.link_confirmed', 'store', new.id,
    jsonb_build_object('name', new.name, 'host', new.review_host_confirmed));
  return null;
end;
$$;
comment on function private.audit_review_host() is 'Writes down who confirmed the host of a link to public reviews.';
create trigger audit_added_review_host after insert on public.stores
  for each row when (new.review_host_confirmed is not null) execute function private.audit_review_host();
create trigger audit_changed_review_host after update of google_review_url, review_host_confirmed on public.stores
  for each row
  when (new.review_host_confirmed is not null and new.review_host_confirmed is distinct from old.review_host_confirmed)
  execute function private.audit_review_host();

drop function public.create_store(text, text, text, text, text);
create function public.create_store(
  p_name text, p_slug text, p_address text, p_google_review_url text, p_review_mode text,
  p_review_host_confirmed text default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.my_organization();
  v_store public.stores;
begin
  if v_org_id is null then
    raise exception 'no_organization' using errcode = 'TV023';
  end if;
  if v_org_id not in (select private.my_org_ids('stores.write')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.stores (org_id, name, slug, address, google_review_url, review_mode, review_host_confirmed)
  values (v_org_id, btrim(p_name), p_slug, btrim(p_address), nullif(btrim(p_google_review_url), ''),
    coalesce(p_review_mode, 'compliant'), p_review_host_confirmed)
  returning * into v_store;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$$;
comment on function public.create_store(text, text, text, text, text, text) is
  'Adds a store to the signed-in member''s organisation. Errors: TV050 the organisation could not be looked up, TV023 '
  'member of none, 42501 without the permission stores.write, 23505 the organisation has a store with that slug, TV003 '
  'the plan has one store, 23514 or 23502 something is not well formed, TV170 the reviews link leads to no known platform '
  'and its host (the detail) is not the one confirmed.';
grant execute on function public.create_store(text, text, text, text, text, text) to authenticated;
