-- Organisations: who belongs to them, what a role may do, and what a plan allows.
--
-- The organisation is the tenant. Every policy and every limit reads these tables. A plan that is over closes in two steps:
-- its pages close to the public at once and nothing new is taken, while everything stays readable and exportable for
-- 30 days (specification, section 9); then reading ends as well, until the organisation pays. Both are decided where every policy
-- asks, so that no screen and no function can forget it.

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  slug text not null check (private.is_slug(slug)),
  created_at timestamptz not null default now(),
  version integer not null default 1 check (version >= 1),
  erase_at timestamptz,
  return_share smallint not null default 100 check (return_share between 0 and 100)
);
-- Partial, though every row is in it: a plain one would be a key that foreign keys hold, and a new slug would wait for whoever plays.
create unique index organizations_slug_key on public.organizations (slug) where slug is not null;
create index organizations_erase_at_idx on public.organizations (erase_at) where erase_at is not null;
comment on table public.organizations is 'A merchant: the tenant that owns everything else (specification, section 3).';
comment on column public.organizations.id is 'Identifier.';
comment on column public.organizations.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.organizations.slug is 'Public address /org/{slug}, unique over the platform.';
comment on column public.organizations.created_at is 'When it was created.';
comment on column public.organizations.version is
  'Rises with every change of name or slug: saving an older version is refused, and overwrites nothing.';
comment on column public.organizations.erase_at is
  'When everything of it goes, 30 days after its owner asked; null while it stays.';
comment on column public.organizations.return_share is
  'Of a hundred codes used, how many brought their customer back, as the merchant reckons: what earnings count.';

create table public.roles (
  role text primary key,
  org_id uuid references public.organizations (id) on delete cascade,
  name text check (name = btrim(name) and length(name) between 1 and 40),
  description text not null default '' check (length(description) <= 200),
  created_at timestamptz not null default now(),
  unique (org_id, role),
  check ((org_id is null) = (role in ('owner', 'admin', 'member', 'cashier'))),
  check ((org_id is null) = (name is null))
);
create unique index roles_name_idx on public.roles (org_id, lower(name)) where org_id is not null;
comment on table public.roles is
  'The roles that a member can have: those given to everybody (specification, section 6), and those of one organisation.';
comment on column public.roles.role is
  'owner, admin, member (Équipe), cashier (Caisse), or the identifier of an organisation''s own role.';
comment on column public.roles.org_id is 'Organisation whose role it is; null of those given to everybody.';
comment on column public.roles.name is 'Name that its organisation gives it, 1 to 40 characters; null of those given.';
comment on column public.roles.description is 'Purpose in the organisation''s words; up to 200 characters.';
comment on column public.roles.created_at is 'When it was made.';

insert into public.roles (role) values ('owner'), ('admin'), ('member'), ('cashier');

create table public.role_permissions (
  role text not null references public.roles (role) on delete cascade,
  permission text not null check (permission ~ '^[a-z]+\.[a-z]+$'),
  org_id uuid,
  primary key (role, permission),
  foreign key (org_id, role) references public.roles (org_id, role) on delete cascade,
  check ((org_id is null) = (role in ('owner', 'admin', 'member', 'cashier')))
);
create index role_permissions_org_idx on public.role_permissions (org_id, role);
comment on table public.role_permissions is
  'Which role may do what. The policies and the interface both read this table; the rule exists nowhere else.';
comment on column public.role_permissions.role is 'Role.';
comment on column public.role_permissions.permission is 'Permission as subject.verb: campaigns.write, codes.redeem …';
comment on column public.role_permissions.org_id is 'Organisation whose role it is; null of those given to everybody.';

insert into public.role_permissions (role, permission)
select role, permission
from (values
  ('organization.update', '{owner,admin}'::text[]),
  ('organization.delete', '{owner}'),
  ('organization.export', '{owner}'),
  ('owners.manage', '{owner}'),
  ('team.read', '{owner,admin,member}'),
  ('team.manage', '{owner,admin}'),
  ('roles.manage', '{owner}'),
  ('audit.read', '{owner,admin}'),
  ('api.manage', '{owner,admin}'),
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
  ('reviews.read', '{owner,admin,member}'),
  ('reviews.write', '{owner,admin,member}'),
  ('activity.read', '{owner,admin,member}'),
  ('codes.read', '{owner,admin,member}'),
  ('codes.redeem', '{owner,admin,member,cashier}')
) as granted (permission, roles), unnest(roles) as role;

create table public.organization_members (
  org_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null unique references auth.users (id) on delete cascade,
  role text not null references public.roles (role),
  added_at timestamptz not null default now(),
  store_id uuid,
  role_org_key uuid generated always as (
    case when role in ('owner', 'admin', 'member', 'cashier') then null else org_id end) stored,
  primary key (org_id, user_id),
  foreign key (role_org_key, role) references public.roles (org_id, role)
);
create index organization_members_role_idx on public.organization_members (role);
create index organization_members_store_idx on public.organization_members (org_id, store_id);
create index organization_members_own_role_idx on public.organization_members (role_org_key, role);
comment on table public.organization_members is
  'Members of organisations; a user belongs to one at most (specification, section 3).';
comment on column public.organization_members.org_id is 'Organisation.';
comment on column public.organization_members.user_id is 'User of the authentication service; unique, since a user belongs to one organisation.';
comment on column public.organization_members.role is 'Role, which decides the permissions.';
comment on column public.organization_members.added_at is 'When the user joined.';
comment on column public.organization_members.store_id is
  'The only store at whose till the member works; null for all of them. Counts while the role has nothing but the till '
  '(private.bound_store).';
comment on column public.organization_members.role_org_key is
  'Where the role is looked for: the organisation, or null for those given to everybody.';

create table public.plan_limits (
  plan text primary key check (plan in ('free_trial', 'basic', 'pro')),
  max_active_campaigns integer not null check (max_active_campaigns >= -1),
  monthly_spins integer not null check (monthly_spins >= -1),
  max_users integer not null check (max_users >= -1),
  csv_export boolean not null,
  api_access boolean not null,
  white_label boolean not null,
  multi_store boolean not null,
  advanced_analytics boolean not null,
  custom_roles boolean not null
);
comment on table public.plan_limits is 'Limits of each plan (specification, section 9).';
comment on column public.plan_limits.plan is 'free_trial, basic or pro.';
comment on column public.plan_limits.max_active_campaigns is 'Most campaigns active at once; -1 is unlimited.';
comment on column public.plan_limits.monthly_spins is 'Most spins in a calendar month of the store''s time zone; -1 is unlimited.';
comment on column public.plan_limits.max_users is 'Most members, invitations included; -1 is unlimited.';
comment on column public.plan_limits.csv_export is 'Whether lists can be exported as CSV.';
comment on column public.plan_limits.api_access is 'Whether the data API is open to the merchant''s own keys.';
comment on column public.plan_limits.white_label is 'Whether the merchant''s logo takes the place of the product''s.';
comment on column public.plan_limits.multi_store is 'Whether more than one store is included.';
comment on column public.plan_limits.advanced_analytics is 'Whether trends, funnel and return on investment are included.';
comment on column public.plan_limits.custom_roles is 'Whether an owner can make roles of their own.';

insert into public.plan_limits
  (plan, max_active_campaigns, monthly_spins, max_users, csv_export, api_access, white_label, multi_store,
    advanced_analytics, custom_roles)
values
  ('free_trial', 1, 100, 2, false, false, false, false, false, false),
  ('basic', 3, 1000, 5, false, false, false, true, true, false),
  ('pro', -1, -1, -1, true, true, true, true, true, true);

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
  billing text check (billing in ('monthly', 'yearly')),
  cancel_at_period_end boolean not null default false,
  past_due_since timestamptz,
  closed_at timestamptz,
  kept_campaign_ids uuid[] not null default '{}',
  reconciled_at timestamptz,
  is_ending boolean not null default false,
  suspended_at timestamptz,
  due_cents integer check (due_cents > 0),
  cancel_at timestamptz,
  check (plan <> 'free_trial' or trial_end is not null)
);
create index subscriptions_plan_idx on public.subscriptions (plan);
create index subscriptions_reconciled_at_idx on public.subscriptions (reconciled_at nulls first)
  where stripe_customer_id is not null;
create index subscriptions_trial_end_idx on public.subscriptions (trial_end)
  where status = 'active' and plan = 'free_trial';
create index subscriptions_period_end_idx on public.subscriptions (current_period_end)
  where status = 'active' and plan <> 'free_trial';
create index subscriptions_past_due_idx on public.subscriptions (past_due_since) where status = 'past_due';
comment on table public.subscriptions is 'The plan of an organisation (specification, sections 3 and 4.4).';
comment on column public.subscriptions.org_id is 'Organisation; one subscription each.';
comment on column public.subscriptions.plan is 'Plan in force.';
comment on column public.subscriptions.status is 'active, past_due (payment default, 8 days'' notice), suspended or canceled.';
comment on column public.subscriptions.trial_end is 'End of the free trial, 14 days after creation; required on the free trial.';
comment on column public.subscriptions.current_period_end is
  'End of the paid period, or the day before it on which the subscription ends; null is without end.';
comment on column public.subscriptions.stripe_customer_id is 'Customer at the payment provider; readable by owner and admin only.';
comment on column public.subscriptions.stripe_subscription_id is 'Subscription at the payment provider; readable by owner and admin only.';
comment on column public.subscriptions.created_at is 'When it was created.';
comment on column public.subscriptions.billing is 'How often it is paid: monthly or yearly; null on the trial, and where nobody pays.';
comment on column public.subscriptions.cancel_at_period_end is 'Whether it ends with the paid period.';
comment on column public.subscriptions.past_due_since is 'When the bill that is not paid was made; null when everything is paid.';
comment on column public.subscriptions.closed_at is 'When the plan ended or was suspended; null while it runs.';
comment on column public.subscriptions.kept_campaign_ids is 'Campaigns that the merchant wants to stay active when a smaller plan has room for fewer.';
comment on column public.subscriptions.reconciled_at is 'When the nightly comparison with the payment provider was last asked for.';
comment on column public.subscriptions.is_ending is
  'Its organisation waits to be erased, and is closed to the public: written together with organizations.erase_at, and '
  'here as well because every spin reads this row already.';
comment on column public.subscriptions.suspended_at is
  'When the operator suspended its organisation, whatever its plan; null while it is not.';
comment on column public.subscriptions.due_cents is
  'Sum of the bills that are not paid, tax included, in cents; null when everything is paid, or the provider did not say.';
comment on column public.subscriptions.cancel_at is
  'When it ends, where it is renewed until then: a day after the paid period that was chosen at the provider; null otherwise.';

create function private.limits_of(p_org_id uuid) returns setof public.plan_limits
language sql stable rows 1 set search_path = ''
as $$
  select l.* from public.plan_limits l
  where l.plan = coalesce((select s.plan from public.subscriptions s where s.org_id = p_org_id), 'free_trial');
$$;
comment on function private.limits_of(uuid) is
  'Limits of an organisation''s plan, one row; those of the free trial while it has no subscription yet.';

create function private.lock_limits(p_org_id uuid) returns public.plan_limits
language plpgsql volatile set search_path = ''
as $$
declare
  v_limits public.plan_limits;
begin
  perform 1 from public.subscriptions s where s.org_id = p_org_id for no key update;
  select l.* into v_limits from private.limits_of(p_org_id) l;
  return v_limits;
end;
$$;
comment on function private.lock_limits(uuid) is
  'Limits of an organisation''s plan, held until the transaction ends, so that two that count against them count each other.';

create table public.notification_preferences (
  org_id uuid not null,
  user_id uuid not null,
  email boolean not null default true,
  sms boolean not null default false,
  low_ratings boolean not null default false,
  summary text not null default 'none' check (summary in ('none', 'daily', 'weekly')),
  next_summary_at timestamptz,
  unsubscribe_token uuid unique,
  monthly_report boolean not null default false,
  next_report_at timestamptz,
  push_low_ratings boolean not null default true,
  push_low_stock boolean not null default true,
  push_asked_at timestamptz,
  unsubscribe_secret text not null default encode(private.new_secret(), 'hex') unique,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references public.organization_members (org_id, user_id) on delete cascade,
  check ((next_summary_at is null) = (summary = 'none' or not email)),
  constraint notification_preferences_report_check check ((next_report_at is null) = (not monthly_report or not email))
);
create index notification_preferences_due_idx on public.notification_preferences (next_summary_at)
  where next_summary_at is not null;
create index notification_preferences_report_idx on public.notification_preferences (next_report_at)
  where next_report_at is not null;
create index notification_preferences_alert_idx on public.notification_preferences (org_id) where low_ratings;
comment on table public.notification_preferences is 'Notices that a member wants, and their channels (specification, section 3).';
comment on column public.notification_preferences.org_id is 'Organisation.';
comment on column public.notification_preferences.user_id is 'Member.';
comment on column public.notification_preferences.email is 'Whether to write by e-mail.';
comment on column public.notification_preferences.sms is 'Whether to write by SMS.';
comment on column public.notification_preferences.low_ratings is
  'Whether to be notified at once of a review of 3 stars or fewer, by the channels that are on.';
comment on column public.notification_preferences.summary is 'Summary of the figures by e-mail: none, daily or weekly.';
comment on column public.notification_preferences.next_summary_at is
  'When the next summary is due; null without one. It moves on in the transaction that writes the mail: one a period.';
comment on column public.notification_preferences.monthly_report is 'Whether to send the report of each month by e-mail.';
comment on column public.notification_preferences.next_report_at is
  'When the next report is due; null without one. It moves on in the transaction that writes the mail: one a month.';
comment on column public.notification_preferences.push_low_ratings is
  'Whether the member''s devices are notified of a review of 3 stars or fewer; without a device, nothing happens.';
comment on column public.notification_preferences.push_low_stock is 'Whether the member''s devices are notified of a stock that runs out.';
comment on column public.notification_preferences.push_asked_at is
  'When the member answered the question whether to be notified on their device, either way; it is not put again.';
comment on column public.notification_preferences.unsubscribe_secret is
  'Names this row in the link of a mail that says « no more »: 256 random bits, in hexadecimal. It opens nothing else.';
comment on column public.notification_preferences.unsubscribe_token is
  'Token of mails until November 2026, in the place of that secret; null for members since.';

create table public.organization_slug_redirects (
  slug text primary key check (private.is_slug(slug)),
  org_id uuid not null references public.organizations (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index organization_slug_redirects_org_idx on public.organization_slug_redirects (org_id);
comment on table public.organization_slug_redirects is 'Former slugs of organisations: printed addresses live on after a renaming.';
comment on column public.organization_slug_redirects.slug is 'Former slug.';
comment on column public.organization_slug_redirects.org_id is 'Organisation that it leads to.';
comment on column public.organization_slug_redirects.created_at is 'When it was given up.';

create table private.account_trials (
  user_id uuid primary key references auth.users (id) on delete cascade,
  trial_end timestamptz not null
);
comment on table private.account_trials is
  'Free trials of accounts: one each, whatever became of the organisation that it began with. Gone with the account.';
comment on column private.account_trials.user_id is 'Account that opened an organisation.';
comment on column private.account_trials.trial_end is 'When its trial ends.';

create table private.ended_subscriptions (
  former_id uuid primary key,
  plan text not null,
  stripe_customer_id text not null,
  stripe_subscription_id text,
  began_at timestamptz not null,
  ended_at timestamptz not null default now()
);
create index ended_subscriptions_ended_at_idx on private.ended_subscriptions (ended_at);
comment on table private.ended_subscriptions is
  'Billing of organisations that are gone, kept 10 years for the tax office (specification, section 9): the payment '
  'provider''s numbers, by which it finds its bills, and no name, address or person.';
comment on column private.ended_subscriptions.former_id is 'Identifier that the organisation had.';
comment on column private.ended_subscriptions.plan is 'Its last plan.';
comment on column private.ended_subscriptions.stripe_customer_id is 'Customer at the payment provider.';
comment on column private.ended_subscriptions.stripe_subscription_id is 'Last subscription there; null without one.';
comment on column private.ended_subscriptions.began_at is 'When the organisation began.';
comment on column private.ended_subscriptions.ended_at is 'When it was erased.';

create function private.payment_notice() returns interval
language sql immutable parallel safe
return interval '8 days';
comment on function private.payment_notice() is
  'Notice before a default of payment closes the pages (PAYMENT_NOTICE_DAYS of _shared/domain).';

create function private.due_until(p_past_due_since timestamptz, p_current_period_end timestamptz) returns timestamptz
language sql stable parallel safe
return coalesce(p_past_due_since, p_current_period_end) + private.payment_notice();
comment on function private.due_until(timestamptz, timestamptz) is
  'Until when the open bill of a subscription can be paid before its plan is suspended: the notice runs from the bill, else from the '
  'end of the paid period; null where neither is known. Without search_path, so that it is inlined.';

create function private.export_time() returns interval
language sql immutable parallel safe
return interval '30 days';
comment on function private.export_time() is
  'How long everything can still be exported once a plan is over or an organisation ends (EXPORT_AFTER_END_DAYS of _shared/domain).';

create function private.is_plan_open(p_subscription public.subscriptions) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return case
    when p_subscription.status = 'active' and p_subscription.plan = 'free_trial' then
      p_subscription.trial_end > now()
    when p_subscription.status = 'active' then
      p_subscription.current_period_end is null
      or p_subscription.current_period_end
        > now() - case when p_subscription.cancel_at_period_end then interval '0' else private.payment_notice() end
    when p_subscription.status = 'past_due' then
      -- The period that is not paid has begun all the same.
      coalesce(private.due_until(p_subscription.past_due_since, p_subscription.current_period_end) > now(), true)
    else false
  end;
end;
$$;
comment on function private.is_plan_open(public.subscriptions) is
  'Whether a subscription keeps the public pages open: its trial runs, or its paid period, or, unless that was cancelled, the '
  '8 days'' notice of a payment default after it (specification, section 9).';

create function private.is_open(p_subscription public.subscriptions) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return not p_subscription.is_ending and p_subscription.suspended_at is null
    and private.is_plan_open(p_subscription);
end;
$$;
comment on function private.is_open(public.subscriptions) is
  'Whether a subscription keeps the public pages open: its plan does (private.is_plan_open), and its organisation neither '
  'waits to be erased nor is suspended by the operator.';

create function private.closed_since(p_subscription public.subscriptions) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  if private.is_plan_open(p_subscription) then
    return null;
  end if;
  -- The jobs write the moment down; until they have run, the dates say the same.
  return coalesce(p_subscription.closed_at, case
    when p_subscription.plan = 'free_trial' then p_subscription.trial_end
    when p_subscription.status = 'past_due' then
      private.due_until(p_subscription.past_due_since, p_subscription.current_period_end)
    else p_subscription.current_period_end
  end);
end;
$$;
comment on function private.closed_since(public.subscriptions) is
  'Time at which a plan ended or was suspended, whether or not the jobs have run; null while it is in force, and where the time is '
  'unknown.';

create function private.readable_until(p_subscription public.subscriptions) returns timestamptz
language sql stable set search_path = ''
as $$ select private.closed_since(p_subscription) + private.export_time(); $$;
comment on function private.readable_until(public.subscriptions) is
  'Until when the data of a plan that is over can be read and exported; null while it is in force.';

create function private.ends_at(p_subscription public.subscriptions) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  return case
    when p_subscription.status = 'canceled' then p_subscription.closed_at
    when p_subscription.cancel_at_period_end then p_subscription.current_period_end
    else p_subscription.cancel_at
  end;
end;
$$;
comment on function private.ends_at(public.subscriptions) is
  'When a subscription that was cancelled ends, or has ended; null while it goes on.';

create function private.is_silent(p_org_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select 1 from public.subscriptions s
    where s.org_id = p_org_id and (s.suspended_at is not null or s.is_ending or private.readable_until(s) <= now()));
$$;
comment on function private.is_silent(uuid) is
  'Whether an organisation''s members get no more figures and alerts: it is suspended, waits to be erased, or can no longer be read.';

create function private.closed_reason(p_subscription public.subscriptions) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return case
    when private.is_open(p_subscription) then null
    when p_subscription.suspended_at is not null then 'organization_suspended'
    when p_subscription.is_ending then 'organization_ending'
    else 'subscription_closed'
  end;
end;
$$;
comment on function private.closed_reason(public.subscriptions) is
  'Reason why nothing may be changed under a subscription; where there are several, the first of organization_suspended (by '
  'the operator), organization_ending (it waits to be erased), subscription_closed (its plan is over); null while it is open.';

create function private.refuse_closed(p_reason text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_reason is not null then
    raise exception '%', p_reason using errcode = case p_reason
      when 'organization_suspended' then 'TV190' when 'organization_ending' then 'TV191' else 'TV085' end;
  end if;
end;
$$;
comment on function private.refuse_closed(text) is
  'Raises a reason of private.closed_reason, none for null. Errors: TV190 the operator suspended the organisation, TV191 it waits to '
  'be erased, TV085 its plan is over.';

create function private.require_plan(p_org_id uuid, p_permission text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.org_id = p_org_id;
  if not found then
    return true;
  elsif p_permission like '%.write'
    or p_permission in ('stores.delete', 'campaigns.delete', 'rewards.delete', 'organization.update')
  then
    perform private.refuse_closed(private.closed_reason(v_subscription));
  elsif p_permission like '%.read' and p_permission <> 'billing.read'
    and private.readable_until(v_subscription) <= now()
  then
    raise exception 'reading_closed' using errcode = 'TV120';
  end if;
  return true;
end;
$$;
comment on function private.require_plan(uuid, text) is
  'True where an organisation''s plan allows what a permission stands for. Errors: TV085 to write or delete once it is '
  'over or unpaid; TV191 while the organisation waits to be erased; TV190 once the operator suspended it; TV120 to read 30 days after its '
  'end.';

create function private.my_org_ids(p_permission text default null) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_key private.api_keys;
begin
  if v_user_id is not null then
    return query
    select m.org_id
    from public.organization_members m
    where m.user_id = v_user_id
      -- In this order: whoever may not anyway learns nothing of the plan.
      and case
        when p_permission is null then true
        when exists (
          select 1 from public.role_permissions p where p.role = m.role and p.permission = p_permission
        ) then private.require_plan(m.org_id, p_permission)
        else false
      end;
    return;
  end if;
  v_key := private.my_api_key();
  if v_key.scope = 'read' and coalesce(p_permission in
    ('stores.read', 'campaigns.read', 'rewards.read', 'customers.read', 'codes.read', 'activity.read'), true)
  then
    return next v_key.org_id;
  end if;
end;
$$;
comment on function private.my_org_ids(text) is
  'Organisations in which the signed-in user has a permission (any role when null); for a reading key of the API its own. '
  'Such a key reads shops, campaigns and customers, never the team or billing. Policies call it as (select …): it '
  'runs once a statement, and an index serves with its order, which it would not for any (array(…)). Errors of my_user_id(); TV085 or TV190 '
  '(private.refuse_closed) for a permission to write, TV120 for one to read 30 days after the end of a plan.';
grant execute on function private.my_org_ids(text) to authenticated, service_role;

create function private.my_reading_rights(
  p_permissions text[], p_needed text default null, out org_id uuid, out held text[]
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  if v_user_id is null then
    -- A key of the API, or nobody.
    select o into org_id from private.my_org_ids() o;
    held := array(select p from unnest(p_permissions) p where exists (select from private.my_org_ids(p)));
  else
    select m.org_id, array(
        select p.permission from public.role_permissions p
        where p.role = m.role and p.permission = any (p_permissions))
    into org_id, held
    from public.organization_members m where m.user_id = v_user_id;
  end if;
  held := coalesce(held, '{}');
  if p_needed <> all (held) then
    held := '{}';
  elsif held <> '{}' and v_user_id is not null then
    -- A plan that is over lets the same be read for all of them.
    perform private.require_plan(org_id, held[1]);
  end if;
end;
$$;
comment on function private.my_reading_rights(text[], text) is
  'Organisation of the signed-in user or API key, and which of some permissions they have there. The answers are those of '
  'my_org_ids, with the session read once. Only for permissions that end with .read, without billing.read. No row without the '
  'required permission. Errors TV010, TV011, TV120 as my_org_ids.';

create function private.enforce_user_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_seat(new.org_id);
  return new;
end;
$$;
comment on function private.enforce_user_limit() is
  'Refuses a member beyond the plan''s number of users, invitations included. Error TV002, with the limit as detail.';
create trigger enforce_user_limit before insert on public.organization_members
  for each row execute function private.enforce_user_limit();

create function private.role_may(p_role text, p_permission text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select 1 from public.role_permissions p where p.role = p_role and p.permission = p_permission);
$$;
comment on function private.role_may(text, text) is 'Whether a role has a permission.';

create function private.bound_store(p_role text, p_store_id uuid) returns uuid
language sql stable set search_path = ''
as $$
  select case when not private.role_may(p_role, 'stores.read') then p_store_id end;
$$;
comment on function private.bound_store(text, uuid) is
  'The only store at whose till somebody of a role works, of the one that is kept for them; null for all, and for roles '
  'that see all stores.';

-- A member of one store finds no other one, neither in the list nor by its identifier. The plan comes along: its badge,
-- its banner and its limits are on every screen of the back-office.
create function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null
             and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
          '[]'::jsonb),
        'has_archived_store', exists (
          select 1 from public.stores s
          where s.org_id = o.id and s.archived_at is not null
            and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'unread_reviews', case when private.role_may(m.role, 'reviews.read') then private.unread_reviews(o.id) else 0 end,
        'open_checks', case when private.role_may(m.role, 'codes.read') and private.role_may(m.role, 'rewards.write')
          then private.open_checks(o.id) else 0 end,
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'due_until', case when s.status = 'past_due' then private.due_until(s.past_due_since, s.current_period_end) end,
            'is_open', private.is_plan_open(s) and s.suspended_at is null,
            'is_suspended', s.suspended_at is not null, 'readable_until', private.readable_until(s),
            'ends_at', private.ends_at(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_archived_store": false,
      "has_campaign": false, "unread_reviews": 0, "open_checks": 0, "plan": null}'::jsonb
      || jsonb_build_object('ended_access', private.ended_access((select private.my_user_id())),
        'has_erased_organization', private.has_erased_organization((select private.my_user_id())))
  );
$$;
comment on function public.my_workspace() is
  'Workspace that every screen starts from: organisation, role, permissions, stores, plan and progress of the signed-in user. '
  'How many bad reviews they have to read, and how many groups of prizes to check. Without an organisation, the name of one that has '
  'just ended their access (private.ended_access), or whether theirs was erased. A cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';
grant execute on function public.my_workspace() to authenticated, service_role;

create function private.add_owner(p_org_id uuid, p_user_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.add_owner(uuid, uuid) is
  'Makes a user the owner of a new organisation. Error TV020 to a member of another one, TV021 with the SQLSTATE as '
  'detail when it fails otherwise.';

create function private.previous_trial_end(p_user_id uuid) returns timestamptz
language sql stable set search_path = ''
as $$
  select least(
    (select t.trial_end from private.account_trials t where t.user_id = p_user_id), (
    select min(s.trial_end)
    from public.organization_members m
    join public.organizations o on o.id = m.org_id and o.erase_at is not null
    join public.role_permissions p on p.role = m.role and p.permission = 'organization.delete'
    join public.subscriptions s on s.org_id = o.id
    where m.user_id = p_user_id));
$$;
comment on function private.previous_trial_end(uuid) is
  'When the free trial ends that an account began, or that an owner had with the organisation that waits to be erased; null without one. '
  'A trial is an account''s (specification, section 1), not an organisation''s.';

create function public.create_organization(p_name text, p_slug text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_trial_end timestamptz;
  v_org public.organizations;
begin
  -- An account without a proven address or phone number creates no organisation.
  if not exists (
    select 1 from auth.users u
    where u.id = v_user_id and (u.email_confirmed_at is not null or u.phone_confirmed_at is not null)
  ) then
    raise exception 'not_confirmed' using errcode = '42501';
  end if;
  -- Two clicks take turns, so that the second learns what the first has done.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  v_trial_end := private.previous_trial_end(v_user_id);
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  insert into public.organizations (name, slug) values (p_name, p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  update public.subscriptions s set trial_end = v_trial_end where s.org_id = v_org.id and v_trial_end < s.trial_end;
  insert into private.account_trials (user_id, trial_end)
  select v_user_id, s.trial_end from public.subscriptions s where s.org_id = v_org.id
  on conflict (user_id) do nothing;
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$$;
comment on function public.create_organization(text, text) is
  'Makes an organisation with its owner, free trial and notification preferences: all of it or nothing, and one a user, '
  'whatever happens at once; a member of one that waits to be erased leaves it. Whoever had a trial goes on with it. '
  'Errors: 42501 without a confirmed address or number; TV020 already a member; 23505 the slug is taken; 23514 or '
  '23502 name or slug are not well formed; TV021 the membership and TV022 the subscription failed.';
grant execute on function public.create_organization(text, text) to authenticated;

create function private.my_organization() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  return v_org_id;
exception
  -- Errors about the caller's session are not failures of the lookup.
  when sqlstate 'TV010' or sqlstate 'TV011' then
    raise;
  when others then
    raise log 'organization_lookup_failed: % %', sqlstate, sqlerrm;
    raise exception 'organization_lookup_failed' using errcode = 'TV050', detail = sqlstate;
end;
$$;
comment on function private.my_organization() is
  'Organisation of the signed-in user; null of a member of none. Errors of my_user_id(), and TV050 with the SQLSTATE as '
  'detail when the lookup fails: the database''s own words go to its log.';

create function private.has_feature(p_org_id uuid, p_feature text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select case p_feature
      when 'csv_export' then l.csv_export
      when 'api_access' then l.api_access
      when 'white_label' then l.white_label
      when 'multi_store' then l.multi_store
      when 'advanced_analytics' then l.advanced_analytics
      when 'custom_roles' then l.custom_roles
    end
    from private.limits_of(p_org_id) l
  ), false);
$$;
comment on function private.has_feature(uuid, text) is
  'Whether an organisation''s plan includes a feature, named as its column of plan_limits (specification, section 9). '
  'False without a subscription, and of a feature that there is not.';
grant execute on function private.has_feature(uuid, text) to authenticated, service_role;

create table private.retired_slugs (
  kind text not null check (kind in ('organization', 'campaign')),
  digest bytea not null check (length(digest) = 32),
  holder_id uuid references public.organizations (id) on delete set null,
  primary key (kind, digest)
);
create index retired_slugs_holder_idx on private.retired_slugs (holder_id);
comment on table private.retired_slugs is
  'Public addresses whose campaign or organisation is gone, for good: posters that still hang lead to nobody else (decision 025).';
comment on column private.retired_slugs.kind is 'Whose address it was: organization (/org/{slug}) or campaign (/c/{slug}).';
comment on column private.retired_slugs.digest is 'SHA-256 of the slug: of a name that is erased nothing can be read.';
comment on column private.retired_slugs.holder_id is
  'Organisation that may take it again, since the posters are its own; null once it is erased.';

create function private.retire_slug(p_kind text, p_slug text, p_org_id uuid) returns void
language sql volatile set search_path = ''
as $$
  insert into private.retired_slugs (kind, digest, holder_id)
  values (p_kind, sha256(convert_to(p_slug, 'UTF8')), (select o.id from public.organizations o where o.id = p_org_id))
  on conflict (kind, digest) do nothing;
$$;
comment on function private.retire_slug(text, text, uuid) is
  'Keeps an address that is given up from every organisation but the one that had it (retired_slugs).';

create function private.is_slug_retired(p_kind text, p_slug text, p_org_id uuid default null) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from private.retired_slugs r
    where r.kind = p_kind and r.digest = sha256(convert_to(p_slug, 'UTF8'))
      and (r.holder_id is null
        or r.holder_id is distinct from p_org_id and r.holder_id <> all (array(select private.my_org_ids()))));
$$;
comment on function private.is_slug_retired(text, text, uuid) is
  'Whether an address that is given up stays closed to an organisation, or to the user''s own: it was another one''s.';

create function private.is_campaign_slug_free(p_slug text, p_campaign_id uuid, p_org_id uuid default null) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return not exists (
    select 1 from public.campaigns c
    where c.slug = p_slug and c.id is distinct from p_campaign_id and c.org_id is distinct from p_org_id
  ) and not exists (
    select 1 from public.campaign_slug_redirects r where r.slug = p_slug and r.campaign_id is distinct from p_campaign_id
  ) and not private.is_slug_retired('campaign', p_slug, p_org_id);
end;
$$;
comment on function private.is_campaign_slug_free(text, uuid, uuid) is
  'Whether no other campaign has a slug, now or formerly, nor had one that is gone with its organisation. With p_org_id, a slug that '
  'a campaign of that organisation has now is free.';

create function public.is_slug_free(p_kind text, p_slug text, p_owner_id uuid default null) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return case p_kind
    when 'organization' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.organizations o
        where o.slug = p_slug and o.id <> all (array(select private.my_org_ids()))
      ) and not exists (
        select 1 from public.organization_slug_redirects r
        where r.slug = p_slug and r.org_id <> all (array(select private.my_org_ids()))
      ) and not private.is_slug_retired('organization', p_slug)
    when 'store' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.stores s
        where s.org_id = any (array(select private.my_org_ids('stores.read'))) and s.slug = p_slug
          and s.id is distinct from p_owner_id
      )
    when 'campaign' then
      private.is_slug(p_slug) and private.is_campaign_slug_free(p_slug, p_owner_id)
  end;
end;
$$;
comment on function public.is_slug_free(text, text, uuid) is
  'Whether an organisation or a campaign (over the whole platform, former addresses included) or a store (within one''s '
  'organisation) may take a slug; the owner is the store or campaign that would take it, null for a new one. False when '
  'it is no slug, null for another kind. A hint before saving: the constraints decide.';
grant execute on function public.is_slug_free(text, text, uuid) to authenticated;

create function private.numbered_slug(p_slug text, p_number integer) returns text
language sql immutable set search_path = ''
as $$
  select trim(trailing '-' from left(p_slug, 79 - length(p_number::text))) || '-' || p_number;
$$;
comment on function private.numbered_slug(text, integer) is
  'A slug with a number behind it, shortened to the 80 signs that a slug may have.';

create function private.numbered_name(p_name text, p_number integer) returns text
language sql immutable set search_path = ''
as $$
  select btrim(left(p_name, 110)) || ' (' || p_number || ')';
$$;
comment on function private.numbered_name(text, integer) is
  'A name with a number behind it, shortened to the 120 signs that a campaign''s name may have.';

create function private.is_number_free(p_kind text, p_text text, p_number integer, p_owner_id uuid, p_org_id uuid default null) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return case p_kind
    when 'campaign name' then not exists (
      select 1 from public.campaigns c
      where c.org_id = p_org_id and lower(btrim(c.name)) = lower(private.numbered_name(p_text, p_number)))
    when 'saved campaign' then
      private.is_campaign_slug_free(private.numbered_slug(p_text, p_number), p_owner_id)
    else public.is_slug_free(p_kind, private.numbered_slug(p_text, p_number), p_owner_id)
  end;
end;
$$;
comment on function private.is_number_free(text, text, integer, uuid, uuid) is
  'Whether a text is free with a number behind it: the name of a campaign within its organisation (kind "campaign name"), the '
  'slug of a campaign that is being saved ("saved campaign", as is_campaign_slug_free), else a slug as is_slug_free.';

create function private.free_number(p_kind text, p_text text, p_number integer, p_owner_id uuid, p_org_id uuid default null) returns integer
language plpgsql stable set search_path = ''
as $$
declare
  v_taken integer := p_number;
  v_free integer;
  v_step integer := 1;
  v_middle integer;
begin
  -- Ten numbers one by one, then steps that double: a name that thousands have takes some thirty looks.
  loop
    v_free := v_taken + v_step;
    exit when private.is_number_free(p_kind, p_text, v_free, p_owner_id, p_org_id);
    v_taken := v_free;
    if v_taken >= p_number + 10 then
      v_step := v_step * 2;
    end if;
    if v_step > 1000000 then
      return null;
    end if;
  end loop;
  while v_free - v_taken > 1 loop
    v_middle := (v_taken + v_free) / 2;
    if private.is_number_free(p_kind, p_text, v_middle, p_owner_id, p_org_id) then
      v_free := v_middle;
    else
      v_taken := v_middle;
    end if;
  end loop;
  return v_free;
end;
$$;
comment on function private.free_number(text, text, integer, uuid, uuid) is
  'A number that is free behind a text (is_number_free), counted on from one that is taken: of the next ten the first, and '
  'further on one whose predecessor is taken. Null when a million numbers are taken.';

create function public.free_slug(p_kind text, p_slug text, p_owner_id uuid default null) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_parts constant text[] := regexp_match(p_slug, '^(.+?)(?:-([0-9]{1,3}))?$');
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if not private.is_slug(p_slug) then
    return null;
  end if;
  if public.is_slug_free(p_kind, p_slug, p_owner_id) then
    return p_slug;
  end if;
  return private.numbered_slug(v_parts[1],
    private.free_number(p_kind, v_parts[1], coalesce(v_parts[2]::integer, 1), p_owner_id));
end;
$$;
comment on function public.free_slug(text, text, uuid) is
  'The slug itself where it is free (is_slug_free), else a free one with a number behind it, counted on from its own: of the next '
  'ten numbers the first, and further on one whose predecessor is taken. Null when it is no slug, for another kind, and when a '
  'million numbers are taken. A hint before saving.';
grant execute on function public.free_slug(text, text, uuid) to authenticated;

create function private.require_open_plan(p_org_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.refuse_closed(private.closed_reason(s)) from public.subscriptions s where s.org_id = p_org_id;
  return true;
end;
$$;
comment on function private.require_open_plan(uuid) is
  'True while an organisation is open to changes; otherwise the errors of private.refuse_closed.';

create function private.refuse_former_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_slug text;
begin
  -- Two who take and give up one slug at the same instant take turns, always in the same order.
  for v_slug in
    select distinct s from unnest(array[new.slug, case when tg_op = 'UPDATE' then old.slug end]) s where s is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('organization slug ' || v_slug, 0));
  end loop;
  -- One statement: an organisation that is erased meanwhile is seen with its slug, or gone and the slug retired.
  if exists (
    select 1 from public.organizations o where o.slug = new.slug and o.id <> new.id
    union all
    select 1 from public.organization_slug_redirects r where r.slug = new.slug and r.org_id <> new.id
  ) or private.is_slug_retired('organization', new.slug, new.id) then
    raise exception 'slug_taken' using errcode = '23505', constraint = 'organizations_slug_key',
      detail = 'Another organisation has this address, or had it: printed codes lead there.', hint = 'Choose another slug.';
  end if;
  return new;
end;
$$;
comment on function private.refuse_former_slug() is
  'Refuses a slug that another organisation has or had: its posters would lead to a stranger. Error 23505.';
create trigger refuse_former_slug_on_insert before insert on public.organizations
  for each row execute function private.refuse_former_slug();
create trigger refuse_former_slug_on_update before update of slug on public.organizations
  for each row when (old.slug is distinct from new.slug) execute function private.refuse_former_slug();

create function private.keep_former_organization_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.organization_slug_redirects r where r.slug = new.slug and r.org_id = new.id;
  insert into public.organization_slug_redirects (slug, org_id) values (old.slug, new.id);
  delete from public.organization_slug_redirects r
  where r.org_id = new.id and r.slug = any (array(
    select o.slug from public.organization_slug_redirects o
    where o.org_id = new.id
    order by o.created_at desc, o.slug offset 50));
  return null;
end;
$$;
comment on function private.keep_former_organization_slug() is
  'Leaves a redirect from the slug that an organisation gives up. The newest 50 stay: nobody takes thousands of names from others.';
create trigger keep_former_organization_slug after update of slug on public.organizations
  for each row when (old.slug is distinct from new.slug) execute function private.keep_former_organization_slug();

create function private.bump_organization_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_organization_version() is 'Numbers the versions of an organisation''s name and slug.';
create trigger adjust_texts before insert or update of name on public.organizations
  for each row when (private.is_unclean(new.name))
  execute function private.clean_texts('name');
create trigger bump_organization_version before update of name, slug on public.organizations
  for each row when ((old.name, old.slug) is distinct from (new.name, new.slug))
  execute function private.bump_organization_version();

create function public.settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
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
        'ends_at', private.ends_at(s),
        'due_until', case when s.status = 'past_due' then private.due_until(s.past_due_since, s.current_period_end) end,
        'suspended_since', case when s.status = 'suspended' then private.closed_since(s) end,
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
$$;
comment on function public.settings(uuid) is
  'Settings of an organisation (specification, section 2.19), for a member who may read its stores and its activity: name, '
  'address and version; stores in use; plan (the provider''s customer only to those who manage billing), null without one; and '
  'the reader''s notices. The shape is settings of _shared/domain. Error 42501 otherwise.';
grant execute on function public.settings(uuid) to authenticated;

create function private.is_readable(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select 1 from public.subscriptions s where s.org_id = p_org_id and private.readable_until(s) <= now()
  );
$$;
comment on function private.is_readable(uuid) is
  'Whether an organisation''s data can be read: its plan is in force, or was less than 30 days ago.';

create function private.includes_api(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select private.has_feature(p_org_id, 'api_access')
    and exists (select 1 from public.subscriptions s where s.org_id = p_org_id and private.is_open(s));
$$;
comment on function private.includes_api(uuid) is
  'Whether an organisation''s plan includes the API and is in force. Keys are refused while it is not, and accepted again with the '
  'next plan.';

create function private.may_name_customers(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select p_org_id in (select private.my_org_ids('customers.read'));
$$;
comment on function private.may_name_customers(uuid) is
  'Whether the signed-in member or API key may read who a customer is. Where false, functions that only need the right to figures '
  'leave out names, addresses and identifiers of customers, and do not search them.';

create function private.my_plans()
returns table (org_id uuid, plan text, status text, trial_end timestamptz, current_period_end timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.org_id, s.plan, s.status, s.trial_end, s.current_period_end
  from public.subscriptions s
  where s.org_id = any (array(select private.my_org_ids()));
$$;
comment on function private.my_plans() is
  'Plan, status and dates of the signed-in member''s organisation. The table behind it also holds payment identifiers, which '
  'are for whoever may read billing.';
grant execute on function private.my_plans() to authenticated;

create view public.organization_plans with (security_invoker = true) as
  select p.org_id, p.plan, p.status, p.trial_end, p.current_period_end from private.my_plans() p;
comment on view public.organization_plans is
  'Plan, status and dates of the signed-in member''s organisation, without the payment identifiers: limits and badges need it.';
comment on column public.organization_plans.org_id is 'Organisation.';
comment on column public.organization_plans.plan is 'Plan in force.';
comment on column public.organization_plans.status is 'Status of the subscription.';
comment on column public.organization_plans.trial_end is 'End of the free trial.';
comment on column public.organization_plans.current_period_end is 'End of the paid period; null is without end.';
grant select on public.organization_plans to authenticated;
grant select on public.organization_plans to service_role;
create trigger refuse_write instead of insert or update or delete on public.organization_plans
  for each row execute function private.refuse_write();

create function public.set_return_share(p_org_id uuid, p_before integer, p_share integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('organization.update'));
  v_share integer;
begin
  select o.return_share into v_share from public.organizations o
  where o.id = p_org_id and o.id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  -- Saved already: a request whose answer was lost comes again.
  elsif v_share = p_share then
    return;
  elsif v_share is distinct from p_before then
    raise exception 'return_share_changed' using errcode = 'TV071', detail = v_share::text;
  end if;
  update public.organizations o set return_share = p_share where o.id = p_org_id;
end;
$$;
comment on function public.set_return_share(uuid, integer, integer) is
  'Sets how many of a hundred codes used brought their customer back, 0 to 100; p_before is what stood there when it was read. '
  'Errors: TV071 somebody changed it since (nothing is overwritten), 23514, 23502 or 22003 not such a number, 42501 without the '
  'permission organization.update there.';
grant execute on function public.set_return_share(uuid, integer, integer) to authenticated;

-- Permissions -------------------------------------------------------------------------------------

alter table public.organizations enable row level security;
grant select, update (name, slug) on public.organizations to authenticated;
grant select, insert, update, delete on public.organizations to service_role;
create policy "Members read their organisation" on public.organizations
  for select to authenticated
  using (id = (select private.my_org_ids()));
create policy "Owners and admins update their organisation" on public.organizations
  for update to authenticated
  using (id = (select private.my_org_ids('organization.update')))
  with check (id = (select private.my_org_ids('organization.update')));

alter table public.roles enable row level security;
grant select on public.roles to authenticated;
grant select, insert, update, delete on public.roles to service_role;
create policy "Signed-in users read the given roles and those of their organis" on public.roles
  for select to authenticated
  using (org_id = (select private.my_org_ids()) or org_id is null);

alter table public.role_permissions enable row level security;
grant select on public.role_permissions to authenticated;
grant select, insert, update, delete on public.role_permissions to service_role;
create policy "Signed-in users read what the roles may do that they read" on public.role_permissions
  for select to authenticated
  using (org_id = (select private.my_org_ids()) or org_id is null);

alter table public.organization_members enable row level security;
grant select on public.organization_members to authenticated;
grant select, insert, update, delete on public.organization_members to service_role;
create policy "Members read their own membership and, if they may, the team" on public.organization_members
  for select to authenticated
  using (
  user_id = (select private.my_user_id()) or org_id = (select private.my_org_ids('team.read')));

alter table public.plan_limits enable row level security;
grant select on public.plan_limits to authenticated;
grant select, insert, update, delete on public.plan_limits to service_role;
create policy "Members read the plans" on public.plan_limits
  for select to authenticated
  using (exists (select 1 from private.my_org_ids() o));

alter table public.subscriptions enable row level security;
grant select on public.subscriptions to authenticated;
grant select, insert, update, delete on public.subscriptions to service_role;
create policy "Owners and admins read the subscription" on public.subscriptions
  for select to authenticated
  using (org_id = (select private.my_org_ids('billing.read')));

alter table public.notification_preferences enable row level security;
grant select on public.notification_preferences to authenticated;
grant select, insert, update, delete on public.notification_preferences to service_role;
create policy "Members read their own notification preferences" on public.notification_preferences
  for select to authenticated
  using (org_id = (select private.my_org_ids()) and user_id = (select private.my_user_id()));

alter table public.organization_slug_redirects enable row level security;
grant select on public.organization_slug_redirects to authenticated;
grant select, insert, update, delete on public.organization_slug_redirects to service_role;
create policy "Members read the former slugs of their organisation" on public.organization_slug_redirects
  for select to authenticated using (org_id = (select private.my_org_ids()));

alter table private.account_trials enable row level security;
alter table private.ended_subscriptions enable row level security;
alter table private.retired_slugs enable row level security;
