-- Why: the merchant's logo and colour come with the data of every page that shows them, decided by the plan in the same
-- moment as the product's own name, so that the one always leaves when the other comes. The rest of these functions is as
-- it was.

create or replace function public.campaign_page(p_slug text) returns jsonb
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
    'rules_version', v_campaign.rules_version,
    'white_label', l.white_label,
    'brand', private.brand(o.id)
  ) into v_result
  from public.organizations o
  join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
  join public.subscriptions u on u.org_id = o.id
  join public.plan_limits l on l.plan = u.plan
  where o.id = v_campaign.org_id;
  return v_result;
end;
$$;

create or replace function public.organization_page(p_slug text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', o.name,
    'slug', o.slug,
    'white_label', private.has_feature(o.id, 'white_label'),
    'brand', private.brand(o.id),
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
  where o.id = (
      select n.id
      from (
        select g.id, 0 as rank from public.organizations g where g.slug = p_slug
        union all
        select r.org_id, 1 from public.organization_slug_redirects r where r.slug = p_slug
      ) n
      order by n.rank limit 1
    )
    and private.is_open(u);
$$;

create or replace function public.campaign_rules_page(p_slug text, p_version integer default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
begin
  select c.* into v_campaign from public.campaigns c
  where c.id = coalesce(
    (select n.id from public.campaigns n where n.slug = p_slug),
    (select r.campaign_id from public.campaign_slug_redirects r where r.slug = p_slug));
  if not found then
    return null;
  end if;
  -- Nobody reads a draft; but what was played once can be read for good, also when the game is over.
  if not exists (
    select 1 from public.subscriptions u where u.org_id = v_campaign.org_id and private.is_running(v_campaign, u)
  ) and not exists (
    select 1 from public.spins s where s.org_id = v_campaign.org_id and s.campaign_id = v_campaign.id
  ) then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'id', v_campaign.id, 'slug', v_campaign.slug, 'campaign', v_campaign.name,
      'version', r.version, 'published_at', private.rules_moment(r.published_at),
      'in_force', v_campaign.rules_version,
      'white_label', private.has_feature(v_campaign.org_id, 'white_label'),
      'brand', private.brand(v_campaign.org_id),
      'versions', (
        select jsonb_agg(jsonb_build_object('version', v.version, 'published_at', private.rules_moment(v.published_at))
          order by v.version desc)
        from (
          select l.version, l.published_at from public.campaign_rules l
          where l.org_id = v_campaign.org_id and l.campaign_id = v_campaign.id
          order by l.version desc limit 50
        ) v
      ),
      'content', r.content)
    from public.campaign_rules r
    where r.org_id = v_campaign.org_id and r.campaign_id = v_campaign.id
      and r.version = coalesce(p_version, v_campaign.rules_version)
  );
end;
$$;

create or replace function public.campaign_poster(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'colors', to_jsonb(w.colors),
    'white_label', private.has_feature(c.org_id, 'white_label'),
    'brand', private.brand(c.org_id))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
$$;
comment on function public.campaign_poster(uuid) is
  'What a campaign''s posters show: address, names, the colours of its wheel in order, whether the product''s name stays '
  'away (white_label), and the merchant''s brand in its place. The shape is campaignPoster of _shared/domain. Null for '
  'whoever may not read the campaign, when it was put away, and when its store is gone.';
