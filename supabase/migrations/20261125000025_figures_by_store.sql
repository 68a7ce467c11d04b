-- Why: a dashboard added up 3,000 rows of campaigns' days for its revenue, as many for three public pages, and 9,000 of
-- rewards' days for their cost. Days of stores and of costs are folded as days of organisations are.

set check_function_bodies = off;

drop index public.campaign_daily_stats_org_store_idx;
drop index public.campaign_daily_stats_settled_idx;
drop index public.reward_daily_stats_used_idx;
drop function private.next_steps(uuid, date);
drop function private.unseen_reviews(uuid);

create index campaign_daily_stats_open_store_idx on public.campaign_daily_stats (org_id, store_id, day) where shard < 16;

alter table public.reward_totals add column best_day integer not null default 0;
comment on column public.reward_totals.best_day is 'Most wins of a day, as last folded.';

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

-- What used rewards cost: the value that each has now, whenever it was used. A row a day, where the days of hundreds of
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

alter table private.folded_store_days enable row level security;
alter table private.folded_costs enable row level security;
alter table private.repriced_rewards enable row level security;

CREATE OR REPLACE FUNCTION private.words(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(p_text) = length(p_text)) THEN TRIM(BOTH '-'::text FROM regexp_replace(lower((p_text COLLATE "C")), '[^a-z0-9]+'::text, '-'::text, 'g'::text)) WHEN (octet_length(translate(p_text, 'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ’«»–—…'::text, 'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuyy------'::text)) = length(p_text)) THEN TRIM(BOTH '-'::text FROM regexp_replace(lower((translate(p_text, 'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ’«»–—…'::text, 'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuyy------'::text) COLLATE "C")), '[^a-z0-9]+'::text, '-'::text, 'g'::text)) WHEN private.has_other_script(p_text) THEN private.other_script_words(p_text) ELSE private.slugify(p_text) END;

CREATE OR REPLACE FUNCTION private.cost_now(p_org_id uuid, p_from date, p_until date, OUT cost numeric, OUT unpriced bigint)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(sum(d.cost), 0), coalesce(sum(d.unpriced), 0)
  from (
    select c.cost, c.unpriced from private.folded_costs c
    where c.org_id = p_org_id and c.day >= p_from and c.day < p_until
    union all
    select f.redemptions * coalesce(r.value, 0), f.redemptions * (r.value is null)::integer
    from private.recent_figures f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    where f.org_id = p_org_id and f.redemptions <> 0 and f.day >= p_from and f.day < p_until
    union all
    -- What the team gave is few, and costs as much.
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
$function$;

CREATE OR REPLACE FUNCTION private.fold_days(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
        free_spins, free_wins, free_redemptions)
    select t.org_id, t.campaign_id, t.day, 16, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions)
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
      free_redemptions = d.free_redemptions + excluded.free_redemptions
  ), campaigns as (
    insert into private.folded_campaigns as c
      (org_id, campaign_id, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions)
    select t.org_id, t.campaign_id, t.store_id, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions)
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
      free_redemptions = c.free_redemptions + excluded.free_redemptions
  ), days as (
    insert into private.folded_days as f
      (org_id, day, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
        three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
        free_spins, free_wins, free_redemptions)
    select t.org_id, t.day, sum(t.scans), sum(t.reviews), sum(t.rating_sum),
      sum(t.one_star_reviews), sum(t.two_star_reviews), sum(t.three_star_reviews), sum(t.four_star_reviews),
      sum(t.five_star_reviews), sum(t.public_clicks), sum(t.spins), sum(t.wins), sum(t.redemptions),
      sum(t.free_spins), sum(t.free_wins), sum(t.free_redemptions)
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
      free_redemptions = f.free_redemptions + excluded.free_redemptions
  ), store_days as (
    insert into private.folded_store_days as f (org_id, store_id, day, scans, reviews, spins, redemptions)
    select t.org_id, t.store_id, t.day, sum(t.scans), sum(t.reviews), sum(t.spins), sum(t.redemptions)
    from taken t group by t.org_id, t.store_id, t.day order by t.org_id, t.store_id, t.day
    on conflict (org_id, store_id, day) do update set
      scans = f.scans + excluded.scans,
      reviews = f.reviews + excluded.reviews,
      spins = f.spins + excluded.spins,
      redemptions = f.redemptions + excluded.redemptions
  )
  select count(*) into v_count from taken;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.fold_figures(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
    -- Somebody whom a refused turn made and took away again is nothing to write down.
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
$function$;

CREATE OR REPLACE FUNCTION private.fold_values(p_limit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.has_store_history(p_org_id uuid, p_store_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from private.store_days_now(p_org_id, p_store_id, '-infinity', 'infinity'))
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    -- Whoever works there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id)
    or exists (select 1 from private.api_keys k where k.org_id = p_org_id and k.store_id = p_store_id
      and k.revoked_at is null);
$function$;

CREATE OR REPLACE FUNCTION private.keep_folded_value()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The row is written, whether it is there or not: whoever folds the value waits for this transaction, or is waited for.
  insert into private.repriced_rewards as p (org_id, reward_id, value) values (new.org_id, new.id, old.value)
  on conflict (org_id, reward_id) do update set value = p.value;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.low_stock(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded yet is one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, sum(f.wins) as wins from private.recent_figures f
    where f.org_id = p_org_id and f.reward_id is not null and f.day is not null
    group by f.reward_id, f.day
  ), candidates as materialized (
    -- Few, or at most eight of its best days: no week, wherever its days began, had more. Few are looked at any closer.
    select r.id, r.name, r.stock, r.campaign_id
    from public.rewards r
    left join public.reward_totals t on t.org_id = p_org_id and t.reward_id = r.id
    left join (select f.reward_id, sum(f.wins) as wins from recent f group by f.reward_id) n on n.reward_id = r.id
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      and (r.stock <= 5 or r.stock <= 8 * coalesce(t.best_day, 0) + coalesce(n.wins, 0))
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from candidates r
    join public.campaigns c on c.org_id = p_org_id and c.id = r.campaign_id and c.active
      and (c.ends_at is null or c.ends_at > now())
    join public.stores s on s.org_id = p_org_id and s.id = c.store_id
    -- Few, or gone in a week at the pace of the last one, whose days are those of the store.
    where r.stock <= 5 or r.stock <= (
        select coalesce(sum(d.wins), 0)
        from (
          select f.wins from public.reward_daily_stats f
          where f.org_id = p_org_id and f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
          union all
          select f.wins from recent f where f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
        ) d)
    order by r.stock, r.name, r.id limit 3
  ) low;
$function$;

CREATE OR REPLACE FUNCTION private.next_steps(p_org_id uuid, p_today date, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with active as (
    select c.*, c.ends_at is not null and c.ends_at <= now() as is_over
    from public.campaigns c where c.org_id = p_org_id and c.active
  )
  select jsonb_build_object(
    'unseen_reviews', private.unseen_reviews(p_org_id, p_is_named),
    'low_stock', private.low_stock(p_org_id),
    'over_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name) from active c
      where not exists (select 1 from active other where not other.is_over)
      order by c.ends_at desc, c.id limit 1),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'timezone', s.timezone)
      from active c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      where not c.is_over and c.id not in (
        select r.campaign_id from public.rewards r
        where r.org_id = p_org_id and r.active and r.archived_at is null and r.campaign_id is not null)
      -- What customers meet today comes first.
      order by coalesce(c.starts_at > now(), false), c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (select 1 from active c where c.store_id = s.id and not c.is_over)
      order by s.created_at, s.id limit 1));
$function$;

CREATE OR REPLACE FUNCTION private.period(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Materialized: as a subquery it would be asked once for each of its parts.
  with r as materialized (
    select private.recent_days(p_org_id, p_to, p_to - p_from + 1, p_to + 1) as recent
  )
  select jsonb_build_object('totals', r.recent -> 'totals', 'previous', r.recent -> 'previous',
    'days', r.recent -> 'days', 'funnel', r.recent -> 'funnel',
    'return', private.period_return(p_org_id, p_from, p_to + 1))
  from r;
$function$;

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with stores as materialized (
    select s.id as store_id, v.visits, s.name, s.average_basket
    from public.stores s
    cross join lateral (
      select sum(d.redemptions) as visits from private.store_days_now(p_org_id, s.id, p_from, p_until) d
    ) v
    where s.org_id = p_org_id and v.visits <> 0
  ), prizes as (
    select c.cost, c.unpriced from private.cost_now(p_org_id, p_from, p_until) c
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'cost', (select p.cost from prizes p), 'unpriced', (select p.unpriced from prizes p),
    'stores', (select count(*) from stores),
    -- Where the figure is not known comes first: it is what one has to fill in.
    'baskets', coalesce((
      select jsonb_agg(jsonb_build_object('id', v.store_id, 'name', v.name, 'average_basket', v.average_basket,
        'visits', v.visits) order by v.average_basket is not null, v.visits desc, v.name, v.store_id)
      from (
        select * from stores v order by v.average_basket is not null, v.visits desc, v.name, v.store_id limit 5
      ) v), '[]'::jsonb),
    'plan', (
      select jsonb_build_object('plan', s.plan, 'billing', s.billing)
      from public.subscriptions s where s.org_id = p_org_id));
$function$;

CREATE OR REPLACE FUNCTION private.public_rating(p_org_id uuid, p_store_id uuid, p_points integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
      select coalesce(sum(d.reviews), 0) as reviews from private.store_days_now(p_org_id, p_store_id, n.since + 1, n.day + 1) d
    ) c
  )
  select jsonb_build_object(
    'first', (select jsonb_build_object('day', f.day, 'rating', f.rating, 'reviews', f.reviews) from first f),
    'collected', coalesce((
      select p.collected + coalesce(sum(d.reviews), 0)
      from (select p.day, p.collected from points p order by p.day desc limit 1) p
      left join lateral private.store_days_now(p_org_id, p_store_id, p.day + 1, 'infinity') d on true
      group by p.collected), 0),
    'points', coalesce((
      select jsonb_agg(jsonb_build_object('day', p.day, 'rating', p.rating, 'reviews', p.reviews,
        'collected', p.collected) order by p.day)
      from points p), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.public_ratings(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.store_days_now(p_org_id uuid, p_store_id uuid, p_from date, p_until date)
 RETURNS TABLE(day date, scans integer, reviews integer, spins integer, redemptions integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT f.day,
     f.scans,
     f.reviews,
     f.spins,
     f.redemptions
    FROM private.folded_store_days f
   WHERE ((f.org_id = store_days_now.p_org_id) AND (f.store_id = store_days_now.p_store_id) AND (f.day >= store_days_now.p_from) AND (f.day < store_days_now.p_until))
 UNION ALL
  SELECT d.day,
     d.scans,
     d.reviews,
     d.spins,
     d.redemptions
    FROM campaign_daily_stats d
   WHERE ((d.org_id = store_days_now.p_org_id) AND (d.store_id = store_days_now.p_store_id) AND (d.shard < 16) AND (d.day >= store_days_now.p_from) AND (d.day < store_days_now.p_until));
END;

CREATE OR REPLACE FUNCTION private.unseen_reviews(p_org_id uuid, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '7 days'
    order by r.created_at desc, r.id desc limit 100
  ), reader as materialized (
    -- Asked once, and only where there is a review.
    select p_org_id in (select private.my_org_ids('codes.read')) as sees_codes
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', case when p_is_named and reader.sees_codes then r.id else private.alias_of(r.id) end,
        'at', r.created_at, 'rating', r.rating, 'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when p_is_named then r.customer_id end,
        'name', case when p_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'text', case when p_is_named then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      cross join reader), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.has_prize(p_org_id uuid, p_campaign_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- A wheel that was drawn tells by its segments: a list asks for twenty, and made twenty wheels.
  select case when exists (select from public.wheel_segments s where s.campaign_id = p_campaign_id) then exists (
      select from public.wheel_segments s
      join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
      where s.campaign_id = p_campaign_id and s.weight > 0 and r.active and r.archived_at is null and r.stock <> 0)
    else (
      select not w.is_example and exists (
        select 1 from unnest(w.reward_ids, w.weights, w.is_drawable) as t (reward_id, weight, is_drawable)
        where t.reward_id is not null and t.weight > 0 and t.is_drawable)
      from private.wheel(p_org_id, p_campaign_id, null) w)
    end;
$function$;

CREATE OR REPLACE FUNCTION private.find_reviews(p_org_id uuid, p_search text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_most constant integer := 300;
  v_pattern constant text := private.search_pattern(p_search);
  v_filters constant jsonb := jsonb_build_object('search', p_search);
  v_by_words uuid[];
begin
  -- PostgreSQL keeps no statistics for a partial index: how frequent a word is, the newest reviews tell. What three in a
  -- hundred of them say is found sooner by date than among all that the index of words would bring.
  if (
    select count(*) from (
      select r.review_text from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most
    ) newest where private.review_words(newest.review_text) like v_pattern
  ) * 100 >= 3 * v_most then
    v_by_words := array(
      select r.id from public.pre_spin_reviews r
      -- Not as the index has it, which would be asked.
      where r.org_id = p_org_id and r.review_text is not null and private.review_words(r.review_text) || '' like v_pattern
      order by r.created_at desc limit v_most);
  else
    v_by_words := array(
      select r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null and private.review_words(r.review_text) like v_pattern
      order by r.created_at desc limit v_most);
  end if;
  return array(
    select unnest(v_by_words)
    union
    (
      select r.id
      from (
        select c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
        order by c.created_at desc, c.id desc limit v_most
      ) c
      cross join lateral (
        select o.id from public.pre_spin_reviews o
        where o.org_id = p_org_id and o.customer_id = c.id order by o.created_at desc limit 20
      ) r
    ));
end;
$function$;

CREATE OR REPLACE FUNCTION public.dashboard(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_today date;
  v_recent jsonb;
  v_is_named boolean;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
  v_is_named := private.may_name_customers(p_org_id);
  v_recent := private.recent_days(p_org_id, v_today);
  return jsonb_build_object(
    'limits', coalesce(
      (select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
         'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
       from public.subscriptions s join public.plan_limits l on l.plan = s.plan where s.org_id = p_org_id),
      '{"max_active_campaigns": 1, "monthly_spins": 100, "max_users": 2}'::jsonb),
    'used', jsonb_build_object(
      'active_campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
      'monthly_spins', v_recent -> 'monthly_spins',
      'users', private.users_used(p_org_id)),
    'totals', private.organization_totals(p_org_id),
    'last_30_days', v_recent -> 'totals',
    'previous_30_days', v_recent -> 'previous',
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
    'todo', private.next_steps(p_org_id, v_today, v_is_named),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel',
      'return', private.period_return(p_org_id, v_today - 29, 'infinity')) end,
    'activity', private.recent_activity(p_org_id, v_is_named),
    'public_ratings', private.public_ratings(p_org_id),
    'reviews', case when p_org_id = any (array(select private.my_org_ids('reviews.read')))
      then private.latest_words(p_org_id, v_is_named) end,
    'active_campaigns', coalesce(
      (select jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name,
         'active', true, 'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'scans', (
         select coalesce(sum(f.scans), 0) from private.campaign_figures_now(p_org_id) f
         where f.campaign_id = shown.id)) order by shown.created_at desc, shown.id)
       from (
         select c.* from public.campaigns c
         where c.org_id = p_org_id and c.active order by c.created_at desc, c.id limit 2
       ) shown),
      '[]'::jsonb)
  );
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_inbox(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  v_user_id constant uuid := (select private.my_user_id());
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_is_search constant boolean := private.query_words(v_filters ->> 'search') is not null;
  v_is_back boolean := p_before is not null;
  v_is_named boolean;
  v_found uuid[];
  v_at timestamptz;
  v_id uuid;
  v_ids uuid[];
  v_has_more boolean;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('reviews.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := private.may_name_customers(p_org_id);
  if v_is_search then
    v_found := case when v_is_named then private.find_reviews(p_org_id, v_filters ->> 'search') else '{}' end;
  end if;
  select r.created_at, r.id into v_at, v_id
  from private.review_id_of(array[p_org_id], coalesce(p_before, p_after)) n
  join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id;

  -- One more than is shown tells whether the list goes on in that direction.
  if v_is_back and v_at is not null then
    select array_agg(p.id order by p.created_at, p.id) into v_ids from (
      select r.created_at, r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, v_filters, v_user_id)
        and (v_found is null or r.id = any (v_found))
        and r.created_at >= v_at and (r.created_at, r.id) > (v_at, v_id)
      order by r.created_at, r.id limit v_page_size + 1
    ) p;
    v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;
  end if;
  -- A page before which nothing stands is the first one, and shows all of it.
  if v_at is null or (v_is_back and not v_has_more) then
    v_is_back := false;
    v_at := null;
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select r.created_at, r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, v_filters, v_user_id)
        and (v_found is null or r.id = any (v_found))
      order by r.created_at desc, r.id desc limit v_page_size + 1
    ) p;
  elsif not v_is_back then
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select r.created_at, r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, v_filters, v_user_id)
        and (v_found is null or r.id = any (v_found))
        and r.created_at <= v_at and (r.created_at, r.id) < (v_at, v_id)
      order by r.created_at desc, r.id desc limit v_page_size + 1
    ) p;
  end if;
  v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;

  return jsonb_build_object(
    'has_previous', case when v_is_back then v_has_more else v_at is not null end,
    'has_next', v_is_back or v_has_more,
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'campaigns', coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'is_erased', r.customer_id is null,
        'store', s.name, 'campaign', c.name, 'state', private.review_state(r), 'is_seen', r.seen_at is not null,
        'assignee', case when r.assigned_to is not null then private.user_name(r.assigned_to) end,
        'is_mine', coalesce(r.assigned_to = v_user_id, false),
        'writer', case when r.claimed_by is not null and private.is_claimed(r, v_user_id)
          then private.user_name(r.claimed_by) end)
        order by r.created_at desc, r.id desc)
      from public.pre_spin_reviews r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
      where r.org_id = p_org_id and r.id = any (v_ids[1:v_page_size])
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_stats(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_store public.stores;
  v_today date;
  v_figures jsonb;
begin
  select * into v_store from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('activity.read')));
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
        'ends_at', c.ends_at, 'scans', f.scans,
        'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
      from (
        select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
        from private.campaign_figures_now(v_store.org_id) d where d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.period_figures(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read')))
    or not private.has_feature(p_org_id, 'advanced_analytics') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- « is not true »: a comparison with null is neither.
  if (p_from > '2000-01-01' and p_to < '2200-01-01' and p_to - p_from between 0 and 365) is not true then
    raise exception 'period_invalid' using errcode = '22023';
  end if;
  return private.period(p_org_id, p_from, p_to);
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,store,scans,reviews,spins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_matches integer;
  v_page integer;
  v_items jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
    and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'slug', shown.slug, 'active', shown.active,
    'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'created_at', shown.created_at,
    'archived_at', shown.archived_at, 'store_id', shown.store_id, 'store_name', shown.store_name,
    'timezone', shown.timezone,
    'rewards', (select count(*) from public.rewards r where r.campaign_id = shown.id),
    'has_prize', private.has_prize(p_org_id, shown.id),
    'has_history', private.has_campaign_history(p_org_id, shown.id),
    'scans', f.scans, 'reviews', f.reviews, 'spins', f.spins,
    'redemptions', f.redemptions) order by shown.place), '[]'::jsonb)
  into v_items
  from (
    select c.*, s.name as store_name, s.timezone, row_number() over (order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, c.created_at desc, c.id) as place
    from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    left join (
      select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins,
        sum(d.redemptions) as redemptions
      from private.campaign_figures_now(p_org_id) d
      where v_key in ('scans', 'reviews', 'spins', 'redemptions') group by d.campaign_id
    ) t on t.campaign_id = c.id
    cross join lateral (
      select case v_key when 'name' then private.words(c.name) when 'store' then private.words(s.name) end as word,
        case v_key
          when 'scans' then coalesce(t.scans, 0)
          when 'reviews' then coalesce(t.reviews, 0)
          when 'spins' then coalesce(t.spins, 0)
          when 'redemptions' then coalesce(t.redemptions, 0)
          when 'created_at' then extract(epoch from c.created_at)
        end as number
    ) k
    where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
      and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern)
    order by place
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral (
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d where d.campaign_id = shown.id
  ) f;

  return jsonb_build_object(
    'total', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is null),
    'active', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
    'archived', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is not null),
    'figures', private.organization_totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_nothing constant jsonb := '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0, "public_clicks": 0,
    "spins": 0, "wins": 0, "redemptions": 0}';
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,scans,reviews,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches from public.stores s
  where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
    and (v_pattern is null or private.words(s.name) like v_pattern or private.words(s.address) like v_pattern);
  -- A page that is no more, because stores went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  -- By store, and of all stores where there is none.
  select jsonb_object_agg(coalesce(f.store_id::text, ''), jsonb_build_object('scans', f.scans, 'reviews', f.reviews,
    'rating_sum', f.rating_sum, 'five_star_reviews', f.five_star_reviews, 'public_clicks', f.public_clicks,
    'spins', f.spins, 'wins', f.wins, 'redemptions', f.redemptions))
  into v_figures
  from (
    select d.store_id, coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.five_star_reviews), 0) as five_star_reviews,
      coalesce(sum(d.public_clicks), 0) as public_clicks, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.store_id))
  ) f;

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'address', shown.address, 'review_mode', shown.review_mode,
    'timezone', shown.timezone, 'created_at', shown.created_at, 'archived_at', shown.archived_at,
    'active_campaigns', (select count(*) from public.campaigns c
      where c.org_id = p_org_id and c.store_id = shown.id and c.active),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = shown.id),
    'slug', door.slug, 'closed', door.closed, 'has_history', private.has_store_history(p_org_id, shown.id),
    'figures', coalesce(v_figures -> shown.id::text, v_nothing)) order by shown.place), '[]'::jsonb)
  into v_items
  from (
    select s.*, row_number() over (order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, s.created_at desc, s.id) as place
    from public.stores s
    cross join lateral (
      select case v_key when 'name' then private.words(s.name) end as word, case
        when v_key in ('scans', 'reviews') then coalesce((v_figures -> s.id::text ->> v_key)::numeric, 0)
        when v_key = 'created_at' then extract(epoch from s.created_at)
      end as number
    ) k
    where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
      and (v_pattern is null or private.words(s.name) like v_pattern or private.words(s.address) like v_pattern)
    order by place
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral private.store_entry(p_org_id, shown.id) door;

  return jsonb_build_object(
    'total', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is null),
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and exists (
        select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id and c.active)),
    'archived', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is not null),
    'figures', v_figures -> '',
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(select c.id from public.campaigns c where c.org_id = p_org_id and private.words(c.name) like v_pattern);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null),
    coalesce(array_agg(r.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, r.created_at desc, r.id) filter (
      where (r.archived_at is not null) = v_is_archived
        and (v_pattern is null or r.campaign_id = any (v_campaigns) or private.words(r.name) like v_pattern)), '{}')
  into v_total, v_archived, v_ids
  from public.rewards r
  left join (
    select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
    from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions') group by t.reward_id
  ) f on f.reward_id = r.id
  cross join lateral (
    select case v_key when 'name' then private.words(r.name) end as word, case v_key
      -- What never runs out is the most.
      when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
      when 'wins' then coalesce(f.wins, 0)::double precision
      when 'redemptions' then coalesce(f.redemptions, 0)::double precision
      when 'created_at' then extract(epoch from r.created_at)::double precision
    end as number
  ) k
  where r.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  -- A page that is no more, because rewards went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'archived_at', r.archived_at,
      'segments', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id)
        and not exists (select 1 from public.wheel_segments w
          where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      'is_won', coalesce(f.wins > 0, false) or private.is_given(p_org_id, r.id),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_stats(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_totals jsonb;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  v_totals := private.campaign_totals(v_campaign.org_id, p_campaign_id);
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'name', v_campaign.name, 'active', v_campaign.active,
      'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at,
      'has_prize', private.has_prize(v_campaign.org_id, p_campaign_id)),
    'totals', v_totals - '{free_spins,free_wins,free_redemptions}'::text[],
    'reviews', private.campaign_reviews(
      v_campaign.org_id, p_campaign_id, private.may_name_customers(v_campaign.org_id)),
    'top_rewards', private.campaign_top_rewards(v_campaign.org_id, p_campaign_id),
    'advanced', case when private.has_feature(v_campaign.org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.campaign_days(v_campaign.org_id, p_campaign_id, private.now_in(v_store.timezone)::date),
      'funnel', private.funnel(v_totals),
      'return', private.campaign_cost(v_campaign.org_id, p_campaign_id) || jsonb_build_object(
        'store_id', v_store.id, 'average_basket', v_store.average_basket,
        'visits', v_totals -> 'redemptions')) end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_stats(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_reward public.rewards;
  v_campaign_name text;
  v_today date;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select c.name, private.now_in(s.timezone)::date into v_campaign_name, v_today
  from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = v_reward.org_id and c.id = v_reward.campaign_id;
  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type,
      'stock', v_reward.stock, 'campaign_name', v_campaign_name),
    'advanced', case when private.has_feature(v_reward.org_id, 'advanced_analytics') then jsonb_build_object(
      'figures', private.reward_figures(v_reward.org_id, p_id),
      'counts', private.code_counts(v_reward.org_id, p_id),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'wins', coalesce(f.wins, 0),
          'redemptions', coalesce(f.redemptions, 0)) order by calendar.day)
        from generate_series(v_today - 89, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.wins) as wins, sum(d.redemptions) as redemptions
          from private.reward_days_now(v_reward.org_id) d
          where d.reward_id = p_id and d.day >= v_today - 89
          group by d.day
        ) f on f.day = calendar.day::date
      )) end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.team(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('team.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'members', private.team_members(p_org_id),
    'invitations', case when p_org_id in (select private.my_org_ids('team.manage'))
      then private.team_invitations(p_org_id) else '[]'::jsonb end,
    'roles', private.team_roles(p_org_id),
    'has_own_roles', private.has_feature(p_org_id, 'custom_roles'),
    'used', private.users_used(p_org_id),
    'limit', coalesce((select l.max_users from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                       where s.org_id = p_org_id), 2));
end;
$function$;

CREATE OR REPLACE FUNCTION public.find_anything(p_query text, p_limit integer DEFAULT 5)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_query constant text := left(btrim(coalesce(p_query, '')), 120);
  v_words constant text := '%' || private.words(v_query) || '%';
  v_limit constant integer := least(greatest(coalesce(p_limit, 5), 1), 10);
  v_found jsonb;
begin
  if private.words(v_query) = '' then
    return '[]'::jsonb;
  end if;
  -- Whoever lacks a permission has no organisation in that part. A user has one organisation at most.
  with found as (
    (select 1 as part, row_number() over (order by c.active desc, c.created_at desc, c.id) as place,
      'campaign' as kind, c.id, c.name as title, s.name as detail, null::uuid as parent_id
    from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = any (array(select private.my_org_ids('campaigns.read')))
      and private.words(c.name || ' ' || c.slug) like v_words
    order by place limit v_limit)
    union all
    (select 2, row_number() over (), 'customer', f.id, f.title, f.detail, null
    from private.my_org_ids('customers.read') o cross join lateral private.find_customers(o, v_query, v_limit) f)
    union all
    (select 3, row_number() over (), 'code', f.id, f.title, f.detail, f.parent_id
    from private.my_org_ids('codes.read') o
    cross join lateral private.find_codes(o, v_query, v_limit, private.may_name_customers(o)) f)
    union all
    (select 4, row_number() over (order by r.active desc, r.created_at desc, r.id) as place,
      'reward', r.id, r.name, c.name, null
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = any (array(select private.my_org_ids('rewards.read')))
      and r.archived_at is null and private.words(r.name) like v_words
    order by place limit v_limit)
    union all
    (select 5, row_number() over (order by s.created_at desc, s.id) as place, 'store', s.id, s.name, s.address, null
    from public.stores s
    where s.org_id = any (array(select private.my_org_ids('stores.read')))
      and s.archived_at is null and private.words(s.name || ' ' || s.address) like v_words
    order by place limit v_limit)
  )
  select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'id', f.id, 'title', f.title, 'detail', f.detail,
    'parent_id', f.parent_id) order by f.part, f.place), '[]'::jsonb)
  into v_found from found f;
  return v_found;
end;
$function$;

create trigger keep_folded_value after update of value on public.rewards
  for each row when (old.value is distinct from new.value) execute function private.keep_folded_value();

comment on function private.cost_now(uuid, date, date) is
  'What an organisation''s used rewards cost from one day up to another, which is left out, each at the value that it has at '
  'this instant, and uses of rewards without a value.';
comment on function private.fold_days(integer) is
  'Job: days that are over in their store''s time zone become one row each, and part of the sums of campaigns and of '
  'organisations'' and stores'' days (decision 001).';
comment on function private.fold_figures(integer) is
  'Job: folds recent events into the figures of rewards and customers, and changed values into their cost (decision 001).';
comment on function private.fold_values(integer) is
  'Part of fold_figures: folded_costs takes over the values that changed.';
comment on function private.keep_folded_value() is
  'Keeps the value at which folded_costs counts a reward, until fold_values has counted it anew.';
comment on function private.store_days_now(uuid, uuid, date, date) is
  'Figures of a store''s days from one up to another, which is left out, at this instant: sum over the rows of a day. Planned '
  'as part of the query that calls it.';
comment on function private.next_steps(uuid, date, boolean) is
  'What deserves a merchant''s attention: bad reviews that nobody has seen, rewards that run out, that every active campaign '
  'is over, a campaign that runs or is about to, in which nothing can be won, and a store with one that has no public '
  'reviews page. Whose the reviews are where asked.';
comment on function private.unseen_reviews(uuid, boolean) is
  'The newest 3 reviews of 3 stars or fewer within 7 days that nobody marked as seen, and how many there are, counted up to '
  '100. Who wrote them, and the beginning of their words (400 characters), where asked; under an alias for '
  'whoever may not see codes.';

-- Nobody folds or counts meanwhile: what is folded now is what the new sums begin with.
do $fold$
begin
  lock table public.campaign_daily_stats, public.reward_daily_stats, public.reward_totals in share mode;

  insert into private.folded_store_days (org_id, store_id, day, scans, reviews, spins, redemptions)
  select d.org_id, d.store_id, d.day, sum(d.scans), sum(d.reviews), sum(d.spins), sum(d.redemptions)
  from public.campaign_daily_stats d where d.shard = 16
  group by d.org_id, d.store_id, d.day order by d.org_id, d.store_id, d.day;

  insert into private.folded_costs (org_id, day, cost, unpriced)
  select d.org_id, d.day, coalesce(sum(d.redemptions * r.value), 0),
    coalesce(sum(d.redemptions) filter (where r.value is null), 0)
  from public.reward_daily_stats d join public.rewards r on r.org_id = d.org_id and r.id = d.reward_id
  where d.redemptions <> 0
  group by d.org_id, d.day order by d.org_id, d.day;

  update public.reward_totals t set best_day = b.wins
  from (
    select d.org_id, d.reward_id, max(d.wins) as wins from public.reward_daily_stats d group by d.org_id, d.reward_id
  ) b
  where b.org_id = t.org_id and b.reward_id = t.reward_id;
end;
$fold$;
