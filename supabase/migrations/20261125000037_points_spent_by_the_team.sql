-- Why: staff hands out what a customer has points for when the phone that won them is not there, and the customer page shows what points were spent on.

set check_function_bodies = off;

DROP INDEX "public"."points_spends_customer_idx";

ALTER TABLE "public"."points_spends" ADD COLUMN "by_team" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.buy_with_points(p_org_id uuid, p_lots uuid[], p_points_reward_id uuid, p_cost integer, p_request_id uuid, p_timezone text, OUT outcome text, OUT spend public.points_spends)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_balance bigint;
  v_customer_id uuid;
  v_reward public.points_rewards;
  v_code text;
begin
  select * into v_reward from public.points_rewards r
  where r.org_id = p_org_id and r.id = p_points_reward_id and r.active;
  if not found or not exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u)) then
    outcome := 'points_reward_gone';
    return;
  elsif v_reward.cost <> p_cost then
    outcome := 'points_cost_changed';
    return;
  end if;
  select coalesce(sum(l.remaining), 0), (array_agg(l.customer_id order by l.id desc))[1] into v_balance, v_customer_id
  from public.points_ledger l
  where l.org_id = p_org_id and l.id = any (p_lots) and l.remaining > 0
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
      where d.org_id = p_org_id and d.code_key = upper(regexp_replace(v_code, '[^A-Za-z0-9]', '', 'g')));
    insert into public.points_spends (
      org_id, customer_id, points_reward_id, reward_name, points, request_id, code, expires_at
    ) values (
      p_org_id, v_customer_id, v_reward.id, v_reward.name, v_reward.cost, p_request_id, v_code,
      private.day_end(private.now_in(p_timezone)::date + 30, p_timezone)
    )
    on conflict (org_id, code_key) do nothing
    returning * into spend;
    exit when spend.id is not null;
  end loop;
  perform private.take_points(spend, p_lots);
  update public.customers c set last_activity_at = now() where c.org_id = p_org_id and c.id = v_customer_id;
  outcome := 'spent';
end;
$function$;

CREATE OR REPLACE FUNCTION private.customer_spends(p_org_id uuid, p_customer_id uuid, p_has_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.created_at, 'reward', s.reward_name, 'points', s.points,
    'status', private.points_code_state(s), 'used_at', s.used_at, 'code', case when p_has_codes then s.code end)
    order by s.id desc), '[]'::jsonb)
  from (
    select * from public.points_spends v
    where v.org_id = p_org_id and v.customer_id = p_customer_id
    order by v.id desc limit 20
  ) s;
$function$;

CREATE OR REPLACE FUNCTION private.my_points_customer(p_customer_id uuid)
 RETURNS public.customers
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.* from public.customers c
  where c.id = p_customer_id
    and c.org_id = any (array(
      select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.redeem')));
$function$;

CREATE OR REPLACE FUNCTION private.points_offer(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'cost', r.cost, 'sold_out', r.stock = 0)
    order by r.cost, r.name, r.id), '[]'::jsonb)
  from (
    select * from public.points_rewards w
    where w.org_id = p_org_id and w.active and exists (
      select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u))
    order by w.cost, w.id limit 50
  ) r;
$function$;

CREATE OR REPLACE FUNCTION private.points_wallet(p_campaign_id uuid, p_proofs jsonb)
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
    'rewards', private.points_offer(v_org_id),
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
  set status = case when s.by_team then 'expired' else 'available' end,
    used_at = null, used_by = null, used_store_id = null, used_request_id = null
  where s.org_id = v_spend.org_id and s.id = p_id;
  if v_spend.by_team then
    perform private.give_points_back(v_spend);
  end if;
  perform private.audit(v_spend.org_id, 'code.restored', 'redemption', p_id, jsonb_build_object('name', v_spend.reward_name));
  return true;
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
      v_customer.org_id in (select private.my_org_ids('codes.read'))),
    'spends', private.customer_spends(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))));
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
    'balance', private.points_balance(v_customer.org_id, p_customer_id), 'rewards', private.points_offer(v_customer.org_id));
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
  body := case when outcome = 'spent' then private.points_wallet(p_campaign_id, p_proofs) end;
exception
  -- The same request for somebody else at the same instant.
  when unique_violation then
    outcome := 'points_request_reused';
    body := null;
end;
$function$;

CREATE OR REPLACE FUNCTION public.spend_points_for(p_customer_id uuid, p_points_reward_id uuid, p_cost integer, p_store_id uuid, p_request_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_customer constant public.customers := private.my_points_customer(p_customer_id);
  v_user_id constant uuid := private.my_user_id();
  v_timezone text;
  v_lots uuid[];
  v_spend public.points_spends;
  v_outcome text;
begin
  select s.timezone into v_timezone
  from public.stores s
  join public.organization_members m on m.org_id = s.org_id and m.user_id = v_user_id
  where s.org_id = v_customer.org_id and s.id = coalesce(private.bound_store(m.role, m.store_id), p_store_id)
    and s.id = p_store_id and s.archived_at is null;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_open_plan(v_customer.org_id);
  -- Two spends of one person take turns.
  perform 1 from public.customers c where c.org_id = v_customer.org_id and c.id = p_customer_id for no key update;
  select * into v_spend from public.points_spends s
  where s.org_id = v_customer.org_id and s.request_id = p_request_id;
  if found then
    v_outcome := case
      when v_spend.by_team and v_spend.customer_id is not distinct from p_customer_id
        and v_spend.points_reward_id is not distinct from p_points_reward_id and v_spend.used_store_id = p_store_id
      then 'spent' else 'points_request_reused' end;
  else
    v_lots := array(
      select l.id from public.points_ledger l
      where l.org_id = v_customer.org_id and l.customer_id = p_customer_id and l.remaining > 0);
    select b.outcome, (b.spend).id into v_outcome, v_spend.id
    from private.buy_with_points(v_customer.org_id, v_lots, p_points_reward_id, p_cost, p_request_id, v_timezone) b;
    if v_outcome = 'spent' then
      update public.points_spends s
      set status = 'used', used_at = now(), used_by = v_user_id, used_store_id = p_store_id,
        used_request_id = p_request_id, by_team = true
      where s.org_id = v_customer.org_id and s.id = v_spend.id
      returning * into v_spend;
      perform private.audit(v_customer.org_id, 'points.spent', 'customer', p_customer_id,
        jsonb_build_object('name', v_spend.reward_name, 'points', v_spend.points));
    end if;
  end if;
  return jsonb_build_object(
    'outcome', v_outcome,
    'balance', private.points_balance(v_customer.org_id, p_customer_id),
    'spend_id', case when v_outcome = 'spent' then v_spend.id end,
    'reward', case when v_outcome = 'spent' then v_spend.reward_name end);
exception
  -- The same request for somebody else at the same instant.
  when unique_violation then
    return jsonb_build_object('outcome', 'points_request_reused',
      'balance', private.points_balance(v_customer.org_id, p_customer_id), 'spend_id', null, 'reward', null);
end;
$function$;

CREATE INDEX points_spends_customer_idx ON public.points_spends USING btree (org_id, customer_id, id);

COMMENT ON COLUMN "public"."points_spends"."by_team" IS 'Whether staff spent them for a customer who was there: used at once, and taken back as a whole.';

COMMENT ON COLUMN "public"."points_spends"."status" IS 'available, used (by staff) or expired (by time, or taken back: the points went back).';

COMMENT ON FUNCTION "private"."buy_with_points"(uuid, uuid[], uuid, integer, uuid, text) IS 'Spends what given entries of the ledger hold on a reward of the catalogue, with its code, for a request that is new and people whose rows are locked. Outcomes: spent, points_reward_gone (inactive, deleted, another merchant''s, or the organisation is closed), points_cost_changed, points_missing, points_sold_out; refusals change nothing.';

COMMENT ON FUNCTION "private"."customer_spends"(uuid, uuid, boolean) IS 'The last 20 times that a customer spent points, newest first, with their codes where asked.';

COMMENT ON FUNCTION "private"."my_points_customer"(uuid) IS 'The customer, for whoever may hand out rewards for their points: a member with customers.read and codes.redeem; null otherwise.';

COMMENT ON FUNCTION "private"."points_offer"(uuid) IS 'The 50 cheapest rewards of a catalogue that can be had, cheapest first; none while the organisation is closed.';

COMMENT ON FUNCTION "private"."restore_points_code"(uuid) IS 'Makes a code that points were spent for good again, with the rules and errors of restore_code; where staff spent them, the points go back instead. False when the identifier is none of the signed-in user''s organisation.';

COMMENT ON FUNCTION "public"."points_choices"(uuid) IS 'What a customer can spend, and on what, for the team; the shape is pointsChoices of _shared/domain. Error 42501 without the permissions customers.read and codes.redeem, and for no such customer.';

COMMENT ON FUNCTION "public"."spend_points"(uuid, jsonb, uuid, integer, uuid, text) IS 'Spends points that a phone can prove (private.proven_points) on a reward of the catalogue, at the cost that the phone showed: exactly once a request, in one transaction with the stock and the code. body is private.points_wallet. Outcomes: spent (repeated as well), campaign_not_found, those of private.buy_with_points, points_request_reused (the request was somebody else''s, or for something else), too_many_attempts (retry_at). Refusals change nothing but the count of attempts.';

COMMENT ON FUNCTION "public"."spend_points_for"(uuid, uuid, integer, uuid, uuid) IS 'Spends the points of a customer who is at a store on a reward that is handed over at once: exactly once a request, whatever phone won them; restore_code takes it back as a whole for ten minutes. Outcomes: spent (repeated as well), those of private.buy_with_points, points_request_reused; the shape is pointsSpent of _shared/domain. Error 42501 without the permissions customers.read and codes.redeem, for no such customer, and for a store that is not a till of theirs; errors of private.require_open_plan.';

REVOKE ALL ON FUNCTION "private"."buy_with_points"(uuid, uuid[], uuid, integer, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."customer_spends"(uuid, uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_points_customer"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."points_offer"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."points_choices"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."points_choices"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."spend_points_for"(uuid, uuid, integer, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."spend_points_for"(uuid, uuid, integer, uuid, uuid) TO "authenticated";
