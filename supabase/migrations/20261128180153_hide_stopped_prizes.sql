-- Wheels and posters showed prizes that had been stopped or archived, which the rules no longer name.

set check_function_bodies = off;

DROP FUNCTION "private"."wheel"(uuid, uuid, uuid);

CREATE OR REPLACE FUNCTION private.wheel(p_org_id uuid, p_campaign_id uuid, p_customer_id uuid, OUT segment_ids uuid[], OUT reward_ids uuid[], OUT labels text[], OUT colors text[], OUT weights integer[], OUT is_drawable boolean[], OUT is_shown boolean[], OUT is_example boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  is_example := false;
  select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
    array_agg(w.weight::integer), array_agg(w.drawable), array_agg(w.weight > 0 and w.offered)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
  from (
    select s.id, s.reward_id, s.label, s.color, s.weight,
      s.reward_id is null or (
        r.active and r.archived_at is null and r.stock <> 0
        and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id))
      ) as drawable,
      s.reward_id is null or (r.active and r.archived_at is null) as offered
    from public.wheel_segments s
    left join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
    where s.campaign_id = p_campaign_id
    order by s.position, s.id
  ) w;

  if segment_ids is null then
    -- No segments: the rewards in equal shares, and a losing segment that takes the remainder (section 9).
    select array_agg(w.id), array_agg(w.id), array_agg(w.name), array_agg(w.color), array_agg(w.weight),
      array_agg(w.drawable), array_agg(w.active)
    into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
    from (
      select r.id, r.name, r.active,
        ('{#8B5CF6,#10B981,#F59E0B,#EF4444,#06B6D4,#EC4899}'::text[])[
          1 + (row_number() over (order by r.created_at, r.id) - 1) % 6] as color,
        (100 / count(*) over ())::integer as weight,
        r.active and r.stock <> 0
          and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id)) as drawable
      from public.rewards r
      where r.campaign_id = p_campaign_id and r.archived_at is null
      order by r.created_at, r.id
    ) w;
    select segment_ids || p_campaign_id, reward_ids || null::uuid, labels || d.label, colors || d.color,
      weights || 100 - cardinality(weights) * weights[1], is_drawable || true,
      is_shown || (100 - cardinality(weights) * weights[1] > 0)
    into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
    from private.default_segments d where d.purpose = 'losing' and segment_ids is not null;
  end if;

  if segment_ids is null then
    -- Nothing is offered at all: an example to look at and to test, never a real draw.
    is_example := true;
    select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
      array_agg(w.weight::integer), array_agg(false), array_agg(w.weight > 0)
    into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
    from (
      select d.id, case when d.label <> l.label then d.id end as reward_id, d.label, d.color, d.weight
      from private.default_segments d, private.default_segments l
      where d.purpose = 'example' and l.purpose = 'losing'
      order by d.position
    ) w;
  end if;

  if not true = any (is_shown) then
    is_shown := array(select w.weight > 0 from unnest(weights) with ordinality as w (weight, n) order by w.n);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_page(p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  v_is_open := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable) is not null
    and not v_wheel.is_example;

  select jsonb_build_object(
    'id', v_campaign.id,
    'slug', v_campaign.slug,
    'name', v_campaign.name,
    'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
    'store', jsonb_build_object('id', s.id, 'name', s.name, 'timezone', s.timezone),
    'google_review_url', s.google_review_url,
    'review_mode', s.review_mode,
    'starts_at', v_campaign.starts_at,
    'ends_at', v_campaign.ends_at,
    'play_interval_days', v_campaign.play_interval_days,
    -- Segments of the wheel: those on which no spin can end, and prizes that nobody offers any more, are not shown.
    'segments', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color,
        'position', w.n - 1, 'picture', w.picture)) order by w.n)
      from (
        select s.id, s.label, s.color, r.picture, row_number() over (order by s.n) as n
        from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors, v_wheel.reward_ids, v_wheel.is_shown)
          with ordinality as s (id, label, color, reward_id, is_shown, n)
        left join public.rewards r on r.org_id = v_campaign.org_id and r.id = s.reward_id
        where s.is_shown
      ) w
    ),
    'wheel_open', v_is_open and (
      l.monthly_spins < 0
      or private.monthly_spins_used(o.id, private.now_in(s.timezone)::date) < l.monthly_spins
    ),
    'rules_version', v_campaign.rules_version,
    'words', private.campaign_words(o.id, v_campaign.id),
    'white_label', l.white_label,
    'brand', private.brand(o.id)
  ) || coalesce((
    -- Until when points can be spent is said before anybody plays for them.
    select jsonb_build_object('points_days', jsonb_agg(distinct r.metadata -> 'validityDays'))
    from unnest(v_wheel.reward_ids, v_wheel.is_shown) as w (reward_id, is_shown)
    join public.rewards r on r.org_id = v_campaign.org_id and r.id = w.reward_id and r.type = 'points'
    where w.is_shown
    having count(*) > 0
  ), '{}'::jsonb) || coalesce((
    -- Proof of presence that the phone asks for before the spin.
    select jsonb_build_object('presence', k.presence) from private.check_settings k
    where k.org_id = v_campaign.org_id and k.campaign_id = v_campaign.id and k.presence is not null
  ), '{}'::jsonb) into v_result
  from public.organizations o
  join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
  join public.subscriptions u on u.org_id = o.id
  join public.plan_limits l on l.plan = u.plan
  where o.id = v_campaign.org_id;
  return v_result;
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_poster(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- First, so that a plan that is over is refused the same way whether the campaign exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
begin
  return (select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'segments', (
      select jsonb_agg(jsonb_build_object('color', t.color,
        'prize', case when t.reward_id is not null and not w.is_example then t.label end,
        'picture', r.picture) order by t.n)
      from unnest(w.colors, w.labels, w.reward_ids, w.is_shown) with ordinality as t (color, label, reward_id, is_shown, n)
      left join public.rewards r on r.org_id = c.org_id and r.id = t.reward_id
      where t.is_shown
    ),
    'best', coalesce((
      select jsonb_agg(p.label order by p.value desc nulls last, p.weight, p.label)
      from (
        select t.label, max(r.value) as value, sum(t.weight) as weight
        from unnest(w.labels, w.reward_ids, w.weights, w.is_shown) as t (label, reward_id, weight, is_shown)
        join public.rewards r on r.org_id = c.org_id and r.id = t.reward_id
        where t.is_shown and not w.is_example
        group by t.label
        order by value desc nulls last, weight, t.label limit 3
      ) p
    ), '[]'::jsonb),
    'words', private.campaign_words(c.org_id, c.id),
    'white_label', private.has_feature(c.org_id, 'white_label'),
    'brand', private.brand(c.org_id))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (v_org_ids));
end;
$function$;

CREATE OR REPLACE FUNCTION public.test_spin(p_campaign_id uuid, p_address_hash text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_timezone text;
  v_retry_after integer;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
begin
  select c.org_id, s.timezone into v_org_id, v_timezone
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  where c.id = p_campaign_id and private.is_running(c, u);
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  v_retry_after := private.count_attempt(array['test address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  -- A test shows the whole wheel that customers see: stocks and earlier wins do not count here.
  v_wheel := private.wheel(v_org_id, p_campaign_id, null);
  v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_shown);
  if v_index is null then
    outcome := 'nothing_to_draw';
    return;
  end if;
  if v_wheel.reward_ids[v_index] is not null then
    select * into v_reward from public.rewards r
    where r.org_id = v_org_id and r.id = v_wheel.reward_ids[v_index];
  end if;

  body := json_build_object(
    'spin_id', gen_random_uuid(),
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_wheel.reward_ids[v_index] is not null then json_build_object(
      'id', v_wheel.reward_ids[v_index],
      'name', coalesce(v_reward.name, v_wheel.labels[v_index]),
      'type', coalesce(v_reward.type, 'gift')) end,
    'redemption_code', case when v_wheel.reward_ids[v_index] is not null and v_reward.type is distinct from 'points'
      then private.random_code('TEST-{random}') end,
    'expires_at', case when v_wheel.reward_ids[v_index] is not null and v_reward.type is distinct from 'points'
      then private.day_end(
        private.now_in(v_timezone)::date + private.validity_days(v_reward.type, v_reward.metadata), v_timezone) end,
    'nonce', gen_random_uuid()
  )::text;
  outcome := 'spun';
end;
$function$;

COMMENT ON FUNCTION "private"."wheel"(uuid, uuid, uuid) IS 'The segments of a campaign''s wheel in order, as arrays: those that the merchant drew, else its rewards in equal shares, else the example. is_drawable tells whether a segment can be drawn for a customer (null: for anybody): a reward must be active, in stock and not yet won max_per_user times; losing segments always can; the example never. is_shown tells whether customers and posters see it: its weight is above zero and its reward neither stopped nor archived, as in the rules; where no segment is left of that, all of a weight above zero.';

COMMENT ON FUNCTION "public"."campaign_poster"(uuid) IS 'Content of a campaign''s posters: address, names, and the segments of its wheel that customers see, in order, with their prizes. The three best prizes (by what they cost, then by how rare they are), and what is translated (private.campaign_words). Whether the product''s name stays away (white_label), and the merchant''s brand. The shape is campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was archived, and when its store is gone.';

REVOKE ALL ON FUNCTION "private"."wheel"(uuid, uuid, uuid) FROM PUBLIC;
