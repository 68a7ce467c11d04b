-- Why: a screen that adds up a whole life read a row for each campaign and day of it, so that a merchant of three years
-- waited longer than one of three weeks. A day that is over changes no more: its shards become one row, and what they held
-- is added to a row for the campaign's whole life and to one for the organisation's day. Whatever comes late for such a
-- day lands in a shard again, and is folded like the rest (decision 026).

-- The last shard is that of days that are settled: no connection counts into it.
alter table public.campaign_daily_stats
  drop constraint campaign_daily_stats_shard_check,
  add constraint campaign_daily_stats_shard_check check (shard between 0 and 16);
comment on column public.campaign_daily_stats.shard is
  'Which part of the day''s figures: 0 to 15 are counted into, 16 holds what fold_days has settled.';

-- Few rows, wherever they are in time. Days of an organisation are read from folded_days.
create index campaign_daily_stats_open_idx on public.campaign_daily_stats (org_id, campaign_id, day) where shard < 16;
drop index public.campaign_daily_stats_org_day_idx;

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
  primary key (org_id, campaign_id, store_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade
) with (fillfactor = 60);
alter table private.folded_campaigns enable row level security;
comment on table private.folded_campaigns is
  'Sum of a campaign''s settled days at a store. private.campaign_figures_now() adds what is not settled.';
comment on column private.folded_campaigns.org_id is 'Organisation.';
comment on column private.folded_campaigns.campaign_id is 'Campaign.';
comment on column private.folded_campaigns.store_id is 'Store of the campaign at the time.';

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
  primary key (org_id, day)
) with (fillfactor = 60);
alter table private.folded_days enable row level security;
comment on table private.folded_days is
  'Sum of a settled day over an organisation''s campaigns. private.day_figures_now() adds what is not settled.';
comment on column private.folded_days.org_id is 'Organisation.';
comment on column private.folded_days.day is 'Day in the store''s time zone.';
do $$
declare
  v_table text;
  v_column text;
begin
  foreach v_table in array array['folded_campaigns', 'folded_days'] loop
    foreach v_column in array array['scans', 'reviews', 'rating_sum', 'one_star_reviews', 'two_star_reviews',
      'three_star_reviews', 'four_star_reviews', 'five_star_reviews', 'public_clicks', 'spins', 'wins', 'redemptions']
    loop
      execute format('comment on column private.%I.%I is %L', v_table, v_column, 'As in campaign_daily_stats.');
    end loop;
  end loop;
end;
$$;

create function private.fold_days(p_limit integer) returns integer
language plpgsql volatile
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
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
    select t.org_id, t.campaign_id, t.day, 16, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions)
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
      redemptions = d.redemptions + excluded.redemptions
  ), campaigns as (
    insert into private.folded_campaigns as c
      (org_id, campaign_id, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
    select t.org_id, t.campaign_id, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions)
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
      redemptions = c.redemptions + excluded.redemptions
  ), days as (
    insert into private.folded_days as f
      (org_id, day, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
    select t.org_id, t.day, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions)
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
      redemptions = f.redemptions + excluded.redemptions
  )
  select count(*) into v_count from taken;
  return v_count;
end;
$$;
comment on function private.fold_days(integer) is
  'Job: days that are over in their store''s time zone become one row each, and part of the sums of campaigns and of '
  'organisations'' days (decision 026).';
insert into private.jobs (name, run_every) values ('fold_days', interval '10 minutes');

create function private.campaign_figures_now(p_org_id uuid)
returns table (
  campaign_id uuid, store_id uuid, scans integer, reviews integer, rating_sum integer, one_star_reviews integer,
  two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer,
  public_clicks integer, spins integer, wins integer, redemptions integer
)
language sql stable
as $$
  select f.campaign_id, f.store_id, f.scans, f.reviews, f.rating_sum, f.one_star_reviews, f.two_star_reviews,
    f.three_star_reviews, f.four_star_reviews, f.five_star_reviews, f.public_clicks, f.spins, f.wins, f.redemptions
  from private.folded_campaigns f where f.org_id = p_org_id
  union all
  select d.campaign_id, d.store_id, d.scans, d.reviews, d.rating_sum, d.one_star_reviews, d.two_star_reviews,
    d.three_star_reviews, d.four_star_reviews, d.five_star_reviews, d.public_clicks, d.spins, d.wins, d.redemptions
  from public.campaign_daily_stats d where d.org_id = p_org_id and d.shard < 16;
$$;
comment on function private.campaign_figures_now(uuid) is
  'Figures of the whole lives of an organisation''s campaigns, by store, at this instant: sum over the rows. Planned as part '
  'of the query that calls it.';

create function private.day_figures_now(p_org_id uuid, p_from date, p_to date)
returns table (
  day date, scans integer, reviews integer, rating_sum integer, one_star_reviews integer,
  two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer,
  public_clicks integer, spins integer, wins integer, redemptions integer
)
language sql stable
as $$
  select f.day, f.scans, f.reviews, f.rating_sum, f.one_star_reviews, f.two_star_reviews,
    f.three_star_reviews, f.four_star_reviews, f.five_star_reviews, f.public_clicks, f.spins, f.wins, f.redemptions
  from private.folded_days f where f.org_id = p_org_id and f.day >= p_from and f.day < p_to
  union all
  select d.day, d.scans, d.reviews, d.rating_sum, d.one_star_reviews, d.two_star_reviews,
    d.three_star_reviews, d.four_star_reviews, d.five_star_reviews, d.public_clicks, d.spins, d.wins, d.redemptions
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_to;
$$;
comment on function private.day_figures_now(uuid, date, date) is
  'Figures of an organisation''s days from one up to another, which is left out, at this instant: sum over the rows of a '
  'day. Planned as part of the query that calls it.';

create or replace function private.monthly_spins_used(p_org_id uuid, p_day date) returns integer
language plpgsql stable
as $$
declare
  v_from constant date := date_trunc('month', p_day)::date;
  v_to constant date := (date_trunc('month', p_day) + interval '1 month')::date;
begin
  -- Not through day_figures_now: the draw asks this, and may know of turns alone.
  return coalesce((
    select sum(f.spins) from private.folded_days f
    where f.org_id = p_org_id and f.day >= v_from and f.day < v_to
  ), 0) + coalesce((
    select sum(d.spins) from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= v_from and d.day < v_to
  ), 0);
end;
$$;

-- What happened before days were settled.
select private.fold_days(2000000000);
