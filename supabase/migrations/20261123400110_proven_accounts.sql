-- Why: anybody may sign up with anybody's address. Whoever then follows the mail proves that the address is theirs, and
-- nothing about the password that waits there. What is not known to come from the address's own person is noted here, by
-- the table itself, so that no service can forget it: the authentication service keeps nothing of it, and no team takes
-- such an account in without the link of its own mail.

create table private.unproven_accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  sign_ups integer not null check (sign_ups >= 0)
);
alter table private.unproven_accounts enable row level security;
comment on table private.unproven_accounts is
  'Accounts whose password, name or sessions may be somebody else''s than the person''s who has their address.';
comment on column private.unproven_accounts.user_id is 'Account.';
comment on column private.unproven_accounts.sign_ups is
  'Sign-ups that waited for its confirmation; 0 for an account that changed to an address.';

create function private.note_unproven_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.unproven_accounts (user_id, sign_ups) values (new.id, 1);
  elsif new.email is distinct from old.email then
    insert into private.unproven_accounts (user_id, sign_ups) values (new.id, 0)
    on conflict (user_id) do update set sign_ups = 0;
  else
    -- Without a row a sign-up without a password was first.
    insert into private.unproven_accounts as a (user_id, sign_ups) values (new.id, 2)
    on conflict (user_id) do update set sign_ups = a.sign_ups + 1;
  end if;
  return null;
end;
$$;
comment on function private.note_unproven_account() is
  'Notes an account that waits with a password, another sign-up for it, and an account that changed its address.';

create trigger note_sign_up after insert on auth.users
  for each row when (new.encrypted_password <> '' and new.email_confirmed_at is null and new.phone_confirmed_at is null)
  execute function private.note_unproven_account();
create trigger note_repeated_sign_up after update of encrypted_password on auth.users
  for each row when (
    new.email is not distinct from old.email and new.email_confirmed_at is null and new.phone_confirmed_at is null
    and (old.encrypted_password <> '' or new.encrypted_password <> ''))
  execute function private.note_unproven_account();
create trigger note_changed_address after update of email on auth.users
  for each row when (new.email is distinct from old.email and new.email <> '')
  execute function private.note_unproven_account();

-- Whoever waits already: nobody has counted.
insert into private.unproven_accounts (user_id, sign_ups)
select u.id, 2 from auth.users u
where u.encrypted_password <> '' and u.email_confirmed_at is null and u.phone_confirmed_at is null;

create function private.count_sign_ups(p_user_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce((select a.sign_ups from private.unproven_accounts a where a.user_id = p_user_id), 0);
$$;
comment on function private.count_sign_ups(uuid) is
  'Sign-ups that wait for the confirmation of an account; 0 for one that is proven.';

create function private.is_proven(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (select 1 from private.unproven_accounts a where a.user_id = p_user_id);
$$;
comment on function private.is_proven(uuid) is
  'Whether what opens an account is known to be its address''s own person''s.';

create function private.prove_account(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.unproven_accounts a where a.user_id = p_user_id;
$$;
comment on function private.prove_account(uuid) is
  'Notes that what opens an account is its address''s own person''s. For the authentication service alone.';
grant execute on function private.count_sign_ups(uuid), private.is_proven(uuid), private.prove_account(uuid)
  to service_role;

-- Invitations without the link of their mail --------------------------------------------------------

create function private.has_proven_address(p_user_id uuid) returns boolean
language sql stable
as $$
  select private.is_proven(p_user_id) or (
    -- The password may be anybody's; a session that the mail itself has opened is its person's.
    private.count_sign_ups(p_user_id) > 0 and exists (
      select 1 from auth.mfa_amr_claims c
      where c.session_id = (private.my_session()).id
        and c.authentication_method in ('email/signup', 'recovery')
    )
  );
$$;
comment on function private.has_proven_address(uuid) is
  'Whether the signed-in user, in this session, is known to be the person whose address the account has.';

create or replace function public.waiting_invitation() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
    'role_name', (select r.name from public.roles r where r.role = i.role),
    'inviter', private.user_name(i.invited_by), 'expires_at', i.expires_at)
  from auth.users u
  join private.invitations i on i.email = lower(u.email) and private.invitation_state(i) = 'open'
  join public.organizations o on o.id = i.org_id
  where u.id = (select private.my_user_id()) and u.email_confirmed_at is not null and private.has_proven_address(u.id)
  order by i.sent_at desc, i.id limit 1;
$$;
comment on function public.waiting_invitation() is
  'The invitation that waits for the signed-in user''s address, where that is known to be this person''s: the newest, null '
  'without one. The shape is waitingInvitation of _shared/domain.';

create or replace function public.accept_waiting_invitation(p_id uuid) returns jsonb
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
