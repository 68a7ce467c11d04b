-- Comments in bodies of functions begin with their noun: no statement changes.

set check_function_bodies = off;

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
      -- Members who may not see customers are led to the campaign, where reviews name nobody.
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

CREATE OR REPLACE FUNCTION private.audit_wheel()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A campaign that is made with its wheel, or deleted, is one entry; segments that come, change and
  -- go together are one change.
  if exists (select 1 from public.campaigns c where c.id = new.id) and not exists (
    select 1 from public.audit_events e
    where e.org_id = new.org_id and e.subject_id = new.id and e.created_at = now()
      and (e.action = 'campaign.created' or e.detail -> 'fields' = '["wheel"]'::jsonb)
  ) then
    perform private.audit(new.org_id, 'campaign.updated', 'campaign', new.id,
      jsonb_build_object('name', new.name, 'fields', jsonb_build_array('wheel')));
  end if;
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
    -- Prizes that the team gave are few.
    select d.reward_id, 1 from public.redemptions d
    where d.org_id = p_org_id and d.campaign_id = p_campaign_id and d.spin_id is null and d.status = 'used'
  ) u
  join public.rewards w on w.org_id = p_org_id and w.id = u.reward_id;
$function$;

CREATE OR REPLACE FUNCTION private.cost_now(p_org_id uuid, p_from date, p_until date, OUT cost numeric, OUT unpriced bigint)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(sum(d.cost), 0), coalesce(sum(d.unpriced), 0)
  from (
    select c.cost, c.unpriced from private.folded_costs c
    where c.org_id = p_org_id and c.day >= p_from and c.day < p_until
    union all
    select f.redemptions * coalesce(r.value, 0), f.redemptions * (r.value is null)::integer
    from private.recent_figures f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    where f.org_id = p_org_id and f.redemptions <> 0 and f.day >= p_from and f.day < p_until
    union all
    -- Prizes that the team gave are few, and cost as much.
    select coalesce(r.value, 0), (r.value is null)::integer
    from public.redemptions g
    join public.stores o on o.org_id = g.org_id and o.id = g.store_id
    join public.rewards r on r.org_id = g.org_id and r.id = g.reward_id
    where g.org_id = p_org_id and g.spin_id is null and g.status = 'used'
      and (g.used_at at time zone o.timezone)::date >= p_from and (g.used_at at time zone o.timezone)::date < p_until
    union all
    -- From the few rewards to their days: a join would be planned from the days of all rewards.
    select s.uses * (coalesce(r.value, 0) - coalesce(p.value, 0)),
      s.uses * ((r.value is null)::integer - (p.value is null)::integer)
    from private.repriced_rewards p
    join public.rewards r on r.org_id = p.org_id and r.id = p.reward_id
    cross join lateral (
      select coalesce(sum(d.redemptions), 0) as uses from public.reward_daily_stats d
      where d.org_id = p_org_id and d.reward_id = p.reward_id and d.day >= p_from and d.day < p_until
    ) s
    where p.org_id = p_org_id
  ) d;
$function$;

CREATE OR REPLACE FUNCTION private.customer_page(p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_key text, p_is_up boolean, p_page_size integer, OUT ids uuid[], OUT is_back boolean, OUT has_previous boolean, OUT has_next boolean, OUT matches integer, OUT has_more_matches boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_is_search constant boolean := private.query_words(p_filters ->> 'search') is not null;
  v_most_counted constant integer := case when v_is_search then 100 else 1000 end;
  -- One more than is shown tells whether there is a next page.
  v_wanted constant integer := case when v_is_search then v_most_counted else p_page_size end + 1;
  v_at timestamptz;
  v_id uuid;
  v_has_more boolean;
begin
  if coalesce(p_before, p_after) is not null then
    select c.created_at, c.id into v_at, v_id from public.customers c
    where c.org_id = p_org_id and c.id = coalesce(p_before, p_after);
  end if;

  is_back := p_before is not null and v_at is not null;
  loop
    -- Read from where the page begins: up or down the same index.
    if p_key in ('name', 'activity') then
      ids := private.sorted_customers(p_org_id, p_filters, p_key, is_back <> p_is_up, case when v_at is not null then v_id end,
        case when v_at is null then v_wanted else p_page_size + 1 end);
    elsif is_back <> p_is_up then
      select array_agg(p.id order by p.created_at, p.id) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) > (v_at, v_id))
        order by c.created_at, c.id limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    else
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) < (v_at, v_id))
        order by c.created_at desc, c.id desc limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    end if;
    v_has_more := coalesce(array_length(ids, 1), 0) > p_page_size;
    exit when v_has_more or not is_back;
    -- A page before which nothing stands is the first one, and shows all of it.
    is_back := false;
    v_at := null;
  end loop;

  if p_filters <> '{}' then
    if v_at is null and (v_is_search or not v_has_more) then
      -- Matches that were found once are not looked for again.
      matches := coalesce(array_length(ids, 1), 0);
    else
      select count(*) into matches from (
        select 1 from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters) limit v_most_counted + 1
      ) counted;
    end if;
    has_more_matches := matches > v_most_counted;
    matches := least(matches, v_most_counted);
  end if;
  ids := ids[1:p_page_size];
  has_previous := case when is_back then v_has_more else v_at is not null end;
  has_next := is_back or v_has_more;
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
    if p_code.status <> 'available' or p_code.verdict is not null or p_code.expires_at <= now() then
      return false;
    end if;
    update public.redemptions d set verdict = 'held' where d.org_id = p_code.org_id and d.id = p_code.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_held'));
  elsif p_action = 'cancel' then
    -- Over by time, and never held back: its winner has lost nothing by a cancellation, and the stock stays as it is.
    if p_code.status = 'used' or p_code.verdict = 'cancelled'
      or (p_code.verdict is null and (p_code.status = 'expired' or p_code.expires_at <= now()))
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

CREATE OR REPLACE FUNCTION private.draw_segment(p_weights integer[], p_rewards uuid[], p_is_drawable boolean[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_total integer := 0;
  v_winning integer := 0;
  v_losing integer := 0;
  v_point integer;
  v_is_win boolean;
begin
  for i in 1..coalesce(array_length(p_weights, 1), 0) loop
    v_total := v_total + p_weights[i];
    if p_rewards[i] is null then
      v_losing := v_losing + p_weights[i];
    elsif p_is_drawable[i] then
      v_winning := v_winning + p_weights[i];
    end if;
  end loop;
  if v_losing = 0 then
    if v_winning = 0 then
      return null;
    end if;
    v_total := v_winning;
  end if;

  -- Odds that cannot be won go to the losing segments in proportion: a point anywhere outside the winning
  -- stretch loses, and a second draw says on which segment.
  v_point := private.random_below(v_total);
  v_is_win := v_point < v_winning;
  if not v_is_win then
    v_point := private.random_below(v_losing);
  end if;
  for i in 1..array_length(p_weights, 1) loop
    continue when (p_rewards[i] is null) = v_is_win or (v_is_win and not p_is_drawable[i]);
    v_point := v_point - p_weights[i];
    if v_point < 0 then
      return i;
    end if;
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION private.enqueue_customer_mail(p_org_id uuid, p_customer_id uuid, p_template text, p_to text, p_data jsonb, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_not_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- An erasure at this instant goes first, or waits and finds this mail.
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_customer_id for key share;
  if p_customer_id is not null and not found then
    return null;
  end if;
  return private.enqueue_message('mail', p_template, p_to, p_data, p_expires_at, p_not_before, p_org_id || ' ' || p_customer_id);
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
    handling = case when r.handling = 'open' or (r.handling is null and r.rating <= 3) then 'closed' else r.handling end, customer_name = null, customer_email = null, customer_phone = null, review_text = null,
    locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.erase_files(p_bucket text, p_names text[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Most names that one entry of the outbox has room for.
  c_at_once constant integer := 100;
  v_names text[];
  v_count integer;
begin
  -- Bytes that stand in the database go with the row.
  if to_regclass('storage.contents') is not null then
    delete from storage.objects o where o.bucket_id = p_bucket and o.name = any (p_names);
    get diagnostics v_count = row_count;
    return v_count;
  end if;
  -- On a hosted project they would be left behind: the storage itself removes both.
  v_names := array(
    select n.name from unnest(p_names) n (name)
    where not exists (
      select from private.outbox m
      where m.channel = 'file' and m.state = 'queued' and m.recipient = p_bucket and m.data -> 'names' ? n.name)
    order by n.name);
  v_count := cardinality(v_names);
  for v_first in 1 .. v_count by c_at_once loop
    -- The job sweep_files finds again within the hour what could not be removed by then.
    perform private.enqueue_message('file', 'remove', p_bucket,
      jsonb_build_object('names', v_names[v_first : v_first + c_at_once - 1]), now() + interval '1 hour');
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.expand_permissions(p_permissions text[])
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(distinct p.permission order by p.permission), '{}')
  from (
    select w as permission from unnest(p_permissions) w
    union all
    -- A right to change needs the right to see; a code to redeem is handed over by its owner.
    select split_part(w, '.', 1) || '.read' from unnest(p_permissions) w where w <> 'codes.redeem'
    union all
    -- A right to make rewards needs the right to see campaigns.
    select 'campaigns.read' from unnest(p_permissions) w where w in ('rewards.write', 'rewards.delete')
    union all
    -- Codes are listed by the reward that they are for.
    select 'rewards.read' from unnest(p_permissions) w where w = 'codes.read'
    union all
    -- Every permission but those of the till needs access to the back-office.
    select unnest('{activity.read,stores.read}'::text[]) from unnest(p_permissions) w where w <> 'codes.redeem'
  ) p
  where exists (select 1 from public.role_permissions known where known.role = 'owner' and known.permission = p.permission);
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
  -- Messages to them and notes about their reviews; by whom is the colleague's own.
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

CREATE OR REPLACE FUNCTION private.find_reviews(p_org_id uuid, p_filters jsonb, p_user_id uuid, p_at timestamp with time zone, p_id uuid, p_is_back boolean, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_most constant integer := 300;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
  v_filters constant jsonb := jsonb_build_object('search', p_filters ->> 'search');
  v_is_frequent boolean;
  v_walked uuid[];
  v_is_whole boolean;
begin
  -- A name that three in a hundred of the newest customers have is found sooner by going through the reviews.
  if private.is_frequent_name(p_org_id, v_pattern) then
    select w.ids, w.is_whole into v_walked, v_is_whole
    from private.walk_reviews(p_org_id, p_filters, p_user_id, p_at, p_id, p_is_back, p_limit) w;
    if v_is_whole then
      return v_walked;
    end if;
  end if;
  -- PostgreSQL keeps no statistics for a partial index: how frequent a word is, the newest reviews tell. What three in a
  -- hundred of them say is found sooner by date than among all that the index of words would bring.
  v_is_frequent := (
    select count(*) from (
      select r.review_text from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most
    ) newest where private.has_review_words(newest.review_text, v_pattern, v_hint)
  ) * 100 >= 3 * v_most;
  return array(
    -- A column says that a review passes the filters: rows as a whole would be put together and taken apart again.
    with said as (
      (
        select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews r
        where v_is_frequent and r.org_id = p_org_id and r.review_text is not null
          -- A function instead of the index's expression, so that the index is not used here.
          and private.has_review_words(r.review_text, v_pattern, v_hint)
        order by r.created_at desc limit v_most
      )
      union all
      (
        select o.created_at, o.id, o.is_in_inbox
        from (
          select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
          from public.pre_spin_reviews r
          where not v_is_frequent and r.org_id = p_org_id and r.review_text is not null
            and private.review_words(r.review_text) like v_pattern
          -- « offset 0 »: three letters are taken for frequent by a plan that reads by date, and reads everything where none has them.
          offset 0
        ) o
        order by o.created_at desc limit v_most
      )
    ), written as (
      select w.created_at, w.id, w.is_in_inbox
      from (
        select c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
        -- A frequent name that is rare among what passes the filters is looked for further back.
        order by c.created_at desc, c.id desc limit case when v_walked is null then v_most else 20 * v_most end
      ) c
      cross join lateral (
        select o.created_at, o.id, private.is_in_inbox(o, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews o
        where o.org_id = p_org_id and o.customer_id = c.id order by o.created_at desc limit 20
      ) w
    ), found as (
      select s.created_at, s.id from said s where s.is_in_inbox
      union
      select w.created_at, w.id from written w where w.is_in_inbox
      union
      select r.created_at, r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.id = any (v_walked)
    )
    select f.id from found f
    where p_at is null or case when p_is_back then (f.created_at, f.id) > (p_at, p_id) else (f.created_at, f.id) < (p_at, p_id) end
    order by case when p_is_back then f.created_at end, case when p_is_back then f.id end, f.created_at desc, f.id desc
    limit p_limit);
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_messages(p_org_id uuid, p_customer_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- The answer's own state says that it was not sent (private.note_delivery).
  update private.outbox o set state = 'failed', last_error = 'erased', data = '{}', settled_at = now()
  where o.customer = p_org_id || ' ' || p_customer_id and o.state = 'queued';
  delete from private.outbox o where o.customer = p_org_id || ' ' || p_customer_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.has_store_history(p_org_id uuid, p_store_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from private.store_days_now(p_org_id, p_store_id, '-infinity', 'infinity'))
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    -- Members who work there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id)
    or exists (select 1 from private.api_keys k where k.org_id = p_org_id and k.store_id = p_store_id
      and k.revoked_at is null);
$function$;

CREATE OR REPLACE FUNCTION private.inspect_code(p_user_id uuid, p_code text, p_store_id uuid)
 RETURNS TABLE(state text, redemption public.redemptions)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select m.org_id into v_org_id
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id
  where m.user_id = p_user_id and p_store_id = coalesce(private.bound_store(m.role, m.store_id), p_store_id);
  if not found then
    return query select 'forbidden', null::public.redemptions;
  -- Guessed codes are slowed down; a busy till is not.
  elsif private.count_attempt(array['code user ' || p_user_id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(v_org_id, p_store_id, p_code);
  end if;
end;
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
    -- A word that was read before midnight holds for ten minutes more.
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
      -- Spins that were marked make no habit, unless somebody said that they are one.
      and not exists (
        select 1 from private.check_codes m
        join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
        where m.org_id = r.org_id and m.redemption_id = r.id and g.kind = 'quiet_hours' and not g.is_normal
      )
    order by r.used_at desc limit 300
  ) u;
$function$;

CREATE OR REPLACE FUNCTION private.join_by_invitation(p_invitation private.invitations)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_user auth.users;
  v_invitation private.invitations;
begin
  perform private.lock_team(p_invitation.org_id);
  -- It may have been accepted, taken back or sent again while the lock was waited for.
  select * into v_invitation from private.invitations i
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id and i.token_hash = p_invitation.token_hash
  for update;
  select * into v_user from auth.users u where u.id = v_user_id;
  case private.invitation_state(v_invitation)
    when 'open' then null;
    when 'withdrawn' then raise exception 'invitation_withdrawn' using errcode = 'TV099';
    when 'expired' then raise exception 'invitation_expired' using errcode = 'TV100';
    else
      -- A repeat of what has worked, whose answer was lost.
      if v_invitation.accepted_by = v_user_id and exists (
        select 1 from public.organization_members m where m.org_id = v_invitation.org_id and m.user_id = v_user_id
      ) then
        return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
      end if;
      raise exception 'invitation_unknown' using errcode = 'TV098';
  end case;
  if lower(v_user.email) is distinct from v_invitation.email then
    raise exception 'invitation_for_other_address' using errcode = 'TV101';
  elsif v_user.email_confirmed_at is null then
    -- An unconfirmed address uses no seat.
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  -- An owner whose organisation waits to be erased may begin anew here.
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  update private.invitations i set accepted_at = now(), accepted_by = v_user_id
  where i.org_id = v_invitation.org_id and i.id = v_invitation.id;
  insert into public.organization_members (org_id, user_id, role, store_id)
  values (v_invitation.org_id, v_user_id, v_invitation.role, v_invitation.store_id);
  insert into public.notification_preferences (org_id, user_id) values (v_invitation.org_id, v_user_id);
  perform private.audit(v_invitation.org_id, 'member.joined', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_invitation.role));
  return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
end;
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
  v_losses integer;
  v_new_losses integer;
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
  select array_agg(o) into v_origins from claimed o;
  -- Codes before the customers, as whoever erases them: two orders would make deadlocks.
  perform 1 from public.redemptions d
  where (d.org_id, d.customer_id) in (select o.org_id, o.customer_id from unnest(v_origins) o)
  order by d.reward_id, d.id for key share;
  perform 1 from public.customers c
  where (c.org_id, c.id) in (select o.org_id, o.customer_id from unnest(v_origins) o)
  order by c.id for key share;
  -- Customers who were erased meanwhile leave nothing behind.
  select array_agg(o order by o.created_at, o.spin_id) into v_origins
  from unnest(v_origins) o join public.customers c on c.org_id = o.org_id and c.id = o.customer_id;
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
    select count(*), count(*) filter (where s.id = any (array(select o.spin_id from unnest(v_origins) o)))
    into v_losses, v_new_losses
    from private.device_customers k
    join public.spins s on s.org_id = k.org_id and s.customer_id = k.customer_id and s.campaign_id = k.campaign_id
      and s.created_at between k.first_at and k.last_at and s.result_type = 'lose'
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > v_origin.last_at - case when v_month >= 2 * v_settings.device_names then interval '30 days'
        else interval '24 hours' end;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'device', v_origin.device_key,
      case when v_month >= 2 * v_settings.device_names then v_month else v_day end, array(
      select d.id
      from private.device_customers k
      join public.redemptions d on d.org_id = k.org_id and d.customer_id = k.customer_id and d.spin_id is not null
        and d.campaign_id = k.campaign_id and d.created_at between k.first_at and k.last_at
      where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
        and k.last_at > v_origin.last_at - case when v_month >= 2 * v_settings.device_names then interval '30 days'
          else interval '24 hours' end
    ), v_losses, v_new_losses);
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
    select count(*), count(*) filter (where t.spin_id = v_origin.spin_id) into v_losses, v_new_losses
    from private.network_turns t
    join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
    join public.spins s on s.org_id = t.org_id and s.id = t.spin_id and s.result_type = 'lose'
    where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
      and t.created_at > v_origin.created_at - case when v_month * 2 >= v_factor * 3 then interval '1 hour'
        else interval '10 minutes' end
      and t.created_at <= v_origin.created_at
      and c.created_at > t.created_at - interval '1 hour';
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
    ), v_losses, v_new_losses);
  end loop;

  for v_origin in
    select o.org_id, o.campaign_id, m.domain, array_agg(d.id order by d.id) filter (where d.id is not null) as codes,
      count(distinct d.customer_id)::integer as names, count(*) filter (where s.result_type = 'lose')::integer as losses
    from unnest(v_origins) o
    join public.spins s on s.org_id = o.org_id and s.id = o.spin_id
    left join public.redemptions d on d.org_id = o.org_id and d.spin_id = o.spin_id
    cross join lateral (select lower(split_part(s.end_user_email, '@', -1)) as name) a
    join private.disposable_domains m on m.domain in (a.name, regexp_replace(a.name, '^[^.]+\.', ''))
    group by 1, 2, 3 order by 1, 2, 3
  loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    continue when not v_settings.marks_disposable;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'disposable', v_origin.domain, v_origin.names, v_origin.codes,
      v_origin.losses, v_origin.losses);
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.low_stock(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Figures that are not folded yet are one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, f.wins from private.recent_figures f
    where f.org_id = p_org_id and f.wins <> 0 and f.reward_id is not null and f.day is not null
  ), candidates as materialized (
    -- Upper bound, so that few rewards need an exact count: no seven days had more wins than eight of the best days.
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

CREATE OR REPLACE FUNCTION private.my_reading_rights(p_permissions text[], p_needed text DEFAULT NULL::text, OUT org_id uuid, OUT held text[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  if v_user_id is null then
    -- A key of the API, or nobody.
    select o into org_id from private.my_org_ids() o;
    held := array(select p from unnest(p_permissions) p where exists (select from private.my_org_ids(p)));
  else
    select m.org_id, array(
        select p.permission from public.role_permissions p
        where p.role = m.role and p.permission = any (p_permissions))
    into org_id, held
    from public.organization_members m where m.user_id = v_user_id;
  end if;
  held := coalesce(held, '{}');
  if p_needed <> all (held) then
    held := '{}';
  elsif held <> '{}' and v_user_id is not null then
    -- A plan that is over lets the same be read for all of them.
    perform private.require_plan(org_id, held[1]);
  end if;
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
  -- The player types the address, which could be anybody's: few mails a day reach it.
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

CREATE OR REPLACE FUNCTION private.period_costs(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
  with used as materialized (
    select u.reward_id, sum(u.uses) as uses
    from (
      -- Whole months, and the days beside them.
      select m.reward_id, m.redemptions as uses from private.folded_reward_months m
      where m.org_id = p_org_id and m.month >= private.month_from(p_from) and m.month < private.month_of(p_until)
      union all
      select d.reward_id, d.redemptions from public.reward_daily_stats d
      where d.org_id = p_org_id and d.day >= p_from and d.day < least(private.month_from(p_from), p_until) and d.redemptions <> 0
      union all
      select d.reward_id, d.redemptions from public.reward_daily_stats d
      where d.org_id = p_org_id and d.day >= greatest(private.month_from(p_from), private.month_of(p_until)) and d.day < p_until
        and d.redemptions <> 0
      union all
      select f.reward_id, f.redemptions from private.recent_figures f
      where f.org_id = p_org_id and f.reward_id is not null and f.day >= p_from and f.day < p_until and f.redemptions <> 0
      union all
      -- Prizes that the team gave cost as much.
      select g.reward_id, 1
      from public.redemptions g join public.stores o on o.org_id = g.org_id and o.id = g.store_id
      where g.org_id = p_org_id and g.spin_id is null and g.status = 'used'
        and (g.used_at at time zone o.timezone)::date >= p_from and (g.used_at at time zone o.timezone)::date < p_until
    ) u
    group by u.reward_id having sum(u.uses) > 0
  )
  select jsonb_build_object(
    'rewards', (select count(*) from used),
    -- Rows without the figure come first: it has to be filled in.
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'uses', t.uses, 'value', t.value, 'version', t.version)
        order by t.value is not null, t.uses * t.value desc, t.uses desc, t.name, t.id)
      from (
        select r.id, r.name, u.uses, r.value, r.version
        from used u join public.rewards r on r.org_id = p_org_id and r.id = u.reward_id
        order by r.value is not null, u.uses * r.value desc, u.uses desc, r.name, r.id limit 5
      ) t), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Days that are not folded are read once for all stores; of the others each store's stand side by side.
  with recent as materialized (
    select d.store_id, sum(d.redemptions) as visits from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_until group by d.store_id
  ), stores as materialized (
    select s.id as store_id, coalesce(v.visits, 0) + coalesce(n.visits, 0) as visits, s.name, s.average_basket
    from public.stores s
    left join recent n on n.store_id = s.id
    cross join lateral (
      select sum(f.redemptions) as visits from private.folded_store_sums(p_org_id, s.id, p_from, p_until) f
    ) v
    where s.org_id = p_org_id and coalesce(v.visits, 0) + coalesce(n.visits, 0) <> 0
  ), prizes as (
    select c.cost, c.unpriced from private.cost_now(p_org_id, p_from, p_until) c
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'return_share', (select o.return_share from public.organizations o where o.id = p_org_id),
    'cost', (select p.cost from prizes p), 'unpriced', (select p.unpriced from prizes p),
    'stores', (select count(*) from stores),
    -- Rows without the figure come first: it has to be filled in.
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

CREATE OR REPLACE FUNCTION private.publish_rules()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_content jsonb;
  v_hash bytea;
  v_version integer;
begin
  -- A change of the same campaign at the same time waits here, and then reads what the other has left.
  select * into v_campaign from public.campaigns c where c.id = new.id and c.rules_stale for no key update;
  if not found then
    return null;
  end if;
  v_content := private.rules_content(v_campaign);
  v_hash := sha256(convert_to(v_content::text, 'UTF8'));
  select r.version into v_version from public.campaign_rules r
  where r.campaign_id = new.id and r.content_hash = v_hash;
  if not found then
    insert into public.campaign_rules (org_id, campaign_id, version, content, content_hash)
    select v_campaign.org_id, new.id, coalesce(max(r.version) + 1, v_campaign.rules_version), v_content, v_hash
    from public.campaign_rules r where r.org_id = v_campaign.org_id and r.campaign_id = new.id
    returning version into v_version;
  end if;
  update public.campaigns c set rules_version = v_version, rules_stale = false where c.id = new.id;
  return null;
end;
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
  -- The person who has just typed the number knows it.
  where r.user_id is distinct from v_user_id;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.refuse_former_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_slug text;
begin
  -- Two who take and give up one slug at the same instant take turns, always in the same order.
  for v_slug in
    select distinct s from unnest(array[new.slug, case when tg_op = 'UPDATE' then old.slug end]) s where s is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('organization slug ' || v_slug, 0));
  end loop;
  if exists (
    select 1 from public.organization_slug_redirects r where r.slug = new.slug and r.org_id <> new.id
  ) then
    raise exception 'slug_taken' using errcode = '23505', constraint = 'organizations_slug_key';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.remind_prizes(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_code public.redemptions;
  v_mail_id uuid;
  v_count integer := 0;
begin
  for v_due in
    select d.org_id, d.id, coalesce(t.end_user_email, c.email) as address
    from public.redemptions d
    join public.spins t on t.org_id = d.org_id and t.id = d.spin_id
    join public.stores s on s.org_id = d.org_id and s.id = d.store_id
    join public.subscriptions u on u.org_id = d.org_id
    left join public.customers c on c.org_id = d.org_id and c.id = d.customer_id
    where d.status = 'available' and d.verdict is null and d.expires_at > now() and d.expires_at < now() + interval '5 days'
      -- In the three days before the last one, and in the daytime of the store.
      and (d.expires_at at time zone s.timezone)::date - private.now_in(s.timezone)::date between 1 and 3
      and extract(hour from private.now_in(s.timezone)) between 9 and 18
      -- No reminder in the first three days after the win.
      and d.created_at < now() - interval '3 days'
      -- A till takes no code of a plan that is over.
      and private.is_open(u)
      and not exists (
        select 1 from private.prize_reminders m where m.org_id = d.org_id and m.spin_id = d.spin_id
      )
    order by d.expires_at, d.id limit p_limit
    -- A code that a till is using right now is left to that till.
    for update of d skip locked
  loop
    v_count := v_count + 1;
    v_mail_id := null;
    select d.* into v_code from public.redemptions d where d.org_id = v_due.org_id and d.id = v_due.id;
    -- The player types the address, which could be anybody's: it gets few reminders a day.
    if v_due.address is not null and private.count_attempt(
      array['prize reminder to ' || encode(sha256(convert_to(private.normalize_email(v_due.address), 'UTF8')), 'hex')],
      '{3}', interval '1 day') is null
    then
      v_mail_id := private.write_prize_mail('prize_reminder', v_due.address, v_code);
    end if;
    insert into private.prize_reminders (org_id, spin_id, mail_id)
    values (v_code.org_id, v_code.spin_id, v_mail_id);
  end loop;
  return v_count;
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

CREATE OR REPLACE FUNCTION private.sorted_customers(p_org_id uuid, p_filters jsonb, p_key text, p_is_up boolean, p_from uuid, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  -- Each of them is the key of an index, which no parameter of a statement could name.
  v_key constant text := case p_key
    when 'name' then 'c.name_key'
    when 'activity' then 'coalesce(c.last_activity_day, ''-infinity'')'
  end;
  v_direction constant text := case when p_is_up then 'asc' else 'desc' end;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_most constant integer := 3000;
  v_range text := '';
  v_at text;
  v_ids uuid[];
begin
  if p_from is not null then
    execute format('select (%s)::text from public.customers c where c.org_id = $1 and c.id = $2', v_key)
    into v_at using p_org_id, p_from;
    v_range := format('and (%s, c.id) %s (%L::%s, %L::uuid)', v_key, case when p_is_up then '>' else '<' end, v_at,
      case p_key when 'activity' then 'date' else 'text' end, p_from);
  end if;
  -- The index of words knows three signs in a row.
  if p_key = 'name' and length(v_pattern) >= 5 then
    -- A name that three in a hundred of the newest have is met soon from A to Z; but those of one first name stand together, maybe last of all.
    if private.is_frequent_name(p_org_id, v_pattern) then
      execute format('select array(select w.id from (
          select c.id, c.name_key, c.search_words from public.customers c
          where c.org_id = $1 and private.matches_filters(c, $2) %1$s order by %2$s %3$s, c.id %3$s limit $3
        ) w where w.search_words like $4 order by w.name_key %3$s, w.id %3$s limit $5)', v_range, v_key, v_direction)
      into v_ids using p_org_id, p_filters - 'search', v_most, v_pattern, p_limit;
      if cardinality(v_ids) >= p_limit then
        return v_ids;
      end if;
    end if;
    -- « offset 0 »: found by the index of words, then put in order.
    execute format('select array(select f.id from (
        select c.id, c.name_key from public.customers c where c.org_id = $1 and private.matches_filters(c, $2) %1$s offset 0
      ) f order by f.name_key %3$s, f.id %3$s limit $3)', v_range, v_key, v_direction)
    into v_ids using p_org_id, p_filters, p_limit;
    return v_ids;
  end if;
  execute format('select array(select c.id from public.customers c
    where c.org_id = $1 and private.matches_filters(c, $2) %1$s order by %2$s %3$s, c.id %3$s limit $3)',
    v_range, v_key, v_direction)
  into v_ids using p_org_id, p_filters, p_limit;
  return v_ids;
end;
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
      -- Prizes that the team gave were not won: they stand in no figure of the wheel, and nobody checks them.
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

CREATE OR REPLACE FUNCTION public.begin_billing(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid DEFAULT NULL::uuid, OUT outcome text, OUT org_id uuid, OUT org_name text, OUT email text, OUT plan text, OUT status text, OUT customer_id text, OUT subscription_id text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select m.org_id into begin_billing.org_id
  from public.organization_members m
  join public.role_permissions r on r.role = m.role and r.permission = 'billing.manage'
  where m.user_id = p_user_id and (p_org_id is null or m.org_id = p_org_id);
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  perform private.lock_billing(begin_billing.org_id);
  select 'granted', o.name, u.email, s.plan, s.status, s.stripe_customer_id, s.stripe_subscription_id
  into outcome, org_name, begin_billing.email, begin_billing.plan, begin_billing.status, customer_id, subscription_id
  from public.organizations o
  join public.subscriptions s on s.org_id = o.id
  left join auth.users u on u.id = p_user_id
  where o.id = begin_billing.org_id;
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  -- Changes of the plan in this transaction are this person's doing.
  perform set_config('tournavis.acting_user', p_user_id::text, true);
end;
$function$;

CREATE OR REPLACE FUNCTION public.contact_operator(p_request_id uuid, p_to text, p_topic text, p_name text, p_email text, p_body text, p_address_hash text, OUT outcome text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_retry_after integer;
begin
  -- A second copy of the same form waits for the first, and learns that it was sent.
  perform pg_advisory_xact_lock(hashtextextended('contact ' || p_request_id, 0));
  if exists (select 1 from private.contact_requests c where c.id = p_request_id) then
    outcome := 'repeated';
    return;
  end if;
  v_retry_after := private.count_attempt(
    array['contact address ' || p_address_hash, 'contact'], '{5,200}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  insert into private.contact_requests (id) values (p_request_id);
  perform private.enqueue_mail('contact_request', p_to, jsonb_build_object('facts', jsonb_build_object(
    'topic', p_topic, 'sender', p_name, 'reply_to', p_email, 'body', p_body)), now() + interval '2 days');
  outcome := 'sent';
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
  -- An account that has proven neither an address nor a number is nobody yet.
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
  insert into public.organizations (name, slug) values (btrim(p_name), p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  update public.subscriptions s set trial_end = v_trial_end where s.org_id = v_org.id and v_trial_end < s.trial_end;
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_recovery_codes()
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_session auth.sessions := private.my_session();
  v_codes text[];
begin
  if v_user_id is null then
    raise exception 'unauthenticated' using errcode = '42501';
  elsif not exists (select 1 from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified') then
    -- A second factor that exists has been used, or this line would not be reached.
    raise exception 'second_factor_required' using errcode = 'TV010';
  end if;
  -- One after the other: of two calls at once, the codes of the later stay, all ten.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r where r.user_id = v_user_id;
  select array_agg(rtrim(regexp_replace(
      substr(
        private.random_code('{random}') || private.random_code('{random}') || private.random_code('{random}')
          || private.random_code('{random}'),
        1, 28),
      '(.{4})', '\1-', 'g'), '-'))
  into v_codes from generate_series(1, 10);
  insert into private.recovery_codes (user_id, code_hash)
  select v_user_id, private.recovery_code_hash(v_user_id, code) from unnest(v_codes) as code;
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_codes_created', v_session.id);
  return v_codes;
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
  v_code public.redemptions;
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
    -- In one order, whoever else decides on another group of the same codes; a till that was faster has its prize.
    for v_code in
      select d.* from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
      order by d.reward_id, d.id for no key update of d
    loop
      continue when p_action = 'clear' and v_code.verdict is distinct from 'held';
      if private.decide_code(v_code, case p_action when 'clear' then 'release' else p_action end, v_user_id) then
        v_changed := v_changed + 1;
      elsif p_action = 'release' and v_code.verdict is not null or p_action in ('hold', 'cancel') and v_code.status = 'used' then
        v_left := v_left + 1;
      end if;
    end loop;
  end if;

  if p_action = 'clear' or (p_action = 'cancel' and p_codes is null) then
    update private.check_groups g
    set closed_at = coalesce(g.closed_at, now()), is_normal = p_action = 'clear',
      closed_by = left(private.user_name(v_user_id), 200)
    where g.org_id = v_group.org_id and g.id = p_id;
  elsif v_group.closed_at is not null and (p_action = 'reopen' or (p_action = 'release' and v_changed > 0)) then
    update private.check_groups g
    set closed_at = null, is_normal = false, closed_by = null,
      -- Spins that came later have a group of their own.
      group_key = case when exists (
        select 1 from private.check_groups o
        where o.org_id = g.org_id and o.campaign_id = g.campaign_id and o.kind = g.kind and o.group_key = g.group_key
          and o.closed_at is null
      ) then split_part(g.group_key, ' ', 1) || ' ' || g.id else g.group_key end
    where g.org_id = v_group.org_id and g.id = p_id;
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

CREATE OR REPLACE FUNCTION public.export_organization(p_org_id uuid)
 RETURNS TABLE(name text, columns text[], query text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.relname::text, shown.columns,
    format('select to_json(r) as row from (select %s from %s where %I = %L order by %s) r', shown.list, c.oid::regclass,
      t.key, p_org_id, (
        select string_agg(quote_ident(a.attname), ', ' order by k.place)
        from pg_catalog.pg_constraint p, unnest(p.conkey) with ordinality k (number, place)
        join pg_catalog.pg_attribute a on a.attnum = k.number
        where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid))
  from (
    select r::oid as oid, 'org_id' as key from private.tenant_tables() r
    union all
    select 'public.organizations'::regclass::oid, 'id'
  ) t
  join pg_catalog.pg_class c on c.oid = t.oid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  cross join lateral (
    select array_agg(a.attname::text order by a.attnum) as columns,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as list
    from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      -- Columns that only serve the platform: spread counters, words to search by, marks against abuse.
      and a.attname::text !~ '(_hash|_token|_secret|_words|_normalized|_key)$' and a.attname not in ('shard', 'nonce')
  ) shown
  order by c.relname;
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
  -- The review's state is still to be said: nobody who is at it is in conflict.
  update public.pre_spin_reviews r set seen_at = coalesce(r.seen_at, now())
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

CREATE OR REPLACE FUNCTION public.invite_member(p_email text, p_role text, p_store_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.begin_team_change(array[p_role]);
  v_email constant text := lower(btrim(p_email));
  v_invitation private.invitations;
begin
  if exists (
    select 1 from public.organization_members m join auth.users u on u.id = m.user_id
    where m.org_id = v_org_id and lower(u.email) = v_email
  ) then
    raise exception 'already_in_team' using errcode = 'TV096';
  end if;
  -- Invitations that have expired give their place away.
  update private.invitations i set withdrawn_at = now()
  where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
    and i.expires_at <= now();
  if exists (
    select 1 from private.invitations i
    where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
  ) then
    raise exception 'already_invited' using errcode = 'TV097';
  end if;
  perform private.require_seat(v_org_id);
  insert into private.invitations (org_id, email, role, store_id, token_hash)
  values (v_org_id, v_email, p_role, private.till_store(v_org_id, p_role, p_store_id),
    sha256(convert_to(gen_random_uuid()::text, 'UTF8')))
  returning * into v_invitation;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.sent', 'invitation', v_invitation.id,
    jsonb_build_object('name', v_email, 'role', p_role));
  return v_invitation.id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.mail_prize(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid, p_email text, p_address_hash text, OUT outcome text, OUT recipient text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_code public.redemptions;
  v_known text;
  v_retry_after integer;
begin
  v_retry_after := private.count_attempt(array['prize mail address ' || p_address_hash], '{30}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  v_code := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
  if v_code.id is null then
    outcome := 'prize_not_found';
    return;
  end if;
  if private.code_state(v_code) <> 'available' then
    outcome := 'code_' || private.code_state(v_code);
    return;
  elsif v_code.verdict is not null then
    -- A ticket would promise what no till gives now.
    outcome := 'code_held';
    return;
  end if;

  select coalesce(t.end_user_email, c.email) into v_known
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = v_code.org_id and t.id = v_code.spin_id;
  recipient := coalesce(v_known, p_email);
  if recipient is null then
    outcome := 'email_needed';
    return;
  end if;
  -- Asked again, by a thumb or by the network: it is on its way, and nobody's limit is touched.
  if exists (
    select 1 from private.prize_mails m
    where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      and (m.mails >= 3 or m.sent_at > now() - interval '10 minutes')
  ) then
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  -- The player types the address, which could be anybody's. So an address gets few mails a day, and fewer where this
  -- page alone has named it.
  v_retry_after := private.count_attempt(
    array['prize mail to ' || encode(sha256(convert_to(private.normalize_email(recipient), 'UTF8')), 'hex')],
    array[case when v_known is null then 3 else 10 end], interval '1 day');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    recipient := null;
    return;
  end if;

  insert into private.prize_mails as m (org_id, spin_id) values (v_code.org_id, v_code.spin_id)
  on conflict (org_id, spin_id) do update set mails = m.mails + 1, sent_at = now()
    where m.mails < 3 and m.sent_at <= now() - interval '10 minutes';
  if not found then
    -- The same, at the same instant.
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  perform private.write_prize_mail('prize', recipient, v_code);
  outcome := 'sent';
  -- Enough to recognise one's own address, too little to learn somebody's.
  recipient := left(recipient, 1) || '•••@' || split_part(recipient, '@', -1);
end;
$function$;

CREATE OR REPLACE FUNCTION public.mark_review_seen(p_review_id uuid, p_is_seen boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_named record;
  v_store text;
begin
  select * into v_named from private.review_id_of(array(select private.my_org_ids('customers.write')), p_review_id);
  if v_named.id is null or p_is_seen is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- The second of two colleagues changes nothing.
  update public.pre_spin_reviews r
  set seen_at = case when p_is_seen then now() end
  where r.org_id = v_named.org_id and r.id = v_named.id and (r.seen_at is not null) <> p_is_seen
  returning (select s.name from public.stores s where s.org_id = r.org_id and s.id = r.store_id) into v_store;
  if found then
    perform private.audit(v_named.org_id, case when p_is_seen then 'review.seen' else 'review.unseen' end, 'review',
      private.alias_of(v_named.id), jsonb_build_object('name', v_store));
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.record_feedback(p_review_id uuid, p_feedback text, OUT outcome text, OUT google_review_url text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_store_id uuid;
  v_text text;
begin
  -- Customers who were forgotten have no review any more: what they write would come back to stay.
  update public.pre_spin_reviews r set review_text = p_feedback, feedback_at = now()
  where r.id = p_review_id and r.customer_id is not null and r.review_text is null
  returning r.org_id, r.store_id into v_org_id, v_store_id;
  if found then
    outcome := 'added';
  else
    select r.org_id, r.store_id, r.review_text into v_org_id, v_store_id, v_text
    from public.pre_spin_reviews r where r.id = p_review_id and r.customer_id is not null;
    outcome := case
      when not found then 'review_not_found'
      when v_text = p_feedback then 'repeated'
      else 'feedback_exists'
    end;
  end if;
  select s.google_review_url into google_review_url
  from public.stores s where s.org_id = v_org_id and s.id = v_store_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_store(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  -- The lock keeps new campaigns away until it is decided.
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('stores.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- Revoked keys open nothing, whichever till they name.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  delete from public.stores s where s.id = p_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
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
  v_items jsonb;
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
  -- One by one, by their key: a kept plan of « any (…) » might read all codes.
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end, 'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', t.trace) order by f.place), '[]'::jsonb)
  into v_items
  from unnest(v_ids) with ordinality f (id, place)
  cross join lateral (
    select r.* from public.redemptions r where r.org_id = v_org_id and r.id = f.id offset 0
  ) shown
  -- Uses and returns of a code, oldest first.
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('action', e.action, 'at', e.created_at,
      'by', private.name_of(u.raw_user_meta_data, u.email)) order by e.created_at, e.id), '[]'::jsonb) as trace
    from public.redemption_events e left join auth.users u on u.id = e.user_id
    where e.org_id = v_org_id and e.redemption_id = shown.id
  ) t;

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_campaign(p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean, p_play_interval_days integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_segments jsonb DEFAULT NULL::jsonb, p_translations jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_translations constant jsonb :=
    case jsonb_typeof(p_translations) when 'string' then (p_translations #>> '{}')::jsonb else p_translations end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- A save at the same instant waits here, and then finds another version.
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
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days,
    translations = coalesce(nullif(v_translations, 'null'), c.translations)
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

CREATE OR REPLACE FUNCTION public.save_push_device(p_org_id uuid, p_endpoint text, p_p256dh text, p_auth text, p_label text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  c_most constant integer := 10;
  v_user_id constant uuid := private.my_push_org(p_org_id, 'activity.read');
  v_session auth.sessions := private.my_session();
  v_seconds integer;
  v_id uuid;
begin
  v_seconds := private.count_attempt(array['push device ' || v_user_id::text], '{60}', interval '1 hour');
  if v_seconds is not null then
    perform private.refuse_for_now('too_many_attempts', 'Too many attempts.', v_seconds);
  end if;
  -- One at a time, so that nobody passes the limit twice at once.
  perform 1 from public.organization_members m where m.org_id = p_org_id and m.user_id = v_user_id for no key update;
  delete from private.push_devices d
  where d.org_id = p_org_id and d.user_id = v_user_id
    -- A browser has one address at a time, and a session one browser.
    and (d.session_id = v_session.id and d.endpoint <> p_endpoint
      or not exists (select 1 from auth.sessions s where s.id = d.session_id and s.user_id = v_user_id));
  insert into private.push_devices as d (org_id, user_id, session_id, endpoint, p256dh, auth, label)
  values (p_org_id, v_user_id, v_session.id, p_endpoint, p_p256dh, p_auth, p_label)
  -- A sign-in on a browser takes its address over; somebody who only heard of an address lacks its keys.
  on conflict (endpoint) do update
    set org_id = excluded.org_id, user_id = excluded.user_id, session_id = excluded.session_id, label = excluded.label
    where d.p256dh = excluded.p256dh and d.auth = excluded.auth
  returning d.id into v_id;
  if v_id is null then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.push_devices d where d.org_id = p_org_id and d.user_id = v_user_id) > c_most then
    raise exception 'push_device_limit' using errcode = 'TV200', detail = c_most::text;
  end if;
  return v_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_role(p_name text, p_description text, p_permissions text[], p_role text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.begin_role_change(p_role);
  v_role constant text := coalesce(p_role, gen_random_uuid()::text);
  v_permissions constant text[] := private.expand_permissions(p_permissions);
begin
  if not (private.has_feature(v_org_id, 'custom_roles') and private.require_open_plan(v_org_id)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  -- Permissions of administrators can be given; the rest is the owner's alone.
  elsif not v_permissions @> p_permissions or cardinality(v_permissions) = 0 or exists (
    select 1 from unnest(v_permissions) w where not private.role_may('admin', w)
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_role is null and (select count(*) from public.roles r where r.org_id = v_org_id) >= 20 then
    raise exception 'too_many_roles' using errcode = 'TV115';
  end if;
  insert into public.roles as r (role, org_id, name, description)
  values (v_role, v_org_id, btrim(p_name), btrim(coalesce(p_description, '')))
  on conflict (role) do update set name = excluded.name, description = excluded.description;
  delete from public.role_permissions p where p.role = v_role and p.permission <> all (v_permissions);
  insert into public.role_permissions (role, org_id, permission)
  select v_role, v_org_id, w from unnest(v_permissions) w
  on conflict do nothing;
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', btrim(p_name)));
  return v_role;
end;
$function$;

CREATE OR REPLACE FUNCTION public.stale_logo_files(p_org_id uuid)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A change of the logo that holds this lock will look here as well.
  if not pg_try_advisory_xact_lock(hashtextextended('logo of ' || p_org_id, 0)) then
    return;
  end if;
  return query
  select o.name from storage.objects o
  where o.bucket_id = 'logos' and o.name like p_org_id || '/%'
    and not exists (
      select 1 from public.organization_brands b where b.org_id = p_org_id
        and o.name in (b.org_id || '/' || b.logo || '.webp', b.org_id || '/' || b.logo || '-print.webp'));
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
        private.now_in(v_timezone)::date + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_timezone) end,
    'nonce', gen_random_uuid()
  )::text;
  outcome := 'spun';
end;
$function$;

CREATE OR REPLACE FUNCTION public.use_recovery_code(p_code text, OUT outcome text, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_session auth.sessions := private.my_session();
  v_user_id constant uuid := v_session.user_id;
begin
  if v_user_id is null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  -- A refusal is an answer, not an error: an error would take back the count.
  retry_after := private.count_attempt(array['recovery code ' || v_user_id::text], '{5}', interval '15 minutes');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  -- One after the other: two codes at once would wait for each other's rows.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r
  where r.user_id = v_user_id and r.code_hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    outcome := 'unknown';
    insert into private.account_events (user_id, event, session_id)
    values (v_user_id, 'recovery_code_refused', v_session.id);
    return;
  end if;
  outcome := 'recovered';
  delete from private.recovery_codes r where r.user_id = v_user_id;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- The lost factor may be in other hands, and so may a device that is signed in, or holds a passkey.
  perform private.drop_passkeys(v_user_id);
  delete from auth.sessions s where s.user_id = v_user_id and s.id <> v_session.id;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.id = v_session.id;
  delete from auth.mfa_amr_claims c
  where c.session_id = v_session.id and c.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn');
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_code_used', v_session.id);
  -- The owner has to hear of it, in case somebody else did this.
  perform private.enqueue_mail(
    'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = v_user_id and u.email <> '';
end;
$function$;

CREATE OR REPLACE PROCEDURE private.run_due_jobs()
 LANGUAGE plpgsql
AS $procedure$
declare
  v_end constant timestamptz := clock_timestamp() + interval '45 seconds';
begin
  -- Jobs that are left over are taken up by the next call, a minute later.
  while clock_timestamp() < v_end loop
    exit when (select r.job is null from private.run_next_job() r);
    commit;
  end loop;
end;
$procedure$;
