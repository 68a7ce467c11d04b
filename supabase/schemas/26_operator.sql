-- Operator: actions of the platform's operator for its merchants, and their trail.
--
-- The commands (`npm run operator`) act as the database's administrator: no role of the API calls anything of this file, and
-- no tenant reads it. The trail names things by their identifiers alone, so that it may outlive whom it speaks of.

create table private.operator_events (
  id uuid primary key default private.uuid_v7(),
  action text not null check (action ~ '^[a-z]+\.[a-z_]+$'),
  subject_id uuid,
  note text not null default '' check (length(note) <= 500),
  created_at timestamptz not null default now(),
  actor text not null default 'command' check (actor in ('command', 'key'))
);
create index operator_events_subject_idx on private.operator_events (subject_id, id) where subject_id is not null;
comment on table private.operator_events is
  'Actions of the operator by a command, or of a program of theirs with the secret key at auth/v1/admin: one row each, kept '
  'without end, identifiers alone, no name and no address.';
comment on column private.operator_events.id is 'Identifier, ordered by time.';
comment on column private.operator_events.actor is
  'command (npm run operator), or key: a request with the secret key, whoever holds it.';
comment on column private.operator_events.action is 'Action as subject.verb: account.erased, organization.suspended …';
comment on column private.operator_events.subject_id is
  'Account, organisation, customer or message that it was done to; it may be gone. Null for a search, a job and messages at '
  'large.';
comment on column private.operator_events.note is
  'Name of a job, names of what was changed, or how an identity was checked in the operator''s words; up to 500 characters.';
comment on column private.operator_events.created_at is 'When.';
create trigger refuse_operator_event_change before update or delete on private.operator_events
  for each row execute function private.refuse_audit_change();

create function private.note_key_use(p_action text, p_subject_id uuid, p_note text default '') returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.operator_events (actor, action, subject_id, note) values ('key', p_action, p_subject_id, p_note);
$$;
comment on function private.note_key_use(text, uuid, text) is
  'Writes down what somebody who holds the secret key did to an account. Call it in the transaction that does it.';
grant execute on function private.note_key_use(text, uuid, text) to service_role;

create function private.queue_again(p_id uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_message private.outbox;
  v_lasts boolean;
begin
  select * into v_message from private.outbox o where o.id = p_id for update;
  v_lasts := private.is_lasting(v_message.template);
  if v_message.id is null then
    return 'unknown';
  elsif v_message.state <> 'failed' then
    return 'not_given_up';
  elsif not v_lasts and v_message.expires_at <= now() then
    return 'expired';
  elsif v_message.data = '{}' and v_message.channel <> 'payment' then
    return 'emptied';
  -- No mail about a code that was used or erased, has expired, or is held back.
  elsif v_message.template in ('prize', 'prize_reminder', 'prize_released') and not exists (
    select 1 from public.organizations o
    join public.redemptions d on d.org_id = o.id
      and d.spin_id = substring(v_message.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid
    where private.code_state(d) = 'available' and d.verdict is null)
  then
    return 'prize_over';
  -- A decision on a code that was taken back, or came to another.
  elsif v_message.template in ('prize_held', 'prize_cancelled') and not exists (
    select 1 from private.code_verdicts v where v.mail_id = p_id)
  then
    return 'prize_over';
  elsif v_message.template = 'review_gesture' and not exists (
    select 1 from public.review_actions a
    join public.review_actions g on g.org_id = a.org_id and g.review_id = a.review_id and g.kind = 'gesture'
    join public.redemptions d on d.org_id = g.org_id and d.id = g.redemption_id
    where a.message_id = p_id and private.code_state(d) = 'available')
  then
    return 'prize_over';
  end if;
  update private.outbox o
  set state = 'queued', settled_at = null, last_error = null, attempts_before = o.attempts, queued_again_at = now(),
    next_attempt_at = now(), expires_at = case when v_lasts then now() + interval '1 day' else o.expires_at end
  where o.id = p_id;
  perform pg_notify('tournavis_outbox', '');
  return 'queued';
end;
$$;
comment on function private.queue_again(uuid) is
  'Queues a message that was given up, with as many tries as a new one. Answers queued, or why not: unknown, not_given_up, '
  'expired (its link or code opens nothing any more), emptied (its data is gone), prize_over (its prize was used, has '
  'expired, or is held back or cancelled; that it was is taken back).';

create function private.suspend_organization(p_org_id uuid, p_is_suspended boolean) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  -- As in end_organization: before any row.
  perform private.lock_billing(p_org_id);
  update public.subscriptions s set suspended_at = case when p_is_suspended then now() end
  where s.org_id = p_org_id and (s.suspended_at is not null) <> p_is_suspended;
  if not found then
    return false;
  end if;
  perform private.audit_as(p_org_id, null,
    case when p_is_suspended then 'organization.suspended' else 'organization.resumed' end,
    'organization', p_org_id, (select jsonb_build_object('name', o.name) from public.organizations o where o.id = p_org_id));
  return true;
end;
$$;
comment on function private.suspend_organization(uuid, boolean) is
  'Closes an organisation to the public and its back-office to changes, or opens both again; reading, exporting and the plan '
  'stay as they are. Written down in its own trail, as done by the platform. False when it is so already.';

create function private.export_customer(p_org_id uuid, p_id uuid) returns jsonb
language plpgsql stable set search_path = ''
as $$
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
$$;
comment on function private.export_customer(uuid, uuid) is
  'Everything that an organisation keeps of a customer, by table (right of access), with what the team wrote to them and about '
  'their reviews. What became of their prizes and the messages to them stand beside it. Read from the catalog, so that no table is forgotten; what only serves the platform is left out.';

create function private.sign_in_log(p_user_id uuid) returns setof auth.audit_log_entries
language sql stable set search_path = ''
as $$
  -- Without an index: parsing every entry would take many times as long as reading it.
  select l from auth.audit_log_entries l where l.payload::text like '%' || p_user_id || '%';
$$;
comment on function private.sign_in_log(uuid) is
  'Entries of the hosted platform''s log about an account: its sign-ins, with its address. Our own service writes none.';

create function private.export_account(p_user_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
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
$$;
comment on function private.export_account(uuid) is
  'Everything that the platform keeps of somebody with an account (right of access), without what opens it; null without one.';

-- Permissions -------------------------------------------------------------------------------------

alter table private.operator_events enable row level security;
