-- Team: invitations, members, and roles of an organisation's own.
--
-- Membership and roles are decided here and nowhere else. An invitation is for one mailbox, and takes a seat of the
-- plan from the moment it is sent. It can be accepted once, by the proven owner of the address. Every change of a team
-- takes one lock: two clicks cannot use a seat too many or leave an organisation without an owner. An invitation mails
-- a stranger in our name, so it has limits an hour and a day. An owner on the plan Pro makes further roles out of the
-- permissions that there are, and they are enforced like the given ones. A foreign key binds a role to one
-- organisation, and no member grants a permission that they lack.

create table private.invitations (
  org_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null,
  role text not null references public.roles (role),
  store_id uuid,
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  accepted_by uuid references auth.users (id) on delete set null,
  withdrawn_at timestamptz,
  role_org_key uuid generated always as (
    case when role in ('owner', 'admin', 'member', 'cashier') then null else org_id end) stored,
  primary key (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id),
  check (accepted_at is null or withdrawn_at is null),
  foreign key (role_org_key, role) references public.roles (org_id, role),
  constraint invitations_email_check
    check (email = lower(email) and (private.is_email(email) or accepted_at is not null))
);
create unique index invitations_open_idx on private.invitations (org_id, email)
  where accepted_at is null and withdrawn_at is null;
create index invitations_store_idx on private.invitations (org_id, store_id);
create index invitations_role_idx on private.invitations (role);
create index invitations_invited_by_idx on private.invitations (invited_by);
create index invitations_accepted_by_idx on private.invitations (accepted_by);
create index invitations_mailbox_idx on private.invitations (private.normalize_email(email));
create index invitations_expires_at_idx on private.invitations (expires_at);
create index invitations_waiting_idx on private.invitations (email) where accepted_at is null and withdrawn_at is null;
create index invitations_own_role_idx on private.invitations (role_org_key, role);
comment on table private.invitations is
  'Invitations to a team. Read through public.team and public.invitation_page; gone 30 days after their time.';
comment on column private.invitations.org_id is 'Organisation.';
comment on column private.invitations.id is 'Identifier.';
comment on column private.invitations.email is 'Address that was invited, in lower case: nobody else can accept.';
comment on column private.invitations.role is 'Role that the person will have.';
comment on column private.invitations.store_id is
  'The only store of a till''s role; null for all. Counts while the role has nothing but the till (private.bound_store).';
comment on column private.invitations.token_hash is 'SHA-256 of what the link of the mail carries: 244 random bits, kept nowhere.';
comment on column private.invitations.invited_by is 'Member who invited, or sent it again last.';
comment on column private.invitations.created_at is 'When it was made.';
comment on column private.invitations.sent_at is 'When its mail was last written; each mail has its own link.';
comment on column private.invitations.expires_at is 'Until when it can be accepted: 7 days after the mail.';
comment on column private.invitations.accepted_at is 'When it was accepted.';
comment on column private.invitations.accepted_by is 'User who accepted it.';
comment on column private.invitations.withdrawn_at is 'When it was taken back.';
comment on column private.invitations.role_org_key is
  'Where the role is looked for: the organisation, or null for those given to everybody.';

create function private.is_waiting(i private.invitations) returns boolean
language sql stable
return i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now();
comment on function private.is_waiting(private.invitations) is
  'Whether an invitation is neither accepted, withdrawn nor expired: it holds a seat and a role. Planned as part of the query '
  'that calls it.';

create function private.users_used(p_org_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select ((select count(*) from public.organization_members m where m.org_id = p_org_id)
    + (select count(*) from private.invitations i
       where i.org_id = p_org_id and private.is_waiting(i)))::integer;
$$;
comment on function private.users_used(uuid) is
  'Seats of the plan that are taken: members, and invitations that can still be accepted.';

create function private.lock_team(p_org_id uuid) returns integer
language sql volatile set search_path = ''
as $$
  select l.max_users from private.lock_limits(p_org_id) l;
$$;
comment on function private.lock_team(uuid) is
  'Locks an organisation''s team against other changes until the transaction ends. Returns the number of users that the plan '
  'allows; -1 is unlimited.';

-- Teams whose plan is over take no new members, neither by invitation nor by acceptance.
create function private.require_seat(p_org_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_limit constant integer := private.lock_team(p_org_id);
begin
  perform private.require_open_plan(p_org_id);
  if v_limit >= 0 and private.users_used(p_org_id) >= v_limit then
    raise exception 'user_limit_reached' using errcode = 'TV002', detail = v_limit::text;
  end if;
end;
$$;
comment on function private.require_seat(uuid) is
  'Refuses one more member or invitation than the plan has users. Error TV002, with the limit as detail; TV085 when the '
  'plan is over.';

create function private.joining_refusal(p_org_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    (select private.closed_reason(s) from public.subscriptions s where s.org_id = p_org_id),
    -- The invitation that is asked about holds one of the seats itself.
    case when l.max_users >= 0 and private.users_used(p_org_id) > l.max_users then 'user_limit_reached' end)
  from private.limits_of(p_org_id) l;
$$;
comment on function private.joining_refusal(uuid) is
  'Reason for which private.require_seat refuses whoever accepts an open invitation now: that of private.closed_reason, or '
  'user_limit_reached; null while it takes them in.';

create function private.roles_in_power(p_org_id uuid) returns setof text
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select coalesce(jsonb_object_agg(p.permission, true), '{}') as permissions
    from public.organization_members m join public.role_permissions p on p.role = m.role
    where m.org_id = p_org_id and m.user_id = (select private.my_user_id())
  )
  select r.role from public.roles r cross join mine
  where (r.org_id is null or r.org_id = p_org_id)
    and not exists (select from public.role_permissions p where p.role = r.role and not mine.permissions ? p.permission);
$$;
comment on function private.roles_in_power(uuid) is
  'Roles of an organisation of which the signed-in member may do all.';

create function private.has_power_over(p_org_id uuid, p_role text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.roles_in_power(p_org_id) r (role) where r.role = p_role);
$$;
comment on function private.has_power_over(uuid, text) is
  'Whether the signed-in member may do all that a role of their organisation may do: nobody gives, takes or changes more '
  'than they have. An owner''s role, by owners alone.';

create function private.require_power_over(p_org_id uuid, p_roles text[]) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if exists (select 1 from unnest(p_roles) as r (role) where not coalesce(private.has_power_over(p_org_id, r.role), false)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_power_over(uuid, text[]) is
  'Raises 42501 unless the signed-in member has all permissions of a role (private.has_power_over), and for a role that the '
  'organisation does not have: only then may they give or change it.';

create function private.may_give(p_org_id uuid, p_role text) returns boolean
language sql stable set search_path = ''
as $$
  select private.has_feature(p_org_id, 'custom_roles')
    or not exists (select 1 from public.roles r where r.role = p_role and r.org_id is not null);
$$;
comment on function private.may_give(uuid, text) is
  'Whether a plan lets a role be given: the given ones always, an organisation''s own with the plan that includes them. Who '
  'has one keeps it.';

create function private.lock_my_team(p_permission text) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  -- Asked with the lock held: a right that was taken away meanwhile is gone.
  if v_org_id is null or v_org_id not in (select private.my_org_ids(p_permission)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_org_id;
end;
$$;
comment on function private.lock_my_team(text) is
  'Locks the team of the signed-in user and answers its organisation. Error 42501 without the permission there.';

create function private.begin_team_change(p_roles text[] default '{}') returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id constant uuid := private.lock_my_team('team.manage');
begin
  perform private.require_power_over(v_org_id, p_roles);
  if exists (select 1 from unnest(p_roles) r (role) where not private.may_give(v_org_id, r.role)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  end if;
  return v_org_id;
end;
$$;
comment on function private.begin_team_change(text[]) is
  'Locks the team of the signed-in user and answers its organisation. Error 42501 without the permission team.manage, or '
  'without power over one of the roles that are given; TV114 for a role of one''s own where the plan has none.';

create function private.withdraw_powerless_invitations(p_org_id uuid, p_actor_id uuid default private.my_user_id()) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_gone record;
begin
  for v_gone in
    update private.invitations i set withdrawn_at = now()
    where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null
      and not private.may_invite(i.org_id, i.invited_by, i.role)
    returning i.id, i.email, i.role
  loop
    perform private.audit_as(p_org_id, p_actor_id, 'invitation.withdrawn', 'invitation', v_gone.id,
      jsonb_build_object('name', v_gone.email, 'role', v_gone.role));
  end loop;
end;
$$;
comment on function private.withdraw_powerless_invitations(uuid, uuid) is
  'Withdraws the open invitations that those who made them could not make any more (private.may_invite), once a member or a role is less. '
  'Written down as done by the signed-in user, or by the platform (null).';

create function private.till_store(p_org_id uuid, p_role text, p_store_id uuid) returns uuid
language plpgsql stable set search_path = ''
as $$
begin
  if p_store_id is null or private.role_may(p_role, 'stores.read') then
    return null;
  end if;
  if not exists (
    select 1 from public.stores s where s.org_id = p_org_id and s.id = p_store_id and s.archived_at is null
  ) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return p_store_id;
end;
$$;
comment on function private.till_store(uuid, text, uuid) is
  'The store that somebody of this role is bound to; null for roles that see all stores. Error 42501 for a store that is '
  'not in use there.';

create function private.has_other_owner(p_org_id uuid, p_member_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.organization_members m
    where m.org_id = p_org_id and m.user_id <> p_member_id and private.role_may(m.role, 'owners.manage')
  );
$$;
comment on function private.has_other_owner(uuid, uuid) is 'Whether another member than this one owns the organisation.';

create function private.require_other_owner(p_org_id uuid, p_member_id uuid) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not private.has_other_owner(p_org_id, p_member_id) then
    raise exception 'last_owner' using errcode = 'TV104';
  end if;
end;
$$;
comment on function private.require_other_owner(uuid, uuid) is
  'Somebody else has to own the organisation before its owner goes. Error TV104. Call it with the team locked.';

create function private.send_invitation(p_invitation private.invitations, p_limit integer) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_user_id constant uuid := private.my_user_id();
  v_of_organization constant text := 'invitations of ' || p_invitation.org_id;
  v_by constant text := 'invitations by ' || v_user_id;
  v_address constant text := private.network_address_hash();
  v_retry_after integer;
begin
  -- A merchant does not flood a mailbox, nor strangers with mails of ours.
  v_retry_after := greatest(
    private.count_attempt(
      array[v_of_organization, v_by,
        'invitations to ' || encode(sha256(convert_to(p_invitation.email, 'UTF8')), 'hex')],
      array[case when p_limit < 0 then 200 else 30 end, 60, 5], interval '1 day'),
    private.count_attempt(
      array[v_of_organization || ' in an hour', v_by || ' in an hour']
        || case when v_address is not null then array['invitations from ' || v_address] else '{}' end,
      '{20,20,30}', interval '1 hour'));
  if v_retry_after is not null then
    perform private.refuse_for_now('TV103', 'too_many_invitations', v_retry_after);
  end if;
  update private.invitations i
  set token_hash = sha256(convert_to(v_token, 'UTF8')), invited_by = v_user_id, sent_at = now(),
    expires_at = default
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id;
  perform private.enqueue_mail('invitation', p_invitation.email, jsonb_build_object(
    'path', '/invitation?token=' || v_token,
    'organization', (select o.name from public.organizations o where o.id = p_invitation.org_id),
    'brand', private.brand(p_invitation.org_id),
    'inviter', private.user_name(v_user_id)), now() + interval '2 days');
end;
$$;
comment on function private.send_invitation(private.invitations, integer) is
  'Writes the mail of an invitation, with a new link that takes the place of the one before, for 7 days. Refuses with 429 '
  'and TV103 beyond its limits. An hour: 20 of an organisation, 20 of who invites, 30 of an address of the network. A '
  'day: 30 of an organisation (200 where the plan has no limit of users), 60 of who invites, 5 to one mailbox.';

create function public.invite_member(p_email text, p_role text, p_store_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change(array[p_role]);
  v_email constant text := lower(btrim(p_email));
  v_invitation private.invitations;
begin
  if exists (
    select 1 from public.organization_members m join auth.users u on u.id = m.user_id
    where m.org_id = v_org_id and lower(u.email) = v_email
  ) then
    raise exception 'already_in_team' using errcode = 'TV096';
  end if;
  -- Invitations that have expired give their place away.
  update private.invitations i set withdrawn_at = now()
  where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
    and i.expires_at <= now();
  if exists (
    select 1 from private.invitations i
    where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
  ) then
    raise exception 'already_invited' using errcode = 'TV097';
  end if;
  perform private.require_seat(v_org_id);
  insert into private.invitations (org_id, email, role, store_id, token_hash)
  values (v_org_id, v_email, p_role, private.till_store(v_org_id, p_role, p_store_id),
    sha256(convert_to(gen_random_uuid()::text, 'UTF8')))
  returning * into v_invitation;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.sent', 'invitation', v_invitation.id,
    jsonb_build_object('name', v_email, 'role', p_role));
  return v_invitation.id;
end;
$$;
comment on function public.invite_member(text, text, uuid) is
  'Invites an address into the signed-in user''s team, by mail, with a role, and a store for a role of the till. Nobody '
  'learns whether the address has an account. Errors: TV096 belongs to this team already; TV097 invited already; TV002 '
  'the plan''s users are used up (limit as detail); TV103 too many mails (seconds as detail); 23514 or 23502 no address; '
  '42501 without the permission team.manage, an owner invited by another role, a role or store that is none.';
grant execute on function public.invite_member(text, text, uuid) to authenticated;

create function private.open_invitation(p_org_id uuid, p_id uuid) returns private.invitations
language plpgsql volatile set search_path = ''
as $$
declare
  v_invitation private.invitations;
begin
  select * into v_invitation from private.invitations i
  where i.org_id = p_org_id and i.id = p_id and i.accepted_at is null and i.withdrawn_at is null for update;
  if not found then
    raise exception 'invitation_unknown' using errcode = 'TV098';
  end if;
  perform private.require_power_over(p_org_id, array[v_invitation.role]);
  return v_invitation;
end;
$$;
comment on function private.open_invitation(uuid, uuid) is
  'An invitation that nobody has accepted or taken back, locked. Errors TV098 and 42501.';

create function public.resend_invitation(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_invitation private.invitations;
begin
  -- Nobody could accept it.
  perform private.require_open_plan(v_org_id);
  v_invitation := private.open_invitation(v_org_id, p_id);
  if v_invitation.expires_at <= now() then
    perform private.require_seat(v_org_id);
  end if;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.resent', 'invitation', p_id,
    jsonb_build_object('name', v_invitation.email, 'role', v_invitation.role));
end;
$$;
comment on function public.resend_invitation(uuid) is
  'Sends an invitation again, for 7 more days; the link of the mail before opens nothing any more. Errors: TV085 the plan '
  'is over; TV098 it is not open; TV002 it had expired and its seat is taken; TV103 too many mails; 42501 as '
  'invite_member.';
grant execute on function public.resend_invitation(uuid) to authenticated;

create function public.withdraw_invitation(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_invitation constant private.invitations := private.open_invitation(v_org_id, p_id);
begin
  update private.invitations i set withdrawn_at = now() where i.org_id = v_org_id and i.id = p_id;
  perform private.audit(v_org_id, 'invitation.withdrawn', 'invitation', p_id,
    jsonb_build_object('name', v_invitation.email, 'role', v_invitation.role));
end;
$$;
comment on function public.withdraw_invitation(uuid) is
  'Takes an invitation back: its link opens nothing any more, and its seat is free. Errors TV098 it is not open, 42501 as '
  'invite_member.';
grant execute on function public.withdraw_invitation(uuid) to authenticated;

create function private.may_invite(p_org_id uuid, p_user_id uuid, p_role text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.organization_members m
    where m.org_id = p_org_id and m.user_id = p_user_id and private.role_may(m.role, 'team.manage')
      and not exists (
        select from public.role_permissions p where p.role = p_role and not private.role_may(m.role, p.permission)));
$$;
comment on function private.may_invite(uuid, uuid, text) is
  'Whether somebody is a member who manages the team and may do all that a role may do: else their invitations to it open nothing.';

create function private.invitation_state(p_invitation private.invitations) returns text
language sql stable set search_path = ''
as $$
  select case
    when p_invitation.id is null then 'unknown'
    when p_invitation.accepted_at is not null then 'accepted'
    when p_invitation.withdrawn_at is not null then 'withdrawn'
    -- A removed admin would come back by an invitation of their own.
    when not private.may_invite(p_invitation.org_id, p_invitation.invited_by, p_invitation.role) then 'withdrawn'
    when p_invitation.expires_at <= now() then 'expired'
    else 'open'
  end;
$$;
comment on function private.invitation_state(private.invitations) is 'unknown, accepted, withdrawn, expired or open.';

create function public.invitation_page(p_token text) returns jsonb
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
    'store', (select s.name from public.stores s where s.org_id = v_invitation.org_id
      and s.id = private.bound_store(v_invitation.role, v_invitation.store_id)),
    'closed', private.joining_refusal(v_invitation.org_id));
end;
$$;
comment on function public.invitation_page(text) is
  'Invitation as the page behind its link shows it: the shape is invitationPage of _shared/domain. The link came to the '
  'mailbox that it names. While it is open, closed is that of private.joining_refusal.';
grant execute on function public.invitation_page(text) to service_role;

create function private.join_by_invitation(p_invitation private.invitations) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_user auth.users;
  v_invitation private.invitations;
begin
  perform private.lock_team(p_invitation.org_id);
  -- It may have been accepted, taken back or sent again while the lock was waited for.
  select * into v_invitation from private.invitations i
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id and i.token_hash = p_invitation.token_hash
  for update;
  select * into v_user from auth.users u where u.id = v_user_id;
  case private.invitation_state(v_invitation)
    when 'open' then null;
    when 'withdrawn' then raise exception 'invitation_withdrawn' using errcode = 'TV099';
    when 'expired' then raise exception 'invitation_expired' using errcode = 'TV100';
    else
      -- A repeat of what has worked, whose answer was lost.
      if v_invitation.accepted_by = v_user_id and exists (
        select 1 from public.organization_members m where m.org_id = v_invitation.org_id and m.user_id = v_user_id
      ) then
        return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
      end if;
      raise exception 'invitation_unknown' using errcode = 'TV098';
  end case;
  if lower(v_user.email) is distinct from v_invitation.email then
    raise exception 'invitation_for_other_address' using errcode = 'TV101';
  elsif v_user.email_confirmed_at is null then
    -- An unconfirmed address uses no seat.
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  -- An owner whose organisation waits to be erased may begin anew here.
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  update private.invitations i set accepted_at = now(), accepted_by = v_user_id
  where i.org_id = v_invitation.org_id and i.id = v_invitation.id;
  insert into public.organization_members (org_id, user_id, role, store_id)
  values (v_invitation.org_id, v_user_id, v_invitation.role, v_invitation.store_id);
  insert into public.notification_preferences (org_id, user_id) values (v_invitation.org_id, v_user_id);
  perform private.audit(v_invitation.org_id, 'member.joined', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_invitation.role));
  return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
end;
$$;
comment on function private.join_by_invitation(private.invitations) is
  'Makes the signed-in user a member by an invitation as it was read before; call it with the user''s membership locked. '
  'Errors of accept_invitation.';

create function public.accept_invitation(p_token text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_invitation private.invitations;
begin
  -- As in create_organization: of two ways into a team at once, the later learns of the other.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || private.my_user_id(), 0));
  select * into v_invitation from private.invitations i where i.token_hash = sha256(convert_to(p_token, 'UTF8'));
  return private.join_by_invitation(v_invitation);
end;
$$;
comment on function public.accept_invitation(text) is
  'Makes the signed-in user a member, once, when the invitation is theirs: the address of their account is the invited '
  'one and is confirmed. A repeat by the same person answers the same. Errors: TV098 no such link, or used; TV099 taken '
  'back; TV100 expired; TV101 another address; TV102 the address is not confirmed; TV020 member of an organisation '
  'already; TV002 the plan has fewer users by now.';
grant execute on function public.accept_invitation(text) to authenticated;

create function private.lock_member(p_org_id uuid, p_member_id uuid) returns public.organization_members
language plpgsql volatile set search_path = ''
as $$
declare
  v_member public.organization_members;
begin
  select * into v_member from public.organization_members m
  where m.org_id = p_org_id and m.user_id = p_member_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_power_over(p_org_id, array[v_member.role]);
  return v_member;
end;
$$;
comment on function private.lock_member(uuid, uuid) is
  'A member whom the signed-in user has power over, locked. Error 42501 for somebody else, and for an owner unless by one.';

create function public.change_member_role(p_member_id uuid, p_role text, p_store_id uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change(array[p_role]);
  v_member constant public.organization_members := private.lock_member(v_org_id, p_member_id);
begin
  if private.role_may(v_member.role, 'owners.manage') and not private.role_may(p_role, 'owners.manage') then
    perform private.require_other_owner(v_org_id, p_member_id);
  end if;
  update public.organization_members m set role = p_role, store_id = private.till_store(v_org_id, p_role, p_store_id)
  where m.org_id = v_org_id and m.user_id = p_member_id;
  perform private.audit(v_org_id, 'member.role_changed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'former_role', v_member.role, 'role', p_role));
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$$;
comment on function public.change_member_role(uuid, text, uuid) is
  'Gives a member of the signed-in user''s team another role, and a store for a role of the till. Errors: TV104 the last '
  'owner stays one, 42501 without the permission team.manage, or without power over the member or the role.';
grant execute on function public.change_member_role(uuid, text, uuid) to authenticated;

create function private.ended_access(p_user_id uuid) returns text
language sql stable set search_path = ''
as $$
  select o.name
  from (
    select e.org_id, e.action, e.created_at from public.audit_events e
    where e.subject_id = p_user_id and e.action in ('member.joined', 'member.left', 'member.removed')
    order by e.id desc limit 1
  ) newest
  join public.organizations o on o.id = newest.org_id
  where newest.action = 'member.removed' and newest.created_at > now() - interval '30 days';
$$;
comment on function private.ended_access(uuid) is
  'Name of the organisation that took somebody out of its team within 30 days; null when they have joined or left one since. Read from '
  'the audit trail. The person does not learn who did it.';

create function private.has_erased_organization(p_user_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from auth.users u
    join private.outbox o on lower(o.recipient) = lower(u.email) and o.template = 'organization_erased'
    where u.id = p_user_id and u.email_confirmed_at is not null
      and not exists (
        select 1 from public.audit_events e
        where e.subject_id = p_user_id and e.action in ('member.joined', 'member.left', 'member.removed')
          and e.created_at > o.created_at)
  );
$$;
comment on function private.has_erased_organization(uuid) is
  'Whether the organisation that somebody belonged to last was erased: as long as a record of the mail that says so is kept. Nothing of '
  'the organisation remains, its name neither.';

create function private.notify_ended_access(p_org_id uuid, p_user_id uuid) returns void
language sql volatile set search_path = ''
as $$
  select private.enqueue_mail('access_ended', u.email, jsonb_build_object('name', private.user_name(u.id),
    'brand', private.brand(o.id), 'facts', jsonb_build_object('organization', o.name)), now() + interval '2 days')
  from auth.users u cross join public.organizations o
  where u.id = p_user_id and u.email_confirmed_at is not null and u.email <> '' and o.id = p_org_id;
$$;
comment on function private.notify_ended_access(uuid, uuid) is
  'Writes to a colleague, at a confirmed address, that an organisation has taken them out of its team.';

create function public.remove_member(p_member_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_member constant public.organization_members := private.lock_member(v_org_id, p_member_id);
begin
  -- Owners are not removed (specification, section 6): another owner gives them another role first.
  if private.role_may(v_member.role, 'owners.manage') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org_id, 'member.removed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'role', v_member.role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_member_id;
  perform private.withdraw_powerless_invitations(v_org_id);
  perform private.notify_ended_access(v_org_id, p_member_id);
end;
$$;
comment on function public.remove_member(uuid) is
  'Takes a member out of the signed-in user''s team: from the next request on, their sessions open nothing of it, and a mail tells them. '
  'Error 42501 without the permission team.manage, for an owner, and for somebody else''s member.';
grant execute on function public.remove_member(uuid) to authenticated;

create function public.leave_organization() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id uuid;
  v_role text;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = v_user_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Only owners need another owner: an organisation that is ending may have none, and its other members may still leave.
  if private.role_may(v_role, 'owners.manage') then
    perform private.require_other_owner(v_org_id, v_user_id);
  end if;
  perform private.audit(v_org_id, 'member.left', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = v_user_id;
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$$;
comment on function public.leave_organization() is
  'Takes the signed-in user out of their organisation. Error TV104 to the last owner, 42501 to a member of none.';
grant execute on function public.leave_organization() to authenticated;

create function private.release_account(p_user_id uuid, p_is_own boolean default false) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_role text;
begin
  -- As in create_organization: nobody enters a team with an account that goes.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || p_user_id, 0));
  select m.org_id into v_org_id from public.organization_members m where m.user_id = p_user_id;
  -- The team before its invitations, as whoever changes it: two orders would make deadlocks.
  perform private.lock_team(v_org_id);
  -- The member before what names them: a review that is being given to them waits, or is waited for.
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = p_user_id for update;
  perform private.forget_messages_to(array[u.email, u.phone]) from auth.users u where u.id = p_user_id;
  perform private.forget_colleague(p_user_id);
  -- Invitations that wait stay: they belong to the organisation, and the address of this account may be unproven.
  delete from private.invitations i where i.accepted_by = p_user_id;
  if v_role is null then
    return;
  end if;
  if private.role_may(v_role, 'owners.manage') and private.needs_owner(v_org_id) then
    perform private.require_other_owner(v_org_id, p_user_id);
  end if;
  -- A person who deletes their own account asks to be forgotten: a name would stay there for 13 months.
  if p_is_own then
    perform private.audit_as(v_org_id, null, 'member.erased', 'member', null, jsonb_build_object('role', v_role));
  else
    perform private.audit_as(v_org_id, null, 'member.removed', 'member', p_user_id,
      jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  end if;
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
  perform private.withdraw_powerless_invitations(v_org_id, null);
end;
$$;
comment on function private.release_account(uuid, boolean) is
  'Removes an account that is to be deleted from its team, and records that in the audit trail. When the user asked for it, the '
  'record has no name. Deletes messages to it, the invitation that it accepted and its name beside reviews, and withdraws the '
  'invitations that it made. Error TV104 for the last owner of an organisation that stays or is still charged. Call it before '
  'locking the account: joining a team locks the team first, too.';
grant execute on function private.release_account(uuid, boolean) to service_role;

create function private.release_deleted_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.release_account(old.id);
  return coalesce(new, old);
end;
$$;
comment on function private.release_deleted_account() is
  'Runs release_account before any deletion of an account, by whatever way: error TV104 while an organisation needs it.';
create trigger release_deleted_account before delete on auth.users
  for each row execute function private.release_deleted_account();
create trigger release_emptied_account before update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function private.release_deleted_account();

create function public.transfer_ownership(p_member_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id constant uuid := private.begin_team_change('{owner}');
begin
  perform private.lock_member(v_org_id, p_member_id);
  if p_member_id = v_user_id then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.organization_members m set role = 'owner', store_id = null
  where m.org_id = v_org_id and m.user_id = p_member_id;
  update public.organization_members m set role = 'admin' where m.org_id = v_org_id and m.user_id = v_user_id;
  perform private.audit(v_org_id, 'organization.transferred', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id)));
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$$;
comment on function public.transfer_ownership(uuid) is
  'Makes another member the owner and the signed-in owner an administrator, in one. Error 42501 to whoever is no owner, and '
  'for oneself or somebody who is no member.';
grant execute on function public.transfer_ownership(uuid) to authenticated;

create function private.team_members(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.user_id, 'name', private.name_of(u.raw_user_meta_data, u.email), 'email', u.email, 'role', m.role, 'added_at', m.added_at,
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end,
    'api_keys', case when p_org_id in (select private.my_org_ids('team.manage'))
      then private.open_api_keys_by(m.org_id, m.user_id) else 0 end)
    order by array_position('{owner,admin,member,cashier}', m.role), m.added_at, m.user_id), '[]'::jsonb)
  from public.organization_members m
  join auth.users u on u.id = m.user_id
  -- Only where there is a store is its role asked about.
  left join public.stores s on s.org_id = m.org_id and s.id = m.store_id
    and s.id = private.bound_store(m.role, m.store_id)
  where m.org_id = p_org_id;
$$;
comment on function private.team_members(uuid) is
  'Members of an organisation, owners first, then by how long they belong to it. With the permission team.manage, also how many '
  'open API keys each of them made.';

create function private.team_invitations(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'email', i.email, 'role', i.role, 'sent_at', i.sent_at, 'expires_at', i.expires_at,
    'is_expired', i.expires_at <= now(), 'inviter', private.user_name(i.invited_by),
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by i.created_at desc, i.id), '[]'::jsonb)
  from private.invitations i
  left join public.stores s on s.org_id = i.org_id and s.id = private.bound_store(i.role, i.store_id)
  where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null;
$$;
comment on function private.team_invitations(uuid) is 'Invitations of an organisation that nobody accepted or took back, newest first.';

create function private.team_roles(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- Each is asked once for all roles.
  with powers as materialized (
    select p.role from private.roles_in_power(p_org_id) p (role)
  ), plan as materialized (
    select private.has_feature(p_org_id, 'custom_roles') as has_own_roles
  ), members as materialized (
    select m.role, count(*) as members from public.organization_members m where m.org_id = p_org_id group by m.role
  ), invited as materialized (
    select i.role, count(*) as invitations from private.invitations i
    where i.org_id = p_org_id and private.is_waiting(i) group by i.role
  )
  select jsonb_agg(jsonb_build_object(
    'role', r.role, 'name', r.name, 'description', r.description,
    'permissions', (select coalesce(jsonb_agg(p.permission order by p.permission), '[]'::jsonb)
      from public.role_permissions p where p.role = r.role),
    'members', coalesce(m.members, 0), 'invitations', coalesce(i.invitations, 0),
    'has_power', r.role in (select p.role from powers p),
    -- As private.may_give.
    'may_give', r.role in (select p.role from powers p) and (plan.has_own_roles or r.org_id is null))
    order by array_position('{owner,admin,member,cashier}', r.role), lower(r.name))
  from public.roles r
  cross join plan
  left join members m on m.role = r.role
  left join invited i on i.role = r.role
  where r.org_id is null or r.org_id = p_org_id;
$$;
comment on function private.team_roles(uuid) is
  'Roles of an organisation, the given ones first: what they may do, how many have them, and what the signed-in member may '
  'do with them.';

create function public.team(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
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
    'limit', (select l.max_users from private.limits_of(p_org_id) l));
end;
$$;
comment on function public.team(uuid) is
  'Members of an organisation, the invitations that wait (for whoever may manage the team) and its roles. Whether its '
  'plan includes roles of its own, and how many seats of how many are taken; the shape is team of _shared/domain. Error '
  '42501 without the permission team.read there.';
grant execute on function public.team(uuid) to authenticated;

create function private.sweep_invitations(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.invitations i where (i.org_id, i.id) in (
    select o.org_id, o.id from private.invitations o where o.expires_at < now() - interval '30 days'
    order by o.expires_at limit p_limit for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_invitations(integer) is
  'Job: invitations go 30 days after their time, whatever came of them; an address is kept no longer than that.';
insert into private.jobs (name, run_every) values ('sweep_invitations', interval '1 day');

create function private.has_proven_address(p_user_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select private.is_proven(p_user_id) or (
    -- An address at a sign-up may be somebody else's; a session that a link in the mail has opened proves it.
    private.count_sign_ups(p_user_id) > 0 and exists (
      select 1 from auth.mfa_amr_claims c
      where c.session_id = (private.my_session()).id
        and c.authentication_method in ('email/signup', 'recovery')
    )
  );
$$;
comment on function private.has_proven_address(uuid) is
  'Whether the signed-in user, in this session, is known to be the person whose address the account has.';

create function public.waiting_invitation() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
    'role_name', (select r.name from public.roles r where r.role = i.role),
    'inviter', private.user_name(i.invited_by), 'expires_at', i.expires_at,
    'closed', private.joining_refusal(i.org_id))
  from auth.users u
  join private.invitations i on i.email = lower(u.email) and private.invitation_state(i) = 'open'
  join public.organizations o on o.id = i.org_id
  where u.id = (select private.my_user_id()) and u.email_confirmed_at is not null and private.has_proven_address(u.id)
  order by i.sent_at desc, i.id limit 1;
$$;
comment on function public.waiting_invitation() is
  'The invitation that waits for the signed-in user''s address, where that is known to be this person''s: the newest, null '
  'without one. The shape is waitingInvitation of _shared/domain; closed is that of public.invitation_page.';
grant execute on function public.waiting_invitation() to authenticated;

create function public.accept_waiting_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_invitation private.invitations;
begin
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  -- Found by the address: nobody learns whether an identifier is somebody else's invitation.
  select i.* into v_invitation from auth.users u
  join private.invitations i on i.email = lower(u.email) and i.id = p_id
  where u.id = v_user_id;
  if not private.has_proven_address(v_user_id) then
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  return private.join_by_invitation(v_invitation);
end;
$$;
comment on function public.accept_waiting_invitation(uuid) is
  'Makes the signed-in user a member by the invitation that waits for their address, without the link of its mail. Errors '
  'of accept_invitation; TV098 also for an invitation to another address, TV102 also for an account whose password may be '
  'somebody else''s than the address.';
grant execute on function public.accept_waiting_invitation(uuid) to authenticated;

create function private.begin_role_change(p_role text) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id constant uuid := private.lock_my_team('roles.manage');
begin
  if p_role is not null and not exists (select 1 from public.roles r where r.org_id = v_org_id and r.role = p_role) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_org_id;
end;
$$;
comment on function private.begin_role_change(text) is
  'Locks the team of the signed-in user, who may make roles, and answers its organisation. Error 42501 otherwise, and for a '
  'role that is not the organisation''s own.';

create function private.expand_permissions(p_permissions text[]) returns text[]
language sql stable set search_path = ''
as $$
  select coalesce(array_agg(distinct p.permission order by p.permission), '{}')
  from (
    select w as permission from unnest(p_permissions) w
    union all
    -- A right to change needs the right to see; a code to redeem is handed over by its owner.
    select split_part(w, '.', 1) || '.read' from unnest(p_permissions) w where w <> 'codes.redeem'
    union all
    -- A right to make rewards needs the right to see campaigns.
    select 'campaigns.read' from unnest(p_permissions) w where w in ('rewards.write', 'rewards.delete')
    union all
    -- Codes are listed by the reward that they are for.
    select 'rewards.read' from unnest(p_permissions) w where w = 'codes.read'
    union all
    -- Every permission but those of the till needs access to the back-office.
    select unnest('{activity.read,stores.read}'::text[]) from unnest(p_permissions) w where w <> 'codes.redeem'
  ) p
  where exists (select 1 from public.role_permissions known where known.role = 'owner' and known.permission = p.permission);
$$;
comment on function private.expand_permissions(text[]) is
  'Permissions with those that they are of no use without: to read what one changes, and the way in.';

create function public.save_role(
  p_name text, p_description text, p_permissions text[], p_role text default null
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_role_change(p_role);
  v_role constant text := coalesce(p_role, gen_random_uuid()::text);
  v_name constant text := private.clean_line(p_name);
  v_permissions constant text[] := private.expand_permissions(p_permissions);
begin
  if not (private.has_feature(v_org_id, 'custom_roles') and private.require_open_plan(v_org_id)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  -- Permissions of administrators can be given; the rest is the owner's alone.
  elsif not v_permissions @> p_permissions or cardinality(v_permissions) = 0 or exists (
    select 1 from unnest(v_permissions) w where not private.role_may('admin', w)
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_role is null and (select count(*) from public.roles r where r.org_id = v_org_id) >= 20 then
    raise exception 'too_many_roles' using errcode = 'TV115';
  end if;
  insert into public.roles as r (role, org_id, name, description)
  values (v_role, v_org_id, v_name, private.clean_line(coalesce(p_description, '')))
  on conflict (role) do update set name = excluded.name, description = excluded.description;
  delete from public.role_permissions p where p.role = v_role and p.permission <> all (v_permissions);
  insert into public.role_permissions (role, org_id, permission)
  select v_role, v_org_id, w from unnest(v_permissions) w
  on conflict do nothing;
  -- Members whose role takes care of no review any more hold none: release_reviews frees theirs.
  if 'reviews.write' <> all (v_permissions) then
    update public.organization_members m set role = m.role where m.org_id = v_org_id and m.role = v_role;
  end if;
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', v_name));
  perform private.withdraw_powerless_invitations(v_org_id);
  return v_role;
end;
$$;
comment on function public.save_role(text, text, text[], text) is
  'Makes or changes a role of the signed-in owner''s organisation, with a name, a description and permissions, which '
  'bring those that they need. Whoever has the role may at once do what it says. Answers the role. Errors: TV114 the plan '
  'includes none; TV085 it is no longer in force; TV115 there are 20; 23505 the name is taken; 23514 or 23502 no name; '
  '42501 to others, for another''s role, without any permission, and for one that is the owner''s alone.';
grant execute on function public.save_role(text, text, text[], text) to authenticated;

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
  -- Invitations that are over do not keep a role; open ones do.
  delete from private.invitations i
  where i.role_org_key = v_org_id and i.role = p_role and not private.is_waiting(i);
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
grant execute on function public.delete_role(text) to authenticated;

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
  'Adds the present names of an organisation''s own roles to an entry of the audit trail: a role may be renamed or deleted before '
  'it is read.';

-- Permissions -------------------------------------------------------------------------------------

alter table private.invitations enable row level security;
