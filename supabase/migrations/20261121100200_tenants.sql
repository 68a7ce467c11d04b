-- Why: the organisation is the tenant. Who belongs to it, what each role may do and what its plan
-- allows stand here once; every policy and every limit reads them from these tables.

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  slug text not null unique check (private.is_slug(slug)),
  created_at timestamptz not null default now()
);
comment on table public.organizations is 'A merchant: the tenant that owns everything else (specification, section 3).';
comment on column public.organizations.id is 'Identifier.';
comment on column public.organizations.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.organizations.slug is 'Public address /org/{slug}, unique over the platform.';
comment on column public.organizations.created_at is 'When it was created.';

create table public.roles (
  role text primary key
);
comment on table public.roles is 'The roles that a member can have (specification, section 6).';
comment on column public.roles.role is 'owner, admin, member (Équipe) or cashier (Caisse).';

insert into public.roles (role) values ('owner'), ('admin'), ('member'), ('cashier');

create table public.role_permissions (
  role text not null references public.roles (role) on delete cascade,
  permission text not null check (permission ~ '^[a-z]+\.[a-z]+$'),
  primary key (role, permission)
);
comment on table public.role_permissions is
  'Which role may do what. The policies and the interface both read this table; the rule exists nowhere else.';
comment on column public.role_permissions.role is 'Role.';
comment on column public.role_permissions.permission is 'What it may do, as subject.verb: campaigns.write, codes.redeem …';

insert into public.role_permissions (role, permission)
select role, permission
from (values
  ('organization.update', '{owner,admin}'::text[]),
  ('organization.delete', '{owner}'),
  ('owners.manage', '{owner}'),
  ('team.read', '{owner,admin,member}'),
  ('team.manage', '{owner,admin}'),
  ('billing.read', '{owner,admin}'),
  ('billing.manage', '{owner,admin}'),
  ('stores.read', '{owner,admin,member}'),
  ('stores.write', '{owner,admin,member}'),
  ('stores.delete', '{owner,admin}'),
  ('campaigns.read', '{owner,admin,member}'),
  ('campaigns.write', '{owner,admin,member}'),
  ('campaigns.delete', '{owner,admin}'),
  ('rewards.read', '{owner,admin,member}'),
  ('rewards.write', '{owner,admin,member}'),
  ('rewards.delete', '{owner,admin}'),
  ('customers.read', '{owner,admin,member}'),
  ('customers.write', '{owner,admin,member}'),
  ('customers.delete', '{owner,admin}'),
  ('activity.read', '{owner,admin,member}'),
  ('codes.redeem', '{owner,admin,member,cashier}')
) as granted (permission, roles), unnest(roles) as role;

create table public.organization_members (
  org_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null unique references auth.users (id) on delete cascade,
  role text not null references public.roles (role),
  added_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index organization_members_role_idx on public.organization_members (role);
comment on table public.organization_members is
  'Who works for which organisation; a user belongs to one at most (specification, section 3).';
comment on column public.organization_members.org_id is 'Organisation.';
comment on column public.organization_members.user_id is 'User of the authentication service; unique, since a user belongs to one organisation.';
comment on column public.organization_members.role is 'Role, which decides the permissions.';
comment on column public.organization_members.added_at is 'When the user joined.';

create table public.plan_limits (
  plan text primary key check (plan in ('free_trial', 'basic', 'pro')),
  max_active_campaigns integer not null check (max_active_campaigns >= -1),
  monthly_spins integer not null check (monthly_spins >= -1),
  max_users integer not null check (max_users >= -1),
  csv_export boolean not null,
  api_access boolean not null,
  white_label boolean not null,
  multi_store boolean not null,
  advanced_analytics boolean not null
);
comment on table public.plan_limits is 'What each plan allows (specification, section 9).';
comment on column public.plan_limits.plan is 'free_trial, basic or pro.';
comment on column public.plan_limits.max_active_campaigns is 'Most campaigns active at once; -1 is unlimited.';
comment on column public.plan_limits.monthly_spins is 'Most spins in a calendar month of the store''s time zone; -1 is unlimited.';
comment on column public.plan_limits.max_users is 'Most members, invitations included; -1 is unlimited.';
comment on column public.plan_limits.csv_export is 'Whether lists can be exported as CSV.';
comment on column public.plan_limits.api_access is 'Whether the data API is open to the merchant''s own keys.';
comment on column public.plan_limits.white_label is 'Whether the product''s logo gives way to the merchant''s.';
comment on column public.plan_limits.multi_store is 'Whether more than one store is included.';
comment on column public.plan_limits.advanced_analytics is 'Whether trends, funnel and return on investment are included.';

insert into public.plan_limits
  (plan, max_active_campaigns, monthly_spins, max_users, csv_export, api_access, white_label, multi_store, advanced_analytics)
values
  ('free_trial', 1, 100, 2, false, false, false, false, false),
  ('basic', 3, 1000, 5, false, false, false, true, true),
  ('pro', -1, -1, -1, true, true, true, true, true);

create table public.subscriptions (
  org_id uuid primary key references public.organizations (id) on delete cascade,
  plan text not null default 'free_trial' references public.plan_limits (plan),
  status text not null default 'active'
    check (status in ('active', 'past_due', 'suspended', 'canceled')),
  trial_end timestamptz,
  current_period_end timestamptz,
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  created_at timestamptz not null default now(),
  check (plan <> 'free_trial' or trial_end is not null)
);
create index subscriptions_plan_idx on public.subscriptions (plan);
comment on table public.subscriptions is 'The plan of an organisation (specification, sections 3 and 4.4).';
comment on column public.subscriptions.org_id is 'Organisation; one subscription each.';
comment on column public.subscriptions.plan is 'Plan in force.';
comment on column public.subscriptions.status is 'active, past_due (payment default, 8 days'' notice), suspended or canceled.';
comment on column public.subscriptions.trial_end is 'End of the free trial, 14 days after creation; required on the free trial.';
comment on column public.subscriptions.current_period_end is 'End of the paid period; null is without end.';
comment on column public.subscriptions.stripe_customer_id is 'Customer at the payment provider; readable by owner and admin only.';
comment on column public.subscriptions.stripe_subscription_id is 'Subscription at the payment provider; readable by owner and admin only.';
comment on column public.subscriptions.created_at is 'When it was created.';

create table public.notification_preferences (
  org_id uuid not null,
  user_id uuid not null,
  email boolean not null default true,
  sms boolean not null default false,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references public.organization_members (org_id, user_id) on delete cascade
);
comment on table public.notification_preferences is 'What a member wants to be told, and how (specification, section 3).';
comment on column public.notification_preferences.org_id is 'Organisation.';
comment on column public.notification_preferences.user_id is 'Member.';
comment on column public.notification_preferences.email is 'Whether to write by e-mail.';
comment on column public.notification_preferences.sms is 'Whether to write by SMS.';

-- Security -------------------------------------------------------------------------------------

create function private.my_org_ids(p_permission text default null) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.org_id
  from public.organization_members m
  where m.user_id = (select auth.uid())
    and (
      p_permission is null
      or exists (
        select 1 from public.role_permissions p where p.role = m.role and p.permission = p_permission
      )
    );
$$;
comment on function private.my_org_ids(text) is
  'Organisations in which the signed-in user has a permission (any role when null). Policies call it as '
  'any (array(select …)), so that it runs once a statement and the index on org_id serves.';
grant execute on function private.my_org_ids(text) to authenticated, service_role;

alter table public.organizations enable row level security;
alter table public.roles enable row level security;
alter table public.role_permissions enable row level security;
alter table public.organization_members enable row level security;
alter table public.plan_limits enable row level security;
alter table public.subscriptions enable row level security;
alter table public.notification_preferences enable row level security;

grant select on public.organizations, public.roles, public.role_permissions, public.organization_members,
  public.plan_limits, public.subscriptions, public.notification_preferences to authenticated;
grant update (name, slug) on public.organizations to authenticated;
grant insert (org_id, user_id, email, sms), update (email, sms) on public.notification_preferences to authenticated;
grant select, insert, update, delete on public.organizations, public.roles, public.role_permissions,
  public.organization_members, public.plan_limits, public.subscriptions, public.notification_preferences
  to service_role;

create policy "Members read their organisation" on public.organizations
  for select to authenticated
  using (id = any (array(select private.my_org_ids())));
create policy "Owners and admins update their organisation" on public.organizations
  for update to authenticated
  using (id = any (array(select private.my_org_ids('organization.update'))))
  with check (id = any (array(select private.my_org_ids('organization.update'))));

create policy "Signed-in users read the roles" on public.roles
  for select to authenticated using (true);
create policy "Signed-in users read the permissions of roles" on public.role_permissions
  for select to authenticated using (true);
create policy "Signed-in users read the plans" on public.plan_limits
  for select to authenticated using (true);

create policy "Members read their own membership" on public.organization_members
  for select to authenticated
  using (user_id = (select auth.uid()));
create policy "Members who may see the team read it" on public.organization_members
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids('team.read'))));

create policy "Owners and admins read the subscription" on public.subscriptions
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids('billing.read'))));

create policy "Members read their own notification preferences" on public.notification_preferences
  for select to authenticated
  using (org_id = any (array(select private.my_org_ids())) and user_id = (select auth.uid()));
create policy "Members add their own notification preferences" on public.notification_preferences
  for insert to authenticated
  with check (user_id = (select auth.uid()) and org_id = any (array(select private.my_org_ids())));
create policy "Members change their own notification preferences" on public.notification_preferences
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids())) and user_id = (select auth.uid()))
  with check (org_id = any (array(select private.my_org_ids())) and user_id = (select auth.uid()));

-- The plan without the payment identifiers, for every member: limits and badges need it.
create view public.organization_plans with (security_barrier = true) as
  select s.org_id, s.plan, s.status, s.trial_end, s.current_period_end
  from public.subscriptions s
  where s.org_id = any (array(select private.my_org_ids()));
comment on view public.organization_plans is
  'Plan, status and dates of the signed-in member''s organisation. Runs with its owner''s rights on purpose: '
  'the table behind it also holds payment identifiers, which are for owner and admin only.';
comment on column public.organization_plans.org_id is 'Organisation.';
comment on column public.organization_plans.plan is 'Plan in force.';
comment on column public.organization_plans.status is 'Status of the subscription.';
comment on column public.organization_plans.trial_end is 'End of the free trial.';
comment on column public.organization_plans.current_period_end is 'End of the paid period; null is without end.';
grant select on public.organization_plans to authenticated, service_role;

-- Limits ---------------------------------------------------------------------------------------

create function private.is_open(p_subscription public.subscriptions) returns boolean
language plpgsql stable
as $$
begin
  return case
    when p_subscription.status = 'active' and p_subscription.plan = 'free_trial' then
      p_subscription.trial_end > now()
    when p_subscription.status in ('active', 'past_due') then
      p_subscription.current_period_end is null
      or p_subscription.current_period_end > now() - interval '8 days'
    else false
  end;
end;
$$;
comment on function private.is_open(public.subscriptions) is
  'Whether a subscription keeps the public pages open: its trial runs, or its paid period has not been '
  'over for more than the 8 days'' notice of a payment default (specification, section 9).';

create function private.enforce_user_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_limit integer;
begin
  -- The lock makes two invitations accepted at once count each other.
  select l.max_users into v_limit
  from public.subscriptions s join public.plan_limits l on l.plan = s.plan
  where s.org_id = new.org_id
  for no key update of s;
  v_limit := coalesce(v_limit, 2);
  if v_limit >= 0 and (
    select count(*) from public.organization_members m where m.org_id = new.org_id
  ) >= v_limit then
    raise exception 'user_limit_reached' using errcode = 'TV002', detail = v_limit::text;
  end if;
  return new;
end;
$$;
comment on function private.enforce_user_limit() is
  'Refuses a member beyond the plan''s number of users. Error TV002, with the limit as detail.';

create trigger enforce_user_limit before insert on public.organization_members
  for each row execute function private.enforce_user_limit();
