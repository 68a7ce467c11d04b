-- Why: a merchant who hears at once of a bad visit can still call the customer, and one who gets the figures every week
-- need not come and look. Both are mails that somebody asked for, written in the transaction that they speak of, and
-- both can be ended with one click, without signing in.

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
  -- A prankster must not be able to fill a merchant's mailbox.
  if private.take(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_token,
      private.proven_phone(u.id) as phone
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_mail('low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'customer', new.customer_id, 'token', v_reader.unsubscribe_token))),
        now() + interval '1 day');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone,
        jsonb_build_object('store', v_store, 'rating', new.rating), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.alert_low_rating() is
  'Writes to those who asked to be told of a review of 3 stars or fewer, and who may read reviews: at most 30 alerts an '
  'hour for one organisation.';
create trigger alert_low_rating after insert on public.pre_spin_reviews
  for each row when (new.rating <= 3) execute function private.alert_low_rating();

create function private.send_summaries(p_limit integer) returns integer
language plpgsql volatile
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
    select n.org_id, n.user_id, n.summary, n.next_summary_at, n.unsubscribe_token,
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

    continue when v_due.address is null or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    into v_figures
    from public.campaign_daily_stats d
    where d.org_id = v_due.org_id and d.day >= v_from and d.day < v_until;
    -- A day on which nothing happened is not worth a mail; a week is.
    continue when v_due.summary = 'daily'
      and v_figures.scans + v_figures.reviews + v_figures.spins + v_figures.redemptions = 0;

    perform private.enqueue_mail(v_due.summary || '_summary', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'from', to_char(v_from, 'DD/MM/YYYY'), 'to', to_char(v_until - 1, 'DD/MM/YYYY'),
        'scans', v_figures.scans::text, 'reviews', v_figures.reviews::text, 'spins', v_figures.spins::text,
        'wins', v_figures.wins::text, 'redemptions', v_figures.redemptions::text,
        'average', case when v_figures.reviews > 0 then
          replace(round(v_figures.rating_sum::numeric / v_figures.reviews, 1)::text, '.', ',') end,
        'token', v_due.unsubscribe_token))),
      now() + interval '1 day');
  end loop;
  return v_count;
end;
$$;
comment on function private.send_summaries(integer) is
  'Job: summaries that are due, one for each member and period: the date of the next moves on in the transaction that '
  'writes the mail. Periods are days of the organisation''s time zone.';
insert into private.jobs (name, run_every) values ('send_summaries', interval '5 minutes');

create function public.unsubscribe(p_token uuid, p_kind text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.notification_preferences n set
    low_ratings = n.low_ratings and p_kind <> 'alert',
    summary = case when p_kind = 'summary' then 'none' else n.summary end,
    next_summary_at = case when p_kind = 'summary' then null else n.next_summary_at end
  where n.unsubscribe_token = p_token and p_kind in ('alert', 'summary');
  return found;
end;
$$;
comment on function public.unsubscribe(uuid, text) is
  'Ends the alerts (alert) or the summaries (summary) of whoever has a mail with this token. False when there is nobody, '
  'or the kind is another word.';
grant execute on function public.unsubscribe(uuid, text) to service_role;
