-- Why: lists and dashboards go on for whoever reads figures without customers; they say what happened, and leave out to whom
-- (20261123500000). A search that a name or an address could be tried on asks for the same right: what it finds would tell.
-- Reviews bear an alias: with a review's own identifier spin_wheel repeats the code that it won.

create function private.alias_of(p_id uuid) returns uuid
language sql immutable parallel safe set search_path = ''
as $$
  -- Marked as a UUID of a hash (version 8).
  select overlay(overlay(md5(p_id::text) placing '8' from 13) placing '8' from 17)::uuid;
$$;
comment on function private.alias_of(uuid) is
  'Tells one review from another in a list, always the same, and opens nothing: nobody finds the identifier that it was made of.';

-- The dashboard ----------------------------------------------------------------------------------

drop function private.recent_activity(uuid);
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
    'kind', shown.kind, 'at', shown.at,
    'name', case when p_is_named then coalesce(nullif(btrim(shown.name), ''), shown.email) end,
    'rating', shown.rating, 'reward', shown.reward) order by shown.at desc, shown.kind), '[]'::jsonb)
  from (select * from latest l order by l.at desc, l.kind limit 4) shown;
$$;
comment on function private.recent_activity(uuid, boolean) is
  'The newest 4 of the latest 5 reviews, 3 uses of codes and 2 wins (specification, section 9), with names where asked.';

create or replace function private.unseen_reviews(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '7 days'
    order by r.created_at desc, r.id desc limit 100
  ), reader as (
    select private.may_name_customers(p_org_id) as sees_customers,
      p_org_id in (select private.my_org_ids('codes.read')) as sees_codes
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', case when reader.sees_customers and reader.sees_codes then r.id else private.alias_of(r.id) end,
        'at', r.created_at, 'rating', r.rating, 'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when reader.sees_customers then r.customer_id end,
        'name', case when reader.sees_customers then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'text', case when reader.sees_customers then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      cross join reader), '[]'::jsonb));
$$;
comment on function private.unseen_reviews(uuid) is
  'The newest 3 reviews of 3 stars or fewer within 7 days that nobody marked as seen, and how many there are, counted up to '
  '100. Who wrote them, and the beginning of their words (400 characters), for whoever may see customers; under an alias for '
  'whoever may not see codes.';

create or replace function public.mark_review_seen(p_review_id uuid, p_is_seen boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('customers.write'));
begin
  update public.pre_spin_reviews r
  -- Whoever of two colleagues comes second changes nothing.
  set seen_at = case when p_is_seen then coalesce(r.seen_at, now()) end
  where r.org_id = any (v_org_ids) and r.id = p_review_id;
  if not found then
    -- By its alias, among those that the dashboard may have shown a day ago.
    update public.pre_spin_reviews r
    set seen_at = case when p_is_seen then coalesce(r.seen_at, now()) end
    where r.org_id = any (v_org_ids) and r.rating <= 3 and r.created_at > now() - interval '8 days'
      and private.alias_of(r.id) = p_review_id;
  end if;
  if not found or p_is_seen is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function public.mark_review_seen(uuid, boolean) is
  'Takes a review, named by its identifier or its alias, off what an organisation is to do next, or puts it back there. '
  'Errors: 42501 without the permission customers.write in its organisation.';

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
    'activity', private.recent_activity(p_org_id, private.may_name_customers(p_org_id)),
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
  'dashboard of _shared/domain. advanced is null where the plan does not include it, and who somebody is without the '
  'permission customers.read. Error 42501 without the permission activity.read there.';

-- A campaign -------------------------------------------------------------------------------------

drop function private.campaign_reviews(uuid, uuid);
create function private.campaign_reviews(p_org_id uuid, p_campaign_id uuid, p_is_named boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
    'name', case when p_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
    'customer_id', case when p_is_named then r.customer_id end)
    order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.campaign_id = p_campaign_id
    order by v.created_at desc limit 10
  ) r;
$$;
comment on function private.campaign_reviews(uuid, uuid, boolean) is
  'The 10 newest reviews of a campaign, newest first, with whose they are where asked.';

create or replace function public.campaign_stats(p_campaign_id uuid) returns jsonb
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
      'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at),
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
$$;
comment on function public.campaign_stats(uuid) is
  'Everything that the page of a campaign shows (specification, section 2.16), in one request; the shape is campaignStats of '
  '_shared/domain. The days are those of its store''s time zone. advanced is null where the plan does not include it, and who '
  'wrote a review without the permission customers.read. Null when there is no such campaign for the signed-in user.';

-- Customers and codes ----------------------------------------------------------------------------

create or replace function private.customer_reviews(p_org_id uuid, p_customer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    -- As in private.unseen_reviews, which leads here.
    'id', case when p_org_id = any (array(select private.my_org_ids('codes.read'))) then r.id else private.alias_of(r.id) end,
    'at', r.created_at, 'rating', r.rating,
    'text', r.review_text, 'campaign', c.name) order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.customer_id = p_customer_id
    order by v.created_at desc, v.id desc limit 20
  ) r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id;
$$;

drop function private.customer_redemptions(uuid, uuid);
create function private.customer_redemptions(p_org_id uuid, p_customer_id uuid, p_has_codes boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'at', d.used_at, 'campaign', c.name,
    'reward', d.reward_name, 'value', w.value, 'code', case when p_has_codes then d.code end)
    order by d.used_at desc, d.id desc), '[]'::jsonb)
  from (
    select * from public.redemptions v
    where v.org_id = p_org_id and v.customer_id = p_customer_id and v.status = 'used'
    order by v.used_at desc, v.id desc limit 20
  ) d
  left join public.campaigns c on c.org_id = d.org_id and c.id = d.campaign_id
  left join public.rewards w on w.org_id = d.org_id and w.id = d.reward_id;
$$;
comment on function private.customer_redemptions(uuid, uuid, boolean) is
  'The last 20 rewards that a customer used, newest first, with their codes where asked: for ten minutes a use can be undone.';

create or replace function public.customer_detail(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_customer public.customers;
begin
  select * into v_customer from public.customers c
  where c.org_id = any (array(select private.my_org_ids('customers.read'))) and c.id = p_id;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'id', v_customer.id, 'version', v_customer.version, 'name', v_customer.name,
    'first_name', v_customer.first_name, 'last_name', v_customer.last_name, 'email', v_customer.email,
    'phone', v_customer.phone, 'locale', v_customer.locale, 'note', v_customer.note,
    'created_at', v_customer.created_at, 'last_activity_at', v_customer.last_activity_at,
    'consent', case when v_customer.consent_marketing then jsonb_build_object('at', v_customer.consent_at,
      'by', v_customer.consent_by, 'version', v_customer.consent_version, 'organizer', v_customer.consent_organizer) end,
    'review_count', v_customer.review_count, 'rating_sum', v_customer.rating_sum,
    'spin_count', v_customer.spin_count,
    'win_count', private.customer_wins(v_customer.org_id, p_id),
    'redemption_count', v_customer.redemption_count,
    'open_codes', (select count(*) from public.redemptions r
      where r.org_id = v_customer.org_id and r.customer_id = p_id and r.status = 'available'
        and (r.expires_at is null or r.expires_at > now())),
    'points', (select coalesce(sum(l.points), 0) from public.points_ledger l
      where l.org_id = v_customer.org_id and l.customer_id = p_id),
    'reviews', private.customer_reviews(v_customer.org_id, p_id),
    'spins', private.customer_spins(v_customer.org_id, p_id),
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))));
end;
$$;
comment on function public.customer_detail(uuid) is
  'Everything that the page of a customer shows (specification, section 2.12), in one request; the shape is customerDetail of '
  '_shared/domain. Codes are null without the permission codes.read. Null when the signed-in user''s organisation has no '
  'such customer.';

create function private.code_start(p_search text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select case when btrim(coalesce(p_search, '')) <> ''
    -- Signs alone begin no code: the question mark stands in none.
    then coalesce(nullif(upper(regexp_replace(p_search, '[^A-Za-z0-9]', '', 'g')), ''), '?') end;
$$;
comment on function private.code_start(text) is
  'What redemptions.code_key begins with for a search by the code alone; null when nothing is searched.';

create or replace function public.reward_codes(p_id uuid, p_search text default '', p_page integer default 1) returns jsonb
-- A plan kept from one search to the next would not know a frequent word, best found among the newest codes, from
-- a rare one, best found by the index of words.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_start text;
  v_items jsonb;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('codes.read')));
  if not found then
    return null;
  end if;
  v_is_named := private.may_name_customers(v_reward.org_id);
  -- Whoever may not know whose a code is does not find it by a name either: those look by its first letters.
  if v_is_named then
    v_pattern := private.code_pattern(p_search);
  else
    v_start := private.code_start(p_search);
  end if;
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', case when shown.status = 'available' and shown.expires_at <= now() then 'expired' else shown.status end,
    'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at),
    'trace', private.code_trace(v_reward.org_id, shown.id)) order by shown.created_at desc, shown.id desc), '[]'::jsonb)
  into v_items
  from (
    -- One more than is shown tells whether there is a next page.
    select r.* from public.redemptions r
    where r.org_id = v_reward.org_id and r.reward_id = p_id and (v_pattern is null or r.words like v_pattern)
      -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
      and (v_start is null or (r.code_key >= v_start and r.code_key <= v_start || repeat('Z', 32)
        and r.code_key like v_start || '%'))
    order by r.created_at desc, r.id desc
    limit v_page_size + 1 offset (v_page - 1) * v_page_size
  ) shown;

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_reward.org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_reward.org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$$;
comment on function public.reward_codes(uuid, text, integer) is
  'A page of a reward''s codes, newest first, in which a text is found in the code, or in its customer''s e-mail or name, with '
  'the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Without the '
  'permission customers.read nobody is named, and a text is found where a code begins with it. Null when there is no such '
  'reward for the signed-in user, who needs the permission codes.read.';

drop function private.find_codes(uuid, text, integer);
create function private.find_codes(p_org_id uuid, p_query text, p_limit integer, p_is_named boolean)
returns table (id uuid, title text, detail text, parent_id uuid)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_key constant text := private.code_start(p_query);
begin
  if length(coalesce(v_key, '')) < 3 then
    return;
  end if;
  return query
    select r.id, r.code,
      concat_ws(', ', r.reward_name,
        case when p_is_named then coalesce(nullif(btrim(r.end_user_name), ''), r.end_user_email) end),
      r.reward_id
    from public.redemptions r
    -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
    where r.org_id = p_org_id and r.code_key >= v_key and r.code_key <= v_key || repeat('Z', 32)
      and starts_with(r.code_key, v_key)
    order by r.code_key
    limit p_limit;
end;
$$;
comment on function private.find_codes(uuid, text, integer, boolean) is
  'Codes of an organisation that begin with a text, whatever its case, spaces and signs, with whose they are where asked; '
  'none for less than three letters or digits. The parent is the reward.';

create or replace function public.find_anything(p_query text, p_limit integer default 5) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_query constant text := left(btrim(coalesce(p_query, '')), 120);
  v_words constant text := '%' || private.words(v_query) || '%';
  v_limit constant integer := least(greatest(coalesce(p_limit, 5), 1), 10);
  v_found jsonb;
begin
  if private.words(v_query) = '' then
    return '[]'::jsonb;
  end if;
  -- Whoever lacks a permission has no organisation in that part. A user has one organisation at most.
  with found as (
    (select 1 as part, row_number() over (order by c.active desc, c.created_at desc, c.id) as place,
      'campaign' as kind, c.id, c.name as title, s.name as detail, null::uuid as parent_id
    from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = any (array(select private.my_org_ids('campaigns.read')))
      and private.words(c.name || ' ' || c.slug) like v_words
    order by place limit v_limit)
    union all
    (select 2, row_number() over (), 'customer', f.id, f.title, f.detail, null
    from private.my_org_ids('customers.read') o cross join lateral private.find_customers(o, v_query, v_limit) f)
    union all
    (select 3, row_number() over (), 'code', f.id, f.title, f.detail, f.parent_id
    from private.my_org_ids('codes.read') o
    cross join lateral private.find_codes(o, v_query, v_limit, private.may_name_customers(o)) f)
    union all
    (select 4, row_number() over (order by r.active desc, r.created_at desc, r.id) as place,
      'reward', r.id, r.name, c.name, null
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = any (array(select private.my_org_ids('rewards.read')))
      and r.archived_at is null and private.words(r.name) like v_words
    order by place limit v_limit)
    union all
    (select 5, row_number() over (order by s.created_at desc, s.id) as place, 'store', s.id, s.name, s.address, null
    from public.stores s
    where s.org_id = any (array(select private.my_org_ids('stores.read')))
      and s.archived_at is null and private.words(s.name || ' ' || s.address) like v_words
    order by place limit v_limit)
  )
  select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'id', f.id, 'title', f.title, 'detail', f.detail,
    'parent_id', f.parent_id) order by f.part, f.place), '[]'::jsonb)
  into v_found from found f;
  return v_found;
end;
$$;
comment on function public.find_anything(text, integer) is
  'What of the signed-in member''s organisation a text means: campaigns, customers, codes, rewards and stores in use, as many '
  'of each as the limit says (1 to 10), each only with its permission (campaigns.read, customers.read, codes.read, '
  'rewards.read, stores.read); the shape is foundThings of _shared/domain. Without case and accents.';

-- Exports ----------------------------------------------------------------------------------------

drop function public.begin_export(uuid, uuid, text, text, uuid);
create function public.begin_export(
  p_user_id uuid, p_session_id uuid, p_aal text, p_type text, p_org_id uuid,
  out outcome text, out is_named boolean
) returns record
language plpgsql volatile security definer set search_path = ''
as $$
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
      case p_type when 'customers' then 'customers.read' when 'redemptions' then 'codes.read' end = any (v_permissions), false)
      then 'forbidden'
    when not private.is_readable(p_org_id) then 'closed'
    when not private.can_export(p_org_id) then 'plan'
    -- One at a time for an organisation, and two for everybody: a connection each, for as long as they last.
    when not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
      or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
        or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
      then 'busy'
    else 'started'
  end;
end;
$$;
comment on function public.begin_export(uuid, uuid, text, text, uuid) is
  'Whether a user whose token names a session and an assurance level may export customers (customers.read) or redemptions '
  '(codes.read) of an organisation now, and whether customers may be named to them; the place is held until the transaction '
  'ends. Outcomes: started, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days '
  'ago), plan (none that exports), busy (another export runs).';
grant execute on function public.begin_export(uuid, uuid, text, text, uuid) to service_role;

drop function public.export_redemptions(uuid, jsonb);
create function public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
returns table (
  code text, status text, reward text, campaign text, customer text, email text, created_at text, expires_at text,
  used_at text, used_store text
)
language sql stable
as $$
  select r.code, case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end,
    r.reward_name, c.name, case when p_is_named then r.end_user_name end, case when p_is_named then r.end_user_email end,
    private.export_moment(r.created_at, z.timezone), private.export_moment(r.expires_at, z.timezone),
    private.export_moment(r.used_at, z.timezone), s.name
  from public.redemptions r
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join public.stores s on s.org_id = r.org_id and s.id = r.used_store_id
  where r.org_id = p_org_id
    and ((p_filters ->> 'reward_id') is null or r.reward_id = (p_filters ->> 'reward_id')::uuid)
    and ((p_filters ->> 'status') is null or (p_filters ->> 'status')
      = case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end)
    and (private.code_pattern(p_filters ->> 'search') is null or case
      -- As they are kept: to make them anew for each row costs more.
      when p_is_named then r.words like private.code_pattern(p_filters ->> 'search')
      else starts_with(r.code_key, private.code_start(p_filters ->> 'search')) end)
  order by r.created_at desc, r.id desc;
$$;
comment on function public.export_redemptions(uuid, jsonb, boolean) is
  'Codes of an organisation, newest first, as an export shows them; filters: reward_id, status, search. Where nobody may be '
  'named, customers and their e-mails are null, and a search means how the code begins.';
grant execute on function public.export_redemptions(uuid, jsonb, boolean), private.code_start(text) to service_role;
-- Which private.code_pattern asks in the export, too.
grant execute on function private.words_pattern(text) to service_role;

-- Mails ------------------------------------------------------------------------------------------

create or replace function private.alert_low_rating() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_store text;
  v_reader record;
begin
  -- Nearly always nobody asked: one look into an index.
  if not exists (
    select 1 from public.notification_preferences n where n.org_id = new.org_id and n.low_ratings
  ) then
    return null;
  end if;
  -- A prankster must not be able to fill a merchant's mailbox.
  if private.take(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_token,
      private.proven_phone(u.id) as phone,
      -- Whoever may not see customers is led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_mail('low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'customer', v_reader.customer_id,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_token))),
        now() + interval '1 day');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone,
        jsonb_build_object('store', v_store, 'rating', new.rating), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$$;
