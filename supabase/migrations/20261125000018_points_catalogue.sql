-- Why: points can be spent on a catalogue of rewards, end by time, and those that were won before count in full.

set check_function_bodies = off;

CREATE TABLE "public"."points_rewards" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "org_id" uuid NOT NULL, "name" text NOT NULL, "cost" integer NOT NULL, "stock" integer NOT NULL DEFAULT '-1'::integer, "active" boolean NOT NULL DEFAULT true, "created_at" timestamp with time zone NOT NULL DEFAULT now(), "version" integer NOT NULL DEFAULT 1, CONSTRAINT "points_rewards_cost_check" CHECK (((cost >= 1) AND (cost <= 1000000))), CONSTRAINT "points_rewards_name_check" CHECK (((btrim(name) <> ''::text) AND (length(name) <= 120))), CONSTRAINT "points_rewards_org_id_id_key" UNIQUE (org_id, id), CONSTRAINT "points_rewards_pkey" PRIMARY KEY (id), CONSTRAINT "points_rewards_stock_check" CHECK (((stock >= '-1'::integer) AND (stock <= 1000000))), CONSTRAINT "points_rewards_version_check" CHECK ((version >= 1)));

ALTER TABLE "public"."points_rewards" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."points_spends" ("id" uuid NOT NULL DEFAULT private.uuid_v7(), "org_id" uuid NOT NULL, "customer_id" uuid, "points_reward_id" uuid, "reward_name" text NOT NULL, "points" integer NOT NULL, "request_id" uuid NOT NULL, "code" text NOT NULL, "code_key" text GENERATED ALWAYS AS (upper(regexp_replace(code, '[^A-Za-z0-9]'::text, ''::text, 'g'::text))) STORED, "status" text NOT NULL DEFAULT 'available'::text, "expires_at" timestamp with time zone NOT NULL, "used_at" timestamp with time zone, "used_by" uuid, "used_store_id" uuid, "used_request_id" uuid, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "points_spends_code_check" CHECK (((length(code) >= 4) AND (length(code) <= 64))), CONSTRAINT "points_spends_org_id_request_id_key" UNIQUE (org_id, request_id), CONSTRAINT "points_spends_points_check" CHECK ((points > 0)), CONSTRAINT "points_spends_status_check" CHECK ((status = ANY (ARRAY['available'::text, 'used'::text, 'expired'::text]))), CONSTRAINT "points_spends_use_check" CHECK (((status = 'used'::text) = (used_at IS NOT NULL))), CONSTRAINT "points_spends_user_check" CHECK (((used_at IS NOT NULL) OR ((used_by IS NULL) AND (used_store_id IS NULL) AND (used_request_id IS NULL)))), CONSTRAINT "points_spends_pkey" PRIMARY KEY (org_id, id));

ALTER TABLE "public"."points_spends" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."points_ledger" ADD COLUMN "kind" text NOT NULL DEFAULT 'earned'::text;

ALTER TABLE "public"."points_ledger" ADD COLUMN "lot_id" uuid;

ALTER TABLE "public"."points_ledger" ADD COLUMN "spend_id" uuid;

ALTER TABLE "public"."points_ledger" ADD COLUMN "expires_at" timestamp with time zone;

ALTER TABLE "public"."points_ledger" ADD COLUMN "remaining" integer;

-- Whoever won points before has them all, without end: the rules under which they were won knew none.
update public.points_ledger set remaining = points;

CREATE OR REPLACE FUNCTION private.book_points()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.points_ledger l set remaining = l.remaining + new.points
  where l.org_id = new.org_id and l.id = new.lot_id;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.describe_points_code(p_state text, p_spend public.points_spends, p_store_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'state', p_state,
    'code', p_spend.code,
    'reward', jsonb_build_object('id', coalesce(p_spend.points_reward_id, p_spend.id), 'name', p_spend.reward_name, 'type', 'gift'),
    'customer', (
      select jsonb_build_object('name', coalesce(nullif(btrim(c.name), ''), c.email))
      from public.customers c where c.org_id = p_spend.org_id and c.id = p_spend.customer_id),
    'store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s where s.org_id = p_spend.org_id and s.id = coalesce(p_spend.used_store_id, p_store_id)),
    'expires_at', p_spend.expires_at,
    'used_at', p_spend.used_at,
    'used_by', case when p_spend.used_by is not null then private.user_name(p_spend.used_by) end,
    'undo_id', case
      when p_state in ('redeemed', 'used') and private.may_restore(p_spend.used_at) then p_spend.id end,
    'points', p_spend.points);
$function$;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id for update;
  perform 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id for update;
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_id for update;
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- What the team wrote to them and about them names them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when r.handling = 'open' or (r.handling is null and r.rating <= 3) then 'closed' else r.handling end, customer_name = null, customer_email = null, customer_phone = null, review_text = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  perform private.forget_given_up(array[c.email, c.phone])
  from public.customers c where c.org_id = p_org_id and c.id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.expire_points(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_spends public.points_spends[];
  v_lots public.points_ledger[];
  v_spend public.points_spends;
begin
  -- A code that a till is using right now is left to that till.
  v_spends := array(
    select s from public.points_spends s
    where s.status = 'available' and s.expires_at <= now()
    order by s.expires_at limit p_limit for update skip locked);
  v_lots := array(
    select l from public.points_ledger l
    where l.remaining > 0 and l.expires_at <= now()
    order by l.expires_at limit p_limit);
  -- People in the order in which spends lock them: two orders would make deadlocks.
  perform 1 from public.customers c
  where (c.org_id, c.id) in (
    select l.org_id, l.customer_id from unnest(v_lots) l
    union
    select l.org_id, l.customer_id from unnest(v_spends) s
    join public.points_ledger l on l.org_id = s.org_id and l.spend_id = s.id)
  order by c.id for no key update;
  foreach v_spend in array v_spends loop
    update public.points_spends s set status = 'expired' where s.org_id = v_spend.org_id and s.id = v_spend.id;
    perform private.give_points_back(v_spend);
  end loop;
  insert into public.points_ledger (org_id, customer_id, kind, points, lot_id)
  select l.org_id, l.customer_id, 'expired', - l.remaining, l.id
  from unnest(v_lots) o
  join public.points_ledger l on l.org_id = o.org_id and l.id = o.id
  where l.remaining > 0;
  return cardinality(v_spends) + cardinality(v_lots);
end;
$function$;

CREATE OR REPLACE FUNCTION private.fill_points_lot()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.remaining := new.points;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.give_points_back(p_spend public.points_spends)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.points_ledger (org_id, customer_id, kind, points, lot_id, spend_id)
  select l.org_id, l.customer_id, 'returned', - l.points, l.lot_id, l.spend_id
  from public.points_ledger l
  where l.org_id = p_spend.org_id and l.spend_id = p_spend.id and l.kind = 'spent';
  update public.points_rewards r set stock = r.stock + 1
  where r.org_id = p_spend.org_id and r.id = p_spend.points_reward_id and r.stock >= 0;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lookup_points_code(p_code text, p_store_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_spend constant public.points_spends := private.points_code(p_code, p_store_id);
begin
  if v_spend.id is null then
    return null;
  end if;
  return private.describe_points_code(private.points_code_state(v_spend), v_spend, p_store_id);
end;
$function$;

CREATE OR REPLACE FUNCTION private.points_balance(p_org_id uuid, p_customer_id uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(sum(l.remaining), 0)
  from public.points_ledger l
  where l.org_id = p_org_id and l.customer_id = p_customer_id and l.remaining > 0
    and (l.expires_at is null or l.expires_at > now());
$function$;

CREATE OR REPLACE FUNCTION private.points_code(p_code text, p_store_id uuid)
 RETURNS public.points_spends
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.* from public.stores s
  join public.points_spends p on p.org_id = s.org_id
  where s.id = p_store_id and p.code_key = upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g'));
$function$;

CREATE OR REPLACE FUNCTION private.points_code_state(p_spend public.points_spends)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when p_spend.status = 'available' and p_spend.expires_at <= now() then 'expired' else p_spend.status end;
$function$;

CREATE OR REPLACE FUNCTION private.points_wallet(p_campaign_id uuid, p_proofs jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_is_open boolean;
  v_lots uuid[];
  v_ends jsonb;
begin
  select c.org_id, private.is_open(u) into v_org_id, v_is_open
  from public.campaigns c join public.subscriptions u on u.org_id = c.org_id
  where c.id = p_campaign_id;
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
    'rewards', case when v_is_open then coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'cost', r.cost, 'sold_out', r.stock = 0)
        order by r.cost, r.name, r.id)
      from (
        select * from public.points_rewards w where w.org_id = v_org_id and w.active order by w.cost, w.id limit 50
      ) r), '[]'::jsonb) else '[]'::jsonb end,
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'code', s.code, 'reward', s.reward_name, 'points', s.points,
        'status', private.points_code_state(s), 'expires_at', s.expires_at, 'used_at', s.used_at)
        order by s.id desc)
      from (
        select * from public.points_spends o
        where o.org_id = v_org_id and o.id in (
          select l.spend_id from public.points_ledger l
          where l.org_id = v_org_id and l.lot_id = any (v_lots) and l.kind = 'spent')
        order by o.id desc limit 10
      ) s), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION private.proven_points(p_campaign_id uuid, p_proofs jsonb)
 RETURNS SETOF public.points_ledger
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select l.*
  from public.campaigns c
  join jsonb_to_recordset(p_proofs) as p (spin_id uuid, nonce uuid) on true
  join public.spins s on s.org_id = c.org_id and s.id = p.spin_id and s.nonce = p.nonce
  join public.points_ledger l on l.org_id = s.org_id and l.spin_id = s.id
  where c.id = p_campaign_id;
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
          from public.redemptions d where d.org_id = p_org_id
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

CREATE OR REPLACE FUNCTION private.restore_points_code(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_spend public.points_spends;
begin
  select * into v_spend from public.points_spends s
  where s.org_id = any (array(select private.my_org_ids('codes.redeem'))) and s.id = p_id
  for no key update;
  if not found then
    return false;
  elsif exists (
    select 1 from public.organization_members m
    where m.user_id = (select private.my_user_id())
      and private.bound_store(m.role, m.store_id) <> v_spend.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_spend.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_spend.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.points_spends s
  set status = 'available', used_at = null, used_by = null, used_store_id = null, used_request_id = null
  where s.org_id = v_spend.org_id and s.id = p_id;
  perform private.audit(v_spend.org_id, 'code.restored', 'redemption', p_id, jsonb_build_object('name', v_spend.reward_name));
  return true;
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
      -- All that were put into play: those that are left, and those that were won.
      'number', case when r.stock >= 0 then r.stock + coalesce((
        select sum(t.wins) from private.reward_totals_now(r.org_id) t where t.reward_id = r.id), 0) end,
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
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = p_campaign.store_id
    where o.id = p_campaign.org_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.sweep_customers(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_before constant timestamptz := now() - interval '3 years';
  v_count integer := 0;
  v_customer record;
begin
  -- An organisation at a time, so that the index on its customers' age serves; the last contact is never before it.
  for v_customer in
    select * from (
      select c.org_id, c.id from public.organizations o
      cross join lateral (
        select c.org_id, c.id from public.customers c
        where c.org_id = o.id and c.created_at < v_before
          and coalesce(c.last_activity_at, c.created_at) < v_before
        limit p_limit
      ) c
      limit p_limit
    ) due
    -- In the order in which a spend of points locks people: two orders would make deadlocks.
    order by due.id
  loop
    perform private.erase_customer_data(v_customer.org_id, v_customer.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.take_points(p_spend public.points_spends, p_lots uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.points_ledger (org_id, customer_id, kind, points, lot_id, spend_id)
  select l.org_id, l.customer_id, 'spent', - least(l.remaining, p_spend.points - l.before)::integer, l.id, p_spend.id
  from (
    select o.*, coalesce(sum(o.remaining) over (
      order by o.expires_at nulls last, o.id rows between unbounded preceding and 1 preceding), 0) as before
    from public.points_ledger o
    where o.org_id = p_spend.org_id and o.id = any (p_lots) and o.remaining > 0
      and (o.expires_at is null or o.expires_at > now())
  ) l
  where l.before < p_spend.points;
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
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available'
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, api_key_id, store_id, request_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_key_id, p_store_id, p_request_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      select s.timezone into v_timezone from public.stores s
      where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
      perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
        private.now_in(v_timezone)::date, p_redemptions => 1, p_is_free => private.is_free_win(v_redemption));
    else
      -- Another till was faster.
      outcome := 'used';
      select * into v_redemption from public.redemptions r
      where r.org_id = p_redemption.org_id and r.id = p_redemption.id;
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

CREATE OR REPLACE FUNCTION private.use_points_code(p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid, p_request_id uuid, OUT outcome text, OUT body jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_spend public.points_spends := private.points_code(p_code, p_store_id);
begin
  if v_spend.id is null then
    return;
  end if;
  update public.points_spends s
  set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id, used_request_id = p_request_id
  where s.org_id = v_spend.org_id and s.id = v_spend.id and s.status = 'available' and s.expires_at > now();
  if found then
    outcome := 'redeemed';
    update public.customers c set last_activity_at = now()
    where c.org_id = v_spend.org_id and c.id = v_spend.customer_id;
  end if;
  select * into v_spend from public.points_spends s where s.org_id = v_spend.org_id and s.id = v_spend.id;
  -- The use that counts now may be this very request's, whose answer was lost.
  if outcome is null then
    outcome := case
      when v_spend.status = 'used' and v_spend.used_request_id = p_request_id and v_spend.used_store_id = p_store_id
        and v_spend.used_by is not distinct from p_user_id then 'redeemed'
      else private.points_code_state(v_spend) end;
  end if;
  body := private.describe_points_code(outcome, v_spend, p_store_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.customer_detail(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    'points', private.points_balance(v_customer.org_id, p_id),
    'reviews', private.customer_reviews(v_customer.org_id, p_id),
    'spins', private.customer_spins(v_customer.org_id, p_id),
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))));
end;
$function$;

CREATE OR REPLACE FUNCTION public.lookup_code(p_code text, p_store_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_key constant private.api_keys := private.my_api_key();
  v_inspection record;
  v_points jsonb;
begin
  if v_key.id is null then
    select * into v_inspection from private.inspect_code((select private.my_user_id()), p_code, p_store_id);
  else
    select * into v_inspection from private.inspect_code_with_key(v_key, p_code, p_store_id);
  end if;
  if v_inspection.state = 'forbidden' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_inspection.state = 'unknown' then
    v_points := private.lookup_points_code(p_code, p_store_id);
  end if;
  return coalesce(v_points, private.describe_code(v_inspection.state, p_code, v_inspection.redemption));
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
        'id', r.id, 'version', r.version, 'name', r.name, 'cost', r.cost, 'stock', r.stock, 'active', r.active,
        -- Each of them buys for themselves: what is left over buys nothing together.
        'affordable', (select coalesce(sum(b / r.cost), 0) from unnest(v_balances) b),
        'spends', (select count(*) from public.points_spends s
          where s.org_id = p_org_id and s.points_reward_id = r.id and s.status <> 'expired'))
        order by r.cost, r.name, r.id)
      from public.points_rewards r where r.org_id = p_org_id), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.points_wallet(p_campaign_id uuid, p_proofs jsonb, p_address_hash text, OUT outcome text, OUT body jsonb, OUT retry_at timestamp with time zone)
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
  body := private.points_wallet(p_campaign_id, p_proofs);
  outcome := case when body is null then 'campaign_not_found' else 'shown' end;
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
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1, p_is_free => private.is_free_win(v_before));
end;
$function$;

CREATE OR REPLACE FUNCTION public.spend_points(p_campaign_id uuid, p_proofs jsonb, p_points_reward_id uuid, p_cost integer, p_request_id uuid, p_address_hash text, OUT outcome text, OUT body jsonb, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_retry_after integer;
  v_campaign record;
  v_lots uuid[];
  v_balance bigint;
  v_customer_id uuid;
  v_reward public.points_rewards;
  v_spend public.points_spends;
  v_code text;
begin
  v_retry_after := private.count_attempt(array['points address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  select c.org_id, s.timezone, private.is_open(u) as is_open into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
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
    body := case when outcome = 'spent' then private.points_wallet(p_campaign_id, p_proofs) end;
    return;
  end if;

  select * into v_reward from public.points_rewards r
  where r.org_id = v_campaign.org_id and r.id = p_points_reward_id and r.active;
  if not found or not v_campaign.is_open then
    outcome := 'points_reward_gone';
    return;
  elsif v_reward.cost <> p_cost then
    outcome := 'points_cost_changed';
    return;
  end if;
  select coalesce(sum(l.remaining), 0), (array_agg(l.customer_id order by l.id desc))[1] into v_balance, v_customer_id
  from public.points_ledger l
  where l.org_id = v_campaign.org_id and l.id = any (v_lots) and l.remaining > 0
    and (l.expires_at is null or l.expires_at > now());
  if v_balance < v_reward.cost then
    outcome := 'points_missing';
    return;
  end if;
  if v_reward.stock <> -1 then
    update public.points_rewards r set stock = r.stock - 1
    where r.org_id = v_reward.org_id and r.id = v_reward.id and r.stock > 0;
    if not found then
      outcome := 'points_sold_out';
      return;
    end if;
  end if;

  loop
    v_code := private.random_code('PTS-{random}');
    -- Codes of prizes come first at the till: none may hide this one.
    continue when exists (
      select 1 from public.redemptions d
      where d.org_id = v_campaign.org_id and d.code_key = upper(regexp_replace(v_code, '[^A-Za-z0-9]', '', 'g')));
    insert into public.points_spends (
      org_id, customer_id, points_reward_id, reward_name, points, request_id, code, expires_at
    ) values (
      v_campaign.org_id, v_customer_id, v_reward.id, v_reward.name, v_reward.cost, p_request_id, v_code,
      private.day_end(private.now_in(v_campaign.timezone)::date + 30, v_campaign.timezone)
    )
    on conflict (org_id, code_key) do nothing
    returning * into v_spend;
    exit when v_spend.id is not null;
  end loop;
  perform private.take_points(v_spend, v_lots);
  update public.customers c set last_activity_at = now() where c.org_id = v_spend.org_id and c.id = v_spend.customer_id;
  outcome := 'spent';
  body := private.points_wallet(p_campaign_id, p_proofs);
exception
  -- The same request for somebody else at the same instant.
  when unique_violation then
    outcome := 'points_request_reused';
    body := null;
end;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
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
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
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

ALTER TABLE "public"."points_ledger" ADD CONSTRAINT "points_ledger_kind_check" CHECK ((kind = ANY (ARRAY['earned'::text, 'spent'::text, 'returned'::text, 'expired'::text])));

ALTER TABLE "public"."points_ledger" ADD CONSTRAINT "points_ledger_lot_check" CHECK ((((kind = 'earned'::text) = (lot_id IS NULL)) AND ((kind = 'earned'::text) = (remaining IS NOT NULL))));

ALTER TABLE "public"."points_ledger" ADD CONSTRAINT "points_ledger_org_id_lot_id_fkey" FOREIGN KEY (org_id, lot_id) REFERENCES public.points_ledger(org_id, id) ON DELETE CASCADE;

ALTER TABLE "public"."points_ledger" ADD CONSTRAINT "points_ledger_remaining_check" CHECK (((remaining >= 0) AND (remaining <= points)));

ALTER TABLE "public"."points_ledger" ADD CONSTRAINT "points_ledger_sign_check" CHECK (((points > 0) = (kind = ANY (ARRAY['earned'::text, 'returned'::text]))));

ALTER TABLE "public"."points_ledger" ADD CONSTRAINT "points_ledger_spend_check" CHECK (((kind = ANY (ARRAY['spent'::text, 'returned'::text])) = (spend_id IS NOT NULL)));

ALTER TABLE "public"."points_rewards" ADD CONSTRAINT "points_rewards_org_id_fkey" FOREIGN KEY (org_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE "public"."points_spends" ADD CONSTRAINT "points_spends_org_id_customer_id_fkey" FOREIGN KEY (org_id, customer_id) REFERENCES public.customers(org_id, id) ON DELETE SET NULL (customer_id);

ALTER TABLE "public"."points_spends" ADD CONSTRAINT "points_spends_org_id_points_reward_id_fkey" FOREIGN KEY (org_id, points_reward_id) REFERENCES public.points_rewards(org_id, id) ON DELETE SET NULL (points_reward_id);

ALTER TABLE "public"."points_spends" ADD CONSTRAINT "points_spends_org_id_used_store_id_fkey" FOREIGN KEY (org_id, used_store_id) REFERENCES public.stores(org_id, id) ON DELETE RESTRICT;

ALTER TABLE "public"."points_spends" ADD CONSTRAINT "points_spends_used_by_fkey" FOREIGN KEY (used_by) REFERENCES auth.users(id) ON DELETE SET NULL;

CREATE INDEX points_ledger_expiry_idx ON public.points_ledger USING btree (expires_at) WHERE (remaining > 0);

CREATE INDEX points_ledger_lot_idx ON public.points_ledger USING btree (org_id, lot_id) WHERE (lot_id IS NOT NULL);

CREATE INDEX points_ledger_open_idx ON public.points_ledger USING btree (org_id, customer_id) WHERE (remaining > 0);

CREATE INDEX points_ledger_spend_idx ON public.points_ledger USING btree (org_id, spend_id) WHERE (spend_id IS NOT NULL);

CREATE INDEX points_rewards_cost_idx ON public.points_rewards USING btree (org_id, cost, id);

CREATE INDEX points_spends_customer_idx ON public.points_spends USING btree (org_id, customer_id);

CREATE INDEX points_spends_expiry_idx ON public.points_spends USING btree (expires_at) WHERE (status = 'available'::text);

CREATE UNIQUE INDEX points_spends_org_code_key ON public.points_spends USING btree (org_id, code_key);

CREATE INDEX points_spends_reward_idx ON public.points_spends USING btree (org_id, points_reward_id);

CREATE INDEX points_spends_store_idx ON public.points_spends USING btree (org_id, used_store_id) WHERE (used_store_id IS NOT NULL);

CREATE INDEX points_spends_used_by_idx ON public.points_spends USING btree (used_by) WHERE (used_by IS NOT NULL);

CREATE INDEX points_spends_waiting_idx ON public.points_spends USING btree (org_id) WHERE (status = 'available'::text);

CREATE TRIGGER book_points AFTER INSERT ON public.points_ledger FOR EACH ROW WHEN ((new.lot_id IS NOT NULL)) EXECUTE FUNCTION private.book_points();

CREATE TRIGGER fill_points_lot BEFORE INSERT ON public.points_ledger FOR EACH ROW WHEN ((new.kind = 'earned'::text)) EXECUTE FUNCTION private.fill_points_lot();

CREATE TRIGGER audit_points_reward_change AFTER INSERT OR DELETE OR UPDATE OF name, cost, active ON public.points_rewards FOR EACH ROW EXECUTE FUNCTION private.audit_change('reward', 'name', 'cost', 'active');

CREATE TRIGGER bump_reward_version BEFORE UPDATE OF name, cost ON public.points_rewards FOR EACH ROW EXECUTE FUNCTION private.bump_reward_version();

CREATE POLICY "Members add rewards for points" ON "public"."points_rewards" FOR INSERT TO "authenticated" WITH CHECK ((org_id = ANY (ARRAY( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids))));

CREATE POLICY "Members change rewards for points" ON "public"."points_rewards" FOR UPDATE TO "authenticated" USING ((org_id = ANY (ARRAY( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids)))) WITH CHECK ((org_id = ANY (ARRAY( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids))));

CREATE POLICY "Members read the rewards for points" ON "public"."points_rewards" FOR SELECT TO "authenticated" USING ((org_id = ANY (ARRAY( SELECT private.my_org_ids('rewards.read'::text) AS my_org_ids))));

CREATE POLICY "Owners and admins delete rewards for points" ON "public"."points_rewards" FOR DELETE TO "authenticated" USING ((org_id = ANY (ARRAY( SELECT private.my_org_ids('rewards.delete'::text) AS my_org_ids))));

CREATE POLICY "Members read the codes for points" ON "public"."points_spends" FOR SELECT TO "authenticated" USING ((org_id = ANY (ARRAY( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids
INTERSECT
 SELECT private.my_org_ids('codes.read'::text) AS my_org_ids))));

COMMENT ON COLUMN "public"."points_ledger"."expires_at" IS 'Last second in which earned points can be spent; null is without end.';

COMMENT ON COLUMN "public"."points_ledger"."kind" IS 'earned (by a spin), spent, returned (a spend was taken back or never fetched) or expired (by time).';

COMMENT ON COLUMN "public"."points_ledger"."lot_id" IS 'Earned entry that points were taken from, or given back to; null for an earned one.';

COMMENT ON COLUMN "public"."points_ledger"."points" IS 'Points added (earned, returned) or taken (spent, expired), which are negative.';

COMMENT ON COLUMN "public"."points_ledger"."remaining" IS 'What is left of earned points, never below zero; null for every other entry.';

COMMENT ON COLUMN "public"."points_ledger"."spend_id" IS 'Spend that took them or gave them back.';

COMMENT ON COLUMN "public"."points_rewards"."active" IS 'Whether it can be had.';

COMMENT ON COLUMN "public"."points_rewards"."cost" IS 'What it costs, in points, from 1.';

COMMENT ON COLUMN "public"."points_rewards"."created_at" IS 'When it was created.';

COMMENT ON COLUMN "public"."points_rewards"."id" IS 'Identifier.';

COMMENT ON COLUMN "public"."points_rewards"."name" IS 'Name as customers read it, 1 to 120 characters.';

COMMENT ON COLUMN "public"."points_rewards"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "public"."points_rewards"."stock" IS 'How many are left; -1 is unlimited.';

COMMENT ON COLUMN "public"."points_rewards"."version" IS 'Rises with every change that a merchant makes in the form: saving an older version is refused, and overwrites nothing.';

COMMENT ON COLUMN "public"."points_spends"."code" IS 'Code that the till takes.';

COMMENT ON COLUMN "public"."points_spends"."code_key" IS 'The code without case, spaces and signs, unique within the organisation: what the till looks for.';

COMMENT ON COLUMN "public"."points_spends"."created_at" IS 'When the points were spent.';

COMMENT ON COLUMN "public"."points_spends"."customer_id" IS 'Whose points; null once the customer is erased.';

COMMENT ON COLUMN "public"."points_spends"."expires_at" IS 'Last second of the last day at the store of the campaign: 30 days.';

COMMENT ON COLUMN "public"."points_spends"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "public"."points_spends"."points" IS 'What it cost at the time, in points.';

COMMENT ON COLUMN "public"."points_spends"."points_reward_id" IS 'Reward of the catalogue; null once it was deleted.';

COMMENT ON COLUMN "public"."points_spends"."request_id" IS 'What the phone called its request: one spend a request.';

COMMENT ON COLUMN "public"."points_spends"."reward_name" IS 'Name of the reward at the time.';

COMMENT ON COLUMN "public"."points_spends"."status" IS 'available, used (by staff) or expired (by time: the points went back).';

COMMENT ON COLUMN "public"."points_spends"."used_at" IS 'When it was used.';

COMMENT ON COLUMN "public"."points_spends"."used_by" IS 'Staff member who used it; null for a key of the API, and once that account is gone.';

COMMENT ON COLUMN "public"."points_spends"."used_request_id" IS 'What the till called its request: repeated after a lost answer, it gets that answer. Null when it did not say.';

COMMENT ON COLUMN "public"."points_spends"."used_store_id" IS 'Store where it was used.';

COMMENT ON COLUMN "public"."rewards"."metadata" IS 'Optional discountPercent (1-100), item (text), points (from 1), validityDays (from 1; of points: none is without end); null when empty.';

COMMENT ON FUNCTION "private"."book_points"() IS 'Takes spent and expired points from the entry that earned them, and puts returned ones back: less than nothing, and more than was earned, is refused by a check.';

COMMENT ON FUNCTION "private"."describe_points_code"(text, public.points_spends, uuid) IS 'What the till shows of a code that points were spent for: the shape is codeLookup of _shared/domain.';

COMMENT ON FUNCTION "private"."expire_points"(integer) IS 'Job: points whose last instant has passed go, and those of a code that nobody came for go back, of which the next run lets go what has ended meanwhile.';

COMMENT ON FUNCTION "private"."fill_points_lot"() IS 'Earned points are all left at first.';

COMMENT ON FUNCTION "private"."give_points_back"(public.points_spends) IS 'Gives the points of a spend back to the entries that they came from, whose ends stay, and its reward to the stock.';

COMMENT ON FUNCTION "private"."lookup_points_code"(text, uuid) IS 'What a code that points were spent for is, before it is used (private.describe_points_code); null where there is none. For whoever was let to that till already.';

COMMENT ON FUNCTION "private"."points_balance"(uuid, uuid) IS 'Points that a customer can spend at this instant: the job that lets points expire comes a little later.';

COMMENT ON FUNCTION "private"."points_code"(text, uuid) IS 'The spend whose code somebody shows at a store, whatever its case and spaces; null where the organisation has none. Asks no permission.';

COMMENT ON FUNCTION "private"."points_code_state"(public.points_spends) IS 'available, used or expired, at this instant: the job that gives points back comes a little later.';

COMMENT ON FUNCTION "private"."points_wallet"(uuid, jsonb) IS 'What a phone sees of the points that it can prove (private.proven_points): balance, the points that end first, the catalogue (nothing while the organisation is closed), and the last 10 codes; null without such a campaign. The shape is pointsWallet of _shared/domain.';

COMMENT ON FUNCTION "private"."proven_points"(uuid, jsonb) IS 'Entries that earned points at the organisation of a campaign, for whoever knows the nonces of their spins: a list of {spin_id, nonce}, in which those of others count for nothing.';

COMMENT ON FUNCTION "private"."restore_points_code"(uuid) IS 'Makes a code that points were spent for good again, with the rules and errors of restore_code; false when the identifier is none of the signed-in user''s organisation.';

COMMENT ON FUNCTION "private"."take_points"(public.points_spends, uuid[]) IS 'Takes what a spend costs from the given entries, those first that end first.';

COMMENT ON FUNCTION "private"."use_points_code"(uuid, uuid, text, uuid, uuid) IS 'Uses a code that points were spent for, once, at any store of the organisation, for a person or a key of the API: the outcome (redeemed, used or expired) and what the till shows; nulls where there is no such code. For whoever was let to that till already (private.use_code).';

COMMENT ON FUNCTION "public"."points_catalogue"(uuid) IS 'What an organisation gives for points, cheapest first, with how many of each its customers could have now and how many they have had, and what it owes: points that can be spent, of how many customers, and codes that wait. earns tells whether a reward in use wins points. The shape is pointsCatalogue of _shared/domain. Error 42501 without the permissions rewards.read and activity.read there.';

COMMENT ON FUNCTION "public"."points_wallet"(uuid, jsonb, text) IS 'What a phone sees of the points that it can prove, and what they buy (private.points_wallet). Outcomes: shown, campaign_not_found, too_many_attempts (retry_at).';

COMMENT ON FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text) IS 'Spends points that a phone can prove (private.proven_points) on a reward of the catalogue, at the cost that the phone showed: exactly once a request, in one transaction with the stock and the code. body is private.points_wallet. Outcomes: spent (repeated as well), campaign_not_found, points_reward_gone (inactive, deleted, another merchant''s, or the organisation is closed), points_cost_changed, points_missing, points_sold_out, points_request_reused (the request was somebody else''s, or for something else), too_many_attempts (retry_at). Refusals change nothing but the count of attempts.';

COMMENT ON TABLE "public"."points_ledger" IS 'Points of customers: each entry is added, none is changed but for what is left of it. Points rewards are credited automatically and need no code (specification, section 5).';

COMMENT ON TABLE "public"."points_rewards" IS 'What an organisation gives for points: its catalogue, good at each of its stores.';

COMMENT ON TABLE "public"."points_spends" IS 'Points that were spent on a reward of the catalogue, and the code that the till takes for it.';

REVOKE ALL ON FUNCTION "private"."book_points"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."describe_points_code"(text, public.points_spends, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."expire_points"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fill_points_lot"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_points_back"(public.points_spends) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lookup_points_code"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."points_balance"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."points_code"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."points_code_state"(public.points_spends) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."points_wallet"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."proven_points"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."restore_points_code"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_points"(public.points_spends, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."use_points_code"(uuid, uuid, text, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."points_catalogue"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."points_catalogue"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."points_wallet"(uuid, jsonb, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."points_wallet"(uuid, jsonb, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text) TO "service_role";

GRANT INSERT ("active"), UPDATE ("active") ON TABLE "public"."points_rewards" TO "authenticated";

GRANT INSERT ("cost"), UPDATE ("cost") ON TABLE "public"."points_rewards" TO "authenticated";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."points_rewards" TO "authenticated";

GRANT INSERT ("org_id") ON TABLE "public"."points_rewards" TO "authenticated";

GRANT INSERT ("stock"), UPDATE ("stock") ON TABLE "public"."points_rewards" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."points_rewards" TO "authenticated";

GRANT ALL ON TABLE "public"."points_rewards" TO "service_role";

GRANT SELECT ON TABLE "public"."points_spends" TO "authenticated";

GRANT ALL ON TABLE "public"."points_spends" TO "service_role";

ALTER TABLE "public"."points_ledger" ADD CONSTRAINT "points_ledger_spend_fkey" FOREIGN KEY (org_id, spend_id) REFERENCES public.points_spends(org_id, id) ON DELETE RESTRICT;

COMMENT ON COLUMN "public"."points_spends"."id" IS 'Identifier.';

insert into private.jobs (name, run_every) values ('expire_points', interval '1 hour');

-- The rules name the days that points are good for.
update public.campaigns c set rules_stale = true
where exists (
  select 1 from public.rewards r
  where r.org_id = c.org_id and r.campaign_id = c.id and r.type = 'points' and r.metadata ? 'validityDays');
