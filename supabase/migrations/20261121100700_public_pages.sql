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

create function private.wheel(p_org_id uuid, p_campaign_id uuid, p_customer_id uuid)
returns table (
  segment_id uuid, reward_id uuid, label text, color text, weight integer, "position" integer,
  is_drawable boolean, is_example boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select s.id, s.reward_id, s.label, s.color, s.weight::integer, s.position::integer,
      s.reward_id is null or (
        r.active and r.archived_at is null and r.stock <> 0 and (
          p_customer_id is null
          or r.max_per_user > (
            select count(*) from public.spins w
            where w.org_id = p_org_id and w.reward_id = s.reward_id and w.customer_id = p_customer_id
          )
        )
      ),
      false
    from public.wheel_segments s
    left join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
    where s.campaign_id = p_campaign_id
    order by s.position, s.id;
  if found then
    return;
  end if;

  -- No slices: the rewards in equal shares, and a losing slice that takes the remainder (section 9).
  return query
    with reward as (
      select r.*, row_number() over (order by r.created_at, r.id)::integer as n, count(*) over ()::integer as total
      from public.rewards r where r.campaign_id = p_campaign_id and r.archived_at is null
    )
    select r.id, r.id, r.name,
      ('{#8B5CF6,#10B981,#F59E0B,#EF4444,#06B6D4,#EC4899}'::text[])[1 + (r.n - 1) % 6],
      100 / r.total, r.n - 1,
      r.active and r.stock <> 0 and (
        p_customer_id is null
        or r.max_per_user > (
          select count(*) from public.spins w
          where w.org_id = p_org_id and w.reward_id = r.id and w.customer_id = p_customer_id
        )
      ),
      false
    from reward r
    union all
    select p_campaign_id, null, d.label, d.color, 100 - t.total * (100 / t.total), t.total, true, false
    from (select max(reward.total) as total from reward) t, private.default_segments d
    where d.purpose = 'losing' and t.total is not null
    order by 6;
  if found then
    return;
  end if;

  -- Nothing is offered at all: an example to look at and to test, never a real draw.
  return query
    select d.id, case when d.label = l.label then null else d.id end, d.label, d.color, d.weight::integer,
      d.position::integer, false, true
    from private.default_segments d, private.default_segments l
    where d.purpose = 'example' and l.purpose = 'losing'
    order by d.position;
end;
$$;
comment on function private.wheel(uuid, uuid, uuid) is
  'The slices of a campaign''s wheel in order: those that the merchant drew, else its rewards in equal shares, '
  'else the example. is_drawable tells whether a slice can be drawn for a customer (null: for anybody): a reward '
  'must be active, in stock and not yet won max_per_user times; losing slices always can; the example never.';

create function private.campaign_by_slug(p_slug text) returns setof public.campaigns
language sql stable security definer set search_path = ''
as $$
  select c.* from public.campaigns c where c.slug = p_slug
  union all
  select c.* from public.campaign_slug_redirects r
  join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  where r.slug = p_slug
  limit 1;
$$;
comment on function private.campaign_by_slug(text) is
  'The campaign behind a present or former slug; no row when there is none.';

create function public.campaign_page(p_slug text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_result jsonb;
begin
  select * into v_campaign from private.campaign_by_slug(p_slug);
  if not found or not private.is_running(v_campaign) then
    return null;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;

  select jsonb_build_object(
    'id', v_campaign.id,
    'slug', v_campaign.slug,
    'name', v_campaign.name,
    'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
    'store', jsonb_build_object('id', v_store.id, 'name', v_store.name),
    'google_review_url', v_store.google_review_url,
    'review_mode', v_store.review_mode,
    'starts_at', v_campaign.starts_at,
    'ends_at', v_campaign.ends_at,
    'segments', w.segments,
    'wheel_open', w.has_draw and coalesce(
      private.monthly_spins_left(o.id, date_trunc('month', private.now_in(v_store.timezone))::date) > 0, true),
    'rules_version', v_campaign.rules_version
  ) into v_result
  from public.organizations o,
    lateral (
      select
        jsonb_agg(jsonb_build_object('id', s.segment_id, 'label', s.label, 'color', s.color, 'position', s.position)
          order by s.position) as segments,
        coalesce(bool_or(s.is_drawable and s.weight > 0), false) as has_draw
      from private.wheel(v_campaign.org_id, v_campaign.id, null) s
    ) w
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
      where c.org_id = o.id and c.active and private.is_running(c)
    ), '[]'::jsonb)
  )
  from public.organizations o
  where o.slug = p_slug and private.is_open(o.id);
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
  select * into v_campaign from private.campaign_by_slug(p_slug);
  if not found or not private.is_running(v_campaign) then
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
