-- Notifications: the mails that a member asked for.
--
-- Notice of a bad visit lets a merchant call the customer in time. Weekly figures spare a look at the dashboard.
-- Members ask for both mails, which are written in the transaction that they are about. One click ends either, without
-- signing in. Text messages require a number that the user has confirmed.

create function private.next_summary(p_summary text, p_timezone text, p_after timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$
  select (d.start + interval '8 hours'
    -- Added to the wall clock: a day there has 23 or 25 hours now and then.
    + case when d.start + interval '8 hours' > d.local then interval '0' else d.length end) at time zone p_timezone
  from (
    select t.local, date_trunc(case p_summary when 'daily' then 'day' else 'week' end, t.local) as start,
      case p_summary when 'daily' then interval '1 day' else interval '7 days' end as length
    from (select p_after at time zone p_timezone as local) t
  ) d
  where p_summary in ('daily', 'weekly');
$$;
comment on function private.next_summary(text, text, timestamptz) is
  'When the next summary after a moment is due: at 8 in the morning there, every day or on Mondays; null for none.';

create function private.next_report(p_timezone text, p_after timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$
  select (d.start + case when d.start > d.local then interval '0' else interval '1 month' end) at time zone p_timezone
  from (
    select t.local, date_trunc('month', t.local) + interval '8 hours' as start
    from (select p_after at time zone p_timezone as local) t
  ) d;
$$;
comment on function private.next_report(text, timestamptz) is
  'When the next report after a moment is due: on the first of a month, at 8 in the morning there.';

create function private.is_day_over(p_org_id uuid, p_due timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select 1 from public.stores s
    where s.org_id = p_org_id
      and private.now_in(s.timezone)::date < (p_due at time zone private.timezone_of(p_org_id))::date);
$$;
comment on function private.is_day_over(uuid, timestamptz) is
  'Whether the day before a notice is due, which ends its period, is over in every store: figures count the days of each store.';

create function private.move_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_store constant public.stores := coalesce(old, new);
  v_before constant text := coalesce(old.timezone, 'Europe/Paris');
  v_after constant text := private.timezone_of(v_store.org_id);
begin
  if v_after <> v_before and not exists (
    select 1 from public.stores s
    where s.org_id = v_store.org_id and s.id <> v_store.id
      and (tg_op = 'INSERT' or (s.created_at, s.id) < (v_store.created_at, v_store.id))
  ) then
    update public.notification_preferences n
    set next_summary_at = n.next_summary_at at time zone v_before at time zone v_after,
      next_report_at = n.next_report_at at time zone v_before at time zone v_after
    where n.org_id = v_store.org_id;
  end if;
  return null;
end;
$$;
comment on function private.move_notices() is
  'Keeps summaries and reports at 8 in the morning when the organisation''s time zone becomes another (private.timezone_of). At the '
  'old moment it could be the day before, and the figures those of another month.';
create trigger move_notices after insert or update of timezone or delete on public.stores
  for each row execute function private.move_notices();

create function public.save_notifications(
  p_org_id uuid, p_email boolean, p_sms boolean, p_low_ratings boolean, p_summary text,
  p_monthly_report boolean default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;
comment on function public.save_notifications(uuid, boolean, boolean, boolean, text, boolean) is
  'Saves which notices the signed-in member wants: channels (e-mail, SMS), an alert for reviews of 3 stars or fewer, '
  'a summary (none, daily, weekly), and the report of each month (null: as before). Errors: 42501 to members of another organisation, TV105 text messages without a '
  'proven number, 23514 another word for the summary, 23502 a null.';
grant execute on function public.save_notifications(uuid, boolean, boolean, boolean, text, boolean) to authenticated;

create function private.alert_low_rating() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_store text;
  v_reader record;
begin
  -- Nearly always nobody asked: one look into an index.
  if not exists (
    select 1 from public.notification_preferences n where n.org_id = new.org_id and n.low_ratings
  ) then
    return null;
  end if;
  -- Limit of alerts: anonymous visitors must not fill a merchant's mailbox.
  if private.count_attempt(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_secret,
      private.proven_phone(u.id) as phone,
      -- Members who may not see customers are led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id,
      private.role_may(m.role, 'customers.read') and private.role_may(m.role, 'reviews.read') as reads_inbox
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_customer_mail(new.org_id, new.customer_id, 'low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'brand', private.brand(new.org_id),
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'review', case when v_reader.reads_inbox then private.alias_of(new.id) end,
          'customer', case when not v_reader.reads_inbox then v_reader.customer_id end,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_secret))),
        now() + interval '1 day', now() + interval '2 minutes');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone, jsonb_build_object('store', v_store, 'rating', new.rating,
        'facts', jsonb_build_object('token', v_reader.unsubscribe_secret)), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.alert_low_rating() is
  'Writes to those who asked for notice of a review of 3 stars or fewer, and who may read reviews: at most 30 alerts an '
  'hour for one organisation. Mails wait two minutes for the words (private.alert_words).';
create trigger alert_low_rating after insert on public.pre_spin_reviews
  for each row when (private.is_bad_rating(new.rating)) execute function private.alert_low_rating();

create function private.alert_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- One that is on its way already stays as it is.
  update private.outbox o
  set data = jsonb_set(o.data, '{facts,words}', to_jsonb(left(new.review_text, 1000))), next_attempt_at = now()
  where o.state = 'queued' and o.template = 'low_rating' and o.attempts = 0
    and o.data #>> '{facts,review}' = private.alias_of(new.id)::text;
  if found then
    perform pg_notify('tournavis_outbox', '');
  end if;
  return null;
end;
$$;
comment on function private.alert_words() is
  'Adds the text that a customer has just written to the queued alert about their review, and sends the alert at once.';
create trigger alert_words after update of review_text on public.pre_spin_reviews
  for each row when (old.review_text is null and new.review_text is not null and private.is_bad_rating(new.rating))
  execute function private.alert_words();

create function private.send_summaries(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.send_summaries(integer) is
  'Job: summaries that are due, one for each member and period: the date of the next moves on in the transaction that '
  'writes the mail. Periods are days of the organisation''s time zone, and wait for the stores where they end later.';
insert into private.jobs (name, run_every) values ('send_summaries', interval '5 minutes');

create function private.notice_reader(p_token text) returns table (org_id uuid, user_id uuid)
language sql stable set search_path = ''
as $$
  select n.org_id, n.user_id from public.notification_preferences n
  where n.unsubscribe_secret = p_token
    or n.unsubscribe_token = case
      when p_token ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_token::uuid
    end;
$$;
comment on function private.notice_reader(text) is
  'Whose mails bear this token: the secret of their preferences, or the identifier that stood in its place before; at most one.';

create function private.may_get_notice(p_channel text, p_template text, p_recipient text, p_facts jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from private.notice_reader(p_facts ->> 'token') r
    join public.notification_preferences n on n.org_id = r.org_id and n.user_id = r.user_id
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join auth.users u on u.id = n.user_id
    where private.role_may(m.role, 'activity.read')
      and case p_channel
        when 'sms' then n.sms and private.proven_phone(u.id) = p_recipient
        else n.email and u.email = p_recipient
      end
      and case p_template
        when 'low_rating' then n.low_ratings
          and (not p_facts ?| '{review,customer}' or private.role_may(m.role, 'customers.read'))
          and (not p_facts ? 'review' or private.role_may(m.role, 'reviews.read'))
        when 'monthly_report' then n.monthly_report
        else n.summary || '_summary' = p_template
      end
  );
$$;
comment on function private.may_get_notice(text, text, text, jsonb) is
  'Whether the reader of a notice, named by its secret, is a member with this address or number who wants and may read it.';

create function private.reader(p_org_id uuid, p_user_id uuid, p_permission text) returns jsonb
language sql immutable parallel safe set search_path = ''
return jsonb_build_object('org_id', p_org_id, 'user_id', p_user_id, 'permission', p_permission);
comment on function private.reader(uuid, uuid, text) is
  'Data « reader » of a mail that is for whoever has a permission in an organisation: looked at again before it leaves (private.is_reader).';

create function private.is_reader(p_recipient text, p_reader jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.organization_members m
    join auth.users u on u.id = m.user_id
    where m.org_id = (p_reader ->> 'org_id')::uuid and m.user_id = (p_reader ->> 'user_id')::uuid
      and private.role_may(m.role, p_reader ->> 'permission') and u.email = p_recipient
  );
$$;
comment on function private.is_reader(text, jsonb) is
  'Whether somebody for whom a mail was written (private.reader) still has that permission there, and that address.';

create function public.unsubscribe(p_token text, p_kind text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;
comment on function public.unsubscribe(text, text) is
  'Ends the alerts (alert), the summaries (summary) or the reports (report) of whoever has a mail with this token. False when there is nobody, '
  'or the kind is another word.';
grant execute on function public.unsubscribe(text, text) to service_role;

create function private.audit_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Only ever one's own: by the settings, or by the link of a mail.
  perform private.audit_as(new.org_id, new.user_id, 'notifications.updated', 'member', new.user_id);
  return null;
end;
$$;
comment on function private.audit_notifications() is 'Records that a member changed their notices.';
create trigger audit_notifications
  after update of email, sms, low_ratings, summary, monthly_report, push_low_ratings, push_low_stock on public.notification_preferences
  for each row when (
    old.email is distinct from new.email or old.sms is distinct from new.sms
    or old.low_ratings is distinct from new.low_ratings or old.summary is distinct from new.summary
    or old.monthly_report is distinct from new.monthly_report
    or old.push_low_ratings is distinct from new.push_low_ratings
    or old.push_low_stock is distinct from new.push_low_stock)
  execute function private.audit_notifications();
