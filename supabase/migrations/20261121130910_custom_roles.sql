-- Why: four roles do not fit every shop. An owner on the plan Pro makes further ones out of the permissions that there are,
-- and they are enforced like the given ones: a role is a row, what it may do are rows, and everything asks those. A role
-- belongs to one organisation, by reference and not by care; and nobody hands out what they do not have.

alter table public.plan_limits add column custom_roles boolean not null default false;
update public.plan_limits set custom_roles = true where plan = 'pro';
alter table public.plan_limits alter column custom_roles drop default;
comment on column public.plan_limits.custom_roles is 'Whether an owner can make roles of their own.';

create or replace function private.has_feature(p_org_id uuid, p_feature text) returns boolean
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
    from public.subscriptions s join public.plan_limits l on l.plan = s.plan
    where s.org_id = p_org_id
  ), false);
$$;

-- Whose a role is --------------------------------------------------------------------------------

alter table public.roles
  add column org_id uuid references public.organizations (id) on delete cascade,
  add column name text check (name = btrim(name) and length(name) between 1 and 40),
  add column description text not null default '' check (length(description) <= 200),
  add column created_at timestamptz not null default now(),
  add unique (org_id, role),
  add check ((org_id is null) = (role in ('owner', 'admin', 'member', 'cashier'))),
  add check ((org_id is null) = (name is null));
create unique index roles_name_idx on public.roles (org_id, lower(name)) where org_id is not null;
comment on table public.roles is
  'The roles that a member can have: those given to everybody (specification, section 6), and those of one organisation.';
comment on column public.roles.role is
  'owner, admin, member (Équipe), cashier (Caisse), or the identifier of an organisation''s own role.';
comment on column public.roles.org_id is 'Organisation whose role it is; null of those given to everybody.';
comment on column public.roles.name is 'What its organisation calls it, 1 to 40 characters; null of those given.';
comment on column public.roles.description is 'What it is for, in the organisation''s words; up to 200 characters.';
comment on column public.roles.created_at is 'When it was made.';

alter table public.role_permissions
  add column org_id uuid,
  add foreign key (org_id, role) references public.roles (org_id, role) on delete cascade,
  add check ((org_id is null) = (role in ('owner', 'admin', 'member', 'cashier')));
create index role_permissions_org_idx on public.role_permissions (org_id, role);
comment on column public.role_permissions.org_id is 'Organisation whose role it is; null of those given to everybody.';

-- The reference that keeps another organisation's roles out: a role that is not given is looked for in one's own.
alter table public.organization_members
  add column role_org_key uuid generated always as (
    case when role in ('owner', 'admin', 'member', 'cashier') then null else org_id end) stored,
  add foreign key (role_org_key, role) references public.roles (org_id, role);
create index organization_members_own_role_idx on public.organization_members (role_org_key, role);
comment on column public.organization_members.role_org_key is
  'Where the role is looked for: the organisation, or null for those given to everybody.';
alter table private.invitations
  add column role_org_key uuid generated always as (
    case when role in ('owner', 'admin', 'member', 'cashier') then null else org_id end) stored,
  add foreign key (role_org_key, role) references public.roles (org_id, role);
create index invitations_own_role_idx on private.invitations (role_org_key, role);
comment on column private.invitations.role_org_key is
  'Where the role is looked for: the organisation, or null for those given to everybody.';

alter policy "Signed-in users read the roles" on public.roles
  using (org_id = any (array(select private.my_org_ids())) or org_id is null);
alter policy "Signed-in users read the roles" on public.roles
  rename to "Signed-in users read the given roles and those of their organisation";
alter policy "Signed-in users read the permissions of roles" on public.role_permissions
  using (org_id = any (array(select private.my_org_ids())) or org_id is null);
alter policy "Signed-in users read the permissions of roles" on public.role_permissions
  rename to "Signed-in users read what the roles may do that they read";

insert into public.role_permissions (role, permission) values ('owner', 'roles.manage');

-- Who may give which role ------------------------------------------------------------------------

create function private.has_power_over(p_org_id uuid, p_role text) returns boolean
language sql stable
as $$
  select exists (
      select 1 from public.roles r where r.role = p_role and (r.org_id is null or r.org_id = p_org_id)
    ) and not exists (
      select p.permission from public.role_permissions p where p.role = p_role
      except
      select p.permission from public.organization_members m
      join public.role_permissions p on p.role = m.role
      where m.org_id = p_org_id and m.user_id = (select private.my_user_id())
    );
$$;
comment on function private.has_power_over(uuid, text) is
  'Whether the signed-in member may do all that a role of their organisation may do: nobody gives, takes or changes more '
  'than they have. An owner''s role, by owners alone.';

create or replace function private.demand_power_over(p_org_id uuid, p_roles text[]) returns void
language plpgsql stable
as $$
begin
  if exists (select 1 from unnest(p_roles) as r (role) where not coalesce(private.has_power_over(p_org_id, r.role), false)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function private.demand_power_over(uuid, text[]) is
  'Roles are given and touched by whoever has all of their permissions (private.has_power_over). Error 42501 otherwise, and '
  'for a role that is none of the organisation''s.';

create function private.may_give(p_org_id uuid, p_role text) returns boolean
language sql stable
as $$
  select private.has_feature(p_org_id, 'custom_roles')
    or not exists (select 1 from public.roles r where r.role = p_role and r.org_id is not null);
$$;
comment on function private.may_give(uuid, text) is
  'Whether a plan lets a role be given: the given ones always, an organisation''s own with the plan that includes them. Who '
  'has one keeps it.';

create or replace function private.begin_team_change(p_roles text[] default '{}') returns uuid
language plpgsql volatile
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  -- Asked with the lock held: a right that was taken away meanwhile is gone.
  if v_org_id is null or v_org_id not in (select private.my_org_ids('team.manage')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.demand_power_over(v_org_id, p_roles);
  if exists (select 1 from unnest(p_roles) r (role) where not private.may_give(v_org_id, r.role)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  end if;
  return v_org_id;
end;
$$;
comment on function private.begin_team_change(text[]) is
  'Locks the team of the signed-in user and answers its organisation. Error 42501 without the permission team.manage, or '
  'without power over one of the roles that are given; TV114 for a role of one''s own where the plan has none.';

-- Making roles -----------------------------------------------------------------------------------

create function private.begin_role_change(p_role text) returns uuid
language plpgsql volatile
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids('roles.manage') o;
  perform private.lock_team(v_org_id);
  if v_org_id is null
    -- Asked with the lock held: a right that was taken away meanwhile is gone.
    or v_org_id not in (select private.my_org_ids('roles.manage'))
    or (p_role is not null and not exists (
      select 1 from public.roles r where r.org_id = v_org_id and r.role = p_role))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_org_id;
end;
$$;
comment on function private.begin_role_change(text) is
  'Locks the team of the signed-in user, who may make roles, and answers its organisation. Error 42501 otherwise, and for a '
  'role that is not the organisation''s own.';

create function private.whole_permissions(p_permissions text[]) returns text[]
language sql stable
as $$
  select coalesce(array_agg(distinct p.permission order by p.permission), '{}')
  from (
    select w as permission from unnest(p_permissions) w
    union all
    -- Whoever changes something has to see it.
    select split_part(w, '.', 1) || '.read' from unnest(p_permissions) w
    union all
    -- Whatever is not the till is behind the door of the back-office.
    select unnest('{activity.read,stores.read}'::text[]) from unnest(p_permissions) w where w <> 'codes.redeem'
  ) p
  where exists (select 1 from public.role_permissions known where known.role = 'owner' and known.permission = p.permission);
$$;
comment on function private.whole_permissions(text[]) is
  'Permissions with those that they are of no use without: to read what one changes, and the way in.';

create function public.save_role(
  p_name text, p_description text, p_permissions text[], p_role text default null
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_role_change(p_role);
  v_role constant text := coalesce(p_role, gen_random_uuid()::text);
  v_permissions constant text[] := private.whole_permissions(p_permissions);
begin
  if not (private.has_feature(v_org_id, 'custom_roles') and private.demand_open(v_org_id)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  -- What administrators may do can be given; the rest is the owner's alone.
  elsif not v_permissions @> p_permissions or cardinality(v_permissions) = 0 or exists (
    select 1 from unnest(v_permissions) w where not private.role_may('admin', w)
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_role is null and (select count(*) from public.roles r where r.org_id = v_org_id) >= 20 then
    raise exception 'too_many_roles' using errcode = 'TV115';
  end if;
  insert into public.roles as r (role, org_id, name, description)
  values (v_role, v_org_id, btrim(p_name), btrim(coalesce(p_description, '')))
  on conflict (role) do update set name = excluded.name, description = excluded.description;
  delete from public.role_permissions p where p.role = v_role and p.permission <> all (v_permissions);
  insert into public.role_permissions (role, org_id, permission)
  select v_role, v_org_id, w from unnest(v_permissions) w
  on conflict do nothing;
  -- Bound to a till are those alone who have nothing but the till.
  if 'stores.read' = any (v_permissions) then
    update public.organization_members m set store_id = null
    where m.role_org_key = v_org_id and m.role = v_role and m.store_id is not null;
    update private.invitations i set store_id = null
    where i.role_org_key = v_org_id and i.role = v_role and i.store_id is not null;
  end if;
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', btrim(p_name)));
  return v_role;
end;
$$;
comment on function public.save_role(text, text, text[], text) is
  'Makes a role of the signed-in owner''s organisation, or changes one, with a name, a description and permissions, to '
  'which those are added that they need; whoever has the role may at once do what it says. Answers the role. Errors: TV114 '
  'the plan includes none, TV085 it is no longer in force, TV115 there are 20, 23505 the name is taken, 23514 or 23502 no '
  'name, 42501 to others, for another''s role, without any permission, and for one that is the owner''s alone.';

create function public.delete_role(p_role text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_name text;
begin
  if p_role is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_org_id := private.begin_role_change(p_role);
  -- What came of an invitation does not hold on to a role; one that waits does.
  delete from private.invitations i
  where i.role_org_key = v_org_id and i.role = p_role and (
    i.accepted_at is not null or i.withdrawn_at is not null or i.expires_at <= now());
  if exists (select 1 from public.organization_members m where m.role_org_key = v_org_id and m.role = p_role)
    or exists (select 1 from private.invitations i where i.role_org_key = v_org_id and i.role = p_role)
  then
    raise exception 'role_in_use' using errcode = 'TV113';
  end if;
  delete from public.roles r where r.org_id = v_org_id and r.role = p_role returning r.name into v_name;
  perform private.audit(v_org_id, 'role.deleted', 'role', p_role::uuid, jsonb_build_object('name', v_name));
end;
$$;
comment on function public.delete_role(text) is
  'Deletes a role of the signed-in owner''s organisation, on any plan. Errors: TV113 a member or an open invitation has it, '
  '42501 to others, and for a role that is not the organisation''s own.';
grant execute on function public.save_role(text, text, text[], text), public.delete_role(text) to authenticated;

-- What the team shows ----------------------------------------------------------------------------

create function private.team_roles(p_org_id uuid) returns jsonb
language sql stable
as $$
  select jsonb_agg(jsonb_build_object(
    'role', r.role, 'name', r.name, 'description', r.description,
    'permissions', (select coalesce(jsonb_agg(p.permission order by p.permission), '[]'::jsonb)
      from public.role_permissions p where p.role = r.role),
    'members', (select count(*) from public.organization_members m where m.org_id = p_org_id and m.role = r.role),
    'invitations', (select count(*) from private.invitations i where i.org_id = p_org_id and i.role = r.role
      and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()),
    'has_power', private.has_power_over(p_org_id, r.role),
    'may_give', private.has_power_over(p_org_id, r.role) and private.may_give(p_org_id, r.role))
    order by array_position('{owner,admin,member,cashier}', r.role), lower(r.name))
  from public.roles r
  where r.org_id is null or r.org_id = p_org_id;
$$;
comment on function private.team_roles(uuid) is
  'Roles of an organisation, the given ones first: what they may do, how many have them, and what the signed-in member may '
  'do with them.';

create or replace function public.team(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('team.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'members', private.team_members(p_org_id),
    'invitations', case when p_org_id in (select private.my_org_ids('team.manage'))
      then private.team_invitations(p_org_id) else '[]'::jsonb end,
    'roles', private.team_roles(p_org_id),
    'has_own_roles', private.has_feature(p_org_id, 'custom_roles'),
    'used', private.users_used(p_org_id),
    'limit', coalesce((select l.max_users from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                       where s.org_id = p_org_id), 2));
end;
$$;
comment on function public.team(uuid) is
  'Members of an organisation, the invitations that wait (for whoever may manage the team), its roles, whether its plan lets '
  'it make its own, and the seats that are taken, of how many; the shape is team of _shared/domain. Error 42501 without the '
  'permission team.read there.';

create or replace function public.invitation_page(p_token text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_invitation private.invitations;
  v_state text;
  v_organization text;
begin
  select * into v_invitation from private.invitations i where i.token_hash = sha256(convert_to(p_token, 'UTF8'));
  v_state := private.invitation_state(v_invitation);
  select o.name into v_organization from public.organizations o where o.id = v_invitation.org_id;
  if v_state <> 'open' then
    return jsonb_build_object('state', v_state, 'organization', v_organization);
  end if;
  return jsonb_build_object('state', v_state, 'organization', v_organization, 'email', v_invitation.email,
    'role', v_invitation.role,
    'role_name', (select r.name from public.roles r where r.role = v_invitation.role),
    'role_description', (select r.description from public.roles r where r.role = v_invitation.role),
    'inviter', private.user_name(v_invitation.invited_by),
    'expires_at', v_invitation.expires_at,
    'store', (select s.name from public.stores s where s.org_id = v_invitation.org_id and s.id = v_invitation.store_id));
end;
$$;

create or replace function public.waiting_invitation() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
    'role_name', (select r.name from public.roles r where r.role = i.role),
    'inviter', private.user_name(i.invited_by), 'expires_at', i.expires_at)
  from auth.users u
  join private.invitations i on i.email = lower(u.email) and private.invitation_state(i) = 'open'
  join public.organizations o on o.id = i.org_id
  where u.id = (select private.my_user_id()) and u.email_confirmed_at is not null
  order by i.sent_at desc, i.id limit 1;
$$;

-- In the audit trail -----------------------------------------------------------------------------

create function private.name_roles() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_field text;
  v_name text;
begin
  foreach v_field in array '{role,former_role}'::text[] loop
    select r.name into v_name from public.roles r
    where r.org_id = new.org_id and r.role = new.detail ->> v_field;
    if found then
      new.detail := jsonb_set(new.detail, array[v_field], to_jsonb(v_name));
    end if;
  end loop;
  return new;
end;
$$;
comment on function private.name_roles() is
  'Writes an organisation''s own roles into its trail by their names of the time, whoever writes the entry: a role may be '
  'renamed or gone when it is read.';
create trigger name_roles before insert on public.audit_events
  for each row when (new.detail ?| '{role,former_role}') execute function private.name_roles();
