-- Why: a job whose next run was noted by a clock that was ahead runs at once, not when the years in between have passed.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.job_due_at(p_job private.jobs, p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_job.next_run_at <= p_now + p_job.run_every + interval '1 day' then p_job.next_run_at
    else p_now
  end;
$function$;

CREATE OR REPLACE FUNCTION private.next_job_in()
 RETURNS double precision
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select extract(epoch from min(private.job_due_at(j, t.now)) - t.now)::double precision
  from private.jobs j, (select clock_timestamp() as now) t group by t.now;
$function$;

CREATE OR REPLACE FUNCTION private.run_next_job(p_now timestamp with time zone DEFAULT now(), OUT job text, OUT rows integer, OUT error text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Runs stay short: what is left is taken up a second later.
  c_batch constant integer := 2000;
  v_job private.jobs;
begin
  -- The lock on the row is the lease: it ends with this transaction, however that ends.
  select * into v_job from private.jobs j where private.job_due_at(j, p_now) <= p_now
  order by j.next_run_at limit 1 for update skip locked;
  if not found then
    return;
  end if;
  job := v_job.name;
  begin
    execute format('select private.%I($1)', job) into rows using c_batch;
    update private.jobs j
    set last_run_at = p_now, last_count = rows, last_error = null, failures = 0,
      next_run_at = p_now + case when rows >= c_batch then interval '1 second' else j.run_every end
    where j.name = job;
  exception when query_canceled or others then
    rows := null;
    error := sqlstate;
    update private.jobs j
    set last_run_at = p_now, last_count = null, last_error = error, failures = j.failures + 1,
      next_run_at = p_now + greatest(least(j.run_every, interval '10 seconds'), private.retry_delay(j.failures + 1))
    where j.name = job;
  end;
end;
$function$;

COMMENT ON FUNCTION "private"."job_due_at"(private.jobs, timestamp with time zone) IS 'When a job is due: as it says, or at once where it waits for longer than it ever does, since a clock that was ahead has been set back.';

REVOKE ALL ON FUNCTION "private"."job_due_at"(private.jobs, timestamp with time zone) FROM PUBLIC;
