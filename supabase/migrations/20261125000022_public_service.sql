-- Why: visitors write to the operator by a form, and anybody may ask how the service does.

set check_function_bodies = off;

CREATE TABLE "private"."contact_requests" ("id" uuid NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "contact_requests_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."contact_requests" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.is_lasting(p_template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (p_template = ANY (ARRAY['prize'::text, 'prize_reminder'::text, 'review_answer'::text, 'contact_request'::text, 'daily_summary'::text, 'weekly_summary'::text, 'password_changed'::text, 'email_changed'::text, 'phone_changed'::text, 'factor_added'::text, 'factor_removed'::text, 'passkey_added'::text, 'passkey_removed'::text, 'organization_end'::text, 'organization_kept'::text, 'trial_ending'::text, 'trial_ended'::text, 'payment_failed'::text, 'plan_suspended'::text, 'plan_ended'::text]));

CREATE OR REPLACE FUNCTION private.sweep_contact_requests(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
  -- Whoever sends the same form at once waits for the first, and learns that it was sent.
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

CREATE OR REPLACE FUNCTION public.service_status()
 RETURNS TABLE(mail_waiting_s double precision, job_late_s double precision, last_job_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    -- Counted from when it could first leave: some wait on purpose.
    (select coalesce(extract(epoch from now() - min(case
        when o.attempts > o.attempts_before then coalesce(o.queued_again_at, o.created_at) else o.next_attempt_at end)), 0)
      from private.outbox o
      where o.state = 'queued' and o.channel in ('mail', 'sms')
        and (o.attempts > o.attempts_before or o.next_attempt_at <= now()))::double precision,
    (select greatest(extract(epoch from now() - min(j.next_run_at)), 0) from private.jobs j)::double precision,
    (select max(j.last_run_at) from private.jobs j);
$function$;

CREATE INDEX contact_requests_created_at_idx ON private.contact_requests USING btree (created_at);

COMMENT ON COLUMN "private"."contact_requests"."created_at" IS 'When.';

COMMENT ON COLUMN "private"."contact_requests"."id" IS 'Identifier that the form made.';

COMMENT ON FUNCTION "private"."sweep_contact_requests"(integer) IS 'Job: what is remembered of contact forms goes after a week.';

COMMENT ON FUNCTION "public"."contact_operator"(uuid, text, text, text, text, text, text) IS 'Writes a visitor''s message down for the operator''s mailbox, once for each identifier that a form made: five an hour from an address (hashed), 200 in all. Answers sent, repeated or too_many_attempts, then with when to come again.';

COMMENT ON FUNCTION "public"."service_status"() IS 'How long the oldest message that could leave has waited and the latest job is overdue, in seconds, and when a job last ran: what the public page of the service''s state is made of. Nothing of anybody, and no name of a job.';

COMMENT ON TABLE "private"."contact_requests" IS 'Messages of the contact form that were written down for sending, so that a form that is sent twice arrives once. What they say is in the outbox alone.';

REVOKE ALL ON FUNCTION "private"."sweep_contact_requests"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."contact_operator"(uuid, text, text, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."contact_operator"(uuid, text, text, text, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."service_status"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."service_status"() TO "service_role";

insert into private.jobs (name, run_every) values ('sweep_contact_requests', interval '1 day');
