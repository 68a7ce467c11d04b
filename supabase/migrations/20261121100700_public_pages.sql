-- Why: the anonymous key reads no table. A public page gets what it needs by slug, from the functions
-- below, which only the server's own role may call: no list of merchants, no internal description.

create table private.default_segments (
  id uuid primary key,
  purpose text not null check (purpose in ('example', 'losing')),
  label text not null,
  color text not null,
  weight smallint not null,
  position smallint not null
);
alter table private.default_segments enable row level security;
grant select on private.default_segments to service_role;
comment on table private.default_segments is
  'Slices of a wheel that nobody has drawn yet (specification, section 9): an example for the test mode, '
  'and the losing slice that completes the rewards of a campaign without slices.';
comment on column private.default_segments.id is 'Identifier.';
comment on column private.default_segments.purpose is 'example: shown and drawn in test mode only; losing: takes what equal shares leave.';
comment on column private.default_segments.label is 'Text on the wheel.';
comment on column private.default_segments.color is 'Colour, as #RRGGBB.';
comment on column private.default_segments.weight is 'Odds in percent; of no meaning for losing.';
comment on column private.default_segments.position is 'Order on the wheel.';

insert into private.default_segments (id, purpose, label, color, weight, position) values
  ('00000000-0000-4000-8000-000000000001', 'example', 'Café offert', '#8B5CF6', 25, 0),
  ('00000000-0000-4000-8000-000000000002', 'example', 'Réduction 10%', '#10B981', 25, 1),
  ('00000000-0000-4000-8000-000000000003', 'example', 'Dessert offert', '#F59E0B', 15, 2),
  ('00000000-0000-4000-8000-000000000004', 'example', 'Pas de chance', '#6B7280', 35, 3),
  ('00000000-0000-4000-8000-000000000005', 'losing', 'Pas de chance', '#6B7280', 0, 0);

create function private.wins_of(p_org_id uuid, p_customer_id uuid, p_reward_id uuid) returns bigint
language sql stable
return (
  select count(*) from public.spins w
  where w.org_id = p_org_id and w.customer_id = p_customer_id and w.reward_id = p_reward_id
);
comment on function private.wins_of(uuid, uuid, uuid) is 'How often a customer has won a reward.';

create function private.wheel(
  p_org_id uuid, p_campaign_id uuid, p_customer_id uuid,
  out segment_ids uuid[], out reward_ids uuid[], out labels text[], out colors text[], out weights integer[],
  out is_drawable boolean[], out is_example boolean
)
language plpgsql stable
as $$
begin
  is_example := false;
  select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
    array_agg(w.weight::integer), array_agg(w.drawable)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable
  from (
    select s.id, s.reward_id, s.label, s.color, s.weight,
      s.reward_id is null or (
        r.active and r.archived_at is null and r.stock <> 0
        and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id))
      ) as drawable
    from public.wheel_segments s
    left join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
    where s.campaign_id = p_campaign_id
    order by s.position, s.id
  ) w;
  if segment_ids is not null then
    return;
  end if;

  -- No slices: the rewards in equal shares, and a losing slice that takes the remainder (section 9).
  select array_agg(w.id), array_agg(w.id), array_agg(w.name), array_agg(w.color), array_agg(w.weight),
    array_agg(w.drawable)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable
  from (
    select r.id, r.name,
      ('{#8B5CF6,#10B981,#F59E0B,#EF4444,#06B6D4,#EC4899}'::text[])[
        1 + (row_number() over (order by r.created_at, r.id) - 1) % 6] as color,
      (100 / count(*) over ())::integer as weight,
      r.active and r.stock <> 0
        and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id)) as drawable
    from public.rewards r
    where r.campaign_id = p_campaign_id and r.archived_at is null
    order by r.created_at, r.id
  ) w;
  if segment_ids is not null then
    select segment_ids || p_campaign_id, reward_ids || null::uuid, labels || d.label, colors || d.color,
      weights || 100 - cardinality(weights) * weights[1], is_drawable || true
    into segment_ids, reward_ids, labels, colors, weights, is_drawable
    from private.default_segments d where d.purpose = 'losing';
    return;
  end if;

  -- Nothing is offered at all: an example to look at and to test, never a real draw.
  is_example := true;
  select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
    array_agg(w.weight::integer), array_agg(false)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable
  from (
    select d.id, case when d.label <> l.label then d.id end as reward_id, d.label, d.color, d.weight
    from private.default_segments d, private.default_segments l
    where d.purpose = 'example' and l.purpose = 'losing'
    order by d.position
  ) w;
end;
$$;
comment on function private.wheel(uuid, uuid, uuid) is
  'The slices of a campaign''s wheel in order, as arrays: those that the merchant drew, else its rewards in equal shares, '
  'else the example. is_drawable tells whether a slice can be drawn for a customer (null: for anybody): a reward '
  'must be active, in stock and not yet won max_per_user times; losing slices always can; the example never.';

create function private.running_campaign(p_slug text) returns setof public.campaigns
language plpgsql stable
as $$
begin
  return query
    with named as (
      select c.* from public.campaigns c where c.slug = p_slug
      union all
      select c.* from public.campaign_slug_redirects r
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
      where r.slug = p_slug
    )
    select c.* from public.campaigns c
    join public.subscriptions s on s.org_id = c.org_id
    where c.id = (select n.id from named n limit 1) and private.is_running(c, s);
end;
$$;
comment on function private.running_campaign(text) is
  'The running campaign behind a present or former slug; no row when there is none.';

create function public.campaign_page(p_slug text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_open boolean;
  v_result jsonb;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return null;
  end if;
  select * into v_wheel from private.wheel(v_campaign.org_id, v_campaign.id, null);
  v_is_open := private.draw(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable) is not null
    and not v_wheel.is_example;

  select jsonb_build_object(
    'id', v_campaign.id,
    'slug', v_campaign.slug,
    'name', v_campaign.name,
    'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
    'store', jsonb_build_object('id', s.id, 'name', s.name),
    'google_review_url', s.google_review_url,
    'review_mode', s.review_mode,
    'starts_at', v_campaign.starts_at,
    'ends_at', v_campaign.ends_at,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color, 'position', w.n - 1)
        order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors) with ordinality as w (id, label, color, n)
    ),
    'wheel_open', v_is_open and (
      l.monthly_spins < 0
      or private.monthly_spins_used(o.id, private.now_in(s.timezone)::date) < l.monthly_spins
    ),
    'rules_version', v_campaign.rules_version
  ) into v_result
  from public.organizations o
  join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
  join public.subscriptions u on u.org_id = o.id
  join public.plan_limits l on l.plan = u.plan
  where o.id = v_campaign.org_id;
  return v_result;
end;
$$;
comment on function public.campaign_page(text) is
  'All that the public may know of a running campaign, by present or former slug (design, section 4); null '
  'when there is none. The shape is publicCampaign of _shared/domain.';
grant execute on function public.campaign_page(text) to service_role;

create function public.organization_page(p_slug text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', o.name,
    'slug', o.slug,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'slug', c.slug, 'name', c.name, 'store_name', s.name, 'ends_at', c.ends_at
      ) order by c.created_at desc, c.id)
      from public.campaigns c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      where c.org_id = o.id and c.active and private.is_running(c, u)
    ), '[]'::jsonb)
  )
  from public.organizations o
  join public.subscriptions u on u.org_id = o.id
  where o.slug = p_slug and private.is_open(u);
$$;
comment on function public.organization_page(text) is
  'An organisation''s open campaigns, newest first, for /org/{slug}; null when it is unknown or closed.';
grant execute on function public.organization_page(text) to service_role;

create function public.record_scan(p_slug text, p_source text, p_visitor_hash text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_timezone text;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return 'campaign_not_found';
  end if;

  insert into private.recent_scans as r (campaign_id, visitor_hash, scanned_at)
  values (v_campaign.id, p_visitor_hash, now())
  on conflict (campaign_id, visitor_hash) do update set scanned_at = excluded.scanned_at
    where r.scanned_at <= now() - interval '30 minutes';
  if not found then
    return 'repeated';
  end if;
  if random() < 0.01 then
    delete from private.recent_scans r
    where r.ctid = any (array(
      select o.ctid from private.recent_scans o where o.scanned_at < now() - interval '30 minutes'
      limit 500 for update skip locked
    ));
  end if;

  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  insert into public.scan_events (org_id, campaign_id, store_id, source)
  values (v_campaign.org_id, v_campaign.id, v_campaign.store_id, p_source);
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_timezone)::date, p_scans => 1);
  return 'counted';
end;
$$;
comment on function public.record_scan(text, text, text) is
  'Counts a scan of a running campaign, once in 30 minutes for one visitor (a keyed hash). Answers counted, '
  'repeated or campaign_not_found.';
grant execute on function public.record_scan(text, text, text) to service_role;
