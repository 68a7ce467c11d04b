-- Why: a message that was written while the clock was days ahead waits no longer once it is right again, as jobs do not.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.claim_messages(p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(id uuid, channel text, template text, recipient text, data jsonb, attempt integer, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.next_message_in()
 RETURNS double precision
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select extract(epoch from case when q.latest > t.now + interval '1 day' then least(q.earliest, t.now) else q.earliest end - t.now)::double precision
  from (
    select min(o.next_attempt_at) as earliest, max(o.next_attempt_at) as latest from private.outbox o where o.state = 'queued'
  ) q, (select clock_timestamp() as now) t;
$function$;

COMMENT ON FUNCTION "private"."claim_messages"(integer, timestamp with time zone) IS 'Takes messages that are due, for two minutes: another worker gets them only when this one has not settled them by then. One that would wait for more than a day is due at once. Those whose time is over are given up, and so are notices whose reader may not get them any more (private.may_get_notice, private.is_reader).';

COMMENT ON FUNCTION "private"."next_message_in"() IS 'Seconds until a message is due, by the database''s clock; below zero when one is, null when none waits. One that would wait for more than a day is due (private.claim_messages).';
