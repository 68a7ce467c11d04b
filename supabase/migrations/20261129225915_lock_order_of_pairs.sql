-- Why: pairs of functions that locked the same rows in opposite orders stopped each other (40P01), and an erasure missed what was written meanwhile.

set check_function_bodies = off;

DROP FUNCTION "private"."erase_customer_data"(uuid, uuid);

CREATE OR REPLACE FUNCTION private.begin_campaigns_change(p_org_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select pg_advisory_xact_lock(hashtextextended('campaigns of ' || p_org_id, 0)); $function$;

CREATE OR REPLACE FUNCTION private.check_campaign_may_run()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store_archived_at timestamptz;
begin
  if new.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  -- The lock makes this and the archiving of the store see each other. That of its row would meet whoever edits the store.
  perform pg_advisory_xact_lock_shared(hashtextextended('campaigns of store ' || new.store_id, 0));
  select s.archived_at into v_store_archived_at
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  if v_store_archived_at is not null then
    raise exception 'store_archived' using errcode = 'TV060';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.deactivate_campaigns()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Campaigns, then the store's advisory lock, as whoever switches one on: two orders would make deadlocks.
  perform private.lock_campaigns(new.org_id, new.id);
  perform pg_advisory_xact_lock(hashtextextended('campaigns of store ' || new.id, 0));
  update public.campaigns c set active = false where c.org_id = new.org_id and c.store_id = new.id and c.active;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.decide_codes(p_codes public.redemptions[], p_action text, p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_codes public.redemptions[];
  v_ids uuid[];
  v_org_id uuid;
begin
  v_codes := array(
    select d from unnest(p_codes) d
    where case p_action
      when 'hold' then d.verdict is null and private.code_state(d) = 'available'
      -- A code that expired without being held back is not cancelled: nothing would change for its winner or for the stock.
      when 'cancel' then d.status <> 'used' and d.verdict is distinct from 'cancelled'
        and (d.verdict is not null or private.code_state(d) <> 'expired')
      else d.verdict is not null end
    order by d.reward_id, d.id);
  if p_action <> 'hold' then
    -- After the codes, and in one order as well: a reward's stock changes once, however many codes it has here.
    perform 1 from public.rewards r
    where (r.org_id, r.id) in (select d.org_id, d.reward_id from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled')
    order by r.id for no key update;
  end if;
  if p_action = 'release' then
    -- Stock that was given back may have been won since: then the prize stays cancelled.
    v_codes := array(
      select o.code
      from (
        select d as code, d.verdict, d.org_id, d.reward_id, d.id,
          row_number() over (partition by d.reward_id, d.verdict order by d.id) as turn
        from unnest(v_codes) d
      ) o
      where o.verdict = 'held' or exists (
        select 1 from public.rewards r
        where r.org_id = o.org_id and r.id = o.reward_id and (r.stock < 0 or o.turn <= r.stock))
      order by o.reward_id, o.id);
  end if;
  if cardinality(v_codes) = 0 then
    return 0;
  end if;
  v_org_id := (v_codes[1]).org_id;
  v_ids := array(select d.id from unnest(v_codes) d order by d.reward_id, d.id);
  if p_action <> 'hold' then
    -- The campaigns of all rewards at once: each reward by itself would lock them in its own order.
    perform private.lock_sharing_campaigns(v_org_id, null, array(
      select distinct d.reward_id from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled'));
    update public.rewards r set stock = r.stock + n.given
    from (
      select d.org_id, d.reward_id, case p_action when 'cancel' then count(*) else -count(*) end::integer as given
      from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled' group by 1, 2
    ) n
    where r.org_id = n.org_id and r.id = n.reward_id and r.stock >= 0;
    perform private.drop_verdict_mails(v_org_id, v_ids);
  end if;
  if p_action = 'release' then
    -- Valid for as many days longer as it could not be used.
    update public.redemptions d set status = 'available', verdict = null, expires_at = e.expires_at
    from (
      select c.id, private.day_end((c.expires_at at time zone s.timezone)::date + (
        private.now_in(s.timezone)::date - (coalesce(v.decided_at, now()) at time zone s.timezone)::date), s.timezone) as expires_at
      from unnest(v_codes) c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      left join private.code_verdicts v on v.org_id = c.org_id and v.redemption_id = c.id
    ) e
    where d.org_id = v_org_id and d.id = e.id;
    perform private.notify_winners(v_org_id, array(
      select c.id from unnest(v_ids) with ordinality c (id, place)
      join private.code_verdicts v on v.org_id = v_org_id and v.redemption_id = c.id
      where v.is_notified order by c.place
    ), 'prize_released');
    delete from private.code_verdicts v using unnest(v_ids) c (id) where v.org_id = v_org_id and v.redemption_id = c.id;
  else
    update public.redemptions d
    set status = case p_action when 'cancel' then 'expired' else d.status end,
      verdict = case p_action when 'cancel' then 'cancelled' else 'held' end
    from unnest(v_ids) c (id) where d.org_id = v_org_id and d.id = c.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    select v_org_id, c.id, c.mail_id
    from unnest(v_ids, private.notify_winners(v_org_id, v_ids, case p_action when 'cancel' then 'prize_cancelled' else 'prize_held' end))
      c (id, mail_id)
    -- Held before: since then it cannot be used.
    on conflict (org_id, redemption_id) do update set mail_id = excluded.mail_id;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  select v_org_id, c.id, case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id
  from unnest(v_ids) with ordinality c (id, place) order by c.place;
  -- One message, however many they are: each open screen reads anew what it shows.
  perform realtime.send(jsonb_build_object('kind', 'code', 'campaign_id', (v_codes[1]).campaign_id),
    'change', 'organization:' || v_org_id || ':codes', true);
  return cardinality(v_codes);
end;
$function$;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till, and in the order of decide_check: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.reward_id, r.id for update;
  perform 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id order by s.id for update;
  perform 1 from public.customers c
  where c.org_id = p_org_id and c.id = p_id and (p_before is null or coalesce(c.last_activity_at, c.created_at) < p_before)
  for update;
  if not found then
    return false;
  end if;
  -- A colleague who writes a note, or they themselves who add words, end first: what they wrote goes as well.
  perform 1 from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.id for no key update;
  -- Messages after the reviews that they tell of, and before the answers that they carry, as whoever writes and sends them.
  perform private.forget_messages(p_org_id, p_id);
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- Words that the team wrote to them and about them name them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when private.review_state(r) = 'open' then 'closed' else r.handling end, customer_name = null, customer_email = null, customer_phone = null, review_text = null,
    locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
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
  v_spends := array(
    select s from public.points_spends s
    where private.is_over(s.status, s.expires_at)
    order by s.expires_at limit p_limit);
  -- Rewards before the codes that were bought with them, as whoever deletes one: two orders would make deadlocks.
  perform 1 from public.points_rewards r
  where (r.org_id, r.id) in (select s.org_id, s.points_reward_id from unnest(v_spends) s)
  order by r.id for key share;
  -- A code that a till is using right now is left to that till.
  v_spends := array(
    select s from unnest(v_spends) o
    join public.points_spends s on s.org_id = o.org_id and s.id = o.id
    where private.is_over(s.status, s.expires_at)
    order by s.expires_at for update of s skip locked);
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

CREATE OR REPLACE FUNCTION private.lock_campaigns(p_org_id uuid, p_store_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.begin_campaigns_change(p_org_id);
  select 1 from public.campaigns c
  where c.org_id = p_org_id and (p_store_id is null or c.store_id = p_store_id)
  order by c.id for no key update;
$function$;

CREATE OR REPLACE FUNCTION private.lock_sharing_campaigns(p_org_id uuid, p_campaign_id uuid, p_reward_ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- Rewards before campaigns, as whoever changes or removes one: two orders would make deadlocks.
  select 1 from public.rewards r where r.org_id = p_org_id and r.id = any (p_reward_ids) order by r.id for key share;
  select private.begin_campaigns_change(p_org_id);
  select 1 from public.campaigns c
  where c.org_id = p_org_id and (c.id = p_campaign_id or c.id in (
    select t.id from private.sharing_campaigns(p_org_id, p_reward_ids || array(
      select s.reward_id from public.wheel_segments s
      where s.org_id = p_org_id and s.campaign_id = p_campaign_id and s.reward_id is not null)) t (id)))
  order by c.id for no key update;
$function$;

CREATE OR REPLACE FUNCTION private.mark_campaign_rules(p_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- One alone may be held already by a foreign key, whose end whoever deletes it waits for.
  perform private.begin_campaigns_change(c.org_id)
  from public.campaigns c where c.id = any (p_ids) and not c.rules_stale group by c.org_id having count(*) > 1;
  perform 1 from public.campaigns c where c.id = any (p_ids) and not c.rules_stale order by c.id for no key update;
  update public.campaigns c set rules_stale = true where c.id = any (p_ids) and not c.rules_stale;
end;
$function$;

CREATE OR REPLACE FUNCTION private.mark_rules_of_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_campaigns(new.id);
  update public.campaigns c set rules_stale = true where c.org_id = new.id and not c.rules_stale;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.mark_rules_of_store()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_campaigns(new.org_id, new.id);
  update public.campaigns c set rules_stale = true
  where c.org_id = new.org_id and c.store_id = new.id and not c.rules_stale;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.move_campaign_dates()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_campaigns(new.org_id, new.id);
  update public.campaigns c
  set starts_at = private.same_clock_time(c.starts_at, old.timezone, new.timezone),
    ends_at = private.same_clock_time(c.ends_at, old.timezone, new.timezone)
  where c.org_id = new.org_id and c.store_id = new.id and coalesce(c.starts_at, c.ends_at) is not null;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.release_account(p_user_id uuid, p_is_own boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_role text;
begin
  -- As in create_organization: nobody enters a team with an account that goes.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || p_user_id, 0));
  select m.org_id into v_org_id from public.organization_members m where m.user_id = p_user_id;
  -- The team before its invitations, as whoever changes it: two orders would make deadlocks.
  perform private.lock_team(v_org_id);
  perform private.forget_messages_to(array[u.email, u.phone]) from auth.users u where u.id = p_user_id;
  perform private.forget_colleague(p_user_id);
  -- Invitations that wait stay: they belong to the organisation, and the address of this account may be unproven.
  delete from private.invitations i where i.accepted_by = p_user_id;
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = p_user_id for update;
  if not found then
    return;
  end if;
  if private.role_may(v_role, 'owners.manage') and private.needs_owner(v_org_id) then
    perform private.require_other_owner(v_org_id, p_user_id);
  end if;
  -- A person who deletes their own account asks to be forgotten: a name would stay there for 13 months.
  if p_is_own then
    perform private.audit_as(v_org_id, null, 'member.erased', 'member', null, jsonb_build_object('role', v_role));
  else
    perform private.audit_as(v_org_id, null, 'member.removed', 'member', p_user_id,
      jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  end if;
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
  perform private.withdraw_powerless_invitations(v_org_id, null);
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
  -- The reward before the code that was bought with it, as whoever deletes it: two orders would make deadlocks.
  perform 1 from public.points_rewards r
  where (r.org_id, r.id) = (
    select s.org_id, s.points_reward_id from public.points_spends s
    where s.org_id = any (array(select private.my_org_ids('codes.redeem'))) and s.id = p_id)
  for key share;
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
    used_at = null, used_by = null, used_key_id = null, used_store_id = null, used_request_id = null
  where s.org_id = v_spend.org_id and s.id = p_id;
  if v_spend.by_team then
    perform private.give_points_back(v_spend);
  end if;
  perform private.audit(v_spend.org_id, 'code.restored', 'redemption', p_id, jsonb_build_object('name', v_spend.reward_name));
  return true;
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
    -- Somebody may come back while this waits for the others.
    if private.erase_customer_data(v_customer.org_id, v_customer.id, v_before) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.apply_subscription(p_customer_id text, p_subscription_id text, p_plan text, p_billing text, p_state text, p_current_period_end timestamp with time zone, p_cancel_at_period_end boolean, p_past_due_since timestamp with time zone, p_ended_at timestamp with time zone, p_now timestamp with time zone DEFAULT now(), p_due_cents integer DEFAULT NULL::integer, p_cancel_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := public.lock_billing_customer(p_customer_id);
  v_due_until constant timestamptz := private.due_until(p_past_due_since, p_current_period_end);
  v_status text := p_state;
  v_closed_at timestamptz;
begin
  if v_org_id is null then
    return false;
  elsif p_subscription_id is null then
    -- The provider has no subscription at all: a trial goes on, what was paid for is over.
    update public.subscriptions s
    set status = 'canceled', closed_at = coalesce(s.closed_at, p_now), past_due_since = null, due_cents = null,
      cancel_at_period_end = false, cancel_at = null
    where s.org_id = v_org_id and s.stripe_subscription_id is not null and s.status <> 'canceled';
    return found;
  end if;
  if p_state = 'past_due' and v_due_until <= p_now then
    v_status := 'suspended';
    v_closed_at := v_due_until;
  elsif p_state = 'canceled' then
    v_closed_at := p_ended_at;
  end if;
  -- Before the plan is locked: whoever saves a campaign locks it first, then the plan.
  perform private.lock_campaigns(v_org_id);
  update public.subscriptions s
  set plan = p_plan, billing = p_billing, status = v_status, stripe_subscription_id = p_subscription_id,
    current_period_end = p_current_period_end, cancel_at_period_end = p_cancel_at_period_end,
    past_due_since = p_past_due_since, closed_at = v_closed_at, due_cents = p_due_cents,
    cancel_at = p_cancel_at
  where s.org_id = v_org_id
    and (s.plan, s.billing, s.status, s.stripe_subscription_id, s.current_period_end, s.cancel_at_period_end,
      s.past_due_since, s.closed_at, s.due_cents, s.cancel_at)
    is distinct from (p_plan, p_billing, v_status, p_subscription_id, p_current_period_end, p_cancel_at_period_end,
      p_past_due_since, v_closed_at, p_due_cents, p_cancel_at);
  if not found then
    return false;
  end if;
  if v_status in ('active', 'past_due') then
    perform private.deactivate_excess_campaigns(v_org_id);
  end if;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION public.archive_campaigns(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  perform private.begin_campaigns_change(p_org_id);
  -- In one order, whoever asks; it waits for no customer who is taking part (remove_campaign).
  perform 1 from public.campaigns c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for no key update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  update public.campaigns c set active = false, archived_at = now()
  where c.org_id = p_org_id and c.id = any (p_ids) and c.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.archive_rewards(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('rewards.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  -- In one order, whoever asks; it waits for no customer who is winning one (remove_reward).
  perform 1 from public.rewards r
  where r.org_id = p_org_id and r.id = any (p_ids)
  order by r.id for no key update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  -- The campaigns of all of them at once: each reward by itself would lock them in its own order.
  perform private.lock_sharing_campaigns(p_org_id, null, p_ids);
  update public.rewards r set archived_at = now()
  where r.org_id = p_org_id and r.id = any (p_ids) and r.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.decide_check(p_id uuid, p_action text, p_codes uuid[] DEFAULT NULL::uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_group private.check_groups;
  v_codes public.redemptions[];
  v_changed integer := 0;
  v_left integer := 0;
begin
  select g.* into v_group from private.check_groups g
  where g.id = p_id and g.org_id = any (array(
    select private.my_org_ids('rewards.write') intersect select private.my_org_ids('codes.read')))
  for no key update of g;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_action is null or p_action not in ('hold', 'cancel', 'release', 'clear', 'reopen') then
    raise exception 'action_unknown' using errcode = '22023';
  end if;

  if p_action <> 'reopen' then
    perform private.hold_counts(array(
      select private.verdict_key(private.winner_address(d)) from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
    ), interval '1 day');
    -- In one order, whoever else decides on another group of the same codes; a till that was faster has its prize.
    v_codes := array(
      select d from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
      order by d.reward_id, d.id for no key update of d);
    if p_action = 'clear' then
      v_codes := array(select d from unnest(v_codes) d where d.verdict = 'held' order by d.reward_id, d.id);
    end if;
    v_changed := private.decide_codes(v_codes, case p_action when 'clear' then 'release' else p_action end, v_user_id);
    v_left := (
      select count(*) from unnest(v_codes) d
      where case p_action when 'release' then d.verdict is not null else d.status = 'used' and p_action <> 'clear' end
    ) - case p_action when 'release' then v_changed else 0 end;
  end if;

  if p_action = 'clear' or (p_action = 'cancel' and p_codes is null) then
    update private.check_groups g
    set closed_at = coalesce(g.closed_at, now()), is_normal = p_action = 'clear',
      closed_by = left(private.user_name(v_user_id), 200)
    where g.org_id = v_group.org_id and g.id = p_id;
  elsif v_group.closed_at is not null and (p_action = 'reopen' or (p_action = 'release' and v_changed > 0)) then
    begin
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null
      where g.org_id = v_group.org_id and g.id = p_id;
    exception when unique_violation then
      -- Spins that came later have a group of their own, which the job may have made at this instant.
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null, group_key = split_part(g.group_key, ' ', 1) || ' ' || g.id
      where g.org_id = v_group.org_id and g.id = p_id;
    end;
  end if;
  if v_changed > 0 or p_action = 'clear' and v_group.closed_at is null
    or p_action = 'reopen' and v_group.closed_at is not null
  then
    perform private.audit(v_group.org_id, case p_action when 'hold' then 'check.held' when 'cancel' then 'check.cancelled'
      when 'release' then 'check.released' when 'clear' then 'check.cleared' else 'check.reopened' end, 'campaign', v_group.campaign_id, (
      select jsonb_build_object('name', c.name, 'count', v_changed) from public.campaigns c
      where c.org_id = v_group.org_id and c.id = v_group.campaign_id));
  end if;
  return jsonb_build_object('changed', v_changed, 'left', v_left);
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
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.delete')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun, and none begins anything afterwards.
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  -- The lock waits for all who take part right now: in a campaign that has customers it might never come.
  if not private.has_campaign_history(v_org_id, p_id) then
    -- Rewards before campaigns, as whoever changes, wins or draws one: two orders would make deadlocks.
    perform 1 from public.rewards r
    where r.org_id = v_org_id and r.campaign_id = p_id and not private.is_shared(r) order by r.id for update;
    perform 1 from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id order by r.id for no key update;
    perform private.lock_sharing_campaigns(v_org_id, p_id, array(
      select r.id from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id));
    perform 1 from public.campaigns c where c.id = p_id for update;
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  -- Shared rewards move to another campaign that uses them.
  update public.rewards r set campaign_id = (
    select min(s.campaign_id::text)::uuid from public.wheel_segments s where s.org_id = v_org_id and s.reward_id = r.id)
  where r.org_id = v_org_id and r.campaign_id = p_id and private.is_shared(r);
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
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
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- The rules of the game say how presence is shown, and two who save take turns.
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

  -- The reward before people and codes, as whoever deletes it: two orders would make deadlocks.
  perform 1 from public.points_rewards r where r.org_id = v_campaign.org_id and r.id = p_points_reward_id for key share;
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
  -- The reward first, as in spend_points; two spends of one person take turns.
  perform 1 from public.points_rewards r where r.org_id = v_customer.org_id and r.id = p_points_reward_id for key share;
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
    if not found then
      outcome := 'review_not_found';
      return;
    end if;
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
    -- Not the plan's row: whoever switches a campaign on waits for that, and this waits for a reward that somebody changes.
    perform pg_advisory_xact_lock(hashtextextended('spins of ' || v_campaign.org_id, 0));
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
    if v_reward.stock = -1 then
      -- A reward that was never won may be deleted at this instant.
      perform 1 from public.rewards r where r.org_id = v_campaign.org_id and r.id = v_reward.id for key share;
      exit when found;
    end if;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is null then
    -- A campaign in which nobody ever took part may be deleted at this instant; a reward that it shared stays.
    perform 1 from public.campaigns c where c.id = p_campaign_id for key share;
    if not found then
      outcome := 'campaign_not_found';
      update public.rewards r set stock = r.stock + 1
      where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock >= 0 and v_reward.stock > 0;
    end if;
  end if;
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

COMMENT ON FUNCTION "private"."begin_campaigns_change"(uuid) IS 'Makes those who change several campaigns of an organisation in one transaction take turns: which ones these are may change while one waits, and no order of their rows would hold. Call it before any of these rows is locked, and after rewards and stores.';

COMMENT ON FUNCTION "private"."erase_customer_data"(uuid, uuid, timestamp with time zone) IS 'Erases a customer: their row, note, points and messages, with what was written to them or about their reviews. Their visits, spins and codes stay without name, contact and text, so that the figures do not change. False when the customer was erased already, or was in contact since p_before. Checks no permission: for erase_customer and the job.';

COMMENT ON FUNCTION "private"."lock_campaigns"(uuid, uuid) IS 'Locks all campaigns of an organisation, or of one of its stores, in one order: several of them are about to change.';

COMMENT ON FUNCTION "private"."lock_sharing_campaigns"(uuid, uuid, uuid[]) IS 'Locks a campaign (or none) and all that share a reward with its wheel, or would with these rewards on it, in one order: its wheel or these rewards are about to change. Until the transaction ends the rewards stay.';

REVOKE ALL ON FUNCTION "private"."begin_campaigns_change"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erase_customer_data"(uuid, uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_campaigns"(uuid, uuid) FROM PUBLIC;
