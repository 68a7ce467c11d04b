-- Why: screens that show whole lives and days read them from what is folded (20261121130000), so that a page costs the same
-- in the first week of a shop and in its tenth year. What a page needs more than once it reads once.

-- Figures of an organisation -----------------------------------------------------------------------

drop function private.totals(uuid, date, date);
create function private.totals(p_org_id uuid) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'scans', coalesce(sum(f.scans), 0), 'reviews', coalesce(sum(f.reviews), 0),
    'rating_sum', coalesce(sum(f.rating_sum), 0), 'five_star_reviews', coalesce(sum(f.five_star_reviews), 0),
    'wins', coalesce(sum(f.wins), 0), 'redemptions', coalesce(sum(f.redemptions), 0))
  from private.campaign_figures_now(p_org_id) f;
$$;
comment on function private.totals(uuid) is 'Figures of an organisation, of all time.';

drop function private.organization_days(uuid, date);
drop function private.recent_funnel(uuid, date);
create function private.recent_days(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  with days as materialized (
    select d.day, d.day >= p_today - 29 as is_recent, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews, sum(d.spins) as spins,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.day_figures_now(p_org_id, p_today - 59, 'infinity') d
    group by d.day
  ), periods as (
    select p.is_recent, jsonb_build_object(
      'scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
      'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
      'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0)) as totals
    from (values (true), (false)) p (is_recent) left join days d on d.is_recent = p.is_recent
    group by p.is_recent
  )
  select jsonb_build_object(
    'last_30_days', (select p.totals from periods p where p.is_recent),
    'previous_30_days', (select p.totals from periods p where not p.is_recent),
    'monthly_spins', (
      select coalesce(sum(d.spins), 0) from days d
      where d.day >= date_trunc('month', p_today)::date and d.day < (date_trunc('month', p_today) + interval '1 month')::date),
    'days', (
      select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(d.scans, 0),
        'reviews', coalesce(d.reviews, 0), 'spins', coalesce(d.spins, 0)) order by calendar.day)
      from generate_series(p_today - 29, p_today, interval '1 day') as calendar (day)
      left join days d on d.day = calendar.day::date),
    'funnel', (
      select private.funnel(jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
        'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
        'redemptions', coalesce(sum(d.redemptions), 0)))
      from days d where d.is_recent and d.day <= p_today));
$$;
comment on function private.recent_days(uuid, date) is
  'What the dashboard shows of an organisation''s last 60 days, read once: totals of the 30 days that end with a day and of '
  'the 30 before, spins of its month, each of the 30 days, oldest first, and how far customers came in them.';

create or replace function private.bad_reviews(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  select jsonb_build_object('id', r.id, 'at', r.created_at, 'rating', r.rating, 'customer_id', r.customer_id,
    'campaign_id', r.campaign_id, 'name', coalesce(nullif(btrim(r.customer_name), ''), r.customer_email),
    'count', (
      select coalesce(sum(d.one_star_reviews + d.two_star_reviews + d.three_star_reviews), 0)
      from private.day_figures_now(p_org_id, p_today - 6, p_today + 1) d))
  from public.pre_spin_reviews r
  where r.org_id = p_org_id and r.rating <= 3 and r.created_at > now() - interval '7 days'
  order by r.created_at desc limit 1;
$$;

create or replace function private.low_stock(p_org_id uuid) returns jsonb
language sql stable
as $$
  -- What is not folded yet is one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, sum(f.wins) as wins from private.recent_figures f
    where f.org_id = p_org_id and f.reward_id is not null and f.day is not null
    group by f.reward_id, f.day
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from public.rewards r
    join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id and c.active
    join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      -- Few, or gone in a week at the pace of the last one, whose days are those of the store.
      and (r.stock <= 5 or r.stock <= (
        select coalesce(sum(d.wins), 0)
        from (
          select f.wins from public.reward_daily_stats f
          where f.org_id = p_org_id and f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
          union all
          select f.wins from recent f where f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
        ) d))
    order by r.stock, r.name, r.id limit 3
  ) low;
$$;
comment on function private.low_stock(uuid) is
  'Up to 3 rewards of running campaigns that run out: 5 left or fewer, or no more than were won in the last 7 days of the '
  'store''s time zone.';

create or replace function private.todo(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'bad_review', private.bad_reviews(p_org_id, p_today),
    'low_stock', private.low_stock(p_org_id),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name)
      from public.campaigns c
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      where c.org_id = p_org_id and c.active and c.id not in (
        select r.campaign_id from public.rewards r
        where r.org_id = p_org_id and r.active and r.archived_at is null and r.campaign_id is not null)
      order by c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (
          select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id and c.active)
      order by s.created_at, s.id limit 1));
$$;

create or replace function public.dashboard(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_today date;
  v_recent jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
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
    'totals', private.totals(p_org_id),
    'last_30_days', v_recent -> 'last_30_days',
    'previous_30_days', v_recent -> 'previous_30_days',
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
    'todo', private.todo(p_org_id, v_today),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel') end,
    'activity', private.recent_activity(p_org_id),
    'active_campaigns', coalesce(
      (select jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name, 'scans', (
         select coalesce(sum(f.scans), 0) from private.campaign_figures_now(p_org_id) f
         where f.campaign_id = shown.id)) order by shown.created_at desc, shown.id)
       from (
         select c.id, c.name, c.created_at from public.campaigns c
         where c.org_id = p_org_id and c.active order by c.created_at desc, c.id limit 2
       ) shown),
      '[]'::jsonb)
  );
end;
$$;

-- Figures of campaigns -----------------------------------------------------------------------------

create or replace function private.campaign_totals(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0),
    'stars', jsonb_build_array(coalesce(sum(d.one_star_reviews), 0), coalesce(sum(d.two_star_reviews), 0),
      coalesce(sum(d.three_star_reviews), 0), coalesce(sum(d.four_star_reviews), 0),
      coalesce(sum(d.five_star_reviews), 0)),
    'spins', coalesce(sum(d.spins), 0), 'wins', coalesce(sum(d.wins), 0),
    'redemptions', coalesce(sum(d.redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where d.campaign_id = p_campaign_id;
$$;

create or replace function public.campaign_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := '%' || regexp_replace(btrim(coalesce(p_search, '')), '([\\%_])', '\\\1', 'g') || '%';
  v_is_archived constant boolean := coalesce(p_is_archived, false);
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
    and (c.name ilike v_pattern or s.name ilike v_pattern);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'slug', shown.slug, 'active', shown.active,
    'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'created_at', shown.created_at,
    'archived_at', shown.archived_at, 'store_name', shown.store_name,
    'timezone', shown.timezone,
    'rewards', (select count(*) from public.rewards r where r.campaign_id = shown.id),
    'has_history', private.has_campaign_history(p_org_id, shown.id),
    'scans', f.scans, 'reviews', f.reviews, 'spins', f.spins,
    'redemptions', f.redemptions) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select c.*, s.name as store_name, s.timezone
    from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
      and (c.name ilike v_pattern or s.name ilike v_pattern)
    order by c.created_at desc, c.id
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
    'figures', private.totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
