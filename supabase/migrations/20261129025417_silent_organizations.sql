-- Why: an organisation that waits to be erased refused changes as if its plan were over, and its members went on to get summaries and reports.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_silent(p_org_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from public.subscriptions s
    where s.org_id = p_org_id and (s.suspended_at is not null or s.is_ending or private.readable_until(s) <= now()));
$function$;

CREATE OR REPLACE FUNCTION private.push_readers(p_org_id uuid, p_kind text)
 RETURNS TABLE(device_id uuid, user_id uuid, role text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.id, d.user_id, m.role
  from private.push_devices d
  join public.organization_members m on m.org_id = d.org_id and m.user_id = d.user_id
  join auth.sessions s on s.id = d.session_id and s.user_id = d.user_id and (s.not_after is null or s.not_after > now())
  left join public.notification_preferences n on n.org_id = d.org_id and n.user_id = d.user_id
  where d.org_id = p_org_id
    and private.role_may(m.role, 'activity.read')
    and case p_kind
      when 'low_rating' then coalesce(n.push_low_ratings, true)
      when 'low_stock' then coalesce(n.push_low_stock, true) and private.role_may(m.role, 'rewards.read')
      else false end
    and not private.is_silent(p_org_id);
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
  elsif p_subscription.is_ending then
    raise exception 'organization_ending' using errcode = 'TV191';
  end if;
  raise exception 'subscription_closed' using errcode = 'TV085';
end;
$function$;

CREATE OR REPLACE FUNCTION private.send_reports(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_timezone text;
  v_month date;
  v_report jsonb;
  v_report_of record := row(null::uuid, null::date);
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.next_report_at, n.unsubscribe_secret,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_report_at <= now()
    order by n.next_report_at, n.org_id limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The month before the report was due, however late this run comes.
    v_month := (date_trunc('month', v_due.next_report_at at time zone v_timezone) - interval '1 month')::date;
    update public.notification_preferences n set next_report_at = private.next_report(v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;
    continue when v_due.address is null or private.is_silent(v_due.org_id)
      or not private.has_feature(v_due.org_id, 'advanced_analytics') or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    -- The same for all who get it in an organisation, who come one after the other.
    if v_report_of is distinct from row(v_due.org_id, v_month) then
      v_report := private.monthly_report(v_due.org_id, v_month);
      v_report_of := row(v_due.org_id, v_month);
    end if;
    perform private.enqueue_mail('monthly_report', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'report', v_report,
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'token', v_due.unsubscribe_secret))),
      now() + interval '3 days');
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.send_summaries(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_timezone text;
  v_until date;
  v_from date;
  v_figures record;
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.summary, n.next_summary_at, n.unsubscribe_secret,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_summary_at <= now()
    order by n.next_summary_at limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The period ends with the day before the summary was due, however late this run comes.
    v_until := (v_due.next_summary_at at time zone v_timezone)::date;
    v_from := v_until - case v_due.summary when 'daily' then 1 else 7 end;
    update public.notification_preferences n
    set next_summary_at = private.next_summary(n.summary, v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;

    continue when v_due.address is null or private.is_silent(v_due.org_id) or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    into v_figures
    from private.day_figures_now(v_due.org_id, v_from, v_until) d;
    -- A day on which nothing happened is not worth a mail; a week is.
    continue when v_due.summary = 'daily'
      and v_figures.scans + v_figures.reviews + v_figures.spins + v_figures.redemptions = 0;

    perform private.enqueue_mail(v_due.summary || '_summary', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'scans', v_figures.scans::text, 'reviews', v_figures.reviews::text, 'spins', v_figures.spins::text,
        'wins', v_figures.wins::text, 'redemptions', v_figures.redemptions::text,
        'average', case when v_figures.reviews > 0 then
          replace(round(v_figures.rating_sum::numeric / v_figures.reviews, 1)::text, '.', ',') end,
        'token', v_due.unsubscribe_secret)),
      'days', jsonb_build_object(
        'from', jsonb_build_object('at', v_from::timestamp at time zone v_timezone, 'timezone', v_timezone),
        'to', jsonb_build_object('at', (v_until - 1)::timestamp at time zone v_timezone, 'timezone', v_timezone))),
      now() + interval '1 day');
  end loop;
  return v_count;
end;
$function$;

COMMENT ON FUNCTION "private"."is_silent"(uuid) IS 'Whether an organisation''s members get no more figures and alerts: it is suspended, waits to be erased, or can no longer be read.';

COMMENT ON FUNCTION "private"."refuse_closed"(public.subscriptions) IS 'Raises the reason why nothing may be changed under a subscription that is not open. Errors: TV190 the operator suspended the organisation, TV191 it waits to be erased, TV085 its plan is over.';

COMMENT ON FUNCTION "private"."require_plan"(uuid, text) IS 'True where an organisation''s plan allows what a permission stands for. Errors: TV085 to write or delete once it is over or unpaid; TV191 while the organisation waits to be erased; TV190 once the operator suspended it; TV120 to read 30 days after its end.';

REVOKE ALL ON FUNCTION "private"."is_silent"(uuid) FROM PUBLIC;
