-- Why: a plan that ends unannounced costs a merchant a Saturday of closed wheels. Whoever pays is told when the trial is
-- about to end and has ended, when a bill is not paid and until when that can wait, and when the plan is suspended or
-- over. The mail is written in the transaction that changes the row, whoever changes it: the provider's message, the
-- nightly comparison or a job. What was told is written down, so that a state that comes back is told once.

create table private.plan_notices (
  org_id uuid not null references public.organizations (id) on delete cascade,
  kind text not null check (kind in ('trial_ending', 'trial_ended', 'payment_failed', 'plan_suspended', 'plan_ended')),
  about timestamptz not null,
  told_at timestamptz not null default now(),
  primary key (org_id, kind, about)
);
alter table private.plan_notices enable row level security;
comment on table private.plan_notices is 'What owners and admins were told about their plan by mail: each thing once.';
comment on column private.plan_notices.org_id is 'Organisation.';
comment on column private.plan_notices.kind is 'Template of the mail.';
comment on column private.plan_notices.about is 'The moment that it speaks of: end of the trial, date of the open bill, end of the plan.';
comment on column private.plan_notices.told_at is 'When the mail was written.';

create function private.tell_of_plan(p_org_id uuid, p_kind text, p_about timestamptz, p_day timestamptz) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_day constant text := to_char(p_day at time zone private.timezone_of(p_org_id), 'DD/MM/YYYY');
  v_person record;
begin
  -- Two who want to tell the same at once take turns on this row; the later finds it told.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return false;
  end if;
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'facts', jsonb_strip_nulls(jsonb_build_object('organization', v_person.organization, 'day', v_day))),
      now() + interval '2 days');
  end loop;
  return true;
end;
$$;
comment on function private.tell_of_plan(uuid, text, timestamptz, timestamptz) is
  'Writes to whoever may manage billing (owner and admins) that a plan ends, has ended or is not paid; the day is the one '
  'that the mail mentions. Answers false, and writes nothing, when the same was told before.';

create function private.tell_of_plan_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- An organisation that is being ended was told that its pages are closed.
  if new.is_ending then
    return null;
  elsif new.status = 'past_due' then
    perform private.tell_of_plan(new.org_id, 'payment_failed', new.past_due_since, new.past_due_since + interval '8 days');
  elsif new.status = 'suspended' then
    perform private.tell_of_plan(new.org_id, 'plan_suspended', new.closed_at, new.closed_at + interval '30 days');
  elsif new.status = 'canceled' then
    perform private.tell_of_plan(new.org_id, case new.plan when 'free_trial' then 'trial_ended' else 'plan_ended' end,
      new.closed_at, new.closed_at + interval '30 days');
  end if;
  return null;
end;
$$;
comment on function private.tell_of_plan_change() is
  'Tells of a bill that is open (for how long it can be), of a plan that is suspended and of one that is over (until when '
  'its data can be read).';
create trigger tell_of_plan_change after update of status, past_due_since, closed_at on public.subscriptions
  for each row when (
    (new.status = 'past_due' and new.past_due_since is not null
      and (old.status, old.past_due_since) is distinct from (new.status, new.past_due_since))
    or (new.status in ('suspended', 'canceled') and new.closed_at is not null and old.status is distinct from new.status))
  execute function private.tell_of_plan_change();

create function private.tell_of_trials(p_limit integer) returns integer
language plpgsql volatile
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
    perform private.tell_of_plan(v_due.org_id, 'trial_ending', v_due.trial_end, v_due.trial_end);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.tell_of_trials(integer) is 'Job: tells, once, of free trials that end within three days.';
insert into private.jobs (name, run_every) values ('tell_of_trials', interval '15 minutes');
