-- Why: an alert with the words of a customer left to somebody who had been taken out of the team while it waited.

set check_function_bodies = off;

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
  -- Somebody may have left the team, or lost a right, since a notice was written.
  update private.outbox o set state = 'failed', last_error = 'reader_left', settled_at = p_now, data = '{}'
  where o.id = any (array(
    select due.id from (
      select q.id, q.template, q.data from private.outbox q
      where q.state = 'queued' and q.next_attempt_at <= p_now
      order by q.next_attempt_at limit p_limit for update skip locked
    ) due
    where due.data #>> '{facts,token}' is not null and not private.may_get_notice(due.template, due.data -> 'facts')
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

CREATE OR REPLACE FUNCTION private.may_get_notice(p_template text, p_facts jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from private.notice_reader(p_facts ->> 'token') r
    join public.notification_preferences n on n.org_id = r.org_id and n.user_id = r.user_id
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    where n.email and private.role_may(m.role, 'activity.read')
      and case p_template
        when 'low_rating' then n.low_ratings
          and (not p_facts ?| '{review,customer}' or private.role_may(m.role, 'customers.read'))
          and (not p_facts ? 'review' or private.role_may(m.role, 'reviews.read'))
        when 'monthly_report' then n.monthly_report
        else n.summary || '_summary' = p_template
      end
  );
$function$;

CREATE OR REPLACE FUNCTION private.notice_reader(p_token text)
 RETURNS TABLE(org_id uuid, user_id uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select n.org_id, n.user_id from public.notification_preferences n
  where n.unsubscribe_secret = p_token
    or n.unsubscribe_token = case
      when p_token ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_token::uuid
    end;
$function$;

CREATE OR REPLACE FUNCTION public.unsubscribe(p_token text, p_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.notification_preferences n set
    low_ratings = n.low_ratings and p_kind <> 'alert',
    summary = case when p_kind = 'summary' then 'none' else n.summary end,
    next_summary_at = case when p_kind = 'summary' then null else n.next_summary_at end,
    monthly_report = n.monthly_report and p_kind <> 'report',
    next_report_at = case when p_kind <> 'report' then n.next_report_at end
  from private.notice_reader(p_token) r
  where n.org_id = r.org_id and n.user_id = r.user_id and p_kind in ('alert', 'summary', 'report');
  return found;
end;
$function$;

COMMENT ON FUNCTION "private"."claim_messages"(integer, timestamp with time zone) IS 'Takes messages that are due, for two minutes: another worker gets them only when this one has not settled them by then. Those whose time is over are given up, and so are notices whose reader may not get them any more (private.may_get_notice).';

COMMENT ON FUNCTION "private"."may_get_notice"(text, jsonb) IS 'Whether the reader of a waiting notice, named by the secret in its facts, is still a member, wants it and may read it.';

COMMENT ON FUNCTION "private"."notice_reader"(text) IS 'Whose mails bear this token: the secret of their preferences, or the identifier that stood in its place before; at most one.';

REVOKE ALL ON FUNCTION "private"."may_get_notice"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notice_reader"(text) FROM PUBLIC;
