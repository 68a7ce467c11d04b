-- Why: whoever may come in, and as what, is decided here and nowhere else. An invitation is a promise to one mailbox: it
-- is worth a seat of the plan from the moment it is sent, opens once, and only to whoever has proven that the address is
-- theirs. All that changes a team takes turns on one lock, so that two clicks cannot make a seat too many or leave an
-- organisation without an owner.

-- Who belongs where ------------------------------------------------------------------------------

alter table public.organization_members
  add column store_id uuid,
  -- Checked at the end of the statement, so that an organisation can still be deleted as a whole.
  add foreign key (org_id, store_id) references public.stores (org_id, id);
create index organization_members_store_idx on public.organization_members (org_id, store_id);
comment on column public.organization_members.store_id is
  'The only store at whose till the member works; null for all of them. Set for roles that have nothing but the till.';

create table private.invitations (
  org_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null
    check (email = lower(btrim(email)) and length(email) <= 320 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
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
  primary key (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id),
  check (accepted_at is null or withdrawn_at is null)
);
create unique index invitations_open_idx on private.invitations (org_id, email)
  where accepted_at is null and withdrawn_at is null;
create index invitations_store_idx on private.invitations (org_id, store_id);
create index invitations_role_idx on private.invitations (role);
create index invitations_invited_by_idx on private.invitations (invited_by);
create index invitations_accepted_by_idx on private.invitations (accepted_by);
create index invitations_expires_at_idx on private.invitations (expires_at);
alter table private.invitations enable row level security;
comment on table private.invitations is
  'Who was asked to join a team. Read through public.team and public.invitation_page; gone 30 days after its time.';
comment on column private.invitations.org_id is 'Organisation.';
comment on column private.invitations.id is 'Identifier.';
comment on column private.invitations.email is 'Address that was invited, in lower case: nobody else can accept.';
comment on column private.invitations.role is 'Role that the person will have.';
comment on column private.invitations.store_id is 'The only store of a till''s role; null for all.';
comment on column private.invitations.token_hash is 'SHA-256 of what the link of the mail carries: 244 random bits, kept nowhere.';
comment on column private.invitations.invited_by is 'Who invited, or sent it again last.';
comment on column private.invitations.created_at is 'When it was made.';
comment on column private.invitations.sent_at is 'When its mail was last written; each mail has its own link.';
comment on column private.invitations.expires_at is 'Until when it can be accepted: 7 days after the mail.';
comment on column private.invitations.accepted_at is 'When it was accepted.';
comment on column private.invitations.accepted_by is 'Who accepted it.';
comment on column private.invitations.withdrawn_at is 'When it was taken back.';

create or replace function private.has_store_history(p_org_id uuid, p_store_id uuid) returns boolean
language sql stable
as $$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.store_id = p_store_id)
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    -- Whoever works there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id);
$$;
comment on function private.has_store_history(uuid, uuid) is
  'Whether a campaign, a figure, a code used there or somebody''s place hangs on a store: then it is archived, never deleted.';

-- Seats ------------------------------------------------------------------------------------------

create or replace function private.users_used(p_org_id uuid) returns integer
language sql stable
as $$
  select ((select count(*) from public.organization_members m where m.org_id = p_org_id)
    + (select count(*) from private.invitations i
       where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()))::integer;
$$;
comment on function private.users_used(uuid) is
  'Seats of the plan that are taken: members, and invitations that can still be accepted.';

create function private.lock_team(p_org_id uuid) returns integer
language plpgsql volatile
as $$
declare
  v_limit integer;
begin
  select l.max_users into v_limit
  from public.subscriptions s join public.plan_limits l on l.plan = s.plan
  where s.org_id = p_org_id
  for no key update of s;
  return coalesce(v_limit, 2);
end;
$$;
comment on function private.lock_team(uuid) is
  'Lets nobody else change the team until the transaction ends, and answers the plan''s number of users; -1 is unlimited.';

create function private.demand_seat(p_org_id uuid) returns void
language plpgsql volatile
as $$
declare
  v_limit constant integer := private.lock_team(p_org_id);
begin
  if v_limit >= 0 and private.users_used(p_org_id) >= v_limit then
    raise exception 'user_limit_reached' using errcode = 'TV002', detail = v_limit::text;
  end if;
end;
$$;
comment on function private.demand_seat(uuid) is
  'Refuses one more member or invitation than the plan has users. Error TV002, with the limit as detail.';

create or replace function private.enforce_user_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.demand_seat(new.org_id);
  return new;
end;
$$;
comment on function private.enforce_user_limit() is
  'Refuses a member beyond the plan''s number of users, invitations included. Error TV002, with the limit as detail.';

-- Who may change whom ----------------------------------------------------------------------------

create function private.role_may(p_role text, p_permission text) returns boolean
language sql stable
as $$
  select exists (select 1 from public.role_permissions p where p.role = p_role and p.permission = p_permission);
$$;
comment on function private.role_may(text, text) is 'Whether a role has a permission.';

create function private.begin_team_change(p_roles text[] default '{}') returns uuid
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
  return v_org_id;
end;
$$;
comment on function private.begin_team_change(text[]) is
  'Locks the team of the signed-in user and answers its organisation. Error 42501 without the permission team.manage, or '
  'without power over one of the roles.';

create function private.demand_power_over(p_org_id uuid, p_roles text[]) returns void
language plpgsql stable
as $$
begin
  if exists (
    select 1 from unnest(p_roles) as r (role)
    where not exists (select 1 from public.roles known where known.role = r.role)
      or (private.role_may(r.role, 'owners.manage') and p_org_id not in (select private.my_org_ids('owners.manage')))
  ) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function private.demand_power_over(uuid, text[]) is
  'Owners are made and touched by owners alone (design, section 3). Error 42501 otherwise, and for a role that is none.';

create function private.till_of(p_org_id uuid, p_role text, p_store_id uuid) returns uuid
language plpgsql stable
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
comment on function private.till_of(uuid, text, uuid) is
  'The store that somebody of this role is bound to; null for roles that see all stores. Error 42501 for a store that is '
  'not in use there.';

create function private.demand_other_owner(p_org_id uuid, p_member_id uuid) returns void
language plpgsql stable
as $$
begin
  if not exists (
    select 1 from public.organization_members m
    where m.org_id = p_org_id and m.user_id <> p_member_id and private.role_may(m.role, 'owners.manage')
  ) then
    raise exception 'last_owner' using errcode = 'TV104';
  end if;
end;
$$;
comment on function private.demand_other_owner(uuid, uuid) is
  'Somebody else has to own the organisation before its owner goes. Error TV104. Call it with the team locked.';

-- Invitations ------------------------------------------------------------------------------------

create function private.send_invitation(p_invitation private.invitations, p_limit integer) returns void
language plpgsql volatile
as $$
declare
  v_token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_user_id constant uuid := private.my_user_id();
  v_retry_after integer;
begin
  -- A merchant does not flood a mailbox, nor strangers with mails of ours.
  v_retry_after := private.take(
    array['invitations of ' || p_invitation.org_id,
      'invitations to ' || encode(sha256(convert_to(p_invitation.email, 'UTF8')), 'hex')],
    array[case when p_limit < 0 then 200 else 30 end, 5], interval '1 day');
  if v_retry_after is not null then
    raise exception 'too_many_invitations' using errcode = 'TV103', detail = v_retry_after::text;
  end if;
  update private.invitations i
  set token_hash = sha256(convert_to(v_token, 'UTF8')), invited_by = v_user_id, sent_at = now(),
    expires_at = now() + interval '7 days'
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id;
  perform private.enqueue_mail('invitation', p_invitation.email, jsonb_build_object(
    'path', '/invitation?token=' || v_token,
    'organization', (select o.name from public.organizations o where o.id = p_invitation.org_id),
    'inviter', private.user_name(v_user_id)), now() + interval '2 days');
end;
$$;
comment on function private.send_invitation(private.invitations, integer) is
  'Writes the mail of an invitation, with a new link that takes the place of the one before, for 7 days. Error TV103 when '
  'there were too many mails, with the seconds to wait as detail.';

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
  -- What has expired gives its place away.
  update private.invitations i set withdrawn_at = now()
  where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
    and i.expires_at <= now();
  if exists (
    select 1 from private.invitations i
    where i.org_id = v_org_id and i.email = v_email and i.accepted_at is null and i.withdrawn_at is null
  ) then
    raise exception 'already_invited' using errcode = 'TV097';
  end if;
  perform private.demand_seat(v_org_id);
  insert into private.invitations (org_id, email, role, store_id, token_hash)
  values (v_org_id, v_email, p_role, private.till_of(v_org_id, p_role, p_store_id),
    sha256(convert_to(gen_random_uuid()::text, 'UTF8')))
  returning * into v_invitation;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.sent', 'invitation', v_invitation.id,
    jsonb_build_object('name', v_email, 'role', p_role));
  return v_invitation.id;
end;
$$;
comment on function public.invite_member(text, text, uuid) is
  'Invites an address into the signed-in user''s team, by mail, with a role, and a store for a role of the till. Whether the '
  'address has an account is told to nobody. Errors: TV096 belongs to this team already, TV097 invited already, TV002 the '
  'plan''s users are used up (limit as detail), TV103 too many mails (seconds as detail), 23514 or 23502 no address, 42501 '
  'without the permission team.manage, an owner invited by another role, a role or store that is none.';

create function private.open_invitation(p_org_id uuid, p_id uuid) returns private.invitations
language plpgsql volatile
as $$
declare
  v_invitation private.invitations;
begin
  select * into v_invitation from private.invitations i
  where i.org_id = p_org_id and i.id = p_id and i.accepted_at is null and i.withdrawn_at is null for update;
  if not found then
    raise exception 'invitation_unknown' using errcode = 'TV098';
  end if;
  perform private.demand_power_over(p_org_id, array[v_invitation.role]);
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
  v_invitation constant private.invitations := private.open_invitation(v_org_id, p_id);
begin
  if v_invitation.expires_at <= now() then
    perform private.demand_seat(v_org_id);
  end if;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.resent', 'invitation', p_id,
    jsonb_build_object('name', v_invitation.email, 'role', v_invitation.role));
end;
$$;
comment on function public.resend_invitation(uuid) is
  'Sends an invitation again, for 7 more days; the link of the mail before opens nothing any more. Errors: TV098 it is not '
  'open, TV002 it had expired and its seat is taken, TV103 too many mails, 42501 as invite_member.';

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

create function private.invitation_state(p_invitation private.invitations) returns text
language sql stable
as $$
  select case
    when p_invitation.id is null then 'unknown'
    when p_invitation.accepted_at is not null then 'accepted'
    when p_invitation.withdrawn_at is not null then 'withdrawn'
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
    'role', v_invitation.role, 'inviter', private.user_name(v_invitation.invited_by),
    'expires_at', v_invitation.expires_at,
    'store', (select s.name from public.stores s where s.org_id = v_invitation.org_id and s.id = v_invitation.store_id));
end;
$$;
comment on function public.invitation_page(text) is
  'What the link of an invitation shows to whoever follows it: the shape is invitationPage of _shared/domain. The link came '
  'to the mailbox that it names.';
grant execute on function public.invitation_page(text) to service_role;

create function public.accept_invitation(p_token text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_user auth.users;
  v_invitation private.invitations;
begin
  -- As in create_organization: of two ways into a team at once, the later learns of the other.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  select * into v_invitation from private.invitations i where i.token_hash = sha256(convert_to(p_token, 'UTF8'));
  perform private.lock_team(v_invitation.org_id);
  -- It may have been accepted, taken back or sent again while the lock was waited for.
  select * into v_invitation from private.invitations i
  where i.token_hash = sha256(convert_to(p_token, 'UTF8')) for update;
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
    -- Whoever only names an address takes nobody's place.
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  -- Whose own organisation waits to be erased may begin anew here (defined with the end of organisations).
  perform private.free_owner(v_user_id);
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
comment on function public.accept_invitation(text) is
  'Makes the signed-in user a member, once, when the invitation is theirs: the address of their account is the invited one '
  'and is confirmed. A repeat by the same person answers the same. Errors: TV098 no such link, or used, TV099 taken back, '
  'TV100 expired, TV101 another address, TV102 the address is not confirmed, TV020 member of an organisation already, '
  'TV002 the plan has fewer users by now.';

-- Members ----------------------------------------------------------------------------------------

create function private.lock_member(p_org_id uuid, p_member_id uuid) returns public.organization_members
language plpgsql volatile
as $$
declare
  v_member public.organization_members;
begin
  select * into v_member from public.organization_members m
  where m.org_id = p_org_id and m.user_id = p_member_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.demand_power_over(p_org_id, array[v_member.role]);
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
    perform private.demand_other_owner(v_org_id, p_member_id);
  end if;
  update public.organization_members m set role = p_role, store_id = private.till_of(v_org_id, p_role, p_store_id)
  where m.org_id = v_org_id and m.user_id = p_member_id;
  perform private.audit(v_org_id, 'member.role_changed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'former_role', v_member.role, 'role', p_role));
end;
$$;
comment on function public.change_member_role(uuid, text, uuid) is
  'Gives a member of the signed-in user''s team another role, and a store for a role of the till. Errors: TV104 the last '
  'owner stays one, 42501 without the permission team.manage, or without power over the member or the role.';

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
end;
$$;
comment on function public.remove_member(uuid) is
  'Takes a member out of the signed-in user''s team: from the next request on, their sessions open nothing of it. Error '
  '42501 without the permission team.manage, for an owner, and for somebody else''s member.';

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
  perform private.demand_other_owner(v_org_id, v_user_id);
  perform private.audit(v_org_id, 'member.left', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = v_user_id;
end;
$$;
comment on function public.leave_organization() is
  'Takes the signed-in user out of their organisation. Error TV104 to the last owner, 42501 to a member of none.';

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
end;
$$;
comment on function public.transfer_ownership(uuid) is
  'Makes another member the owner and the signed-in owner an administrator, in one. Error 42501 to whoever is no owner, and '
  'for oneself or somebody who is no member.';

-- The card « Équipe » ----------------------------------------------------------------------------

create function private.team_members(p_org_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.user_id, 'name', private.user_name(m.user_id), 'email', u.email, 'role', m.role, 'added_at', m.added_at,
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by array_position('{owner,admin,member,cashier}', m.role), m.added_at, m.user_id), '[]'::jsonb)
  from public.organization_members m
  join auth.users u on u.id = m.user_id
  left join public.stores s on s.org_id = m.org_id and s.id = m.store_id
  where m.org_id = p_org_id;
$$;
comment on function private.team_members(uuid) is 'Members of an organisation, owners first, then by how long they belong to it.';

create function private.team_invitations(p_org_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'email', i.email, 'role', i.role, 'sent_at', i.sent_at, 'expires_at', i.expires_at,
    'is_expired', i.expires_at <= now(), 'inviter', private.user_name(i.invited_by),
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by i.created_at desc, i.id), '[]'::jsonb)
  from private.invitations i
  left join public.stores s on s.org_id = i.org_id and s.id = i.store_id
  where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null;
$$;
comment on function private.team_invitations(uuid) is 'Invitations of an organisation that nobody accepted or took back, newest first.';

create function public.team(p_org_id uuid) returns jsonb
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
    'used', private.users_used(p_org_id),
    'limit', coalesce((select l.max_users from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                       where s.org_id = p_org_id), 2));
end;
$$;
comment on function public.team(uuid) is
  'Members of an organisation, the invitations that wait (for whoever may manage the team), and the seats that are taken, of '
  'how many; the shape is team of _shared/domain. Error 42501 without the permission team.read there.';

grant execute on function public.invite_member(text, text, uuid), public.resend_invitation(uuid),
  public.withdraw_invitation(uuid), public.accept_invitation(text), public.change_member_role(uuid, text, uuid),
  public.remove_member(uuid), public.leave_organization(), public.transfer_ownership(uuid), public.team(uuid)
  to authenticated;

create function private.sweep_invitations(p_limit integer) returns integer
language plpgsql volatile
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

-- At the till ------------------------------------------------------------------------------------
-- Whoever is bound to a store finds no other one: not in the list, not by naming it.

create or replace function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null and (m.store_id is null or s.id = m.store_id)),
          '[]'::jsonb),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'is_open', private.is_open(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_campaign": false, "plan": null}'::jsonb
  );
$$;

create or replace function private.inspect_code(p_user_id uuid, p_code text, p_store_id uuid)
returns table (state text, redemption public.redemptions)
language plpgsql volatile
as $$
declare
  v_org_id uuid;
  v_key text := upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g'));
  v_redemption public.redemptions;
begin
  select m.org_id into v_org_id
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id
  where m.user_id = p_user_id and (m.store_id is null or m.store_id = p_store_id);
  if not found then
    return query select 'forbidden', null::public.redemptions;
    return;
  end if;
  -- Whoever types codes at random is slowed down; a busy till is not.
  if private.take(array['code user ' || p_user_id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
    return;
  end if;

  select * into v_redemption from public.redemptions r where r.org_id = v_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      when v_redemption.store_id <> p_store_id then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.status = 'expired' or v_redemption.expires_at <= now() then 'expired'
      else 'available'
    end,
    v_redemption;
end;
$$;
comment on function private.inspect_code(uuid, text, uuid) is
  'What a code is to a user at the till of a store, whatever its case and spaces: available, used, expired, '
  'other_store, test, unknown (other merchants'' codes too), forbidden (not a till of theirs), too_many_attempts.';

create or replace function public.restore_code(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.redemptions;
  v_timezone text;
begin
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found or exists (
    select 1 from public.organization_members m
    where m.user_id = (select private.my_user_id()) and m.store_id <> v_before.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif v_before.used_at <= now() - interval '10 minutes' then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', (select private.my_user_id()), v_before.used_store_id);
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1);
end;
$$;
comment on function public.restore_code(uuid) is
  'Gives back a code that was used by mistake, within 10 minutes, and leaves a trace of who did it (design, section 4). '
  'Errors: TV041 when it is not used, TV042 when it is too late, 42501 without the permission codes.redeem there, or at '
  'another store than one''s own.';

-- In the audit trail -----------------------------------------------------------------------------

-- Campaigns are put away since.
drop trigger audit_campaign_change on public.campaigns;
create trigger audit_campaign_change
  after insert or delete or update of
    name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at on public.campaigns
  for each row execute function private.audit_change(
    'campaign', 'name', 'slug', 'description', 'store_id', 'active', 'starts_at', 'ends_at', 'play_interval_days',
    'archived_at');
