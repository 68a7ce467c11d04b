-- Why: lists of rewards and stores asked for the same sums once a row, of a store for every day since the beginning. Sums are
-- read once a list, from what is folded (20261121130000).

-- Figures of rewards -------------------------------------------------------------------------------

create or replace function public.reward_list(
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
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
    and (r.name ilike v_pattern or c.name ilike v_pattern);
  -- A page that is no more, because rewards went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', shown.id, 'name', shown.name, 'type', shown.type, 'active', shown.active,
      'campaign_name', shown.campaign_name, 'code_template', shown.code_template, 'stock', shown.stock,
      'max_per_user', shown.max_per_user, 'metadata', shown.metadata, 'archived_at', shown.archived_at,
      'slices', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = shown.campaign_id and w.reward_id = shown.id),
      'is_won', coalesce(f.wins > 0, false),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_figures, v_items
  from (
    select r.*, c.name as campaign_name
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
      and (r.name ilike v_pattern or c.name ilike v_pattern)
    order by r.created_at desc, r.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  left join figures f on f.reward_id = shown.id;

  return jsonb_build_object(
    'total', (select count(*) from public.rewards r where r.org_id = p_org_id and r.archived_at is null),
    'archived', (select count(*) from public.rewards r where r.org_id = p_org_id and r.archived_at is not null),
    'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;

-- Figures of stores --------------------------------------------------------------------------------

create or replace function private.store_figures(p_org_id uuid, p_store_id uuid default null) returns jsonb
language sql stable
as $$
  select jsonb_build_object('scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
    'public_clicks', coalesce(sum(d.public_clicks), 0), 'spins', coalesce(sum(d.spins), 0),
    'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0))
  from private.campaign_figures_now(p_org_id) d
  where p_store_id is null or d.store_id = p_store_id;
$$;

create or replace function public.store_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_nothing constant jsonb := '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0, "public_clicks": 0,
    "spins": 0, "wins": 0, "redemptions": 0}';
  v_pattern constant text := '%' || regexp_replace(btrim(coalesce(p_search, '')), '([\\%_])', '\\\1', 'g') || '%';
  v_is_archived constant boolean := coalesce(p_is_archived, false);
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
    and (s.name ilike v_pattern or s.address ilike v_pattern);
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
    'figures', coalesce(v_figures -> shown.id::text, v_nothing)) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select * from public.stores s
    where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
      and (s.name ilike v_pattern or s.address ilike v_pattern)
    order by s.created_at desc, s.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral private.store_door(p_org_id, shown.id) door;

  return jsonb_build_object(
    'total', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is null),
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and exists (
        select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id and c.active)),
    'archived', (select count(*) from public.stores s where s.org_id = p_org_id and s.archived_at is not null),
    'figures', v_figures -> '',
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;

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
        from private.campaign_figures_now(v_store.org_id) d where d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$$;
