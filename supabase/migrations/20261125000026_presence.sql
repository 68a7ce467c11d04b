-- Why: a campaign may ask for a proof of presence, and what looks like cheating is told from a shop's own network and hours.

set check_function_bodies = off;

DROP INDEX "public"."redemptions_org_used_store_idx";

DROP FUNCTION "public"."save_check_settings"(uuid, integer, integer, boolean, integer, time without time zone, time without time zone);

DROP FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text);

ALTER TABLE "private"."check_settings" ADD COLUMN "presence" text;

CREATE OR REPLACE FUNCTION private.check_settings_of(p_org_id uuid, p_campaign_id uuid)
 RETURNS private.check_settings
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_settings private.check_settings;
begin
  select * into v_settings from private.check_settings s where s.org_id = p_org_id and s.campaign_id = p_campaign_id;
  if not found then
    v_settings := (p_org_id, p_campaign_id, null, 6, 8, true, time '02:00', time '05:00', null, null);
  end if;
  return v_settings;
end;
$function$;

CREATE OR REPLACE FUNCTION private.hmac_sha256(p_key bytea, p_message text)
 RETURNS bytea
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_inner bytea := decode(repeat('36', 64), 'hex');
  v_outer bytea := decode(repeat('5c', 64), 'hex');
begin
  -- RFC 2104, without an extension that a hosted project would have to switch on. Keys are no longer than a block.
  for i in 0..length(p_key) - 1 loop
    v_inner := set_byte(v_inner, i, get_byte(v_inner, i) # get_byte(p_key, i));
    v_outer := set_byte(v_outer, i, get_byte(v_outer, i) # get_byte(p_key, i));
  end loop;
  return sha256(v_outer || sha256(v_inner || convert_to(p_message, 'UTF8')));
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_presence_pass(p_key bytea, p_pass text, p_device_hash text, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when p_pass ~ '^[0-9]{10}\.[0-9a-f]{64}$' then
    split_part(p_pass, '.', 1)::bigint > extract(epoch from p_at)
    -- Compared as hashes, so that the time that it takes tells nothing.
    and sha256(convert_to(split_part(p_pass, '.', 2), 'UTF8'))
      = sha256(convert_to(private.presence_seal(p_key, p_device_hash, split_part(p_pass, '.', 1)), 'UTF8'))
    else false end;
$function$;

CREATE OR REPLACE FUNCTION private.is_presence_proof(p_kind text, p_key bytea, p_proof text, p_timezone text, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case p_kind
    -- Its step and both beside it: for clocks that differ by 10 seconds and somebody who takes 20 to type.
    when 'turning' then regexp_replace(p_proof, '[^0-9]', '', 'g') in (
      private.presence_code(p_key, p_at - interval '30 seconds'), private.presence_code(p_key, p_at),
      private.presence_code(p_key, p_at + interval '30 seconds'))
    -- Whoever has read it before midnight has ten minutes.
    when 'word' then lower(regexp_replace(p_proof, '[^A-Za-z0-9]', '', 'g')) in (
      replace(private.presence_word(p_key, (p_at at time zone p_timezone)::date), ' ', ''),
      replace(private.presence_word(p_key, ((p_at - interval '10 minutes') at time zone p_timezone)::date), ' ', ''))
    when 'receipt' then regexp_replace(p_proof, '\s', '', 'g') ~ '^[0-9]{4}$'
    else false
  end;
$function$;

CREATE OR REPLACE FUNCTION private.is_unusual_time(p_org_id uuid, p_store_id uuid, p_at timestamp without time zone, p_timezone text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- The distance of two times of day, the shorter way around the clock.
  select count(*) >= 100 and count(*) filter (where least(u.apart, 86400 - u.apart) <= 5400) * 100 <= count(*)
  from (
    select abs(extract(epoch from (r.used_at at time zone p_timezone)::time - p_at::time)) as apart
    from public.redemptions r
    where r.org_id = p_org_id and r.used_store_id = p_store_id
      -- What was marked makes no habit, unless somebody said that it is one.
      and not exists (
        select 1 from private.check_codes m
        join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
        where m.org_id = r.org_id and m.redemption_id = r.id and g.kind = 'quiet_hours' and not g.is_normal
      )
    order by r.used_at desc limit 300
  ) u;
$function$;

CREATE OR REPLACE FUNCTION private.judge_spins(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_origins private.spin_origins[];
  v_origin record;
  v_settings private.check_settings;
  v_day integer;
  v_month integer;
  v_factor integer;
  v_count integer;
begin
  -- Two at once would each see a part of the names.
  perform pg_advisory_xact_lock(hashtextextended('judge_spins', 0));
  with claimed as (
    delete from private.spin_origins o
    where (o.org_id, o.spin_id) in (
      select d.org_id, d.spin_id from private.spin_origins d limit p_limit for update skip locked
    )
    returning o.*
  )
  -- Whoever was erased meanwhile leaves nothing behind.
  select array_agg(o order by o.created_at, o.spin_id) into v_origins
  from claimed o join public.customers c on c.org_id = o.org_id and c.id = o.customer_id;
  v_count := coalesce(array_length(v_origins, 1), 0);
  if v_count = 0 then
    return 0;
  end if;

  insert into private.device_customers as k (org_id, campaign_id, device_key, customer_id, first_at, last_at)
  select o.org_id, o.campaign_id, o.device_key, o.customer_id, min(o.created_at), max(o.created_at)
  from unnest(v_origins) o group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (org_id, campaign_id, device_key, customer_id)
  do update set last_at = greatest(k.last_at, excluded.last_at);
  insert into private.network_turns (org_id, spin_id, campaign_id, customer_id, network_key, created_at)
  select o.org_id, o.spin_id, o.campaign_id, o.customer_id, o.network_key, o.created_at from unnest(v_origins) o;

  -- Many names on one device. A spin and its code bear one instant: the codes that were won on it are known by it.
  for v_origin in
    select o.org_id, o.campaign_id, o.device_key, max(o.created_at) as last_at from unnest(v_origins) o group by 1, 2, 3 order by 1, 2, 3
  loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    select count(*) filter (where k.last_at > v_origin.last_at - interval '24 hours'), count(*) into v_day, v_month
    from private.device_customers k
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > v_origin.last_at - interval '30 days';
    continue when v_day < v_settings.device_names and v_month < 2 * v_settings.device_names;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'device', v_origin.device_key,
      case when v_month >= 2 * v_settings.device_names then v_month else v_day end, array(
      select d.id
      from private.device_customers k
      join public.redemptions d on d.org_id = k.org_id and d.customer_id = k.customer_id and d.spin_id is not null
        and d.campaign_id = k.campaign_id and d.created_at between k.first_at and k.last_at
      where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
        and k.last_at > v_origin.last_at - case when v_month >= 2 * v_settings.device_names then interval '30 days'
          else interval '24 hours' end
    ));
  end loop;

  -- Many new names at once from one network: each spin is seen with the ten minutes, and with the hour, before it. A network of which
  -- a prize has reached the till within the hour is the store's own: three times as many are usual there. Names on one device count
  -- once: they have a reason of their own.
  for v_origin in select o.* from unnest(v_origins) o order by o.created_at, o.spin_id loop
    select count(distinct k.device_key) filter (where t.created_at > v_origin.created_at - interval '10 minutes'),
      count(distinct k.device_key), case when bool_or(d.used_at <= v_origin.created_at) then 3 else 1 end
    into v_day, v_month, v_factor
    from private.network_turns t
    join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
    join private.device_customers k on k.org_id = t.org_id and k.campaign_id = t.campaign_id and k.customer_id = t.customer_id
    left join public.redemptions d on d.org_id = t.org_id and d.spin_id = t.spin_id
    where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
      and t.created_at > v_origin.created_at - interval '1 hour' and t.created_at <= v_origin.created_at
      and c.created_at > t.created_at - interval '1 hour';
    continue when v_month < 3;
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    v_factor := v_factor * v_settings.network_names;
    continue when v_day < v_factor and v_month * 2 < v_factor * 3;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'network', v_origin.network_key,
      case when v_month * 2 >= v_factor * 3 then v_month else v_day end, array(
      select d.id
      from private.network_turns t
      join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
      join public.redemptions d on d.org_id = t.org_id and d.spin_id = t.spin_id
      where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
        and t.created_at > v_origin.created_at - case when v_month * 2 >= v_factor * 3 then interval '1 hour'
          else interval '10 minutes' end
        and t.created_at <= v_origin.created_at
        and c.created_at > t.created_at - interval '1 hour'
    ));
  end loop;

  for v_origin in
    select d.org_id, d.campaign_id, m.domain, array_agg(d.id order by d.id) as codes, count(distinct d.customer_id)::integer as names
    from unnest(v_origins) o
    join public.redemptions d on d.org_id = o.org_id and d.spin_id = o.spin_id
    cross join lateral (select lower(split_part(d.end_user_email, '@', -1)) as name) a
    join private.disposable_domains m on m.domain in (a.name, regexp_replace(a.name, '^[^.]+\.', ''))
    group by 1, 2, 3 order by 1, 2, 3
  loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    continue when not v_settings.marks_disposable;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'disposable', v_origin.domain, v_origin.names, v_origin.codes);
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.mark_quiet_use(p_code public.redemptions, p_timezone text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_settings constant private.check_settings := private.check_settings_of(p_code.org_id, p_code.campaign_id);
  v_at constant timestamp := p_code.used_at at time zone p_timezone;
begin
  if v_settings.quiet_from is null then
    return;
  end if;
  if (v_settings.quiet_from < v_settings.quiet_to
      and v_at::time >= v_settings.quiet_from and v_at::time < v_settings.quiet_to)
    -- Over midnight.
    or (v_settings.quiet_from > v_settings.quiet_to
      and (v_at::time >= v_settings.quiet_from or v_at::time < v_settings.quiet_to))
    or private.is_unusual_time(p_code.org_id, p_code.used_store_id, v_at, p_timezone)
  then
    perform private.mark_codes(p_code.org_id, p_code.campaign_id, 'quiet_hours', to_char(v_at, 'YYYY-MM-DD'), 1, array[p_code.id]);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.new_secret()
 RETURNS bytea
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- A version 4 UUID holds 122 bits of the cryptographic generator.
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
$function$;

CREATE OR REPLACE FUNCTION private.presence_code(p_key bytea, p_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select lpad((('x' || substr(encode(
    private.hmac_sha256(p_key, 'turning ' || floor(extract(epoch from p_at) / 30)::bigint), 'hex'), 1, 12))::bit(48)::bigint
    % 1000000)::text, 6, '0');
$function$;

CREATE OR REPLACE FUNCTION private.presence_seal(p_key bytea, p_device_hash text, p_until text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select encode(private.hmac_sha256(p_key, 'pass ' || p_until || ' ' || p_device_hash), 'hex'); $function$;

CREATE OR REPLACE FUNCTION private.presence_word(p_key bytea, p_day date)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select w.words[1 + d.number % cardinality(w.words)] || ' ' || lpad((d.number / 1000 % 100)::text, 2, '0')
  from (select private.presence_words() as words) w
  cross join (
    select ('x' || substr(encode(private.hmac_sha256(p_key, 'word ' || to_char(p_day, 'YYYY-MM-DD')), 'hex'), 1, 12))::bit(48)::bigint
      as number
  ) d;
$function$;

CREATE OR REPLACE FUNCTION private.presence_words()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select string_to_array(
  'abeille abricot agrume amande ananas ancre arbre avion avoine balade ballon banane bateau beurre biscuit bougie boussole brioche '
  || 'cabane cactus cadran canard caramel carotte cascade cerise chalet chalut chapeau chat cheval cigale citron clavier coccinelle '
  || 'colline compote concert copain coquille corail crayon crocus dauphin dessin domino dragon drapeau escargot falaise fanfare '
  || 'farine ferme feuille figue flocon fontaine fourmi fraise framboise fromage galet galette gaufre genou girafe glacier gland '
  || 'grenade guitare hamac haricot herbe horloge hublot jardin jasmin jonquille koala lagune lampion laurier lavande lilas limace '
  || 'loutre lune lutin macaron maison mandarine marmite marron melon menthe merle miel mimosa mirabelle mouette moulin muguet '
  || 'myrtille navire neige noisette nuage olive orage orange orchestre ortie otarie paille palmier panda panier papaye papillon '
  || 'parasol pastis peluche pinceau piano pignon pistache plage plume poire poivre pomme potiron prairie prune radis raisin renard '
  || 'rivage robot romarin ruche sable sapin saumon savon soleil sorbet tambour tartine tilleul tomate tortue trompette tulipe '
  || 'tunnel vague valise vanille velours verger violette violon voilier yaourt', ' ');
$function$;

CREATE OR REPLACE FUNCTION private.rules_content(p_campaign public.campaigns)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_wheel record := private.wheel(p_campaign.org_id, p_campaign.id, null);
  v_segments jsonb;
  v_prizes jsonb := '[]'::jsonb;
  v_winning numeric;
  v_losing numeric;
  v_total numeric;
  v_losing_labels jsonb;
begin
  if not v_wheel.is_example then
    -- What cannot be won (stopped, put away, weight 0) leaves its odds to the losing segments, else to the other prizes;
    -- an empty stock is no part of the rules: they say what happens then.
    select coalesce(sum(w.weight) filter (where r.id is not null and w.weight > 0), 0),
      coalesce(sum(w.weight) filter (where w.reward_id is null), 0),
      sum(w.weight),
      coalesce(jsonb_agg(distinct w.label) filter (where w.reward_id is null and w.weight > 0), '[]'::jsonb)
    into v_winning, v_losing, v_total, v_losing_labels
    from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) as w (reward_id, label, weight)
    left join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = w.reward_id and r.active and r.archived_at is null;
    if v_losing = 0 then
      v_total := v_winning;
    end if;

    select coalesce(jsonb_agg(jsonb_build_object(
      'name', r.name, 'type', r.type, 'value', r.value,
      'discount', r.metadata -> 'discountPercent', 'item', r.metadata -> 'item', 'points', r.metadata -> 'points',
      -- Points without a number of days have no end.
      'validity_days', coalesce((r.metadata ->> 'validityDays')::integer, case when r.type <> 'points' then 30 end),
      'max_per_user', r.max_per_user,
      -- All that were put into play: those that are left, and those that were won and not cancelled.
      'number', case when r.stock >= 0 then r.stock + coalesce((
        select sum(t.wins) from private.reward_totals_now(r.org_id) t where t.reward_id = r.id), 0) - (
        select count(*) from public.redemptions d
        where d.org_id = r.org_id and d.reward_id = r.id and d.verdict = 'cancelled') end,
      'odds', trim_scale(round(100 * p.weight / v_total, 2)),
      'labels', p.labels) order by p.place), '[]'::jsonb)
    into v_prizes
    from (
      select w.reward_id, sum(w.weight) as weight, min(w.n) as place, jsonb_agg(distinct w.label) as labels
      from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) with ordinality as w (reward_id, label, weight, n)
      where w.reward_id is not null and w.weight > 0
      group by w.reward_id
    ) p
    join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = p.reward_id and r.active and r.archived_at is null;
  end if;

  return (
    select jsonb_build_object(
      -- Which wording the page gives them: a new one is a new version.
      'wording', 1,
      'organizer', o.name,
      'store', jsonb_build_object('name', s.name, 'address', s.address),
      'timezone', s.timezone,
      'starts_at', private.rules_moment(p_campaign.starts_at),
      'ends_at', private.rules_moment(p_campaign.ends_at),
      'play_interval_days', p_campaign.play_interval_days,
      'prizes', v_prizes,
      'losing', case when v_losing > 0 then jsonb_build_object(
        'odds', trim_scale(round(100 * (v_total - v_winning) / v_total, 2)), 'labels', v_losing_labels) end)
      -- Rules that ask for nothing stay as they are, byte by byte.
      || coalesce((
        select jsonb_build_object('presence', k.presence) from private.check_settings k
        where k.org_id = p_campaign.org_id and k.campaign_id = p_campaign.id and k.presence is not null
      ), '{}'::jsonb)
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = p_campaign.store_id
    where o.id = p_campaign.org_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.seconds_blocked(p_keys text[], p_limits integer[], p_window interval)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select greatest(1, ceil(extract(epoch from private.window_start(p_window) + p_window - now())))::integer
  from unnest(p_keys, p_limits) k (key, most)
  where (
    select sum(r.hits) from private.rate_limits r where r.key = k.key and r.window_start = private.window_start(p_window)
  ) >= k.most
  limit 1;
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
      select jsonb_agg(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color, 'position', w.n - 1)
        order by w.n)
      from (
        select s.id, s.label, s.color, row_number() over (order by s.n) as n
        from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
          with ordinality as s (id, label, color, weight, n)
        where s.weight > 0
      ) w
    ),
    'wheel_open', v_is_open and (
      l.monthly_spins < 0
      or private.monthly_spins_used(o.id, private.now_in(s.timezone)::date) < l.monthly_spins
    ),
    'rules_version', v_campaign.rules_version,
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

CREATE OR REPLACE FUNCTION public.check_settings(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
  if not found then
    return null;
  end if;
  return to_jsonb(private.check_settings_of(v_org_id, p_campaign_id)) - array['org_id', 'campaign_id', 'presence_key'];
end;
$function$;

CREATE OR REPLACE FUNCTION public.presence_board(p_store_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store public.stores;
  v_at constant timestamptz := now();
begin
  select s.* into v_store
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id
  where m.user_id = (select private.my_user_id())
    and p_store_id = coalesce(private.bound_store(m.role, m.store_id), p_store_id);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'turns_in_ms', 30000 - floor(extract(epoch from v_at) * 1000)::bigint % 30000,
    'day_ends_in_ms', ceil(extract(epoch from (
      ((v_at at time zone v_store.timezone)::date + 1)::timestamp at time zone v_store.timezone - v_at)) * 1000)::bigint,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'slug', c.slug, 'kind', k.presence,
        'codes', case when k.presence = 'turning' then (
          select jsonb_agg(private.presence_code(k.presence_key, v_at + n * interval '30 seconds') order by n)
          from generate_series(0, 9) n) end,
        'word', case when k.presence = 'word' then
          private.presence_word(k.presence_key, (v_at at time zone v_store.timezone)::date) end
      ) order by c.created_at desc, c.id)
      from private.check_settings k
      join public.campaigns c on c.org_id = k.org_id and c.id = k.campaign_id
      join public.subscriptions u on u.org_id = c.org_id
      where k.org_id = v_store.org_id and c.store_id = p_store_id and k.presence in ('turning', 'word')
        and private.is_running(c, u)
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.prove_presence(p_campaign_id uuid, p_proof text, p_device_hash text, p_address_hash text, OUT outcome text, OUT pass text, OUT valid_until timestamp with time zone, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_keys constant text[] := array[
    'presence address ' || p_address_hash || ' ' || p_campaign_id::text,
    'presence device ' || p_device_hash || ' ' || p_campaign_id::text
  ];
  -- Only what is wrong counts: a shop's customers share its Wi-Fi.
  v_limits constant integer[] := '{60,10}';
  v_campaign record;
  v_seconds integer;
begin
  select k.presence, k.presence_key, s.timezone into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  left join private.check_settings k on k.org_id = c.org_id and k.campaign_id = c.id
  where c.id = p_campaign_id and private.is_running(c, u);
  if not found then
    outcome := 'campaign_not_found';
    return;
  elsif v_campaign.presence is null then
    outcome := 'not_asked';
    return;
  end if;
  v_seconds := private.seconds_blocked(v_keys, v_limits, interval '1 hour');
  if v_seconds is null and private.is_presence_proof(
    v_campaign.presence, v_campaign.presence_key, p_proof, v_campaign.timezone, now())
  then
    outcome := 'proven';
    valid_until := date_trunc('second', now() + interval '30 minutes');
    pass := extract(epoch from valid_until)::bigint::text;
    pass := pass || '.' || private.presence_seal(v_campaign.presence_key, p_device_hash, pass);
    return;
  end if;
  v_seconds := coalesce(v_seconds, private.count_attempt(v_keys, v_limits, interval '1 hour'));
  if v_seconds is null then
    outcome := 'presence_wrong';
  else
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_seconds);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_check_settings(p_campaign_id uuid, p_device_names integer, p_network_names integer, p_marks_disposable boolean, p_device_daily_limit integer DEFAULT NULL::integer, p_quiet_from time without time zone DEFAULT NULL::time without time zone, p_quiet_to time without time zone DEFAULT NULL::time without time zone, p_presence text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- The rules of the game say how presence is shown.
  update public.campaigns c set rules_stale = true
  where c.org_id = v_campaign.org_id and c.id = p_campaign_id
    and (private.check_settings_of(c.org_id, c.id)).presence is distinct from p_presence;
  insert into private.check_settings as s (
    org_id, campaign_id, device_daily_limit, device_names, network_names, marks_disposable, quiet_from, quiet_to, presence
  ) values (
    v_campaign.org_id, p_campaign_id, p_device_daily_limit, p_device_names, p_network_names, p_marks_disposable,
    p_quiet_from, p_quiet_to, p_presence
  )
  on conflict (org_id, campaign_id) do update set
    device_daily_limit = excluded.device_daily_limit, device_names = excluded.device_names,
    network_names = excluded.network_names, marks_disposable = excluded.marks_disposable,
    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, presence = excluded.presence;
  perform private.audit(v_campaign.org_id, 'check.updated', 'campaign', p_campaign_id,
    jsonb_build_object('name', v_campaign.name));
end;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, p_presence text DEFAULT NULL::text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign record;
  v_today date;
  v_person record;
  v_customer_id uuid;
  v_is_new boolean := false;
  v_name text := p_name;
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_last_day date;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
  v_spin_id uuid;
  v_nonce uuid;
  v_code text;
  v_expires_at timestamptz;
begin
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins, k.device_daily_limit,
    k.presence, k.presence_key,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
  left join private.check_settings k on k.org_id = c.org_id and k.campaign_id = c.id
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- One call a key at a time; a repeated call gets the first answer, letter for letter, whatever has
  -- changed since.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_review_id, p_play_id)::text, 2));
  if p_review_id is not null then
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.review_id = p_review_id and s.campaign_id = p_campaign_id;
  else
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.campaign_id = p_campaign_id and s.play_id = p_play_id;
  end if;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if not v_campaign.is_running then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- High for an address, since a shop's Wi-Fi and a mobile network are shared; lower for one device.
  v_retry_after := private.count_attempt(
    array[
      'spin address ' || p_address_hash || ' ' || p_campaign_id::text,
      'spin device ' || p_device_hash || ' ' || p_campaign_id::text
    ],
    '{600,20}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  if v_campaign.presence is not null
    and not private.is_presence_pass(v_campaign.presence_key, p_presence, p_device_hash, now())
  then
    outcome := 'presence_missing';
    return;
  end if;

  -- The person, whose row is locked: two turns of one person take turns, and what follows counts what they did.
  if p_review_id is not null then
    select r.customer_id, r.customer_name, r.customer_email into v_customer_id, v_name, v_email
    from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.id = p_review_id and r.campaign_id = p_campaign_id;
    if v_customer_id is null then
      outcome := 'review_not_found';
      return;
    end if;
    perform 1 from public.customers c
    where c.org_id = v_campaign.org_id and c.id = v_customer_id for no key update;
  else
    -- Whoever is new is written down with this turn: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      p_name, p_email, p_phone, false, p_spins => 1);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- May this person play? One turn in so many calendar days of the store; without an interval, 30 an hour.
  if not v_is_new then
    if v_campaign.play_interval_days > 0 then
      select max(s.created_at at time zone v_campaign.timezone)::date into v_last_day
      from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id;
      if v_last_day + v_campaign.play_interval_days > v_today then
        outcome := 'already_played';
        retry_at := (v_last_day + v_campaign.play_interval_days)::timestamp at time zone v_campaign.timezone;
        return;
      end if;
    elsif (
      select count(*) from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id
        and s.created_at > now() - interval '1 hour'
    ) >= 30 then
      outcome := 'too_many_attempts';
      retry_at := now() + interval '1 hour';
      return;
    end if;
  end if;

  -- Does the plan leave a spin? Only a limited plan makes its customers take turns, at most its limit times a month.
  if v_campaign.monthly_spins >= 0 then
    perform 1 from public.subscriptions u where u.org_id = v_campaign.org_id for no key update;
    v_used := private.monthly_spins_used(v_campaign.org_id, v_today);
    if v_used >= v_campaign.monthly_spins then
      outcome := 'spins_used_up';
    end if;
  end if;

  -- Does the merchant's limit leave one to this device today? What the plan has refused does not count.
  if outcome is null and v_campaign.device_daily_limit is not null and private.count_attempt(
    array['spin day ' || v_today::text || ' ' || p_device_hash || ' ' || p_campaign_id::text],
    array[v_campaign.device_daily_limit::integer], interval '2 days') is not null
  then
    outcome := 'too_many_attempts';
    retry_at := (v_today + 1)::timestamp at time zone v_campaign.timezone;
  end if;

  -- The draw. A stock that somebody else emptied in the meantime only means drawing again without it.
  while outcome is null loop
    v_wheel := private.wheel(v_campaign.org_id, p_campaign_id, case when not v_is_new then v_customer_id end);
    v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable);
    if v_index is null or v_wheel.is_example then
      outcome := 'nothing_to_draw';
      exit;
    end if;
    exit when v_wheel.reward_ids[v_index] is null;

    select * into v_reward from public.rewards r
    where r.org_id = v_campaign.org_id and r.id = v_wheel.reward_ids[v_index];
    exit when v_reward.stock = -1;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is not null then
    -- Refused: nothing is stored, not even who asked.
    if v_is_new then
      delete from public.customers c where c.org_id = v_campaign.org_id and c.id = v_customer_id;
    end if;
    return;
  end if;

  v_spin_id := private.uuid_v7();
  v_nonce := gen_random_uuid();
  if v_reward.type in ('coupon', 'gift') then
    v_expires_at := private.day_end(
      v_today + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_campaign.timezone);
    loop
      insert into public.redemptions as d (
        org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        end_user_email, end_user_name, expires_at
      ) values (
        v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_reward.id, v_spin_id, v_customer_id,
        private.random_code(v_reward.code_template), v_reward.name, v_email, v_name, v_expires_at
      )
      on conflict (org_id, code_key) do nothing
      returning d.code into v_code;
      exit when v_code is not null;
    end loop;
  end if;
  body := json_build_object(
    'spin_id', v_spin_id,
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_reward.id is not null then
      json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type) end,
    'redemption_code', v_code,
    'expires_at', v_expires_at,
    'nonce', v_nonce
  )::text;

  insert into public.spins (
    id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
    end_user_email, end_user_name, result_type, nonce, rules_version, result
  ) values (
    v_spin_id, v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_customer_id, p_review_id,
    case when p_review_id is null then p_play_id end, v_wheel.segment_ids[v_index], v_reward.id,
    v_email, v_name, case when v_reward.id is null then 'lose' else 'reward' end,
    v_nonce, v_campaign.rules_version, body::json
  );
  -- Judged within a minute, by a job: nobody in a queue waits for it.
  insert into private.spin_origins (org_id, spin_id, campaign_id, customer_id, device_key, network_key)
  values (v_campaign.org_id, v_spin_id, p_campaign_id, v_customer_id, p_device_hash, p_address_hash);
  if v_reward.type = 'points' then
    insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points, expires_at)
    values (v_campaign.org_id, v_customer_id, v_spin_id, v_reward.id, (v_reward.metadata ->> 'points')::integer,
      private.day_end(v_today + (v_reward.metadata ->> 'validityDays')::integer, v_campaign.timezone));
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$function$;

ALTER TABLE "private"."check_settings" ADD CONSTRAINT "check_settings_presence_check" CHECK ((presence = ANY (ARRAY['turning'::text, 'word'::text, 'receipt'::text])));

CREATE INDEX redemptions_org_used_store_idx ON public.redemptions USING btree (org_id, used_store_id, used_at DESC) WHERE (used_store_id IS NOT NULL);

COMMENT ON COLUMN "private"."check_settings"."presence" IS 'What shows that a customer is in the store: a code that is another one every 30 seconds on the till''s screen, the word of the day, or the last digits of a receipt; null where nothing is asked.';

COMMENT ON FUNCTION "private"."hmac_sha256"(bytea, text) IS 'HMAC-SHA-256 of a text, with a key of at most 64 bytes.';

COMMENT ON FUNCTION "private"."is_presence_pass"(bytea, text, text, timestamp with time zone) IS 'Whether a pass was given to a device in a campaign, and is not over at an instant.';

COMMENT ON FUNCTION "private"."is_presence_proof"(text, bytea, text, text, timestamp with time zone) IS 'Whether what somebody typed, or scanned, is what the store shows at an instant, whatever its spaces and case. Of a receipt only the form of its last four digits is looked at.';

COMMENT ON FUNCTION "private"."is_unusual_time"(uuid, uuid, timestamp without time zone, text) IS 'Whether a prize is used when the store is usually closed: of its latest 300 uses (100 at least) no more than one in a hundred was within 90 minutes of that time of day.';

COMMENT ON FUNCTION "private"."mark_quiet_use"(public.redemptions, text) IS 'Marks a code that is used while the store is closed, by the clock of a time zone and by when the store usually uses codes.';

COMMENT ON FUNCTION "private"."new_secret"() IS 'A new secret key of 32 bytes.';

COMMENT ON FUNCTION "private"."presence_code"(bytea, timestamp with time zone) IS 'The six digits that the till''s screen shows at an instant: others every 30 seconds.';

COMMENT ON FUNCTION "private"."presence_seal"(bytea, text, text) IS 'What makes a pass of a device, until a second of Unix time, one of ours.';

COMMENT ON FUNCTION "private"."presence_word"(bytea, date) IS 'The word of a day, with two digits so that nobody guesses it: « cerise 42 ».';

COMMENT ON FUNCTION "private"."presence_words"() IS 'Words of which one is the word of a day: short, without an accent, friendly.';

COMMENT ON FUNCTION "private"."rules_content"(public.campaigns) IS 'What the rules of a campaign say now: organiser, store, dates, interval between two spins, prizes with their number (null: unlimited), value, validity and odds in percent, the odds of losing (null: nobody loses), and how presence is shown where it is asked for.';

COMMENT ON FUNCTION "private"."seconds_blocked"(text[], integer[], interval) IS 'Seconds until the next window where a key has its limit of attempts already, else null. Counts nothing: for attempts of which only the failed ones count (count_attempt).';

COMMENT ON FUNCTION "public"."presence_board"(uuid) IS 'What the screen at the till of a store shows: for each running campaign that asks for it the codes of the next five minutes, or the word of the day, and how long they are good; the shape is presenceBoard of _shared/domain. Error 42501 to whoever may not redeem codes at that store; errors of my_user_id().';

COMMENT ON FUNCTION "public"."prove_presence"(uuid, text, text, text) IS 'Exchanges what a store shows for a pass of half an hour, which spin_wheel asks for: good for one device in one campaign, for as many spins as it has. Outcomes: proven (pass, valid_until), not_asked, presence_wrong, too_many_attempts (retry_at) and campaign_not_found. Only wrong attempts count, 60 an hour from an address and 10 from a device.';

COMMENT ON FUNCTION "public"."save_check_settings"(uuid, integer, integer, boolean, integer, time without time zone, time without time zone, text) IS 'Decides what a campaign marks, how many spins a device has a day (null: no limit) and how presence is shown (null: not at all). Errors: 42501 without the permission campaigns.write there, 23514 or 23502 values out of bounds.';

COMMENT ON FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text, text) IS 'One spin for a review, or for a contact with a key of its own: exactly once a key. body is the spin result of the specification (section 3), the same bytes when repeated. Outcomes: spun, repeated, campaign_not_found, review_not_found, presence_missing (the campaign asks for a pass of prove_presence, p_presence), already_played and too_many_attempts (retry_at says when again), spins_used_up, nothing_to_draw. Refusals store nothing but the count of attempts.';

REVOKE ALL ON FUNCTION "private"."hmac_sha256"(bytea, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_presence_pass"(bytea, text, text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_presence_proof"(text, bytea, text, text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_unusual_time"(uuid, uuid, timestamp without time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."new_secret"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."presence_code"(bytea, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."presence_seal"(bytea, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."presence_word"(bytea, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."presence_words"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seconds_blocked"(text[], integer[], interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."presence_board"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."presence_board"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."prove_presence"(uuid, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."prove_presence"(uuid, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."save_check_settings"(uuid, integer, integer, boolean, integer, time without time zone, time without time zone, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."save_check_settings"(uuid, integer, integer, boolean, integer, time without time zone, time without time zone, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text, text) TO "service_role";

ALTER TABLE "private"."check_settings" ADD COLUMN "presence_key" bytea NOT NULL DEFAULT private.new_secret();

ALTER TABLE "private"."check_settings" ADD CONSTRAINT "check_settings_presence_key_check" CHECK ((length(presence_key) = 32));

COMMENT ON COLUMN "private"."check_settings"."presence_key" IS 'Secret of what is shown in the store and of the passes that it gives (private.presence_code). No function answers it.';
