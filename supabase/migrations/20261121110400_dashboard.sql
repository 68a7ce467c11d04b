-- Why: the dashboard is the first screen of the day, and the list of campaigns the second. Each is one request
-- that adds up counters: neither ever counts events, however many there are.

-- What was used last, without looking at what was only won.
create index redemptions_org_used_at_idx on public.redemptions (org_id, used_at desc) where used_at is not null;

create function private.recent_activity(p_org_id uuid) returns jsonb
language sql stable
as $$
  with latest as (
    (
      select 'review' as kind, r.created_at as at, r.customer_name as name, r.customer_email as email,
        r.rating, null::text as reward
      from public.pre_spin_reviews r where r.org_id = p_org_id
      order by r.created_at desc limit 5
    )
    union all
    (
      select 'redeem', d.used_at, d.end_user_name, d.end_user_email, null, d.reward_name
      from public.redemptions d where d.org_id = p_org_id and d.used_at is not null
      order by d.used_at desc limit 3
    )
    union all
    (
      -- A win left a code, or points: both lists are short ways to it, where the turns themselves are many.
      select * from (
        (
          select 'win', d.created_at as at, d.end_user_name, d.end_user_email, null::smallint, d.reward_name
          from public.redemptions d where d.org_id = p_org_id
          order by d.created_at desc limit 2
        )
        union all
        (
          select 'win', l.created_at, s.end_user_name, s.end_user_email, null, r.name
          from (
            select * from public.points_ledger p where p.org_id = p_org_id order by p.id desc limit 2
          ) l
          join public.spins s on s.org_id = l.org_id and s.id = l.spin_id
          join public.rewards r on r.org_id = l.org_id and r.id = l.reward_id
        )
      ) wins
      order by wins.at desc limit 2
    )
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'kind', shown.kind, 'at', shown.at, 'name', coalesce(nullif(btrim(shown.name), ''), shown.email),
    'rating', shown.rating, 'reward', shown.reward) order by shown.at desc, shown.kind), '[]'::jsonb)
  from (select * from latest l order by l.at desc, l.kind limit 4) shown;
$$;
comment on function private.recent_activity(uuid) is
  'The newest 4 of the latest 5 reviews, 3 uses of codes and 2 wins (specification, section 9).';

create function private.totals(p_org_id uuid, p_from date default null, p_to date default null) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'scans', coalesce(sum(d.scans), 0), 'reviews', coalesce(sum(d.reviews), 0),
    'rating_sum', coalesce(sum(d.rating_sum), 0), 'five_star_reviews', coalesce(sum(d.five_star_reviews), 0),
    'wins', coalesce(sum(d.wins), 0), 'redemptions', coalesce(sum(d.redemptions), 0))
  from public.campaign_daily_stats d
  where d.org_id = p_org_id and (p_from is null or d.day >= p_from) and (p_to is null or d.day < p_to);
$$;
comment on function private.totals(uuid, date, date) is
  'Figures of an organisation, of all time or from one day up to another, which is left out.';

create function public.dashboard(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_today date;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select private.now_in(coalesce(
    (select s.timezone from public.stores s where s.org_id = p_org_id order by s.created_at limit 1),
    'Europe/Paris'))::date into v_today;
  return jsonb_build_object(
    'limits', coalesce(
      (select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
         'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
       from public.subscriptions s join public.plan_limits l on l.plan = s.plan where s.org_id = p_org_id),
      '{"max_active_campaigns": 1, "monthly_spins": 100, "max_users": 2}'::jsonb),
    'used', jsonb_build_object(
      'active_campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
      'monthly_spins', private.monthly_spins_used(p_org_id, v_today),
      'users', (select count(*) from public.organization_members m where m.org_id = p_org_id)),
    'totals', private.totals(p_org_id),
    'last_30_days', private.totals(p_org_id, v_today - 29),
    'previous_30_days', private.totals(p_org_id, v_today - 59, v_today - 29),
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
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
  'dashboard of _shared/domain. Error 42501 without the permission activity.read there.';

create function public.campaign_list(p_org_id uuid, p_search text default '', p_page integer default 1) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := '%' || regexp_replace(btrim(coalesce(p_search, '')), '([\\%_])', '\\\1', 'g') || '%';
  v_matches integer;
  v_page integer;
  v_items jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and (c.name ilike v_pattern or s.name ilike v_pattern);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'slug', shown.slug, 'active', shown.active,
    'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'created_at', shown.created_at,
    'store_name', shown.store_name, 'scans', f.scans, 'reviews', f.reviews, 'spins', f.spins,
    'redemptions', f.redemptions) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select c.*, s.name as store_name
    from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = p_org_id and (c.name ilike v_pattern or s.name ilike v_pattern)
    order by c.created_at desc, c.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral (
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.redemptions), 0) as redemptions
    from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = shown.id
  ) f;

  return jsonb_build_object(
    'total', (select count(*) from public.campaigns c where c.org_id = p_org_id),
    'active', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
    'figures', private.totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.campaign_list(uuid, text, integer) is
  'A page of an organisation''s campaigns, newest first, whose name or store''s name contains a text, with the figures '
  'above the list (specification, section 2.13); the shape is campaignList of _shared/domain. Error 42501 without the '
  'permission campaigns.read there.';

grant execute on function public.dashboard(uuid), public.campaign_list(uuid, text, integer) to authenticated;
