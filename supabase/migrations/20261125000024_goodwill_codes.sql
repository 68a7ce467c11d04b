-- Why: a review can be answered with a code for a reward, which no spin has won.

set check_function_bodies = off;

DROP TRIGGER "note_delivery" ON "private"."outbox";

DROP TRIGGER "broadcast_new_code" ON "public"."redemptions";

DROP TRIGGER "count_code_change" ON "public"."redemptions";

DROP TRIGGER "count_code_of_campaign" ON "public"."redemptions";

ALTER TABLE "public"."review_actions" DROP CONSTRAINT "review_actions_kind_check";

DROP FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, text);

DROP FUNCTION "public"."answer_review"(uuid, integer, text, uuid);

DROP FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean);

ALTER TABLE "public"."review_actions" ADD COLUMN "redemption_id" uuid;

ALTER TABLE "public"."redemptions" ALTER COLUMN "spin_id" DROP NOT NULL;

CREATE OR REPLACE FUNCTION private.add_review_action(p_review public.pre_spin_reviews, p_kind text, p_verb text, p_body text DEFAULT NULL::text, p_request_id uuid DEFAULT NULL::uuid, p_message_id uuid DEFAULT NULL::uuid, p_assignee_name text DEFAULT NULL::text, p_redemption_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  insert into public.review_actions (org_id, review_id, user_id, actor_name, kind, body, request_id, message_id, delivery,
    assignee_name, redemption_id)
  values (p_review.org_id, p_review.id, v_user_id, left(private.user_name(v_user_id), 200), p_kind, p_body, p_request_id,
    p_message_id, case when p_message_id is not null then 'queued' end, left(p_assignee_name, 200), p_redemption_id);
  perform private.audit(p_review.org_id, 'review.' || p_verb, 'review', private.alias_of(p_review.id),
    jsonb_build_object('name',
      (select s.name from public.stores s where s.org_id = p_review.org_id and s.id = p_review.store_id)));
end;
$function$;

CREATE OR REPLACE FUNCTION private.campaign_cost(p_org_id uuid, p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('cost', coalesce(sum(u.uses * w.value), 0),
    'unpriced', coalesce(sum(u.uses) filter (where w.value is null), 0))
  from (
    select c.reward_id, c.redemptions as uses
    from public.campaign_reward_totals c where c.org_id = p_org_id and c.campaign_id = p_campaign_id
    union all
    -- What the team gave is few.
    select d.reward_id, 1 from public.redemptions d
    where d.org_id = p_org_id and d.campaign_id = p_campaign_id and d.spin_id is null and d.status = 'used'
  ) u
  join public.rewards w on w.org_id = p_org_id and w.id = u.reward_id;
$function$;

CREATE OR REPLACE FUNCTION private.code_counts(p_org_id uuid, p_reward_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'total', f.codes + g.codes, 'used', f.redemptions + g.used, 'expired', f.expirations + o.codes + g.expired,
    'available', f.codes - f.redemptions - f.expirations - o.codes + g.codes - g.used - g.expired)
  from jsonb_to_record(private.reward_figures(p_org_id, p_reward_id))
    as f (codes bigint, redemptions bigint, expirations bigint),
    -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
    (select count(*) as codes from public.redemptions r
     where r.status = 'available' and r.expires_at <= now() and r.org_id = p_org_id and r.reward_id = p_reward_id
       and r.spin_id is not null) o,
    (select count(*) as codes, count(*) filter (where r.status = 'used') as used,
       count(*) filter (where private.code_state(r) = 'expired') as expired
     from public.redemptions r where r.org_id = p_org_id and r.reward_id = p_reward_id and r.spin_id is null) g;
$function$;

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
    update public.campaigns c set rules_stale = true where c.id = v_reward.campaign_id and not c.rules_stale;
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

CREATE OR REPLACE FUNCTION private.is_given(p_org_id uuid, p_reward_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from public.redemptions d where d.org_id = p_org_id and d.reward_id = p_reward_id and d.spin_id is null);
$function$;

CREATE OR REPLACE FUNCTION private.is_lasting(p_template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (p_template = ANY (ARRAY['prize'::text, 'prize_reminder'::text, 'review_answer'::text, 'review_gesture'::text, 'contact_request'::text, 'daily_summary'::text, 'weekly_summary'::text, 'password_changed'::text, 'email_changed'::text, 'phone_changed'::text, 'factor_added'::text, 'factor_removed'::text, 'passkey_added'::text, 'passkey_removed'::text, 'organization_end'::text, 'organization_kept'::text, 'trial_ending'::text, 'trial_ended'::text, 'payment_failed'::text, 'plan_suspended'::text, 'plan_ended'::text]));

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
  for v_origin in select distinct o.org_id, o.campaign_id, o.device_key from unnest(v_origins) o order by 1, 2, 3 loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    select count(*) filter (where k.last_at > now() - interval '24 hours'), count(*) into v_day, v_month
    from private.device_customers k
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > now() - interval '30 days';
    continue when v_day < v_settings.device_names and v_month < 2 * v_settings.device_names;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'device', v_origin.device_key,
      case when v_month >= 2 * v_settings.device_names then v_month else v_day end, array(
      select d.id
      from private.device_customers k
      join public.redemptions d on d.org_id = k.org_id and d.customer_id = k.customer_id and d.spin_id is not null
        and d.campaign_id = k.campaign_id and d.created_at between k.first_at and k.last_at
      where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
        and k.last_at > now() - case when v_month >= 2 * v_settings.device_names then interval '30 days'
          else interval '24 hours' end
    ));
  end loop;

  -- Many new names at once from one network: each spin is seen with the ten minutes before it.
  for v_origin in select o.* from unnest(v_origins) o order by o.created_at, o.spin_id loop
    select count(distinct t.customer_id) into v_day
    from private.network_turns t
    join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
    where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
      and t.created_at > v_origin.created_at - interval '10 minutes' and t.created_at <= v_origin.created_at
      and c.created_at > t.created_at - interval '1 hour';
    continue when v_day < 3;
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    continue when v_day < v_settings.network_names;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'network', v_origin.network_key, v_day, array(
      select d.id
      from private.network_turns t
      join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
      join public.redemptions d on d.org_id = t.org_id and d.spin_id = t.spin_id
      where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
        and t.created_at > v_origin.created_at - interval '10 minutes' and t.created_at <= v_origin.created_at
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

CREATE OR REPLACE FUNCTION private.lock_reviewer(p_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select 1
  from private.review_id_of(array(select private.my_org_ids('reviews.write')), p_id) n
  join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id
  join public.customers c on c.org_id = r.org_id and c.id = r.customer_id
  for key share of c;
$function$;

CREATE OR REPLACE FUNCTION private.may_give_goodwill(p_org_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Asked by the screen, too, which stays readable once a plan is over.
  select exists (
    select 1 from public.organization_members m
    join public.subscriptions u on u.org_id = m.org_id
    where m.org_id = p_org_id and m.user_id = (select private.my_user_id()) and private.is_open(u)
      and private.role_may(m.role, 'reviews.write') and private.role_may(m.role, 'customers.read')
      and private.role_may(m.role, 'rewards.write') and private.role_may(m.role, 'codes.read'));
$function$;

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with by_store as materialized (
    select d.store_id, sum(d.redemptions) as visits
    from (
      select f.store_id, f.redemptions from public.campaign_daily_stats f
      where f.org_id = p_org_id and f.shard = 16 and f.day >= p_from and f.day < p_until
      union all
      select f.store_id, f.redemptions from public.campaign_daily_stats f
      where f.org_id = p_org_id and f.shard < 16 and f.day >= p_from and f.day < p_until
    ) d
    group by d.store_id having sum(d.redemptions) <> 0
  ), stores as materialized (
    select v.store_id, v.visits, s.name, s.average_basket
    from by_store v join public.stores s on s.org_id = p_org_id and s.id = v.store_id
  ), prizes as (
    select coalesce(sum(u.uses * w.value), 0) as cost,
      coalesce(sum(u.uses) filter (where w.value is null), 0) as unpriced
    from (
      select d.reward_id, d.redemptions as uses
      from private.reward_days_now(p_org_id) d
      where d.redemptions <> 0 and d.day >= p_from and d.day < p_until
      union all
      -- What the team gave is few, and costs as much.
      select g.reward_id, 1
      from public.redemptions g
      join public.stores s on s.org_id = g.org_id and s.id = g.store_id
      where g.org_id = p_org_id and g.spin_id is null and g.status = 'used'
        and (g.used_at at time zone s.timezone)::date >= p_from and (g.used_at at time zone s.timezone)::date < p_until
    ) u
    join public.rewards w on w.org_id = p_org_id and w.id = u.reward_id
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'cost', (select p.cost from prizes p), 'unpriced', (select p.unpriced from prizes p),
    'stores', (select count(*) from stores),
    -- Where the figure is not known comes first: it is what one has to fill in.
    'baskets', coalesce((
      select jsonb_agg(jsonb_build_object('id', v.store_id, 'name', v.name, 'average_basket', v.average_basket,
        'visits', v.visits) order by v.average_basket is not null, v.visits desc, v.name, v.store_id)
      from (
        select * from stores v order by v.average_basket is not null, v.visits desc, v.name, v.store_id limit 5
      ) v), '[]'::jsonb),
    'plan', (
      select jsonb_build_object('plan', s.plan, 'billing', s.billing)
      from public.subscriptions s where s.org_id = p_org_id));
$function$;

CREATE OR REPLACE FUNCTION private.recent_activity(p_org_id uuid, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
    'name', case when p_is_named then coalesce(nullif(btrim(shown.name), ''), shown.email) end,
    'rating', shown.rating, 'reward', shown.reward) order by shown.at desc, shown.kind), '[]'::jsonb)
  from (select * from latest l order by l.at desc, l.kind limit 4) shown;
$function$;

CREATE OR REPLACE FUNCTION private.review_gesture(p_review public.pre_spin_reviews)
 RETURNS jsonb
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
    return jsonb_build_object('rewards', null, 'given', jsonb_build_object('reward', v_given.reward_name,
      'code', case when p_review.org_id in (select private.my_org_ids('codes.read')) then v_given.code end,
      'status', private.code_state(v_given), 'expires_at', v_given.expires_at, 'used_at', v_given.used_at));
  end if;
  return jsonb_build_object('given', null, 'rewards', case
    when p_review.customer_id is not null and private.may_give_goodwill(p_review.org_id) then coalesce((
      select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'campaign', w.campaign, 'stock', w.stock,
        'days', w.days) order by w.is_here desc, w.name, w.id)
      from (
        select r.id, r.name, c.name as campaign, r.stock, coalesce((r.metadata ->> 'validityDays')::integer, 30) as days,
          r.campaign_id = p_review.campaign_id as is_here
        from public.rewards r
        join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
        where r.org_id = p_review.org_id and r.active and r.archived_at is null and r.type <> 'points' and r.stock <> 0
        order by 6 desc, r.created_at desc, r.id limit 100
      ) w), '[]'::jsonb) end);
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
    (select count(*) from public.wheel_segments w
     where w.org_id = p_org_id
       and w.campaign_id = (select r.campaign_id from public.rewards r where r.org_id = p_org_id and r.id = p_reward_id)
       and w.reward_id = p_reward_id)::integer;
$function$;

CREATE OR REPLACE FUNCTION private.use_code(p_state text, p_redemption public.redemptions, p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid, p_request_id uuid, OUT outcome text, OUT body jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_redemption public.redemptions := p_redemption;
  v_timezone text;
begin
  outcome := p_state;
  if outcome = 'unknown' then
    select u.outcome, u.body into outcome, body
    from private.use_points_code(p_user_id, p_key_id, p_code, p_store_id, p_request_id) u;
    if body is not null then
      return;
    end if;
    outcome := p_state;
  end if;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available' and r.verdict is null
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, api_key_id, store_id, request_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_key_id, p_store_id, p_request_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      -- What the team gave was not won: it stands in no figure of the wheel, and is checked by nobody.
      if v_redemption.spin_id is not null then
        select s.timezone into v_timezone from public.stores s
        where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
        perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
          private.now_in(v_timezone)::date, p_redemptions => 1, p_is_free => private.is_free_win(v_redemption));
        perform private.mark_quiet_use(v_redemption, v_timezone);
      end if;
    else
      -- Another till was faster, or a colleague who holds it back.
      select * into v_redemption from public.redemptions r
      where r.org_id = p_redemption.org_id and r.id = p_redemption.id;
      outcome := coalesce(v_redemption.verdict, v_redemption.status);
    end if;
  end if;
  -- The use that counts now is this very request's, whose answer was lost.
  if outcome = 'used' and exists (
    select 1 from public.redemption_events e
    where e.org_id = v_redemption.org_id and e.redemption_id = v_redemption.id and e.action = 'used'
      and e.created_at = v_redemption.used_at and e.request_id = p_request_id and e.store_id = p_store_id
      and (e.user_id = p_user_id or e.api_key_id = p_key_id)
  ) then
    outcome := 'redeemed';
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$function$;

CREATE OR REPLACE FUNCTION private.write_gesture_mail(p_to text, p_body text, p_answers_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail('review_gesture', p_to, jsonb_build_object(
      'code', p_code.code,
      'until', jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone),
      'facts', jsonb_strip_nulls(jsonb_build_object('store', s.name, 'address', s.address, 'body', p_body,
        'reply_to', p_answers_to,
        -- What a merchant has named like an address of the web is left out, as in the mail of a prize.
        'prize', case when p_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then p_code.reward_name end))),
    now() + interval '2 days')
  from public.stores s where s.org_id = p_code.org_id and s.id = p_code.store_id;
$function$;

CREATE OR REPLACE FUNCTION public.answer_review(p_id uuid, p_version integer, p_body text, p_request_id uuid, p_reward_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_customer public.customers;
  v_answers_to text;
  v_obstacle text;
  v_gift record;
  v_message_id uuid;
begin
  if p_reward_id is not null then
    perform private.lock_reviewer(p_id);
  end if;
  v_review := private.lock_review(p_id);
  if not private.may_name_customers(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_body is null then
    raise exception 'no_text' using errcode = '23502';
  elsif exists (
    select 1 from public.review_actions a
    where a.org_id = v_review.org_id and a.review_id = v_review.id and a.request_id = p_request_id
  ) then
    return jsonb_build_object('outcome', 'saved');
  elsif v_review.handling_version is distinct from p_version then
    return private.review_conflict(v_review);
  elsif private.is_claimed(v_review, v_user_id) then
    return jsonb_build_object('outcome', 'claimed', 'by', private.user_name(v_review.claimed_by));
  end if;
  select * into v_customer from public.customers c
  where c.org_id = v_review.org_id and c.id = v_review.customer_id;
  v_answers_to := private.answers_to(v_user_id, v_review.org_id);
  v_obstacle := private.answer_obstacle(v_customer, v_answers_to);
  if v_obstacle is not null then
    return jsonb_build_object('outcome', v_obstacle);
  elsif private.count_attempt(array['review answer ' || v_review.org_id], '{200}', interval '1 hour') is not null then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  if p_reward_id is not null then
    select * into v_gift from private.give_goodwill(v_review, p_reward_id, null);
    if v_gift.outcome <> 'given' then
      return jsonb_build_object('outcome', v_gift.outcome);
    end if;
    v_message_id := private.write_gesture_mail(v_customer.email, btrim(p_body), v_answers_to, v_gift.code);
  else
    v_message_id := private.enqueue_mail('review_answer', v_customer.email, jsonb_build_object('facts', jsonb_build_object(
      'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
      'body', btrim(p_body), 'reply_to', v_answers_to)), now() + interval '2 days');
  end if;
  perform private.add_review_action(v_review, 'answer', 'answered', btrim(p_body), p_request_id, v_message_id);
  update public.pre_spin_reviews r
  set handling = 'answered', handling_version = r.handling_version + 1, seen_at = coalesce(r.seen_at, now()),
    claimed_by = null, claimed_at = null
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

CREATE OR REPLACE FUNCTION public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
returns table (
  code text, status text, reward text, campaign text, customer text, email text, created_at text, expires_at text,
  used_at text, used_store text, origin text
)
language sql stable
begin atomic
  select r.code,
    coalesce(r.verdict, case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end),
    r.reward_name, c.name, case when p_is_named then r.end_user_name end, case when p_is_named then r.end_user_email end,
    private.export_moment(r.created_at, z.timezone), private.export_moment(r.expires_at, z.timezone),
    private.export_moment(r.used_at, z.timezone), s.name, case when r.spin_id is null then 'goodwill' else 'wheel' end
  from public.redemptions r
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join public.stores s on s.org_id = r.org_id and s.id = r.used_store_id
  where r.org_id = p_org_id
    and ((p_filters ->> 'reward_id') is null or r.reward_id = (p_filters ->> 'reward_id')::uuid)
    and (p_filters -> 'ids' is null or r.id = any (array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid)))
    and ((p_filters ->> 'status') is null or (p_filters ->> 'status') = coalesce(r.verdict,
      case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end))
    and (private.code_pattern(p_filters ->> 'search') is null or case
      -- Stored words: computing them for each row costs more.
      when p_is_named then r.words like private.code_pattern(p_filters ->> 'search')
      else starts_with(r.code_key, private.code_prefix(p_filters ->> 'search')) end)
  order by r.created_at desc, r.id desc;
end;

CREATE OR REPLACE FUNCTION public.give_goodwill_code(p_id uuid, p_version integer, p_reward_id uuid, p_request_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_outcome text;
begin
  perform private.lock_reviewer(p_id);
  v_review := private.lock_review(p_id);
  if not private.may_give_goodwill(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif exists (
    select 1 from public.review_actions a
    where a.org_id = v_review.org_id and a.review_id = v_review.id and a.request_id = p_request_id
  ) then
    return jsonb_build_object('outcome', 'saved');
  elsif v_review.handling_version is distinct from p_version then
    return private.review_conflict(v_review);
  elsif private.is_claimed(v_review, v_user_id) then
    return jsonb_build_object('outcome', 'claimed', 'by', private.user_name(v_review.claimed_by));
  end if;
  select g.outcome into v_outcome from private.give_goodwill(v_review, p_reward_id, p_request_id) g;
  if v_outcome <> 'given' then
    return jsonb_build_object('outcome', v_outcome);
  end if;
  -- What becomes of the review is still to be said: nobody who is at it is in conflict.
  update public.pre_spin_reviews r set seen_at = coalesce(r.seen_at, now())
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

CREATE OR REPLACE FUNCTION public.restore_code(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_before public.redemptions;
  v_timezone text;
begin
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found and private.restore_points_code(p_id) then
    return;
  end if;
  if v_before.id is null or exists (
    select 1 from public.organization_members m
    where m.user_id = (select private.my_user_id())
      and private.bound_store(m.role, m.store_id) <> v_before.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_before.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', (select private.my_user_id()), v_before.used_store_id);
  if v_before.spin_id is null then
    return;
  end if;
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1, p_is_free => private.is_free_win(v_before));
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_detail(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_customer public.customers;
  v_is_named boolean;
  v_answers_to text;
begin
  select r.* into v_review
  from private.review_id_of(array(select private.my_org_ids('reviews.read')), p_id) n
  join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id;
  if not found then
    return null;
  end if;
  v_is_named := private.may_name_customers(v_review.org_id);
  v_answers_to := private.answers_to(v_user_id, v_review.org_id);
  select * into v_customer from public.customers c
  where c.org_id = v_review.org_id and c.id = v_review.customer_id;
  return jsonb_build_object(
    'id', private.alias_of(v_review.id), 'version', v_review.handling_version, 'at', v_review.created_at,
    'rating', v_review.rating, 'text', case when v_is_named then v_review.review_text end,
    'name', case when v_is_named then coalesce(nullif(btrim(v_review.customer_name), ''), v_review.customer_email) end,
    'is_erased', v_review.customer_id is null,
    'went_public', v_review.public_click_at is not null,
    'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
    'campaign', (select jsonb_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = v_review.org_id and c.id = v_review.campaign_id),
    'state', private.review_state(v_review), 'is_seen', v_review.seen_at is not null,
    'assigned_to', v_review.assigned_to, 'assignee', private.user_name(v_review.assigned_to),
    'writer', case when private.is_claimed(v_review, v_user_id) then private.user_name(v_review.claimed_by) end,
    'colleagues', private.review_colleagues(v_review.org_id), 'my_id', v_user_id,
    'customer', case when v_is_named then private.review_customer(v_review.org_id, v_review.customer_id, v_review.id) end,
    'obstacle', private.answer_obstacle(v_customer, v_answers_to),
    'answers_to', v_answers_to,
    'templates', (select jsonb_agg(jsonb_build_object('name', t.name, 'body', t.body) order by t.position)
      from public.answer_templates t where t.org_id = v_review.org_id),
    'gesture', private.review_gesture(v_review),
    'actions', (
      select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'at', a.created_at, 'by', a.actor_name, 'kind', a.kind,
        'body', case when v_is_named then a.body end, 'assignee', a.assignee_name, 'delivery', a.delivery)
        order by a.id), '[]'::jsonb)
      from (
        select * from public.review_actions o
        where o.org_id = v_review.org_id and o.review_id = v_review.id order by o.id desc limit 100
      ) a));
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(
  p_id uuid, p_search text default '', p_page integer default 1, p_status text default null
) returns jsonb
-- A plan made for each search: frequent words are best found among the newest codes, rare ones by the index of words.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  -- One more than is shown tells whether there is a next page.
  v_status constant text := nullif(p_status, '');
  v_last constant integer := v_page * v_page_size + 1;
  v_ids uuid[];
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_prefix text;
  v_items jsonb;
begin
  if v_status not in ('available', 'used', 'expired', 'held', 'cancelled') then
    raise exception 'status_unknown' using errcode = '22023';
  end if;
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
    v_prefix := private.code_prefix(p_search);
  end if;
  -- Each state is found by an index in which the newest stand first; what is over stands in two of its ranges.
  v_ids := array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = v_reward.org_id and r.reward_id = p_id and private.matches_code(r, v_pattern, v_prefix)
         and case
           when v_status is null then true
           when v_status in ('held', 'cancelled') then r.verdict is not null and r.verdict = v_status
           when v_status = 'available' then r.status = 'available' and r.verdict is null
             and (r.expires_at is null or r.expires_at > now())
           else r.status = v_status and r.verdict is null
         end
       order by r.created_at desc, r.id desc limit v_last)
      union all
      -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
      (select r.id, r.created_at from public.redemptions r
       where v_status = 'expired' and r.status = 'available' and r.expires_at <= now() and r.verdict is null
         and r.org_id = v_reward.org_id and r.reward_id = p_id and private.matches_code(r, v_pattern, v_prefix)
       order by r.created_at desc, r.id desc limit v_last)
    ) found
    order by found.created_at desc, found.id desc
    limit v_page_size + 1 offset (v_page - 1) * v_page_size
  );
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end, 'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', private.code_trace(v_reward.org_id, shown.id)) order by shown.created_at desc, shown.id desc), '[]'::jsonb)
  into v_items
  from public.redemptions shown
  where shown.org_id = v_reward.org_id and shown.id = any (v_ids);

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_reward.org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_reward.org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$$;

CREATE OR REPLACE FUNCTION public.reward_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1,
  p_sort text default null
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(select c.id from public.campaigns c where c.org_id = p_org_id and private.words(c.name) like v_pattern);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null),
    coalesce(array_agg(r.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, r.created_at desc, r.id) filter (
      where (r.archived_at is not null) = v_is_archived
        and (v_pattern is null or r.campaign_id = any (v_campaigns) or private.words(r.name) like v_pattern)), '{}')
  into v_total, v_archived, v_ids
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
  where r.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  -- A page that is no more, because rewards went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'archived_at', r.archived_at,
      'segments', (select count(*) from public.wheel_segments w
        where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id)
        and not exists (select 1 from public.wheel_segments w
          where w.org_id = p_org_id and w.campaign_id = r.campaign_id and w.reward_id = r.id),
      'is_won', coalesce(f.wins > 0, false) or private.is_given(p_org_id, r.id),
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
$$;

ALTER TABLE "public"."review_actions" ADD CONSTRAINT "review_actions_kind_check" CHECK ((kind = ANY (ARRAY['note'::text, 'answer'::text, 'answered'::text, 'closed'::text, 'reopened'::text, 'assigned'::text, 'gesture'::text])));

ALTER TABLE "public"."review_actions" ADD CONSTRAINT "review_actions_org_id_redemption_id_fkey" FOREIGN KEY (org_id, redemption_id) REFERENCES public.redemptions(org_id, id) ON DELETE SET NULL (redemption_id);

CREATE INDEX redemptions_goodwill_idx ON public.redemptions USING btree (org_id, reward_id) WHERE (spin_id IS NULL);

CREATE UNIQUE INDEX review_actions_gesture_idx ON public.review_actions USING btree (org_id, review_id) WHERE (kind = 'gesture'::text);

CREATE INDEX review_actions_redemption_idx ON public.review_actions USING btree (org_id, redemption_id) WHERE (redemption_id IS NOT NULL);

CREATE TRIGGER note_delivery AFTER UPDATE OF state ON private.outbox FOR EACH ROW WHEN (((new.template = ANY (ARRAY['review_answer'::text, 'review_gesture'::text])) AND (new.state <> 'queued'::text))) EXECUTE FUNCTION private.note_delivery();

CREATE TRIGGER broadcast_given_code AFTER INSERT ON public.redemptions FOR EACH ROW WHEN ((new.spin_id IS NULL)) EXECUTE FUNCTION private.broadcast_change('codes', 'code');

CREATE TRIGGER broadcast_new_code AFTER INSERT ON public.redemptions FOR EACH ROW WHEN ((new.spin_id IS NOT NULL)) EXECUTE FUNCTION private.broadcast_change('codes', 'win');

CREATE TRIGGER count_code_change AFTER UPDATE OF status ON public.redemptions FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.spin_id IS NOT NULL))) EXECUTE FUNCTION private.count_code_change();

CREATE CONSTRAINT TRIGGER count_code_of_campaign AFTER UPDATE ON public.redemptions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.status = 'used'::text) IS DISTINCT FROM (new.status = 'used'::text)) AND (new.spin_id IS NOT NULL))) EXECUTE FUNCTION private.count_code_of_campaign();

COMMENT ON COLUMN "public"."redemptions"."created_at" IS 'When it was won or given.';

COMMENT ON COLUMN "public"."redemptions"."customer_id" IS 'Whose code; null once the customer is erased.';

COMMENT ON COLUMN "public"."redemptions"."spin_id" IS 'Spin that won it, one code a spin; null for one that the team gave (32_goodwill.sql).';

COMMENT ON COLUMN "public"."review_actions"."kind" IS 'note, answer (by e-mail), answered (elsewhere, as on the phone), closed, reopened, assigned or gesture (a code was given).';

COMMENT ON COLUMN "public"."review_actions"."redemption_id" IS 'Code that was given; null for anything else.';

COMMENT ON FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, text, uuid) IS 'Writes down what the signed-in member did with a review, in its history and in the audit trail, which names the store alone.';

COMMENT ON FUNCTION "private"."broadcast_change"() IS 'Tells the channel of the trigger''s first argument that something of the second kind was written: scan, review, spin, win (a new code) or code (one that was used or restored, or that the team gave).';

COMMENT ON FUNCTION "private"."code_counts"(uuid, uuid) IS 'Codes of a reward by state, at this instant: those that were won from its counters, those that the team gave one by one.';

COMMENT ON FUNCTION "private"."give_goodwill"(public.pre_spin_reviews, uuid, uuid) IS 'Gives the customer of a review, which is locked, a code for a reward of the organisation, whichever its campaign: good at the review''s store, for as long as the reward''s codes are. Outcomes: given, already_given (one a review), erased, reward_gone (stopped, archived, points, another organisation''s), sold_out. Refusals change nothing. Error 42501 without the rights (private.may_give_goodwill).';

COMMENT ON FUNCTION "private"."is_given"(uuid, uuid) IS 'Whether the team ever gave a code for a reward.';

COMMENT ON FUNCTION "private"."lock_reviewer"(uuid) IS 'Keeps the customer of a review until the transaction ends. Before the review, as whoever erases them does: two orders would make deadlocks.';

COMMENT ON FUNCTION "private"."may_give_goodwill"(uuid) IS 'Whether the signed-in user may give codes: they write to customers, take from a stock and see the code, on an open plan.';

COMMENT ON FUNCTION "private"."review_gesture"(public.pre_spin_reviews) IS 'The code that was given with a review (the code itself for whoever reads codes), or the rewards that the signed-in user could give a code for, those of its campaign first, 100 at most; null without the rights (private.may_give_goodwill), and once the customer is erased.';

COMMENT ON FUNCTION "private"."reward_dependencies"(uuid, uuid) IS 'What hangs on a reward: whether it was ever won or given, and on how many segments of its wheel it stands. Read from counters.';

COMMENT ON FUNCTION "private"."write_gesture_mail"(text, text, text, public.redemptions) IS 'Writes the answer to a review that brings a code, as a ticket. Answers the mail''s identifier.';

COMMENT ON FUNCTION "public"."answer_review"(uuid, integer, text, uuid, uuid) IS 'Answers a review by e-mail, once for a request, in the store''s name, with a code for a reward where one is named (private.give_goodwill); the customer''s own answer goes to the member. Outcomes: saved (also when the request is repeated), conflict (somebody dealt with it meanwhile: who, and what became of it), claimed (a colleague is writing), erased, no_address or no_sender (private.answer_obstacle), too_many (200 within the hour), already_given, reward_gone or sold_out (private.give_goodwill). Refusals send nothing. Errors: 42501 without the permissions reviews.write and customers.read there, 23514 or 23502 no text, or more than 4000 characters.';

COMMENT ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) IS 'Codes of an organisation, newest first, as an export shows them; filters: reward_id, ids, status, search. Where nobody may be named, customers and their e-mails are null, and a search means how the code begins.';

COMMENT ON FUNCTION "public"."give_goodwill_code"(uuid, integer, uuid, uuid) IS 'Gives the customer of a review a code without a mail (review_detail shows it), once for a request and a review. Outcomes: saved (also when the request is repeated), conflict, claimed (as answer_review), already_given, erased, reward_gone or sold_out (private.give_goodwill). Refusals change nothing. Error 42501 without the rights (private.may_give_goodwill).';

COMMENT ON TABLE "public"."redemptions" IS 'A code that was won, or given by the team, and its use at the till (specification, section 3).';

REVOKE ALL ON FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_goodwill"(public.pre_spin_reviews, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_given"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_reviewer"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_give_goodwill"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_gesture"(public.pre_spin_reviews) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_gesture_mail"(text, text, text, public.redemptions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."answer_review"(uuid, integer, text, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."answer_review"(uuid, integer, text, uuid, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "public"."give_goodwill_code"(uuid, integer, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."give_goodwill_code"(uuid, integer, uuid, uuid) TO "authenticated";
