-- Why: merchants compare campaigns in a spreadsheet, and had to copy the list from the screen.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.begin_export(p_user_id uuid, p_session_id uuid, p_aal text, p_type text, p_org_id uuid, OUT outcome text, OUT is_named boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_permissions text[];
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select array_agg(r.permission) into v_permissions
  from public.organization_members m join public.role_permissions r on r.role = m.role
  where m.user_id = p_user_id and m.org_id = p_org_id;
  is_named := coalesce('customers.read' = any (v_permissions), false);
  outcome := case
    when not coalesce(
      case p_type when 'customers' then 'customers.read' when 'redemptions' then 'codes.read' when 'reviews' then 'reviews.read'
        when 'campaigns' then 'campaigns.read' end = any (v_permissions), false)
      then 'forbidden'
    when not private.is_readable(p_org_id) then 'closed'
    when not private.includes_export(p_org_id) then 'plan'
    -- One at a time for an organisation, and two for everybody: a connection each, for as long as they last.
    when not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
      or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
        or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
      then 'busy'
    else 'started'
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS json
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
  v_key constant text := private.sort_key(p_sort, '{name,store,scans,reviews,spins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_stores uuid[];
  v_total integer;
  v_active integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_stores := array(
      select s.id from public.stores s where s.org_id = p_org_id and private.has_words(s.name, v_pattern, v_hint));
  end if;
  with listed as materialized (
    select c.id, c.created_at, c.active, c.archived_at, k.word, k.number,
      (c.archived_at is not null) = v_is_archived and (v_pattern is null
        or private.has_words(c.name, v_pattern, v_hint) or c.store_id = any (v_stores)) as is_listed
    from public.campaigns c
    left join (
      select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins,
        sum(d.redemptions) as redemptions
      from private.campaign_figures_now(p_org_id) d
      where v_key in ('scans', 'reviews', 'spins', 'redemptions') group by d.campaign_id
    ) t on t.campaign_id = c.id
    cross join lateral (
      -- Not a join: it would compare every campaign with every store for other orders, too.
      select case v_key when 'name' then private.words(c.name) when 'store' then private.words((
          select s.name from public.stores s where s.org_id = p_org_id and s.id = c.store_id)) end as word,
        case v_key
          when 'scans' then coalesce(t.scans, 0)::double precision
          when 'reviews' then coalesce(t.reviews, 0)::double precision
          when 'spins' then coalesce(t.spins, 0)::double precision
          when 'redemptions' then coalesce(t.redemptions, 0)::double precision
          when 'created_at' then extract(epoch from c.created_at)::double precision
        end as number
    ) k
    where c.org_id = p_org_id
  )
  select n.total, n.active, n.archived, n.matches, p.page, array(
      -- Only as many as are shown are put in order.
      select l.id from listed l where l.is_listed
      order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
        case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
      limit v_page_size offset (p.page - 1) * v_page_size)
  into v_total, v_active, v_archived, v_matches, v_page, v_ids
  from (
    select count(*) filter (where l.archived_at is null) as total, count(*) filter (where l.active) as active,
      count(*) filter (where l.archived_at is not null) as archived, count(*) filter (where l.is_listed) as matches
    from listed l
  ) n
  cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;

  -- Of the whole organisation, which stands above the list, and of each campaign, in one look.
  with sums as (
    select d.campaign_id, grouping(d.campaign_id) = 1 as is_total, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.spins) as spins, sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.campaign_id))
  ), figures as materialized (
    select * from sums f where f.is_total or f.campaign_id = any (v_ids)
  ), prizes as materialized (
    select w.id from private.with_prize(p_org_id, v_ids) w (id)
  ), counted as materialized (
    select u.campaign_id, count(*) as rewards from (
      select r.campaign_id, r.id from public.rewards r where r.campaign_id = any (v_ids)
      union
      select s.campaign_id, s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_ids) and s.reward_id is not null
    ) u group by u.campaign_id
  )
  select
    (select json_build_object(
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'rating_sum', coalesce(f.rating_sum, 0),
      'five_star_reviews', coalesce(f.five_star_reviews, 0), 'wins', coalesce(f.wins, 0),
      'redemptions', coalesce(f.redemptions, 0)) from figures f where f.is_total),
    coalesce(json_agg(json_build_object(
      'id', c.id, 'name', c.name, 'slug', c.slug, 'active', c.active,
      'starts_at', c.starts_at, 'ends_at', c.ends_at, 'created_at', c.created_at,
      'archived_at', c.archived_at, 'store_id', c.store_id, 'store_name', s.name,
      'timezone', s.timezone,
      'rewards', coalesce(n.rewards, 0),
      'has_prize', c.id in (select w.id from prizes w),
      -- Nearly always a day's figures tell, which the function asks first, too.
      'has_history', exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = c.id)
        or private.has_campaign_history(p_org_id, c.id),
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0),
      'redemptions', coalesce(f.redemptions, 0)) order by array_position(v_ids, c.id)), '[]'::json)
  into v_figures, v_items
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  left join figures f on f.campaign_id = c.id
  left join counted n on n.campaign_id = c.id
  where c.org_id = p_org_id and c.id = any (v_ids);

  return json_build_object('total', v_total, 'active', v_active, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'can_export', private.includes_export(p_org_id),
    'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.export_campaigns(p_org_id uuid, p_filters jsonb)
 RETURNS TABLE(name text, is_archived boolean, active boolean, starts_at timestamp with time zone, ends_at timestamp with time zone, store text, begun text, ended text, created text, scans integer, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_pattern constant text := private.words_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
begin
  return query
  with sums as (
    select d.campaign_id, sum(d.scans)::integer as scans, sum(d.reviews)::integer as reviews,
      sum(d.rating_sum)::integer as rating_sum, sum(d.spins)::integer as spins, sum(d.wins)::integer as wins,
      sum(d.redemptions)::integer as redemptions
    from private.campaign_figures_now(p_org_id) d group by d.campaign_id
  )
  select c.name, c.archived_at is not null, c.active, c.starts_at, c.ends_at, s.name,
    private.export_moment(coalesce(c.starts_at, c.created_at), z.timezone), private.export_moment(c.ends_at, z.timezone),
    private.export_moment(c.created_at, z.timezone), coalesce(f.scans, 0), coalesce(f.reviews, 0), coalesce(f.rating_sum, 0),
    coalesce(f.spins, 0), coalesce(f.wins, 0), coalesce(f.redemptions, 0)
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral (select coalesce(s.timezone, private.timezone_of(p_org_id)) as timezone) z
  left join sums f on f.campaign_id = c.id
  where c.org_id = p_org_id
    and (c.archived_at is not null) = coalesce((p_filters ->> 'is_archived')::boolean, false)
    and (v_pattern is null or private.has_words(c.name, v_pattern, v_hint) or private.has_words(s.name, v_pattern, v_hint))
  order by c.created_at desc, c.id;
end;
$function$;

COMMENT ON FUNCTION "public"."begin_export"(uuid, uuid, text, text, uuid) IS 'Whether a user may export customers (customers.read), redemptions (codes.read), reviews (reviews.read) or campaigns (campaigns.read) of an organisation now, with the session and the assurance level of their token. Whether customers may be named to them. The place is held until the transaction ends. Outcomes: started, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (none that exports), busy (another export runs).';

COMMENT ON FUNCTION "public"."export_campaigns"(uuid, jsonb) IS 'Campaigns of an organisation in use, or archived (is_archived), whose name or store''s name contains a text (search), newest first, as an export shows them: dates as their store counts them, and figures of all their time.';

REVOKE ALL ON FUNCTION "public"."export_campaigns"(uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."export_campaigns"(uuid, jsonb) TO "service_role";
