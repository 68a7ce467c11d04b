-- Why: what was given up can be sent again, a suspension has a refusal of its own, and the secret key's changes leave a trail.

set check_function_bodies = off;

ALTER TABLE "private"."outbox" DROP CONSTRAINT "outbox_check1";

ALTER TABLE "private"."operator_events" ADD COLUMN "actor" text NOT NULL DEFAULT 'command'::text;

ALTER TABLE "private"."outbox" ADD COLUMN "attempts_before" integer NOT NULL DEFAULT 0;

ALTER TABLE "private"."outbox" ADD COLUMN "queued_again_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.begin_end(p_org_id uuid, p_name text, p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o where o.id = p_org_id for update;
  if v_org.erase_at is not null then
    raise exception 'already_ending' using errcode = 'TV107';
  elsif btrim(coalesce(p_name, v_org.name)) <> v_org.name then
    raise exception 'other_name' using errcode = 'TV106';
  elsif private.has_running_payments(v_org.id) then
    raise exception 'payments_running' using errcode = 'TV108';
  end if;
  update public.organizations o set erase_at = now() + interval '30 days' where o.id = v_org.id
  returning o.erase_at into v_org.erase_at;
  update public.subscriptions s set is_ending = true where s.org_id = v_org.id;
  perform private.audit_as(v_org.id, p_user_id, 'organization.ended', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_end');
  return v_org.erase_at;
end;
$function$;

CREATE OR REPLACE FUNCTION private.claim_messages(p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(id uuid, channel text, template text, recipient text, data jsonb, attempt integer, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  update private.outbox o
  set state = 'failed', last_error = coalesce(o.last_error, 'expired'), settled_at = p_now,
    data = case when private.is_lasting(o.template) then o.data else '{}' end
  where o.id = any (array(
    select due.id from private.outbox due
    where due.state = 'queued' and due.next_attempt_at <= p_now and due.expires_at <= p_now
    order by due.next_attempt_at limit 1000 for update skip locked
  ));
  return query
    update private.outbox o
    -- Longer than any mail server is waited for.
    set attempts = o.attempts + 1, next_attempt_at = p_now + interval '2 minutes'
    where o.id = any (array(
      select due.id from private.outbox due
      where due.state = 'queued' and due.next_attempt_at <= p_now
      order by due.next_attempt_at limit p_limit for update skip locked
    ))
    returning o.id, o.channel, o.template, o.recipient, o.data, o.attempts, o.created_at;
end;
$function$;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id for update;
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

CREATE OR REPLACE FUNCTION private.export_account(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'account', jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'metadata', u.raw_user_meta_data,
      'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at, 'last_sign_in_at', u.last_sign_in_at),
    'ways_in', (select jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
      'created_at', i.created_at) order by i.created_at) from auth.identities i where i.user_id = u.id),
    'second_factors', (select jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
      'phone', f.phone, 'status', f.status, 'created_at', f.created_at) order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id),
    'sessions', (select jsonb_agg(jsonb_build_object('created_at', s.created_at, 'device', s.user_agent,
      'address', host(s.ip)) order by s.created_at) from auth.sessions s where s.user_id = u.id),
    'membership', (select jsonb_agg(jsonb_build_object('organization', o.name, 'role', m.role, 'added_at', m.added_at))
      from public.organization_members m join public.organizations o on o.id = m.org_id where m.user_id = u.id),
    'notices', (select jsonb_agg(jsonb_build_object('email', n.email, 'sms', n.sms, 'low_ratings', n.low_ratings,
      'summary', n.summary)) from public.notification_preferences n where n.user_id = u.id),
    -- Names in the detail are of colleagues and of those who were invited: only what nobody can be known by is told.
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'subject', e.subject_type,
        'subject_id', e.subject_id, 'detail', (select coalesce(jsonb_object_agg(d.key, d.value), '{}')
          from jsonb_each(e.detail) d where d.key in ('fields', 'plan', 'former_plan', 'billing', 'former_billing')))
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.forget_given_up(p_contacts text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.outbox o set data = '{}'
  where o.state = 'failed' and o.data <> '{}' and lower(o.recipient) = any (array(select lower(c) from unnest(p_contacts) c));
$function$;

CREATE OR REPLACE FUNCTION private.is_lasting(p_template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (p_template = ANY (ARRAY['prize'::text, 'prize_reminder'::text, 'review_answer'::text, 'daily_summary'::text, 'weekly_summary'::text, 'password_changed'::text, 'email_changed'::text, 'phone_changed'::text, 'factor_added'::text, 'factor_removed'::text, 'organization_end'::text, 'organization_kept'::text, 'trial_ending'::text, 'trial_ended'::text, 'payment_failed'::text, 'plan_suspended'::text, 'plan_ended'::text]));

CREATE OR REPLACE FUNCTION private.message_failed(p_id uuid, p_attempt integer, p_code text, p_permanent boolean, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_state text;
begin
  update private.outbox o
  set last_error = p_code,
    next_attempt_at = p_now + verdict.delay,
    state = case when gives_up then 'failed' else 'queued' end,
    settled_at = case when gives_up then p_now end,
    -- One that has run out of time is of no use any more, unless it lasts.
    data = case when gives_up and not p_permanent and not private.is_lasting(o.template) then '{}' else o.data end
  from (
    select q.id, d.delay, p_permanent or p_now + d.delay >= q.expires_at as gives_up
    from private.outbox q
    cross join lateral (select private.retry_delay(q.attempts - q.attempts_before) as delay) d
    where q.id = p_id
  ) verdict
  where o.id = verdict.id and o.state = 'queued' and o.attempts = p_attempt
  returning o.state into v_state;
  return v_state;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_key_use(p_action text, p_subject_id uuid, p_note text DEFAULT ''::text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.operator_events (actor, action, subject_id, note) values ('key', p_action, p_subject_id, p_note);
$function$;

CREATE OR REPLACE FUNCTION private.queue_again(p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
  -- A code that was used, erased or has expired is nothing to be reminded of.
  elsif v_message.template in ('prize', 'prize_reminder') and not exists (
    select 1 from public.organizations o
    join public.redemptions d on d.org_id = o.id
      and d.spin_id = substring(v_message.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid
    where private.code_state(d) = 'available')
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
$function$;

CREATE OR REPLACE FUNCTION private.queue_metrics()
 RETURNS TABLE(kind text, name text, amount double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'messages', s.state, (
    select count(*) from private.outbox o where o.state = s.state)::double precision
  from (values ('queued'), ('failed')) s (state)
  union all
  select 'oldest', 'queued',
    coalesce(extract(epoch from now() - min(coalesce(o.queued_again_at, o.created_at))), 0)::double precision
  from private.outbox o where o.state = 'queued'
  union all
  select 'failures', j.name, j.failures::double precision from private.jobs j
  order by 1, 2;
$function$;

CREATE OR REPLACE FUNCTION private.refuse_closed(p_subscription public.subscriptions)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_subscription.suspended_at is not null then
    raise exception 'organization_suspended' using errcode = 'TV190';
  end if;
  raise exception 'subscription_closed' using errcode = 'TV085';
end;
$function$;

CREATE OR REPLACE FUNCTION private.release_account(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_role text;
begin
  perform private.forget_given_up(array[u.email, u.phone]) from auth.users u where u.id = p_user_id;
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
  -- An organisation that waits to be erased needs no owner any more.
  if private.role_may(v_role, 'owners.manage')
    and exists (select 1 from public.organizations o where o.id = v_org_id and o.erase_at is null)
  then
    perform private.require_other_owner(v_org_id, p_user_id);
  end if;
  perform private.audit_as(v_org_id, null, 'member.removed', 'member', p_user_id,
    jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_open_plan(p_org_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.refuse_closed(s) from public.subscriptions s where s.org_id = p_org_id and not private.is_open(s);
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_plan(p_org_id uuid, p_permission text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.org_id = p_org_id;
  if not found then
    return true;
  elsif p_permission like '%.write'
    or p_permission in ('stores.delete', 'campaigns.delete', 'rewards.delete', 'organization.update')
  then
    if not private.is_open(v_subscription) then
      perform private.refuse_closed(v_subscription);
    end if;
  elsif p_permission like '%.read' and p_permission <> 'billing.read'
    and private.readable_until(v_subscription) <= now()
  then
    raise exception 'reading_closed' using errcode = 'TV120';
  end if;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.sweep_outbox(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  delete from private.outbox m where m.id = any (array(
    select o.id from private.outbox o where o.state <> 'queued' and o.settled_at < now() - interval '7 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  update private.outbox m set data = '{}' where m.id = any (array(
    select o.id from private.outbox o
    where o.state = 'failed' and o.data <> '{}' and o.expires_at <= now() and not private.is_lasting(o.template)
    limit p_limit - v_count for update skip locked
  ));
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.begin_brand_logo(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    where m.user_id = p_user_id and m.org_id = p_org_id and private.role_may(m.role, 'organization.update')
  ) then
    return 'forbidden';
  elsif exists (select 1 from public.subscriptions s where s.org_id = p_org_id and s.suspended_at is not null) then
    return 'suspended';
  elsif exists (select 1 from public.subscriptions s where s.org_id = p_org_id and not private.is_open(s)) then
    return 'closed';
  elsif not private.has_feature(p_org_id, 'white_label') then
    return 'not_in_plan';
  -- One at a time for an organisation, two for everybody: a picture costs memory and a processor while it is read.
  elsif not pg_try_advisory_xact_lock(hashtextextended('logo of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('logo 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('logo 2', 0)))
  then
    return 'busy';
  end if;
  return 'started';
end;
$function$;

CREATE OR REPLACE FUNCTION public.end_organization(p_name text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  -- Before any row: whoever subscribes or changes the plan meanwhile takes them in that order.
  perform private.lock_billing(o) from private.my_org_ids('organization.delete') o;
  select o.id into v_org_id from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return private.begin_end(v_org_id, coalesce(p_name, ''), private.my_user_id());
end;
$function$;

CREATE OR REPLACE FUNCTION public.my_workspace()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null
             and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
          '[]'::jsonb),
        'has_archived_store', exists (
          select 1 from public.stores s
          where s.org_id = o.id and s.archived_at is not null
            and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'unread_reviews', case when private.role_may(m.role, 'reviews.read') then private.unread_reviews(o.id) else 0 end,
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'is_open', private.is_plan_open(s) and s.suspended_at is null,
            'is_suspended', s.suspended_at is not null, 'readable_until', private.readable_until(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_archived_store": false,
      "has_campaign": false, "unread_reviews": 0, "plan": null}'::jsonb
  );
$function$;

ALTER TABLE "private"."operator_events" ADD CONSTRAINT "operator_events_actor_check" CHECK ((actor = ANY (ARRAY['command'::text, 'key'::text])));

ALTER TABLE "private"."outbox" ADD CONSTRAINT "outbox_attempts_before_check" CHECK ((attempts_before >= 0));

ALTER TABLE "private"."outbox" ADD CONSTRAINT "outbox_check1" CHECK (((state <> 'sent'::text) OR (data = '{}'::jsonb)));

CREATE INDEX outbox_given_up_idx ON private.outbox USING btree (lower(recipient)) WHERE (state = 'failed'::text);

COMMENT ON COLUMN "private"."operator_events"."actor" IS 'command (npm run operator), or key: a request with the secret key, whoever holds it.';

COMMENT ON COLUMN "private"."operator_events"."note" IS 'Name of a job, names of what was changed, or how an identity was checked in the operator''s words; up to 500 characters.';

COMMENT ON COLUMN "private"."operator_events"."subject_id" IS 'Account, organisation, customer or message that it was done to; it may be gone. Null for a search, a job and messages at large.';

COMMENT ON COLUMN "private"."outbox"."attempts_before" IS 'Attempts made before the operator queued it again: waits count from there.';

COMMENT ON COLUMN "private"."outbox"."data" IS 'What the text mentions (url, code, name …); emptied once sent. Of a message that was given up it stays for the operator to send it again: 7 days where it lasts (private.is_lasting), and otherwise until it expires.';

COMMENT ON COLUMN "private"."outbox"."queued_again_at" IS 'When the operator queued it again after it was given up; null otherwise.';

COMMENT ON FUNCTION "private"."begin_end"(uuid, text, uuid) IS 'Closes an organisation to the public at once and lets it be erased in 30 days, for its owner, who types its name, or for the operator (no name, no user). Call it after private.lock_billing. Errors: TV106, TV107, TV108, as end_organization.';

COMMENT ON FUNCTION "private"."forget_given_up"(text[]) IS 'Empties the messages to somebody who is erased, by their addresses and numbers, that were given up and are kept to be sent again.';

COMMENT ON FUNCTION "private"."is_lasting"(text) IS 'Whether a message is still worth reading days later. Any other opens an account by a link or a code, or is only of use at once: it is never sent after it has expired, and its data goes then.';

COMMENT ON FUNCTION "private"."my_org_ids"(text) IS 'Organisations in which the signed-in user has a permission (any role when null); for a reading key of the API its own, for what is read of shops, campaigns and customers, and never of the team or of billing. Policies call it as any (array(select …)), so that it runs once a statement and the index on org_id serves. Errors of my_user_id(); TV085 or TV190 (private.refuse_closed) for a permission to write, TV120 for one to read 30 days after the end of a plan.';

COMMENT ON FUNCTION "private"."note_key_use"(text, uuid, text) IS 'Writes down what somebody who holds the secret key did to an account. Call it in the transaction that does it.';

COMMENT ON FUNCTION "private"."queue_again"(uuid) IS 'Queues a message that was given up, with as many tries as a new one. Answers queued, or why not: unknown, not_given_up, expired (its link or code opens nothing any more), emptied (its data is gone), prize_over (its prize was used or has expired).';

COMMENT ON FUNCTION "private"."refuse_closed"(public.subscriptions) IS 'Why a subscription that is not open lets nothing be changed. Errors: TV190 the operator suspended its organisation, TV085 its plan is over, or the organisation waits to be erased.';

COMMENT ON FUNCTION "private"."require_open_plan"(uuid) IS 'True while an organisation is open to changes; otherwise the errors of private.refuse_closed.';

COMMENT ON FUNCTION "private"."require_plan"(uuid, text) IS 'True where an organisation''s plan allows what a permission stands for. Errors: TV085 to write or delete once it is over, unpaid, or the organisation is being ended; TV190 once the operator suspended it; TV120 to read 30 days after its end.';

COMMENT ON FUNCTION "private"."sweep_outbox"(integer) IS 'Job: messages that were sent, captured or given up a week ago go, and before that the data of those that were given up and have expired, unless they last (private.is_lasting).';

COMMENT ON TABLE "private"."operator_events" IS 'What the operator did by a command, or a program of theirs with the secret key at auth/v1/admin: one row each, kept without end, identifiers alone, no name and no address.';

REVOKE ALL ON FUNCTION "private"."begin_end"(uuid, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_given_up"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_lasting"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_key_use"(text, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."note_key_use"(text, uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."queue_again"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_closed"(public.subscriptions) FROM PUBLIC;
