-- Why: rewards of archived campaigns were proposed for a wheel that cannot be changed.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.reward_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
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
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,rate,max,validity,state,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
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
          when 'validity' then coalesce(private.validity_days(r.type, r.metadata)::double precision, 'Infinity')
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
    (select json_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
      'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
     from private.reward_totals_now(p_org_id) t),
    coalesce(json_agg(json_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', coalesce(d.segments, 0),
      -- Few rewards have segments in a campaign that is not their own: only those ask for names.
      'shared_with', coalesce(case when r.campaign_id <> any (d.campaigns) then (
        select json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id = any (d.campaigns)) end, '[]'::json),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null and d.reward_id is null and c.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', json_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::json)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  left join drawn d on d.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return json_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;
