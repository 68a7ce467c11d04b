-- Campaigns: their address, their editing, their list and figures, their posters.
--
-- A campaign's slug is printed on paper: it is unique over the whole platform, and a renaming leaves a redirect. Where
-- another merchant has it, a suffix is added. A campaign and its wheel are saved, copied and removed together or not at
-- all. Of two people who edit it at once, the second is refused. A campaign that customers know is archived rather than
-- deleted. Neither an archived campaign nor one of a closed store can be switched on.

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references public.organizations (id) on delete cascade,
  store_id uuid not null,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  slug text not null check (private.is_slug(slug)),
  description text check (length(description) <= 2000),
  active boolean not null default true,
  starts_at timestamptz,
  ends_at timestamptz,
  play_interval_days smallint not null default 1 check (play_interval_days between 0 and 365),
  rules_version integer not null default 1 check (rules_version >= 1),
  created_at timestamptz not null default now(),
  version integer not null default 1 check (version >= 1),
  archived_at timestamptz,
  rules_stale boolean not null default true,
  poster_at timestamptz,
  translations jsonb not null default '{}',
  unique (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  check (ends_at >= starts_at),
  constraint campaigns_translations_check check (private.is_translations(translations, 120)),
  constraint campaigns_archived_check check (archived_at is null or not active),
  constraint campaigns_start_date_check check (
    starts_at >= '1000-01-01 00:00Z' and starts_at < '9999-12-31 00:00Z'
  ),
  constraint campaigns_end_date_check check (
    ends_at >= '1000-01-01 00:00Z' and ends_at < '9999-12-31 00:00Z'
  )
);
-- Partial, though every row is in it: a plain one would be a key that foreign keys hold, and a new slug would wait for whoever plays.
create unique index campaigns_slug_key on public.campaigns (slug) where slug is not null;
create unique index campaigns_org_id_name_key on public.campaigns (org_id, lower(btrim(name)));
create index campaigns_org_id_created_at_idx on public.campaigns (org_id, created_at desc);
create index campaigns_org_id_store_id_idx on public.campaigns (org_id, store_id);
create index campaigns_org_id_active_idx on public.campaigns (org_id) where active;
create index campaigns_active_idx on public.campaigns (org_id, created_at desc) where active;
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
comment on column public.campaigns.translations is 'Its name in the other languages of the phone pages.';
comment on column public.campaigns.play_interval_days is 'Calendar days of the store between two plays of one person, 0 to 365; 0 is no limit.';
comment on column public.campaigns.rules_version is
  'Version of the rules in force (campaign_rules); each spin keeps the version that it was played under.';
comment on column public.campaigns.created_at is 'When it was created.';
comment on column public.campaigns.version is
  'Rises with every change of the campaign or of its wheel: saving an older version is refused, and overwrites nothing.';
comment on column public.campaigns.archived_at is
  'When it was archived; null while in use. An archived campaign is never active.';
comment on column public.campaigns.rules_stale is
  'Whether something that the rules speak of has changed in this transaction: at its end they are published.';
comment on column public.campaigns.poster_at is 'When a poster of it was taken first; null before.';

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

create function private.free_campaign_slug(p_wanted text, p_campaign_id uuid, p_org_id uuid default null) returns text
language plpgsql volatile set search_path = ''
as $$
begin
  -- Merchants who choose the same slug at the same instant wait for each other here, with or without a number.
  perform pg_advisory_xact_lock(hashtextextended(
    'campaign slug ' || left(regexp_replace(p_wanted, '(-[0-9]+)+$', ''), 70), 0));
  if private.is_campaign_slug_free(p_wanted, p_campaign_id, p_org_id) then
    return p_wanted;
  end if;
  return private.numbered_slug(p_wanted, private.free_number('saved campaign', p_wanted, 1, p_campaign_id));
end;
$$;
comment on function private.free_campaign_slug(text, uuid, uuid) is
  'The slug itself where a campaign can have it (is_campaign_slug_free), else with a number with which nobody has it: it stays '
  'free for this transaction alone until its end.';

create function private.campaign_slug_of(p_name text) returns text
language sql immutable set search_path = ''
as $$
  select trim(trailing '-' from coalesce(nullif(left(private.slugify(p_name), 70), ''), 'campagne'));
$$;
comment on function private.campaign_slug_of(text) is
  'Slug that a campaign''s name makes, taken or not: 70 signs at most, so that a number fits behind it.';

create function private.assign_campaign_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The organisation's own slug again is an error of the caller (23505), which no number may hide.
  new.slug := private.free_campaign_slug(
    trim(trailing '-' from coalesce(nullif(new.slug, ''), private.campaign_slug_of(new.name))), new.id, new.org_id);
  return new;
end;
$$;
comment on function private.assign_campaign_slug() is
  'Makes a missing slug from the name and numbers one that another merchant has, now or formerly.';
create trigger assign_campaign_slug before insert or update of slug on public.campaigns
  for each row execute function private.assign_campaign_slug();

create function private.keep_former_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.campaign_slug_redirects r where r.slug = new.slug and r.campaign_id = new.id;
  insert into public.campaign_slug_redirects (slug, org_id, campaign_id)
  values (old.slug, new.org_id, new.id);
  delete from public.campaign_slug_redirects r
  where r.org_id = new.org_id and r.campaign_id = new.id and r.slug = any (array(
    select o.slug from public.campaign_slug_redirects o
    where o.org_id = new.org_id and o.campaign_id = new.id
    order by o.created_at desc, o.slug offset 50));
  return null;
end;
$$;
comment on function private.keep_former_slug() is
  'Leaves a redirect from the slug that a campaign gives up. The newest 50 stay: nobody takes thousands of names from others.';
create trigger keep_former_slug after update of slug on public.campaigns
  for each row when (old.slug is distinct from new.slug) execute function private.keep_former_slug();

create function private.retire_campaign_slugs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.retire_slug('campaign', old.slug, old.org_id);
  perform private.retire_slug('campaign', r.slug, r.org_id) from public.campaign_slug_redirects r
  where r.org_id = old.org_id and r.campaign_id = old.id;
  return old;
end;
$$;
comment on function private.retire_campaign_slugs() is
  'Keeps the addresses of a deleted campaign, former ones included, from other organisations.';
create trigger retire_campaign_slugs before delete on public.campaigns
  for each row execute function private.retire_campaign_slugs();

create function private.enforce_campaign_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_limits constant public.plan_limits := private.lock_limits(new.org_id);
  v_limit constant integer := v_limits.max_active_campaigns;
begin
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

create function private.is_in_time(c public.campaigns) returns boolean
language sql stable
return c.active and (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now());
comment on function private.is_in_time(public.campaigns) is
  'Whether a campaign is active and within its dates. Planned as part of the query that calls it.';

create function private.is_running(p_campaign public.campaigns, p_subscription public.subscriptions)
returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return private.is_in_time(p_campaign) and private.is_open(p_subscription);
end;
$$;
comment on function private.is_running(public.campaigns, public.subscriptions) is
  'Whether the public may take part now: active, within its dates, its organisation''s plan in force.';

create function private.bump_campaign_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_campaign_version() is 'Numbers the versions of a campaign.';
create trigger adjust_texts before insert or update of name, description, translations on public.campaigns
  for each row when (private.is_unclean(new.name) or private.is_unclean(new.description)
    or new.translations <> '{}')
  execute function private.clean_texts('name', 'description', 'translations');
create trigger bump_campaign_version
  before update of name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at,
    translations
  on public.campaigns
  for each row
  when ((old.name, old.slug, old.description, old.store_id, old.active, old.starts_at, old.ends_at,
      old.play_interval_days, old.archived_at, old.translations)
    is distinct from (new.name, new.slug, new.description, new.store_id, new.active, new.starts_at, new.ends_at,
      new.play_interval_days, new.archived_at, new.translations))
  execute function private.bump_campaign_version();

create function private.begin_campaigns_change(p_org_id uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('campaigns of ' || p_org_id, 0)); $$;
comment on function private.begin_campaigns_change(uuid) is
  'Makes those who change several campaigns of an organisation in one transaction take turns: which ones these are may change while one '
  'waits, and no order of their rows would hold. Call it before any of these rows is locked, and after rewards and stores.';

create function private.lock_campaigns(p_org_id uuid, p_store_id uuid default null) returns void
language sql volatile set search_path = ''
as $$
  select private.begin_campaigns_change(p_org_id);
  select 1 from public.campaigns c
  where c.org_id = p_org_id and (p_store_id is null or c.store_id = p_store_id)
  order by c.id for no key update;
$$;
comment on function private.lock_campaigns(uuid, uuid) is
  'Locks all campaigns of an organisation, or of one of its stores, in one order: several of them are about to change.';

create function private.check_campaign_may_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_store_archived_at timestamptz;
begin
  if new.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  -- The lock makes this and the archiving of the store see each other. That of its row would meet whoever edits the store.
  perform pg_advisory_xact_lock_shared(hashtextextended('campaigns of store ' || new.store_id, 0));
  select s.archived_at into v_store_archived_at
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  if v_store_archived_at is not null then
    raise exception 'store_archived' using errcode = 'TV060';
  end if;
  return new;
end;
$$;
comment on function private.check_campaign_may_run() is
  'Refuses an active campaign that is archived (error TV061) or whose store is (error TV060).';
create trigger check_campaign_may_run_on_insert before insert on public.campaigns
  for each row when (new.active) execute function private.check_campaign_may_run();
create trigger check_campaign_may_run_on_update before update of active, store_id, archived_at on public.campaigns
  for each row
  when (new.active and (not old.active or new.store_id <> old.store_id or new.archived_at is not null))
  execute function private.check_campaign_may_run();

create function private.same_clock_time(p_at timestamptz, p_from text, p_to text) returns timestamptz
language sql stable set search_path = ''
return p_at at time zone p_from at time zone p_to;
comment on function private.same_clock_time(timestamptz, text, text) is
  'The instant at which clocks of zone p_to show what those of zone p_from show at p_at.';

create function private.move_campaign_dates() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_campaigns(new.org_id, new.id);
  update public.campaigns c
  set starts_at = private.same_clock_time(c.starts_at, old.timezone, new.timezone),
    ends_at = private.same_clock_time(c.ends_at, old.timezone, new.timezone)
  where c.org_id = new.org_id and c.store_id = new.id and coalesce(c.starts_at, c.ends_at) is not null;
  return null;
end;
$$;
comment on function private.move_campaign_dates() is
  'Keeps the dates of a store''s campaigns as they were typed, by the store''s clock, when that gets another time zone.';
create trigger move_campaign_dates after update of timezone on public.stores
  for each row when (old.timezone <> new.timezone) execute function private.move_campaign_dates();

create function public.timezone_change(p_store_id uuid, p_timezone text) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.read'));
  v_store public.stores;
  v_may_read boolean;
begin
  select * into v_store from public.stores s where s.id = p_store_id and s.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  if p_timezone is null or not private.is_timezone(p_timezone) then
    raise exception 'unknown_timezone' using errcode = '23514', constraint = 'stores_timezone_check';
  end if;
  v_may_read := v_store.org_id = any (array(select private.my_org_ids('campaigns.read')));
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', case when v_may_read then effects.name end, 'effect', effects.effect) order by effects.name, effects.id), '[]')
    from (
      select c.id, c.name, case
        when private.is_in_time(c) and not private.is_in_time(moved) then 'stops'
        when not private.is_in_time(c) and private.is_in_time(moved) then 'starts'
        else 'moves' end as effect
      from public.campaigns c
      cross join lateral jsonb_populate_record(c, jsonb_build_object(
        'starts_at', private.same_clock_time(c.starts_at, v_store.timezone, p_timezone),
        'ends_at', private.same_clock_time(c.ends_at, v_store.timezone, p_timezone))) moved
      where c.org_id = v_store.org_id and c.store_id = p_store_id and c.active
        and coalesce(c.starts_at, c.ends_at) is not null
        and (c.starts_at is distinct from moved.starts_at or c.ends_at is distinct from moved.ends_at)
        -- One that is over, and stays so, is of no interest.
        and (c.ends_at is null or greatest(c.ends_at, moved.ends_at) > now())
        and (c.ends_at is not null or greatest(c.starts_at, moved.starts_at) > now())
    ) effects);
end;
$$;
comment on function public.timezone_change(uuid, text) is
  'Effects of another time zone on the active campaigns of a store, whose dates keep their clock time: a list of {name, effect}, '
  'where effect is stops or starts (at once) or moves. The name is null without campaigns.read. Null without such a store or '
  'without stores.read. Error 23514 (stores_timezone_check): no time zone.';
grant execute on function public.timezone_change(uuid, text) to authenticated;

create function public.campaign_editor(p_id uuid) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  -- First, so that a plan that is over is refused the same way whether the campaign exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
  v_library uuid[];
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    and exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = c.org_id
        and private.role_may(m.role, 'campaigns.write'));
  if not found then
    return null;
  end if;
  v_wheel := private.wheel(v_campaign.org_id, p_id, null);
  v_is_drawn := exists (select 1 from public.wheel_segments s where s.campaign_id = p_id);
  if v_campaign.org_id = any (array(select private.my_org_ids('rewards.read'))) then
    v_library := array(
      select r.id from public.rewards r
      where r.org_id = v_campaign.org_id and r.campaign_id <> p_id and r.active and r.archived_at is null
      order by r.created_at desc, r.id limit 200);
  end if;
  return json_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at,
      'translations', v_campaign.translations),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight,
        'translations', coalesce(s.translations, d.translations, '{}')) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
      left join public.wheel_segments s on s.campaign_id = p_id and s.id = w.id
      -- The losing segment of a wheel that is only suggested.
      left join private.default_segments d
        on d.purpose = 'losing' and not v_is_drawn and w.reward_id is null and d.label = w.label
    ),
    'rewards', coalesce((
      select json_agg(l order by r.home nulls first, r.created_at, r.id)
      from (
        select w.*, case when w.campaign_id <> p_id then c.name end as home
        from (
          select o.id from public.rewards o
          where o.org_id = v_campaign.org_id and o.campaign_id = p_id and o.archived_at is null
          union
          select s.reward_id from public.wheel_segments s where s.campaign_id = p_id
          union
          select l from unnest(v_library) l
        ) i
        -- One by one: a condition that has all three would compare each reward with the whole library.
        cross join lateral (
          select * from public.rewards r where r.org_id = v_campaign.org_id and r.id = i.id offset 0
        ) w
        join public.campaigns c on c.org_id = v_campaign.org_id and c.id = w.campaign_id
      ) r
      -- A row as it is, in text: 200 objects that jsonb takes apart and puts in order cost half of the call.
      cross join lateral (
        select r.id, r.name, r.active, r.stock, r.archived_at is not null as is_archived, r.value, r.picture, r.home
      ) l
    ), '[]'::json),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$$;
comment on function public.campaign_editor(uuid) is
  'All that the editing of a campaign needs, in one request: the campaign with its version, its wheel (drawn, else '
  'suggested from its rewards, else the example, private.wheel), rewards (home: the name of another campaign that they can be '
  'shared with, of the 200 newest in use, for whoever reads rewards) and stores to choose from; the shape is '
  'campaignEditor of _shared/domain. Null when there is no such campaign that the signed-in user may change.';
grant execute on function public.campaign_editor(uuid) to authenticated;

create function public.save_campaign(
  p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean,
  p_play_interval_days integer, p_description text default null, p_starts_at timestamptz default null,
  p_ends_at timestamptz default null, p_segments jsonb default null, p_translations jsonb default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_translations constant jsonb :=
    case jsonb_typeof(p_translations) when 'string' then (p_translations #>> '{}')::jsonb else p_translations end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- A save at the same instant waits here, and then finds another version.
  perform private.lock_sharing_campaigns(c.org_id, p_id, array(
    select s.reward_id from private.read_segments(case when jsonb_typeof(v_segments) = 'array' then v_segments end) s
    where s.reward_id is not null))
  from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids);
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_campaign.version is distinct from p_version then
    raise exception 'campaign_conflict' using errcode = 'TV062', detail = v_campaign.version::text;
  end if;
  if v_campaign.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  update public.campaigns c
  set name = p_name, slug = p_slug, store_id = p_store_id, description = nullif(private.clean_text(p_description), ''),
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days,
    translations = coalesce(nullif(v_translations, 'null'), c.translations)
  where c.id = p_id;
  if v_segments is not null and jsonb_typeof(v_segments) <> 'null' then
    perform private.redraw_wheel(v_campaign.org_id, p_id, v_segments);
  end if;
  return (
    select jsonb_build_object('version', c.version, 'slug', c.slug) from public.campaigns c where c.id = p_id
  );
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_slug_key' then
      raise exception 'campaign_slug_taken' using errcode = 'TV066';
    end if;
    raise;
end;
$$;
comment on function public.save_campaign(
  uuid, integer, text, text, uuid, boolean, integer, text, timestamptz, timestamptz, jsonb, jsonb
) is
  'Saves a version of a campaign and, unless p_segments is null, its wheel (private.redraw_wheel): all of it or nothing. '
  'Null leaves the name''s translations as they are. '
  'Answers the new version, and the slug, which got a suffix where another merchant has it. Errors: 42501 not a campaign '
  'that one may change; TV062 somebody saved a newer version (detail); TV061 it is archived; TV060 active in an archived '
  'store; TV001 beyond the plan''s active campaigns; 23505 the organisation has a campaign of that name; TV066 one with '
  'that slug; TV063 to TV065 of the wheel; 23503 not a store of the organisation; 23514 or 23502 not well formed.';
grant execute on function public.save_campaign(uuid, integer, text, text, uuid, boolean, integer, text, timestamptz, timestamptz, jsonb, jsonb)
  to authenticated;

create function private.copy_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid, p_stock integer) returns void
language sql volatile set search_path = ''
as $$
  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.org_id = p_org_id and ((r.campaign_id = p_source_id and r.archived_at is null) or r.id in (
      select s.reward_id from public.wheel_segments s where s.org_id = p_org_id and s.campaign_id = p_source_id))
  ), copied as (
    insert into public.rewards (id, org_id, campaign_id, name, description, type, reward_type, value, code_template,
      stock, max_per_user, metadata, active, archived_at, created_at, picture, translations,
      item_translations)
    select w.copy_id, w.org_id, p_campaign_id, w.name, w.description, w.type, w.reward_type, w.value, w.code_template,
      -- They keep their order, which is that of a wheel nobody has drawn.
      coalesce(p_stock, w.stock), w.max_per_user, w.metadata, w.active, w.archived_at, now() + w.n * interval '1 microsecond',
      w.picture, w.translations, w.item_translations
    from wanted w
  )
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  select s.org_id, p_campaign_id, w.copy_id, s.label, s.color, s.weight, s.position, s.translations
  from public.wheel_segments s left join wanted w on w.id = s.reward_id
  where s.org_id = p_org_id and s.campaign_id = p_source_id;
$$;
comment on function private.copy_prizes(uuid, uuid, uuid, integer) is
  'Gives a new campaign the rewards and the wheel of another one of its organisation, those that it shares as well. Each gets this stock (-1: unlimited), '
  'or what is left of the one that is copied (null).';

create function private.share_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid) returns void
language sql volatile set search_path = ''
as $$
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  select p_org_id, p_campaign_id, t.reward_id, btrim(left(t.label, 60)), t.color, t.weight, t.n - 1,
    coalesce(s.translations, '{}')
  from private.wheel(p_org_id, p_source_id, null) w
  cross join lateral unnest(w.segment_ids, w.reward_ids, w.labels, w.colors, w.weights)
    with ordinality as t (id, reward_id, label, color, weight, n)
  left join public.wheel_segments s on s.org_id = p_org_id and s.id = t.id
  where not w.is_example;
$$;
comment on function private.share_prizes(uuid, uuid, uuid) is
  'Gives a new campaign the wheel of another one of its organisation, drawn or suggested, on which stand the very rewards of that one: they have one stock.';

create function public.start_campaign(
  p_id uuid, p_store_id uuid, p_name text, p_slug text, p_active boolean, p_segments jsonb,
  p_source_id uuid default null, p_stock integer default null, p_description text default null,
  p_starts_at timestamptz default null, p_ends_at timestamptz default null, p_is_shared boolean default false
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(
    select private.my_org_ids('campaigns.write') intersect select private.my_org_ids('rewards.write'));
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_sent constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_interval smallint := 1;
  v_org_id uuid;
  v_segments jsonb;
  v_constraint text;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- A second try of the same start waits here for the first, and finds what it made.
  perform pg_advisory_xact_lock(hashtextextended('start campaign ' || v_org_id, 0));
  if exists (select 1 from public.campaigns c where c.id = p_id and c.org_id = v_org_id) then
    return jsonb_build_object('id', p_id);
  end if;

  if p_source_id is not null then
    select c.play_interval_days into v_interval from public.campaigns c
    where c.id = p_source_id and c.org_id = v_org_id;
    if not found then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    if p_is_shared then
      -- Before the plan is locked: whoever saves a campaign locks it first, then the plan.
      perform private.lock_sharing_campaigns(v_org_id, p_source_id, array(
        select r.id from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_source_id));
    end if;
  elsif jsonb_typeof(v_sent) is distinct from 'array' then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select jsonb_agg(s.one || jsonb_build_object('id', null,
    'reward_id', case when jsonb_typeof(s.one -> 'prize') = 'object' then gen_random_uuid() end) order by s.n)
  into v_segments
  from jsonb_array_elements(case when p_source_id is null then v_sent end) with ordinality as s (one, n);
  if p_source_id is null and not exists (
    select 1 from private.read_segments(v_segments) s where s.reward_id is not null and s.weight > 0
  ) then
    raise exception 'wheel_without_prize' using errcode = 'TV068';
  end if;

  insert into public.campaigns
    (id, org_id, store_id, name, slug, active, description, starts_at, ends_at, play_interval_days)
  values (p_id, v_org_id, p_store_id, p_name,
    private.free_campaign_slug(private.campaign_slug_of(private.clean_line(coalesce(p_slug, p_name))), p_id), p_active, nullif(private.clean_text(p_description), ''), p_starts_at,
    p_ends_at, v_interval);
  if p_source_id is not null then
    perform private.copy_checks(v_org_id, p_source_id, p_id);
    if p_is_shared then
      perform private.share_prizes(v_org_id, p_source_id, p_id);
    else
      perform private.copy_prizes(v_org_id, p_source_id, p_id, p_stock);
    end if;
    return jsonb_build_object('id', p_id);
  end if;
  insert into public.rewards (id, org_id, campaign_id, name, type, value, created_at, picture, translations)
  select (s.one ->> 'reward_id')::uuid, v_org_id, p_id, btrim(s.one ->> 'label'), s.one #>> '{prize,type}',
    (s.one #>> '{prize,cost_cents}')::integer / 100::numeric,
    -- They keep the order that they have on the wheel.
    now() + s.n * interval '1 microsecond', s.one #>> '{prize,picture}', coalesce(s.one #> '{prize,translations}', '{}')
  from jsonb_array_elements(v_segments) with ordinality as s (one, n)
  where s.one ->> 'reward_id' is not null;
  perform private.redraw_wheel(v_org_id, p_id, v_segments);
  return jsonb_build_object('id', p_id);
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_pkey' then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    raise;
end;
$$;
comment on function public.start_campaign(
  uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamptz, timestamptz, boolean
) is
  'Makes a campaign with its prizes and its wheel: all of it or nothing. p_segments is a list of {label, color, weight, '
  'translations (may be missing), prize}, where prize is null for a segment that loses, else {type, cost_cents (null: not '
  'entered), picture and translations (may be missing)}; each prize becomes a reward named like its segment. With '
  'p_source_id the wheel and the interval are those of that campaign instead. Its rewards are copied with the stock '
  'p_stock (-1: unlimited, null: what is left), or, with p_is_shared, shared with one stock for both. p_id is chosen by '
  'the caller: a second call with it changes nothing. The slug is made from p_slug, else from the name, with a number '
  'where it is taken. Answers id. Errors: 42501 not a store where one may do that; TV068 nothing can be won; TV063 and '
  'TV064 of the wheel; TV060 active in an archived store; TV001 beyond the plan''s active campaigns; 23505 the '
  'organisation has a campaign of that name; 23514 or 23502 something is not well formed.';
grant execute on function
  public.start_campaign(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamptz, timestamptz, boolean)
  to authenticated;

create function public.duplicate_campaign(p_id uuid, p_name text, p_copy_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(
    select private.my_org_ids('campaigns.write') intersect select private.my_org_ids('rewards.write'));
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_asked constant text := private.clean_line(p_name);
  v_name text := btrim(left(v_asked, 120));
  v_slug text;
begin
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if coalesce(v_name, '') = '' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  -- A second try waited for the first at the row above.
  select * into v_copy from public.campaigns c where c.id = p_copy_id and c.org_id = v_source.org_id;
  if found then
    return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
  end if;
  -- Two copies of one name made at once take turns here, so that each finds a name of its own.
  v_slug := private.free_campaign_slug(private.campaign_slug_of(v_asked), null);
  if exists (
    select 1 from public.campaigns c where c.org_id = v_source.org_id and lower(btrim(c.name)) = lower(v_name)
  ) then
    v_name := private.numbered_name(v_asked,
      private.free_number('campaign name', v_asked, 1, null, v_source.org_id));
  end if;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (id, org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (coalesce(p_copy_id, gen_random_uuid()), v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  perform private.copy_prizes(v_source.org_id, p_id, v_copy.id, null);
  perform private.copy_checks(v_source.org_id, p_id, v_copy.id);
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
end;
$$;
comment on function public.duplicate_campaign(uuid, text, uuid) is
  'Copies a campaign with its wheel, its rewards (with the stock that is left) and its checks. The name gets a number where it is '
  'taken, the slug is its own: inactive, without history, without dates that are over. p_copy_id may be chosen by the caller: a second call with it answers the '
  'copy that the first one made. Answers id and name. Errors: 42501 '
  'when it is not a campaign that one may copy, 22023 when the name has nothing that can be seen.';
grant execute on function public.duplicate_campaign(uuid, text, uuid) to authenticated;

-- Rewards' figures are read with what was not folded yet.
create function private.has_campaign_history(p_org_id uuid, p_campaign_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
      select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = p_campaign_id
    ) or exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.campaign_id = p_campaign_id and not private.is_shared(r)
        and (private.reward_dependencies(p_org_id, r.id)).wins
    );
$$;
comment on function private.has_campaign_history(uuid, uuid) is
  'Whether anybody ever scanned, rated or played a campaign, or won one of its rewards (in an earlier campaign): then it '
  'is archived, never deleted. Read from counters.';

create function private.lock_campaign_to_remove(p_org_id uuid, p_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_reward_id uuid;
  v_going uuid[];
begin
  loop
    begin
      v_going := '{}';
      -- Rewards before campaigns, each in one order, as whoever changes, wins or draws them: two orders would make deadlocks.
      for v_reward_id in select r.id from public.rewards r where r.org_id = p_org_id and r.campaign_id = p_id order by r.id loop
        if exists (select 1 from public.rewards r where r.id = v_reward_id and private.is_shared(r)) then
          -- It stays, and may be won on another wheel all the time: nobody waits for those customers.
          perform 1 from public.rewards r where r.id = v_reward_id for no key update;
        else
          perform 1 from public.rewards r where r.id = v_reward_id for update;
          v_going := v_going || v_reward_id;
        end if;
      end loop;
      perform private.lock_sharing_campaigns(p_org_id, p_id, array(
        select r.id from public.rewards r where r.org_id = p_org_id and r.campaign_id = p_id));
      perform 1 from public.campaigns c where c.id = p_id for update;
      if not exists (
        select 1 from public.rewards r
        where r.org_id = p_org_id and r.campaign_id = p_id and r.id <> all (v_going) and not private.is_shared(r))
      then
        return;
      end if;
      -- A reward is shared no more and goes as well. Whoever wants it on a wheel may hold it and wait for the campaigns.
      raise exception 'lock_again' using errcode = 'TV069';
    exception when sqlstate 'TV069' then
      -- All these locks are given back, to be taken anew.
    end;
  end loop;
end;
$$;
comment on function private.lock_campaign_to_remove(uuid, uuid) is
  'Locks a campaign that is about to be deleted, the rewards that go with it, and what its shared rewards concern.';

create function public.remove_campaign(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.delete'));
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun, and none begins anything afterwards.
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  -- The lock waits for all who take part right now: in a campaign that has customers it might never come.
  if not private.has_campaign_history(v_org_id, p_id) then
    perform private.lock_campaign_to_remove(v_org_id, p_id);
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  -- Shared rewards move to another campaign that uses them.
  update public.rewards r set campaign_id = (
    select min(s.campaign_id::text)::uuid from public.wheel_segments s where s.org_id = v_org_id and s.reward_id = r.id)
  where r.org_id = v_org_id and r.campaign_id = p_id and private.is_shared(r);
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$$;
comment on function public.remove_campaign(uuid, boolean) is
  'Archives a campaign, which then is inactive, or deletes it when it has no history. Its wheel, the rewards that no '
  'other shares and its former addresses go with it; no other organisation gets these. Error TV067 when it has one: then nothing is changed. Errors: 42501 '
  'without the permission campaigns.delete there, 23502 without that choice.';
grant execute on function public.remove_campaign(uuid, boolean) to authenticated;

create function public.archive_campaigns(p_org_id uuid, p_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  perform private.begin_campaigns_change(p_org_id);
  -- In one order, whoever asks; it waits for no customer who is taking part (remove_campaign).
  perform 1 from public.campaigns c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for no key update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  update public.campaigns c set active = false, archived_at = now()
  where c.org_id = p_org_id and c.id = any (p_ids) and c.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function public.archive_campaigns(uuid, uuid[]) is
  'Archives the campaigns that were ticked in the list, which then are inactive, all or none; answers how many were not '
  'archived before. Errors: 42501 when one of them is not a campaign that one may remove there, 22023 for none or more than 200.';
grant execute on function public.archive_campaigns(uuid, uuid[]) to authenticated;

create function public.restore_campaign(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
begin
  update public.campaigns c set archived_at = null
  where c.id = p_id and c.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function public.restore_campaign(uuid) is
  'Takes a campaign out of the archive; it stays inactive. Error 42501 when it is not a campaign that one may change.';
grant execute on function public.restore_campaign(uuid) to authenticated;

create function public.note_poster(p_campaign_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
begin
  perform 1 from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.campaigns c set poster_at = now() where c.id = p_campaign_id and c.poster_at is null;
end;
$$;
comment on function public.note_poster(uuid) is
  'Writes down that a poster of a campaign was taken, once: what is taken later changes nothing. Error 42501 when it is not a '
  'campaign that one may change.';
grant execute on function public.note_poster(uuid) to authenticated;

create function private.with_prize(p_org_id uuid, p_campaign_ids uuid[]) returns setof uuid
language sql stable set search_path = ''
as $$
  -- A wheel that was drawn tells by its segments, nearly always by the first: a list asks for twenty, and made twenty wheels.
  -- Not « exists »: a plan may read the segments of all campaigns for it.
  select c.id from unnest(p_campaign_ids) c (id)
  where case when (select true from public.wheel_segments s where s.campaign_id = c.id limit 1) then (
      select true from public.wheel_segments s
      join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
      where s.campaign_id = c.id and s.weight > 0 and r.active and r.archived_at is null and r.stock <> 0 limit 1)
    else (
      select not w.is_example and exists (
        select 1 from unnest(w.reward_ids, w.weights, w.is_drawable) as t (reward_id, weight, is_drawable)
        where t.reward_id is not null and t.weight > 0 and t.is_drawable)
      from private.wheel(p_org_id, c.id, null) w)
    end;
$$;
comment on function private.with_prize(uuid, uuid[]) is
  'Of some campaigns, those in which something can be won now, by somebody who has won nothing yet.';

create function public.campaign_list(
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
  v_key constant text := private.sort_key(p_sort, '{name,store,scans,reviews,spins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_stores uuid[];
  v_total integer;
  v_active integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_stores := array(
      select s.id from public.stores s where s.org_id = p_org_id and private.has_words(s.name, v_pattern, v_hint));
  end if;
  with listed as materialized (
    select c.id, c.created_at, c.active, c.archived_at, k.word, k.number,
      (c.archived_at is not null) = v_is_archived and (v_pattern is null
        or private.has_words(c.name, v_pattern, v_hint) or c.store_id = any (v_stores)) as is_listed
    from public.campaigns c
    left join (
      select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins,
        sum(d.redemptions) as redemptions
      from private.campaign_figures_now(p_org_id) d
      where v_key in ('scans', 'reviews', 'spins', 'redemptions') group by d.campaign_id
    ) t on t.campaign_id = c.id
    cross join lateral (
      -- Not a join: it would compare every campaign with every store for other orders, too.
      select case v_key when 'name' then private.words(c.name) when 'store' then private.words((
          select s.name from public.stores s where s.org_id = p_org_id and s.id = c.store_id)) end as word,
        case v_key
          when 'scans' then coalesce(t.scans, 0)::double precision
          when 'reviews' then coalesce(t.reviews, 0)::double precision
          when 'spins' then coalesce(t.spins, 0)::double precision
          when 'redemptions' then coalesce(t.redemptions, 0)::double precision
          when 'created_at' then extract(epoch from c.created_at)::double precision
        end as number
    ) k
    where c.org_id = p_org_id
  )
  select n.total, n.active, n.archived, n.matches, p.page, array(
      -- Only as many as are shown are put in order.
      select l.id from listed l where l.is_listed
      order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
        case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
      limit v_page_size offset (p.page - 1) * v_page_size)
  into v_total, v_active, v_archived, v_matches, v_page, v_ids
  from (
    select count(*) filter (where l.archived_at is null) as total, count(*) filter (where l.active) as active,
      count(*) filter (where l.archived_at is not null) as archived, count(*) filter (where l.is_listed) as matches
    from listed l
  ) n
  cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;

  -- Of the whole organisation, which stands above the list, and of each campaign, in one look.
  with sums as (
    select d.campaign_id, grouping(d.campaign_id) = 1 as is_total, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.spins) as spins, sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.campaign_id))
  ), figures as materialized (
    select * from sums f where f.is_total or f.campaign_id = any (v_ids)
  ), prizes as materialized (
    select w.id from private.with_prize(p_org_id, v_ids) w (id)
  ), counted as materialized (
    select u.campaign_id, count(*) as rewards from (
      select r.campaign_id, r.id from public.rewards r where r.campaign_id = any (v_ids)
      union
      select s.campaign_id, s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_ids) and s.reward_id is not null
    ) u group by u.campaign_id
  )
  select
    (select json_build_object(
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'rating_sum', coalesce(f.rating_sum, 0),
      'five_star_reviews', coalesce(f.five_star_reviews, 0), 'wins', coalesce(f.wins, 0),
      'redemptions', coalesce(f.redemptions, 0)) from figures f where f.is_total),
    coalesce(json_agg(json_build_object(
      'id', c.id, 'name', c.name, 'slug', c.slug, 'active', c.active,
      'starts_at', c.starts_at, 'ends_at', c.ends_at, 'created_at', c.created_at,
      'archived_at', c.archived_at, 'store_id', c.store_id, 'store_name', s.name,
      'timezone', s.timezone,
      'rewards', coalesce(n.rewards, 0),
      'has_prize', c.id in (select w.id from prizes w),
      -- A campaign with a day's figures has a history, which saves the call for nearly every row.
      'has_history', exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = c.id)
        or private.has_campaign_history(p_org_id, c.id),
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0),
      'redemptions', coalesce(f.redemptions, 0)) order by array_position(v_ids, c.id)), '[]'::json)
  into v_figures, v_items
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  left join figures f on f.campaign_id = c.id
  left join counted n on n.campaign_id = c.id
  where c.org_id = p_org_id and c.id = any (v_ids);

  return json_build_object('total', v_total, 'active', v_active, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'can_export', private.includes_export(p_org_id),
    'items', v_items);
end;
$$;
comment on function public.campaign_list(uuid, text, boolean, integer, text) is
  'A page of an organisation''s campaigns in use, or archived, whose name or store''s name contains a text. Newest first '
  'or sorted (name, store, scans, reviews, spins, redemptions, created_at; private.sort_key), with the figures above the '
  'list (specification, section 2.13); the shape is campaignList of _shared/domain. Error 42501 without the permission '
  'campaigns.read there.';
grant execute on function public.campaign_list(uuid, text, boolean, integer, text) to authenticated;

create function private.campaign_top_rewards(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'redemptions', t.redemptions)
    order by t.redemptions desc, w.name, w.id), '[]'::jsonb)
  from (
    select c.reward_id, sum(c.redemptions) as redemptions
    from public.campaign_reward_totals c where c.org_id = p_org_id and c.campaign_id = p_campaign_id
    group by c.reward_id having sum(c.redemptions) > 0
    order by 2 desc, 1 limit 5
  ) t
  join public.rewards w on w.org_id = p_org_id and w.id = t.reward_id;
$$;
comment on function private.campaign_top_rewards(uuid, uuid) is 'The 5 rewards of a campaign whose codes were used most.';

create function private.campaign_cost(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('cost', coalesce(sum(u.uses * w.value), 0),
    'unpriced', coalesce(sum(u.uses) filter (where w.value is null), 0))
  from (
    select c.reward_id, c.redemptions as uses
    from public.campaign_reward_totals c where c.org_id = p_org_id and c.campaign_id = p_campaign_id
    union all
    -- Prizes that the team gave are few.
    select d.reward_id, 1 from public.redemptions d
    where d.org_id = p_org_id and d.campaign_id = p_campaign_id and d.spin_id is null and d.status = 'used'
  ) u
  join public.rewards w on w.org_id = p_org_id and w.id = u.reward_id;
$$;
comment on function private.campaign_cost(uuid, uuid) is
  'Cost of a campaign''s used rewards, in euros, at the value that each has now, and how many uses have no value.';

create function public.campaign_stats(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  -- First, so that a plan that is over is refused the same way whether the campaign exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_campaign public.campaigns;
  v_store public.stores;
  v_totals jsonb;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  v_totals := private.campaign_totals(v_campaign.org_id, p_campaign_id);
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'name', v_campaign.name, 'active', v_campaign.active,
      'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at, 'archived_at', v_campaign.archived_at,
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at,
      'has_prize', p_campaign_id in (select private.with_prize(v_campaign.org_id, array[p_campaign_id])),
      'has_reward', exists (
        select 1 from public.rewards r
        where r.org_id = v_campaign.org_id and r.active and r.archived_at is null and (
          r.campaign_id = p_campaign_id or r.id in (
            select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))),
      'store_id', v_store.id, 'has_review_link', v_store.google_review_url is not null,
      'has_poster', v_campaign.poster_at is not null or (v_totals ->> 'scans')::bigint > 0),
    'totals', v_totals - '{free_spins,free_wins,free_redemptions}'::text[],
    'reviews', private.campaign_reviews(
      v_campaign.org_id, p_campaign_id, private.may_name_customers(v_campaign.org_id)),
    'top_rewards', private.campaign_top_rewards(v_campaign.org_id, p_campaign_id),
    'advanced', case when private.has_feature(v_campaign.org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.campaign_days(v_campaign.org_id, p_campaign_id, private.now_in(v_store.timezone)::date),
      'funnel', private.funnel(v_totals),
      'return', private.campaign_cost(v_campaign.org_id, p_campaign_id) || jsonb_build_object(
        'store_id', v_store.id, 'average_basket', v_store.average_basket,
        'return_share', (select o.return_share from public.organizations o where o.id = v_campaign.org_id),
        'visits', v_totals -> 'redemptions')) end);
end;
$$;
comment on function public.campaign_stats(uuid) is
  'Everything that the page of a campaign shows (specification, section 2.16), in one request; the shape is campaignStats of '
  '_shared/domain. The days are those of its store''s time zone. advanced is null where the plan does not include it, and who '
  'wrote a review without the permission customers.read. Null when there is no such campaign for the signed-in user.';
grant execute on function public.campaign_stats(uuid) to authenticated;

create function public.campaign_poster(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- First, so that a plan that is over is refused the same way whether the campaign exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
begin
  return (select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'segments', (
      select jsonb_agg(jsonb_build_object('color', t.color,
        'prize', case when t.reward_id is not null and not w.is_example then t.label end,
        'picture', r.picture) order by t.n)
      from unnest(w.colors, w.labels, w.reward_ids, w.is_shown) with ordinality as t (color, label, reward_id, is_shown, n)
      left join public.rewards r on r.org_id = c.org_id and r.id = t.reward_id
      where t.is_shown
    ),
    'best', coalesce((
      select jsonb_agg(p.label order by p.value desc nulls last, p.weight, p.label)
      from (
        select t.label, max(r.value) as value, sum(t.weight) as weight
        from unnest(w.labels, w.reward_ids, w.weights, w.is_shown) as t (label, reward_id, weight, is_shown)
        join public.rewards r on r.org_id = c.org_id and r.id = t.reward_id
        where t.is_shown and not w.is_example
        group by t.label
        order by value desc nulls last, weight, t.label limit 3
      ) p
    ), '[]'::jsonb),
    'words', private.campaign_words(c.org_id, c.id),
    'white_label', private.has_feature(c.org_id, 'white_label'),
    'brand', private.brand(c.org_id))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (v_org_ids));
end;
$$;
comment on function public.campaign_poster(uuid) is
  'Content of a campaign''s posters: address, names, and the segments of its wheel that customers see, in order, with their '
  'prizes. The three best prizes (by what they cost, then by how rare they are), and what is translated '
  '(private.campaign_words). Whether the product''s name stays away (white_label), and the merchant''s brand. The shape is '
  'campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was archived, and when its store is '
  'gone.';
grant execute on function public.campaign_poster(uuid) to authenticated;

-- Permissions -------------------------------------------------------------------------------------

alter table public.campaigns enable row level security;
grant select, delete,
  insert (id, org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days),
  update (store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  on public.campaigns to authenticated;
grant select, insert, update, delete on public.campaigns to service_role;
create policy "Members read the campaigns" on public.campaigns
  for select to authenticated using (org_id = (select private.my_org_ids('campaigns.read')));
create policy "Members add campaigns" on public.campaigns
  for insert to authenticated with check (org_id = (select private.my_org_ids('campaigns.write')));
create policy "Members change campaigns" on public.campaigns
  for update to authenticated
  using (org_id = (select private.my_org_ids('campaigns.write')))
  with check (org_id = (select private.my_org_ids('campaigns.write')));
create policy "Owners and admins delete campaigns" on public.campaigns
  for delete to authenticated using (org_id = (select private.my_org_ids('campaigns.delete')));

alter table public.campaign_slug_redirects enable row level security;
grant select on public.campaign_slug_redirects to authenticated;
grant select, insert, update, delete on public.campaign_slug_redirects to service_role;
create policy "Members read the former slugs" on public.campaign_slug_redirects
  for select to authenticated using (org_id = (select private.my_org_ids('campaigns.read')));
