-- Why: a merchant opens a campaign to see whether it is worth its prizes: who came, what they said, what it cost and
-- what it brought back. Each of these is read from counters, so the page costs the same after ten visits and after ten
-- million. What the free trial does not include is left out here, in the database: a hidden picture would still be sent.

-- What a plan includes ---------------------------------------------------------------------------

create function private.has_feature(p_org_id uuid, p_feature text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select case p_feature
      when 'csv_export' then l.csv_export
      when 'api_access' then l.api_access
      when 'white_label' then l.white_label
      when 'multi_store' then l.multi_store
      when 'advanced_analytics' then l.advanced_analytics
    end
    from public.subscriptions s join public.plan_limits l on l.plan = s.plan
    where s.org_id = p_org_id
  ), false);
$$;
comment on function private.has_feature(uuid, text) is
  'Whether an organisation''s plan includes a feature, named as its column of plan_limits (specification, section 9). '
  'False without a subscription, and of a feature that there is not.';
grant execute on function private.has_feature(uuid, text) to authenticated, service_role;

create or replace function private.can_export(p_org_id uuid) returns boolean
language sql stable
as $$
  select private.has_feature(p_org_id, 'csv_export');
$$;

-- Trends are read from these tables: what a function leaves out must not be had from them.
alter policy "Members read the figures" on public.campaign_daily_stats
  using (org_id = any (array(
    select o from private.my_org_ids('activity.read') o where private.has_feature(o, 'advanced_analytics'))));
alter policy "Members read the daily figures of rewards" on public.reward_daily_stats
  using (org_id = any (array(
    select o from private.my_org_ids('activity.read') o where private.has_feature(o, 'advanced_analytics'))));

-- How many stars ---------------------------------------------------------------------------------

alter table public.campaign_daily_stats
  add column one_star_reviews integer not null default 0,
  add column two_star_reviews integer not null default 0,
  add column three_star_reviews integer not null default 0,
  add column four_star_reviews integer not null default 0;
comment on column public.campaign_daily_stats.one_star_reviews is 'Reviews of 1 star.';
comment on column public.campaign_daily_stats.two_star_reviews is 'Reviews of 2 stars.';
comment on column public.campaign_daily_stats.three_star_reviews is 'Reviews of 3 stars.';
comment on column public.campaign_daily_stats.four_star_reviews is 'Reviews of 4 stars.';

create or replace function private.count_event(
  p_org_id uuid, p_campaign_id uuid, p_store_id uuid, p_day date,
  p_scans integer default 0, p_reviews integer default 0, p_rating_sum integer default 0,
  p_five_star_reviews integer default 0, p_public_clicks integer default 0, p_spins integer default 0,
  p_wins integer default 0, p_redemptions integer default 0
) returns void
language plpgsql volatile
as $$
begin
  insert into public.campaign_daily_stats as d
    (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews, two_star_reviews,
      three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions)
  -- The sum of one review's stars is its stars.
  values (p_org_id, p_campaign_id, p_day, private.shard(), p_store_id, p_scans, p_reviews, p_rating_sum,
    (p_reviews = 1 and p_rating_sum = 1)::integer, (p_reviews = 1 and p_rating_sum = 2)::integer,
    (p_reviews = 1 and p_rating_sum = 3)::integer, (p_reviews = 1 and p_rating_sum = 4)::integer,
    p_five_star_reviews, p_public_clicks, p_spins, p_wins, p_redemptions)
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
    redemptions = d.redemptions + excluded.redemptions;
end;
$$;
comment on function private.count_event(uuid, uuid, uuid, date, integer, integer, integer, integer, integer, integer, integer, integer) is
  'Adds to the figures of a campaign''s day, in the same transaction as the event; reviews one at a time.';

-- What happened before these were counted.
insert into public.campaign_daily_stats as d
  (org_id, campaign_id, day, shard, store_id, one_star_reviews, two_star_reviews, three_star_reviews, four_star_reviews)
select r.org_id, r.campaign_id, (r.created_at at time zone s.timezone)::date, 0, r.store_id,
  count(*) filter (where r.rating = 1), count(*) filter (where r.rating = 2),
  count(*) filter (where r.rating = 3), count(*) filter (where r.rating = 4)
from public.pre_spin_reviews r join public.stores s on s.org_id = r.org_id and s.id = r.store_id
where r.rating < 5
group by 1, 2, 3, 5
on conflict (org_id, campaign_id, day, shard, store_id) do update set
  one_star_reviews = excluded.one_star_reviews,
  two_star_reviews = excluded.two_star_reviews,
  three_star_reviews = excluded.three_star_reviews,
  four_star_reviews = excluded.four_star_reviews;

-- The newest review that asks for an answer, without looking at all that praise.
create index pre_spin_reviews_org_bad_idx on public.pre_spin_reviews (org_id, created_at desc) where rating <= 3;

-- Which rewards a campaign gave -------------------------------------------------------------------
-- A reward may be moved to another campaign, so its own totals do not tell what it was worth to this one. Written
-- when a code is used or given back, never while somebody waits for the wheel.

create table public.campaign_reward_totals (
  org_id uuid not null,
  campaign_id uuid not null,
  reward_id uuid not null,
  shard smallint not null check (shard between 0 and 15),
  redemptions integer not null default 0,
  primary key (org_id, campaign_id, reward_id, shard),
  -- The campaign has no foreign key here: with both in the primary key, the data API would take this table for a
  -- many-to-many relation of campaigns and rewards, and « the campaign of a reward » would be ambiguous.
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
alter table public.campaign_reward_totals enable row level security;
grant select on public.campaign_reward_totals to authenticated;
grant select, insert, update, delete on public.campaign_reward_totals to service_role;
create policy "Members read the totals of campaigns' rewards" on public.campaign_reward_totals
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));

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
create constraint trigger count_code_of_campaign after update on public.redemptions
  deferrable initially deferred for each row
  when ((old.status = 'used') is distinct from (new.status = 'used'))
  execute function private.count_code_of_campaign();

insert into public.campaign_reward_totals (org_id, campaign_id, reward_id, shard, redemptions)
select r.org_id, r.campaign_id, r.reward_id, 0, count(*)
from public.redemptions r where r.status = 'used'
group by 1, 2, 3;

-- What a visit is worth ---------------------------------------------------------------------------

alter table public.stores add column average_basket numeric
  check (average_basket > 0 and average_basket < 100000 and scale(average_basket) <= 2);
comment on column public.stores.average_basket is
  'What a customer spends on a visit, in euros, two decimals at most, as the merchant estimates it; null when not entered.';

create function public.set_average_basket(
  p_store_id uuid, p_before numeric default null, p_basket numeric default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('stores.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  -- Saved already: a request whose answer was lost comes again.
  elsif v_store.average_basket is not distinct from p_basket then
    return;
  elsif v_store.average_basket is distinct from p_before then
    raise exception 'average_basket_changed' using errcode = 'TV070', detail = coalesce(v_store.average_basket::text, '');
  end if;
  update public.stores s set average_basket = trim_scale(p_basket)
  where s.org_id = v_store.org_id and s.id = p_store_id;
end;
$$;
comment on function public.set_average_basket(uuid, numeric, numeric) is
  'Sets what a customer of a store spends on a visit, in euros, or forgets it (null); p_before is what stood there when it '
  'was read. Errors: TV070 somebody changed it since (nothing is overwritten), 23514 not an amount, 42501 without the '
  'permission stores.write there.';
grant execute on function public.set_average_basket(uuid, numeric, numeric) to authenticated;

create function private.funnel(p_totals jsonb) returns jsonb
language sql immutable parallel safe
return jsonb_build_object('scans', p_totals -> 'scans', 'reviews', p_totals -> 'reviews', 'spins', p_totals -> 'spins',
  'wins', p_totals -> 'wins', 'redemptions', p_totals -> 'redemptions');
comment on function private.funnel(jsonb) is 'The way from the door to the till, out of totals: scan, review, turn, win, use.';

-- One campaign ------------------------------------------------------------------------------------

create function private.campaign_totals(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0),
    'stars', jsonb_build_array(coalesce(sum(d.one_star_reviews), 0), coalesce(sum(d.two_star_reviews), 0),
      coalesce(sum(d.three_star_reviews), 0), coalesce(sum(d.four_star_reviews), 0),
      coalesce(sum(d.five_star_reviews), 0)),
    'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
    'redemptions', coalesce(sum(d.redemptions), 0))
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and d.campaign_id = p_campaign_id;
$$;
comment on function private.campaign_totals(uuid, uuid) is
  'Figures of a campaign''s whole life; stars are the reviews of 1, 2, 3, 4 and 5 stars.';

create function private.campaign_days(p_org_id uuid, p_campaign_id uuid, p_today date) returns jsonb
language sql stable
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
  'Scans, reviews and turns of a campaign on each of the 30 days that end with one, oldest first.';

create function private.campaign_reviews(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'at', r.created_at, 'rating', r.rating,
    'name', coalesce(nullif(btrim(r.customer_name), ''), r.customer_email), 'customer_id', r.customer_id)
    order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.campaign_id = p_campaign_id
    order by v.created_at desc limit 10
  ) r;
$$;
comment on function private.campaign_reviews(uuid, uuid) is 'The 10 newest reviews of a campaign, newest first.';

create function private.campaign_top_rewards(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable
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
language sql stable
as $$
  select jsonb_build_object('cost', coalesce(sum(c.redemptions * w.value), 0),
    'unpriced', coalesce(sum(c.redemptions) filter (where w.value is null), 0))
  from public.campaign_reward_totals c
  join public.rewards w on w.org_id = c.org_id and w.id = c.reward_id
  where c.org_id = p_org_id and c.campaign_id = p_campaign_id;
$$;
comment on function private.campaign_cost(uuid, uuid) is
  'What the used rewards of a campaign cost, in euros, at the value that each has now, and how many uses have no value.';

create function public.campaign_stats(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
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
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at),
    'totals', v_totals,
    'reviews', private.campaign_reviews(v_campaign.org_id, p_campaign_id),
    'top_rewards', private.campaign_top_rewards(v_campaign.org_id, p_campaign_id),
    'advanced', case when private.has_feature(v_campaign.org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.campaign_days(v_campaign.org_id, p_campaign_id, private.now_in(v_store.timezone)::date),
      'funnel', private.funnel(v_totals),
      'return', private.campaign_cost(v_campaign.org_id, p_campaign_id) || jsonb_build_object(
        'store_id', v_store.id, 'average_basket', v_store.average_basket,
        'visits', v_totals -> 'redemptions')) end);
end;
$$;
comment on function public.campaign_stats(uuid) is
  'Everything that the page of a campaign shows (specification, section 2.16), in one request; the shape is campaignStats '
  'of _shared/domain. The days are those of its store''s time zone. advanced is null where the plan does not include it. '
  'Null when there is no such campaign for the signed-in user.';
grant execute on function public.campaign_stats(uuid) to authenticated;

-- The dashboard -----------------------------------------------------------------------------------

create function private.organization_days(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
    'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
  from generate_series(p_today - 29, p_today, interval '1 day') as calendar (day)
  left join (
    select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
    from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.day > p_today - 30 and d.day <= p_today
    group by d.day
  ) f on f.day = calendar.day::date;
$$;
comment on function private.organization_days(uuid, date) is
  'Scans, reviews and turns of an organisation on each of the 30 days that end with one, oldest first.';

create function private.recent_funnel(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  select private.funnel(jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
    'redemptions', coalesce(sum(d.redemptions), 0)))
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and d.day > p_today - 30 and d.day <= p_today;
$$;
comment on function private.recent_funnel(uuid, date) is
  'How far the customers of an organisation came in the 30 days that end with one.';

create function private.bad_reviews(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  select jsonb_build_object('id', r.id, 'at', r.created_at, 'rating', r.rating, 'customer_id', r.customer_id,
    'campaign_id', r.campaign_id, 'name', coalesce(nullif(btrim(r.customer_name), ''), r.customer_email),
    'count', (
      select coalesce(sum(d.one_star_reviews + d.two_star_reviews + d.three_star_reviews), 0)
      from public.campaign_daily_stats d
      where d.org_id = p_org_id and d.day > p_today - 7 and d.day <= p_today))
  from public.pre_spin_reviews r
  where r.org_id = p_org_id and r.rating <= 3 and r.created_at > now() - interval '7 days'
  order by r.created_at desc limit 1;
$$;
comment on function private.bad_reviews(uuid, date) is
  'The newest review of 3 stars or fewer within 7 days, with how many there were; null without one.';

create function private.low_stock(p_org_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from public.rewards r
    join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id and c.active
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      -- Few, or gone in a week at the pace of the last one.
      and r.stock <= greatest(5, (
        select coalesce(sum(d.wins), 0) from public.reward_daily_stats d
        where d.org_id = p_org_id and d.reward_id = r.id and d.day > current_date - 7))
    order by r.stock, r.name, r.id limit 3
  ) low;
$$;
comment on function private.low_stock(uuid) is
  'Up to 3 rewards of running campaigns that run out: 5 left or fewer, or no more than were won in the last 7 days.';

create function private.users_used(p_org_id uuid) returns integer
language sql stable
as $$
  select count(*)::integer from public.organization_members m where m.org_id = p_org_id;
$$;
comment on function private.users_used(uuid) is 'Users that count towards the plan of an organisation.';

create function private.todo(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'bad_review', private.bad_reviews(p_org_id, p_today),
    'low_stock', private.low_stock(p_org_id),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name)
      from public.campaigns c
      where c.org_id = p_org_id and c.active and not exists (
        select 1 from public.rewards r
        where r.org_id = p_org_id and r.campaign_id = c.id and r.active and r.archived_at is null)
      order by c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (
          select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id and c.active)
      order by s.created_at, s.id limit 1));
$$;
comment on function private.todo(uuid, date) is
  'What deserves a merchant''s attention: a bad review, rewards that run out, a running campaign in which nothing can be '
  'won, and a store with one that has no public reviews page.';

create or replace function public.dashboard(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_today date;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
  return jsonb_build_object(
    'limits', coalesce(
      (select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
         'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
       from public.subscriptions s join public.plan_limits l on l.plan = s.plan where s.org_id = p_org_id),
      '{"max_active_campaigns": 1, "monthly_spins": 100, "max_users": 2}'::jsonb),
    'used', jsonb_build_object(
      'active_campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
      'monthly_spins', private.monthly_spins_used(p_org_id, v_today),
      'users', private.users_used(p_org_id)),
    'totals', private.totals(p_org_id),
    'last_30_days', private.totals(p_org_id, v_today - 29),
    'previous_30_days', private.totals(p_org_id, v_today - 59, v_today - 29),
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
    'todo', private.todo(p_org_id, v_today),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.organization_days(p_org_id, v_today),
      'funnel', private.recent_funnel(p_org_id, v_today)) end,
    'activity', private.recent_activity(p_org_id),
    'active_campaigns', coalesce(
      (select jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name, 'scans', (
         select coalesce(sum(d.scans), 0) from public.campaign_daily_stats d
         where d.org_id = p_org_id and d.campaign_id = shown.id)) order by shown.created_at desc, shown.id)
       from (
         select c.id, c.name, c.created_at from public.campaigns c
         where c.org_id = p_org_id and c.active order by c.created_at desc, c.id limit 2
       ) shown),
      '[]'::jsonb)
  );
end;
$$;
comment on function public.dashboard(uuid) is
  'Everything that the dashboard shows of an organisation (specification, section 2.10), in one request; the shape is '
  'dashboard of _shared/domain. advanced is null where the plan does not include it. Error 42501 without the permission '
  'activity.read there.';

-- Statistics of rewards and stores, by plan ---------------------------------------------------------

create or replace function public.reward_stats(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
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
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'wins', f.wins, 'redemptions', f.redemptions)
          order by calendar.day)
        from generate_series(v_today - 89, v_today, interval '1 day') as calendar (day)
        cross join lateral (
          select coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
          from public.reward_daily_stats d
          where d.org_id = v_reward.org_id and d.reward_id = p_id and d.day = calendar.day::date
        ) f
      )) end);
end;
$$;
comment on function public.reward_stats(uuid) is
  'Figures of a reward: of its whole life, its codes by state, and each of the last 90 days in the time zone of its '
  'campaign''s store; the shape is rewardStats of _shared/domain. advanced, which holds them, is null where the plan does '
  'not include it. Null when there is no such reward for the signed-in user.';

create or replace function public.store_stats(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
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
    'figures', v_figures,
    'advanced', case when private.has_feature(v_store.org_id, 'advanced_analytics') then jsonb_build_object(
      'funnel', private.funnel(v_figures),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
          'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
        from generate_series(v_today - 29, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
          from public.campaign_daily_stats d
          where d.org_id = v_store.org_id and d.store_id = p_id and d.day > v_today - 30
          group by d.day
        ) f on f.day = calendar.day::date
      )) end,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'scans', f.scans,
        'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
      from (
        select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
        from public.campaign_daily_stats d where d.org_id = v_store.org_id and d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$$;
comment on function public.store_stats(uuid) is
  'Figures of a store: of its whole life, each of the last 30 days in its time zone, and of the 20 campaigns with the most '
  'reviews there; the shape is storeStats of _shared/domain. advanced, which holds the days and the funnel, is null where '
  'the plan does not include it. Null when there is no such store for the signed-in user.';
