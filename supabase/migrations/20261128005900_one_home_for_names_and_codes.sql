-- Why: who a customer without a name is was written out nine times, how codes are compared six times, and how long an invitation lasts twice; and some comments in functions were riddles.

set check_function_bodies = off;

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
      where d.org_id = p_org_id and d.code_key = private.code_key(v_code));
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

CREATE OR REPLACE FUNCTION private.campaign_reviews(p_org_id uuid, p_campaign_id uuid, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
    'name', case when p_is_named then private.name_or_email(r.customer_name, r.customer_email) end,
    'customer_id', case when p_is_named then r.customer_id end)
    order by r.created_at desc, r.id desc), '[]'::jsonb)
  from (
    select * from public.pre_spin_reviews v where v.org_id = p_org_id and v.campaign_id = p_campaign_id
    order by v.created_at desc limit 10
  ) r;
$function$;

CREATE OR REPLACE FUNCTION private.campaign_words(p_org_id uuid, p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('text', w.text, 'translations', w.translations) order by w.text), '[]'::jsonb)
  from (
    -- One translation for each text: that of the newest reward of that name comes first.
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
        -- A segment named like its reward takes the reward's translations: its own were left from another text.
        and not exists (
          select 1 from public.rewards r where r.org_id = s.org_id and r.id = s.reward_id and r.name = s.label)
      union all
      select d.label, d.translations, 3, null
      from private.default_segments d
      where d.purpose = 'losing'
        or not exists (select 1 from public.wheel_segments s where s.campaign_id = p_campaign_id)
      union all
      select c.name, c.translations, 4, null
      from public.campaigns c where c.id = p_campaign_id and c.org_id = p_org_id and c.translations <> '{}'
      union all
      select r.metadata ->> 'item', r.item_translations, 5, r.created_at
      from public.rewards r
      where r.org_id = p_org_id and r.item_translations <> '{}' and r.metadata ? 'item' and (r.campaign_id = p_campaign_id or r.id in (
        select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))
    ) t
    order by t.text, t.rank, t.created_at desc
  ) w;
$function$;

CREATE OR REPLACE FUNCTION private.check_review_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_is_kept constant boolean := tg_op = 'UPDATE' and new.google_review_url is not distinct from old.google_review_url;
  v_host constant text := private.review_host(new.google_review_url);
  v_is_confirmed constant boolean := coalesce(new.review_host_confirmed = v_host, false);
begin
  if not v_is_kept and new.google_review_url is not null and v_host is null then
    raise exception 'review_link_malformed'
      using errcode = 'check_violation', table = 'stores', constraint = 'stores_google_review_url_check';
  elsif v_host is null or private.is_review_page(new.google_review_url) then
    new.review_host_confirmed := null;
  elsif not v_is_confirmed and v_is_kept then
    -- A link that was entered before confirmations existed stays as it is when it is saved unchanged.
    new.review_host_confirmed := old.review_host_confirmed;
  elsif not v_is_confirmed then
    raise exception 'review_link_unconfirmed' using errcode = 'TV170', detail = v_host;
  end if;
  if new.review_host_confirmed is null then
    new.review_host_confirmed_at := null;
  elsif tg_op = 'INSERT' or new.review_host_confirmed is distinct from old.review_host_confirmed then
    new.review_host_confirmed_at := now();
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.code_at(p_org_id uuid, p_store_id uuid, p_code text)
 RETURNS TABLE(state text, redemption public.redemptions)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_key text := private.code_key(coalesce(p_code, ''));
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

CREATE OR REPLACE FUNCTION private.code_key(p_code text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN upper(regexp_replace(p_code, '[^A-Za-z0-9]'::text, ''::text, 'g'::text));

CREATE OR REPLACE FUNCTION private.code_prefix(p_search text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select case when btrim(coalesce(p_search, '')) <> ''
    -- Signs alone begin no code: the question mark stands in none.
    then coalesce(nullif(private.code_key(p_search), ''), '?') end;
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
    -- A code that expired without being held back is not cancelled: nothing would change for its winner or for the stock.
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

CREATE OR REPLACE FUNCTION private.describe_checks(p_groups private.check_groups[], p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'names', p.names, 'losses', p.losses,
    'campaign', (select jsonb_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = p.org_id and c.id = p.campaign_id),
    'label', case when p.kind in ('disposable', 'quiet_hours') then split_part(p.group_key, ' ', 1) end,
    'opened_at', p.opened_at, 'last_at', p.last_at,
    'closed_at', p.closed_at, 'closed_by', p.closed_by, 'is_normal', p.is_normal,
    'total', (select count(*) from private.check_codes m where m.org_id = p.org_id and m.group_id = p.id),
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'code', d.code, 'reward', d.reward_name, 'reward_id', d.reward_id,
        'customer', case when p_is_named then private.name_or_email(d.end_user_name, d.end_user_email) end,
        'state', case when d.status = 'used' then 'used' else coalesce(d.verdict, private.code_state(d)) end,
        'created_at', d.created_at, 'used_at', d.used_at,
        'reasons', (
          select jsonb_agg(distinct g.kind order by g.kind) from private.check_codes m
          join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
          where m.org_id = d.org_id and m.redemption_id = d.id)) order by d.created_at desc, d.id desc)
      from (
        select m.redemption_id from private.check_codes m where m.org_id = p.org_id and m.group_id = p.id
        order by m.redemption_id desc limit 50
      ) m
      -- One by one, by their key: a plan kept for any group might read all codes.
      cross join lateral (select r.* from public.redemptions r where r.org_id = p.org_id and r.id = m.redemption_id offset 0) d
    ), '[]'::jsonb)) order by p.ordinality), '[]'::jsonb)
  from unnest(p_groups) with ordinality p;
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
      select jsonb_build_object('name', private.name_or_email(c.name, c.email))
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

CREATE OR REPLACE FUNCTION private.export_account(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'account', jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'metadata', u.raw_user_meta_data,
      'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at, 'last_sign_in_at', u.last_sign_in_at,
      'new_email', nullif(u.email_change, ''), 'new_phone', nullif(u.phone_change, ''),
      'phone_confirmed_at', u.phone_confirmed_at, 'invited_at', u.invited_at, 'banned_until', u.banned_until,
      'trial_end', (select t.trial_end from private.account_trials t where t.user_id = u.id)),
    'ways_in', (select jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
      'created_at', i.created_at, 'last_sign_in_at', i.last_sign_in_at) order by i.created_at) from auth.identities i where i.user_id = u.id),
    'second_factors', (select jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
      'phone', f.phone, 'status', f.status, 'created_at', f.created_at, 'last_asked_at', f.last_challenged_at,
      'addresses', (select jsonb_agg(distinct host(h.ip_address)) from auth.mfa_challenges h where h.factor_id = f.id))
      order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id),
    'passkeys', (select jsonb_agg(jsonb_build_object('name', k.friendly_name, 'created_at', k.created_at,
      'last_used_at', k.last_used_at) order by k.created_at) from auth.webauthn_credentials k where k.user_id = u.id),
    'sessions', (select jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_seen_at', s.refreshed_at, 'device', s.user_agent,
      'address', host(s.ip)) order by s.created_at) from auth.sessions s where s.user_id = u.id),
    'membership', (select jsonb_agg(jsonb_build_object('organization', o.name, 'role', m.role, 'added_at', m.added_at,
        'store', (select s.name from public.stores s where s.org_id = m.org_id and s.id = m.store_id)))
      from public.organization_members m join public.organizations o on o.id = m.org_id where m.user_id = u.id),
    'invitations', (select jsonb_agg(jsonb_build_object('organization', o.name, 'address', v.email, 'role', v.role,
        'sent_at', v.sent_at, 'accepted_at', v.accepted_at, 'withdrawn_at', v.withdrawn_at) order by v.id)
      from private.invitations v join public.organizations o on o.id = v.org_id
      where v.accepted_by = u.id or private.normalize_email(v.email) = private.normalize_email(u.email)),
    'api_keys', (select jsonb_agg(jsonb_build_object('name', k.name, 'created_at', k.created_at) order by k.id)
      from private.api_keys k where k.created_by = u.id),
    -- Codes and reviews by their identifiers alone: they belong to customers.
    'till', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'redemption_id', e.redemption_id)
      order by e.id) from public.redemption_events e where e.user_id = u.id),
    'points_handed_out', (select jsonb_agg(jsonb_build_object('at', s.used_at, 'spend_id', s.id) order by s.id)
      from public.points_spends s where s.used_by = u.id),
    'reviews_dealt_with', (select jsonb_agg(jsonb_build_object('at', a.created_at, 'kind', a.kind, 'review_id', a.review_id,
      'as', a.actor_name) order by a.id) from public.review_actions a where a.user_id = u.id),
    'messages', (select jsonb_agg(jsonb_build_object('channel', o.channel, 'template', o.template, 'state', o.state,
        'created_at', o.created_at, 'settled_at', o.settled_at) order by o.id)
      from private.outbox o where lower(o.recipient) in (lower(u.email), u.phone)
        -- Those of merchants to their customers are such a customer's.
        and (o.customer is null or o.template = 'low_rating')),
    'notices', (select jsonb_agg(jsonb_build_object('email', n.email, 'sms', n.sms, 'low_ratings', n.low_ratings,
      'summary', n.summary, 'monthly_report', n.monthly_report, 'push_low_ratings', n.push_low_ratings,
      'push_low_stock', n.push_low_stock, 'push_asked_at', n.push_asked_at))
      from public.notification_preferences n where n.user_id = u.id),
    -- Details may name colleagues and people who were invited: only fields that identify nobody are answered.
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'subject', e.subject_type, 'as', e.actor_name,
        'subject_id', e.subject_id, 'detail', (select coalesce(jsonb_object_agg(d.key, d.value), '{}')
          from jsonb_each(e.detail) d where d.key in ('fields', 'plan', 'former_plan', 'billing', 'former_billing')))
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id),
    'sign_in_log', (select jsonb_agg(jsonb_build_object('at', l.created_at, 'action', l.payload ->> 'action',
      'address', nullif(l.ip_address, '')) order by l.created_at) from private.sign_in_log(u.id) l))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.export_customer(p_org_id uuid, p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_table record;
  v_rows jsonb;
  v_all jsonb := '{}';
begin
  for v_table in
    select c.oid::regclass as name, c.relname as title,
      case when c.relname = 'customers' then 'id' else 'customer_id' end as key,
      array_agg(a.attname::text order by a.attnum) as columns
    from private.tenant_tables() t
    join pg_catalog.pg_class c on c.oid = t::oid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      -- As in export_organization.
      and a.attname::text !~ '(_hash|_token|_words|_normalized|_key)$' and a.attname not in ('shard', 'nonce')
    where c.oid = 'public.customers'::regclass or exists (
      select 1 from pg_catalog.pg_attribute k
      where k.attrelid = c.oid and k.attname = 'customer_id' and not k.attisdropped)
    group by c.oid, c.relname
  loop
    execute format('select jsonb_agg(to_jsonb(r)) from (select %s from %s where org_id = $1 and %I = $2) r',
      (select string_agg(quote_ident(k), ', ') from unnest(v_table.columns) k), v_table.name, v_table.key)
    into v_rows using p_org_id, p_id;
    if v_rows is not null then
      v_all := v_all || jsonb_build_object(v_table.title, v_rows);
    end if;
  end loop;
  -- Messages to the customer and notes about their reviews, without the colleagues who wrote them.
  select jsonb_agg(jsonb_build_object('review_id', a.review_id, 'kind', a.kind, 'body', a.body, 'delivery', a.delivery,
    'created_at', a.created_at, 'redemption_id', a.redemption_id) order by a.id)
  into v_rows
  from public.review_actions a
  join public.pre_spin_reviews r on r.org_id = a.org_id and r.id = a.review_id
  where a.org_id = p_org_id and r.customer_id = p_id;
  return v_all || jsonb_strip_nulls(jsonb_build_object(
    'review_actions', v_rows,
    -- Events of their prizes, and why the team was asked to look at them.
    'redemption_events', (
      select jsonb_agg(jsonb_build_object('redemption_id', e.redemption_id, 'action', e.action, 'store_id', e.store_id,
        'created_at', e.created_at) order by e.id)
      from public.redemption_events e
      join public.redemptions d on d.org_id = e.org_id and d.id = e.redemption_id
      where e.org_id = p_org_id and d.customer_id = p_id),
    'checks', (
      select jsonb_agg(jsonb_build_object('redemption_id', m.redemption_id, 'reason', g.kind, 'opened_at', g.opened_at,
        'closed_at', g.closed_at, 'is_normal', g.is_normal) order by m.redemption_id, g.id)
      from private.check_codes m
      join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = p_org_id and d.customer_id = p_id),
    'messages', (
      select jsonb_agg(jsonb_build_object('template', o.template, 'recipient', o.recipient, 'state', o.state,
        'created_at', o.created_at, 'settled_at', o.settled_at) order by o.id)
      from private.outbox o
      -- An alert is a colleague's.
      where o.customer = p_org_id || ' ' || p_id and o.template <> 'low_rating')));
end;
$function$;

CREATE OR REPLACE FUNCTION private.find_codes(p_org_id uuid, p_query text, p_limit integer, p_is_named boolean)
 RETURNS TABLE(id uuid, title text, detail text, parent_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_key constant text := private.code_prefix(p_query);
begin
  if length(coalesce(v_key, '')) < 3 then
    return;
  end if;
  return query
    select r.id, r.code,
      concat_ws(', ', r.reward_name,
        case when p_is_named then private.name_or_email(r.end_user_name, r.end_user_email) end),
      r.reward_id
    from public.redemptions r
    -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
    where r.org_id = p_org_id and r.code_key >= v_key and r.code_key <= v_key || repeat('Z', 32)
      and starts_with(r.code_key, v_key)
    order by r.code_key
    limit p_limit;
end;
$function$;

CREATE OR REPLACE FUNCTION private.find_customers(p_org_id uuid, p_query text, p_limit integer)
 RETURNS TABLE(id uuid, title text, detail text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  -- A variable is a constant to the plan: the index is asked once, not the word made anew for every row.
  v_filters constant jsonb := jsonb_build_object('search', p_query);
begin
  -- The index of words answers three letters or more.
  if length(coalesce(private.query_words(p_query), '')) < 3 then
    return;
  end if;
  return query
    select c.id, c.name, coalesce(c.email, c.phone)
    from public.customers c
    where c.org_id = p_org_id and private.matches_filters(c, v_filters)
    order by c.created_at desc, c.id desc
    limit p_limit;
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_colleague(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_name constant text := left(private.user_name(p_user_id), 200);
  v_org_ids constant uuid[] := array(
    select a.org_id from public.review_actions a where a.user_id = p_user_id
    union select m.org_id from public.organization_members m where m.user_id = p_user_id);
begin
  update public.review_actions a set actor_name = null where a.user_id = p_user_id and a.actor_name is not null;
  -- Assignments name their assignee by text alone, and null there means that nobody is assigned: the whole row goes.
  delete from public.review_actions a where a.org_id = any (v_org_ids) and a.kind = 'assigned' and a.assignee_name = v_name;
end;
$function$;

CREATE OR REPLACE FUNCTION private.fresh_proof()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select bool_or(
    -- In an account younger than a day every kind of proof counts: its owner has just added them all.
    u.created_at > now() - interval '1 day'
    or not exists (
      select 1 from private.account_events e
      where e.user_id = u.id and e.created_at > now() - interval '1 day'
        and e.event = case
          when private.is_second_factor(c.authentication_method) then 'factor_added'
          when c.authentication_method = 'password' then 'password_changed'
          when c.authentication_method = 'passkey' then 'passkey_added'
          when c.authentication_method in ('oauth', 'sso/saml', 'web3') then 'identity_added'
          -- All others are codes and links that were sent.
          else 'contact_changed'
        end))
  from private.my_session() s
  join auth.users u on u.id = s.user_id
  join auth.mfa_amr_claims c on c.session_id = s.id
  -- One that a clock ahead has dated counts no longer than others.
  where c.updated_at between now() - interval '10 minutes' and now() + interval '10 minutes'
    and case
      when exists (select 1 from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')
        then private.is_second_factor(c.authentication_method)
      else not private.is_second_factor(c.authentication_method)
        and c.authentication_method not in ('token_refresh', 'anonymous')
    end;
$function$;

CREATE OR REPLACE FUNCTION private.has_proven_address(p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.is_proven(p_user_id) or (
    -- An address at a sign-up may be somebody else's; a session that a link in the mail has opened proves it.
    private.count_sign_ups(p_user_id) > 0 and exists (
      select 1 from auth.mfa_amr_claims c
      where c.session_id = (private.my_session()).id
        and c.authentication_method in ('email/signup', 'recovery')
    )
  );
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
      -- Codes that were marked for their hour do not count as usual, unless the team said that they are.
      and not exists (
        select 1 from private.check_codes m
        join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
        where m.org_id = r.org_id and m.redemption_id = r.id and g.kind = 'quiet_hours' and not g.is_normal
      )
    order by r.used_at desc limit 300
  ) u;
$function$;

CREATE OR REPLACE FUNCTION private.mark_codes(p_org_id uuid, p_campaign_id uuid, p_kind text, p_key text, p_names integer, p_codes uuid[], p_losses integer DEFAULT 0, p_new_losses integer DEFAULT 0)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_group_id uuid;
  v_first timestamptz;
  v_last timestamptz;
begin
  if exists (
    select 1 from private.check_groups g
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key and g.is_normal
  ) then
    return;
  end if;
  select min(coalesce(d.used_at, d.created_at)), max(coalesce(d.used_at, d.created_at)) into v_first, v_last
  from public.redemptions d
  where d.org_id = p_org_id and d.id = any (p_codes) and not exists (
    select 1 from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = p_org_id and m.redemption_id = d.id and g.kind = p_kind and g.group_key = p_key
  );
  -- No new prize: losing spins are added to a group that is open, but open none.
  if v_first is null then
    update private.check_groups g set losses = g.losses + p_new_losses
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key
      and g.closed_at is null and p_new_losses > 0;
    return;
  end if;
  insert into private.check_groups as g (org_id, campaign_id, kind, group_key, names, opened_at, last_at, losses)
  values (p_org_id, p_campaign_id, p_kind, p_key, greatest(p_names, 1), v_first, v_last,
    -- A group that was dealt with has counted those before.
    case when exists (
      select 1 from private.check_groups b
      where b.org_id = p_org_id and b.campaign_id = p_campaign_id and b.kind = p_kind and b.group_key = p_key
    ) then p_new_losses else p_losses end)
  on conflict (org_id, campaign_id, kind, group_key) where closed_at is null
  do update set last_at = greatest(g.last_at, excluded.last_at), names = greatest(g.names, excluded.names),
    losses = g.losses + p_new_losses
  returning g.id into v_group_id;
  insert into private.check_codes (org_id, group_id, redemption_id)
  select p_org_id, v_group_id, c from unnest(p_codes) c
  -- A group that was dealt with keeps its prizes; what comes later is a group of its own.
  where not exists (
    select 1 from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = p_org_id and m.redemption_id = c and g.kind = p_kind and g.group_key = p_key
  )
  on conflict do nothing;
end;
$function$;

CREATE OR REPLACE FUNCTION private.my_api_key()
 RETURNS private.api_keys
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id constant text := auth.jwt() ->> 'api_key_id';
  v_key private.api_keys;
  v_refusal text;
begin
  -- A token of a signed-in user never acts as an API key, even where it names one.
  if v_id is null or auth.uid() is not null then
    return null;
  end if;
  select * into v_key from private.api_keys k where k.id = v_id::uuid;
  v_refusal := private.api_key_refusal(v_key);
  if v_refusal = 'api_not_in_plan' then
    raise exception 'api_not_in_plan' using errcode = 'TV111';
  elsif v_refusal is not null then
    raise exception 'api_key_refused' using errcode = 'TV110';
  end if;
  -- PostgreSQL itself refuses what would write from here on (25006), whichever function it stands in.
  if v_key.scope = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return v_key;
end;
$function$;

CREATE OR REPLACE FUNCTION private.name_or_email(p_name text, p_email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(NULLIF(btrim(p_name), ''::text), p_email);

CREATE OR REPLACE FUNCTION private.points_code(p_code text, p_store_id uuid)
 RETURNS public.points_spends
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.* from public.stores s
  join public.points_spends p on p.org_id = s.org_id
  where s.id = p_store_id and p.code_key = private.code_key(coalesce(p_code, ''));
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
      -- Wins are read from codes and from points, both short lists, not from the spins, which are many.
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
    'name', case when p_is_named then private.name_or_email(shown.name, shown.email) end,
    'rating', shown.rating, 'reward', shown.reward) order by shown.at desc, shown.kind), '[]'::jsonb)
  from (select * from latest l order by l.at desc, l.kind limit 4) shown;
$function$;

CREATE OR REPLACE FUNCTION private.recovery_code_hash(p_user_id uuid, p_code text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN sha256(convert_to((((p_user_id)::text || ' '::text) || private.code_key(COALESCE(p_code, ''::text))), 'UTF8'::name));

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
  perform private.forget_messages_to(array[u.email, u.phone]) from auth.users u where u.id = p_user_id;
  perform private.forget_colleague(p_user_id);
  -- Invitations that wait stay: they belong to the organisation, and the address of this account may be unproven.
  delete from private.invitations i where i.accepted_by = p_user_id;
  -- As in create_organization: nobody enters a team with an account that goes.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || p_user_id, 0));
  select m.org_id into v_org_id from public.organization_members m where m.user_id = p_user_id;
  if not found then
    return;
  end if;
  perform private.lock_team(v_org_id);
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

CREATE OR REPLACE FUNCTION private.send_invitation(p_invitation private.invitations, p_limit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_user_id constant uuid := private.my_user_id();
  v_of_organization constant text := 'invitations of ' || p_invitation.org_id;
  v_by constant text := 'invitations by ' || v_user_id;
  v_address constant text := private.network_address_hash();
  v_retry_after integer;
begin
  -- A merchant does not flood a mailbox, nor strangers with mails of ours.
  v_retry_after := greatest(
    private.count_attempt(
      array[v_of_organization, v_by,
        'invitations to ' || encode(sha256(convert_to(p_invitation.email, 'UTF8')), 'hex')],
      array[case when p_limit < 0 then 200 else 30 end, 60, 5], interval '1 day'),
    private.count_attempt(
      array[v_of_organization || ' in an hour', v_by || ' in an hour']
        || case when v_address is not null then array['invitations from ' || v_address] else '{}' end,
      '{20,20,30}', interval '1 hour'));
  if v_retry_after is not null then
    perform private.refuse_for_now('TV103', 'too_many_invitations', v_retry_after);
  end if;
  update private.invitations i
  set token_hash = sha256(convert_to(v_token, 'UTF8')), invited_by = v_user_id, sent_at = now(),
    expires_at = default
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id;
  perform private.enqueue_mail('invitation', p_invitation.email, jsonb_build_object(
    'path', '/invitation?token=' || v_token,
    'organization', (select o.name from public.organizations o where o.id = p_invitation.org_id),
    'brand', private.brand(p_invitation.org_id),
    'inviter', private.user_name(v_user_id)), now() + interval '2 days');
end;
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
        'name', case when p_is_named then private.name_or_email(r.customer_name, r.customer_email) end,
        'text', case when p_is_named then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION public.campaign_editor(p_id uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- First, so that a plan that is over is refused the same way whether the campaign exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
  v_library uuid[];
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
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
  return json_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at,
      'translations', v_campaign.translations),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight,
        'translations', coalesce(s.translations, d.translations, '{}')) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
      left join public.wheel_segments s on s.campaign_id = p_id and s.id = w.id
      -- The losing segment of a wheel that is only suggested.
      left join private.default_segments d
        on d.purpose = 'losing' and not v_is_drawn and w.reward_id is null and d.label = w.label
    ),
    'rewards', coalesce((
      select json_agg(l order by r.home nulls first, r.created_at, r.id)
      from (
        select w.*, case when w.campaign_id <> p_id then c.name end as home
        from (
          select o.id from public.rewards o
          where o.org_id = v_campaign.org_id and o.campaign_id = p_id and o.archived_at is null
          union
          select s.reward_id from public.wheel_segments s where s.campaign_id = p_id
          union
          select l from unnest(v_library) l
        ) i
        -- One by one: a condition that has all three would compare each reward with the whole library.
        cross join lateral (
          select * from public.rewards r where r.org_id = v_campaign.org_id and r.id = i.id offset 0
        ) w
        join public.campaigns c on c.org_id = v_campaign.org_id and c.id = w.campaign_id
      ) r
      -- A row as it is, in text: 200 objects that jsonb takes apart and puts in order cost half of the call.
      cross join lateral (
        select r.id, r.name, r.active, r.stock, r.archived_at is not null as is_archived, r.value, r.picture, r.home
      ) l
    ), '[]'::json),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
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
  v_key constant text := private.sort_key(p_sort, '{name,store,scans,reviews,spins,redemptions,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_stores uuid[];
  v_total integer;
  v_active integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
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
      select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins,
        sum(d.redemptions) as redemptions
      from private.campaign_figures_now(p_org_id) d
      where v_key in ('scans', 'reviews', 'spins', 'redemptions') group by d.campaign_id
    ) t on t.campaign_id = c.id
    cross join lateral (
      -- Not a join: it would compare every campaign with every store for other orders, too.
      select case v_key when 'name' then private.words(c.name) when 'store' then private.words((
          select s.name from public.stores s where s.org_id = p_org_id and s.id = c.store_id)) end as word,
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
  cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;

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
    (select json_build_object(
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'rating_sum', coalesce(f.rating_sum, 0),
      'five_star_reviews', coalesce(f.five_star_reviews, 0), 'wins', coalesce(f.wins, 0),
      'redemptions', coalesce(f.redemptions, 0)) from figures f where f.is_total),
    coalesce(json_agg(json_build_object(
      'id', c.id, 'name', c.name, 'slug', c.slug, 'active', c.active,
      'starts_at', c.starts_at, 'ends_at', c.ends_at, 'created_at', c.created_at,
      'archived_at', c.archived_at, 'store_id', c.store_id, 'store_name', s.name,
      'timezone', s.timezone,
      'rewards', coalesce(n.rewards, 0),
      'has_prize', c.id in (select w.id from prizes w),
      -- A campaign with a day's figures has a history, which saves the call for nearly every row.
      'has_history', exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = c.id)
        or private.has_campaign_history(p_org_id, c.id),
      'scans', coalesce(f.scans, 0), 'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0),
      'redemptions', coalesce(f.redemptions, 0)) order by array_position(v_ids, c.id)), '[]'::json)
  into v_figures, v_items
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  left join figures f on f.campaign_id = c.id
  left join counted n on n.campaign_id = c.id
  where c.org_id = p_org_id and c.id = any (v_ids);

  return json_build_object('total', v_total, 'active', v_active, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'can_export', private.includes_export(p_org_id),
    'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_poster(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- First, so that a plan that is over is refused the same way whether the campaign exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
begin
  return (select jsonb_build_object(
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
    and c.org_id = any (v_org_ids));
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
  -- First, so that a plan that is over is refused the same way whether the campaign exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_campaign public.campaigns;
  v_store public.stores;
  v_totals jsonb;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (v_org_ids);
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
      'store_id', v_store.id, 'has_review_link', v_store.google_review_url is not null,
      'has_poster', v_campaign.poster_at is not null or (v_totals ->> 'scans')::bigint > 0),
    'totals', v_totals - '{free_spins,free_wins,free_redemptions}'::text[],
    'reviews', private.campaign_reviews(
      v_campaign.org_id, p_campaign_id, private.may_name_customers(v_campaign.org_id)),
    'top_rewards', private.campaign_top_rewards(v_campaign.org_id, p_campaign_id),
    'advanced', case when private.has_feature(v_campaign.org_id, 'advanced_analytics') then jsonb_build_object(
      'days', private.campaign_days(v_campaign.org_id, p_campaign_id, private.now_in(v_store.timezone)::date),
      'funnel', private.funnel(v_totals),
      'return', private.campaign_cost(v_campaign.org_id, p_campaign_id) || jsonb_build_object(
        'store_id', v_store.id, 'average_basket', v_store.average_basket,
        'return_share', (select o.return_share from public.organizations o where o.id = v_campaign.org_id),
        'visits', v_totals -> 'redemptions')) end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_organization(p_name text, p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_trial_end timestamptz;
  v_org public.organizations;
begin
  -- An account without a proven address or phone number creates no organisation.
  if not exists (
    select 1 from auth.users u
    where u.id = v_user_id and (u.email_confirmed_at is not null or u.phone_confirmed_at is not null)
  ) then
    raise exception 'not_confirmed' using errcode = '42501';
  end if;
  -- Two clicks take turns, so that the second learns what the first has done.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  v_trial_end := private.previous_trial_end(v_user_id);
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  insert into public.organizations (name, slug) values (p_name, p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  update public.subscriptions s set trial_end = v_trial_end where s.org_id = v_org.id and v_trial_end < s.trial_end;
  insert into private.account_trials (user_id, trial_end)
  select v_user_id, s.trial_end from public.subscriptions s where s.org_id = v_org.id
  on conflict (user_id) do nothing;
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$function$;

CREATE OR REPLACE FUNCTION public.customer_detail(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- First, so that a plan that is over is refused the same way whether the customer exists or not.
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

CREATE OR REPLACE FUNCTION public.give_goodwill_code(p_id uuid, p_version integer, p_reward_id uuid, p_request_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_prior jsonb;
  v_outcome text;
begin
  perform private.lock_reviewer(p_id);
  v_review := private.lock_review(p_id);
  if not private.may_give_goodwill(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_prior := private.prior_outcome(v_review, p_version, p_request_id, v_user_id);
  if v_prior is not null then
    return v_prior;
  end if;
  select g.outcome into v_outcome from private.give_goodwill(v_review, p_reward_id, p_request_id) g;
  if v_outcome <> 'given' then
    return jsonb_build_object('outcome', v_outcome);
  end if;
  -- The review's state and its version stay: colleagues who are dealing with it get no conflict.
  update public.pre_spin_reviews r set seen_at = coalesce(r.seen_at, now())
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

CREATE OR REPLACE FUNCTION public.keep_organization()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_org.erase_at is null then
    return;
  -- From here on the job may be erasing its rows.
  elsif v_org.erase_at <= now() then
    raise exception 'too_late' using errcode = 'TV109';
  end if;
  update public.organizations o set erase_at = null where o.id = v_org.id;
  update public.subscriptions s set is_ending = false where s.org_id = v_org.id;
  perform private.audit(v_org.id, 'organization.kept', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_kept', private.my_user_id());
end;
$function$;

CREATE OR REPLACE FUNCTION public.leave_organization()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id uuid;
  v_role text;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = v_user_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Only owners need another owner: an organisation that is ending may have none, and its other members may still leave.
  if private.role_may(v_role, 'owners.manage') then
    perform private.require_other_owner(v_org_id, v_user_id);
  end if;
  perform private.audit(v_org_id, 'member.left', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = v_user_id;
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_detail(p_id uuid)
 RETURNS json
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
  return json_build_object(
    'id', private.alias_of(v_review.id), 'version', v_review.handling_version, 'at', v_review.created_at,
    'rating', v_review.rating, 'text', case when v_is_named then v_review.review_text end,
    'name', case when v_is_named then private.name_or_email(v_review.customer_name, v_review.customer_email) end,
    'is_erased', v_review.customer_id is null,
    'went_public', v_review.public_click_at is not null, 'locale', v_review.locale,
    'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
    'campaign', (select json_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = v_review.org_id and c.id = v_review.campaign_id),
    'state', private.review_state(v_review), 'is_seen', v_review.seen_at is not null,
    'assigned_to', v_review.assigned_to, 'assignee', private.user_name(v_review.assigned_to),
    'writer', case when private.is_claimed(v_review, v_user_id) then private.user_name(v_review.claimed_by) end,
    'colleagues', private.review_colleagues(v_review.org_id), 'my_id', v_user_id,
    'customer', case when v_is_named then private.review_customer(v_review.org_id, v_review.customer_id, v_review.id) end,
    'obstacle', private.answer_obstacle(v_customer, v_answers_to),
    'answers_to', v_answers_to,
    'templates', (select json_agg(json_build_object('name', t.name, 'body', t.body) order by t.position)
      from public.answer_templates t where t.org_id = v_review.org_id),
    'gesture', private.review_gesture(v_review),
    'actions', (
      select coalesce(json_agg(json_build_object('id', a.id, 'at', a.created_at, 'by', a.actor_name, 'kind', a.kind,
        'body', case when v_is_named then a.body end, 'assignee', a.assignee_name, 'delivery', a.delivery)
        order by a.id), '[]'::json)
      from (
        select * from public.review_actions o
        where o.org_id = v_review.org_id and o.review_id = v_review.id order by o.id desc limit 100
      ) a));
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_inbox(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_held text[];
  v_is_named boolean;
  v_page record;
begin
  select r.held into v_held from private.my_reading_rights('{reviews.read,customers.read}', 'reviews.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := 'customers.read' = any (v_held);
  select * into v_page from private.inbox_page(p_org_id, v_filters, p_after, p_before, v_user_id, v_is_named, 25);

  return json_build_object(
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::json),
    'campaigns', coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::json),
    'items', coalesce((
      select json_agg(json_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then private.name_or_email(r.customer_name, r.customer_email) end,
        'is_erased', r.customer_id is null,
        'locale', r.locale, 'store', s.name, 'campaign', c.name, 'state', r.state, 'is_seen', r.seen_at is not null,
        'assignee', case when r.assigned_to is not null then private.user_name(r.assigned_to) end,
        'is_mine', coalesce(r.assigned_to = v_user_id, false),
        'writer', case when r.is_claimed then private.user_name(r.claimed_by) end)
        order by r.created_at desc, r.id desc)
      from unnest(v_page.ids) shown (id)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (
        select o.*, private.review_state(o) as state,
          o.claimed_by is not null and private.is_claimed(o, v_user_id) as is_claimed
        from public.pre_spin_reviews o where o.org_id = p_org_id and o.id = shown.id offset 0
      ) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    ), '[]'::json));
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text, p_sort text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  -- 400 pages at most: older codes are found by the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_skip constant integer := (v_page - 1) * v_page_size;
  v_status constant text := nullif(p_status, '');
  v_ids uuid[];
  v_org_id uuid;
  v_held text[];
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_prefix text;
  v_has_next boolean;
  v_items json;
begin
  if v_status not in ('available', 'used', 'expired', 'held', 'cancelled') then
    raise exception 'status_unknown' using errcode = '22023';
  end if;
  select m.org_id, m.held into v_org_id, v_held
  from private.my_reading_rights('{codes.read,customers.read}', 'codes.read') m;
  select * into v_reward from public.rewards r where r.id = p_id and r.org_id = v_org_id and v_held <> '{}';
  if not found then
    return null;
  end if;
  v_is_named := 'customers.read' = any (v_held);
  -- Members who may not know whose a code is do not find it by a name either: they look by its first letters.
  if v_is_named then
    v_pattern := private.code_pattern(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- One more than is shown tells whether there is a next page.
  if p_sort <> '' then
    v_ids := private.sorted_codes(v_org_id, p_id, v_status, v_pattern, v_prefix, p_sort, v_skip, v_page_size + 1);
  else
    v_ids := private.code_page(v_org_id, p_id, v_status, v_pattern, v_prefix, v_skip, v_page_size + 1);
  end if;
  v_has_next := cardinality(v_ids) > v_page_size and v_page < 400;
  v_ids := v_ids[1:v_page_size];
  -- One by one, by their key: a kept plan of « any (…) » might read all codes.
  select coalesce(json_agg(json_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end,
    'customer', case when v_is_named then private.name_or_email(shown.end_user_name, shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', t.trace) order by f.place), '[]'::json)
  into v_items
  from unnest(v_ids) with ordinality f (id, place)
  cross join lateral (
    select r.* from public.redemptions r where r.org_id = v_org_id and r.id = f.id offset 0
  ) shown
  -- Uses and returns of a code, oldest first.
  cross join lateral (
    select coalesce(json_agg(json_build_object('action', e.action, 'at', e.created_at,
      'by', private.name_of(u.raw_user_meta_data, u.email)) order by e.created_at, e.id), '[]'::json) as trace
    from public.redemption_events e left join auth.users u on u.id = e.user_id
    where e.org_id = v_org_id and e.redemption_id = shown.id
  ) t;

  return json_build_object(
    'reward', json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_org_id),
    'page', v_page, 'has_next', v_has_next, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_stats(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- First, so that a plan that is over is refused the same way whether the reward exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_reward public.rewards;
  v_campaign_name text;
  v_today date;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  select c.name, private.now_in(s.timezone)::date into v_campaign_name, v_today
  from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = v_reward.org_id and c.id = v_reward.campaign_id;
  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type,
      'stock', v_reward.stock, 'campaign_name', v_campaign_name),
    'advanced', case when private.has_feature(v_reward.org_id, 'advanced_analytics') then jsonb_build_object(
      'figures', private.reward_figures(v_reward.org_id, p_id),
      'counts', private.code_counts(v_reward.org_id, p_id),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'wins', coalesce(f.wins, 0),
          'redemptions', coalesce(f.redemptions, 0)) order by calendar.day)
        from generate_series(v_today - 89, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.wins) as wins, sum(d.redemptions) as redemptions
          from private.reward_days_now(v_reward.org_id) d
          where d.reward_id = p_id and d.day >= v_today - 89
          group by d.day
        ) f on f.day = calendar.day::date
      )) end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
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
  v_key constant text := private.sort_key(p_sort, '{name,scans,reviews,rating,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  perform 1 from private.my_reading_rights('{stores.read,activity.read}', 'stores.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{stores.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) filter (where s.archived_at is null), count(*) filter (where s.archived_at is not null),
    coalesce(array_agg(s.id order by
      case when not v_is_down then k.word end, case when v_is_down then k.word end desc,
      case when v_is_down then -k.number else k.number end, s.created_at desc, s.id) filter (
      where (s.archived_at is not null) = v_is_archived
        and (v_pattern is null or private.has_words(s.name, v_pattern, v_hint) or private.has_words(s.address, v_pattern, v_hint))), '{}')
  into v_total, v_archived, v_ids
  from public.stores s
  left join (
    select d.store_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
    from private.campaign_figures_now(p_org_id) d
    where v_key in ('scans', 'reviews', 'rating') group by d.store_id
  ) t on t.store_id = s.id
  cross join lateral (
    select case v_key when 'name' then private.words(s.name) end as word, case v_key
      when 'scans' then coalesce(t.scans, 0)::double precision
      when 'reviews' then coalesce(t.reviews, 0)::double precision
      -- Without a review it has no mean, and stands below the worst.
      when 'rating' then coalesce(t.rating_sum::double precision / nullif(t.reviews, 0), 0)
      when 'created_at' then extract(epoch from s.created_at)::double precision
    end as number
  ) k
  where s.org_id = p_org_id;
  v_matches := cardinality(v_ids);
  v_page := private.last_page(p_page, v_matches, v_page_size);
  v_ids := v_ids[(v_page - 1) * v_page_size + 1 : v_page * v_page_size];

  -- Of all stores, which stands above the list, and of each, in one look.
  with sums as (
    select d.store_id, grouping(d.store_id) = 1 as is_total, coalesce(sum(d.scans), 0) as scans,
      coalesce(sum(d.reviews), 0) as reviews, coalesce(sum(d.rating_sum), 0) as rating_sum,
      coalesce(sum(d.five_star_reviews), 0) as five_star_reviews, coalesce(sum(d.public_clicks), 0) as public_clicks,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    from private.campaign_figures_now(p_org_id) d group by grouping sets ((), (d.store_id))
  ), figures as materialized (
    select f.store_id, f.is_total, json_build_object('scans', f.scans, 'reviews', f.reviews,
      'rating_sum', f.rating_sum, 'five_star_reviews', f.five_star_reviews, 'public_clicks', f.public_clicks,
      'spins', f.spins, 'wins', f.wins, 'redemptions', f.redemptions) as figures
    from sums f where f.is_total or f.store_id = any (v_ids)
  ), doors as materialized (
    select * from private.store_entries(p_org_id, v_ids)
  )
  select
    (select f.figures from figures f where f.is_total),
    coalesce(json_agg(json_build_object(
      'id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
      'timezone', s.timezone, 'created_at', s.created_at, 'archived_at', s.archived_at,
      'active_campaigns', door.active_campaigns, 'campaigns', door.campaigns,
      'slug', door.slug, 'closed', door.closed,
      -- A store with campaigns has a history, which saves the call for nearly every row.
      'has_history', door.campaigns > 0 or private.has_store_history(p_org_id, s.id),
      'figures', coalesce(f.figures, '{"scans": 0, "reviews": 0, "rating_sum": 0, "five_star_reviews": 0,
        "public_clicks": 0, "spins": 0, "wins": 0, "redemptions": 0}')) order by array_position(v_ids, s.id)), '[]'::json)
  into v_figures, v_items
  from public.stores s
  join doors door on door.store_id = s.id
  left join figures f on f.store_id = s.id
  where s.org_id = p_org_id and s.id = any (v_ids);

  return json_build_object(
    'total', v_total,
    'with_active_campaigns', (select count(*) from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.id in (
        select c.store_id from public.campaigns c where c.org_id = p_org_id and c.active)),
    'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.store_stats(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- First, so that a plan that is over is refused the same way whether the store exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_store public.stores;
  v_today date;
  v_figures jsonb;
begin
  select * into v_store from public.stores s
  where s.id = p_id and s.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  v_today := private.now_in(v_store.timezone)::date;
  v_figures := private.store_figures(v_store.org_id, p_id);
  return jsonb_build_object(
    'store', jsonb_build_object('id', v_store.id, 'name', v_store.name, 'address', v_store.address),
    'public_rating', private.public_rating(v_store.org_id, p_id, 60) || jsonb_build_object('url', v_store.google_review_url),
    'figures', v_figures - '{free_spins,free_wins,free_redemptions}'::text[],
    'advanced', case when private.has_feature(v_store.org_id, 'advanced_analytics') then jsonb_build_object(
      'funnel', private.funnel(v_figures),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'scans', coalesce(f.scans, 0),
          'reviews', coalesce(f.reviews, 0), 'spins', coalesce(f.spins, 0)) order by calendar.day)
        from generate_series(v_today - 29, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.spins) as spins
          from private.store_days_now(v_store.org_id, p_id, v_today - 29, 'infinity') d
          group by d.day
        ) f on f.day = calendar.day::date
      )) end,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'scans', f.scans,
        'reviews', f.reviews, 'rating_sum', f.rating_sum) order by f.reviews desc, f.scans desc, c.id)
      from (
        select d.campaign_id, sum(d.scans) as scans, sum(d.reviews) as reviews, sum(d.rating_sum) as rating_sum
        from private.campaign_figures_now(v_store.org_id) d where d.store_id = p_id
        group by d.campaign_id order by 3 desc, 2 desc limit 20
      ) f
      join public.campaigns c on c.org_id = v_store.org_id and c.id = f.campaign_id
    ), '[]'::jsonb));
end;
$function$;

COMMENT ON FUNCTION "private"."code_key"(text) IS 'A code as it is compared, whatever its case, spaces and signs; the generated columns code_key say the same. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."name_or_email"(text, text) IS 'How the team reads who a customer is: the name, or the address of somebody who gave none. Planned as part of the query that calls it.';

REVOKE ALL ON FUNCTION "private"."code_key"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."code_key"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."name_or_email"(text, text) FROM PUBLIC;
