-- Dashboard: the first screen of the day, and the search through everything.
--
-- Each is one request that adds up counters: neither ever counts events, however many there are. The search is asked
-- while typing and looks into all lists; it therefore uses the indexes that the lists have, and asks nothing of a table
-- that would read it from end to end. Readers of figures without customers see what happened, not to whom. A search
-- needs the same permission, since a name or an address could be tried on it.

create function private.next_steps(p_org_id uuid, p_is_named boolean, p_sees_codes boolean) returns jsonb
language sql stable set search_path = ''
as $$
  with active as (
    select c.*, c.ends_at is not null and c.ends_at <= now() as is_over
    from public.campaigns c where c.org_id = p_org_id and c.active
  )
  select jsonb_build_object(
    'unseen_reviews', private.unseen_reviews(p_org_id, p_is_named, p_sees_codes),
    'low_stock', private.low_stock(p_org_id),
    'checks', case when p_sees_codes then private.open_checks(p_org_id) else 0 end,
    'over_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name) from active c
      where not exists (select 1 from active other where not other.is_over)
      order by c.ends_at desc, c.id limit 1),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'timezone', s.timezone)
      from active c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      -- The first of its own rewards answers for nearly every campaign.
      where not c.is_over and (
          select true from public.rewards r
          where r.org_id = p_org_id and r.campaign_id = c.id and r.active and r.archived_at is null limit 1) is null
        and (
          select true from public.wheel_segments w
          join public.rewards r on r.org_id = w.org_id and r.id = w.reward_id and r.active and r.archived_at is null
          where w.org_id = p_org_id and w.campaign_id = c.id limit 1) is null
      -- Campaigns that run today come before those that are about to.
      order by coalesce(c.starts_at > now(), false), c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (select 1 from active c where c.store_id = s.id and not c.is_over)
      order by s.created_at, s.id limit 1));
$$;
comment on function private.next_steps(uuid, boolean, boolean) is
  'Next steps for a merchant: bad reviews that nobody has seen, rewards that run out, groups of prizes to check (for whoever '
  'sees codes). Whether every active campaign is over. A campaign, running or about to, in which nothing can be won, and a '
  'store with one that has no public reviews page. Whose the reviews are where asked, and by which identifier codes are '
  'looked for.';

create function private.recent_activity(p_org_id uuid, p_is_named boolean) returns jsonb
language sql stable set search_path = ''
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
      -- Wins are read from codes and from points, both short lists, not from the spins, which are many.
      select * from (
        (
          select 'win', d.created_at as at, d.end_user_name, d.end_user_email, null::smallint, d.reward_name
          from public.redemptions d where d.org_id = p_org_id and d.spin_id is not null
          order by d.created_at desc limit 2
        )
        union all
        (
          select 'win', l.created_at, s.end_user_name, s.end_user_email, null, r.name
          from (
            select * from public.points_ledger p where p.org_id = p_org_id and p.kind = 'earned' order by p.id desc limit 2
          ) l
          join public.spins s on s.org_id = l.org_id and s.id = l.spin_id
          join public.rewards r on r.org_id = l.org_id and r.id = l.reward_id
        )
      ) wins
      order by wins.at desc limit 2
    )
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'kind', shown.kind, 'at', shown.at,
    'name', case when p_is_named then private.name_or_email(shown.name, shown.email) end,
    'rating', shown.rating, 'reward', shown.reward) order by shown.at desc, shown.kind), '[]'::jsonb)
  from (select * from latest l order by l.at desc, l.kind limit 4) shown;
$$;
comment on function private.recent_activity(uuid, boolean) is
  'The newest 4 of the latest 5 reviews, 3 uses of codes and 2 wins (specification, section 9), with names where asked.';

create function private.latest_words(p_org_id uuid, p_is_named boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating, 'store', s.name,
    'first_name', case when p_is_named then nullif(btrim(c.first_name), '') end,
    'text', case when p_is_named then left(r.review_text, 400) end) order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews w
    where w.org_id = p_org_id and w.review_text is not null order by w.created_at desc, w.id desc limit 4
  ) r
  join public.stores s on s.org_id = r.org_id and s.id = r.store_id
  left join public.customers c on c.org_id = r.org_id and c.id = r.customer_id;
$$;
comment on function private.latest_words(uuid, boolean) is
  'The newest 4 reviews with words, under their aliases, with the first name and the beginning of the words (400 characters) '
  'where asked.';

create function public.dashboard(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_held text[];
  v_today date;
  v_recent jsonb;
  v_is_named boolean;
begin
  select r.held into v_held
  from private.my_reading_rights('{activity.read,customers.read,codes.read,reviews.read}', 'activity.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_today := private.now_in(private.timezone_of(p_org_id))::date;
  v_is_named := 'customers.read' = any (v_held);
  v_recent := private.recent_days(p_org_id, v_today);
  return jsonb_build_object(
    'limits', (
      select jsonb_build_object('max_active_campaigns', l.max_active_campaigns,
        'monthly_spins', l.monthly_spins, 'max_users', l.max_users)
      from private.limits_of(p_org_id) l),
    'used', jsonb_build_object(
      'active_campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
      'monthly_spins', v_recent -> 'monthly_spins',
      'users', private.users_used(p_org_id)),
    'totals', private.organization_totals(p_org_id),
    'last_30_days', v_recent -> 'totals',
    'previous_30_days', v_recent -> 'previous',
    'has_campaign', exists (select 1 from public.campaigns c where c.org_id = p_org_id),
    'has_reward', exists (
      select 1 from public.rewards r where r.org_id = p_org_id and r.active and r.archived_at is null),
    'todo', private.next_steps(p_org_id, v_is_named, 'codes.read' = any (v_held)),
    'advanced', case when private.has_feature(p_org_id, 'advanced_analytics') then jsonb_build_object(
      'days', v_recent -> 'days', 'funnel', v_recent -> 'funnel',
      'return', private.period_return(p_org_id, v_today - 29, 'infinity')) end,
    'first_day', coalesce(
      (select min(f.day) from private.folded_days f where f.org_id = p_org_id),
      (select min(d.day) from public.campaign_daily_stats d where d.org_id = p_org_id and d.shard < 16)),
    'activity', private.recent_activity(p_org_id, v_is_named),
    'public_ratings', private.public_ratings(p_org_id),
    'reviews', case when 'reviews.read' = any (v_held)
      then private.latest_words(p_org_id, v_is_named) end,
    'active_campaigns', coalesce(
      (select jsonb_agg(jsonb_build_object('id', shown.id, 'name', shown.name,
         'active', true, 'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'scans', (
         select coalesce(sum(f.scans), 0) from private.campaign_figures_now(p_org_id) f
         where f.campaign_id = shown.id)) order by shown.created_at desc, shown.id)
       from (
         select c.* from public.campaigns c
         where c.org_id = p_org_id and c.active order by c.created_at desc, c.id limit 2
       ) shown),
      '[]'::jsonb)
  );
end;
$$;
comment on function public.dashboard(uuid) is
  'Everything that the dashboard shows of an organisation (specification, section 2.10), in one request; the shape is '
  'dashboard of _shared/domain. advanced is null where the plan does not include it, reviews without the permission '
  'reviews.read, and who somebody is, and what they wrote, without customers.read. Error 42501 without the permission activity.read there.';
grant execute on function public.dashboard(uuid) to authenticated;

create function private.period_end(p_org_id uuid, p_to date) returns date
language sql stable set search_path = ''
as $$
  -- Days up to today have no end: a store further east is a day ahead.
  select case when p_to >= private.now_in(private.timezone_of(p_org_id))::date then date 'infinity' else p_to + 1 end;
$$;
comment on function private.period_end(uuid, date) is
  'Day before which days count that end with p_to: the next one, or infinity where it is today''s at the first store, or a later one.';

create function private.period(p_org_id uuid, p_from date, p_to date) returns jsonb
language sql stable set search_path = ''
as $$
  -- Materialized: as a subquery it would be asked once for each of its parts.
  with e as materialized (
    select private.period_end(p_org_id, p_to) as until
  ), r as materialized (
    select e.until, private.recent_days(p_org_id, p_to, p_to - p_from + 1, e.until) as recent from e
  )
  select jsonb_build_object('totals', r.recent -> 'totals', 'previous', r.recent -> 'previous',
    'days', r.recent -> 'days', 'funnel', r.recent -> 'funnel',
    'return', private.period_return(p_org_id, p_from, r.until))
  from r;
$$;
comment on function private.period(uuid, date, date) is 'Answer of period_figures, without its check of permissions.';

create function private.require_period(p_org_id uuid, p_from date, p_to date) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read')))
    or not private.has_feature(p_org_id, 'advanced_analytics') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- « is not true »: a comparison with null is neither.
  if (p_from > '2000-01-01' and p_to < '2200-01-01' and p_to - p_from between 0 and 365) is not true then
    raise exception 'period_invalid' using errcode = '22023';
  end if;
end;
$$;
comment on function private.require_period(uuid, date, date) is
  'Refuses days that are no period, or of which one may not read figures. Errors: those of period_figures.';

create function public.period_figures(p_org_id uuid, p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  perform private.require_period(p_org_id, p_from, p_to);
  return private.period(p_org_id, p_from, p_to);
end;
$$;
comment on function public.period_figures(uuid, date, date) is
  'Figures of an organisation''s days from one to another, both counted, beside those of as many days before; the shape '
  'is periodFigures of _shared/domain. Errors: 42501 without the permission activity.read there or a plan with '
  'advanced_analytics; 22023 (period_invalid) when the last day is before the first one, or there are more than 366.';
grant execute on function public.period_figures(uuid, date, date) to authenticated;

create function public.period_costs(p_org_id uuid, p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  perform private.require_period(p_org_id, p_from, p_to);
  return private.period_costs(p_org_id, p_from, private.period_end(p_org_id, p_to));
end;
$$;
comment on function public.period_costs(uuid, date, date) is
  'The 5 rewards to look at of those that were used from one day to another, both counted; the shape is periodCosts of _shared/domain. '
  'Errors: those of period_figures.';
grant execute on function public.period_costs(uuid, date, date) to authenticated;

create function public.find_anything(p_query text, p_limit integer default 5) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_query constant text := left(btrim(coalesce(p_query, '')), 120);
  v_words constant text := '%' || private.words(v_query) || '%';
  v_hint constant text := private.pattern_hint(v_words);
  v_limit constant integer := least(greatest(coalesce(p_limit, 5), 1), 10);
  v_org_id uuid;
  v_held text[];
  v_found jsonb;
begin
  if v_words = '%%' then
    return '[]'::jsonb;
  end if;
  select m.org_id, m.held into v_org_id, v_held
  from private.my_reading_rights('{campaigns.read,customers.read,codes.read,rewards.read,stores.read}') m;
  -- A user has one organisation at most.
  with found as (
    (select 1 as part, row_number() over (order by c.active desc, c.created_at desc, c.id) as place,
      'campaign' as kind, c.id, c.name as title, s.name as detail, null::uuid as parent_id
    from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = v_org_id and 'campaigns.read' = any (v_held)
      and private.has_words(c.name || ' ' || c.slug, v_words, v_hint)
    order by place limit v_limit)
    union all
    (select 2, row_number() over (), 'customer', f.id, f.title, f.detail, null
    from private.find_customers(v_org_id, v_query, v_limit) f where 'customers.read' = any (v_held))
    union all
    (select 3, row_number() over (), 'code', f.id, f.title, f.detail, f.parent_id
    from private.find_codes(v_org_id, v_query, v_limit, 'customers.read' = any (v_held)) f where 'codes.read' = any (v_held))
    union all
    (select 4, row_number() over (order by r.active desc, r.created_at desc, r.id) as place,
      'reward', r.id, r.name, c.name, null
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = v_org_id and 'rewards.read' = any (v_held)
      and r.archived_at is null and private.has_words(r.name, v_words, v_hint)
    order by place limit v_limit)
    union all
    (select 5, row_number() over (order by s.created_at desc, s.id) as place, 'store', s.id, s.name, s.address, null
    from public.stores s
    where s.org_id = v_org_id and 'stores.read' = any (v_held)
      and s.archived_at is null and private.has_words(s.name || ' ' || s.address, v_words, v_hint)
    order by place limit v_limit)
  )
  select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'id', f.id, 'title', f.title, 'detail', f.detail,
    'parent_id', f.parent_id) order by f.part, f.place), '[]'::jsonb)
  into v_found from found f;
  return v_found;
end;
$$;
comment on function public.find_anything(text, integer) is
  'Things of the signed-in member''s organisation that a text means: campaigns, customers, codes, rewards and stores in use, '
  'as many of each as the limit says (1 to 10), each only with its permission (campaigns.read, customers.read, codes.read, '
  'rewards.read, stores.read); the shape is foundThings of _shared/domain. Without case and accents.';
grant execute on function public.find_anything(text, integer) to authenticated;
