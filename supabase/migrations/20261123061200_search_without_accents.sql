-- Why: « ete », « cafe » and « epicerie » found nothing among campaigns, stores and rewards, whose lists compared letters as they
-- stand, while customers, codes and the search through everything leave accents out. One pair of functions serves all of
-- them now: private.words for what is looked in, private.words_pattern for what is looked for.

create function private.words_pattern(p_search text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if btrim(coalesce(p_search, '')) = '' then
    return null;
  end if;
  -- Signs alone match nothing: the question mark stands in no word.
  return '%' || coalesce(nullif(private.words(p_search), ''), '?') || '%';
end;
$$;
comment on function private.words_pattern(text) is
  'Pattern of private.words for a search: what it says stands anywhere, whatever its case and accents; null when nothing is '
  'searched.';

create or replace function private.code_pattern(p_search text) returns text
language sql immutable parallel safe set search_path = ''
return private.words_pattern(p_search);

create or replace function public.campaign_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
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
    and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern);
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
      and (v_pattern is null or private.words(c.name) like v_pattern or private.words(s.name) like v_pattern)
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

create or replace function public.store_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_nothing constant jsonb := '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0, "public_clicks": 0,
    "spins": 0, "wins": 0, "redemptions": 0}';
  v_pattern constant text := private.words_pattern(p_search);
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
    'figures', coalesce(v_figures -> shown.id::text, v_nothing)) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select * from public.stores s
    where s.org_id = p_org_id and (s.archived_at is not null) = v_is_archived
      and (v_pattern is null or private.words(s.name) like v_pattern or private.words(s.address) like v_pattern)
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

create or replace function public.reward_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
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
    coalesce(array_agg(r.id order by r.created_at desc, r.id) filter (
      where (r.archived_at is not null) = v_is_archived
        and (v_pattern is null or r.campaign_id = any (v_campaigns) or private.words(r.name) like v_pattern)), '{}')
  into v_total, v_archived, v_ids
  from public.rewards r where r.org_id = p_org_id;
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
      'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'archived_at', r.archived_at,
      'slices', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      'is_won', coalesce(f.wins > 0, false),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by r.created_at desc, r.id), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;

-- How many a search or a filter of customers finds, where that is more than the list itself counts.
create function public.customer_count(p_org_id uuid, p_filters jsonb) returns jsonb
-- As in customer_list: a kept plan would have to do without the indexes that a search can use.
-- Volatile, since nothing else may ask for a plan.
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_most_counted constant integer := 10000;
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_matches bigint;
  v_plan json;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('customers.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches from (
    select 1 from public.customers c
    where c.org_id = p_org_id and private.is_wanted(c, v_filters) limit v_most_counted + 1
  ) counted;
  if v_matches <= v_most_counted then
    return jsonb_build_object('matches', v_matches, 'is_estimate', false);
  end if;
  -- What the database expects from its statistics: to count them all would keep whoever types waiting.
  execute format('explain (format json) select 1 from public.customers c where c.org_id = %L and private.is_wanted(c, %L::jsonb)',
    p_org_id, v_filters) into v_plan;
  return jsonb_build_object('is_estimate', true, 'matches', least(
    greatest((v_plan -> 0 -> 'Plan' ->> 'Plan Rows')::bigint, v_matches),
    (select t.customers from private.customer_totals_now(p_org_id) t)));
end;
$$;
comment on function public.customer_count(uuid, jsonb) is
  'How many customers of an organisation pass the filters of the list (private.is_wanted): exact up to 10,000, beyond that '
  'estimated from the statistics of the database; the shape is customerCount of _shared/domain. Error 42501 without the '
  'permission customers.read there.';
grant execute on function public.customer_count(uuid, jsonb) to authenticated;
