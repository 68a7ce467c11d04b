-- Why: the list that tells a reward on no slice (20261123400020) was written from one that compares accents. It searches as
-- the other lists do (20261123061200), and tells the same.

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
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'archived_at', r.archived_at,
      'slices', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id)
        and not exists (select 1 from public.wheel_segments w
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
