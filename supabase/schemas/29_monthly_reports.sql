-- Monthly reports: the figures of a month, as a mail and as a PDF.
--
-- A report says what the dashboard says of the same days, by the same functions, and names no customer: it is made to be handed
-- on. Who asked for it gets one mail a month: the date of the next one moves on in the transaction that writes the mail.

create function private.monthly_report(p_org_id uuid, p_month date) returns jsonb
language sql stable set search_path = ''
as $$
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
$$;
comment on function private.monthly_report(uuid, date) is
  'Report of an organisation''s month, named by its first day: the figures of period_figures, and what the public pages of up '
  'to 3 stores showed last in it, beside what they showed last before it.';

create function public.monthly_report(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_month date, out outcome text, out report jsonb
) returns record
language plpgsql volatile security definer set search_path = ''
as $$
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
    -- Printing one takes the server longer than anything else that a press of a button asks for.
    when private.count_attempt(array['monthly report ' || p_user_id::text], '{60}', interval '1 hour') is not null
      then 'too_many_attempts'
    else 'made'
  end;
  if outcome = 'made' then
    report := private.monthly_report(p_org_id, p_month);
  end if;
end;
$$;
comment on function public.monthly_report(uuid, uuid, text, uuid, date) is
  'Report of one of the last 12 months that are over, by its first day. For a user, with the session and the assurance '
  'level of their token; the shape is monthlyReport of _shared/domain. Outcomes: made, or why not: session_ended, '
  'second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (without advanced analytics), month '
  '(another day, or another month), too_many_attempts (60 in an hour).';
grant execute on function public.monthly_report(uuid, uuid, text, uuid, date) to service_role;

create function private.send_reports(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.send_reports(integer) is
  'Job: reports of the month that is over in every store, one for each member who asked and may read figures: the date of the next moves on in '
  'the transaction that writes the mail.';
insert into private.jobs (name, run_every) values ('send_reports', interval '5 minutes');
