-- Public pages: what visitors without a session are shown, and the scans that are counted.
--
-- The anonymous key reads no table. A public page gets what it needs by slug, from the functions below, which only the
-- server's own role may call: no list of merchants, no internal description. A visitor is an address with a browser's
-- name, which a program can make up. Each address therefore has a limit of scans in a campaign, high enough for a
-- shop's Wi-Fi and a mobile network.

create table public.scan_events (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  source text not null default 'qr' check (source ~ '^[a-z0-9_-]{1,32}$'),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict
);
create index scan_events_org_campaign_idx on public.scan_events (org_id, campaign_id, created_at desc);
create index scan_events_org_store_idx on public.scan_events (org_id, store_id);
comment on table public.scan_events is 'A visit through a printed QR code or a link (specification, section 3).';
comment on column public.scan_events.id is 'Identifier.';
comment on column public.scan_events.org_id is 'Organisation.';
comment on column public.scan_events.campaign_id is 'Campaign.';
comment on column public.scan_events.store_id is 'Store of the campaign at the time.';
comment on column public.scan_events.source is 'qr, or the word of the link.';
comment on column public.scan_events.created_at is 'When.';

-- Scans are counted once in 30 minutes for one visitor of one campaign.
create unlogged table private.recent_scans (
  campaign_id uuid not null,
  visitor_hash text not null,
  scanned_at timestamptz not null,
  primary key (campaign_id, visitor_hash)
);
create index recent_scans_scanned_at_idx on private.recent_scans (scanned_at);
comment on table private.recent_scans is 'Visitors of the last half hour, so that a reload is not a second scan.';
comment on column private.recent_scans.campaign_id is 'Campaign.';
comment on column private.recent_scans.visitor_hash is 'Keyed hash of address and user agent.';
comment on column private.recent_scans.scanned_at is 'When the scan was counted.';

create function private.is_same_visit(p_scanned_at timestamptz) returns boolean
language sql stable
return p_scanned_at > now() - interval '30 minutes';
comment on function private.is_same_visit(timestamptz) is
  'Whether a scan now belongs to the visit of the visitor''s last counted scan, and is not counted again: for 30 minutes.';

create function private.running_campaign(p_slug text) returns setof public.campaigns
language plpgsql stable set search_path = ''
as $$
begin
  return query
    with named as (
      select c.* from public.campaigns c where c.slug = p_slug
      union all
      select c.* from public.campaign_slug_redirects r
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
      where r.slug = p_slug
    )
    select c.* from public.campaigns c
    join public.subscriptions s on s.org_id = c.org_id
    where c.id = (select n.id from named n limit 1) and private.is_running(c, s);
end;
$$;
comment on function private.running_campaign(text) is
  'The running campaign behind a present or former slug; no row when there is none.';

create function public.campaign_page(p_slug text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_open boolean;
  v_result jsonb;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return null;
  end if;
  select * into v_wheel from private.wheel(v_campaign.org_id, v_campaign.id, null);
  v_is_open := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable) is not null
    and not v_wheel.is_example;

  select jsonb_build_object(
    'id', v_campaign.id,
    'slug', v_campaign.slug,
    'name', v_campaign.name,
    'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
    'store', jsonb_build_object('id', s.id, 'name', s.name, 'timezone', s.timezone),
    'google_review_url', s.google_review_url,
    'review_mode', s.review_mode,
    'starts_at', v_campaign.starts_at,
    'ends_at', v_campaign.ends_at,
    'play_interval_days', v_campaign.play_interval_days,
    -- Segments of the wheel: those on which no spin can end, and prizes that nobody offers any more, are not shown.
    'segments', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color,
        'position', w.n - 1, 'picture', w.picture)) order by w.n)
      from (
        select s.id, s.label, s.color, r.picture, row_number() over (order by s.n) as n
        from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors, v_wheel.reward_ids, v_wheel.is_shown)
          with ordinality as s (id, label, color, reward_id, is_shown, n)
        left join public.rewards r on r.org_id = v_campaign.org_id and r.id = s.reward_id
        where s.is_shown
      ) w
    ),
    'wheel_open', v_is_open and (
      l.monthly_spins < 0
      or private.monthly_spins_used(o.id, private.now_in(s.timezone)::date) < l.monthly_spins
    ),
    'rules_version', v_campaign.rules_version,
    'words', private.campaign_words(o.id, v_campaign.id),
    'white_label', l.white_label,
    'brand', private.brand(o.id)
  ) || coalesce((
    -- Until when points can be spent is said before anybody plays for them.
    select jsonb_build_object('points_days', jsonb_agg(distinct r.metadata -> 'validityDays'))
    from unnest(v_wheel.reward_ids, v_wheel.is_shown) as w (reward_id, is_shown)
    join public.rewards r on r.org_id = v_campaign.org_id and r.id = w.reward_id and r.type = 'points'
    where w.is_shown
    having count(*) > 0
  ), '{}'::jsonb) || coalesce((
    -- Proof of presence that the phone asks for before the spin.
    select jsonb_build_object('presence', k.presence) from private.check_settings k
    where k.org_id = v_campaign.org_id and k.campaign_id = v_campaign.id and k.presence is not null
  ), '{}'::jsonb) into v_result
  from public.organizations o
  join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
  join public.subscriptions u on u.org_id = o.id
  join public.plan_limits l on l.plan = u.plan
  where o.id = v_campaign.org_id;
  return v_result;
end;
$$;
comment on function public.campaign_page(text) is
  'All that the public may know of a running campaign, by present or former slug (design, section 4); null '
  'when there is none. words is what is translated of its texts (private.campaign_words). The shape is campaignPage of _shared/domain.';
grant execute on function public.campaign_page(text) to service_role;

create function private.open_wheels(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', c.slug, 'name', c.name, 'store_name', s.name, 'timezone', s.timezone, 'ends_at', c.ends_at,
    'translations', c.translations
  ) order by c.created_at desc, c.id), '[]'::jsonb)
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  where c.org_id = p_org_id and c.active and private.is_running(c, u);
$$;
comment on function private.open_wheels(uuid) is
  'The running campaigns of an organisation, newest first, as the public sees them. The shape is openWheel of _shared/domain.';

create function public.closed_campaign_page(p_slug text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_is_open boolean;
  v_is_running boolean;
  v_was_played boolean;
begin
  select c.* into v_campaign from public.campaigns c
  where c.id = coalesce(
    (select n.id from public.campaigns n where n.slug = p_slug),
    (select r.campaign_id from public.campaign_slug_redirects r where r.slug = p_slug));
  if not found then
    return null;
  end if;
  select private.is_open(u), private.is_running(v_campaign, u) into v_is_open, v_is_running
  from public.subscriptions u where u.org_id = v_campaign.org_id;
  if v_is_running then
    return null;
  end if;
  v_was_played := exists (
    select 1 from public.spins s where s.org_id = v_campaign.org_id and s.campaign_id = v_campaign.id
  );
  -- A draft is not answered: only campaigns that customers have met, or that begin on a known day.
  if not v_was_played
    and not (v_is_open and v_campaign.active and coalesce(v_campaign.starts_at > now(), false))
    and not exists (
      select 1 from public.scan_events e where e.org_id = v_campaign.org_id and e.campaign_id = v_campaign.id)
    and not exists (
      select 1 from public.pre_spin_reviews r where r.org_id = v_campaign.org_id and r.campaign_id = v_campaign.id)
  then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'state', case
        when v_campaign.ends_at <= now() or v_campaign.archived_at is not null then 'ended'
        when v_is_open and v_campaign.active and v_campaign.starts_at > now() then 'upcoming'
        else 'paused'
      end,
      'slug', v_campaign.slug,
      'name', v_campaign.name,
      'store', jsonb_build_object('name', s.name, 'timezone', s.timezone),
      'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
      'starts_at', v_campaign.starts_at,
      'ends_at', v_campaign.ends_at,
      'was_played', v_was_played,
      'open_wheels', private.open_wheels(o.id),
      'white_label', private.has_feature(o.id, 'white_label'),
      'brand', private.brand(o.id))
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
    where o.id = v_campaign.org_id
  );
end;
$$;
comment on function public.closed_campaign_page(text) is
  'Public facts of a campaign that does not run, by present or former slug: whose it is, why nobody can play, and what is '
  'open instead. Null for a draft: a campaign that was never scanned, reviewed or played and has no day to begin on. Null as well for one that runs '
  '(campaign_page). The shape is closedCampaign of _shared/domain.';
grant execute on function public.closed_campaign_page(text) to service_role;

create function public.organization_page(p_slug text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', o.name,
    'slug', o.slug,
    'white_label', private.has_feature(o.id, 'white_label'),
    'brand', private.brand(o.id),
    'campaigns', private.open_wheels(o.id)
  )
  from public.organizations o
  join public.subscriptions u on u.org_id = o.id
  where o.id = (
      select n.id
      from (
        select g.id, 0 as rank from public.organizations g where g.slug = p_slug
        union all
        select r.org_id, 1 from public.organization_slug_redirects r where r.slug = p_slug
      ) n
      order by n.rank limit 1
    )
    and private.is_open(u);
$$;
comment on function public.organization_page(text) is
  'An organisation''s open campaigns, newest first, for /org/{slug}, by present or former slug; null when it is unknown or '
  'closed.';
grant execute on function public.organization_page(text) to service_role;

create function public.record_scan(p_slug text, p_source text, p_visitor_hash text, p_address_hash text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_timezone text;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return 'campaign_not_found';
  end if;

  -- Looked at first, so that reloading a page takes nothing from those who share an address.
  if exists (
    select 1 from private.recent_scans r
    where r.campaign_id = v_campaign.id and r.visitor_hash = p_visitor_hash
      and private.is_same_visit(r.scanned_at)
  ) then
    return 'repeated';
  end if;
  if private.count_attempt(
    array['scan address ' || p_address_hash || ' ' || v_campaign.id::text], '{600}', interval '1 hour') is not null
  then
    return 'too_many_attempts';
  end if;
  -- A campaign that nobody has seen may be deleted at this instant.
  perform 1 from public.campaigns c where c.id = v_campaign.id for key share;
  if not found then
    return 'campaign_not_found';
  end if;
  insert into private.recent_scans as r (campaign_id, visitor_hash, scanned_at)
  values (v_campaign.id, p_visitor_hash, now())
  on conflict (campaign_id, visitor_hash) do update set scanned_at = excluded.scanned_at
    where not private.is_same_visit(r.scanned_at);
  if not found then
    return 'repeated';
  end if;
  if random() < 0.01 then
    delete from private.recent_scans r
    where r.ctid = any (array(
      select o.ctid from private.recent_scans o where not private.is_same_visit(o.scanned_at)
      limit 500 for update skip locked
    ));
  end if;

  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  insert into public.scan_events (org_id, campaign_id, store_id, source)
  values (v_campaign.org_id, v_campaign.id, v_campaign.store_id, p_source);
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_timezone)::date, p_scans => 1);
  return 'counted';
end;
$$;
comment on function public.record_scan(text, text, text, text) is
  'Counts a scan of a running campaign, once in 30 minutes for a visitor, and 600 new visitors an hour of one address. '
  'Outcomes: counted, repeated, too_many_attempts, campaign_not_found.';
grant execute on function public.record_scan(text, text, text, text) to service_role;

-- Permissions -------------------------------------------------------------------------------------

alter table public.scan_events enable row level security;
grant select on public.scan_events to authenticated;
grant select, insert, update, delete on public.scan_events to service_role;
create policy "Members read the scans" on public.scan_events
  for select to authenticated using (org_id = (select private.my_org_ids('activity.read')));

alter table private.recent_scans enable row level security;
grant select on private.recent_scans to service_role;
