-- Why: what a bad rating is, whether the time of a code, of points or of an invitation is over, and which reviews are unread: each was written out in two to ten places.

set check_function_bodies = off;

DROP TRIGGER "alert_low_rating" ON "public"."pre_spin_reviews";

DROP TRIGGER "alert_words" ON "public"."pre_spin_reviews";

DROP TRIGGER "push_low_rating" ON "public"."pre_spin_reviews";

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
  -- A deletion of the reward at this instant goes first or waits.
  select * into v_reward from public.points_rewards r
  where r.org_id = p_org_id and r.id = p_points_reward_id and r.active
  for key share;
  if not found or not exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u)) then
    outcome := 'points_reward_gone';
    return;
  elsif v_reward.cost <> p_cost then
    outcome := 'points_cost_changed';
    return;
  end if;
  select coalesce(sum(l.remaining), 0), (array_agg(l.customer_id order by l.id desc))[1] into v_balance, v_customer_id
  from public.points_ledger l
  where l.org_id = p_org_id and l.id = any (p_lots) and private.is_spendable(l);
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

CREATE OR REPLACE FUNCTION private.check_redemption_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (old.status = 'available' and new.status = 'used')
    or (new.status = 'expired' and private.is_over(old.status, old.expires_at))
    or (old.status = 'used' and new.status = 'available' and private.may_restore(old.used_at))
    or (old.status = 'available' and new.status = 'expired' and new.verdict = 'cancelled')
    or (old.status = 'expired' and new.status = 'available' and old.verdict is not null and new.verdict is null)
  then
    return new;
  end if;
  raise exception 'redemption_transition_refused' using errcode = '23514',
    constraint = 'redemptions_status_transition', detail = old.status || ' -> ' || new.status;
end;
$function$;

CREATE OR REPLACE FUNCTION private.code_at(p_org_id uuid, p_store_id uuid, p_code text)
 RETURNS TABLE(state text, redemption public.redemptions)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_key text := upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g'));
  v_redemption public.redemptions;
begin
  select * into v_redemption from public.redemptions r where r.org_id = p_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      -- An archived store has no till: its codes are valid at any other.
      when v_redemption.store_id <> p_store_id and exists (
        select 1 from public.stores s
        where s.org_id = p_org_id and s.id = v_redemption.store_id and s.archived_at is null
      ) then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.verdict is not null then v_redemption.verdict
      else private.code_state(v_redemption)
    end,
    v_redemption;
end;
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
    -- Over, but not yet seen by the job that comes every minute: few. Asked in the order of the index in which they stand first:
    -- a plan made for any reward might else read all of its codes.
    (select count(*) as codes from (
       select r.spin_id from public.redemptions r
       where private.is_over(r.status, r.expires_at) and r.org_id = p_org_id and r.reward_id = p_reward_id
       order by r.expires_at, r.id offset 0
     ) r where r.spin_id is not null) o,
    (select count(*) as codes, count(*) filter (where r.status = 'used') as used,
       count(*) filter (where private.code_state(r) = 'expired') as expired
     from public.redemptions r where r.org_id = p_org_id and r.reward_id = p_reward_id and r.spin_id is null) g;
$function$;

CREATE OR REPLACE FUNCTION private.code_page(p_org_id uuid, p_reward_id uuid, p_status text, p_pattern text, p_prefix text, p_skip integer, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_last constant integer := p_skip + p_limit;
begin
  -- Each state is found by an index in which the newest stand first; what is over stands in two of its ranges.
  return array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_pattern, p_prefix)
         and case when p_status = 'expired' then r.status = 'expired' and r.verdict is null
           else private.is_in_code_list(r, p_status) end
       order by r.created_at desc, r.id desc limit v_last)
      union all
      -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
      (select r.id, r.created_at from public.redemptions r
       where p_status = 'expired' and private.is_over(r.status, r.expires_at) and r.verdict is null
         and r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_pattern, p_prefix)
       order by r.created_at desc, r.id desc limit v_last)
    ) found
    order by found.created_at desc, found.id desc
    limit p_limit offset p_skip
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.decide_code(p_code public.redemptions, p_action text, p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_timezone text;
  v_decided_at timestamptz;
  v_is_notified boolean;
  v_expires_at timestamptz := p_code.expires_at;
  v_released public.redemptions;
begin
  select v.decided_at into v_decided_at from private.code_verdicts v
  where v.org_id = p_code.org_id and v.redemption_id = p_code.id;
  if p_action = 'hold' then
    if private.code_state(p_code) <> 'available' or p_code.verdict is not null then
      return false;
    end if;
    update public.redemptions d set verdict = 'held' where d.org_id = p_code.org_id and d.id = p_code.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_held'));
  elsif p_action = 'cancel' then
    -- Over by time, and never held back: its winner has lost nothing by a cancellation, and the stock stays as it is.
    if p_code.status = 'used' or p_code.verdict = 'cancelled'
      or (p_code.verdict is null and private.code_state(p_code) = 'expired')
    then
      return false;
    end if;
    v_is_notified := not private.drop_verdict_mail(p_code);
    update public.redemptions d set status = 'expired', verdict = 'cancelled'
    where d.org_id = p_code.org_id and d.id = p_code.id;
    update public.rewards r set stock = r.stock + 1
    where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.stock >= 0;
    insert into private.code_verdicts (org_id, redemption_id, mail_id, decided_at, is_notified)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_cancelled'), coalesce(v_decided_at, now()),
      v_is_notified);
  else
    if p_code.verdict is null then
      return false;
    end if;
    if p_code.verdict = 'cancelled' then
      -- Stock that was given back may have been won since: then the prize stays cancelled.
      update public.rewards r set stock = case when r.stock > 0 then r.stock - 1 else r.stock end
      where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.stock <> 0;
      if not found then
        return false;
      end if;
    end if;
    select s.timezone into v_timezone from public.stores s where s.org_id = p_code.org_id and s.id = p_code.store_id;
    -- Valid for as many days longer as it could not be used.
    if v_expires_at is not null then
      v_expires_at := private.day_end((v_expires_at at time zone v_timezone)::date + (
        private.now_in(v_timezone)::date - (coalesce(v_decided_at, now()) at time zone v_timezone)::date), v_timezone);
    end if;
    update public.redemptions d set status = 'available', verdict = null, expires_at = v_expires_at
    where d.org_id = p_code.org_id and d.id = p_code.id
    returning d.* into v_released;
    if not private.drop_verdict_mail(p_code) then
      perform private.notify_winner(v_released, 'prize_released');
    end if;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  values (p_code.org_id, p_code.id,
    case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id);
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till, and in the order of decide_check: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.reward_id, r.id for update;
  perform 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id order by s.id for update;
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_id for update;
  -- Messages before the answers that they carry, as whoever sends them.
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

CREATE OR REPLACE FUNCTION private.expire_codes(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  update public.redemptions r set status = 'expired'
  from (
    -- A code that a till is using right now is left to that till.
    select due.org_id, due.id from public.redemptions due
    where private.is_over(due.status, due.expires_at)
    order by due.expires_at limit p_limit for update skip locked
  ) over
  where r.org_id = over.org_id and r.id = over.id;
  get diagnostics v_count = row_count;
  return v_count;
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
    where private.is_over(s.status, s.expires_at)
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

CREATE OR REPLACE FUNCTION private.is_bad_rating(p_rating smallint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_rating <= 3);

CREATE OR REPLACE FUNCTION private.is_in_force(p_status text, p_expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((p_status = 'available'::text) AND ((p_expires_at IS NULL) OR (p_expires_at > now())));

CREATE OR REPLACE FUNCTION private.is_in_inbox(r public.pre_spin_reviews, p_filters jsonb, p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((((p_filters ->> 'state'::text) IS NULL) OR (((p_filters ->> 'state'::text) = 'open'::text) AND (((r).handling = 'open'::text) OR (((r).handling IS NULL) AND private.is_bad_rating((r).rating)))) OR (((p_filters ->> 'state'::text) <> 'open'::text) AND ((r).handling IS NOT NULL) AND ((r).handling = (p_filters ->> 'state'::text)))) AND (((p_filters ->> 'rating'::text) IS NULL) OR ((r).rating = ((p_filters ->> 'rating'::text))::smallint)) AND (((p_filters ->> 'store_id'::text) IS NULL) OR ((r).store_id = ((p_filters ->> 'store_id'::text))::uuid)) AND (((p_filters ->> 'campaign_id'::text) IS NULL) OR ((r).campaign_id = ((p_filters ->> 'campaign_id'::text))::uuid)) AND (((p_filters ->> 'locale'::text) IS NULL) OR ((r).locale = (p_filters ->> 'locale'::text))) AND (((p_filters ->> 'with_text'::text) IS NULL) OR ((r).review_text IS NOT NULL)) AND (((p_filters ->> 'mine'::text) IS NULL) OR (((r).assigned_to IS NOT NULL) AND ((r).assigned_to = p_user_id))));

CREATE OR REPLACE FUNCTION private.is_over(p_status text, p_expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((p_status = 'available'::text) AND (p_expires_at <= now()));

CREATE OR REPLACE FUNCTION private.code_state(p_code public.redemptions)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN CASE WHEN private.is_over((p_code).status, (p_code).expires_at) THEN 'expired'::text ELSE (p_code).status END;

CREATE OR REPLACE FUNCTION private.is_in_code_list(r public.redemptions, p_status text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (p_status IS NULL) THEN true WHEN (p_status = ANY (ARRAY['held'::text, 'cancelled'::text])) THEN (((r).verdict IS NOT NULL) AND ((r).verdict = p_status)) WHEN (p_status = 'available'::text) THEN (private.is_in_force((r).status, (r).expires_at) AND ((r).verdict IS NULL)) WHEN (p_status = 'expired'::text) THEN (((r).verdict IS NULL) AND (((r).status = 'expired'::text) OR private.is_over((r).status, (r).expires_at))) ELSE ((r).status = p_status) END;

CREATE OR REPLACE FUNCTION private.is_spendable(l public.points_ledger)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (((l).remaining > 0) AND (((l).expires_at IS NULL) OR ((l).expires_at > now())));

CREATE OR REPLACE FUNCTION private.is_unread(r public.pre_spin_reviews)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (private.is_bad_rating((r).rating) AND ((r).seen_at IS NULL) AND ((r).created_at > (now() - '30 days'::interval)));

CREATE OR REPLACE FUNCTION private.is_waiting(i private.invitations)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (((i).accepted_at IS NULL) AND ((i).withdrawn_at IS NULL) AND ((i).expires_at > now()));

CREATE OR REPLACE FUNCTION private.points_balance(p_org_id uuid, p_customer_id uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(sum(l.remaining), 0)
  from public.points_ledger l
  where l.org_id = p_org_id and l.customer_id = p_customer_id and private.is_spendable(l);
$function$;

CREATE OR REPLACE FUNCTION private.points_code_state(p_spend public.points_spends)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when private.is_over(p_spend.status, p_spend.expires_at) then 'expired' else p_spend.status end;
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
  where l.org_id = v_org_id and l.id = any (v_lots) and private.is_spendable(l) and l.expires_at is not null
  group by l.expires_at order by l.expires_at limit 1;
  return jsonb_build_object(
    'balance', (
      select coalesce(sum(l.remaining), 0) from public.points_ledger l
      where l.org_id = v_org_id and l.id = any (v_lots) and private.is_spendable(l)),
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

CREATE OR REPLACE FUNCTION private.review_next(p_rating integer, p_review_mode text, p_google_review_url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN CASE WHEN private.is_bad_rating((p_rating)::smallint) THEN 'feedback'::text WHEN ((p_rating = 4) AND (p_google_review_url IS NOT NULL) AND (p_review_mode = 'gating'::text)) THEN 'google'::text ELSE 'ready'::text END;

CREATE OR REPLACE FUNCTION private.review_state(r public.pre_spin_reviews)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((r).handling, CASE WHEN private.is_bad_rating((r).rating) THEN 'open'::text ELSE NULL::text END);

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
    where o.org_id = p_spend.org_id and o.id = any (p_lots) and private.is_spendable(o)
  ) l
  where l.before < p_spend.points;
$function$;

CREATE OR REPLACE FUNCTION private.team_roles(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Each is asked once for all roles.
  with powers as materialized (
    select p.role from private.roles_in_power(p_org_id) p (role)
  ), plan as materialized (
    select private.has_feature(p_org_id, 'custom_roles') as has_own_roles
  ), members as materialized (
    select m.role, count(*) as members from public.organization_members m where m.org_id = p_org_id group by m.role
  ), invited as materialized (
    select i.role, count(*) as invitations from private.invitations i
    where i.org_id = p_org_id and private.is_waiting(i) group by i.role
  )
  select jsonb_agg(jsonb_build_object(
    'role', r.role, 'name', r.name, 'description', r.description,
    'permissions', (select coalesce(jsonb_agg(p.permission order by p.permission), '[]'::jsonb)
      from public.role_permissions p where p.role = r.role),
    'members', coalesce(m.members, 0), 'invitations', coalesce(i.invitations, 0),
    'has_power', r.role in (select p.role from powers p),
    -- As private.may_give.
    'may_give', r.role in (select p.role from powers p) and (plan.has_own_roles or r.org_id is null))
    order by array_position('{owner,admin,member,cashier}', r.role), lower(r.name))
  from public.roles r
  cross join plan
  left join members m on m.role = r.role
  left join invited i on i.role = r.role
  where r.org_id is null or r.org_id = p_org_id;
$function$;

CREATE OR REPLACE FUNCTION private.unread_reviews(p_org_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer from (
    select 1 from public.pre_spin_reviews r
    where r.org_id = p_org_id and private.is_unread(r)
    order by r.created_at desc limit 100
  ) unread;
$function$;

CREATE OR REPLACE FUNCTION private.unseen_reviews(p_org_id uuid, p_is_named boolean, p_sees_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and private.is_unread(r)
    order by r.created_at desc, r.id desc limit 100
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', case when p_is_named and p_sees_codes then r.id else private.alias_of(r.id) end,
        'at', r.created_at, 'rating', r.rating, 'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when p_is_named then r.customer_id end,
        'name', case when p_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'text', case when p_is_named then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id), '[]'::jsonb));
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
  set status = 'used', used_at = now(), used_by = p_user_id, used_key_id = p_key_id, used_store_id = p_store_id,
    used_request_id = p_request_id
  where s.org_id = v_spend.org_id and s.id = v_spend.id and private.is_in_force(s.status, s.expires_at);
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
        and (v_spend.used_by = p_user_id or v_spend.used_key_id = p_key_id) then 'redeemed'
      else private.points_code_state(v_spend) end;
  end if;
  body := private.describe_points_code(outcome, v_spend, p_store_id);
end;
$function$;

CREATE OR REPLACE FUNCTION private.users_used(p_org_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select ((select count(*) from public.organization_members m where m.org_id = p_org_id)
    + (select count(*) from private.invitations i
       where i.org_id = p_org_id and private.is_waiting(i)))::integer;
$function$;

CREATE OR REPLACE FUNCTION public.customer_detail(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a customer or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('customers.read'));
  v_customer public.customers;
begin
  select * into v_customer from public.customers c where c.org_id = any (v_org_ids) and c.id = p_id;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'id', v_customer.id, 'version', v_customer.version, 'name', v_customer.name,
    'first_name', v_customer.first_name, 'last_name', v_customer.last_name, 'email', v_customer.email,
    'phone', v_customer.phone, 'locale', v_customer.locale, 'note', v_customer.note,
    'created_at', v_customer.created_at, 'last_activity_at', v_customer.last_activity_at,
    'consent', case when v_customer.consent_marketing then jsonb_build_object('at', v_customer.consent_at,
      'by', v_customer.consent_by, 'version', v_customer.consent_version, 'organizer', v_customer.consent_organizer, 'locale', v_customer.consent_locale) end,
    'consent_withdrawn', case when v_customer.consent_withdrawn_at is not null then jsonb_build_object(
      'at', v_customer.consent_withdrawn_at, 'by', v_customer.consent_withdrawn_by) end,
    'review_count', v_customer.review_count, 'rating_sum', v_customer.rating_sum,
    'spin_count', v_customer.spin_count,
    'win_count', private.customer_wins(v_customer.org_id, p_id),
    'redemption_count', v_customer.redemption_count,
    'open_codes', (select count(*) from public.redemptions r
      where r.org_id = v_customer.org_id and r.customer_id = p_id
        and private.is_in_force(r.status, r.expires_at)),
    'points', private.points_balance(v_customer.org_id, p_id),
    'reviews', private.customer_reviews(v_customer.org_id, p_id),
    'spins', private.customer_spins(v_customer.org_id, p_id),
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))),
    'spends', private.customer_spends(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))));
end;
$function$;

CREATE OR REPLACE FUNCTION public.delete_role(p_role text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_name text;
begin
  if p_role is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_org_id := private.begin_role_change(p_role);
  -- Invitations that are over do not keep a role; open ones do.
  delete from private.invitations i
  where i.role_org_key = v_org_id and i.role = p_role and not private.is_waiting(i);
  if exists (select 1 from public.organization_members m where m.role_org_key = v_org_id and m.role = p_role)
    or exists (select 1 from private.invitations i where i.role_org_key = v_org_id and i.role = p_role)
  then
    raise exception 'role_in_use' using errcode = 'TV113';
  end if;
  delete from public.roles r where r.org_id = v_org_id and r.role = p_role returning r.name into v_name;
  perform private.audit(v_org_id, 'role.deleted', 'role', p_role::uuid, jsonb_build_object('name', v_name));
end;
$function$;

CREATE OR REPLACE FUNCTION public.points_catalogue(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_balances bigint[];
  v_holders bigint[];
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Many customers have the same balance: each is divided once.
  select array_agg(h.balance), array_agg(h.holders) into v_balances, v_holders
  from (
    select c.balance, count(*) as holders
    from (
      select sum(l.remaining) as balance from public.points_ledger l
      where l.org_id = p_org_id and private.is_spendable(l)
      group by l.customer_id
    ) c
    group by c.balance
  ) h;
  return jsonb_build_object(
    'owed', jsonb_build_object(
      'points', (select coalesce(sum(b * n), 0) from unnest(v_balances, v_holders) h (b, n)),
      'customers', (select coalesce(sum(n), 0) from unnest(v_holders) n),
      'codes', (select count(*) from public.points_spends s
        where s.org_id = p_org_id and private.is_in_force(s.status, s.expires_at))),
    'earns', exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.type = 'points' and r.active and r.archived_at is null),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'version', r.version, 'name', r.name, 'translations', r.translations, 'cost', r.cost, 'stock', r.stock, 'active', r.active,
        -- Balances of several customers are not added up: each spends their own.
        'affordable', (select coalesce(sum(b / r.cost * n), 0) from unnest(v_balances, v_holders) h (b, n)),
        'spends', (select count(*) from public.points_spends s
          where s.org_id = p_org_id and s.points_reward_id = r.id and s.status <> 'expired'))
        order by r.cost, r.name, r.id)
      from public.points_rewards r where r.org_id = p_org_id), '[]'::jsonb));
end;
$function$;

CREATE TRIGGER alert_low_rating AFTER INSERT ON public.pre_spin_reviews FOR EACH ROW WHEN (private.is_bad_rating(new.rating)) EXECUTE FUNCTION private.alert_low_rating();

CREATE TRIGGER alert_words AFTER UPDATE OF review_text ON public.pre_spin_reviews FOR EACH ROW WHEN (((old.review_text IS NULL) AND (new.review_text IS NOT NULL) AND private.is_bad_rating(new.rating))) EXECUTE FUNCTION private.alert_words();

CREATE TRIGGER push_low_rating AFTER INSERT ON public.pre_spin_reviews FOR EACH ROW WHEN (private.is_bad_rating(new.rating)) EXECUTE FUNCTION private.push_low_rating();

COMMENT ON FUNCTION "private"."is_bad_rating"(smallint) IS 'Whether a visit went badly and is dealt with: 3 stars or fewer (BAD_RATING of _shared/domain). The partial indexes of reviews repeat the number. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."is_in_force"(text, timestamp with time zone) IS 'Whether a code, won or bought with points, is neither used nor over at this instant, whatever a check says of it. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."is_over"(text, timestamp with time zone) IS 'Whether the time of a code, won or bought with points, is over although the job of the minute has not closed it yet. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."is_spendable"(public.points_ledger) IS 'Whether an entry has points that can be spent at this instant: the job that lets points expire comes a little later. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."is_unread"(public.pre_spin_reviews) IS 'Whether a review is a bad one of the last 30 days that nobody marked as seen, answered or closed. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."is_waiting"(private.invitations) IS 'Whether an invitation is neither accepted, withdrawn nor expired: it holds a seat and a role. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."points_balance"(uuid, uuid) IS 'Points that a customer can spend at this instant.';

REVOKE ALL ON FUNCTION "private"."is_bad_rating"(smallint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_bad_rating"(smallint) TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_in_force"(text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_over"(text, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_over"(text, timestamp with time zone) TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_spendable"(public.points_ledger) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_unread"(public.pre_spin_reviews) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_waiting"(private.invitations) FROM PUBLIC;
