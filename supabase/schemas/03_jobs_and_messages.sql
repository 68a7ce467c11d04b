-- Jobs and messages: what happens at a time, and what is sent afterwards.
--
-- A mail sent by the request itself is lost when the mail server is away, and goes out although the request was rolled
-- back. So the request writes it down with everything else, and a worker sends it. Work that is due at a time (codes
-- expire, leftovers go) is a row here as well. Several processes share it, and none does it twice. A hosted project has
-- no process of ours: its database runs the jobs itself (pg_cron), and calls the server function run-jobs (pg_net)
-- while messages wait.

create table private.outbox (
  id uuid primary key default private.uuid_v7(),
  channel text not null check (channel in ('mail', 'sms', 'payment', 'file', 'push')),
  template text not null check (template ~ '^[a-z][a-z0-9_]{0,49}$'),
  recipient text not null check (length(recipient) between 3 and 320),
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object' and length(data::text) <= 20000),
  state text not null default 'queued' check (state in ('queued', 'sent', 'captured', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_error text check (length(last_error) <= 100),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  attempts_before integer not null default 0 check (attempts_before >= 0),
  queued_again_at timestamptz,
  customer text check (customer ~ '^[0-9a-f-]{36} [0-9a-f-]{36}$'),
  check ((state = 'queued') = (settled_at is null)),
  -- Links and codes open accounts: they are erased once a message was sent.
  check (state <> 'sent' or data = '{}')
) with (fillfactor = 80);
create index outbox_due_idx on private.outbox (next_attempt_at) where state = 'queued';
create index outbox_settled_idx on private.outbox (settled_at) where state <> 'queued';
-- An alert waits for the words of the review that it names.
create index outbox_alert_idx on private.outbox ((data #>> '{facts,review}')) where state = 'queued' and template = 'low_rating';
create index outbox_captured_idx on private.outbox (id) where state = 'captured';
-- Accounts that are erased are looked for by their addresses.
create index outbox_recipient_idx on private.outbox (lower(recipient));
-- Looked for whole, and by the organisation that it begins with.
create index outbox_customer_idx on private.outbox (customer text_pattern_ops) where customer is not null;
comment on table private.outbox is
  'Messages to people, written in the transaction that causes them and sent afterwards, at least once each.';
comment on column private.outbox.id is 'Identifier; a mail''s Message-ID is made of it, so that a repeat is recognised.';
comment on column private.outbox.channel is
  'mail, sms, payment (work at the payment provider), file (files to remove, on a hosted project), or push (a device of a member).';
comment on column private.outbox.template is 'Name of the text to send.';
comment on column private.outbox.recipient is
  'Address or phone number; a customer of the payment provider; the bucket of files; a device''s identifier (private.push_devices).';
comment on column private.outbox.data is
  'Values that the text mentions (url, code, name …); emptied once sent. Of a message that was given up they stay for the '
  'operator to send it again: 7 days where it lasts (private.is_lasting), and otherwise until it expires.';
comment on column private.outbox.state is
  'queued, sent, captured (kept in the mailbox of the local mode) or failed (given up).';
comment on column private.outbox.attempts is 'How often a worker took it; the number also proves that the message is still the worker''s.';
comment on column private.outbox.next_attempt_at is
  'When a worker may take it. A worker that takes it moves this ahead: when it dies, the message is due again then.';
comment on column private.outbox.expires_at is 'Afterwards sending is no use, and is given up.';
comment on column private.outbox.last_error is 'Code of the last failure (never a text of the mail server: it holds addresses).';
comment on column private.outbox.created_at is 'When it was written.';
comment on column private.outbox.settled_at is 'When it was sent, captured or given up; null while queued.';
comment on column private.outbox.attempts_before is 'Attempts made before the operator queued it again: waits count from there.';
comment on column private.outbox.queued_again_at is 'When the operator queued it again after it was given up; null otherwise.';
comment on column private.outbox.customer is
  'Customer to whom, or about whom, it was written: their organisation''s identifier and their own. It goes with them '
  '(private.forget_messages); null where it speaks of none.';

create table private.jobs (
  name text primary key check (name ~ '^[a-z][a-z_]{0,49}$'),
  run_every interval not null check (run_every between interval '10 seconds' and interval '31 days'),
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_count integer,
  last_error text,
  failures integer not null default 0 check (failures >= 0),
  batch integer not null default 250 check (batch between 1 and 2000)
);
comment on table private.jobs is 'Work that comes again and again, and where it stands.';
comment on column private.jobs.name is 'Name, and that of the function private.<name>(p_limit integer) which does the work.';
comment on column private.jobs.run_every is 'Time from one run to the next.';
comment on column private.jobs.next_run_at is 'When it is due.';
comment on column private.jobs.last_run_at is 'When it last ran, with success or not.';
comment on column private.jobs.last_count is 'Rows that the last run dealt with; null when it failed.';
comment on column private.jobs.last_error is 'SQLSTATE of the last failure; null after a success.';
comment on column private.jobs.failures is 'Failures in a row.';
comment on column private.jobs.batch is 'Rows that the next run deals with at most (private.next_batch).';

create function private.enqueue_message(
  p_channel text, p_template text, p_to text, p_data jsonb, p_expires_at timestamptz, p_not_before timestamptz default null,
  p_customer text default null
) returns uuid
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.enqueue_message(text, text, text, jsonb, timestamptz, timestamptz, text) is
  'Writes a message down for sending, at once or not before a moment, and wakes the workers once the transaction commits.';

create function private.is_for_the_team(p_template text) returns boolean
language sql immutable set search_path = ''
as $$
  select p_template = 'low_rating';
$$;
comment on function private.is_for_the_team(text) is
  'Whether a mail of this template goes to members about a customer; all others that name a customer go to that customer.';

create function private.enqueue_customer_mail(
  p_org_id uuid, p_customer_id uuid, p_template text, p_to text, p_data jsonb, p_expires_at timestamptz default null,
  p_not_before timestamptz default null
) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_consents boolean;
  v_data jsonb := p_data;
begin
  -- An erasure at this instant goes first, or waits and finds this mail.
  select c.consent_marketing and coalesce(c.email_normalized = private.normalize_email(p_to), true) into v_consents
  from public.customers c where c.org_id = p_org_id and c.id = p_customer_id for key share;
  if p_customer_id is not null and not found then
    return null;
  end if;
  if v_consents and not private.is_for_the_team(p_template) then
    v_data := v_data || jsonb_build_object('offers', jsonb_build_object(
      'token', private.consent_token(p_org_id, p_customer_id),
      'organizer', (select o.name from public.organizations o where o.id = p_org_id)));
  end if;
  return private.enqueue_message('mail', p_template, p_to, v_data, p_expires_at, p_not_before, p_org_id || ' ' || p_customer_id);
end;
$$;
comment on function private.enqueue_customer_mail(uuid, uuid, text, text, jsonb, timestamptz, timestamptz) is
  'Queues a mail to a customer, or to the team about one (is_for_the_team); erasing the customer deletes it. With the consent to '
  'marketing, the mail carries the link that withdraws it. Not so where the customer is known under another address. Returns the '
  'message''s identifier; null, and no mail, when the customer is erased. Without a customer (null) it is queued as any other. Lock '
  'the code and the customer before the review.';

create function private.forget_messages(p_org_id uuid, p_customer_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- The answer's own state says that it was not sent (private.note_delivery).
  update private.outbox o set state = 'failed', last_error = 'erased', data = '{}', settled_at = now()
  where o.customer = p_org_id || ' ' || p_customer_id and o.state = 'queued';
  delete from private.outbox o where o.customer = p_org_id || ' ' || p_customer_id;
end;
$$;
comment on function private.forget_messages(uuid, uuid) is
  'Deletes the messages to and about a customer who is erased: queued ones are not sent, and no record remains of what was sent to '
  'which address.';

create function private.enqueue_mail(
  p_template text, p_to text, p_data jsonb, p_expires_at timestamptz default null, p_not_before timestamptz default null
) returns uuid
language sql volatile security definer set search_path = ''
as $$ select private.enqueue_message('mail', p_template, p_to, p_data, p_expires_at, p_not_before); $$;
comment on function private.enqueue_mail(text, text, jsonb, timestamptz, timestamptz) is
  'Queues a mail: template, address, data of the text, until when it is worth sending (default: 6 hours), not before when (default: '
  'now). Call it in the transaction that causes the mail. Returns the message''s identifier.';
grant execute on function private.enqueue_mail(text, text, jsonb, timestamptz, timestamptz) to service_role;

create function private.enqueue_sms(
  p_template text, p_to text, p_data jsonb, p_expires_at timestamptz default null
) returns uuid
language sql volatile security definer set search_path = ''
as $$ select private.enqueue_message('sms', p_template, p_to, p_data, p_expires_at); $$;
comment on function private.enqueue_sms(text, text, jsonb, timestamptz) is
  'Writes a text message down for sending, as enqueue_mail does a mail.';
grant execute on function private.enqueue_sms(text, text, jsonb, timestamptz) to service_role;

create function private.is_lasting(p_template text) returns boolean
language sql immutable set search_path = ''
return p_template in ('prize', 'prize_reminder', 'review_answer', 'review_gesture', 'contact_request', 'daily_summary', 'weekly_summary', 'password_changed',
  'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'passkey_added', 'passkey_removed', 'organization_end', 'organization_kept',
  'organization_erased', 'access_ended', 'trial_ending', 'trial_ended', 'payment_failed', 'plan_suspended', 'plan_ended');
comment on function private.is_lasting(text) is
  'Whether a message is still worth reading days later. Any other opens an account by a link or a code, or is only of use at '
  'once: it is never sent after it has expired, and its data goes then.';

create function private.claim_messages(p_limit integer, p_now timestamptz default now())
returns table (
  id uuid, channel text, template text, recipient text, data jsonb, attempt integer, created_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_batch uuid[];
begin
  -- It waits for longer than any message does: a clock that was ahead has been set back.
  update private.outbox o set next_attempt_at = p_now
  where o.id = any (array(
    select ahead.id from private.outbox ahead
    where ahead.state = 'queued' and ahead.next_attempt_at > p_now + interval '1 day'
    order by ahead.next_attempt_at limit 1000 for update skip locked
  ));
  update private.outbox o
  set state = 'failed', last_error = coalesce(o.last_error, 'expired'), settled_at = p_now,
    data = case when private.is_lasting(o.template) then o.data else '{}' end
  where o.id = any (array(
    select due.id from private.outbox due
    where due.state = 'queued' and due.next_attempt_at <= p_now and due.expires_at <= p_now
    order by due.next_attempt_at limit 1000 for update skip locked
  ));
  -- Somebody may have left the team, or lost a right, since a notice was written; others are looked at in the place of what goes.
  loop
    v_batch := array(
      select due.id from private.outbox due
      where due.state = 'queued' and due.next_attempt_at <= p_now
      order by due.next_attempt_at limit p_limit for update skip locked
    );
    update private.outbox o set state = 'failed', last_error = 'reader_left', settled_at = p_now, data = '{}'
    where o.id = any (v_batch) and (
      o.data #>> '{facts,token}' is not null
        and not private.may_get_notice(o.channel, o.template, o.recipient, o.data -> 'facts')
      or o.data ? 'reader' and not private.is_reader(o.recipient, o.data -> 'reader'));
    exit when not found;
  end loop;
  return query
    update private.outbox o
    -- Longer than any mail server is waited for.
    set attempts = o.attempts + 1, next_attempt_at = p_now + interval '2 minutes'
    where o.id = any (v_batch)
    returning o.id, o.channel, o.template, o.recipient, o.data, o.attempts, o.created_at;
end;
$$;
comment on function private.claim_messages(integer, timestamptz) is
  'Takes messages that are due, for two minutes: another worker gets them only when this one has not settled them by '
  'then. One that would wait for more than a day is due at once. Those whose time is over are given up, and so are notices whose '
  'reader may not get them any more (private.may_get_notice, private.is_reader).';
grant execute on function private.claim_messages(integer, timestamptz) to service_role;

create function private.message_sent(p_id uuid, p_attempt integer, p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.outbox
  set state = 'sent', data = '{}', last_error = null, settled_at = p_now
  where id = p_id and state = 'queued' and attempts = p_attempt;
  return found;
end;
$$;
comment on function private.message_sent(uuid, integer, timestamptz) is
  'Settles a claimed message as sent and empties its data. False when it was no longer the caller''s.';
grant execute on function private.message_sent(uuid, integer, timestamptz) to service_role;

create function private.message_captured(p_id uuid, p_attempt integer, p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.outbox set state = 'captured', settled_at = p_now
  where id = p_id and state = 'queued' and attempts = p_attempt;
  return found;
end;
$$;
comment on function private.message_captured(uuid, integer, timestamptz) is
  'Keeps a claimed message for the mailbox of the local mode. False when it was no longer the caller''s.';
grant execute on function private.message_captured(uuid, integer, timestamptz) to service_role;

create function private.retry_delay(p_failures integer) returns interval
language sql immutable set search_path = ''
return least(interval '10 seconds' * power(2, least(greatest(p_failures, 1) - 1, 10)), interval '30 minutes');
comment on function private.retry_delay(integer) is
  'How long to wait after so many failures in a row: 10 s, 20 s, 40 s … at most half an hour.';

create function private.message_failed(
  p_id uuid, p_attempt integer, p_code text, p_permanent boolean, p_now timestamptz default now(), p_wait_s integer default 0
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
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
    cross join lateral (
      select greatest(private.retry_delay(q.attempts - q.attempts_before), make_interval(secs => p_wait_s)) as delay) d
    where q.id = p_id
  ) verdict
  where o.id = verdict.id and o.state = 'queued' and o.attempts = p_attempt
  returning o.state into v_state;
  return v_state;
end;
$$;
comment on function private.message_failed(uuid, integer, text, boolean, timestamptz, integer) is
  'Puts a claimed message back for a later attempt, not before so many seconds where the other side asks for them, or gives it up: when '
  'the failure is permanent, or when the next attempt would come too late. Answers queued or failed; null when it was no longer the caller''s.';
grant execute on function private.message_failed(uuid, integer, text, boolean, timestamptz, integer) to service_role;

create function private.release_message(p_id uuid, p_attempt integer, p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.outbox set next_attempt_at = p_now
  where id = p_id and state = 'queued' and attempts = p_attempt;
  return found;
end;
$$;
comment on function private.release_message(uuid, integer, timestamptz) is
  'Gives a claimed message back untried, for another worker. False when it was no longer the caller''s.';
grant execute on function private.release_message(uuid, integer, timestamptz) to service_role;

create function private.captured_messages(p_limit integer, p_to text default null)
returns table (id uuid, channel text, template text, recipient text, data jsonb, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.channel, o.template, o.recipient, o.data, o.created_at
  from private.outbox o
  where o.state = 'captured' and (p_to is null or lower(o.recipient) = lower(p_to))
  order by o.id desc limit p_limit;
$$;
comment on function private.captured_messages(integer, text) is
  'The mailbox of the local mode, newest first; of one recipient when named.';
grant execute on function private.captured_messages(integer, text) to service_role;

create function private.captured_message(p_id uuid)
returns table (id uuid, channel text, template text, recipient text, data jsonb, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.channel, o.template, o.recipient, o.data, o.created_at
  from private.outbox o where o.state = 'captured' and o.id = p_id;
$$;
comment on function private.captured_message(uuid) is 'One message of the mailbox of the local mode.';
grant execute on function private.captured_message(uuid) to service_role;

create function private.sweep_outbox(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.sweep_outbox(integer) is
  'Job: deletes messages that were sent, captured or given up a week ago. Before that, the data of those that were given '
  'up and have expired, unless they last (private.is_lasting).';
insert into private.jobs (name, run_every) values ('sweep_outbox', interval '1 hour');

create function private.job_due_at(p_job private.jobs, p_now timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$
  select case
    when p_job.next_run_at <= p_now + p_job.run_every + interval '1 day' then p_job.next_run_at
    else p_now
  end;
$$;
comment on function private.job_due_at(private.jobs, timestamptz) is
  'When a job is due: as it says, or at once where it waits for longer than it ever does, since a clock that was ahead has '
  'been set back.';

create function private.next_batch(p_batch integer, p_took interval, p_is_full boolean) returns integer
language sql immutable set search_path = ''
return case
  -- The same portion would fail again, for ever: it is undone as a whole.
  when p_took is null then greatest(p_batch / 4, 1)
  -- Costs of a run itself do not shrink with the portion: less than that would only be slower.
  when p_took > interval '1 second' then greatest(p_batch / 2, least(p_batch, 100))
  when p_is_full and p_took < interval '250 milliseconds' then least(p_batch * 2, 2000)
  else p_batch
end;
comment on function private.next_batch(integer, interval, boolean) is
  'Rows that a job takes next, after so many in so much time (null: it failed), while more were there or not. A run holds its rows until its '
  'end, and people may wait for them: a longer one than a second is followed by a smaller one, a quick one by a larger.';

create function private.run_next_job(
  p_now timestamptz default now(), out job text, out rows integer, out error text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_job private.jobs;
  v_began timestamptz;
begin
  -- The lock on the row is the lease: it ends with this transaction, however that ends.
  select * into v_job from private.jobs j where private.job_due_at(j, p_now) <= p_now
  order by j.next_run_at limit 1 for update skip locked;
  if not found then
    return;
  end if;
  job := v_job.name;
  v_began := clock_timestamp();
  begin
    execute format('select private.%I($1)', job) into rows using v_job.batch;
    -- Runs stay short: what is left is taken up a second later.
    update private.jobs j
    set last_run_at = p_now, last_count = rows, last_error = null, failures = 0,
      batch = private.next_batch(j.batch, clock_timestamp() - v_began, rows >= j.batch),
      next_run_at = p_now + case when rows >= j.batch then interval '1 second' else j.run_every end
    where j.name = job;
  exception when query_canceled or others then
    rows := null;
    error := sqlstate;
    update private.jobs j
    set last_run_at = p_now, last_count = null, last_error = error, failures = j.failures + 1, batch = private.next_batch(j.batch, null, null),
      next_run_at = p_now + greatest(least(j.run_every, interval '10 seconds'), private.retry_delay(j.failures + 1))
    where j.name = job;
  end;
end;
$$;
comment on function private.run_next_job(timestamptz) is
  'Runs one job that is due and that no other process is running: its name, the rows that it dealt with, or the '
  'SQLSTATE of its failure (it is tried again later, with fewer rows). All null when nothing is due.';
grant execute on function private.run_next_job(timestamptz) to service_role;

-- Neither a search path nor other rights: PostgreSQL lets no procedure commit that has them.
create procedure private.run_due_jobs()
language plpgsql
as $$
declare
  v_end constant timestamptz := clock_timestamp() + interval '45 seconds';
begin
  -- Jobs that are left over are taken up by the next call, a minute later.
  while clock_timestamp() < v_end loop
    exit when (select r.job is null from private.run_next_job() r);
    commit;
  end loop;
end;
$$;
comment on procedure private.run_due_jobs() is
  'Runs the jobs that are due, one after another and each in a transaction of its own: what pg_cron calls on a hosted project. '
  'A slow job holds no locks of those before it, and what cuts it off undoes nothing of theirs.';

create function private.next_job_in() returns double precision
language sql stable security definer set search_path = ''
as $$
  select extract(epoch from min(private.job_due_at(j, t.now)) - t.now)::double precision
  from private.jobs j, (select clock_timestamp() as now) t group by t.now;
$$;
comment on function private.next_job_in() is 'Seconds until a job is due, by the database''s clock; below zero when one is.';
grant execute on function private.next_job_in() to service_role;

create function private.next_message_in() returns double precision
language sql stable security definer set search_path = ''
as $$
  select extract(epoch from case when q.latest > t.now + interval '1 day' then least(q.earliest, t.now) else q.earliest end - t.now)::double precision
  from (
    select min(o.next_attempt_at) as earliest, max(o.next_attempt_at) as latest from private.outbox o where o.state = 'queued'
  ) q, (select clock_timestamp() as now) t;
$$;
comment on function private.next_message_in() is
  'Seconds until a message is due, by the database''s clock; below zero when one is, null when none waits. One that would wait for more '
  'than a day is due (private.claim_messages).';
grant execute on function private.next_message_in() to service_role;

create function private.queue_metrics()
returns table (kind text, name text, amount double precision)
language sql stable security definer set search_path = ''
as $$
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
$$;
comment on function private.queue_metrics() is
  'Metrics for a monitoring system: messages queued and given up, age of the oldest that waits (seconds), failures in a row '
  'of each job.';
grant execute on function private.queue_metrics() to service_role;

create function private.forget_messages_to(p_contacts text[]) returns void
language sql volatile set search_path = ''
as $$
  delete from private.outbox o
  where lower(o.recipient) = any (array(select lower(c) from unnest(p_contacts) c))
    -- Those of merchants to their customers go with such a customer.
    and (o.customer is null or private.is_for_the_team(o.template))
    -- Written for an address, whoever has an account with it.
    and o.template <> 'contact_request' and (o.template <> 'invitation' or o.state <> 'queued');
$$;
comment on function private.forget_messages_to(text[]) is
  'Deletes the messages to the addresses and numbers of a user whose account is erased: queued ones are not sent, and no record '
  'remains of what was sent to which address.';

create function private.call_worker() returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_url text;
  v_secret text;
begin
  -- Most of the time nothing waits, and nobody is called.
  if coalesce(private.next_message_in() > 0, true) then
    return null;
  end if;
  select max(s.decrypted_secret) filter (where s.name = 'project_url'),
    max(s.decrypted_secret) filter (where s.name = 'jobs_secret')
  into v_url, v_secret
  from vault.decrypted_secrets s where s.name in ('project_url', 'jobs_secret');
  if v_url is null or v_secret is null then
    raise exception 'The Vault lacks project_url or jobs_secret.' using errcode = '55000';
  end if;
  return net.http_post(
    url := v_url || '/functions/v1/run-jobs',
    headers := jsonb_build_object('content-type', 'application/json', 'x-jobs-secret', v_secret),
    body := '{}'::jsonb,
    timeout_milliseconds := 60000);
end;
$$;
comment on function private.call_worker() is
  'Calls the server function run-jobs of a hosted project while messages wait; pg_cron runs it. Answers the request''s '
  'number, null when nothing waits. Error 55000 where the Vault does not say which project this is.';

-- Permissions -------------------------------------------------------------------------------------

alter table private.outbox enable row level security;

alter table private.jobs enable row level security;

-- A hosted project ------------------------------------------------------------------------------

-- Jobs are run by pg_cron where it alone is there.
do $$
begin
  if exists (select from pg_catalog.pg_extension where extname = 'pg_cron') then
    perform cron.schedule('tournavis jobs', '* * * * *', 'call private.run_due_jobs()');
  end if;
end;
$$;

do $$
begin
  -- Any other PostgreSQL lacks one of them.
  if (select count(*) from pg_catalog.pg_available_extensions
      where name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3
  then
    return;
  end if;
  create extension if not exists supabase_vault;
  create extension if not exists pg_net with schema extensions;
  create extension if not exists pg_cron with schema pg_catalog;
  perform cron.schedule('tournavis jobs', '* * * * *', 'call private.run_due_jobs()');
  perform cron.schedule('tournavis worker', '10 seconds', 'select private.call_worker()');
  perform cron.schedule('tournavis history', '17 3 * * *',
    $c$delete from cron.job_run_details where end_time < now() - interval '7 days'$c$);
-- Installed, but not switched on for this database: a process of ours works there.
exception when object_not_in_prerequisite_state or insufficient_privilege or undefined_object or raise_exception then
  raise warning 'pg_cron is not to be had here (%): run a server process for jobs and messages.', sqlerrm;
end;
$$;
