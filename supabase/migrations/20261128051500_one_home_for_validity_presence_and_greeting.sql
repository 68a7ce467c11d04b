-- Why: six functions wrote out the usual 30 days of a code, four places the step of the code of presence, and two the name that a mail begins with.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.give_goodwill(p_review public.pre_spin_reviews, p_reward_id uuid, p_request_id uuid, OUT outcome text, OUT code public.redemptions)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_customer public.customers;
  v_reward public.rewards;
  v_timezone text;
begin
  if not private.may_give_goodwill(p_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif exists (
    select 1 from public.review_actions a
    where a.org_id = p_review.org_id and a.review_id = p_review.id and a.kind = 'gesture'
  ) then
    outcome := 'already_given';
    return;
  end if;
  select * into v_customer from public.customers c where c.org_id = p_review.org_id and c.id = p_review.customer_id;
  if not found then
    outcome := 'erased';
    return;
  end if;
  -- Points are no code; who wins, archives or changes the reward at this instant goes first or waits.
  select * into v_reward from public.rewards r
  where r.org_id = p_review.org_id and r.id = p_reward_id and r.active and r.archived_at is null and r.type <> 'points'
  for no key update;
  if not found then
    outcome := 'reward_gone';
    return;
  elsif v_reward.stock = 0 then
    outcome := 'sold_out';
    return;
  elsif v_reward.stock > 0 then
    update public.rewards r set stock = r.stock - 1 where r.org_id = v_reward.org_id and r.id = v_reward.id;
    -- One less can be won, and the rules say how many.
    perform private.mark_campaign_rules(array(
      select t.id from private.sharing_campaigns(v_reward.org_id, array[v_reward.id]) t (id)));
  end if;
  select s.timezone into v_timezone from public.stores s where s.org_id = p_review.org_id and s.id = p_review.store_id;
  loop
    insert into public.redemptions as d (
      org_id, campaign_id, store_id, reward_id, customer_id, code, reward_name, end_user_email, end_user_name, expires_at
    ) values (
      p_review.org_id, p_review.campaign_id, p_review.store_id, v_reward.id, v_customer.id,
      private.random_code(coalesce(v_reward.code_template, 'MERCI-{random}')), v_reward.name, v_customer.email,
      v_customer.name,
      private.day_end(private.now_in(v_timezone)::date + private.validity_days(v_reward.type, v_reward.metadata),
        v_timezone)
    )
    on conflict (org_id, code_key) do nothing
    returning * into code;
    exit when code.id is not null;
  end loop;
  perform private.add_review_action(p_review, 'gesture', 'gifted', p_request_id => p_request_id, p_redemption_id => code.id);
  outcome := 'given';
end;
$function$;

CREATE OR REPLACE FUNCTION private.greeting_name(p_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN NULLIF(split_part(btrim(p_name), ' '::text, 1), ''::text);

CREATE OR REPLACE FUNCTION private.is_presence_proof(p_kind text, p_key bytea, p_proof text, p_timezone text, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case p_kind
    -- Its step and both beside it: for clocks that differ by 10 seconds and somebody who takes 20 to type.
    when 'turning' then regexp_replace(p_proof, '[^0-9]', '', 'g') in (
      private.presence_code(p_key, p_at - private.presence_step()), private.presence_code(p_key, p_at),
      private.presence_code(p_key, p_at + private.presence_step()))
    -- A word that was read before midnight holds for ten minutes more.
    when 'word' then lower(regexp_replace(p_proof, '[^A-Za-z0-9]', '', 'g')) in (
      replace(private.presence_word(p_key, (p_at at time zone p_timezone)::date), ' ', ''),
      replace(private.presence_word(p_key, ((p_at - interval '10 minutes') at time zone p_timezone)::date), ' ', ''))
    when 'receipt' then regexp_replace(p_proof, '\s', '', 'g') ~ '^[0-9]{4}$'
    else false
  end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_winner(p_code public.redemptions, p_template text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_address constant text := private.winner_address(p_code);
begin
  -- The player types the address, which could be anybody's: few mails a day reach it.
  if v_address is null or private.count_attempt(array[private.verdict_key(v_address)], '{5}', interval '1 day') is not null
  then
    return null;
  end if;
  if p_template = 'prize_released' then
    return private.write_prize_mail(p_template, v_address, p_code);
  end if;
  return private.enqueue_customer_mail(t.org_id, t.customer_id, p_template, v_address, jsonb_build_object(
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label'),
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', private.greeting_name(t.end_user_name),
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', s.name,
        'address', s.address))),
    now() + interval '1 day', now() + interval '10 minutes')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.presence_code(p_key bytea, p_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select lpad((('x' || substr(encode(
    private.hmac_sha256(p_key, 'turning ' || floor(extract(epoch from p_at) / extract(epoch from private.presence_step()))::bigint),
    'hex'), 1, 12))::bit(48)::bigint
    % 1000000)::text, 6, '0');
$function$;

CREATE OR REPLACE FUNCTION private.presence_codes(p_key bytea, p_at timestamp with time zone)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select array_agg(private.presence_code(p_key, p_at + n * private.presence_step()) order by n) from generate_series(0, 9) n;
$function$;

CREATE OR REPLACE FUNCTION private.presence_step()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '00:00:30'::interval;

CREATE OR REPLACE FUNCTION private.review_gesture(p_review public.pre_spin_reviews)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_given public.redemptions;
begin
  select d.* into v_given
  from public.review_actions a
  join public.redemptions d on d.org_id = a.org_id and d.id = a.redemption_id
  where a.org_id = p_review.org_id and a.review_id = p_review.id and a.kind = 'gesture';
  if found then
    return json_build_object('rewards', null, 'given', json_build_object('reward', v_given.reward_name,
      'code', case when p_review.org_id in (select private.my_org_ids('codes.read')) then v_given.code end,
      'status', private.code_state(v_given), 'expires_at', v_given.expires_at, 'used_at', v_given.used_at));
  end if;
  return json_build_object('given', null, 'rewards', case
    when p_review.customer_id is not null and private.may_give_goodwill(p_review.org_id) then coalesce((
      select json_agg(json_build_object('id', w.id, 'name', w.name, 'campaign', c.name, 'stock', w.stock,
        'days', private.validity_days(w.type, w.metadata)) order by w.is_here desc, c.name, w.name, w.id)
      from (
        select r.*, r.campaign_id = p_review.campaign_id as is_here
        from public.rewards r
        where r.org_id = p_review.org_id and r.active and r.archived_at is null and r.type <> 'points' and r.stock <> 0
        order by is_here desc, r.created_at desc, r.id limit 100
      ) w
      join public.campaigns c on c.org_id = w.org_id and c.id = w.campaign_id), '[]'::json) end);
end;
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
    -- Rewards that cannot be won (stopped, archived, weight 0) leave their odds to the losing segments, else to the other
    -- prizes; an empty stock is no part of the rules: they say what happens then.
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
      'validity_days', private.validity_days(r.type, r.metadata),
      'max_per_user', r.max_per_user,
      -- All that were put into play: those that are left, and those that were won and not cancelled.
      'number', case when r.stock >= 0 then r.stock + coalesce((
        select sum(t.wins) from private.reward_totals_now(r.org_id) t where t.reward_id = r.id), 0) - (
        select count(*) from public.redemptions d
        where d.org_id = r.org_id and d.reward_id = r.id and d.verdict = 'cancelled') end,
      'odds', trim_scale(round(100 * p.weight / v_total, 2)),
      'labels', p.labels)
      -- Rules of a reward that nobody shares stay as they are, byte by byte.
      || case when private.is_shared(r) then jsonb_build_object('shared', true) else '{}'::jsonb end order by p.place), '[]'::jsonb)
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
      -- Number of the page's wording: a new one is a new version.
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

CREATE OR REPLACE FUNCTION private.validity_days(p_type text, p_metadata jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(((p_metadata ->> 'validityDays'::text))::integer, CASE WHEN (p_type IS DISTINCT FROM 'points'::text) THEN 30 ELSE NULL::integer END);

CREATE OR REPLACE FUNCTION private.write_prize_mail(p_template text, p_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_customer_mail(t.org_id, t.customer_id, p_template, p_to, jsonb_build_object(
      -- The nonce, which opens the prize, is in the fragment: browsers send it to no server.
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce,
      'code', p_code.code,
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label')
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', private.greeting_name(t.end_user_name),
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

CREATE OR REPLACE FUNCTION public.presence_board(p_store_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store public.stores;
  v_at constant timestamptz := now();
  v_step_ms constant bigint := extract(epoch from private.presence_step()) * 1000;
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
    'turns_in_ms', v_step_ms - floor(extract(epoch from v_at) * 1000)::bigint % v_step_ms,
    'day_ends_in_ms', ceil(extract(epoch from (
      ((v_at at time zone v_store.timezone)::date + 1)::timestamp at time zone v_store.timezone - v_at)) * 1000)::bigint,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'slug', c.slug, 'kind', k.presence,
        'codes', case when k.presence = 'turning' then private.presence_codes(k.presence_key, v_at) end,
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

CREATE OR REPLACE FUNCTION public.reward_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,rate,max,validity,state,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(
      select c.id from public.campaigns c where c.org_id = p_org_id and private.has_words(c.name, v_pattern, v_hint));
    v_shared := array(
      select distinct s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_campaigns) and s.reward_id is not null);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null)
  into v_total, v_archived
  from public.rewards r where r.org_id = p_org_id;
  v_matches := case when v_is_archived then v_archived else v_total end;
  if v_pattern is null and v_key is null then
    -- The newest stand first in an index.
    v_page := private.last_page(p_page, v_matches, v_page_size);
    v_ids := array(
      select r.id from public.rewards r
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
      order by r.created_at desc, r.id limit v_page_size offset (v_page - 1) * v_page_size);
  else
    with listed as materialized (
      select r.id, r.created_at, k.word, k.number
      from public.rewards r
      left join (
        select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
        from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions', 'rate') group by t.reward_id
      ) f on f.reward_id = r.id
      cross join lateral (
        select case v_key when 'name' then private.words(r.name) end as word, case v_key
          -- An unlimited stock sorts above every number.
          when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
          when 'wins' then coalesce(f.wins, 0)::double precision
          when 'redemptions' then coalesce(f.redemptions, 0)::double precision
          -- Points have no codes, and so no rate: they stand below all others.
          when 'rate' then case when r.type = 'points' then -1
            else coalesce(f.redemptions::double precision / nullif(f.wins, 0), 0) end
          when 'max' then r.max_per_user::double precision
          -- Points without a number of days have no end.
          when 'validity' then coalesce(private.validity_days(r.type, r.metadata)::double precision, 'Infinity')
          when 'state' then r.active::integer::double precision
          when 'created_at' then extract(epoch from r.created_at)::double precision
        end as number
      ) k
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived and (v_pattern is null
        or r.campaign_id = any (v_campaigns) or r.id = any (v_shared) or private.has_words(r.name, v_pattern, v_hint))
    )
    select n.matches, p.page, array(
        -- Only as many as are shown are put in order.
        select l.id from listed l
        order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
          case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
        limit v_page_size offset (p.page - 1) * v_page_size)
    into v_matches, v_page, v_ids
    from (select count(*) as matches from listed l) n
    cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;
  end if;

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t where t.reward_id = any (v_ids) group by t.reward_id
  ), given as materialized (
    select g.id from private.given_rewards(p_org_id, v_ids) g (id)
  ), drawn as materialized (
    select w.reward_id, count(*) as segments, array_agg(w.campaign_id) as campaigns
    from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = any (v_ids) group by w.reward_id
  )
  select
    (select json_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
      'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
     from private.reward_totals_now(p_org_id) t),
    coalesce(json_agg(json_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', coalesce(d.segments, 0),
      -- Few rewards have segments in a campaign that is not their own: only those ask for names.
      'shared_with', coalesce(case when r.campaign_id <> any (d.campaigns) then (
        select json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id = any (d.campaigns)) end, '[]'::json),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null and d.reward_id is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', json_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::json)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  left join drawn d on d.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return json_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, p_presence text DEFAULT NULL::text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
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
  v_name text := private.clean_line(p_name);
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_hits integer;
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

  -- The customer, whose row is locked: of two spins of one person the second waits, and then counts the first.
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
    -- A new customer is stored with this spin counted: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      v_name, p_email, p_phone, false, p_spins => 1, p_locale => p_locale);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- Play interval: one spin in that many calendar days of the store; without an interval, 30 an hour.
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
  if outcome is null and v_campaign.device_daily_limit is not null then
    -- In one row, so that spins at the same instant take turns, and for the store's own day.
    insert into private.rate_limits as l (key, window_start, shard, hits, expires_at)
    values ('spin day ' || p_device_hash || ' ' || p_campaign_id::text, v_today::timestamp at time zone v_campaign.timezone, 0, 1,
      (v_today + 2)::timestamp at time zone v_campaign.timezone)
    on conflict (key, window_start, shard) do update set hits = l.hits + 1
    returning l.hits into v_hits;
    if v_hits > v_campaign.device_daily_limit then
      outcome := 'too_many_attempts';
      retry_at := (v_today + 1)::timestamp at time zone v_campaign.timezone;
    end if;
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
      v_today + private.validity_days(v_reward.type, v_reward.metadata), v_campaign.timezone);
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
      private.day_end(v_today + private.validity_days(v_reward.type, v_reward.metadata), v_campaign.timezone));
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1,
      locale = coalesce(p_locale, c.locale)
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null,
    p_points_wins => coalesce(v_reward.type = 'points', false)::integer);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
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

  -- A test shows the whole wheel: stocks and earlier wins do not count here.
  v_wheel := private.wheel(v_org_id, p_campaign_id, null);
  v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids,
    array_fill(true, array[cardinality(v_wheel.weights)]));
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

COMMENT ON FUNCTION "private"."greeting_name"(text) IS 'Name that begins a mail: the first word of what somebody gave; null of nothing.';

COMMENT ON FUNCTION "private"."presence_code"(bytea, timestamp with time zone) IS 'The six digits that the till''s screen shows at an instant: others after each step.';

COMMENT ON FUNCTION "private"."presence_codes"(bytea, timestamp with time zone) IS 'The code of an instant and the nine after it, in order: those of the next five minutes.';

COMMENT ON FUNCTION "private"."presence_step"() IS 'How long the till''s screen shows one code of presence (PRESENCE_STEP_S of _shared/domain).';

COMMENT ON FUNCTION "private"."validity_days"(text, jsonb) IS 'How many days after the day at the store what a reward gives is valid, of its type and metadata: 30 where the merchant chose no number (USUAL_VALIDITY_DAYS of _shared/domain); null of points without end. Planned as part of the query that calls it.';

REVOKE ALL ON FUNCTION "private"."greeting_name"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."presence_codes"(bytea, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."presence_step"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."validity_days"(text, jsonb) FROM PUBLIC;
