-- Billing: what is paid for, and the notices when that changes.
--
-- The payment provider decides what an organisation pays for. Its messages come in any order, late, twice or not at
-- all. So our row is never changed by what a message says: one function writes down what the provider holds now, read
-- under a lock, and the same state always leaves the same row. A trial ends and a notice runs out although nobody does
-- anything: jobs bring the row up to date, and no reading depends on when they ran. Owner and admins get one notice of
-- each step, from the transaction that takes it.

create table private.payment_sandbox (
  id text primary key check (length(id) between 3 and 300),
  kind text not null check (kind ~ '^[a-z][a-z_]{0,39}$'),
  customer_id text,
  body jsonb not null,
  serial bigint generated always as identity,
  created_at timestamptz not null default now()
);
create index payment_sandbox_kind_idx on private.payment_sandbox (kind, customer_id, serial);
comment on table private.payment_sandbox is
  'State of the payment sandbox of the local mode, in the provider''s place. Empty on a real service.';
comment on column private.payment_sandbox.id is 'Identifier, as the provider would give it.';
comment on column private.payment_sandbox.kind is 'customer, subscription, invoice, checkout_session, event …';
comment on column private.payment_sandbox.customer_id is 'Customer that it belongs to.';
comment on column private.payment_sandbox.body is 'The object as the provider''s HTTP API would answer it, and what only the sandbox knows.';
comment on column private.payment_sandbox.serial is 'Order in which things came to be.';
comment on column private.payment_sandbox.created_at is 'When it was made.';

create table private.plan_notices (
  org_id uuid not null references public.organizations (id) on delete cascade,
  kind text not null check (kind in ('trial_ending', 'trial_ended', 'payment_failed', 'plan_suspended', 'plan_ended')),
  about timestamptz not null,
  told_at timestamptz not null default now(),
  primary key (org_id, kind, about)
);
comment on table private.plan_notices is 'Mails to owners and admins about their plan, one a step.';
comment on column private.plan_notices.org_id is 'Organisation.';
comment on column private.plan_notices.kind is 'Template of the mail.';
comment on column private.plan_notices.about is 'The moment that it speaks of: end of the trial, date of the open bill, end of the plan.';
comment on column private.plan_notices.told_at is 'When the mail was written.';

create function private.start_trial(p_org_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.subscriptions (org_id, plan, status, trial_end)
  values (p_org_id, 'free_trial', 'active', now() + interval '14 days');
exception
  when others then
    raise exception 'subscription_failed' using errcode = 'TV022', detail = sqlstate;
end;
$$;
comment on function private.start_trial(uuid) is
  'Starts the free trial of 14 days (specification, section 4.4). Error TV022 with the SQLSTATE as detail when it fails.';

create function private.lock_billing(p_org_id uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('billing of ' || p_org_id, 0)); $$;
comment on function private.lock_billing(uuid) is
  'Lets those who read or change an organisation''s subscription at the payment provider take turns, until the '
  'transaction ends. Nothing else waits for it: the public pages go on.';

create function public.begin_billing(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid default null,
  out outcome text, out org_id uuid, out org_name text, out email text, out plan text, out status text,
  out customer_id text, out subscription_id text
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select m.org_id into begin_billing.org_id
  from public.organization_members m
  join public.role_permissions r on r.role = m.role and r.permission = 'billing.manage'
  where m.user_id = p_user_id and (p_org_id is null or m.org_id = p_org_id);
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  perform private.lock_billing(begin_billing.org_id);
  -- Asked again with the lock held, which may last as long as the payment provider takes to answer.
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select 'granted', o.name, u.email, s.plan, s.status, s.stripe_customer_id, s.stripe_subscription_id
  into outcome, org_name, begin_billing.email, begin_billing.plan, begin_billing.status, customer_id, subscription_id
  from public.organizations o
  join public.subscriptions s on s.org_id = o.id
  join public.organization_members m on m.org_id = o.id and m.user_id = p_user_id
  join public.role_permissions r on r.role = m.role and r.permission = 'billing.manage'
  left join auth.users u on u.id = p_user_id
  where o.id = begin_billing.org_id;
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  -- Changes of the plan in this transaction are this person's doing.
  perform set_config('tournavis.acting_user', p_user_id::text, true);
end;
$$;
comment on function public.begin_billing(uuid, uuid, text, uuid) is
  'Whether a user whose token names a session and an assurance level may change what an organisation (their own when '
  'null) pays for, and what stands there now; the billing lock is held until the transaction ends. Outcomes: granted, '
  'session_ended, second_factor_required, forbidden (not there, or no permission billing.manage).';
grant execute on function public.begin_billing(uuid, uuid, text, uuid) to service_role;

create function public.set_billing_customer(p_org_id uuid, p_customer_id text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_billing(p_org_id);
  update public.subscriptions s set stripe_customer_id = p_customer_id where s.org_id = p_org_id;
end;
$$;
comment on function public.set_billing_customer(uuid, text) is
  'Notes which customer of the payment provider an organisation is. Error 23505 when it is another organisation''s.';
grant execute on function public.set_billing_customer(uuid, text) to service_role;

create function public.keep_campaigns(p_org_id uuid, p_plan text, p_campaign_ids uuid[]) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_limit integer;
  v_kept uuid[];
begin
  perform private.lock_billing(p_org_id);
  select l.max_active_campaigns into v_limit from public.plan_limits l where l.plan = p_plan;
  if v_limit < 0 or (
    select count(*) from public.campaigns c where c.org_id = p_org_id and c.active
  ) <= v_limit then
    return 'fits';
  end if;
  select coalesce(array_agg(c.id), '{}') into v_kept
  from public.campaigns c where c.org_id = p_org_id and c.active and c.id = any (p_campaign_ids);
  if cardinality(v_kept) not between 1 and v_limit then
    return 'campaigns_to_choose';
  end if;
  update public.subscriptions s set kept_campaign_ids = v_kept where s.org_id = p_org_id;
  return 'fits';
end;
$$;
comment on function public.keep_campaigns(uuid, text, uuid[]) is
  'Prepares the change to a plan: answers fits when it has room for the active campaigns, or when those to keep are '
  'named (they are noted; the rest rests once the plan changes), else campaigns_to_choose.';
grant execute on function public.keep_campaigns(uuid, text, uuid[]) to service_role;

create function private.deactivate_excess_campaigns(p_org_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  update public.campaigns c set active = false
  from (
    select a.id, row_number() over (
      order by (a.id = any (s.kept_campaign_ids)) desc, a.created_at desc, a.id
    ) as place, l.max_active_campaigns as room
    from public.campaigns a
    join public.subscriptions s on s.org_id = a.org_id
    join public.plan_limits l on l.plan = s.plan
    where a.org_id = p_org_id and a.active
  ) ranked
  where c.org_id = p_org_id and c.id = ranked.id and ranked.room >= 0 and ranked.place > ranked.room;
end;
$$;
comment on function private.deactivate_excess_campaigns(uuid) is
  'Lets the active campaigns rest for which the plan has no room: those that the merchant kept stay, then the newest.';

create function public.lock_billing_customer(p_customer_id text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.subscriptions s where s.stripe_customer_id = p_customer_id;
  if found then
    perform private.lock_billing(v_org_id);
  end if;
  return v_org_id;
end;
$$;
comment on function public.lock_billing_customer(text) is
  'Takes the billing lock of the organisation that is this customer of the provider, until the transaction ends; null '
  'when nobody is. Whoever applies a state reads it after this: then an older state can never come later.';
grant execute on function public.lock_billing_customer(text) to service_role;

create function public.is_former_customer(p_customer_id text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select 1 from private.ended_subscriptions e where e.stripe_customer_id = p_customer_id);
$$;
comment on function public.is_former_customer(text) is
  'Whether this customer of the provider was an organisation that is erased. Nothing may be charged to it any more.';
grant execute on function public.is_former_customer(text) to service_role;

create function public.apply_subscription(
  p_customer_id text, p_subscription_id text, p_plan text, p_billing text, p_state text,
  p_current_period_end timestamptz, p_cancel_at_period_end boolean, p_past_due_since timestamptz,
  p_ended_at timestamptz, p_now timestamptz default now(), p_due_cents integer default null,
  p_cancel_at timestamptz default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := public.lock_billing_customer(p_customer_id);
  v_due_until constant timestamptz := private.due_until(p_past_due_since, p_current_period_end);
  v_status text := p_state;
  v_closed_at timestamptz;
begin
  if v_org_id is null then
    return false;
  elsif p_subscription_id is null then
    -- The provider has no subscription at all: a trial goes on, what was paid for is over.
    update public.subscriptions s
    set status = 'canceled', closed_at = coalesce(s.closed_at, p_now), past_due_since = null, due_cents = null,
      cancel_at_period_end = false, cancel_at = null
    where s.org_id = v_org_id and s.stripe_subscription_id is not null and s.status <> 'canceled';
    return found;
  end if;
  if p_state = 'past_due' and v_due_until <= p_now then
    v_status := 'suspended';
    v_closed_at := v_due_until;
  elsif p_state = 'canceled' then
    v_closed_at := p_ended_at;
  end if;
  -- Before the plan is locked: whoever saves a campaign locks it first, then the plan.
  perform private.lock_campaigns(v_org_id);
  update public.subscriptions s
  set plan = p_plan, billing = p_billing, status = v_status, stripe_subscription_id = p_subscription_id,
    current_period_end = p_current_period_end, cancel_at_period_end = p_cancel_at_period_end,
    past_due_since = p_past_due_since, closed_at = v_closed_at, due_cents = p_due_cents,
    cancel_at = p_cancel_at
  where s.org_id = v_org_id
    and (s.plan, s.billing, s.status, s.stripe_subscription_id, s.current_period_end, s.cancel_at_period_end,
      s.past_due_since, s.closed_at, s.due_cents, s.cancel_at)
    is distinct from (p_plan, p_billing, v_status, p_subscription_id, p_current_period_end, p_cancel_at_period_end,
      p_past_due_since, v_closed_at, p_due_cents, p_cancel_at);
  if not found then
    return false;
  end if;
  if v_status in ('active', 'past_due') then
    perform private.deactivate_excess_campaigns(v_org_id);
  end if;
  return true;
end;
$$;
comment on function public.apply_subscription(text, text, text, text, text, timestamptz, boolean, timestamptz, timestamptz, timestamptz, integer, timestamptz) is
  'Makes an organisation''s row say what the payment provider holds: subscription (null: none), plan, billing, state '
  '(active, past_due, canceled), end of the paid period, whether it ends then, since when a bill is open, when it ended. '
  'p_due_cents is what the open bills come to, null without one; p_cancel_at when it ends after having been renewed. '
  'Eight days after that bill it is suspended. Answers whether anything changed; false for an unknown customer. The '
  'state must have been read under lock_billing_customer in the same transaction.';
grant execute on function public.apply_subscription(text, text, text, text, text, timestamptz, boolean, timestamptz, timestamptz, timestamptz, integer, timestamptz)
  to service_role;

create function public.billing_overview() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_managed constant uuid[] := array(select private.my_org_ids('billing.manage'));
begin
  return (
    select jsonb_build_object(
      'org_id', s.org_id, 'may_manage', s.org_id = any (v_managed), 'plan', s.plan, 'status', s.status,
      'billing', s.billing, 'trial_end', s.trial_end, 'current_period_end', s.current_period_end,
      'cancel_at_period_end', s.cancel_at_period_end or s.cancel_at is not null, 'past_due_since', s.past_due_since, 'is_open', private.is_plan_open(s),
      'customer_id', case when s.org_id = any (v_managed) then s.stripe_customer_id end,
      'subscription_id', case when s.org_id = any (v_managed) then s.stripe_subscription_id end,
      'active_campaigns', case when s.org_id = any (v_managed) then coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.created_at desc, c.id)
        from (
          select a.id, a.name, a.created_at from public.campaigns a
          where a.org_id = s.org_id and a.active order by a.created_at desc, a.id limit 200
        ) c), '[]') else '[]' end)
    from public.organization_members m join public.subscriptions s on s.org_id = m.org_id
    where m.user_id = v_user_id
  );
end;
$$;
comment on function public.billing_overview() is
  'Plan of the signed-in member''s organisation as /pricing and /checkout need it (billingOverview of _shared/domain); '
  'null without an organisation. Identifiers of the payment provider and the active campaigns (200 at most) are for '
  'whoever has the permission billing.manage.';
grant execute on function public.billing_overview() to authenticated;

create function private.enqueue_payment_task(p_task text, p_subject text) returns uuid
language sql volatile security definer set search_path = ''
as $$ select private.enqueue_message('payment', p_task, p_subject, '{}', now() + interval '3 days'); $$;
comment on function private.enqueue_payment_task(text, text) is
  'Writes work at the payment provider down: reconcile (a customer), or sandbox_event (an event of the local sandbox to '
  'deliver). Answers its identifier.';
grant execute on function private.enqueue_payment_task(text, text) to service_role;

create function private.reconcile_subscriptions(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  with due as (
    update public.subscriptions s set reconciled_at = now()
    where s.org_id = any (array(
      select o.org_id from public.subscriptions o
      where o.stripe_customer_id is not null
        and (o.reconciled_at is null or o.reconciled_at < now() - interval '20 hours')
      order by o.reconciled_at nulls first limit p_limit for update skip locked
    ))
    returning s.stripe_customer_id
  )
  select count(private.enqueue_payment_task('reconcile', d.stripe_customer_id)) into v_count from due d;
  return v_count;
end;
$$;
comment on function private.reconcile_subscriptions(integer) is
  'Job: once a day every customer of the payment provider is read again, whether a message came or not.';
insert into private.jobs (name, run_every, next_run_at) values
  ('reconcile_subscriptions', interval '1 day',
    (date_trunc('day', now() at time zone 'Europe/Paris') + interval '1 day 3 hours') at time zone 'Europe/Paris');

create function private.end_trials(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'canceled', closed_at = s.trial_end
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'active' and o.plan = 'free_trial' and o.trial_end <= now()
    order by o.trial_end limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.end_trials(integer) is 'Job: free trials whose last instant has passed are over.';
insert into private.jobs (name, run_every) values ('end_trials', interval '5 minutes');

create function private.end_periods(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'canceled', closed_at = s.current_period_end, cancel_at_period_end = false,
    cancel_at = null
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'active' and o.plan <> 'free_trial'
      and o.current_period_end <= now() - case when o.cancel_at_period_end then interval '0' else private.payment_notice() end
    order by o.current_period_end limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.end_periods(integer) is
  'Job: paid periods that were to be the last are over; others that nobody renewed, eight days later. What the payment '
  'provider knows better, the next message or the nightly comparison says.';
insert into private.jobs (name, run_every) values ('end_periods', interval '5 minutes');

create function private.suspend_unpaid_plans(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'suspended', closed_at = private.due_until(s.past_due_since, s.current_period_end)
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'past_due' and o.past_due_since <= now() - private.payment_notice()
    order by o.past_due_since limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.suspend_unpaid_plans(integer) is
  'Job: eight days after a bill that is still open, the plan is suspended (specification, section 9).';
insert into private.jobs (name, run_every) values ('suspend_unpaid_plans', interval '5 minutes');

create function private.has_running_payments(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.subscriptions s
    where s.org_id = p_org_id and s.stripe_subscription_id is not null
      and s.status in ('active', 'past_due', 'suspended') and not s.cancel_at_period_end
  );
$$;
comment on function private.has_running_payments(uuid) is
  'Whether the payment provider would go on charging an organisation, a suspended one as well: then it is cancelled there '
  'first.';

create function private.notify_plan_event(p_org_id uuid, p_kind text, p_about timestamptz, p_day timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_person record;
begin
  -- Of two transactions about the same event the second waits for this row, and finds it stored.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return;
  end if;
  for v_person in
    select u.id, u.email, private.user_name(u.id) as name, o.name as organization, s.due_cents
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    join public.subscriptions s on s.org_id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'reader', private.reader(p_org_id, v_person.id, 'billing.manage'), 'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', jsonb_build_object('day', jsonb_build_object('at', p_day, 'timezone', private.timezone_of(p_org_id))))
        || case when v_person.due_cents is null then '{}' else jsonb_build_object('due_cents', v_person.due_cents) end,
      now() + interval '2 days');
  end loop;
end;
$$;
comment on function private.notify_plan_event(uuid, text, timestamptz, timestamptz) is
  'Writes to whoever may manage billing (owner and admins) that a plan ends, has ended or is not paid, and how much that is; the day '
  'is the one that the mail mentions. Writes nothing when that mail was sent before.';

create function private.notify_plan_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- No notice while an organisation is being ended: another mail has said so.
  if new.is_ending then
    return null;
  elsif new.status = 'past_due' then
    perform private.notify_plan_event(new.org_id, 'payment_failed', new.past_due_since,
      private.due_until(new.past_due_since, new.current_period_end));
  elsif new.status = 'suspended' then
    perform private.notify_plan_event(new.org_id, 'plan_suspended', new.closed_at, new.closed_at + private.export_time());
  elsif new.status = 'canceled' then
    perform private.notify_plan_event(new.org_id, case new.plan when 'free_trial' then 'trial_ended' else 'plan_ended' end,
      new.closed_at, new.closed_at + private.export_time());
  end if;
  return null;
end;
$$;
comment on function private.notify_plan_change() is
  'Tells of a bill that is open (for how long it can be), of a plan that is suspended and of one that is over (until when '
  'its data can be read).';
create trigger notify_plan_change after update of status, past_due_since, closed_at on public.subscriptions
  for each row when (
    (new.status = 'past_due' and new.past_due_since is not null
      and (old.status, old.past_due_since) is distinct from (new.status, new.past_due_since))
    or (new.status in ('suspended', 'canceled') and new.closed_at is not null and old.status is distinct from new.status))
  execute function private.notify_plan_change();

create function private.notify_ending_trials(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_due record;
  v_count integer := 0;
begin
  for v_due in
    select s.org_id, s.trial_end from public.subscriptions s
    where s.status = 'active' and s.plan = 'free_trial' and not s.is_ending
      and s.trial_end > now() and s.trial_end <= now() + interval '3 days'
      and not exists (
        select 1 from private.plan_notices n
        where n.org_id = s.org_id and n.kind = 'trial_ending' and n.about = s.trial_end)
    order by s.trial_end limit p_limit for no key update skip locked
  loop
    perform private.notify_plan_event(v_due.org_id, 'trial_ending', v_due.trial_end, v_due.trial_end);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.notify_ending_trials(integer) is 'Job: sends one notice of each free trial that ends within three days.';
insert into private.jobs (name, run_every) values ('notify_ending_trials', interval '15 minutes');

-- Permissions -------------------------------------------------------------------------------------

alter table private.payment_sandbox enable row level security;
grant select, insert, update on private.payment_sandbox to service_role;

alter table private.plan_notices enable row level security;
