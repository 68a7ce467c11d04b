-- Public service: what visitors write to the operator, and what the page of the service's state says.

create table private.contact_requests (
  id uuid primary key,
  created_at timestamptz not null default now()
);
create index contact_requests_created_at_idx on private.contact_requests (created_at);
comment on table private.contact_requests is
  'Messages of the contact form that were written down for sending, so that a form that is sent twice arrives once. What they say '
  'is in the outbox alone.';
comment on column private.contact_requests.id is 'Identifier that the form made.';
comment on column private.contact_requests.created_at is 'When.';

create function public.contact_operator(
  p_request_id uuid, p_to text, p_topic text, p_name text, p_email text, p_body text, p_address_hash text,
  out outcome text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;
comment on function public.contact_operator(uuid, text, text, text, text, text, text) is
  'Writes a visitor''s message down for the operator''s mailbox, once for each identifier that a form made: five an hour from an '
  'address (hashed), 200 in all. Answers sent, repeated or too_many_attempts, then with when to come again.';
grant execute on function public.contact_operator(uuid, text, text, text, text, text, text) to service_role;

create function private.sweep_contact_requests(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.contact_requests c where c.id in (
    select o.id from private.contact_requests o where o.created_at < now() - interval '7 days'
    order by o.created_at limit p_limit for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_contact_requests(integer) is 'Job: what is remembered of contact forms goes after a week.';
insert into private.jobs (name, run_every) values ('sweep_contact_requests', interval '1 day');

create function public.service_status()
returns table (mail_waiting_s double precision, job_late_s double precision, last_job_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select
    -- Counted from when it could first leave: some wait on purpose.
    (select coalesce(extract(epoch from now() - min(case
        when o.attempts > o.attempts_before then coalesce(o.queued_again_at, o.created_at) else o.next_attempt_at end)), 0)
      from private.outbox o
      where o.state = 'queued' and o.channel in ('mail', 'sms')
        and (o.attempts > o.attempts_before or o.next_attempt_at <= now()))::double precision,
    (select greatest(extract(epoch from now() - min(j.next_run_at)), 0) from private.jobs j)::double precision,
    (select max(j.last_run_at) from private.jobs j);
$$;
comment on function public.service_status() is
  'How long the oldest message that could leave has waited and the latest job is overdue, in seconds, and when a job last ran: '
  'what the public page of the service''s state is made of. Nothing of anybody, and no name of a job.';
grant execute on function public.service_status() to service_role;

-- Permissions -------------------------------------------------------------------------------------

alter table private.contact_requests enable row level security;
