-- Why: a job of a hosted project commits alone, a customer takes their messages along, limits of presence hold in parallel, a key that used a code stays known.

set check_function_bodies = off;

ALTER TABLE "public"."points_spends" DROP CONSTRAINT "points_spends_user_check";

DROP FUNCTION "private"."enqueue_message"(text, text, text, jsonb, timestamp with time zone, timestamp with time zone);

DROP FUNCTION "private"."run_due_jobs"(timestamp with time zone);

ALTER TABLE "private"."outbox" ADD COLUMN "customer" text;

ALTER TABLE "public"."points_spends" ADD COLUMN "used_key_id" uuid;

CREATE OR REPLACE FUNCTION private.alert_low_rating()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store text;
  v_reader record;
begin
  -- Nearly always nobody asked: one look into an index.
  if not exists (
    select 1 from public.notification_preferences n where n.org_id = new.org_id and n.low_ratings
  ) then
    return null;
  end if;
  -- Limit of alerts: anonymous visitors must not fill a merchant's mailbox.
  if private.count_attempt(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_secret,
      private.proven_phone(u.id) as phone,
      -- Whoever may not see customers is led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id,
      private.role_may(m.role, 'customers.read') and private.role_may(m.role, 'reviews.read') as reads_inbox
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_customer_mail(new.org_id, new.customer_id, 'low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'brand', private.brand(new.org_id),
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'review', case when v_reader.reads_inbox then private.alias_of(new.id) end,
          'customer', case when not v_reader.reads_inbox then v_reader.customer_id end,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_secret))),
        now() + interval '1 day', now() + interval '2 minutes');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone,
        jsonb_build_object('store', v_store, 'rating', new.rating), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$function$;

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
  -- Whoever deletes the reward at this instant goes first or waits.
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
    'used_by', coalesce(private.user_name(p_spend.used_by), (
      select k.name from private.api_keys k where k.org_id = p_spend.org_id and k.id = p_spend.used_key_id)),
    'undo_id', case
      when p_state in ('redeemed', 'used') and private.may_restore(p_spend.used_at) then p_spend.id end,
    'points', p_spend.points);
$function$;

CREATE OR REPLACE FUNCTION private.enqueue_customer_mail(p_org_id uuid, p_customer_id uuid, p_template text, p_to text, p_data jsonb, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_not_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Whoever erases them at this instant goes first, or waits and finds this mail.
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_customer_id for key share;
  if p_customer_id is not null and not found then
    return null;
  end if;
  return private.enqueue_message('mail', p_template, p_to, p_data, p_expires_at, p_not_before, p_org_id || ' ' || p_customer_id);
end;
$function$;

CREATE OR REPLACE FUNCTION private.enqueue_message(p_channel text, p_template text, p_to text, p_data jsonb, p_expires_at timestamp with time zone, p_not_before timestamp with time zone DEFAULT NULL::timestamp with time zone, p_customer text DEFAULT NULL::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
begin
  insert into private.outbox (channel, template, recipient, data, expires_at, next_attempt_at, customer)
  values (p_channel, p_template, p_to, coalesce(p_data, '{}'), coalesce(p_expires_at, now() + interval '6 hours'),
    coalesce(p_not_before, now()), p_customer)
  returning id into v_id;
  -- Heard when this transaction commits, and not at all when it does not.
  perform pg_notify('tournavis_outbox', '');
  return v_id;
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
  -- What the team wrote to them and about them names them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when r.handling = 'open' or (r.handling is null and r.rating <= 3) then 'closed' else r.handling end, customer_name = null, customer_email = null, customer_phone = null, review_text = null,
    locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_messages(p_org_id uuid, p_customer_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Whoever looks at an answer reads that it was not sent (private.note_delivery).
  update private.outbox o set state = 'failed', last_error = 'erased', data = '{}', settled_at = now()
  where o.customer = p_org_id || ' ' || p_customer_id and o.state = 'queued';
  delete from private.outbox o where o.customer = p_org_id || ' ' || p_customer_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_winner(p_code public.redemptions, p_template text)
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
  if p_template = 'prize_released' then
    return private.write_prize_mail(p_template, v_address, p_code);
  end if;
  return private.enqueue_customer_mail(t.org_id, t.customer_id, p_template, v_address, jsonb_build_object(
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label'),
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
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
    used_at = null, used_by = null, used_key_id = null, used_store_id = null, used_request_id = null
  where s.org_id = v_spend.org_id and s.id = p_id;
  if v_spend.by_team then
    perform private.give_points_back(v_spend);
  end if;
  perform private.audit(v_spend.org_id, 'code.restored', 'redemption', p_id, jsonb_build_object('name', v_spend.reward_name));
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.sweep_checks(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
  v_total integer := 0;
begin
  delete from private.network_turns t where t.ctid = any (array(
    select o.ctid from private.network_turns o where o.created_at < now() - interval '1 hour'
    order by o.created_at limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  -- A burst is over after an hour, and its network is forgotten, however long this job did not run.
  update private.check_groups g set group_key = 'over ' || g.id
  where g.kind = 'network' and g.group_key not like 'over %' and g.last_at < now() - interval '1 hour';
  delete from private.device_customers k where k.ctid = any (array(
    select o.ctid from private.device_customers o where o.last_at < now() - interval '13 months'
    order by o.last_at limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from private.check_groups g where g.ctid = any (array(
    select o.ctid from private.check_groups o where o.last_at < now() - interval '13 months'
    order by o.last_at limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_total + v_count;
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
  set status = 'used', used_at = now(), used_by = p_user_id, used_key_id = p_key_id, used_store_id = p_store_id,
    used_request_id = p_request_id
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
        and (v_spend.used_by = p_user_id or v_spend.used_key_id = p_key_id) then 'redeemed'
      else private.points_code_state(v_spend) end;
  end if;
  body := private.describe_points_code(outcome, v_spend, p_store_id);
end;
$function$;

CREATE OR REPLACE FUNCTION private.write_gesture_mail(p_to text, p_body text, p_answers_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_customer_mail(p_code.org_id, p_code.customer_id, 'review_gesture', p_to, jsonb_build_object(
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
  select private.enqueue_customer_mail(t.org_id, t.customer_id, p_template, p_to, jsonb_build_object(
      -- The nonce, which opens the prize, is in the fragment: browsers send it to no server.
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

CREATE OR REPLACE FUNCTION public.answer_review(p_id uuid, p_version integer, p_body text, p_request_id uuid, p_reward_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_prior jsonb;
  v_customer public.customers;
  v_answers_to text;
  v_obstacle text;
  v_gift record;
  v_message_id uuid;
begin
  perform private.lock_reviewer(p_id);
  v_review := private.lock_review(p_id);
  if not private.may_name_customers(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_body is null then
    raise exception 'no_text' using errcode = '23502';
  end if;
  v_prior := private.prior_outcome(v_review, p_version, p_request_id, v_user_id);
  if v_prior is not null then
    return v_prior;
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
    v_message_id := private.enqueue_customer_mail(v_customer.org_id, v_customer.id, 'review_answer', v_customer.email, jsonb_build_object(
      'locale', v_customer.locale,
      'brand', private.brand(v_review.org_id),
      'white_label', private.has_feature(v_review.org_id, 'white_label'),
      'facts', jsonb_build_object(
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
  v_key text;
  v_is_right boolean;
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
  v_is_right := coalesce(private.is_presence_proof(
    v_campaign.presence, v_campaign.presence_key, p_proof, v_campaign.timezone, now()), false);
  v_seconds := private.seconds_blocked(v_keys, v_limits, interval '1 hour');
  if v_seconds is null then
    -- Wrong attempts go one by one, and a right one waits for those before it: a thousand at once have no more tries than one
    -- after the other. Right ones wait for no right one, and the address comes before the device, or two would stop each other.
    foreach v_key in array v_keys loop
      if v_is_right then
        perform pg_advisory_xact_lock_shared(hashtextextended(v_key, 0));
      else
        perform pg_advisory_xact_lock(hashtextextended(v_key, 0));
      end if;
    end loop;
    v_seconds := private.seconds_blocked(v_keys, v_limits, interval '1 hour');
  end if;
  if v_seconds is null and v_is_right then
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

CREATE OR REPLACE PROCEDURE private.run_due_jobs()
 LANGUAGE plpgsql
AS $procedure$
declare
  v_end constant timestamptz := clock_timestamp() + interval '45 seconds';
begin
  -- What is left over is taken up by the next call, a minute later.
  while clock_timestamp() < v_end loop
    exit when (select r.job is null from private.run_next_job() r);
    commit;
  end loop;
end;
$procedure$;

ALTER TABLE "private"."outbox" ADD CONSTRAINT "outbox_customer_check" CHECK ((customer ~ '^[0-9a-f-]{36} [0-9a-f-]{36}$'::text));

ALTER TABLE "public"."points_spends" ADD CONSTRAINT "points_spends_user_check" CHECK (((used_at IS NOT NULL) OR ((used_by IS NULL) AND (used_store_id IS NULL) AND (used_request_id IS NULL) AND (used_key_id IS NULL))));

CREATE INDEX check_groups_network_idx ON private.check_groups USING btree (last_at) WHERE ((kind = 'network'::text) AND (group_key !~~ 'over %'::text));

CREATE INDEX outbox_customer_idx ON private.outbox USING btree (customer) WHERE (customer IS NOT NULL);

COMMENT ON COLUMN "private"."outbox"."customer" IS 'Customer to whom, or about whom, it was written: their organisation''s identifier and their own. It goes with them (private.forget_messages); null where it speaks of none.';

COMMENT ON COLUMN "public"."points_spends"."used_key_id" IS 'Key of the organisation that used it in a person''s place; null for staff.';

COMMENT ON FUNCTION "private"."enqueue_customer_mail"(uuid, uuid, text, text, jsonb, timestamp with time zone, timestamp with time zone) IS 'Writes a mail to a customer, or about one, as enqueue_mail does any other: it goes with that customer. Null, and no mail, once they are erased; one about nobody (null) is written. Codes and the customer are locked before a review.';

COMMENT ON FUNCTION "private"."enqueue_message"(text, text, text, jsonb, timestamp with time zone, timestamp with time zone, text) IS 'Writes a message down for sending, at once or not before a moment, and wakes the workers once the transaction commits.';

COMMENT ON FUNCTION "private"."erase_customer_data"(uuid, uuid) IS 'Forgets a person: the customer, their note, points, messages and what was written to them or about their reviews go; their visits, spins and codes stay as nobody''s, without name, contact and words, so that the figures hold. False when somebody was faster. Asks no permission: for erase_customer and for the job.';

COMMENT ON FUNCTION "private"."forget_given_up"(text[]) IS 'Empties the messages to somebody whose account is erased, by their addresses and numbers, that were given up and are kept to be sent again.';

COMMENT ON FUNCTION "private"."forget_messages"(uuid, uuid) IS 'Deletes the messages to a customer who is erased, and those about them: what waits is not sent, and nobody reads in what was sent or given up to which address.';

COMMENT ON PROCEDURE "private"."run_due_jobs"() IS 'Runs the jobs that are due, one after another and each in a transaction of its own: what pg_cron calls on a hosted project. A slow job holds no locks of those before it, and what cuts it off undoes nothing of theirs.';

REVOKE ALL ON FUNCTION "private"."enqueue_customer_mail"(uuid, uuid, text, text, jsonb, timestamp with time zone, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enqueue_message"(text, text, text, jsonb, timestamp with time zone, timestamp with time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_messages"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON PROCEDURE "private"."run_due_jobs"() FROM PUBLIC;

-- Messages of the last days that wait, or were given up: what was written before this knows its customer as well.
update private.outbox o set customer = r.org_id || ' ' || r.customer_id
from public.review_actions a
join public.pre_spin_reviews r on r.org_id = a.org_id and r.id = a.review_id
where a.message_id = o.id and r.customer_id is not null;
update private.outbox o set customer = t.org_id || ' ' || t.customer_id
from public.organizations g
join public.spins t on t.org_id = g.id
where o.template like 'prize%' and o.data ->> 'path' like '%#gain=%' and t.customer_id is not null
  and t.id = substring(o.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid;

do $$
begin
  if exists (select from pg_catalog.pg_extension where extname = 'pg_cron') then
    perform cron.schedule('tournavis jobs', '* * * * *', 'call private.run_due_jobs()');
  end if;
end;
$$;
