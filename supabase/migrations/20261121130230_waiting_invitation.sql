-- Why: somebody who was invited, lost the mail and signed up by themselves would found an organisation of their own by
-- mistake. Whoever has proven that an address is theirs has proven all that the link of the mail proves: they are told
-- of the invitation that waits, and may accept it, without that link.

create function private.join_by_invitation(p_invitation private.invitations) returns jsonb
language plpgsql volatile
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
    -- Whoever only names an address takes nobody's place.
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  -- Whose own organisation waits to be erased may begin anew here.
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
comment on function private.join_by_invitation(private.invitations) is
  'Makes the signed-in user a member by an invitation as it was read before; call it with the user''s membership locked. '
  'Errors of accept_invitation.';

create or replace function public.accept_invitation(p_token text) returns jsonb
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

create function public.waiting_invitation() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', i.id, 'organization', o.name, 'role', i.role,
    'inviter', private.user_name(i.invited_by), 'expires_at', i.expires_at)
  from auth.users u
  join private.invitations i on i.email = lower(u.email) and private.invitation_state(i) = 'open'
  join public.organizations o on o.id = i.org_id
  where u.id = (select private.my_user_id()) and u.email_confirmed_at is not null
  order by i.sent_at desc, i.id limit 1;
$$;
comment on function public.waiting_invitation() is
  'The invitation that waits for the signed-in user''s address, once that is confirmed: the newest, null without one. The '
  'shape is waitingInvitation of _shared/domain.';
grant execute on function public.waiting_invitation() to authenticated;
create index invitations_waiting_idx on private.invitations (email) where accepted_at is null and withdrawn_at is null;

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
  return private.join_by_invitation(v_invitation);
end;
$$;
comment on function public.accept_waiting_invitation(uuid) is
  'Makes the signed-in user a member by the invitation that waits for their confirmed address, without the link of its '
  'mail. Errors of accept_invitation; TV098 also for an invitation to another address.';
grant execute on function public.accept_waiting_invitation(uuid) to authenticated;
