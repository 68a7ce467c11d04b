-- Why: a year of a large organisation was read as thousands of days of its stores and rewards; whole months are one row each. Rewards
-- are counted and added up in one pass, and only those that are shown one by one.

set check_function_bodies = off;

CREATE TABLE "private"."folded_reward_months" ("org_id" uuid NOT NULL, "reward_id" uuid NOT NULL, "month" date NOT NULL, "redemptions" integer NOT NULL, CONSTRAINT "folded_reward_months_pkey" PRIMARY KEY (org_id, month, reward_id));

ALTER TABLE "private"."folded_reward_months" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."folded_reward_months" SET (fillfactor=60);

CREATE TABLE "private"."folded_store_months" ("org_id" uuid NOT NULL, "store_id" uuid NOT NULL, "month" date NOT NULL, "reviews" integer NOT NULL, "redemptions" integer NOT NULL, CONSTRAINT "folded_store_months_pkey" PRIMARY KEY (org_id, store_id, month));

ALTER TABLE "private"."folded_store_months" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."folded_store_months" SET (fillfactor=60);

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
$function$;

CREATE OR REPLACE FUNCTION private.last_page(p_page integer, p_rows integer, p_size integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN LEAST(GREATEST(COALESCE(p_page, 1), 1), GREATEST((ceil(((p_rows)::numeric / (p_size)::numeric)))::integer, 1));

CREATE OR REPLACE FUNCTION private.month_from(p_from date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((date_trunc('month'::text, ((p_from - 1))::timestamp without time zone) + '1 mon'::interval))::date;

CREATE OR REPLACE FUNCTION private.month_of(p_day date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (date_trunc('month'::text, (p_day)::timestamp without time zone))::date;

CREATE OR REPLACE FUNCTION private.folded_store_sums(p_org_id uuid, p_store_id uuid, p_from date, p_until date)
 RETURNS TABLE(reviews integer, redemptions integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT m.reviews,
     m.redemptions
    FROM private.folded_store_months m
   WHERE ((m.org_id = folded_store_sums.p_org_id) AND (m.store_id = folded_store_sums.p_store_id) AND (m.month >= private.month_from(folded_store_sums.p_from)) AND (m.month < private.month_of(folded_store_sums.p_until)) AND (private.month_from(folded_store_sums.p_from) < private.month_of(folded_store_sums.p_until)))
 UNION ALL
  SELECT d.reviews,
     d.redemptions
    FROM private.folded_store_days d
   WHERE ((d.org_id = folded_store_sums.p_org_id) AND (d.store_id = folded_store_sums.p_store_id) AND (d.day >= folded_store_sums.p_from) AND (d.day < LEAST(private.month_from(folded_store_sums.p_from), folded_store_sums.p_until)))
 UNION ALL
  SELECT d.reviews,
     d.redemptions
    FROM private.folded_store_days d
   WHERE ((d.org_id = folded_store_sums.p_org_id) AND (d.store_id = folded_store_sums.p_store_id) AND (d.day >= GREATEST(private.month_from(folded_store_sums.p_from), private.month_of(folded_store_sums.p_until))) AND (d.day < folded_store_sums.p_until) AND (GREATEST(private.month_from(folded_store_sums.p_from), private.month_of(folded_store_sums.p_until)) < folded_store_sums.p_until));
END;

CREATE OR REPLACE FUNCTION private.period_costs(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
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
      -- What the team gave costs as much.
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
      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'uses', t.uses, 'value', t.value, 'version', t.version)
        order by t.value is not null, t.uses * t.value desc, t.uses desc, t.name, t.id)
      from (
        select r.id, r.name, u.uses, r.value, r.version
        from used u join public.rewards r on r.org_id = p_org_id and r.id = u.reward_id
        order by r.value is not null, u.uses * r.value desc, u.uses desc, r.name, r.id limit 5
      ) t), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded is read once for all stores; of what is, each store's days stand side by side.
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
$function$;

CREATE OR REPLACE FUNCTION private.recent_days(p_org_id uuid, p_last date, p_days integer DEFAULT 30, p_until date DEFAULT 'infinity'::date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.store_reviews_now(p_org_id uuid, p_store_id uuid, p_from date, p_until date)
 RETURNS TABLE(reviews integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT f.reviews
    FROM private.folded_store_sums(store_reviews_now.p_org_id, store_reviews_now.p_store_id, store_reviews_now.p_from, store_reviews_now.p_until) f(reviews, redemptions)
 UNION ALL
  SELECT d.reviews
    FROM public.campaign_daily_stats d
   WHERE ((d.org_id = store_reviews_now.p_org_id) AND (d.store_id = store_reviews_now.p_store_id) AND (d.shard < 16) AND (d.day >= store_reviews_now.p_from) AND (d.day < store_reviews_now.p_until));
END;

CREATE OR REPLACE FUNCTION public.points_catalogue(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_balances bigint[];
  v_holders bigint[];
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Many customers have the same balance: each is divided once.
  select array_agg(h.balance), array_agg(h.holders) into v_balances, v_holders
  from (
    select c.balance, count(*) as holders
    from (
      select sum(l.remaining) as balance from public.points_ledger l
      where l.org_id = p_org_id and l.remaining > 0 and (l.expires_at is null or l.expires_at > now())
      group by l.customer_id
    ) c
    group by c.balance
  ) h;
  return jsonb_build_object(
    'owed', jsonb_build_object(
      'points', (select coalesce(sum(b * n), 0) from unnest(v_balances, v_holders) h (b, n)),
      'customers', (select coalesce(sum(n), 0) from unnest(v_holders) n),
      'codes', (select count(*) from public.points_spends s
        where s.org_id = p_org_id and s.status = 'available' and s.expires_at > now())),
    'earns', exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.type = 'points' and r.active and r.archived_at is null),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'version', r.version, 'name', r.name, 'translations', r.translations, 'cost', r.cost, 'stock', r.stock, 'active', r.active,
        -- Balances of several customers are not added up: each spends their own.
        'affordable', (select coalesce(sum(b / r.cost * n), 0) from unnest(v_balances, v_holders) h (b, n)),
        'spends', (select count(*) from public.points_spends s
          where s.org_id = p_org_id and s.points_reward_id = r.id and s.status <> 'expired'))
        order by r.cost, r.name, r.id)
      from public.points_rewards r where r.org_id = p_org_id), '[]'::jsonb));
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
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,rate,max,validity,state,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(
      select c.id from public.campaigns c where c.org_id = p_org_id and private.has_words(c.name, v_pattern, v_hint));
    v_shared := array(
      select distinct s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_campaigns) and s.reward_id is not null);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null)
  into v_total, v_archived
  from public.rewards r where r.org_id = p_org_id;
  v_matches := case when v_is_archived then v_archived else v_total end;
  if v_pattern is null and v_key is null then
    -- The newest stand first in an index.
    v_page := private.last_page(p_page, v_matches, v_page_size);
    v_ids := array(
      select r.id from public.rewards r
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
      order by r.created_at desc, r.id limit v_page_size offset (v_page - 1) * v_page_size);
  else
    with listed as materialized (
      select r.id, r.created_at, k.word, k.number
      from public.rewards r
      left join (
        select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
        from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions', 'rate') group by t.reward_id
      ) f on f.reward_id = r.id
      cross join lateral (
        select case v_key when 'name' then private.words(r.name) end as word, case v_key
          -- An unlimited stock sorts above every number.
          when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
          when 'wins' then coalesce(f.wins, 0)::double precision
          when 'redemptions' then coalesce(f.redemptions, 0)::double precision
          -- Points have no codes, and so no rate: they stand below all others.
          when 'rate' then case when r.type = 'points' then -1
            else coalesce(f.redemptions::double precision / nullif(f.wins, 0), 0) end
          when 'max' then r.max_per_user::double precision
          -- Points without a number of days have no end.
          when 'validity' then coalesce((r.metadata ->> 'validityDays')::double precision,
            case when r.type = 'points' then 'Infinity' else 30::double precision end)
          when 'state' then r.active::integer::double precision
          when 'created_at' then extract(epoch from r.created_at)::double precision
        end as number
      ) k
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived and (v_pattern is null
        or r.campaign_id = any (v_campaigns) or r.id = any (v_shared) or private.has_words(r.name, v_pattern, v_hint))
    )
    select n.matches, p.page, array(
        -- Only as many as are shown are put in order.
        select l.id from listed l
        order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
          case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
        limit v_page_size offset (p.page - 1) * v_page_size)
    into v_matches, v_page, v_ids
    from (select count(*) as matches from listed l) n
    cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;
  end if;

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t where t.reward_id = any (v_ids) group by t.reward_id
  ), given as materialized (
    select g.id from private.given_rewards(p_org_id, v_ids) g (id)
  ), drawn as materialized (
    select w.reward_id, count(*) as segments, array_agg(w.campaign_id) as campaigns
    from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = any (v_ids) group by w.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
      'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
     from private.reward_totals_now(p_org_id) t),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', coalesce(d.segments, 0),
      -- Few rewards have segments in a campaign that is not their own: only those ask for names.
      'shared_with', coalesce(case when r.campaign_id <> any (d.campaigns) then (
        select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id = any (d.campaigns)) end, '[]'::jsonb),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null and d.reward_id is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  left join drawn d on d.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

ALTER TABLE "private"."folded_reward_months" ADD CONSTRAINT "folded_reward_months_org_id_reward_id_fkey" FOREIGN KEY (org_id, reward_id) REFERENCES public.rewards(org_id, id) ON DELETE CASCADE;

ALTER TABLE "private"."folded_store_months" ADD CONSTRAINT "folded_store_months_org_id_fkey" FOREIGN KEY (org_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

CREATE INDEX folded_reward_months_reward_idx ON private.folded_reward_months USING btree (org_id, reward_id);

CREATE INDEX reward_daily_stats_day_idx ON public.reward_daily_stats USING btree (org_id, day);

COMMENT ON COLUMN "private"."folded_reward_months"."month" IS 'First day of the month.';

COMMENT ON COLUMN "private"."folded_reward_months"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."folded_reward_months"."redemptions" IS 'As in reward_daily_stats.';

COMMENT ON COLUMN "private"."folded_reward_months"."reward_id" IS 'Reward.';

COMMENT ON COLUMN "private"."folded_store_months"."month" IS 'First day of the month.';

COMMENT ON COLUMN "private"."folded_store_months"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."folded_store_months"."redemptions" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_store_months"."reviews" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_store_months"."store_id" IS 'Store of the campaigns at the time.';

COMMENT ON FUNCTION "private"."fold_days"(integer) IS 'Job: makes one row of each day that is over in its store''s time zone. Adds it to the sums of campaigns, of organisations'' and stores'' days and of stores'' months (decision 001).';

COMMENT ON FUNCTION "private"."folded_store_sums"(uuid, uuid, date, date) IS 'What is folded of a store''s days from one up to another, which is left out: sum over the rows, one for each whole month and one for each day beside them. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."last_page"(integer, integer, integer) IS 'A page of so many rows, from 1: one that is no more, because rows went meanwhile, is the last one.';

COMMENT ON FUNCTION "private"."month_from"(date) IS 'The first month that is whole from a day on. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."month_of"(date) IS 'First day of a day''s month. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."store_reviews_now"(uuid, uuid, date, date) IS 'Reviews of a store''s days from one up to another, which is left out, at this instant: sum over the rows. Planned as part of the query that calls it.';

COMMENT ON TABLE "private"."folded_reward_months" IS 'Sum of a reward''s folded days of a month, as reward_daily_stats has them.';

COMMENT ON TABLE "private"."folded_store_months" IS 'Sum of a store''s folded days of a month, as folded_store_days has them.';

REVOKE ALL ON FUNCTION "private"."folded_store_sums"(uuid, uuid, date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."last_page"(integer, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."month_from"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."month_of"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_reviews_now"(uuid, uuid, date, date) FROM PUBLIC;

-- Nobody folds meanwhile: what is folded now is what the months begin with.
do $fold$
begin
  lock table public.campaign_daily_stats, public.reward_daily_stats in share mode;

  insert into private.folded_store_months (org_id, store_id, month, reviews, redemptions)
  select d.org_id, d.store_id, private.month_of(d.day), sum(d.reviews), sum(d.redemptions)
  from private.folded_store_days d
  group by 1, 2, 3 order by 1, 2, 3;

  insert into private.folded_reward_months (org_id, reward_id, month, redemptions)
  select d.org_id, d.reward_id, private.month_of(d.day), sum(d.redemptions)
  from public.reward_daily_stats d where d.redemptions <> 0
  group by 1, 2, 3 order by 1, 3, 2;
end;
$fold$;
