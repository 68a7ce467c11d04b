-- Why: summaries and an organisation's last question add up days and lives too, and read them from what is folded
-- (20261121130000). Who did something is found by walking the index backwards, one step a person: forwards, each step read
-- everything that the person ever did to find the last of it.

create or replace function private.send_summaries(p_limit integer) returns integer
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
    from private.day_figures_now(v_due.org_id, v_from, v_until) d;
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

create or replace function public.what_goes(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('organization.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'stores', (select count(*) from public.stores s where s.org_id = p_org_id),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id),
    'customers', (select t.customers from private.customer_totals_now(p_org_id) t),
    'reviews', (select coalesce(sum(d.reviews), 0) from private.campaign_figures_now(p_org_id) d),
    'codes', (select coalesce(sum(d.wins), 0) from private.campaign_figures_now(p_org_id) d),
    'members', (select count(*) from public.organization_members m where m.org_id = p_org_id),
    'has_running_payments', private.has_running_payments(p_org_id));
end;
$$;

create or replace function private.audit_people(p_org_id uuid) returns jsonb
language sql stable
as $$
  -- From one person to the one before by the index, however much each has done.
  with recursive people as (
    (select e.user_id, e.actor_name from public.audit_events e
     where e.org_id = p_org_id and e.user_id is not null order by e.user_id desc, e.id desc limit 1)
    union all
    select earlier.user_id, earlier.actor_name from people p cross join lateral (
      select e.user_id, e.actor_name from public.audit_events e
      where e.org_id = p_org_id and e.user_id < p.user_id order by e.user_id desc, e.id desc limit 1
    ) earlier
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', p.user_id, 'name', p.actor_name) order by p.actor_name, p.user_id), '[]')
  from people p;
$$;
