-- Figures: counters, and how they are folded.
--
-- Dashboards must not count events, and counting must not make customers queue on one row. Each counter is spread over
-- 16 rows ("shards"); a database connection always adds to its own, so that two customers served at once hardly ever
-- meet. A day that is over changes no more, so its shards become one row. Their sum is added to a row for the
-- campaign's whole life and to one for the organisation's day. A late event for such a day goes to a shard again, and
-- is folded like the rest (decision 001). Readers ask the functions named …_now, which add what is not folded yet.

create table public.campaign_daily_stats (
  org_id uuid not null,
  campaign_id uuid not null,
  day date not null,
  -- The last shard is that of days that are settled: no connection counts into it.
  shard smallint not null check (shard between 0 and 16),
  store_id uuid not null,
  scans integer not null default 0,
  reviews integer not null default 0,
  rating_sum integer not null default 0,
  five_star_reviews integer not null default 0,
  public_clicks integer not null default 0,
  spins integer not null default 0,
  wins integer not null default 0,
  redemptions integer not null default 0,
  one_star_reviews integer not null default 0,
  two_star_reviews integer not null default 0,
  three_star_reviews integer not null default 0,
  four_star_reviews integer not null default 0,
  free_spins integer not null default 0,
  free_wins integer not null default 0,
  free_redemptions integer not null default 0,
  points_wins integer not null default 0,
  primary key (org_id, campaign_id, day, shard, store_id),
  -- The store has no foreign key here. With both in the primary key, the data API would see a many-to-many relation of
  -- campaigns and stores. « The store of a campaign » would then be ambiguous.
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict
) with (fillfactor = 60);
-- Few rows, wherever they are in time. Days of an organisation or a store are read from folded_days and folded_store_days.
-- No counter is part of an index: one that is would make each count write every index anew.
create index campaign_daily_stats_open_idx on public.campaign_daily_stats (org_id, campaign_id, day) where shard < 16;
create index campaign_daily_stats_open_store_idx on public.campaign_daily_stats (org_id, store_id, day) where shard < 16;
comment on table public.campaign_daily_stats is
  'Figures of a campaign a day, kept by the transactions that write the events. Sum over the shards.';
comment on column public.campaign_daily_stats.org_id is 'Organisation.';
comment on column public.campaign_daily_stats.campaign_id is 'Campaign.';
comment on column public.campaign_daily_stats.day is 'Day in the store''s time zone.';
comment on column public.campaign_daily_stats.shard is
  'Which part of the day''s figures: 0 to 15 are counted into, 16 holds what fold_days has folded.';
comment on column public.campaign_daily_stats.store_id is 'Store of the campaign at the time.';
comment on column public.campaign_daily_stats.scans is 'Scans.';
comment on column public.campaign_daily_stats.reviews is 'Reviews.';
comment on column public.campaign_daily_stats.rating_sum is 'Sum of their stars.';
comment on column public.campaign_daily_stats.five_star_reviews is 'Reviews of 5 stars.';
comment on column public.campaign_daily_stats.public_clicks is 'Visits that opened the public reviews page, counted on the day when they did.';
comment on column public.campaign_daily_stats.spins is 'Spins.';
comment on column public.campaign_daily_stats.wins is 'Spins that won.';
comment on column public.campaign_daily_stats.redemptions is 'Codes used, counted on the day of their use, minus those given back.';
comment on column public.campaign_daily_stats.one_star_reviews is 'Reviews of 1 star.';
comment on column public.campaign_daily_stats.two_star_reviews is 'Reviews of 2 stars.';
comment on column public.campaign_daily_stats.three_star_reviews is 'Reviews of 3 stars.';
comment on column public.campaign_daily_stats.four_star_reviews is 'Reviews of 4 stars.';
comment on column public.campaign_daily_stats.free_spins is 'Of the spins, those without a review.';
comment on column public.campaign_daily_stats.free_wins is 'Of the wins, those of spins without a review.';
comment on column public.campaign_daily_stats.free_redemptions is 'Of the codes used, those won without a review.';
comment on column public.campaign_daily_stats.points_wins is 'Of the wins, those of points, which have no code.';

-- Each event is appended to one narrow table, without a lock that others wait for; a job folds it into the figures
-- (decision 001). Readers add both up, by the functions below: they always see everything that was committed. Totals
-- and days are apart: the list needs a reward's whole life, the chart the last 90 days, and each reads few rows.
create table private.recent_figures (
  id bigint not null generated always as identity,
  org_id uuid not null,
  reward_id uuid,
  day date,
  wins integer not null default 0,
  codes integer not null default 0,
  redemptions integer not null default 0,
  expirations integer not null default 0,
  customers integer not null default 0,
  consents integer not null default 0,
  participants integer not null default 0,
  primary key (org_id, id)
);
comment on table private.recent_figures is
  'Events of rewards and customers since the figures were last folded: a row an event, or minus one. No foreign key: what is '
  'gone when it is folded is left out.';
comment on column private.recent_figures.id is 'Number of the row.';
comment on column private.recent_figures.org_id is 'Organisation.';
comment on column private.recent_figures.reward_id is 'Reward; null when the row is about customers.';
comment on column private.recent_figures.day is 'Day in the store''s time zone of a win, or of the use of a code.';
comment on column private.recent_figures.wins is 'As in reward_totals.';
comment on column private.recent_figures.codes is 'As in reward_totals.';
comment on column private.recent_figures.redemptions is 'As in reward_totals.';
comment on column private.recent_figures.expirations is 'As in reward_totals.';
comment on column private.recent_figures.customers is 'As in customer_totals.';
comment on column private.recent_figures.consents is 'As in customer_totals.';
comment on column private.recent_figures.participants is 'As in customer_totals.';

create table public.reward_totals (
  org_id uuid not null,
  reward_id uuid not null,
  wins integer not null default 0,
  codes integer not null default 0,
  redemptions integer not null default 0,
  expirations integer not null default 0,
  best_day integer not null default 0,
  primary key (org_id, reward_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
comment on table public.reward_totals is
  'Figures of a reward''s whole life, as last folded. private.reward_totals_now() has them of this instant.';
comment on column public.reward_totals.org_id is 'Organisation.';
comment on column public.reward_totals.reward_id is 'Reward.';
comment on column public.reward_totals.wins is 'Spins that won it.';
comment on column public.reward_totals.codes is 'Codes that were given; points have none.';
comment on column public.reward_totals.redemptions is 'Codes used, minus those given back.';
comment on column public.reward_totals.expirations is 'Codes that expired unused.';
comment on column public.reward_totals.best_day is 'Most wins of a day, as last folded.';

create table public.reward_daily_stats (
  org_id uuid not null,
  reward_id uuid not null,
  day date not null,
  wins integer not null default 0,
  redemptions integer not null default 0,
  primary key (org_id, reward_id, day),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
-- A period's days of all rewards; by the key, each reward's whole life would be passed over.
create index reward_daily_stats_day_idx on public.reward_daily_stats (org_id, day);
comment on table public.reward_daily_stats is
  'Figures of a reward a day, as last folded. private.reward_days_now() has them of this instant.';
comment on column public.reward_daily_stats.org_id is 'Organisation.';
comment on column public.reward_daily_stats.reward_id is 'Reward.';
comment on column public.reward_daily_stats.day is 'Day in the store''s time zone.';
comment on column public.reward_daily_stats.wins is 'Spins that won it.';
comment on column public.reward_daily_stats.redemptions is 'Codes used, counted on the day of their use, minus those given back.';

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

-- Value of a reward for one campaign: it may move to another, with its own totals. Written when a code is used or given
-- back, never during a spin.
create table public.campaign_reward_totals (
  org_id uuid not null,
  campaign_id uuid not null,
  reward_id uuid not null,
  shard smallint not null check (shard between 0 and 15),
  redemptions integer not null default 0,
  primary key (org_id, campaign_id, reward_id, shard),
  -- The campaign has no foreign key here. With both in the primary key, the data API would see a many-to-many relation
  -- of campaigns and rewards. « The campaign of a reward » would then be ambiguous.
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
create index campaign_reward_totals_reward_idx on public.campaign_reward_totals (org_id, reward_id);
comment on table public.campaign_reward_totals is
  'How often a campaign''s codes of a reward were used, kept by the transactions that use them. Sum over the shards.';
comment on column public.campaign_reward_totals.org_id is 'Organisation.';
comment on column public.campaign_reward_totals.campaign_id is 'Campaign in which the code was won.';
comment on column public.campaign_reward_totals.reward_id is 'Reward.';
comment on column public.campaign_reward_totals.shard is 'Which of the 16 parts of the figures, 0 to 15.';
comment on column public.campaign_reward_totals.redemptions is 'Codes used, minus those given back.';

create table private.folded_campaigns (
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  scans integer not null,
  reviews integer not null,
  rating_sum integer not null,
  one_star_reviews integer not null,
  two_star_reviews integer not null,
  three_star_reviews integer not null,
  four_star_reviews integer not null,
  five_star_reviews integer not null,
  public_clicks integer not null,
  spins integer not null,
  wins integer not null,
  redemptions integer not null,
  free_spins integer not null default 0,
  free_wins integer not null default 0,
  free_redemptions integer not null default 0,
  points_wins integer not null default 0,
  primary key (org_id, campaign_id, store_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade
) with (fillfactor = 60);
comment on table private.folded_campaigns is
  'Sum of a campaign''s folded days at a store. private.campaign_figures_now() adds what is not folded.';
comment on column private.folded_campaigns.org_id is 'Organisation.';
comment on column private.folded_campaigns.campaign_id is 'Campaign.';
comment on column private.folded_campaigns.store_id is 'Store of the campaign at the time.';
comment on column private.folded_campaigns.scans is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.rating_sum is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.one_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.two_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.three_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.four_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.five_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.public_clicks is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.spins is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.wins is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.redemptions is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.free_spins is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.free_wins is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.free_redemptions is 'As in campaign_daily_stats.';
comment on column private.folded_campaigns.points_wins is 'As in campaign_daily_stats.';

create table private.folded_days (
  org_id uuid not null references public.organizations (id) on delete cascade,
  day date not null,
  scans integer not null,
  reviews integer not null,
  rating_sum integer not null,
  one_star_reviews integer not null,
  two_star_reviews integer not null,
  three_star_reviews integer not null,
  four_star_reviews integer not null,
  five_star_reviews integer not null,
  public_clicks integer not null,
  spins integer not null,
  wins integer not null,
  redemptions integer not null,
  free_spins integer not null default 0,
  free_wins integer not null default 0,
  free_redemptions integer not null default 0,
  points_wins integer not null default 0,
  primary key (org_id, day)
) with (fillfactor = 60);
comment on table private.folded_days is
  'Sum of a folded day over an organisation''s campaigns. private.day_figures_now() adds what is not folded.';
comment on column private.folded_days.org_id is 'Organisation.';
comment on column private.folded_days.day is 'Day in the store''s time zone.';
comment on column private.folded_days.scans is 'As in campaign_daily_stats.';
comment on column private.folded_days.reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.rating_sum is 'As in campaign_daily_stats.';
comment on column private.folded_days.one_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.two_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.three_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.four_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.five_star_reviews is 'As in campaign_daily_stats.';
comment on column private.folded_days.public_clicks is 'As in campaign_daily_stats.';
comment on column private.folded_days.spins is 'As in campaign_daily_stats.';
comment on column private.folded_days.wins is 'As in campaign_daily_stats.';
comment on column private.folded_days.redemptions is 'As in campaign_daily_stats.';
comment on column private.folded_days.free_spins is 'As in campaign_daily_stats.';
comment on column private.folded_days.free_wins is 'As in campaign_daily_stats.';
comment on column private.folded_days.free_redemptions is 'As in campaign_daily_stats.';
comment on column private.folded_days.points_wins is 'As in campaign_daily_stats.';

create table private.folded_store_days (
  org_id uuid not null references public.organizations (id) on delete cascade,
  store_id uuid not null,
  day date not null,
  scans integer not null,
  reviews integer not null,
  spins integer not null,
  redemptions integer not null,
  primary key (org_id, store_id, day)
) with (fillfactor = 60);
comment on table private.folded_store_days is
  'Sum of a folded day over the campaigns at a store. private.store_days_now() adds what is not folded.';
comment on column private.folded_store_days.org_id is 'Organisation.';
comment on column private.folded_store_days.store_id is 'Store of the campaigns at the time.';
comment on column private.folded_store_days.day is 'Day in the store''s time zone.';
comment on column private.folded_store_days.scans is 'As in campaign_daily_stats.';
comment on column private.folded_store_days.reviews is 'As in campaign_daily_stats.';
comment on column private.folded_store_days.spins is 'As in campaign_daily_stats.';
comment on column private.folded_store_days.redemptions is 'As in campaign_daily_stats.';

-- A year of a large organisation is thousands of days of its stores and rewards: whole months are read as one row each.
create table private.folded_store_months (
  org_id uuid not null references public.organizations (id) on delete cascade,
  store_id uuid not null,
  month date not null,
  reviews integer not null,
  redemptions integer not null,
  primary key (org_id, store_id, month)
) with (fillfactor = 60);
comment on table private.folded_store_months is 'Sum of a store''s folded days of a month, as folded_store_days has them.';
comment on column private.folded_store_months.org_id is 'Organisation.';
comment on column private.folded_store_months.store_id is 'Store of the campaigns at the time.';
comment on column private.folded_store_months.month is 'First day of the month.';
comment on column private.folded_store_months.reviews is 'As in campaign_daily_stats.';
comment on column private.folded_store_months.redemptions is 'As in campaign_daily_stats.';

create table private.folded_reward_months (
  org_id uuid not null,
  reward_id uuid not null,
  month date not null,
  redemptions integer not null,
  primary key (org_id, month, reward_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
create index folded_reward_months_reward_idx on private.folded_reward_months (org_id, reward_id);
comment on table private.folded_reward_months is 'Sum of a reward''s folded days of a month, as reward_daily_stats has them.';
comment on column private.folded_reward_months.org_id is 'Organisation.';
comment on column private.folded_reward_months.reward_id is 'Reward.';
comment on column private.folded_reward_months.month is 'First day of the month.';
comment on column private.folded_reward_months.redemptions is 'As in reward_daily_stats.';

-- Costs of used rewards: the value that each has now, whenever it was used. A row a day, where the days of hundreds of
-- rewards would be multiplied for each look at the dashboard.
create table private.folded_costs (
  org_id uuid not null references public.organizations (id) on delete cascade,
  day date not null,
  cost numeric not null,
  unpriced integer not null,
  primary key (org_id, day)
) with (fillfactor = 60);
comment on table private.folded_costs is
  'Cost of an organisation''s used rewards a day, as last folded. private.cost_now() has it of this instant.';
comment on column private.folded_costs.org_id is 'Organisation.';
comment on column private.folded_costs.day is 'Day of use, as in reward_daily_stats.';
comment on column private.folded_costs.cost is 'Value of the used rewards, in euros.';
comment on column private.folded_costs.unpriced is 'Uses of rewards without a value.';

create table private.repriced_rewards (
  org_id uuid not null,
  reward_id uuid not null,
  value numeric,
  primary key (org_id, reward_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
);
comment on table private.repriced_rewards is
  'Rewards whose value changed since: folded_costs counts all their days at the value that they had before.';
comment on column private.repriced_rewards.org_id is 'Organisation.';
comment on column private.repriced_rewards.reward_id is 'Reward.';
comment on column private.repriced_rewards.value is 'Value at which its days are folded, in euros; null is without one.';

create function private.count_event(
  p_org_id uuid, p_campaign_id uuid, p_store_id uuid, p_day date,
  p_scans integer default 0, p_reviews integer default 0, p_rating_sum integer default 0,
  p_five_star_reviews integer default 0, p_public_clicks integer default 0, p_spins integer default 0,
  p_wins integer default 0, p_redemptions integer default 0, p_is_free boolean default false,
  p_points_wins integer default 0
) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.campaign_daily_stats as d
    (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
      three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
      free_spins, free_wins, free_redemptions, points_wins)
  -- The sum of one review's stars is its stars.
  values (p_org_id, p_campaign_id, p_day, private.shard(), p_store_id, p_scans, p_reviews, p_rating_sum,
    (p_reviews = 1 and p_rating_sum = 1)::integer, (p_reviews = 1 and p_rating_sum = 2)::integer,
    (p_reviews = 1 and p_rating_sum = 3)::integer, (p_reviews = 1 and p_rating_sum = 4)::integer,
    p_five_star_reviews, p_public_clicks, p_spins, p_wins, p_redemptions,
    p_is_free::integer * p_spins, p_is_free::integer * p_wins, p_is_free::integer * p_redemptions,
    p_points_wins)
  on conflict (org_id, campaign_id, day, shard, store_id) do update set
    scans = d.scans + excluded.scans,
    reviews = d.reviews + excluded.reviews,
    rating_sum = d.rating_sum + excluded.rating_sum,
    one_star_reviews = d.one_star_reviews + excluded.one_star_reviews,
    two_star_reviews = d.two_star_reviews + excluded.two_star_reviews,
    three_star_reviews = d.three_star_reviews + excluded.three_star_reviews,
    four_star_reviews = d.four_star_reviews + excluded.four_star_reviews,
    five_star_reviews = d.five_star_reviews + excluded.five_star_reviews,
    public_clicks = d.public_clicks + excluded.public_clicks,
    spins = d.spins + excluded.spins,
    wins = d.wins + excluded.wins,
    redemptions = d.redemptions + excluded.redemptions,
    free_spins = d.free_spins + excluded.free_spins,
    free_wins = d.free_wins + excluded.free_wins,
    free_redemptions = d.free_redemptions + excluded.free_redemptions,
    points_wins = d.points_wins + excluded.points_wins;
end;
$$;
comment on function private.count_event(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer, boolean, integer) is
  'Adds to the figures of a campaign''s day, in the same transaction as the event; reviews one at a time. p_is_free: spins, '
  'wins and codes used are those of spins without a review; p_points_wins of the wins are of points.';

-- A function with a setting of its own is never inlined: a call takes 7 to 9 microseconds instead of 1 to 5. No index
-- answers it, and a list is made whole before its first row is read. Where that matters, the body's names are bound
-- when it is made, so that no search path changes them (tests/database/catalog.test.ts lists them).
create function private.reward_totals_now(p_org_id uuid)
returns table (reward_id uuid, wins integer, codes integer, redemptions integer, expirations integer)
language sql stable
begin atomic
  select t.reward_id, t.wins, t.codes, t.redemptions, t.expirations
  from public.reward_totals t where t.org_id = p_org_id
  union all
  select f.reward_id, f.wins, f.codes, f.redemptions, f.expirations
  from private.recent_figures f where f.org_id = p_org_id and f.reward_id is not null;
end;
comment on function private.reward_totals_now(uuid) is
  'Figures of an organisation''s rewards at this instant: sum over the rows of a reward. Planned as part of the query that calls it.';

create function private.reward_days_now(p_org_id uuid)
returns table (reward_id uuid, day date, wins integer, redemptions integer)
language sql stable
begin atomic
  select d.reward_id, d.day, d.wins, d.redemptions from public.reward_daily_stats d where d.org_id = p_org_id
  union all
  select f.reward_id, f.day, f.wins, f.redemptions
  from private.recent_figures f where f.org_id = p_org_id and f.reward_id is not null and f.day is not null;
end;
comment on function private.reward_days_now(uuid) is
  'Figures of an organisation''s rewards a day at this instant: sum over the rows of a reward and a day. Planned as part of '
  'the query that calls it.';

create function private.count_win() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.recent_figures (org_id, reward_id, day, wins, codes)
  select new.org_id, new.reward_id, (new.created_at at time zone s.timezone)::date, 1,
    (new.result ->> 'redemption_code' is not null)::integer
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  return null;
end;
$$;
comment on function private.count_win() is 'Counts a win, and the code that came with it, for its reward.';

create function private.count_code_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.recent_figures (org_id, reward_id, day, redemptions, expirations)
  select new.org_id, new.reward_id, (coalesce(new.used_at, old.used_at) at time zone s.timezone)::date,
    (new.status = 'used')::integer - (old.status = 'used')::integer,
    (new.status = 'expired')::integer - (old.status = 'expired')::integer
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  return null;
end;
$$;
comment on function private.count_code_change() is
  'Counts a code that is used, given back (on the day of its use), expired or valid again for its reward.';

create function private.customer_totals_now(p_org_id uuid, out customers bigint, out consents bigint, out participants bigint)
language sql stable set search_path = ''
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

create function private.keep_folded_value() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The row is written, whether it is there or not: whoever folds the value waits for this transaction, or is waited for.
  insert into private.repriced_rewards as p (org_id, reward_id, value) values (new.org_id, new.id, old.value)
  on conflict (org_id, reward_id) do update set value = p.value;
  return null;
end;
$$;
comment on function private.keep_folded_value() is
  'Keeps the value at which folded_costs counts a reward, until fold_values has counted it anew.';
create trigger keep_folded_value after update of value on public.rewards
  for each row when (old.value is distinct from new.value) execute function private.keep_folded_value();

create function private.fold_values(p_limit integer) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_reward private.repriced_rewards;
begin
  -- Locked in one statement and counted in the next, which sees every value that was committed before the lock.
  for v_reward in
    select * from private.repriced_rewards p order by p.org_id, p.reward_id limit p_limit for update skip locked
  loop
    update private.folded_costs c
    set cost = c.cost + d.redemptions * (coalesce(r.value, 0) - coalesce(v_reward.value, 0)),
      unpriced = c.unpriced + d.redemptions * ((r.value is null)::integer - (v_reward.value is null)::integer)
    from public.rewards r join public.reward_daily_stats d on d.org_id = r.org_id and d.reward_id = r.id
    where r.org_id = v_reward.org_id and r.id = v_reward.reward_id and d.redemptions <> 0
      and c.org_id = d.org_id and c.day = d.day;
    delete from private.repriced_rewards p where p.org_id = v_reward.org_id and p.reward_id = v_reward.reward_id;
  end loop;
end;
$$;
comment on function private.fold_values(integer) is
  'Part of fold_figures: folded_costs takes over the values that changed.';

create function private.cost_now(p_org_id uuid, p_from date, p_until date, out cost numeric, out unpriced bigint)
language sql stable set search_path = ''
as $$
  select coalesce(sum(d.cost), 0), coalesce(sum(d.unpriced), 0)
  from (
    select c.cost, c.unpriced from private.folded_costs c
    where c.org_id = p_org_id and c.day >= p_from and c.day < p_until
    union all
    select f.redemptions * coalesce(r.value, 0), f.redemptions * (r.value is null)::integer
    from private.recent_figures f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    where f.org_id = p_org_id and f.redemptions <> 0 and f.day >= p_from and f.day < p_until
    union all
    -- Prizes that the team gave are few, and cost as much.
    select coalesce(r.value, 0), (r.value is null)::integer
    from public.redemptions g
    join public.stores o on o.org_id = g.org_id and o.id = g.store_id
    join public.rewards r on r.org_id = g.org_id and r.id = g.reward_id
    where g.org_id = p_org_id and g.spin_id is null and g.status = 'used'
      and (g.used_at at time zone o.timezone)::date >= p_from and (g.used_at at time zone o.timezone)::date < p_until
    union all
    -- From the few rewards to their days: a join would be planned from the days of all rewards.
    select s.uses * (coalesce(r.value, 0) - coalesce(p.value, 0)),
      s.uses * ((r.value is null)::integer - (p.value is null)::integer)
    from private.repriced_rewards p
    join public.rewards r on r.org_id = p.org_id and r.id = p.reward_id
    cross join lateral (
      select coalesce(sum(d.redemptions), 0) as uses from public.reward_daily_stats d
      where d.org_id = p_org_id and d.reward_id = p.reward_id and d.day >= p_from and d.day < p_until
    ) s
    where p.org_id = p_org_id
  ) d;
$$;
comment on function private.cost_now(uuid, date, date) is
  'Cost of an organisation''s used rewards from one day up to another, which is left out. Each counts at its present value; '
  'uses of rewards without a value are counted apart.';

create function private.month_of(p_day date) returns date
language sql immutable parallel safe
return date_trunc('month', p_day::timestamp)::date;
comment on function private.month_of(date) is 'First day of a day''s month. Planned as part of the query that calls it.';

create function private.month_from(p_from date) returns date
language sql immutable parallel safe
return (date_trunc('month', (p_from - 1)::timestamp) + interval '1 month')::date;
comment on function private.month_from(date) is
  'The first month that is whole from a day on. Planned as part of the query that calls it.';

create function private.fold_figures(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  -- Two at once would count a day at two values.
  perform pg_advisory_xact_lock(hashtextextended('private.fold_figures', 0));
  -- One statement: whoever reads meanwhile finds every event once, in the recent rows or in the figures.
  with taken as (
    delete from private.recent_figures f where f.ctid = any (array(
      select o.ctid from private.recent_figures o limit 10 * p_limit for update skip locked
    ))
    returning f.*
  ), days as (
    insert into public.reward_daily_stats as d (org_id, reward_id, day, wins, redemptions)
    select f.org_id, f.reward_id, f.day, sum(f.wins), sum(f.redemptions)
    from taken f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    where f.day is not null
    group by f.org_id, f.reward_id, f.day
    on conflict (org_id, reward_id, day) do update set
      wins = d.wins + excluded.wins,
      redemptions = d.redemptions + excluded.redemptions
    returning d.org_id, d.reward_id, d.wins
  ), months as (
    insert into private.folded_reward_months as m (org_id, reward_id, month, redemptions)
    select f.org_id, f.reward_id, private.month_of(f.day), sum(f.redemptions)
    from taken f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    where f.day is not null and f.redemptions <> 0
    group by f.org_id, f.reward_id, private.month_of(f.day)
    on conflict (org_id, month, reward_id) do update set redemptions = m.redemptions + excluded.redemptions
  ), totals as (
    insert into public.reward_totals as t (org_id, reward_id, wins, codes, redemptions, expirations, best_day)
    select f.org_id, f.reward_id, sum(f.wins), sum(f.codes), sum(f.redemptions), sum(f.expirations),
      coalesce((select max(d.wins) from days d where d.org_id = f.org_id and d.reward_id = f.reward_id), 0)
    from taken f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    group by f.org_id, f.reward_id
    on conflict (org_id, reward_id) do update set
      wins = t.wins + excluded.wins,
      codes = t.codes + excluded.codes,
      redemptions = t.redemptions + excluded.redemptions,
      expirations = t.expirations + excluded.expirations,
      best_day = greatest(t.best_day, excluded.best_day)
  ), costs as (
    insert into private.folded_costs as c (org_id, day, cost, unpriced)
    select u.org_id, u.day, coalesce(sum(u.redemptions * u.value), 0),
      coalesce(sum(u.redemptions) filter (where u.value is null), 0)
    from (
      select f.org_id, f.day, f.redemptions, case when p.reward_id is null then r.value else p.value end as value
      from taken f
      join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
      left join private.repriced_rewards p on p.org_id = f.org_id and p.reward_id = f.reward_id
      where f.day is not null and f.redemptions <> 0
    ) u
    group by u.org_id, u.day
    on conflict (org_id, day) do update set cost = c.cost + excluded.cost, unpriced = c.unpriced + excluded.unpriced
  ), customers as (
    insert into public.customer_totals as t (org_id, customers, consents, participants)
    select f.org_id, sum(f.customers), sum(f.consents), sum(f.participants)
    from taken f join public.organizations o on o.id = f.org_id
    where f.reward_id is null
    group by f.org_id
    -- A customer that a refused spin added and removed again changes no sum.
    having sum(f.customers) <> 0 or sum(f.consents) <> 0 or sum(f.participants) <> 0
    on conflict (org_id) do update set
      customers = t.customers + excluded.customers,
      consents = t.consents + excluded.consents,
      participants = t.participants + excluded.participants
  )
  select count(*) into v_count from taken;
  perform private.fold_values(p_limit);
  return v_count;
end;
$$;
comment on function private.fold_figures(integer) is
  'Job: folds recent events into the figures of rewards and customers, and changed values into their cost (decision 001).';
insert into private.jobs (name, run_every) values ('fold_figures', interval '1 minute');

create function private.count_code_of_campaign() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.campaign_reward_totals as t (org_id, campaign_id, reward_id, shard, redemptions)
  values (new.org_id, new.campaign_id, new.reward_id, private.shard(),
    (new.status = 'used')::integer - (old.status = 'used')::integer)
  on conflict (org_id, campaign_id, reward_id, shard) do update set redemptions = t.redemptions + excluded.redemptions;
  return null;
end;
$$;
comment on function private.count_code_of_campaign() is
  'Counts a code that is used, or given back, for its campaign and reward, at the end of the transaction: see count_win.';

create function private.funnel(p_totals jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
return jsonb_build_object('scans', p_totals -> 'scans', 'reviews', p_totals -> 'reviews',
  'spins', (p_totals ->> 'spins')::bigint - (p_totals ->> 'free_spins')::bigint,
  'wins', (p_totals ->> 'wins')::bigint - (p_totals ->> 'free_wins')::bigint,
  'redemptions', (p_totals ->> 'redemptions')::bigint - (p_totals ->> 'free_redemptions')::bigint,
  'free', jsonb_build_object('spins', p_totals -> 'free_spins', 'wins', p_totals -> 'free_wins',
    'redemptions', p_totals -> 'free_redemptions'));
comment on function private.funnel(jsonb) is
  'Funnel made of totals: scan, review, spin, win, use of those who left a review; free has those who played without one.';

create function private.campaign_figures_now(p_org_id uuid)
returns table (
  campaign_id uuid, store_id uuid, scans integer, reviews integer, rating_sum integer, one_star_reviews integer,
  two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer,
  public_clicks integer, spins integer, wins integer, redemptions integer, free_spins integer, free_wins integer,
  free_redemptions integer, points_wins integer
)
language sql stable
begin atomic
  select f.campaign_id, f.store_id, f.scans, f.reviews, f.rating_sum, f.one_star_reviews, f.two_star_reviews,
    f.three_star_reviews, f.four_star_reviews, f.five_star_reviews, f.public_clicks, f.spins, f.wins, f.redemptions,
    f.free_spins, f.free_wins, f.free_redemptions, f.points_wins
  from private.folded_campaigns f where f.org_id = p_org_id
  union all
  select d.campaign_id, d.store_id, d.scans, d.reviews, d.rating_sum, d.one_star_reviews, d.two_star_reviews,
    d.three_star_reviews, d.four_star_reviews, d.five_star_reviews, d.public_clicks, d.spins, d.wins, d.redemptions,
    d.free_spins, d.free_wins, d.free_redemptions, d.points_wins
  from public.campaign_daily_stats d where d.org_id = p_org_id and d.shard < 16;
end;
comment on function private.campaign_figures_now(uuid) is
  'Figures of the whole lives of an organisation''s campaigns, by store, at this instant: sum over the rows. Planned as part '
  'of the query that calls it.';

create function private.campaign_totals(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0),
    'stars', jsonb_build_array(coalesce(sum(d.one_star_reviews), 0), coalesce(sum(d.two_star_reviews), 0),
      coalesce(sum(d.three_star_reviews), 0), coalesce(sum(d.four_star_reviews), 0),
      coalesce(sum(d.five_star_reviews), 0)),
    'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
    'points_wins', coalesce(sum(d.points_wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0), 'free_spins', coalesce(sum(d.free_spins), 0),
    'free_wins', coalesce(sum(d.free_wins), 0), 'free_redemptions', coalesce(sum(d.free_redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where d.campaign_id = p_campaign_id;
$$;
comment on function private.campaign_totals(uuid, uuid) is
  'Figures of a campaign''s whole life; stars are the reviews of 1, 2, 3, 4 and 5 stars.';

create function private.campaign_days(p_org_id uuid, p_campaign_id uuid, p_today date) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
    'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
  from generate_series(p_today - 29, p_today, interval '1 day') as calendar (day)
  left join (
    select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
    from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.campaign_id = p_campaign_id and d.day > p_today - 30 and d.day <= p_today
    group by d.day
  ) f on f.day = calendar.day::date;
$$;
comment on function private.campaign_days(uuid, uuid, date) is
  'Scans, reviews and spins of a campaign on each of the 30 days that end with one, oldest first.';

create function private.fold_days(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  -- One statement: whoever reads meanwhile finds every event once, among the open rows or in the sums.
  with taken as (
    delete from public.campaign_daily_stats d where d.ctid = any (array(
      select o.ctid
      from public.campaign_daily_stats o left join public.stores s on s.org_id = o.org_id and s.id = o.store_id
      where o.shard < 16 and o.day < private.now_in(coalesce(s.timezone, 'Europe/Paris'))::date
      limit 10 * p_limit::bigint for update of o skip locked
    ))
    returning d.*
  ), settled as (
    insert into public.campaign_daily_stats as d
      (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions, points_wins)
    select t.org_id, t.campaign_id, t.day, 16, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions), sum(t.points_wins)
    from taken t group by t.org_id, t.campaign_id, t.day, t.store_id order by t.org_id, t.campaign_id, t.day, t.store_id
    on conflict (org_id, campaign_id, day, shard, store_id) do update set
      scans = d.scans + excluded.scans,
      reviews = d.reviews + excluded.reviews,
      rating_sum = d.rating_sum + excluded.rating_sum,
      one_star_reviews = d.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = d.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = d.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = d.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = d.five_star_reviews + excluded.five_star_reviews,
      public_clicks = d.public_clicks + excluded.public_clicks,
      spins = d.spins + excluded.spins,
      wins = d.wins + excluded.wins,
      redemptions = d.redemptions + excluded.redemptions,
      free_spins = d.free_spins + excluded.free_spins,
      free_wins = d.free_wins + excluded.free_wins,
      free_redemptions = d.free_redemptions + excluded.free_redemptions,
      points_wins = d.points_wins + excluded.points_wins
  ), campaigns as (
    insert into private.folded_campaigns as c
      (org_id, campaign_id, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions, points_wins)
    select t.org_id, t.campaign_id, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions), sum(t.points_wins)
    from taken t group by t.org_id, t.campaign_id, t.store_id order by t.org_id, t.campaign_id, t.store_id
    on conflict (org_id, campaign_id, store_id) do update set
      scans = c.scans + excluded.scans,
      reviews = c.reviews + excluded.reviews,
      rating_sum = c.rating_sum + excluded.rating_sum,
      one_star_reviews = c.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = c.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = c.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = c.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = c.five_star_reviews + excluded.five_star_reviews,
      public_clicks = c.public_clicks + excluded.public_clicks,
      spins = c.spins + excluded.spins,
      wins = c.wins + excluded.wins,
      redemptions = c.redemptions + excluded.redemptions,
      free_spins = c.free_spins + excluded.free_spins,
      free_wins = c.free_wins + excluded.free_wins,
      free_redemptions = c.free_redemptions + excluded.free_redemptions,
      points_wins = c.points_wins + excluded.points_wins
  ), days as (
    insert into private.folded_days as f
      (org_id, day, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions, points_wins)
    select t.org_id, t.day, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions), sum(t.points_wins)
    from taken t group by t.org_id, t.day order by t.org_id, t.day
    on conflict (org_id, day) do update set
      scans = f.scans + excluded.scans,
      reviews = f.reviews + excluded.reviews,
      rating_sum = f.rating_sum + excluded.rating_sum,
      one_star_reviews = f.one_star_reviews + excluded.one_star_reviews,
      two_star_reviews = f.two_star_reviews + excluded.two_star_reviews,
      three_star_reviews = f.three_star_reviews + excluded.three_star_reviews,
      four_star_reviews = f.four_star_reviews + excluded.four_star_reviews,
      five_star_reviews = f.five_star_reviews + excluded.five_star_reviews,
      public_clicks = f.public_clicks + excluded.public_clicks,
      spins = f.spins + excluded.spins,
      wins = f.wins + excluded.wins,
      redemptions = f.redemptions + excluded.redemptions,
      free_spins = f.free_spins + excluded.free_spins,
      free_wins = f.free_wins + excluded.free_wins,
      free_redemptions = f.free_redemptions + excluded.free_redemptions,
      points_wins = f.points_wins + excluded.points_wins
  ), store_days as (
    insert into private.folded_store_days as f (org_id, store_id, day, scans, reviews, spins, redemptions)
    select t.org_id, t.store_id, t.day, sum(t.scans), sum(t.reviews), sum(t.spins), sum(t.redemptions)
    from taken t group by t.org_id, t.store_id, t.day order by t.org_id, t.store_id, t.day
    on conflict (org_id, store_id, day) do update set
      scans = f.scans + excluded.scans,
      reviews = f.reviews + excluded.reviews,
      spins = f.spins + excluded.spins,
      redemptions = f.redemptions + excluded.redemptions
  ), store_months as (
    insert into private.folded_store_months as f (org_id, store_id, month, reviews, redemptions)
    select t.org_id, t.store_id, private.month_of(t.day), sum(t.reviews), sum(t.redemptions)
    from taken t group by t.org_id, t.store_id, private.month_of(t.day) order by t.org_id, t.store_id, private.month_of(t.day)
    on conflict (org_id, store_id, month) do update set
      reviews = f.reviews + excluded.reviews,
      redemptions = f.redemptions + excluded.redemptions
  )
  select count(*) into v_count from taken;
  return v_count;
end;
$$;
comment on function private.fold_days(integer) is
  'Job: makes one row of each day that is over in its store''s time zone. Adds it to the sums of campaigns, of '
  'organisations'' and stores'' days and of stores'' months (decision 001).';
insert into private.jobs (name, run_every) values ('fold_days', interval '10 minutes');

create function private.day_figures_now(p_org_id uuid, p_from date, p_to date)
returns table (
  day date, scans integer, reviews integer, rating_sum integer, one_star_reviews integer, two_star_reviews integer,
  three_star_reviews integer, four_star_reviews integer, five_star_reviews integer, public_clicks integer,
  spins integer, wins integer, redemptions integer, free_spins integer, free_wins integer, free_redemptions integer, points_wins integer
)
language sql stable
begin atomic
  select f.day, f.scans, f.reviews, f.rating_sum, f.one_star_reviews, f.two_star_reviews,
    f.three_star_reviews, f.four_star_reviews, f.five_star_reviews, f.public_clicks, f.spins, f.wins, f.redemptions,
    f.free_spins, f.free_wins, f.free_redemptions, f.points_wins
  from private.folded_days f where f.org_id = p_org_id and f.day >= p_from and f.day < p_to
  union all
  select d.day, d.scans, d.reviews, d.rating_sum, d.one_star_reviews, d.two_star_reviews,
    d.three_star_reviews, d.four_star_reviews, d.five_star_reviews, d.public_clicks, d.spins, d.wins, d.redemptions,
    d.free_spins, d.free_wins, d.free_redemptions, d.points_wins
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_to;
end;
comment on function private.day_figures_now(uuid, date, date) is
  'Figures of an organisation''s days from one up to another, which is left out, at this instant: sum over the rows of a '
  'day. Planned as part of the query that calls it.';

create function private.store_days_now(p_org_id uuid, p_store_id uuid, p_from date, p_until date)
returns table (day date, scans integer, reviews integer, spins integer, redemptions integer)
language sql stable
begin atomic
  select f.day, f.scans, f.reviews, f.spins, f.redemptions
  from private.folded_store_days f
  where f.org_id = p_org_id and f.store_id = p_store_id and f.day >= p_from and f.day < p_until
  union all
  select d.day, d.scans, d.reviews, d.spins, d.redemptions
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and d.store_id = p_store_id and d.shard < 16 and d.day >= p_from and d.day < p_until;
end;
comment on function private.store_days_now(uuid, uuid, date, date) is
  'Figures of a store''s days from one up to another, which is left out, at this instant: sum over the rows of a day. Planned '
  'as part of the query that calls it.';

create function private.folded_store_sums(p_org_id uuid, p_store_id uuid, p_from date, p_until date)
returns table (reviews integer, redemptions integer)
language sql stable
begin atomic
  select m.reviews, m.redemptions from private.folded_store_months m
  where m.org_id = p_org_id and m.store_id = p_store_id
    and m.month >= private.month_from(p_from) and m.month < private.month_of(p_until)
    -- A condition of parameters alone, checked before the index is read: most periods have no whole month.
    and private.month_from(p_from) < private.month_of(p_until)
  union all
  select d.reviews, d.redemptions from private.folded_store_days d
  where d.org_id = p_org_id and d.store_id = p_store_id
    and d.day >= p_from and d.day < least(private.month_from(p_from), p_until)
  union all
  select d.reviews, d.redemptions from private.folded_store_days d
  where d.org_id = p_org_id and d.store_id = p_store_id
    and d.day >= greatest(private.month_from(p_from), private.month_of(p_until)) and d.day < p_until
    and greatest(private.month_from(p_from), private.month_of(p_until)) < p_until;
end;
comment on function private.folded_store_sums(uuid, uuid, date, date) is
  'Folded figures of a store''s days from one up to another, which is left out: sum over the rows, one for each whole month '
  'and one for each day beside them. Planned as part of the query that calls it.';

create function private.store_reviews_now(p_org_id uuid, p_store_id uuid, p_from date, p_until date)
returns table (reviews integer)
language sql stable
begin atomic
  select f.reviews from private.folded_store_sums(p_org_id, p_store_id, p_from, p_until) f
  union all
  select d.reviews from public.campaign_daily_stats d
  where d.org_id = p_org_id and d.store_id = p_store_id and d.shard < 16 and d.day >= p_from and d.day < p_until;
end;
comment on function private.store_reviews_now(uuid, uuid, date, date) is
  'Reviews of a store''s days from one up to another, which is left out, at this instant: sum over the rows. Planned as part of '
  'the query that calls it.';

create function private.organization_totals(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'scans', coalesce(sum(f.scans), 0), 'reviews', coalesce(sum(f.reviews), 0),
    'rating_sum', coalesce(sum(f.rating_sum), 0), 'five_star_reviews', coalesce(sum(f.five_star_reviews), 0),
    'wins', coalesce(sum(f.wins), 0), 'points_wins', coalesce(sum(f.points_wins), 0),
    'redemptions', coalesce(sum(f.redemptions), 0))
  from private.campaign_figures_now(p_org_id) f;
$$;
comment on function private.organization_totals(uuid) is 'Figures of an organisation, of all time.';

create function private.recent_days(
  p_org_id uuid, p_last date, p_days integer default 30, p_until date default 'infinity'
) returns jsonb
language sql stable set search_path = ''
as $$
  -- A day is an integer, as in folded_days: sums of sums would be numeric, and take several times as long. Days that are folded
  -- have one row each, and need no sum: only what is not folded is added up.
  with open as (
    select d.day,
      sum(d.scans)::integer as scans, sum(d.reviews)::integer as reviews, sum(d.rating_sum)::integer as rating_sum,
      sum(d.five_star_reviews)::integer as five_star_reviews, sum(d.spins)::integer as spins,
      sum(d.wins)::integer as wins, sum(d.redemptions)::integer as redemptions,
      sum(d.free_spins)::integer as free_spins, sum(d.free_wins)::integer as free_wins,
      sum(d.free_redemptions)::integer as free_redemptions, sum(d.points_wins)::integer as points_wins
    from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= p_last - 2 * p_days + 1 and d.day < p_until
    group by d.day
  ), folded as (
    select * from private.folded_days f
    where f.org_id = p_org_id and f.day >= p_last - 2 * p_days + 1 and f.day < p_until
  ), days as materialized (
    select coalesce(f.day, o.day) as day, coalesce(f.day, o.day) > p_last - p_days as is_recent,
      coalesce(f.scans, 0) + coalesce(o.scans, 0) as scans,
      coalesce(f.reviews, 0) + coalesce(o.reviews, 0) as reviews,
      coalesce(f.rating_sum, 0) + coalesce(o.rating_sum, 0) as rating_sum,
      coalesce(f.five_star_reviews, 0) + coalesce(o.five_star_reviews, 0) as five_star_reviews,
      coalesce(f.spins, 0) + coalesce(o.spins, 0) as spins, coalesce(f.wins, 0) + coalesce(o.wins, 0) as wins,
      coalesce(f.redemptions, 0) + coalesce(o.redemptions, 0) as redemptions,
      coalesce(f.free_spins, 0) + coalesce(o.free_spins, 0) as free_spins,
      coalesce(f.free_wins, 0) + coalesce(o.free_wins, 0) as free_wins,
      coalesce(f.free_redemptions, 0) + coalesce(o.free_redemptions, 0) as free_redemptions,
      coalesce(f.points_wins, 0) + coalesce(o.points_wins, 0) as points_wins
    from folded f full join open o on o.day = f.day
  ), periods as (
    select p.is_recent, jsonb_build_object(
      'scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
      'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
      'wins', coalesce(sum(d.wins), 0), 'points_wins', coalesce(sum(d.points_wins), 0),
      'redemptions', coalesce(sum(d.redemptions), 0)) as totals
    from (values (true), (false)) p (is_recent) left join days d on d.is_recent = p.is_recent
    group by p.is_recent
  )
  select jsonb_build_object(
    'totals', (select p.totals from periods p where p.is_recent),
    'previous', (select p.totals from periods p where not p.is_recent),
    'monthly_spins', (
      select coalesce(sum(d.spins), 0) from days d
      where d.day >= date_trunc('month', p_last)::date and d.day < (date_trunc('month', p_last) + interval '1 month')::date),
    'days', (
      select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(d.scans, 0),
        'reviews', coalesce(d.reviews, 0), 'spins', coalesce(d.spins, 0)) order by calendar.day)
      from generate_series(p_last - p_days + 1, p_last, interval '1 day') as calendar (day)
      left join days d on d.day = calendar.day::date),
    'funnel', (
      select private.funnel(jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
        'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
        'redemptions', coalesce(sum(d.redemptions), 0), 'free_spins', coalesce(sum(d.free_spins), 0),
        'free_wins', coalesce(sum(d.free_wins), 0), 'free_redemptions', coalesce(sum(d.free_redemptions), 0)))
      from days d where d.is_recent and d.day <= p_last));
$$;
comment on function private.recent_days(uuid, date, integer, date) is
  'Figures of an organisation''s p_days days that end with p_last, read once: their totals (of all days before p_until) '
  'and those of as many days before. Each of the days, oldest first, and how far customers came in them. The spins of the '
  'last day''s month, where both periods together hold all of it.';

create function private.period_return(p_org_id uuid, p_from date, p_until date) returns jsonb
language sql stable set search_path = ''
as $$
  -- Days that are not folded are read once for all stores; of the others each store's stand side by side.
  with recent as materialized (
    select d.store_id, sum(d.redemptions) as visits from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_until group by d.store_id
  ), stores as materialized (
    select s.id as store_id, coalesce(v.visits, 0) + coalesce(n.visits, 0) as visits, s.name, s.average_basket
    from public.stores s
    left join recent n on n.store_id = s.id
    cross join lateral (
      select sum(f.redemptions) as visits from private.folded_store_sums(p_org_id, s.id, p_from, p_until) f
    ) v
    where s.org_id = p_org_id and coalesce(v.visits, 0) + coalesce(n.visits, 0) <> 0
  ), prizes as (
    select c.cost, c.unpriced from private.cost_now(p_org_id, p_from, p_until) c
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'return_share', (select o.return_share from public.organizations o where o.id = p_org_id),
    'cost', (select p.cost from prizes p), 'unpriced', (select p.unpriced from prizes p),
    'stores', (select count(*) from stores),
    -- Rows without the figure come first: it has to be filled in.
    'baskets', coalesce((
      select jsonb_agg(jsonb_build_object('id', v.store_id, 'name', v.name, 'average_basket', v.average_basket,
        'visits', v.visits) order by v.average_basket is not null, v.visits desc, v.name, v.store_id)
      from (
        select * from stores v order by v.average_basket is not null, v.visits desc, v.name, v.store_id limit 5
      ) v), '[]'::jsonb),
    'plan', (
      select jsonb_build_object('plan', s.plan, 'billing', s.billing)
      from public.subscriptions s where s.org_id = p_org_id));
$$;
comment on function private.period_return(uuid, date, date) is
  'Earnings and costs of an organisation''s days from one up to another, which is left out, in euros. Visits brought back '
  '(codes used), their worth at each store''s average basket, and visits of stores without one (unestimated). The share of '
  'them that the merchant counts (return_share, a hundredth). The used rewards at their present value, uses without a value '
  '(unpriced), the 5 stores to look at, and the plan.';

create function private.period_costs(p_org_id uuid, p_from date, p_until date) returns jsonb
-- Kept plans are made for few rows: they would sort thousands to add them up, and look for each used reward by its key.
language sql stable set search_path = '' set enable_sort = off set enable_nestloop = off
as $$
  with used as materialized (
    select u.reward_id, sum(u.uses) as uses
    from (
      -- Whole months, and the days beside them.
      select m.reward_id, m.redemptions as uses from private.folded_reward_months m
      where m.org_id = p_org_id and m.month >= private.month_from(p_from) and m.month < private.month_of(p_until)
      union all
      select d.reward_id, d.redemptions from public.reward_daily_stats d
      where d.org_id = p_org_id and d.day >= p_from and d.day < least(private.month_from(p_from), p_until) and d.redemptions <> 0
      union all
      select d.reward_id, d.redemptions from public.reward_daily_stats d
      where d.org_id = p_org_id and d.day >= greatest(private.month_from(p_from), private.month_of(p_until)) and d.day < p_until
        and d.redemptions <> 0
      union all
      select f.reward_id, f.redemptions from private.recent_figures f
      where f.org_id = p_org_id and f.reward_id is not null and f.day >= p_from and f.day < p_until and f.redemptions <> 0
      union all
      -- Prizes that the team gave cost as much.
      select g.reward_id, 1
      from public.redemptions g join public.stores o on o.org_id = g.org_id and o.id = g.store_id
      where g.org_id = p_org_id and g.spin_id is null and g.status = 'used'
        and (g.used_at at time zone o.timezone)::date >= p_from and (g.used_at at time zone o.timezone)::date < p_until
    ) u
    group by u.reward_id having sum(u.uses) > 0
  )
  select jsonb_build_object(
    'rewards', (select count(*) from used),
    -- Rows without the figure come first: it has to be filled in.
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'uses', t.uses, 'value', t.value, 'version', t.version,
          'campaign', (select c.name from public.campaigns c where c.org_id = p_org_id and c.id = t.campaign_id))
        order by t.value is not null, t.uses * t.value desc, t.uses desc, t.name, t.id)
      from (
        select r.id, r.name, r.campaign_id, u.uses, r.value, r.version
        from used u join public.rewards r on r.org_id = p_org_id and r.id = u.reward_id
        order by r.value is not null, u.uses * r.value desc, u.uses desc, r.name, r.id limit 5
      ) t), '[]'::jsonb));
$$;
comment on function private.period_costs(uuid, date, date) is
  'How many rewards of an organisation were used from one day up to another, which is left out, and the 5 to look at: those '
  'without a value, then those that cost most, each with its uses, its value now in euros and its version.';

-- Permissions -------------------------------------------------------------------------------------

alter table public.campaign_daily_stats enable row level security;
grant select on public.campaign_daily_stats to authenticated;
grant select, insert, update, delete on public.campaign_daily_stats to service_role;
-- Trends are read from these tables: they must not show what a function leaves out.
create policy "Members read the figures" on public.campaign_daily_stats
  for select to authenticated
  using (org_id = (select o from private.my_org_ids('activity.read') o where private.has_feature(o, 'advanced_analytics')));

alter table private.recent_figures enable row level security;

alter table public.reward_totals enable row level security;
grant select on public.reward_totals to authenticated;
grant select, insert, update, delete on public.reward_totals to service_role;
create policy "Members read the totals of rewards" on public.reward_totals
  for select to authenticated using (org_id = (select private.my_org_ids('activity.read')));

alter table public.reward_daily_stats enable row level security;
grant select on public.reward_daily_stats to authenticated;
grant select, insert, update, delete on public.reward_daily_stats to service_role;
create policy "Members read the daily figures of rewards" on public.reward_daily_stats
  for select to authenticated
  using (org_id = (select o from private.my_org_ids('activity.read') o where private.has_feature(o, 'advanced_analytics')));

alter table public.customer_totals enable row level security;
grant select on public.customer_totals to authenticated;
grant select, insert, update, delete on public.customer_totals to service_role;
create policy "Members read the totals of customers" on public.customer_totals
  for select to authenticated using (org_id = (select private.my_org_ids('customers.read')));

alter table public.campaign_reward_totals enable row level security;
grant select on public.campaign_reward_totals to authenticated;
grant select, insert, update, delete on public.campaign_reward_totals to service_role;
create policy "Members read the totals of campaigns' rewards" on public.campaign_reward_totals
  for select to authenticated using (org_id = (select private.my_org_ids('activity.read')));

alter table private.folded_campaigns enable row level security;

alter table private.folded_days enable row level security;

alter table private.folded_store_days enable row level security;

alter table private.folded_store_months enable row level security;

alter table private.folded_reward_months enable row level security;

alter table private.folded_costs enable row level security;

alter table private.repriced_rewards enable row level security;
