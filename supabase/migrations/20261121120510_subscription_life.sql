-- Why: a trial ends and a notice runs out although nobody does anything. What then closes is decided here: public
-- pages answer as for an inactive campaign, and the back-office stays readable but takes nothing new. A row says
-- what is so; jobs bring it up to date, and no reading depends on when they ran.

create or replace function private.is_open(p_subscription public.subscriptions) returns boolean
language plpgsql stable
as $$
begin
  return case
    when p_subscription.status = 'active' and p_subscription.plan = 'free_trial' then
      p_subscription.trial_end > now()
    when p_subscription.status = 'active' then
      p_subscription.current_period_end is null
      or p_subscription.current_period_end > now() - interval '8 days'
    when p_subscription.status = 'past_due' then
      -- The period that is not paid has begun all the same: the notice runs from its bill.
      coalesce(p_subscription.past_due_since, p_subscription.current_period_end) is null
      or coalesce(p_subscription.past_due_since, p_subscription.current_period_end) > now() - interval '8 days'
    else false
  end;
end;
$$;

create function private.demand_open(p_org_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if exists (select 1 from public.subscriptions s where s.org_id = p_org_id and not private.is_open(s)) then
    raise exception 'subscription_closed' using errcode = 'TV085';
  end if;
  return true;
end;
$$;
comment on function private.demand_open(uuid) is
  'True while an organisation''s plan is in force. Error TV085 when its trial or subscription has ended, or is suspended.';

create or replace function private.my_org_ids(p_permission text default null) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.org_id
  from public.organization_members m
  where m.user_id = (select private.my_user_id())
    and (
      p_permission is null
      or exists (
        select 1 from public.role_permissions p where p.role = m.role and p.permission = p_permission
      )
    )
    and (p_permission is null or p_permission not like '%.write' or private.demand_open(m.org_id));
$$;
comment on function private.my_org_ids(text) is
  'Organisations in which the signed-in user has a permission (any role when null). Policies call it as '
  'any (array(select …)), so that it runs once a statement and the index on org_id serves. Errors of my_user_id(); '
  'TV085 for a permission to write where the plan is no longer in force.';

create function private.end_trials(p_limit integer) returns integer
language plpgsql volatile
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

create function private.end_periods(p_limit integer) returns integer
language plpgsql volatile
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'canceled', closed_at = s.current_period_end, cancel_at_period_end = false
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'active' and o.plan <> 'free_trial'
      and o.current_period_end <= now() - case when o.cancel_at_period_end then interval '0' else interval '8 days' end
    order by o.current_period_end limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.end_periods(integer) is
  'Job: paid periods that were to be the last are over; others that nobody renewed, eight days later. What the payment '
  'provider knows better, the next message or the nightly comparison says.';

create function private.suspend_defaults(p_limit integer) returns integer
language plpgsql volatile
as $$
declare
  v_count integer;
begin
  update public.subscriptions s set status = 'suspended', closed_at = s.past_due_since + interval '8 days'
  where s.org_id = any (array(
    select o.org_id from public.subscriptions o
    where o.status = 'past_due' and o.past_due_since <= now() - interval '8 days'
    order by o.past_due_since limit p_limit for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.suspend_defaults(integer) is
  'Job: eight days after a bill that is still open, the plan is suspended (specification, section 9).';

create index subscriptions_trial_end_idx on public.subscriptions (trial_end)
  where status = 'active' and plan = 'free_trial';
create index subscriptions_period_end_idx on public.subscriptions (current_period_end)
  where status = 'active' and plan <> 'free_trial';
create index subscriptions_past_due_idx on public.subscriptions (past_due_since) where status = 'past_due';

insert into private.jobs (name, run_every) values
  ('end_trials', interval '5 minutes'),
  ('end_periods', interval '5 minutes'),
  ('suspend_defaults', interval '5 minutes');
