-- Wins of points have no code: counted apart, they let rates of redemption be given with and without them.

set check_function_bodies = off;

DROP FUNCTION "private"."campaign_figures_now"(uuid);

DROP FUNCTION "private"."count_event"(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer, boolean);

DROP FUNCTION "private"."day_figures_now"(uuid, date, date);

ALTER TABLE "private"."folded_campaigns" ADD COLUMN "points_wins" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."folded_days" ADD COLUMN "points_wins" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."campaign_daily_stats" ADD COLUMN "points_wins" integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION private.campaign_figures_now(p_org_id uuid)
 RETURNS TABLE(campaign_id uuid, store_id uuid, scans integer, reviews integer, rating_sum integer, one_star_reviews integer, two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer, public_clicks integer, spins integer, wins integer, redemptions integer, free_spins integer, free_wins integer, free_redemptions integer, points_wins integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT f.campaign_id,
     f.store_id,
     f.scans,
     f.reviews,
     f.rating_sum,
     f.one_star_reviews,
     f.two_star_reviews,
     f.three_star_reviews,
     f.four_star_reviews,
     f.five_star_reviews,
     f.public_clicks,
     f.spins,
     f.wins,
     f.redemptions,
     f.free_spins,
     f.free_wins,
     f.free_redemptions,
     f.points_wins
    FROM private.folded_campaigns f
   WHERE (f.org_id = campaign_figures_now.p_org_id)
 UNION ALL
  SELECT d.campaign_id,
     d.store_id,
     d.scans,
     d.reviews,
     d.rating_sum,
     d.one_star_reviews,
     d.two_star_reviews,
     d.three_star_reviews,
     d.four_star_reviews,
     d.five_star_reviews,
     d.public_clicks,
     d.spins,
     d.wins,
     d.redemptions,
     d.free_spins,
     d.free_wins,
     d.free_redemptions,
     d.points_wins
    FROM public.campaign_daily_stats d
   WHERE ((d.org_id = campaign_figures_now.p_org_id) AND (d.shard < 16));
END;

CREATE OR REPLACE FUNCTION private.campaign_totals(p_org_id uuid, p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.count_event(p_org_id uuid, p_campaign_id uuid, p_store_id uuid, p_day date, p_scans integer DEFAULT 0, p_reviews integer DEFAULT 0, p_rating_sum integer DEFAULT 0, p_five_star_reviews integer DEFAULT 0, p_public_clicks integer DEFAULT 0, p_spins integer DEFAULT 0, p_wins integer DEFAULT 0, p_redemptions integer DEFAULT 0, p_is_free boolean DEFAULT false, p_points_wins integer DEFAULT 0)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.day_figures_now(p_org_id uuid, p_from date, p_to date)
 RETURNS TABLE(day date, scans integer, reviews integer, rating_sum integer, one_star_reviews integer, two_star_reviews integer, three_star_reviews integer, four_star_reviews integer, five_star_reviews integer, public_clicks integer, spins integer, wins integer, redemptions integer, free_spins integer, free_wins integer, free_redemptions integer, points_wins integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT f.day,
     f.scans,
     f.reviews,
     f.rating_sum,
     f.one_star_reviews,
     f.two_star_reviews,
     f.three_star_reviews,
     f.four_star_reviews,
     f.five_star_reviews,
     f.public_clicks,
     f.spins,
     f.wins,
     f.redemptions,
     f.free_spins,
     f.free_wins,
     f.free_redemptions,
     f.points_wins
    FROM private.folded_days f
   WHERE ((f.org_id = day_figures_now.p_org_id) AND (f.day >= day_figures_now.p_from) AND (f.day < day_figures_now.p_to))
 UNION ALL
  SELECT d.day,
     d.scans,
     d.reviews,
     d.rating_sum,
     d.one_star_reviews,
     d.two_star_reviews,
     d.three_star_reviews,
     d.four_star_reviews,
     d.five_star_reviews,
     d.public_clicks,
     d.spins,
     d.wins,
     d.redemptions,
     d.free_spins,
     d.free_wins,
     d.free_redemptions,
     d.points_wins
    FROM public.campaign_daily_stats d
   WHERE ((d.org_id = day_figures_now.p_org_id) AND (d.shard < 16) AND (d.day >= day_figures_now.p_from) AND (d.day < day_figures_now.p_to));
END;

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
  )
  select count(*) into v_count from taken;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.organization_totals(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'scans', coalesce(sum(f.scans), 0), 'reviews', coalesce(sum(f.reviews), 0),
    'rating_sum', coalesce(sum(f.rating_sum), 0), 'five_star_reviews', coalesce(sum(f.five_star_reviews), 0),
    'wins', coalesce(sum(f.wins), 0), 'points_wins', coalesce(sum(f.points_wins), 0),
    'redemptions', coalesce(sum(f.redemptions), 0))
  from private.campaign_figures_now(p_org_id) f;
$function$;

CREATE OR REPLACE FUNCTION private.recent_days(p_org_id uuid, p_last date, p_days integer DEFAULT 30, p_until date DEFAULT 'infinity'::date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- A day is an integer, as in folded_days: sums of sums would be numeric, and take several times as long.
  with days as materialized (
    select d.day, d.day > p_last - p_days as is_recent, sum(d.scans)::integer as scans, sum(d.reviews)::integer as reviews,
      sum(d.rating_sum)::integer as rating_sum, sum(d.five_star_reviews)::integer as five_star_reviews, sum(d.spins)::integer as spins,
      sum(d.wins)::integer as wins, sum(d.redemptions)::integer as redemptions, sum(d.free_spins)::integer as free_spins,
      sum(d.free_wins)::integer as free_wins, sum(d.free_redemptions)::integer as free_redemptions,
      sum(d.points_wins)::integer as points_wins
    from private.day_figures_now(p_org_id, p_last - 2 * p_days + 1, p_until) d
    group by d.day
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

CREATE OR REPLACE FUNCTION private.store_figures(p_org_id uuid, p_store_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
    'public_clicks', coalesce(sum(d.public_clicks), 0), 'spins', coalesce(sum(d.spins), 0),
    'wins', coalesce(sum(d.wins), 0), 'points_wins', coalesce(sum(d.points_wins), 0),
    'redemptions', coalesce(sum(d.redemptions), 0),
    'free_spins', coalesce(sum(d.free_spins), 0), 'free_wins', coalesce(sum(d.free_wins), 0),
    'free_redemptions', coalesce(sum(d.free_redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where p_store_id is null or d.store_id = p_store_id;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, p_presence text DEFAULT NULL::text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign record;
  v_today date;
  v_person record;
  v_customer_id uuid;
  v_is_new boolean := false;
  v_name text := p_name;
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_last_day date;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
  v_spin_id uuid;
  v_nonce uuid;
  v_code text;
  v_expires_at timestamptz;
begin
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins, k.device_daily_limit,
    k.presence, k.presence_key,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
  left join private.check_settings k on k.org_id = c.org_id and k.campaign_id = c.id
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- One call a key at a time; a repeated call gets the first answer, letter for letter, whatever has
  -- changed since.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_review_id, p_play_id)::text, 2));
  if p_review_id is not null then
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.review_id = p_review_id and s.campaign_id = p_campaign_id;
  else
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.campaign_id = p_campaign_id and s.play_id = p_play_id;
  end if;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if not v_campaign.is_running then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- High for an address, since a shop's Wi-Fi and a mobile network are shared; lower for one device.
  v_retry_after := private.count_attempt(
    array[
      'spin address ' || p_address_hash || ' ' || p_campaign_id::text,
      'spin device ' || p_device_hash || ' ' || p_campaign_id::text
    ],
    '{600,20}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  if v_campaign.presence is not null
    and not private.is_presence_pass(v_campaign.presence_key, p_presence, p_device_hash, now())
  then
    outcome := 'presence_missing';
    return;
  end if;

  -- The person, whose row is locked: two turns of one person take turns, and what follows counts what they did.
  if p_review_id is not null then
    select r.customer_id, r.customer_name, r.customer_email into v_customer_id, v_name, v_email
    from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.id = p_review_id and r.campaign_id = p_campaign_id;
    if v_customer_id is null then
      outcome := 'review_not_found';
      return;
    end if;
    perform 1 from public.customers c
    where c.org_id = v_campaign.org_id and c.id = v_customer_id for no key update;
  else
    -- Whoever is new is written down with this turn: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      p_name, p_email, p_phone, false, p_spins => 1, p_locale => p_locale);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- May this person play? One turn in so many calendar days of the store; without an interval, 30 an hour.
  if not v_is_new then
    if v_campaign.play_interval_days > 0 then
      select max(s.created_at at time zone v_campaign.timezone)::date into v_last_day
      from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id;
      if v_last_day + v_campaign.play_interval_days > v_today then
        outcome := 'already_played';
        retry_at := (v_last_day + v_campaign.play_interval_days)::timestamp at time zone v_campaign.timezone;
        return;
      end if;
    elsif (
      select count(*) from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id
        and s.created_at > now() - interval '1 hour'
    ) >= 30 then
      outcome := 'too_many_attempts';
      retry_at := now() + interval '1 hour';
      return;
    end if;
  end if;

  -- Does the plan leave a spin? Only a limited plan makes its customers take turns, at most its limit times a month.
  if v_campaign.monthly_spins >= 0 then
    perform 1 from public.subscriptions u where u.org_id = v_campaign.org_id for no key update;
    v_used := private.monthly_spins_used(v_campaign.org_id, v_today);
    if v_used >= v_campaign.monthly_spins then
      outcome := 'spins_used_up';
    end if;
  end if;

  -- Does the merchant's limit leave one to this device today? What the plan has refused does not count.
  if outcome is null and v_campaign.device_daily_limit is not null and private.count_attempt(
    array['spin day ' || v_today::text || ' ' || p_device_hash || ' ' || p_campaign_id::text],
    array[v_campaign.device_daily_limit::integer], interval '2 days') is not null
  then
    outcome := 'too_many_attempts';
    retry_at := (v_today + 1)::timestamp at time zone v_campaign.timezone;
  end if;

  -- The draw. A stock that somebody else emptied in the meantime only means drawing again without it.
  while outcome is null loop
    v_wheel := private.wheel(v_campaign.org_id, p_campaign_id, case when not v_is_new then v_customer_id end);
    v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable);
    if v_index is null or v_wheel.is_example then
      outcome := 'nothing_to_draw';
      exit;
    end if;
    exit when v_wheel.reward_ids[v_index] is null;

    select * into v_reward from public.rewards r
    where r.org_id = v_campaign.org_id and r.id = v_wheel.reward_ids[v_index];
    exit when v_reward.stock = -1;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is not null then
    -- Refused: nothing is stored, not even who asked.
    if v_is_new then
      delete from public.customers c where c.org_id = v_campaign.org_id and c.id = v_customer_id;
    end if;
    return;
  end if;

  v_spin_id := private.uuid_v7();
  v_nonce := gen_random_uuid();
  if v_reward.type in ('coupon', 'gift') then
    v_expires_at := private.day_end(
      v_today + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_campaign.timezone);
    loop
      insert into public.redemptions as d (
        org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        end_user_email, end_user_name, expires_at
      ) values (
        v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_reward.id, v_spin_id, v_customer_id,
        private.random_code(v_reward.code_template), v_reward.name, v_email, v_name, v_expires_at
      )
      on conflict (org_id, code_key) do nothing
      returning d.code into v_code;
      exit when v_code is not null;
    end loop;
  end if;
  body := json_build_object(
    'spin_id', v_spin_id,
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_reward.id is not null then
      json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type) end,
    'redemption_code', v_code,
    'expires_at', v_expires_at,
    'nonce', v_nonce
  )::text;

  insert into public.spins (
    id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
    end_user_email, end_user_name, result_type, nonce, rules_version, result
  ) values (
    v_spin_id, v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_customer_id, p_review_id,
    case when p_review_id is null then p_play_id end, v_wheel.segment_ids[v_index], v_reward.id,
    v_email, v_name, case when v_reward.id is null then 'lose' else 'reward' end,
    v_nonce, v_campaign.rules_version, body::json
  );
  -- Judged within a minute, by a job: nobody in a queue waits for it.
  insert into private.spin_origins (org_id, spin_id, campaign_id, customer_id, device_key, network_key)
  values (v_campaign.org_id, v_spin_id, p_campaign_id, v_customer_id, p_device_hash, p_address_hash);
  if v_reward.type = 'points' then
    insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points, expires_at)
    values (v_campaign.org_id, v_customer_id, v_spin_id, v_reward.id, (v_reward.metadata ->> 'points')::integer,
      private.day_end(v_today + (v_reward.metadata ->> 'validityDays')::integer, v_campaign.timezone));
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1,
      locale = coalesce(p_locale, c.locale)
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null,
    p_points_wins => coalesce(v_reward.type = 'points', false)::integer);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$function$;

COMMENT ON COLUMN "private"."folded_campaigns"."points_wins" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "private"."folded_days"."points_wins" IS 'As in campaign_daily_stats.';

COMMENT ON COLUMN "public"."campaign_daily_stats"."points_wins" IS 'Of the wins, those of points, which have no code.';

COMMENT ON FUNCTION "private"."campaign_figures_now"(uuid) IS 'Figures of the whole lives of an organisation''s campaigns, by store, at this instant: sum over the rows. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."count_event"(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer, boolean, integer) IS 'Adds to the figures of a campaign''s day, in the same transaction as the event; reviews one at a time. p_is_free: spins, wins and codes used are those of spins without a review; p_points_wins of the wins are of points.';

COMMENT ON FUNCTION "private"."day_figures_now"(uuid, date, date) IS 'Figures of an organisation''s days from one up to another, which is left out, at this instant: sum over the rows of a day. Planned as part of the query that calls it.';

REVOKE ALL ON FUNCTION "private"."campaign_figures_now"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_event"(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer, boolean, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."day_figures_now"(uuid, date, date) FROM PUBLIC;

-- What was won before, counted on its days: fold_days adds it to the settled ones, as any late event.
insert into public.campaign_daily_stats as d (org_id, campaign_id, day, shard, store_id, points_wins)
select s.org_id, s.campaign_id, (s.created_at at time zone p.timezone)::date, 0, s.store_id, count(*)
from (
  select r.org_id, r.id from public.rewards r where r.type = 'points'
  union
  select l.org_id, l.reward_id from public.points_ledger l where l.kind = 'earned' and l.reward_id is not null
) w
join public.spins s on s.org_id = w.org_id and s.reward_id = w.id and s.result ->> 'redemption_code' is null
join public.stores p on p.org_id = s.org_id and p.id = s.store_id
group by 1, 2, 3, 5
on conflict (org_id, campaign_id, day, shard, store_id) do update set points_wins = d.points_wins + excluded.points_wins;
