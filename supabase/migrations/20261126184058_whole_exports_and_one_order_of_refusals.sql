-- Why: whoever asks what is kept of them is told of every column; an ended plan is told before whether something exists; spins are judged while a winner is erased.

set check_function_bodies = off;

DROP FUNCTION "private"."my_points_customer"(uuid);

DROP FUNCTION "public"."campaign_poster"(uuid);

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
      'phone_confirmed_at', u.phone_confirmed_at, 'invited_at', u.invited_at, 'banned_until', u.banned_until),
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
    -- Of codes and reviews the identifiers: whose they are is another's.
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
      from private.account_events e where e.user_id = u.id))
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
  -- What was written to them, and about their reviews; by whom is the colleague's own.
  select jsonb_agg(jsonb_build_object('review_id', a.review_id, 'kind', a.kind, 'body', a.body, 'delivery', a.delivery,
    'created_at', a.created_at, 'redemption_id', a.redemption_id) order by a.id)
  into v_rows
  from public.review_actions a
  join public.pre_spin_reviews r on r.org_id = a.org_id and r.id = a.review_id
  where a.org_id = p_org_id and r.customer_id = p_id;
  return v_all || jsonb_strip_nulls(jsonb_build_object(
    'review_actions', v_rows,
    -- What became of their prizes, and why the team was asked to look at them.
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
  -- Whoever was erased meanwhile leaves nothing behind.
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

CREATE OR REPLACE FUNCTION private.my_points_customer(p_customer_id uuid)
 RETURNS public.customers
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(
    select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.redeem'));
  v_customer public.customers;
begin
  select * into v_customer from public.customers c where c.id = p_customer_id and c.org_id = any (v_org_ids);
  return v_customer;
end;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_poster(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a campaign or not.
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

CREATE OR REPLACE FUNCTION public.check_settings(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c where c.id = p_campaign_id and c.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  return to_jsonb(private.check_settings_of(v_org_id, p_campaign_id)) - array['org_id', 'campaign_id', 'presence_key'];
end;
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

COMMENT ON FUNCTION "private"."export_customer"(uuid, uuid) IS 'Everything that an organisation keeps of a customer, by table (right of access), with what the team wrote to them and about their reviews. What became of their prizes and the messages to them stand beside it. Read from the catalog, so that no table is forgotten; what only serves the platform is left out.';

COMMENT ON FUNCTION "private"."my_points_customer"(uuid) IS 'The customer, for whoever may hand out rewards for their points: a member with customers.read and codes.redeem; null otherwise.';

COMMENT ON FUNCTION "public"."campaign_poster"(uuid) IS 'Content of a campaign''s posters: address, names, and its wheel''s segments of a weight above zero, in order, with their prizes. The three best prizes (by what they cost, then by how rare they are), and what is translated (private.campaign_words). Whether the product''s name stays away (white_label), and the merchant''s brand. The shape is campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was archived, and when its store is gone.';

REVOKE ALL ON FUNCTION "private"."my_points_customer"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."campaign_poster"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."campaign_poster"(uuid) TO "authenticated";
