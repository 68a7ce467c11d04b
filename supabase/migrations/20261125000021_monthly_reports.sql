-- Why: owners hand the figures of a month on, as a mail and a PDF

set check_function_bodies = off;

DROP TRIGGER "audit_notifications" ON "public"."notification_preferences";

DROP FUNCTION "public"."save_notifications"(uuid, boolean, boolean, boolean, text);

ALTER TABLE "public"."notification_preferences" ADD COLUMN "monthly_report" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."notification_preferences" ADD COLUMN "next_report_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.add_owner(p_org_id uuid, p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_constraint text;
begin
  insert into public.organization_members (org_id, user_id, role) values (p_org_id, p_user_id, 'owner');
  -- A bad review that nobody hears of is lost: alerts, the weekly summary and the monthly report are on until somebody ends them.
  insert into public.notification_preferences
    (org_id, user_id, low_ratings, summary, next_summary_at, monthly_report, next_report_at)
  values (p_org_id, p_user_id, true, 'weekly', private.next_summary('weekly', private.timezone_of(p_org_id), now()),
    true, private.next_report(private.timezone_of(p_org_id), now()));
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'organization_members_user_id_key' then
      raise exception 'already_member' using errcode = 'TV020';
    end if;
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
  when others then
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
end;
$function$;

CREATE OR REPLACE FUNCTION private.monthly_report(p_org_id uuid, p_month date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'organization', (select o.name from public.organizations o where o.id = p_org_id),
    'month', p_month,
    'figures', private.period(p_org_id, p_month, (p_month + interval '1 month')::date - 1),
    'public_pages', coalesce((
      select jsonb_agg(jsonb_build_object('name', s.name,
        'at', jsonb_build_object('day', s.day, 'rating', s.rating, 'reviews', s.reviews),
        'before', (
          select jsonb_build_object('day', b.day, 'rating', b.rating, 'reviews', b.reviews) from public.public_ratings b
          where b.org_id = p_org_id and b.store_id = s.store_id and b.day < p_month order by b.day desc limit 1))
        order by s.reviews desc, s.name, s.store_id)
      from (
        select n.name, r.* from public.stores n
        cross join lateral (
          select t.store_id, t.day, t.rating, t.reviews from public.public_ratings t
          where t.org_id = p_org_id and t.store_id = n.id and t.day >= p_month and t.day < p_month + interval '1 month'
          order by t.day desc limit 1
        ) r
        where n.org_id = p_org_id order by r.reviews desc, n.name, n.id limit 3
      ) s), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.next_report(p_timezone text, p_after timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (d.start + case when d.start > d.local then interval '0' else interval '1 month' end) at time zone p_timezone
  from (
    select t.local, date_trunc('month', t.local) + interval '8 hours' as start
    from (select p_after at time zone p_timezone as local) t
  ) d;
$function$;

CREATE OR REPLACE FUNCTION private.period(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('totals', r.recent -> 'totals', 'previous', r.recent -> 'previous',
    'days', r.recent -> 'days', 'funnel', r.recent -> 'funnel',
    'return', private.period_return(p_org_id, p_from, p_to + 1))
  from (select private.recent_days(p_org_id, p_to, p_to - p_from + 1, p_to + 1) as recent) r;
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
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.next_report_at, n.unsubscribe_token,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_report_at <= now()
    order by n.next_report_at limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The month before the report was due, however late this run comes.
    v_month := (date_trunc('month', v_due.next_report_at at time zone v_timezone) - interval '1 month')::date;
    update public.notification_preferences n set next_report_at = private.next_report(v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;
    continue when v_due.address is null or not private.has_feature(v_due.org_id, 'advanced_analytics') or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    perform private.enqueue_mail('monthly_report', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'report', private.monthly_report(v_due.org_id, v_month),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'token', v_due.unsubscribe_token))),
      now() + interval '3 days');
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.monthly_report(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_month date, OUT outcome text, OUT report jsonb)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_this_month date;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  if not exists (
    select 1 from public.organization_members m
    join public.role_permissions r on r.role = m.role and r.permission = 'activity.read'
    where m.user_id = p_user_id and m.org_id = p_org_id
  ) then
    outcome := 'forbidden';
    return;
  end if;
  v_this_month := date_trunc('month', private.now_in(private.timezone_of(p_org_id)))::date;
  outcome := case
    when not private.is_readable(p_org_id) then 'closed'
    when not private.has_feature(p_org_id, 'advanced_analytics') then 'plan'
    when (extract(day from p_month) = 1 and p_month < v_this_month and p_month >= v_this_month - interval '12 months')
      is not true then 'month'
    else 'made'
  end;
  if outcome = 'made' then
    report := private.monthly_report(p_org_id, p_month);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.period_figures(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('activity.read')))
    or not private.has_feature(p_org_id, 'advanced_analytics') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- « is not true »: a comparison with null is neither.
  if (p_from > '2000-01-01' and p_to < '2200-01-01' and p_to - p_from between 0 and 365) is not true then
    raise exception 'period_invalid' using errcode = '22023';
  end if;
  return private.period(p_org_id, p_from, p_to);
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_notifications(p_org_id uuid, p_email boolean, p_sms boolean, p_low_ratings boolean, p_summary text, p_monthly_report boolean DEFAULT NULL::boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids())) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_sms and private.proven_phone(v_user_id) is null then
    raise exception 'phone_required' using errcode = 'TV105';
  end if;
  insert into public.notification_preferences as n
    (org_id, user_id, email, sms, low_ratings, summary, next_summary_at, monthly_report, next_report_at)
  values (p_org_id, v_user_id, p_email, p_sms, p_low_ratings, p_summary,
    case when p_email then private.next_summary(p_summary, private.timezone_of(p_org_id), now()) end,
    coalesce(p_monthly_report, false),
    case when p_email and p_monthly_report then private.next_report(private.timezone_of(p_org_id), now()) end)
  on conflict (org_id, user_id) do update set
    email = excluded.email, sms = excluded.sms, low_ratings = excluded.low_ratings, summary = excluded.summary,
    -- Saved once more, the next summary keeps its date.
    next_summary_at = case
      when n.summary = excluded.summary and n.email = excluded.email then n.next_summary_at
      else excluded.next_summary_at
    end,
    -- A page of an older release does not know of it, and changes nothing.
    monthly_report = coalesce(p_monthly_report, n.monthly_report),
    next_report_at = case when p_email and coalesce(p_monthly_report, n.monthly_report)
      then coalesce(n.next_report_at, private.next_report(private.timezone_of(p_org_id), now())) end;
end;
$function$;

CREATE OR REPLACE FUNCTION public.settings(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_permissions text[];
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select array_agg(p.permission) into v_permissions
  from public.organization_members m join public.role_permissions p on p.role = m.role
  where m.org_id = p_org_id and m.user_id = v_user_id;

  return jsonb_build_object(
    'organization', (
      select jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'version', o.version, 'created_at', o.created_at)
      from public.organizations o where o.id = p_org_id),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
        'google_review_url', s.google_review_url, 'has_history', private.has_store_history(p_org_id, s.id),
        'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id),
        'active_campaigns', (select count(*) from public.campaigns c
          where c.org_id = p_org_id and c.store_id = s.id and c.active)) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id and s.archived_at is null), '[]'::jsonb),
    'subscription', (
      select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
        'current_period_end', s.current_period_end,
        'ends_at', case when s.status = 'canceled' then s.closed_at when s.cancel_at_period_end then s.current_period_end end,
        'customer_id', case when 'billing.manage' = any (v_permissions) then s.stripe_customer_id end)
      from public.subscriptions s where s.org_id = p_org_id),
    'notifications', (
      select jsonb_build_object('email', coalesce(n.email, true), 'sms', coalesce(n.sms, false),
        'low_ratings', coalesce(n.low_ratings, false), 'summary', coalesce(n.summary, 'none'),
        'monthly_report', coalesce(n.monthly_report, false),
        'address', u.email, 'has_phone', private.proven_phone(u.id) is not null)
      from auth.users u
      left join public.notification_preferences n on n.org_id = p_org_id and n.user_id = u.id
      where u.id = v_user_id)
  );
end;
$function$;

CREATE OR REPLACE FUNCTION public.unsubscribe(p_token uuid, p_kind text)
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
  where n.unsubscribe_token = p_token and p_kind in ('alert', 'summary', 'report');
  return found;
end;
$function$;

ALTER TABLE "public"."notification_preferences" ADD CONSTRAINT "notification_preferences_report_check" CHECK (((next_report_at IS NULL) = ((NOT monthly_report) OR (NOT email))));

CREATE INDEX notification_preferences_report_idx ON public.notification_preferences USING btree (next_report_at) WHERE (next_report_at IS NOT NULL);

CREATE TRIGGER audit_notifications AFTER UPDATE OF email, sms, low_ratings, summary, monthly_report ON public.notification_preferences FOR EACH ROW WHEN (((old.email IS DISTINCT FROM new.email) OR (old.sms IS DISTINCT FROM new.sms) OR (old.low_ratings IS DISTINCT FROM new.low_ratings) OR (old.summary IS DISTINCT FROM new.summary) OR (old.monthly_report IS DISTINCT FROM new.monthly_report))) EXECUTE FUNCTION private.audit_notifications();

COMMENT ON COLUMN "public"."notification_preferences"."monthly_report" IS 'Whether to send the report of each month by e-mail.';

COMMENT ON COLUMN "public"."notification_preferences"."next_report_at" IS 'When the next report is due; null without one. It moves on in the transaction that writes the mail: one a month.';

COMMENT ON FUNCTION "private"."monthly_report"(uuid, date) IS 'Report of an organisation''s month, named by its first day: the figures of period_figures, and what the public pages of up to 3 stores showed last in it, beside what they showed last before it.';

COMMENT ON FUNCTION "private"."next_report"(text, timestamp with time zone) IS 'When the next report after a moment is due: on the first of a month, at 8 in the morning there.';

COMMENT ON FUNCTION "private"."period"(uuid, date, date) IS 'What period_figures answers, for whoever has asked who may read it.';

COMMENT ON FUNCTION "private"."send_reports"(integer) IS 'Job: reports of the month that is over, one for each member who asked and may read figures: the date of the next moves on in the transaction that writes the mail.';

COMMENT ON FUNCTION "public"."monthly_report"(uuid, uuid, text, uuid, date) IS 'Report of one of the last 12 months that are over, by its first day, for a user whose token names a session and an assurance level; the shape is monthlyReport of _shared/domain. Outcomes: made, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (without advanced analytics), month (another day, or another month).';

COMMENT ON FUNCTION "public"."save_notifications"(uuid, boolean, boolean, boolean, text, boolean) IS 'Saves which notices the signed-in member wants: channels (e-mail, SMS), an alert for reviews of 3 stars or fewer, a summary (none, daily, weekly), and the report of each month (null: as before). Errors: 42501 to members of another organisation, TV105 text messages without a proven number, 23514 another word for the summary, 23502 a null.';

COMMENT ON FUNCTION "public"."unsubscribe"(uuid, text) IS 'Ends the alerts (alert), the summaries (summary) or the reports (report) of whoever has a mail with this token. False when there is nobody, or the kind is another word.';

REVOKE ALL ON FUNCTION "private"."monthly_report"(uuid, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_report"(text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."period"(uuid, date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_reports"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."monthly_report"(uuid, uuid, text, uuid, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."monthly_report"(uuid, uuid, text, uuid, date) TO "service_role";

REVOKE ALL ON FUNCTION "public"."save_notifications"(uuid, boolean, boolean, boolean, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."save_notifications"(uuid, boolean, boolean, boolean, text, boolean) TO "authenticated";

insert into private.jobs (name, run_every) values ('send_reports', interval '5 minutes');
