-- Why: a campaign's slug is printed on paper and lives on walls. It is unique over the whole
-- platform, a renaming leaves a redirect, and another merchant's earlier choice only costs a suffix.

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
  unique (org_id, id),
  unique (org_id, slug)
);
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
comment on column public.stores.archived_at is 'When it was put away; null while in use.';
comment on column public.stores.created_at is 'When it was created.';

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references public.organizations (id) on delete cascade,
  store_id uuid not null,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  slug text not null unique check (private.is_slug(slug)),
  description text check (length(description) <= 2000),
  active boolean not null default true,
  starts_at timestamptz,
  ends_at timestamptz,
  play_interval_days smallint not null default 1 check (play_interval_days between 0 and 365),
  rules_version integer not null default 1 check (rules_version >= 1),
  created_at timestamptz not null default now(),
  unique (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  check (ends_at >= starts_at)
);
create unique index campaigns_org_id_name_key on public.campaigns (org_id, lower(btrim(name)));
create index campaigns_org_id_created_at_idx on public.campaigns (org_id, created_at desc);
create index campaigns_org_id_store_id_idx on public.campaigns (org_id, store_id);
create index campaigns_org_id_active_idx on public.campaigns (org_id) where active;
comment on table public.campaigns is 'A review campaign with its wheel, reached by QR code (specification, section 3).';
comment on column public.campaigns.id is 'Identifier.';
comment on column public.campaigns.org_id is 'Organisation.';
comment on column public.campaigns.store_id is 'Store where it runs.';
comment on column public.campaigns.name is 'Name, 1 to 120 characters, unique within the organisation whatever its case.';
comment on column public.campaigns.slug is 'Public address /c/{slug}, unique over the platform; made from the name when null, with a suffix when another merchant has it.';
comment on column public.campaigns.description is 'Internal description, never public.';
comment on column public.campaigns.active is 'Whether it may run; the plan limits how many do.';
comment on column public.campaigns.starts_at is 'First instant; null is at once.';
comment on column public.campaigns.ends_at is 'Last instant; null is without end.';
comment on column public.campaigns.play_interval_days is 'Calendar days of the store between two plays of one person, 0 to 365; 0 is no limit.';
comment on column public.campaigns.rules_version is 'Rises with every change of what can be won or how; each spin keeps the version that it was played under.';
comment on column public.campaigns.created_at is 'When it was created.';

create table public.campaign_slug_redirects (
  slug text primary key check (private.is_slug(slug)),
  org_id uuid not null,
  campaign_id uuid not null,
  created_at timestamptz not null default now(),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade
);
create index campaign_slug_redirects_campaign_idx on public.campaign_slug_redirects (org_id, campaign_id);
comment on table public.campaign_slug_redirects is 'Former slugs of campaigns: printed QR codes live on after a renaming.';
comment on column public.campaign_slug_redirects.slug is 'Former slug.';
comment on column public.campaign_slug_redirects.org_id is 'Organisation.';
comment on column public.campaign_slug_redirects.campaign_id is 'Campaign that it leads to.';
comment on column public.campaign_slug_redirects.created_at is 'When the campaign was renamed.';

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

create function private.assign_campaign_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_base text;
  v_slug text;
  v_suffix integer := 1;
begin
  v_base := coalesce(nullif(new.slug, ''), nullif(left(private.slugify(new.name), 70), ''), 'campagne');
  v_base := trim(trailing '-' from v_base);
  -- Merchants who choose the same slug at the same instant take turns, with or without a suffix.
  perform pg_advisory_xact_lock(hashtextextended(
    'campaign slug ' || left(regexp_replace(v_base, '(-[0-9]+)+$', ''), 70), 0));
  v_slug := v_base;
  -- One's own slug twice is a mistake to be told (23505), not to be hidden by a suffix.
  while exists (
      select 1 from public.campaigns c
      where c.slug = v_slug and c.org_id <> new.org_id
    ) or exists (
      select 1 from public.campaign_slug_redirects r
      where r.slug = v_slug and r.campaign_id <> new.id
    )
  loop
    v_suffix := v_suffix + 1;
    v_slug := left(v_base, 70) || '-' || v_suffix;
  end loop;
  new.slug := v_slug;
  return new;
end;
$$;
comment on function private.assign_campaign_slug() is
  'Makes a missing slug from the name and adds a suffix to one that another merchant has, now or formerly.';
create trigger assign_campaign_slug before insert or update of slug on public.campaigns
  for each row execute function private.assign_campaign_slug();

create function private.keep_former_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.campaign_slug_redirects r where r.slug = new.slug and r.campaign_id = new.id;
  insert into public.campaign_slug_redirects (slug, org_id, campaign_id)
  values (old.slug, new.org_id, new.id);
  return null;
end;
$$;
comment on function private.keep_former_slug() is 'Leaves a redirect from the slug that a campaign gives up.';
create trigger keep_former_slug after update of slug on public.campaigns
  for each row when (old.slug is distinct from new.slug) execute function private.keep_former_slug();

create function private.enforce_campaign_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_limit integer;
begin
  -- The lock makes two activations at once count each other.
  select l.max_active_campaigns into v_limit
  from public.subscriptions s join public.plan_limits l on l.plan = s.plan
  where s.org_id = new.org_id
  for no key update of s;
  v_limit := coalesce(v_limit, 1);
  if v_limit >= 0 and (
    select count(*) from public.campaigns c where c.org_id = new.org_id and c.active and c.id <> new.id
  ) >= v_limit then
    raise exception 'active_campaign_limit_reached' using errcode = 'TV001', detail = v_limit::text;
  end if;
  return new;
end;
$$;
comment on function private.enforce_campaign_limit() is
  'Refuses an active campaign beyond the plan''s number. Error TV001, with the limit as detail.';
create trigger enforce_campaign_limit_on_insert before insert on public.campaigns
  for each row when (new.active) execute function private.enforce_campaign_limit();
create trigger enforce_campaign_limit_on_update before update of active on public.campaigns
  for each row when (new.active and not old.active) execute function private.enforce_campaign_limit();

create function private.bump_rules_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.rules_version := old.rules_version + 1;
  return new;
end;
$$;
comment on function private.bump_rules_version() is 'A change of the dates or of the interval between plays changes the rules of the game.';
create trigger bump_rules_version before update of starts_at, ends_at, play_interval_days on public.campaigns
  for each row
  when ((old.starts_at, old.ends_at, old.play_interval_days)
    is distinct from (new.starts_at, new.ends_at, new.play_interval_days))
  execute function private.bump_rules_version();

create function private.is_running(p_campaign public.campaigns, p_subscription public.subscriptions)
returns boolean
language plpgsql stable
as $$
begin
  return p_campaign.active
    and (p_campaign.starts_at is null or p_campaign.starts_at <= now())
    and (p_campaign.ends_at is null or p_campaign.ends_at > now())
    and private.is_open(p_subscription);
end;
$$;
comment on function private.is_running(public.campaigns, public.subscriptions) is
  'Whether the public may take part now: active, within its dates, its organisation''s plan in force.';

-- Security -------------------------------------------------------------------------------------

alter table public.stores enable row level security;
alter table public.campaigns enable row level security;
alter table public.campaign_slug_redirects enable row level security;

grant select, delete on public.stores, public.campaigns to authenticated;
grant select on public.campaign_slug_redirects to authenticated;
grant insert (org_id, name, slug, address, timezone, google_place_id, google_review_url, review_mode),
  update (name, slug, address, timezone, google_place_id, google_review_url, review_mode, archived_at)
  on public.stores to authenticated;
grant insert (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days),
  update (store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  on public.campaigns to authenticated;
grant select, insert, update, delete on public.stores, public.campaigns, public.campaign_slug_redirects to service_role;

create policy "Members read the stores" on public.stores
  for select to authenticated using (org_id = any (array(select private.my_org_ids('stores.read'))));
create policy "Members add stores" on public.stores
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('stores.write'))));
create policy "Members change stores" on public.stores
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('stores.write'))))
  with check (org_id = any (array(select private.my_org_ids('stores.write'))));
create policy "Owners and admins delete stores" on public.stores
  for delete to authenticated using (org_id = any (array(select private.my_org_ids('stores.delete'))));

create policy "Members read the campaigns" on public.campaigns
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));
create policy "Members add campaigns" on public.campaigns
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
create policy "Members change campaigns" on public.campaigns
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('campaigns.write'))))
  with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
create policy "Owners and admins delete campaigns" on public.campaigns
  for delete to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.delete'))));

create policy "Members read the former slugs" on public.campaign_slug_redirects
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));
