-- Why: summaries and reports left out the last hours of a store further west, where their period was not over yet.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_day_over(p_org_id uuid, p_due timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select not exists (
    select 1 from public.stores s
    where s.org_id = p_org_id
      and private.now_in(s.timezone)::date < (p_due at time zone private.timezone_of(p_org_id))::date);
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
    where n.next_report_at <= now() and private.is_day_over(n.org_id, n.next_report_at)
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
    where n.next_summary_at <= now() and private.is_day_over(n.org_id, n.next_summary_at)
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

COMMENT ON FUNCTION "private"."is_day_over"(uuid, timestamp with time zone) IS 'Whether the day before a notice is due, which ends its period, is over in every store: figures count the days of each store.';

COMMENT ON FUNCTION "private"."send_reports"(integer) IS 'Job: reports of the month that is over in every store, one for each member who asked and may read figures: the date of the next moves on in the transaction that writes the mail.';

COMMENT ON FUNCTION "private"."send_summaries"(integer) IS 'Job: summaries that are due, one for each member and period: the date of the next moves on in the transaction that writes the mail. Periods are days of the organisation''s time zone, and wait for the stores where they end later.';

REVOKE ALL ON FUNCTION "private"."is_day_over"(uuid, timestamp with time zone) FROM PUBLIC;
