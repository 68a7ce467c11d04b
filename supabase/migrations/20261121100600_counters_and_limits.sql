-- Why: dashboards must not count events, and counting must not make customers queue on one row.
-- Each counter is spread over 16 rows ("shards"); a database connection always adds to its own, so that
-- two customers served at once hardly ever meet. Readers add the shards up.

create function private.shard() returns smallint
language sql stable parallel safe
return (pg_backend_pid() % 16)::smallint;
comment on function private.shard() is
  'Shard of the counters that this connection adds to, 0 to 15.';

create table public.campaign_daily_stats (
  org_id uuid not null,
  campaign_id uuid not null,
  day date not null,
  shard smallint not null check (shard between 0 and 15),
  store_id uuid not null,
  scans integer not null default 0,
  reviews integer not null default 0,
  rating_sum integer not null default 0,
  five_star_reviews integer not null default 0,
  public_clicks integer not null default 0,
  spins integer not null default 0,
  wins integer not null default 0,
  redemptions integer not null default 0,
  primary key (org_id, campaign_id, day, shard, store_id),
  -- The store has no foreign key here: with both in the primary key, the data API would take this table for
  -- a many-to-many relation of campaigns and stores, and « the store of a campaign » would be ambiguous.
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict
) with (fillfactor = 60);
create index campaign_daily_stats_org_day_idx on public.campaign_daily_stats (org_id, day);
create index campaign_daily_stats_org_store_idx on public.campaign_daily_stats (org_id, store_id, day);
comment on table public.campaign_daily_stats is
  'Figures of a campaign a day, kept by the transactions that write the events. Sum over the shards.';
comment on column public.campaign_daily_stats.org_id is 'Organisation.';
comment on column public.campaign_daily_stats.campaign_id is 'Campaign.';
comment on column public.campaign_daily_stats.day is 'Day in the store''s time zone.';
comment on column public.campaign_daily_stats.shard is 'Which of the 16 parts of the day''s figures, 0 to 15.';
comment on column public.campaign_daily_stats.store_id is 'Store of the campaign at the time.';
comment on column public.campaign_daily_stats.scans is 'Scans.';
comment on column public.campaign_daily_stats.reviews is 'Reviews.';
comment on column public.campaign_daily_stats.rating_sum is 'Sum of their stars.';
comment on column public.campaign_daily_stats.five_star_reviews is 'Reviews of 5 stars.';
comment on column public.campaign_daily_stats.public_clicks is 'Visits that opened the public reviews page, counted on the day when they did.';
comment on column public.campaign_daily_stats.spins is 'Turns of the wheel.';
comment on column public.campaign_daily_stats.wins is 'Turns that won.';
comment on column public.campaign_daily_stats.redemptions is 'Codes used, counted on the day of their use, minus those given back.';

create table public.usage_alerts (
  org_id uuid not null references public.organizations (id) on delete cascade,
  month date not null,
  threshold smallint not null check (threshold in (80, 100)),
  created_at timestamptz not null default now(),
  primary key (org_id, month, threshold)
);
comment on table public.usage_alerts is
  'What a merchant has to be told: the month''s spins reached 80% or 100% of the plan.';
comment on column public.usage_alerts.org_id is 'Organisation.';
comment on column public.usage_alerts.month is 'First day of the month.';
comment on column public.usage_alerts.threshold is 'Percent of the plan''s spins: 80 or 100.';
comment on column public.usage_alerts.created_at is 'When it was reached.';

-- Attempts are counted in an unlogged table: a crash forgets them, which costs nothing but their memory.
create unlogged table private.rate_limits (
  key text not null,
  window_start timestamptz not null,
  shard smallint not null,
  hits integer not null,
  expires_at timestamptz not null,
  primary key (key, window_start, shard)
) with (fillfactor = 60);
create index rate_limits_expires_at_idx on private.rate_limits (expires_at);
comment on table private.rate_limits is
  'Attempts of a device, a person or an address in a window of time. Keys are keyed hashes: no address and no device stands here.';
comment on column private.rate_limits.key is 'What is counted: action, kind and keyed hash.';
comment on column private.rate_limits.window_start is 'Start of the window.';
comment on column private.rate_limits.shard is 'Part of the count, 0 to 15.';
comment on column private.rate_limits.hits is 'Attempts.';
comment on column private.rate_limits.expires_at is 'When the row may go.';

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

alter table public.campaign_daily_stats enable row level security;
alter table public.usage_alerts enable row level security;
alter table private.rate_limits enable row level security;
alter table private.recent_scans enable row level security;

grant select on public.campaign_daily_stats, public.usage_alerts to authenticated;
grant select, insert, update, delete on public.campaign_daily_stats, public.usage_alerts to service_role;
grant select on private.rate_limits, private.recent_scans to service_role;

create policy "Members read the figures" on public.campaign_daily_stats
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
create policy "Members read the usage alerts" on public.usage_alerts
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));

create function private.take(p_keys text[], p_limits integer[], p_window interval) returns integer
language plpgsql volatile
as $$
declare
  v_seconds double precision := extract(epoch from p_window);
  v_start timestamptz := to_timestamp(floor(extract(epoch from now()) / v_seconds) * v_seconds);
  v_shard smallint := private.shard();
  v_hits integer[];
  v_total bigint;
begin
  with counted as (
    insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
    select k, v_start, v_shard, 1, v_start + p_window from unnest(p_keys) k
    on conflict (key, window_start, shard) do update set hits = r.hits + 1
    returning r.hits
  )
  -- INSERT returns its rows in the order of the keys.
  select array_agg(c.hits) into v_hits from counted c;

  -- Now and then, whoever opens a window sweeps what is over. Rows that others hold are left to the next.
  if v_hits[1] = 1 and random() < 0.01 then
    delete from private.rate_limits r
    where r.ctid = any (array(
      select o.ctid from private.rate_limits o where o.expires_at < now()
      limit 500 for update skip locked
    ));
  end if;

  for i in 1..array_length(p_keys, 1) loop
    -- Connections share the load evenly: while this shard is below its part, the whole is near enough below
    -- the limit, and reading the other shards can wait.
    continue when v_hits[i] * 16 <= p_limits[i];
    select sum(r.hits) into v_total
    from private.rate_limits r where r.key = p_keys[i] and r.window_start = v_start;
    if v_total > p_limits[i] then
      return greatest(1, ceil(extract(epoch from v_start + p_window - now())))::integer;
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.take(text[], integer[], interval) is
  'Counts an attempt of each key in the present window of time and answers null while each has its limit or fewer, '
  'else the seconds until the next window. Soft: other connections may let a few more through.';

create function private.count_event(
  p_org_id uuid, p_campaign_id uuid, p_store_id uuid, p_day date,
  p_scans integer default 0, p_reviews integer default 0, p_rating_sum integer default 0,
  p_five_star_reviews integer default 0, p_public_clicks integer default 0, p_spins integer default 0,
  p_wins integer default 0, p_redemptions integer default 0
) returns void
language plpgsql volatile
as $$
begin
  insert into public.campaign_daily_stats as d
    (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, five_star_reviews,
      public_clicks, spins, wins, redemptions)
  values (p_org_id, p_campaign_id, p_day, private.shard(), p_store_id, p_scans, p_reviews, p_rating_sum,
    p_five_star_reviews, p_public_clicks, p_spins, p_wins, p_redemptions)
  on conflict (org_id, campaign_id, day, shard, store_id) do update set
    scans = d.scans + excluded.scans,
    reviews = d.reviews + excluded.reviews,
    rating_sum = d.rating_sum + excluded.rating_sum,
    five_star_reviews = d.five_star_reviews + excluded.five_star_reviews,
    public_clicks = d.public_clicks + excluded.public_clicks,
    spins = d.spins + excluded.spins,
    wins = d.wins + excluded.wins,
    redemptions = d.redemptions + excluded.redemptions;
end;
$$;
comment on function private.count_event(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer) is
  'Adds to the figures of a campaign''s day, in the same transaction as the event.';

create function private.monthly_spins_used(p_org_id uuid, p_day date) returns integer
language plpgsql stable
as $$
begin
  return coalesce((
    select sum(d.spins) from public.campaign_daily_stats d
    where d.org_id = p_org_id
      and d.day >= date_trunc('month', p_day)::date
      and d.day < (date_trunc('month', p_day) + interval '1 month')::date
  ), 0);
end;
$$;
comment on function private.monthly_spins_used(uuid, date) is
  'Spins of an organisation in the calendar month of a day: what the plan limits.';
