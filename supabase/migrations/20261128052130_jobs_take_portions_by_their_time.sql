-- A job whose portion takes too long takes a smaller one: people wait for what it holds, and one that fails would fail again for ever.

set check_function_bodies = off;

ALTER TABLE "private"."jobs" ADD COLUMN "batch" integer NOT NULL DEFAULT 250;

CREATE OR REPLACE FUNCTION private.next_batch(p_batch integer, p_took interval, p_is_full boolean)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE WHEN (p_took IS NULL) THEN GREATEST((p_batch / 4), 1) WHEN (p_took > '00:00:01'::interval) THEN GREATEST((p_batch / 2), LEAST(p_batch, 100)) WHEN (p_is_full AND (p_took < '00:00:00.25'::interval)) THEN LEAST((p_batch * 2), 2000) ELSE p_batch END;

CREATE OR REPLACE FUNCTION private.run_next_job(p_now timestamp with time zone DEFAULT now(), OUT job text, OUT rows integer, OUT error text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

ALTER TABLE "private"."jobs" ADD CONSTRAINT "jobs_batch_check" CHECK (((batch >= 1) AND (batch <= 2000)));

COMMENT ON COLUMN "private"."jobs"."batch" IS 'Rows that the next run deals with at most (private.next_batch).';

COMMENT ON FUNCTION "private"."next_batch"(integer, interval, boolean) IS 'Rows that a job takes next, after so many in so much time (null: it failed), while more were there or not. A run holds its rows until its end, and people may wait for them: a longer one than a second is followed by a smaller one, a quick one by a larger.';

COMMENT ON FUNCTION "private"."run_next_job"(timestamp with time zone) IS 'Runs one job that is due and that no other process is running: its name, the rows that it dealt with, or the SQLSTATE of its failure (it is tried again later, with fewer rows). All null when nothing is due.';

REVOKE ALL ON FUNCTION "private"."next_batch"(integer, interval, boolean) FROM PUBLIC;
