-- Why: a reward can stand on the wheels of several campaigns of its organisation, with one stock for all.

set check_function_bodies = off;

ALTER TABLE "public"."wheel_segments" DROP CONSTRAINT "wheel_segments_org_id_campaign_id_reward_id_fkey";

DROP FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone);

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
      private.day_end(private.now_in(v_timezone)::date + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30),
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

CREATE OR REPLACE FUNCTION private.has_campaign_history(p_org_id uuid, p_campaign_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
      select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = p_campaign_id
    ) or exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.campaign_id = p_campaign_id and not private.is_shared(r)
        and (private.reward_dependencies(p_org_id, r.id)).wins
    );
$function$;

CREATE OR REPLACE FUNCTION private.is_shared(p_reward public.rewards)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from public.wheel_segments s
    where s.org_id = p_reward.org_id and s.reward_id = p_reward.id and s.campaign_id <> p_reward.campaign_id);
$function$;

CREATE OR REPLACE FUNCTION private.keep_reward_home()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select 1 from public.wheel_segments s
    where s.org_id = old.org_id and s.campaign_id = old.campaign_id and s.reward_id = old.id
  ) then
    raise exception 'reward_on_wheel' using errcode = '23503', constraint = 'wheel_segments_org_id_reward_id_fkey';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_sharing_campaigns(p_org_id uuid, p_campaign_id uuid, p_reward_ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select 1 from public.campaigns c
  where c.org_id = p_org_id and (c.id = p_campaign_id or c.id in (
    select t.id from private.sharing_campaigns(p_org_id, p_reward_ids || array(
      select s.reward_id from public.wheel_segments s
      where s.org_id = p_org_id and s.campaign_id = p_campaign_id and s.reward_id is not null)) t (id)))
  order by c.id for no key update;
$function$;

CREATE OR REPLACE FUNCTION private.low_stock(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded yet is one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, f.wins from private.recent_figures f
    where f.org_id = p_org_id and f.wins <> 0 and f.reward_id is not null and f.day is not null
  ), candidates as materialized (
    -- Few, or at most eight of its best days: no week, wherever its days began, had more. Few are looked at any closer.
    select r.id, r.name, r.stock, r.campaign_id
    from public.rewards r
    left join public.reward_totals t on t.org_id = p_org_id and t.reward_id = r.id
    left join (select f.reward_id, sum(f.wins) as wins from recent f group by f.reward_id) n on n.reward_id = r.id
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      and (r.stock <= 5 or r.stock <= 8 * coalesce(t.best_day, 0) + coalesce(n.wins, 0))
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from candidates r
    join public.campaigns c on c.org_id = p_org_id and c.id = private.selling_campaign(p_org_id, r.id, r.campaign_id)
    join public.stores s on s.org_id = p_org_id and s.id = c.store_id
    -- Few, or gone in a week at the pace of the last one, whose days are those of the store.
    where r.stock <= 5 or r.stock <= (
        select coalesce(sum(d.wins), 0)
        from (
          select f.wins from public.reward_daily_stats f
          where f.org_id = p_org_id and f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
          union all
          select f.wins from recent f where f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
        ) d)
    order by r.stock, r.name, r.id limit 3
  ) low;
$function$;

CREATE OR REPLACE FUNCTION private.mark_campaign_rules(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- In one order: two that mark the same campaigns take turns.
  perform 1 from public.campaigns c where c.id = any (p_ids) and not c.rules_stale order by c.id for no key update;
  update public.campaigns c set rules_stale = true where c.id = any (p_ids) and not c.rules_stale;
end;
$function$;

CREATE OR REPLACE FUNCTION private.mark_rules_of_reward()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.mark_campaign_rules(array[new.campaign_id, old.campaign_id] || array(
    select s.campaign_id from public.wheel_segments s
    where s.org_id = coalesce(new.org_id, old.org_id) and s.reward_id = coalesce(new.id, old.id)));
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.mark_rules_of_sharing()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := coalesce(new.org_id, old.org_id);
  v_shared constant uuid[] := array(
    select r.id from public.rewards r
    where r.org_id = v_org_id and r.id in (new.reward_id, old.reward_id)
      and r.campaign_id <> coalesce(new.campaign_id, old.campaign_id));
begin
  if v_shared <> '{}' then
    perform private.mark_campaign_rules(array(select t.id from private.sharing_campaigns(v_org_id, v_shared) t (id)));
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.next_steps(p_org_id uuid, p_is_named boolean, p_sees_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with active as (
    select c.*, c.ends_at is not null and c.ends_at <= now() as is_over
    from public.campaigns c where c.org_id = p_org_id and c.active
  )
  select jsonb_build_object(
    'unseen_reviews', private.unseen_reviews(p_org_id, p_is_named, p_sees_codes),
    'low_stock', private.low_stock(p_org_id),
    'over_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name) from active c
      where not exists (select 1 from active other where not other.is_over)
      order by c.ends_at desc, c.id limit 1),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'timezone', s.timezone)
      from active c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      where not c.is_over and c.id not in (
        select r.campaign_id from public.rewards r
        where r.org_id = p_org_id and r.active and r.archived_at is null and r.campaign_id is not null
        union
        select w.campaign_id from public.wheel_segments w
        join public.rewards r on r.org_id = w.org_id and r.id = w.reward_id and r.active and r.archived_at is null
        where w.org_id = p_org_id)
      -- What customers meet today comes first.
      order by coalesce(c.starts_at > now(), false), c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (select 1 from active c where c.store_id = s.id and not c.is_over)
      order by s.created_at, s.id limit 1));
$function$;

CREATE OR REPLACE FUNCTION private.push_low_stock()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id uuid;
begin
  if not exists (select 1 from private.push_devices d where d.org_id = new.org_id)
    or not new.active or new.archived_at is not null
    -- A stock that goes up and down is a message once a day.
    or private.count_attempt(
      array['stock push ' || new.id::text || case when new.stock = 0 then ' none' else ' few' end], '{1}', interval '1 day') is not null
  then
    return null;
  end if;
  v_user_id := private.my_user_id();
  perform private.enqueue_message('push', 'low_stock', r.device_id::text,
    jsonb_strip_nulls(jsonb_build_object('store', s.name, 'prize', new.name, 'stock', new.stock,
      'reward', case when private.role_may(r.role, 'rewards.write') then new.id end)),
    now() + interval '1 day')
  from private.push_readers(new.org_id, 'low_stock') r
  join public.campaigns c on c.org_id = new.org_id and c.id = private.selling_campaign(new.org_id, new.id, new.campaign_id)
  join public.stores s on s.org_id = new.org_id and s.id = c.store_id
  -- Who has just typed the number knows it.
  where r.user_id is distinct from v_user_id;
  return null;
end;
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
  set reward_id = s.reward_id, label = s.label, color = s.color, weight = s.weight, position = s.n - 1
  from private.read_segments(p_segments) s
  where w.campaign_id = p_campaign_id and w.id = s.id
    and (w.reward_id, w.label, w.color, w.weight, w.position)
      is distinct from (s.reward_id, s.label, s.color, s.weight::smallint, (s.n - 1)::smallint);
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select p_org_id, p_campaign_id, s.reward_id, s.label, s.color, s.weight, s.n - 1
  from private.read_segments(p_segments) s
  where not exists (select 1 from public.wheel_segments w where w.campaign_id = p_campaign_id and w.id = s.id)
  order by s.n;
end;
$function$;

CREATE OR REPLACE FUNCTION private.reward_dependencies(p_org_id uuid, p_reward_id uuid, OUT wins boolean, OUT segments integer)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    exists (
      select 1 from private.reward_totals_now(p_org_id) t
      where t.reward_id = p_reward_id and t.wins > 0) or private.is_given(p_org_id, p_reward_id),
    (select count(*) from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = p_reward_id)::integer;
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

CREATE OR REPLACE FUNCTION private.selling_campaign(p_org_id uuid, p_reward_id uuid, p_home_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.id from public.campaigns c
  where c.org_id = p_org_id and c.active and (c.ends_at is null or c.ends_at > now()) and (c.id = p_home_id or c.id in (
    select s.campaign_id from public.wheel_segments s where s.org_id = p_org_id and s.reward_id = p_reward_id))
  order by c.id <> p_home_id, c.id limit 1;
$function$;

CREATE OR REPLACE FUNCTION private.share_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select p_org_id, p_campaign_id, t.reward_id, btrim(left(t.label, 60)), t.color, t.weight, t.n - 1
  from private.wheel(p_org_id, p_source_id, null) w,
    unnest(w.reward_ids, w.labels, w.colors, w.weights) with ordinality as t (reward_id, label, color, weight, n)
  where not w.is_example;
$function$;

CREATE OR REPLACE FUNCTION private.sharing_campaigns(p_org_id uuid, p_reward_ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select r.campaign_id from public.rewards r where r.org_id = p_org_id and r.id = any (p_reward_ids)
  union
  select s.campaign_id from public.wheel_segments s where s.org_id = p_org_id and s.reward_id = any (p_reward_ids);
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
        'label', w.label, 'color', w.color, 'weight', w.weight) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
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

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
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
  v_key constant text := private.sort_key(p_sort, '{name,store,scans,reviews,spins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_stores uuid[];
  v_total integer;
  v_active integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_stores := array(
      select s.id from public.stores s where s.org_id = p_org_id and private.has_words(s.name, v_pattern, v_hint));
  end if;
  with listed as materialized (
    select c.id, c.created_at, c.active, c.archived_at, k.word, k.number,
      (c.archived_at is not null) = v_is_archived and (v_pattern is null
        or private.has_words(c.name, v_pattern, v_hint) or c.store_id = any (v_stores)) as is_listed
    from public.campaigns c
    left join (
      select o.id, o.name from public.stores o where o.org_id = p_org_id and v_key = 'store'
    ) s on s.id = c.store_id
    left join (
      select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins,
        sum(d.redemptions) as redemptions
      from private.campaign_figures_now(p_org_id) d
      where v_key in ('scans', 'reviews', 'spins', 'redemptions') group by d.campaign_id
    ) t on t.campaign_id = c.id
    cross join lateral (
      select case v_key when 'name' then private.words(c.name) when 'store' then private.words(s.name) end as word,
        case v_key
          when 'scans' then coalesce(t.scans, 0)::double precision
          when 'reviews' then coalesce(t.reviews, 0)::double precision
          when 'spins' then coalesce(t.spins, 0)::double precision
          when 'redemptions' then coalesce(t.redemptions, 0)::double precision
          when 'created_at' then extract(epoch from c.created_at)::double precision
        end as number
    ) k
    where c.org_id = p_org_id
  )
  select n.total, n.active, n.archived, n.matches, p.page, array(
      -- Only as many as are shown are put in order.
      select l.id from listed l where l.is_listed
      order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
        case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
      limit v_page_size offset (p.page - 1) * v_page_size)
  into v_total, v_active, v_archived, v_matches, v_page, v_ids
  from (
    select count(*) filter (where l.archived_at is null) as total, count(*) filter (where l.active) as active,
      count(*) filter (where l.archived_at is not null) as archived, count(*) filter (where l.is_listed) as matches
    from listed l
  ) n
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  cross join lateral (
    select least(greatest(coalesce(p_page, 1), 1), greatest(ceil(n.matches::numeric / v_page_size)::integer, 1)) as page
  ) p;

  -- Of the whole organisation, which stands above the list, and of each campaign, in one look.
  with sums as (
    select d.campaign_id, grouping(d.campaign_id) = 1 as is_total, sum(d.scans) as scans, sum(d.reviews) as reviews,
      sum(d.spins) as spins, sum(d.rating_sum) as rating_sum, sum(d.five_star_reviews) as five_star_reviews,
      sum(d.wins) as wins, sum(d.redemptions) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.campaign_id))
  ), figures as materialized (
    select * from sums f where f.is_total or f.campaign_id = any (v_ids)
  ), prizes as materialized (
    select w.id from private.with_prize(p_org_id, v_ids) w (id)
  ), counted as materialized (
    select u.campaign_id, count(*) as rewards from (
      select r.campaign_id, r.id from public.rewards r where r.campaign_id = any (v_ids)
      union
      select s.campaign_id, s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_ids) and s.reward_id is not null
    ) u group by u.campaign_id
  )
  select
    (select jsonb_build_object(
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'rating_sum', coalesce(f.rating_sum, 0),
      'five_star_reviews', coalesce(f.five_star_reviews, 0), 'wins', coalesce(f.wins, 0),
      'redemptions', coalesce(f.redemptions, 0)) from figures f where f.is_total),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'slug', c.slug, 'active', c.active,
      'starts_at', c.starts_at, 'ends_at', c.ends_at, 'created_at', c.created_at,
      'archived_at', c.archived_at, 'store_id', c.store_id, 'store_name', s.name,
      'timezone', s.timezone,
      'rewards', coalesce(n.rewards, 0),
      'has_prize', c.id in (select w.id from prizes w),
      -- Nearly always a day's figures tell, which the function asks first, too.
      'has_history', exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = c.id)
        or private.has_campaign_history(p_org_id, c.id),
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0),
      'redemptions', coalesce(f.redemptions, 0)) order by array_position(v_ids, c.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  left join figures f on f.campaign_id = c.id
  left join counted n on n.campaign_id = c.id
  where c.org_id = p_org_id and c.id = any (v_ids);

  return jsonb_build_object('total', v_total, 'active', v_active, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
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

CREATE OR REPLACE FUNCTION public.campaign_stats(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
      'slug', v_campaign.slug, 'store_name', v_store.name, 'created_at', v_campaign.created_at,
      'has_prize', p_campaign_id in (select private.with_prize(v_campaign.org_id, array[p_campaign_id])),
      'has_reward', exists (
        select 1 from public.rewards r
        where r.org_id = v_campaign.org_id and r.active and r.archived_at is null and (
          r.campaign_id = p_campaign_id or r.id in (
            select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))),
      'store_id', v_store.id, 'has_review_link', v_store.google_review_url is not null),
    'totals', v_totals - '{free_spins,free_wins,free_redemptions}'::text[],
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
$function$;

CREATE OR REPLACE FUNCTION public.remove_campaign(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  -- The lock waits for customers who are taking part right now, and lets none begin afterwards.
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  -- What others share is at home with one of them from now on.
  update public.rewards r set campaign_id = (
    select min(s.campaign_id::text)::uuid from public.wheel_segments s where s.org_id = v_org_id and s.reward_id = r.id)
  where r.org_id = v_org_id and r.campaign_id = p_id and private.is_shared(r);
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- The references have the last word, whatever the counters say.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
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
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
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
  with listed as materialized (
    select r.id, r.created_at, r.archived_at, k.word, k.number,
      (r.archived_at is not null) = v_is_archived and (v_pattern is null
        or r.campaign_id = any (v_campaigns) or r.id = any (v_shared)
        or private.has_words(r.name, v_pattern, v_hint)) as is_listed
    from public.rewards r
    left join (
      select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
      from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions') group by t.reward_id
    ) f on f.reward_id = r.id
    cross join lateral (
      select case v_key when 'name' then private.words(r.name) end as word, case v_key
        -- What never runs out is the most.
        when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
        when 'wins' then coalesce(f.wins, 0)::double precision
        when 'redemptions' then coalesce(f.redemptions, 0)::double precision
        when 'created_at' then extract(epoch from r.created_at)::double precision
      end as number
    ) k
    where r.org_id = p_org_id
  )
  select n.total, n.archived, n.matches, p.page, array(
      -- Only as many as are shown are put in order.
      select l.id from listed l where l.is_listed
      order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
        case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
      limit v_page_size offset (p.page - 1) * v_page_size)
  into v_total, v_archived, v_matches, v_page, v_ids
  from (
    select count(*) filter (where l.archived_at is null) as total,
      count(*) filter (where l.archived_at is not null) as archived, count(*) filter (where l.is_listed) as matches
    from listed l
  ) n
  -- A page that is no more, because rewards went meanwhile, is the last one.
  cross join lateral (
    select least(greatest(coalesce(p_page, 1), 1), greatest(ceil(n.matches::numeric / v_page_size)::integer, 1)) as page
  ) p;

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  ), given as materialized (
    select g.id from private.given_rewards(p_org_id, v_ids) g (id)
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', (select count(*) from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = r.id),
      'shared_with', coalesce((
        select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id in (
          select w.campaign_id from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = r.id)), '[]'::jsonb),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id)
        and not exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = r.id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_campaign(p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean, p_play_interval_days integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_segments jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- Whoever saves at the same instant waits here, and then finds another version.
  perform private.lock_sharing_campaigns(c.org_id, p_id, array(
    select s.reward_id from private.read_segments(case when jsonb_typeof(v_segments) = 'array' then v_segments end) s
    where s.reward_id is not null))
  from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_campaign.version is distinct from p_version then
    raise exception 'campaign_conflict' using errcode = 'TV062', detail = v_campaign.version::text;
  end if;
  if v_campaign.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  update public.campaigns c
  set name = btrim(p_name), slug = p_slug, store_id = p_store_id, description = nullif(btrim(p_description), ''),
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days
  where c.id = p_id;
  if v_segments is not null and jsonb_typeof(v_segments) <> 'null' then
    perform private.redraw_wheel(v_campaign.org_id, p_id, v_segments);
  end if;
  return (
    select jsonb_build_object('version', c.version, 'slug', c.slug) from public.campaigns c where c.id = p_id
  );
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_slug_key' then
      raise exception 'campaign_slug_taken' using errcode = 'TV066';
    end if;
    raise;
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
  insert into public.rewards (id, org_id, campaign_id, name, type, value, created_at, picture)
  select (s.one ->> 'reward_id')::uuid, v_org_id, p_id, btrim(s.one ->> 'label'), s.one #>> '{prize,type}',
    (s.one #>> '{prize,cost_cents}')::integer / 100::numeric,
    -- They keep the order that they have on the wheel.
    now() + s.n * interval '1 microsecond', s.one #>> '{prize,picture}'
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

ALTER TABLE "public"."wheel_segments" ADD CONSTRAINT "wheel_segments_org_id_reward_id_fkey" FOREIGN KEY (org_id, reward_id) REFERENCES public.rewards(org_id, id) ON DELETE RESTRICT;

CREATE INDEX wheel_segments_shared_idx ON public.wheel_segments USING btree (org_id, reward_id);

CREATE TRIGGER keep_reward_home BEFORE UPDATE OF campaign_id ON public.rewards FOR EACH ROW WHEN ((old.campaign_id IS DISTINCT FROM new.campaign_id)) EXECUTE FUNCTION private.keep_reward_home();

CREATE TRIGGER mark_rules_of_sharing AFTER INSERT OR DELETE OR UPDATE OF reward_id ON public.wheel_segments FOR EACH ROW EXECUTE FUNCTION private.mark_rules_of_sharing();

COMMENT ON COLUMN "public"."rewards"."campaign_id" IS 'Campaign where it is at home; wheels of the organisation''s other campaigns may have it too, with the same stock.';

COMMENT ON COLUMN "public"."wheel_segments"."reward_id" IS 'Reward of the same organisation, of this campaign or shared with it; null is a losing segment.';

COMMENT ON FUNCTION "private"."is_shared"(public.rewards) IS 'Whether a reward stands on the wheel of a campaign where it is not at home.';

COMMENT ON FUNCTION "private"."keep_reward_home"() IS 'Refuses to move a reward from a campaign on whose wheel it stands. Error 23503.';

COMMENT ON FUNCTION "private"."lock_sharing_campaigns"(uuid, uuid, uuid[]) IS 'Locks a campaign and all that share a reward with its wheel, or would with these rewards on it, in one order: its wheel is about to change.';

COMMENT ON FUNCTION "private"."mark_campaign_rules"(uuid[]) IS 'Says that the rules of some campaigns may have changed in this transaction.';

COMMENT ON FUNCTION "private"."mark_rules_of_reward"() IS 'What can be won, and how many of it, stands in the rules of every campaign that has it.';

COMMENT ON FUNCTION "private"."mark_rules_of_sharing"() IS 'Rules say of a reward that campaigns share it: those of the others change with a segment that wins it elsewhere.';

COMMENT ON FUNCTION "private"."redraw_wheel"(uuid, uuid, jsonb) IS 'Makes a campaign''s wheel what an editor sends, in order (private.read_segments). Errors: TV063 the weights do not sum to 100 (detail: their sum), TV064 not a list of at most 100 different segments, TV065 a reward of another organisation, 23514 or 23502 a segment is not well formed.';

COMMENT ON FUNCTION "private"."reward_dependencies"(uuid, uuid) IS 'What hangs on a reward: whether it was ever won or given, and on how many segments of wheels it stands. Read from counters.';

COMMENT ON FUNCTION "private"."selling_campaign"(uuid, uuid, uuid) IS 'A campaign that runs, or is about to, in which a reward can be won: its own, else the first that shares it.';

COMMENT ON FUNCTION "private"."share_prizes"(uuid, uuid, uuid) IS 'Gives a new campaign the wheel of another one of its organisation, drawn or suggested, on which stand the very rewards of that one: they have one stock.';

COMMENT ON FUNCTION "private"."sharing_campaigns"(uuid, uuid[]) IS 'The campaigns that have one of some rewards: those where they are at home, and those on whose wheels they stand.';

COMMENT ON FUNCTION "public"."campaign_editor"(uuid) IS 'All that the editing of a campaign needs, in one request: the campaign with its version, its wheel (drawn, else suggested from its rewards, else the example, private.wheel), rewards (home: the name of another campaign that they can be shared with, of the 200 newest in use, for whoever reads rewards) and stores to choose from; the shape is campaignEditor of _shared/domain. Null when there is no such campaign that the signed-in user may change.';

COMMENT ON FUNCTION "public"."remove_campaign"(uuid, boolean) IS 'Archives a campaign, which then is inactive, or deletes it with its wheel, the rewards that no other shares and its former addresses when nothing hangs on it. Error TV067 when something does: then nothing is changed. Error 42501 without the permission campaigns.delete there.';

COMMENT ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone, boolean) IS 'Makes a campaign with its prizes and its wheel: all of it or nothing. p_segments is a list of {label, color, weight, prize}, where prize is null for a segment that loses, else {type, cost_cents (null: not entered), picture (may be missing)}; each prize becomes a reward named like its segment. With p_source_id the rewards, the wheel and the interval are those of that campaign instead, with the stock p_stock (-1: unlimited, null: what is left), or, with p_is_shared, its very rewards, with one stock for both. p_id is chosen by the caller: a second call with it changes nothing. The slug is made from p_slug, else from the name, with a number where it is taken. Answers id. Errors: 42501 not a store where one may do that, TV068 nothing can be won, TV063 and TV064 of the wheel, TV060 active in a store that is put away, TV001 beyond the plan''s active campaigns, 23505 the organisation has a campaign of that name, 23514 or 23502 something is not well formed.';

REVOKE ALL ON FUNCTION "private"."is_shared"(public.rewards) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_reward_home"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_sharing_campaigns"(uuid, uuid, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_campaign_rules"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_rules_of_sharing"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."selling_campaign"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."share_prizes"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sharing_campaigns"(uuid, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone, boolean) TO "authenticated";
