-- Why: names of rewards, and what else a merchant writes on a wheel, may be translated into the languages of the phone pages.

set check_function_bodies = off;

DROP TRIGGER "audit_points_reward_change" ON "public"."points_rewards";

DROP TRIGGER "bump_reward_version" ON "public"."points_rewards";

DROP TRIGGER "audit_reward_change" ON "public"."rewards";

DROP TRIGGER "bump_reward_version" ON "public"."rewards";

DROP FUNCTION "private"."points_offer"(uuid);

DROP FUNCTION "private"."points_wallet"(uuid, jsonb);

DROP FUNCTION "private"."read_segments"(jsonb);

DROP FUNCTION "public"."points_wallet"(uuid, jsonb, text);

DROP FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text);

ALTER TABLE "private"."default_segments" ADD COLUMN "translations" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."points_rewards" ADD COLUMN "translations" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."rewards" ADD COLUMN "translations" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."wheel_segments" ADD COLUMN "translations" jsonb NOT NULL DEFAULT '{}'::jsonb;

CREATE OR REPLACE FUNCTION private.campaign_words(p_org_id uuid, p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('text', w.text, 'translations', w.translations) order by w.text), '[]'::jsonb)
  from (
    -- A text is said in one way wherever it stands: as the newest reward of that name says it.
    select distinct on (t.text) t.text, t.translations
    from (
      select r.name as text, r.translations, 1 as rank, r.created_at
      from public.rewards r
      where r.org_id = p_org_id and r.translations <> '{}' and (r.campaign_id = p_campaign_id or r.id in (
        select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))
      union all
      select s.label, s.translations, 2, null
      from public.wheel_segments s
      where s.org_id = p_org_id and s.campaign_id = p_campaign_id and s.translations <> '{}'
        -- Left from another text: a reward's name is translated with the reward.
        and not exists (
          select 1 from public.rewards r where r.org_id = s.org_id and r.id = s.reward_id and r.name = s.label)
      union all
      select d.label, d.translations, 3, null
      from private.default_segments d
      where d.purpose = 'losing'
        or not exists (select 1 from public.wheel_segments s where s.campaign_id = p_campaign_id)
    ) t
    order by t.text, t.rank, t.created_at desc
  ) w;
$function$;

CREATE OR REPLACE FUNCTION private.copy_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid, p_stock integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.org_id = p_org_id and r.campaign_id = p_source_id and (r.archived_at is null or exists (
      select 1 from public.wheel_segments s
      where s.org_id = r.org_id and s.campaign_id = p_source_id and s.reward_id = r.id))
  ), copied as (
    insert into public.rewards (id, org_id, campaign_id, name, description, type, reward_type, value, code_template,
      stock, max_per_user, metadata, active, archived_at, created_at, picture, translations)
    select w.copy_id, w.org_id, p_campaign_id, w.name, w.description, w.type, w.reward_type, w.value, w.code_template,
      -- They keep their order, which is that of a wheel nobody has drawn.
      coalesce(p_stock, w.stock), w.max_per_user, w.metadata, w.active, w.archived_at, now() + w.n * interval '1 microsecond',
      w.picture, w.translations
    from wanted w
  )
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  select s.org_id, p_campaign_id, w.copy_id, s.label, s.color, s.weight, s.position, s.translations
  from public.wheel_segments s left join wanted w on w.id = s.reward_id
  where s.org_id = p_org_id and s.campaign_id = p_source_id;
$function$;

CREATE OR REPLACE FUNCTION private.in_language(p_text text, p_translations jsonb, p_locale text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((p_translations ->> p_locale), p_text);

CREATE OR REPLACE FUNCTION private.is_translations(p_translations jsonb, p_most integer)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  if p_translations = '{}'::jsonb then
    return true;
  end if;
  return jsonb_typeof(p_translations) = 'object'
    and p_translations - array['en', 'de', 'es', 'it', 'nl'] = '{}'::jsonb
    and not exists (
      select 1 from jsonb_each(p_translations) as t (locale, text)
      where jsonb_typeof(t.text) <> 'string' or t.text #>> '{}' <> btrim(t.text #>> '{}')
        or length(t.text #>> '{}') not between 1 and p_most);
end;
$function$;

CREATE OR REPLACE FUNCTION private.mailed_name(p_code public.redemptions, p_locale text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select n.name
  from (
    select private.in_language(p_code.reward_name, (
      -- A reward that was renamed since is translated otherwise.
      select r.translations from public.rewards r
      where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.name = p_code.reward_name), p_locale)
  ) n (name)
  where n.name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}';
$function$;

CREATE OR REPLACE FUNCTION private.points_offer(p_org_id uuid, p_locale text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id,
    'name', private.in_language(r.name, r.translations, p_locale), 'cost', r.cost, 'sold_out', r.stock = 0)
    order by r.cost, r.name, r.id), '[]'::jsonb)
  from (
    select * from public.points_rewards w
    where w.org_id = p_org_id and w.active and exists (
      select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u))
    order by w.cost, w.id limit 50
  ) r;
$function$;

CREATE OR REPLACE FUNCTION private.points_wallet(p_campaign_id uuid, p_proofs jsonb, p_locale text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_lots uuid[];
  v_ends jsonb;
begin
  select c.org_id into v_org_id from public.campaigns c where c.id = p_campaign_id;
  if not found then
    return null;
  end if;
  v_lots := array(select l.id from private.proven_points(p_campaign_id, p_proofs) l);
  select jsonb_build_object('points', sum(l.remaining), 'at', l.expires_at) into v_ends
  from public.points_ledger l
  where l.org_id = v_org_id and l.id = any (v_lots) and l.remaining > 0 and l.expires_at > now()
  group by l.expires_at order by l.expires_at limit 1;
  return jsonb_build_object(
    'balance', (
      select coalesce(sum(l.remaining), 0) from public.points_ledger l
      where l.org_id = v_org_id and l.id = any (v_lots) and l.remaining > 0
        and (l.expires_at is null or l.expires_at > now())),
    'ends', v_ends,
    'rewards', private.points_offer(v_org_id, p_locale),
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'code', s.code,
        'reward', private.in_language(s.reward_name, s.translations, p_locale), 'points', s.points,
        'status', s.state, 'expires_at', s.expires_at, 'used_at', s.used_at)
        order by s.id desc)
      from (
        select o.id, o.code, o.reward_name, o.points, o.expires_at, o.used_at, private.points_code_state(o) as state,
          w.translations
        from public.points_spends o
        -- A reward that was renamed since is translated otherwise.
        left join public.points_rewards w
          on w.org_id = o.org_id and w.id = o.points_reward_id and w.name = o.reward_name
        where o.org_id = v_org_id and o.id in (
          select l.spend_id from public.points_ledger l
          where l.org_id = v_org_id and l.lot_id = any (v_lots) and l.kind = 'spent')
        order by o.id desc limit 10
      ) s), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION private.read_segments(p_segments jsonb)
 RETURNS TABLE(n bigint, id uuid, reward_id uuid, label text, color text, weight integer, translations jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.n, s.id, s.reward_id, btrim(s.label), s.color, s.weight, s.translations
  from rows from (
    jsonb_to_recordset(p_segments) as (
      id uuid, reward_id uuid, label text, color text, weight integer, translations jsonb)
  ) with ordinality as s (id, reward_id, label, color, weight, translations, n);
$function$;

CREATE OR REPLACE FUNCTION private.redraw_wheel(p_org_id uuid, p_campaign_id uuid, p_segments jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_total bigint;
  v_is_unclear boolean;
begin
  if jsonb_typeof(p_segments) <> 'array' or jsonb_array_length(p_segments) > 100 then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select coalesce(sum(s.weight), 0), count(s.id) > count(distinct s.id) into v_total, v_is_unclear
  from private.read_segments(p_segments) s;
  if v_is_unclear then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  if v_total <> 100 then
    raise exception 'wheel_total_not_100' using errcode = 'TV063', detail = v_total::text;
  end if;
  if exists (
    select 1 from private.read_segments(p_segments) s
    where s.reward_id is not null and not exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.id = s.reward_id)
  ) then
    raise exception 'reward_of_another_organization' using errcode = 'TV065';
  end if;

  -- A segment that stays keeps its identifier: spins in progress and past spins point at it.
  delete from public.wheel_segments w
  where w.campaign_id = p_campaign_id
    and not exists (select 1 from private.read_segments(p_segments) s where s.id = w.id);
  update public.wheel_segments w
  set reward_id = s.reward_id, label = s.label, color = s.color, weight = s.weight, position = s.n - 1,
    translations = s.translations
  from (
    select o.n, o.id, o.reward_id, o.label, o.color, o.weight,
      coalesce(o.translations, case when b.label = o.label then b.translations end, '{}') as translations
    from private.read_segments(p_segments) o
    join public.wheel_segments b on b.campaign_id = p_campaign_id and b.id = o.id
  ) s
  where w.campaign_id = p_campaign_id and w.id = s.id
    and (w.reward_id, w.label, w.color, w.weight, w.position, w.translations)
      is distinct from (s.reward_id, s.label, s.color, s.weight::smallint, (s.n - 1)::smallint, s.translations);
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  select p_org_id, p_campaign_id, s.reward_id, s.label, s.color, s.weight, s.n - 1, coalesce(s.translations, '{}')
  from private.read_segments(p_segments) s
  where not exists (select 1 from public.wheel_segments w where w.campaign_id = p_campaign_id and w.id = s.id)
  order by s.n;
end;
$function$;

CREATE OR REPLACE FUNCTION private.share_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  select p_org_id, p_campaign_id, t.reward_id, btrim(left(t.label, 60)), t.color, t.weight, t.n - 1,
    coalesce(s.translations, '{}')
  from private.wheel(p_org_id, p_source_id, null) w
  cross join lateral unnest(w.segment_ids, w.reward_ids, w.labels, w.colors, w.weights)
    with ordinality as t (id, reward_id, label, color, weight, n)
  left join public.wheel_segments s on s.org_id = p_org_id and s.id = t.id
  where not w.is_example;
$function$;

CREATE OR REPLACE FUNCTION private.tell_winner(p_code public.redemptions, p_template text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_address text;
begin
  select coalesce(t.end_user_email, c.email) into v_address
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
  -- Whoever spins names the address, which could be anybody's: few mails a day reach it.
  if v_address is null or private.count_attempt(
    array['prize verdict to ' || encode(sha256(convert_to(private.normalize_email(v_address), 'UTF8')), 'hex')],
    '{5}', interval '1 day') is not null
  then
    return null;
  end if;
  return private.enqueue_mail(p_template, v_address, jsonb_build_object(
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label'),
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', s.name))),
    now() + interval '1 day', now() + interval '10 minutes')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.write_gesture_mail(p_to text, p_body text, p_answers_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail('review_gesture', p_to, jsonb_build_object(
      'code', p_code.code,
      'locale', coalesce(u.locale, 'fr'),
      'brand', private.brand(p_code.org_id),
      'white_label', private.has_feature(p_code.org_id, 'white_label'),
      'until', jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone),
      'facts', jsonb_strip_nulls(jsonb_build_object('store', s.name, 'address', s.address, 'body', p_body,
        'reply_to', p_answers_to,
        'prize', private.mailed_name(p_code, u.locale)))),
    now() + interval '2 days')
  from public.stores s
  left join public.customers u on u.org_id = p_code.org_id and u.id = p_code.customer_id
  where s.org_id = p_code.org_id and s.id = p_code.store_id;
$function$;

CREATE OR REPLACE FUNCTION private.write_prize_mail(p_template text, p_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail(p_template, p_to, jsonb_build_object(
      -- Behind the sign that no browser sends along: the nonce opens the prize.
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce,
      'code', p_code.code,
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label')
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'until', case when p_code.expires_at is not null then
        jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone) end,
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', s.name,
        'address', s.address,
        'rules', '/c/' || g.slug || '/reglement?version=' || t.rules_version))),
    now() + interval '1 day')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_editor(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
  v_library uuid[];
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.read')))
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    and exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = c.org_id
        and private.role_may(m.role, 'campaigns.write'));
  if not found then
    return null;
  end if;
  v_wheel := private.wheel(v_campaign.org_id, p_id, null);
  v_is_drawn := exists (select 1 from public.wheel_segments s where s.campaign_id = p_id);
  if v_campaign.org_id = any (array(select private.my_org_ids('rewards.read'))) then
    v_library := array(
      select r.id from public.rewards r
      where r.org_id = v_campaign.org_id and r.campaign_id <> p_id and r.active and r.archived_at is null
      order by r.created_at desc, r.id limit 200);
  end if;
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight,
        'translations', coalesce(s.translations, d.translations, '{}')) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
      left join public.wheel_segments s on s.org_id = v_campaign.org_id and s.id = w.id
      -- The losing segment of a wheel that is only suggested.
      left join private.default_segments d
        on d.purpose = 'losing' and not v_is_drawn and w.reward_id is null and d.label = w.label
    ),
    'rewards', coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'active', r.active, 'stock', r.stock,
        'is_archived', r.archived_at is not null, 'value', r.value, 'picture', r.picture, 'home', r.home)
        order by r.home nulls first, r.created_at, r.id)
      from (
        select w.*, case when w.campaign_id <> p_id then c.name end as home
        from public.rewards w join public.campaigns c on c.org_id = w.org_id and c.id = w.campaign_id
        where w.org_id = v_campaign.org_id and (
          w.campaign_id = p_id and w.archived_at is null
          or w.id in (select s.reward_id from public.wheel_segments s where s.campaign_id = p_id)
          or w.id = any (v_library))
      ) r
    ), '[]'::jsonb),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
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
    -- The wheel is drawn as it is drawn from: what no turn can end on is not shown to those who turn it.
    'segments', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color,
        'position', w.n - 1, 'picture', w.picture)) order by w.n)
      from (
        select s.id, s.label, s.color, r.picture, row_number() over (order by s.n) as n
        from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights, v_wheel.reward_ids)
          with ordinality as s (id, label, color, weight, reward_id, n)
        left join public.rewards r on r.org_id = v_campaign.org_id and r.id = s.reward_id
        where s.weight > 0
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
    from unnest(v_wheel.reward_ids, v_wheel.weights) as w (reward_id, weight)
    join public.rewards r on r.org_id = v_campaign.org_id and r.id = w.reward_id and r.type = 'points'
    where w.weight > 0
    having count(*) > 0
  ), '{}'::jsonb) || coalesce((
    -- What the phone asks for before it turns the wheel.
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
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'segments', (
      select jsonb_agg(jsonb_build_object('color', t.color,
        'prize', case when t.reward_id is not null and not w.is_example then t.label end,
        'picture', r.picture) order by t.n)
      from unnest(w.colors, w.labels, w.reward_ids, w.weights) with ordinality as t (color, label, reward_id, weight, n)
      left join public.rewards r on r.org_id = c.org_id and r.id = t.reward_id
      where t.weight > 0
    ),
    'best', coalesce((
      select jsonb_agg(p.label order by p.value desc nulls last, p.weight, p.label)
      from (
        select t.label, max(r.value) as value, sum(t.weight) as weight
        from unnest(w.labels, w.reward_ids, w.weights) as t (label, reward_id, weight)
        join public.rewards r on r.org_id = c.org_id and r.id = t.reward_id
        where t.weight > 0 and not w.is_example
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
    and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
$function$;

CREATE OR REPLACE FUNCTION public.campaign_rules_page(p_slug text, p_version integer DEFAULT NULL::integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      'pictures', coalesce((
        select jsonb_agg(jsonb_build_object('id', w.id, 'picture', w.picture) order by w.id) from public.rewards w
        where w.org_id = v_campaign.org_id and w.picture is not null and (w.campaign_id = v_campaign.id or w.id in (
          select s.reward_id from public.wheel_segments s where s.campaign_id = v_campaign.id))
      ), '[]'::jsonb),
      'words', private.campaign_words(v_campaign.org_id, v_campaign.id),
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
$function$;

CREATE OR REPLACE FUNCTION public.points_catalogue(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_balances bigint[];
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_balances := array(
    select sum(l.remaining) from public.points_ledger l
    where l.org_id = p_org_id and l.remaining > 0 and (l.expires_at is null or l.expires_at > now())
    group by l.customer_id);
  return jsonb_build_object(
    'owed', jsonb_build_object(
      'points', (select coalesce(sum(b), 0) from unnest(v_balances) b),
      'customers', cardinality(v_balances),
      'codes', (select count(*) from public.points_spends s
        where s.org_id = p_org_id and s.status = 'available' and s.expires_at > now())),
    'earns', exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.type = 'points' and r.active and r.archived_at is null),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'version', r.version, 'name', r.name, 'translations', r.translations, 'cost', r.cost, 'stock', r.stock, 'active', r.active,
        -- Each of them buys for themselves: what is left over buys nothing together.
        'affordable', (select coalesce(sum(b / r.cost), 0) from unnest(v_balances) b),
        'spends', (select count(*) from public.points_spends s
          where s.org_id = p_org_id and s.points_reward_id = r.id and s.status <> 'expired'))
        order by r.cost, r.name, r.id)
      from public.points_rewards r where r.org_id = p_org_id), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.points_choices(p_customer_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_customer constant public.customers := private.my_points_customer(p_customer_id);
begin
  if v_customer.id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'balance', private.points_balance(v_customer.org_id, p_customer_id), 'rewards', private.points_offer(v_customer.org_id, null));
end;
$function$;

CREATE OR REPLACE FUNCTION public.points_wallet(p_campaign_id uuid, p_proofs jsonb, p_address_hash text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT body jsonb, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_retry_after integer;
begin
  v_retry_after := private.count_attempt(array['points address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  body := private.points_wallet(p_campaign_id, p_proofs, p_locale);
  outcome := case when body is null then 'campaign_not_found' else 'shown' end;
end;
$function$;

CREATE OR REPLACE FUNCTION public.spend_points(p_campaign_id uuid, p_proofs jsonb, p_points_reward_id uuid, p_cost integer, p_request_id uuid, p_address_hash text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT body jsonb, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_retry_after integer;
  v_campaign record;
  v_lots uuid[];
  v_spend public.points_spends;
begin
  v_retry_after := private.count_attempt(array['points address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  select c.org_id, s.timezone into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  v_lots := array(select l.id from private.proven_points(p_campaign_id, p_proofs) l);

  -- The people, in order, whose rows are locked: two spends of one person take turns, and what follows counts what is left.
  perform 1 from public.customers c
  where c.org_id = v_campaign.org_id and c.id in (
    select l.customer_id from public.points_ledger l where l.org_id = v_campaign.org_id and l.id = any (v_lots))
  order by c.id for no key update;

  -- A repeated request is answered as the first time, whatever has changed since, to whoever made it.
  select * into v_spend from public.points_spends s
  where s.org_id = v_campaign.org_id and s.request_id = p_request_id;
  if found then
    outcome := case when v_spend.points_reward_id is not distinct from p_points_reward_id and exists (
      select 1 from public.points_ledger l
      where l.org_id = v_spend.org_id and l.spend_id = v_spend.id and l.lot_id = any (v_lots)
    ) then 'spent' else 'points_request_reused' end;
  else
    select b.outcome into outcome
    from private.buy_with_points(
      v_campaign.org_id, v_lots, p_points_reward_id, p_cost, p_request_id, v_campaign.timezone) b;
  end if;
  body := case when outcome = 'spent' then private.points_wallet(p_campaign_id, p_proofs, p_locale) end;
exception
  -- The same request for somebody else at the same instant.
  when unique_violation then
    outcome := 'points_request_reused';
    body := null;
end;
$function$;

CREATE OR REPLACE FUNCTION public.start_campaign(p_id uuid, p_store_id uuid, p_name text, p_slug text, p_active boolean, p_segments jsonb, p_source_id uuid DEFAULT NULL::uuid, p_stock integer DEFAULT NULL::integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_is_shared boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_sent constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_base constant text := coalesce(nullif(left(private.slugify(coalesce(p_slug, p_name)), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
  v_interval smallint := 1;
  v_org_id uuid;
  v_segments jsonb;
  v_constraint text;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and s.org_id = any (array(select private.my_org_ids('rewards.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- A second try of the same start waits here for the first, and finds what it made.
  perform pg_advisory_xact_lock(hashtextextended('start campaign ' || v_org_id, 0));
  if exists (select 1 from public.campaigns c where c.id = p_id and c.org_id = v_org_id) then
    return jsonb_build_object('id', p_id);
  end if;

  if p_source_id is not null then
    select c.play_interval_days into v_interval from public.campaigns c
    where c.id = p_source_id and c.org_id = v_org_id;
    if not found then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    if p_is_shared then
      -- Before the plan is locked: whoever saves a campaign locks it first, then the plan.
      perform private.lock_sharing_campaigns(v_org_id, p_source_id, array(
        select r.id from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_source_id));
    end if;
  elsif jsonb_typeof(v_sent) is distinct from 'array' then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select jsonb_agg(s.one || jsonb_build_object('id', null,
    'reward_id', case when jsonb_typeof(s.one -> 'prize') = 'object' then gen_random_uuid() end) order by s.n)
  into v_segments
  from jsonb_array_elements(case when p_source_id is null then v_sent end) with ordinality as s (one, n);
  if p_source_id is null and not exists (
    select 1 from private.read_segments(v_segments) s where s.reward_id is not null and s.weight > 0
  ) then
    raise exception 'wheel_without_prize' using errcode = 'TV068';
  end if;

  while exists (select 1 from public.campaigns c where c.org_id = v_org_id and c.slug = v_slug) loop
    v_number := v_number + 1;
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;
  insert into public.campaigns
    (id, org_id, store_id, name, slug, active, description, starts_at, ends_at, play_interval_days)
  values (p_id, v_org_id, p_store_id, btrim(p_name), v_slug, p_active, nullif(btrim(p_description), ''), p_starts_at,
    p_ends_at, v_interval);
  if p_source_id is not null then
    if p_is_shared then
      perform private.share_prizes(v_org_id, p_source_id, p_id);
    else
      perform private.copy_prizes(v_org_id, p_source_id, p_id, p_stock);
    end if;
    return jsonb_build_object('id', p_id);
  end if;
  insert into public.rewards (id, org_id, campaign_id, name, type, value, created_at, picture, translations)
  select (s.one ->> 'reward_id')::uuid, v_org_id, p_id, btrim(s.one ->> 'label'), s.one #>> '{prize,type}',
    (s.one #>> '{prize,cost_cents}')::integer / 100::numeric,
    -- They keep the order that they have on the wheel.
    now() + s.n * interval '1 microsecond', s.one #>> '{prize,picture}', coalesce(s.one #> '{prize,translations}', '{}')
  from jsonb_array_elements(v_segments) with ordinality as s (one, n)
  where s.one ->> 'reward_id' is not null;
  perform private.redraw_wheel(v_org_id, p_id, v_segments);
  return jsonb_build_object('id', p_id);
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_pkey' then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    raise;
end;
$function$;

CREATE TRIGGER audit_points_reward_change AFTER INSERT OR DELETE OR UPDATE OF name, cost, active, translations ON public.points_rewards FOR EACH ROW EXECUTE FUNCTION private.audit_change('reward', 'name', 'cost', 'active', 'translations');

CREATE TRIGGER bump_reward_version BEFORE UPDATE OF name, cost, translations ON public.points_rewards FOR EACH ROW EXECUTE FUNCTION private.bump_reward_version();

CREATE TRIGGER audit_reward_change AFTER INSERT OR DELETE OR UPDATE OF name, description, type, value, campaign_id, code_template, max_per_user, metadata, active, archived_at, picture, translations ON public.rewards FOR EACH ROW EXECUTE FUNCTION private.audit_change('reward', 'name', 'description', 'type', 'value', 'campaign_id', 'code_template', 'max_per_user', 'metadata', 'active', 'archived_at', 'picture', 'translations');

CREATE TRIGGER bump_reward_version BEFORE UPDATE OF campaign_id, name, description, type, reward_type, value, code_template, max_per_user, metadata, picture, translations ON public.rewards FOR EACH ROW EXECUTE FUNCTION private.bump_reward_version();

COMMENT ON COLUMN "private"."default_segments"."translations" IS 'Its text in the other languages of the phone pages.';

COMMENT ON COLUMN "public"."points_rewards"."translations" IS 'Its name in other languages of the phone pages; customers read the name itself in those that are missing.';

COMMENT ON COLUMN "public"."rewards"."translations" IS 'Its name in other languages of the phone pages, as {"en": "Free coffee"}; customers read the name itself in those that are missing.';

COMMENT ON COLUMN "public"."wheel_segments"."translations" IS 'Its text in other languages, where that is not the name of its reward: a text that is has the reward''s translations.';

COMMENT ON FUNCTION "private"."campaign_words"(uuid, uuid) IS 'What is translated of a campaign''s texts, which customers read in their language: names of its rewards, put away as well, and texts of its wheel. A list of {text, translations}; the shape is merchantWords of _shared/domain.';

COMMENT ON FUNCTION "private"."in_language"(text, jsonb, text) IS 'A merchant''s text in a language, as far as it was translated: else the text itself. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."is_translations"(jsonb, integer) IS 'Whether a value holds translations of a merchant''s text: an object from en, de, es, it or nl to a text of 1 to p_most characters without spaces around it. A language that is missing reads the text itself.';

COMMENT ON FUNCTION "private"."mailed_name"(public.redemptions, text) IS 'The name of a code''s prize in a language, for a mail to whoever has it. Null where the merchant has named it like an address of the web: a mail that bears our name leaves that out.';

COMMENT ON FUNCTION "private"."points_offer"(uuid, text) IS 'The 50 cheapest rewards of a catalogue that can be had, cheapest first, named in a language (null: as the merchant has named them); none while the organisation is closed.';

COMMENT ON FUNCTION "private"."points_wallet"(uuid, jsonb, text) IS 'What a phone sees of the points that it can prove (private.proven_points), in its language: balance, the points that end first, the catalogue (nothing while the organisation is closed), and the last 10 codes; null without such a campaign. The shape is pointsWallet of _shared/domain.';

COMMENT ON FUNCTION "private"."read_segments"(jsonb) IS 'Segments as an editor sends them, numbered from 1: a list of {id (null: new), reward_id (null: loses), label, color, weight, translations (missing: as they are, for the same label)}.';

COMMENT ON FUNCTION "public"."campaign_page"(text) IS 'All that the public may know of a running campaign, by present or former slug (design, section 4); null when there is none. words is what is translated of its texts (private.campaign_words). The shape is campaignPage of _shared/domain.';

COMMENT ON FUNCTION "public"."campaign_poster"(uuid) IS 'What a campaign''s posters show: address, names, its wheel''s segments of a weight above zero in order with the prizes that they stand for, the three best of these (by what they cost, then by how rare they are), what is translated of them (private.campaign_words), whether the product''s name stays away (white_label), and the merchant''s brand in its place. The shape is campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was put away, and when its store is gone.';

COMMENT ON FUNCTION "public"."campaign_rules_page"(text, integer) IS 'The rules of a campaign''s draw by present or former slug: the version in force, or the one asked for, with a list of the 50 newest, the pictures of its rewards and what is translated of its texts (private.campaign_words); null when there is none, or when the campaign neither runs nor was ever played. The shape is rulesPage of _shared/domain.';

COMMENT ON FUNCTION "public"."points_wallet"(uuid, jsonb, text, text) IS 'What a phone sees of the points that it can prove, and what they buy, named in its language (private.points_wallet). Outcomes: shown, campaign_not_found, too_many_attempts (retry_at).';

COMMENT ON FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text, text) IS 'Spends points that a phone can prove (private.proven_points) on a reward of the catalogue, at the cost that the phone showed: exactly once a request, in one transaction with the stock and the code. body is private.points_wallet. Outcomes: spent (repeated as well), campaign_not_found, those of private.buy_with_points, points_request_reused (the request was somebody else''s, or for something else), too_many_attempts (retry_at). Refusals change nothing but the count of attempts.';

COMMENT ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone, boolean) IS 'Makes a campaign with its prizes and its wheel: all of it or nothing. p_segments is a list of {label, color, weight, translations (may be missing), prize}, where prize is null for a segment that loses, else {type, cost_cents (null: not entered), picture and translations (may be missing)}; each prize becomes a reward named like its segment. With p_source_id the rewards, the wheel and the interval are those of that campaign instead, with the stock p_stock (-1: unlimited, null: what is left), or, with p_is_shared, its very rewards, with one stock for both. p_id is chosen by the caller: a second call with it changes nothing. The slug is made from p_slug, else from the name, with a number where it is taken. Answers id. Errors: 42501 not a store where one may do that, TV068 nothing can be won, TV063 and TV064 of the wheel, TV060 active in a store that is put away, TV001 beyond the plan''s active campaigns, 23505 the organisation has a campaign of that name, 23514 or 23502 something is not well formed.';

REVOKE ALL ON FUNCTION "private"."campaign_words"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."in_language"(text, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_translations"(jsonb, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_translations"(jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."is_translations"(jsonb, integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."mailed_name"(public.redemptions, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."points_offer"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."points_wallet"(uuid, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_segments"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."points_wallet"(uuid, jsonb, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."points_wallet"(uuid, jsonb, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text, text) TO "service_role";

REVOKE ALL ("translations") ON TABLE "public"."points_rewards" FROM "authenticated";

GRANT INSERT ("translations"), UPDATE ("translations") ON TABLE "public"."points_rewards" TO "authenticated";

REVOKE ALL ("translations") ON TABLE "public"."rewards" FROM "authenticated";

GRANT INSERT ("translations"), UPDATE ("translations") ON TABLE "public"."rewards" TO "authenticated";

REVOKE ALL ("translations") ON TABLE "public"."wheel_segments" FROM "authenticated";

GRANT INSERT ("translations"), UPDATE ("translations") ON TABLE "public"."wheel_segments" TO "authenticated";

ALTER TABLE "private"."default_segments" ADD CONSTRAINT "default_segments_translations_check" CHECK (private.is_translations(translations, 60));

ALTER TABLE "public"."points_rewards" ADD CONSTRAINT "points_rewards_translations_check" CHECK (private.is_translations(translations, 120));

ALTER TABLE "public"."rewards" ADD CONSTRAINT "rewards_translations_check" CHECK (private.is_translations(translations, 120));

ALTER TABLE "public"."wheel_segments" ADD CONSTRAINT "wheel_segments_translations_check" CHECK (private.is_translations(translations, 60));

UPDATE "private"."default_segments" d SET "translations" = w.translations
FROM (VALUES
  ('Café offert', '{"en": "Free coffee", "de": "Gratis-Kaffee", "es": "Café gratis", "it": "Caffè in omaggio", "nl": "Gratis koffie"}'::jsonb),
  ('Réduction 10%', '{"en": "10% off", "de": "10 % Rabatt", "es": "10 % de descuento", "it": "Sconto del 10%", "nl": "10% korting"}'),
  ('Dessert offert', '{"en": "Free dessert", "de": "Gratis-Dessert", "es": "Postre gratis", "it": "Dolce in omaggio", "nl": "Gratis dessert"}'),
  ('Pas de chance', '{"en": "No luck", "de": "Kein Glück", "es": "Sin suerte", "it": "Niente da fare", "nl": "Helaas"}')
) w (label, translations)
WHERE d."label" = w.label;
