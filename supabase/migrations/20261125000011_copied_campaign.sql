-- Why: a second campaign takes over the prizes of the first, and one in which nothing can be won is told from the others.

set check_function_bodies = off;

DROP FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb);

CREATE OR REPLACE FUNCTION private.copy_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid, p_stock integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.org_id = p_org_id and r.campaign_id = p_source_id and (r.archived_at is null or exists (
      select 1 from public.wheel_segments s
      where s.org_id = r.org_id and s.campaign_id = p_source_id and s.reward_id = r.id))
  ), copied as (
    insert into public.rewards (id, org_id, campaign_id, name, description, type, reward_type, value, code_template,
      stock, max_per_user, metadata, active, archived_at, created_at)
    select w.copy_id, w.org_id, p_campaign_id, w.name, w.description, w.type, w.reward_type, w.value, w.code_template,
      -- They keep their order, which is that of a wheel nobody has drawn.
      coalesce(p_stock, w.stock), w.max_per_user, w.metadata, w.active, w.archived_at, now() + w.n * interval '1 microsecond'
    from wanted w
  )
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select s.org_id, p_campaign_id, w.copy_id, s.label, s.color, s.weight, s.position
  from public.wheel_segments s left join wanted w on w.id = s.reward_id
  where s.org_id = p_org_id and s.campaign_id = p_source_id;
$function$;

CREATE OR REPLACE FUNCTION private.has_prize(p_org_id uuid, p_campaign_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select not w.is_example and exists (
    select 1 from unnest(w.reward_ids, w.weights, w.is_drawable) as t (reward_id, weight, is_drawable)
    where t.reward_id is not null and t.weight > 0 and t.is_drawable)
  from private.wheel(p_org_id, p_campaign_id, null) w;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    'archived_at', shown.archived_at, 'store_id', shown.store_id, 'store_name', shown.store_name,
    'timezone', shown.timezone,
    'rewards', (select count(*) from public.rewards r where r.campaign_id = shown.id),
    'has_prize', private.has_prize(p_org_id, shown.id),
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
    'figures', private.organization_totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_stats(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
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
    'totals', v_totals,
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

CREATE OR REPLACE FUNCTION public.duplicate_campaign(p_id uuid, p_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_name text := btrim(left(btrim(p_name), 120));
  v_base constant text := coalesce(nullif(left(private.slugify(p_name), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
begin
  -- Two copies made at once take turns, so that each finds a name.
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and c.org_id = any (array(select private.my_org_ids('rewards.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Neither nothing nor signs that nobody sees are a name.
  if v_name is null or v_name !~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  while exists (
    select 1 from public.campaigns c
    where c.org_id = v_source.org_id and (lower(btrim(c.name)) = lower(v_name) or c.slug = v_slug)
  )
  loop
    v_number := v_number + 1;
    v_name := btrim(left(btrim(p_name), 110)) || ' (' || v_number || ')';
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  perform private.copy_prizes(v_source.org_id, p_id, v_copy.id, null);
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
end;
$function$;

CREATE OR REPLACE FUNCTION public.start_campaign(p_id uuid, p_store_id uuid, p_name text, p_slug text, p_active boolean, p_segments jsonb, p_source_id uuid DEFAULT NULL::uuid, p_stock integer DEFAULT NULL::integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_sent constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_base constant text := coalesce(nullif(left(private.slugify(coalesce(p_slug, p_name)), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
  v_interval smallint := 1;
  v_org_id uuid;
  v_segments jsonb;
  v_constraint text;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and s.org_id = any (array(select private.my_org_ids('rewards.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- A second try of the same start waits here for the first, and finds what it made.
  perform pg_advisory_xact_lock(hashtextextended('start campaign ' || v_org_id, 0));
  if exists (select 1 from public.campaigns c where c.id = p_id and c.org_id = v_org_id) then
    return jsonb_build_object('id', p_id);
  end if;

  if p_source_id is not null then
    select c.play_interval_days into v_interval from public.campaigns c
    where c.id = p_source_id and c.org_id = v_org_id;
    if not found then
      raise exception 'forbidden' using errcode = '42501';
    end if;
  elsif jsonb_typeof(v_sent) is distinct from 'array' then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select jsonb_agg(s.one || jsonb_build_object('id', null,
    'reward_id', case when jsonb_typeof(s.one -> 'prize') = 'object' then gen_random_uuid() end) order by s.n)
  into v_segments
  from jsonb_array_elements(case when p_source_id is null then v_sent end) with ordinality as s (one, n);
  if p_source_id is null and not exists (
    select 1 from private.read_segments(v_segments) s where s.reward_id is not null and s.weight > 0
  ) then
    raise exception 'wheel_without_prize' using errcode = 'TV068';
  end if;

  while exists (select 1 from public.campaigns c where c.org_id = v_org_id and c.slug = v_slug) loop
    v_number := v_number + 1;
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;
  insert into public.campaigns
    (id, org_id, store_id, name, slug, active, description, starts_at, ends_at, play_interval_days)
  values (p_id, v_org_id, p_store_id, btrim(p_name), v_slug, p_active, nullif(btrim(p_description), ''), p_starts_at,
    p_ends_at, v_interval);
  if p_source_id is not null then
    perform private.copy_prizes(v_org_id, p_source_id, p_id, p_stock);
    return jsonb_build_object('id', p_id);
  end if;
  insert into public.rewards (id, org_id, campaign_id, name, type, value, created_at)
  select (s.one ->> 'reward_id')::uuid, v_org_id, p_id, btrim(s.one ->> 'label'), s.one #>> '{prize,type}',
    (s.one #>> '{prize,cost_cents}')::integer / 100::numeric,
    -- They keep the order that they have on the wheel.
    now() + s.n * interval '1 microsecond'
  from jsonb_array_elements(v_segments) with ordinality as s (one, n)
  where s.one ->> 'reward_id' is not null;
  perform private.redraw_wheel(v_org_id, p_id, v_segments);
  return jsonb_build_object('id', p_id);
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_pkey' then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    raise;
end;
$function$;

COMMENT ON FUNCTION "private"."copy_prizes"(uuid, uuid, uuid, integer) IS 'Gives a new campaign the rewards and the wheel of another one of its organisation. Each reward gets this stock (-1: unlimited), or what is left of the one that is copied (null).';

COMMENT ON FUNCTION "private"."has_prize"(uuid, uuid) IS 'Whether something can be won in a campaign now, by somebody who has won nothing yet.';

COMMENT ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone) IS 'Makes a campaign with its prizes and its wheel: all of it or nothing. p_segments is a list of {label, color, weight, prize}, where prize is null for a segment that loses, else {type, cost_cents (null: not entered)}; each prize becomes a reward named like its segment. With p_source_id the rewards, the wheel and the interval are those of that campaign instead, with the stock p_stock (-1: unlimited, null: what is left). p_id is chosen by the caller: a second call with it changes nothing. The slug is made from p_slug, else from the name, with a number where it is taken. Answers id. Errors: 42501 not a store where one may do that, TV068 nothing can be won, TV063 and TV064 of the wheel, TV060 active in a store that is put away, TV001 beyond the plan''s active campaigns, 23505 the organisation has a campaign of that name, 23514 or 23502 something is not well formed.';

REVOKE ALL ON FUNCTION "private"."copy_prizes"(uuid, uuid, uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_prize"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone) TO "authenticated";
