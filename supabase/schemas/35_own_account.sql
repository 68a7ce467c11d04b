-- One's own account: a copy of what is kept of its person, and its deletion, by that person or by the operator.
--
-- Nobody deletes an account with a session that was found open: a proof of the last ten minutes is asked for, the second factor
-- where there is one. What may go, and what holds it back, is private.release_account's.

create function private.copy_account(p_user_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select private.export_account(p_user_id) || jsonb_build_object('push_devices', private.export_push_devices(p_user_id));
$$;
comment on function private.copy_account(uuid) is
  'Everything that is kept of somebody with an account, their devices for messages included (right of access); null without one.';

create function private.erase_account(p_user_id uuid, p_is_own boolean default false) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Before the account is locked: joining a team locks the team first.
  perform private.release_account(p_user_id, p_is_own);
  delete from auth.flow_state f where f.user_id = p_user_id;
  delete from auth.audit_log_entries l where l.id in (select s.id from private.sign_in_log(p_user_id) s);
  delete from auth.users u where u.id = p_user_id;
end;
$$;
comment on function private.erase_account(uuid, boolean) is
  'Deletes an account for good: ways in, sessions, membership, devices and messages go with it. Asked for by its own person, or by the '
  'operator. Error TV104, as release_account; then nothing is changed.';

create function private.fresh_proof() returns boolean
language sql stable set search_path = ''
as $$
  select bool_or(
    -- In an account younger than a day every kind of proof counts: its owner has just added them all.
    u.created_at > now() - interval '1 day'
    or not exists (
      select 1 from private.account_events e
      where e.user_id = u.id and e.created_at > now() - interval '1 day'
        and e.event = case
          when private.is_second_factor(c.authentication_method) then 'factor_added'
          when c.authentication_method = 'password' then 'password_changed'
          when c.authentication_method = 'passkey' then 'passkey_added'
          when c.authentication_method in ('oauth', 'sso/saml', 'web3') then 'identity_added'
          -- All others are codes and links that were sent.
          else 'contact_changed'
        end))
  from private.my_session() s
  join auth.users u on u.id = s.user_id
  join auth.mfa_amr_claims c on c.session_id = s.id
  -- One that a clock ahead has dated counts no longer than others.
  where c.updated_at between now() - interval '10 minutes' and now() + interval '10 minutes'
    and case
      when exists (select 1 from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')
        then private.is_second_factor(c.authentication_method)
      else not private.is_second_factor(c.authentication_method)
        and c.authentication_method not in ('token_refresh', 'anonymous')
    end;
$$;
comment on function private.fresh_proof() is
  'Whether the person of this session has proven within ten minutes who they are: with the second factor where they have one, else by '
  'any sign-in; null when they have not. Refreshing a session proves nothing. False when all such proofs are of a kind that was added or '
  'changed within a day: whoever found the session open could have done that.';

create function public.copy_account_data(out outcome text, out retry_after integer, out data jsonb)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  if v_user_id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  retry_after := private.count_attempt(array['copy of account ' || v_user_id], '{10}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  outcome := 'copied';
  data := private.copy_account(v_user_id);
end;
$$;
comment on function public.copy_account_data() is
  'Everything that is kept of the signed-in user, as the operator''s command gives it. Outcomes: copied, too_many_attempts (10 an hour; '
  'retry_after in seconds). Errors of my_user_id(); 42501 for a key of the API.';
grant execute on function public.copy_account_data() to authenticated;

create function public.account_deletion_summary() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  if v_user_id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'organization', (
      select jsonb_build_object(
        'name', o.name,
        'erase_at', o.erase_at,
        'is_last_owner', private.role_may(m.role, 'owners.manage') and not private.has_other_owner(m.org_id, m.user_id),
        'needs_owner', private.needs_owner(m.org_id),
        'has_colleagues', exists (
          select 1 from public.organization_members w where w.org_id = m.org_id and w.user_id <> m.user_id),
        'has_running_payments', private.has_running_payments(o.id),
        'api_keys', private.open_api_keys_by(m.org_id, m.user_id))
      from public.organization_members m join public.organizations o on o.id = m.org_id
      where m.user_id = v_user_id),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = v_user_id and (s.not_after is null or s.not_after > now())));
end;
$$;
comment on function public.account_deletion_summary() is
  'Summary of what is deleted with the signed-in user''s account, and what stays of it in their organisation. It also says whether '
  'they are its last owner, which prevents the deletion. The shape is accountDeletion of _shared/domain. Errors of my_user_id(); '
  '42501 for an API key.';
grant execute on function public.account_deletion_summary() to authenticated;

create function public.delete_account(p_id uuid, out outcome text, out retry_after integer)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_proof constant boolean := private.fresh_proof();
  v_email text;
  v_name text;
begin
  if v_user_id is null or p_id is distinct from v_user_id then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- A refusal is an answer, not an error: an error would take back the count.
  retry_after := private.count_attempt(array['deletion of account ' || v_user_id], '{10}', interval '15 minutes');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  elsif v_proof is not true then
    outcome := case when v_proof is null then 'proof_needed' else 'proof_too_new' end;
    return;
  end if;
  select u.email, private.user_name(u.id) into v_email, v_name from auth.users u where u.id = v_user_id;
  begin
    perform private.erase_account(v_user_id, true);
  exception when sqlstate 'TV104' then
    outcome := 'last_owner';
    return;
  end;
  outcome := 'deleted';
  -- Afterwards: messages to an account go with it.
  if v_email <> '' then
    perform private.enqueue_mail(
      'account_deleted', v_email, jsonb_build_object('email', v_email, 'name', v_name), now() + interval '1 day');
  end if;
end;
$$;
comment on function public.delete_account(uuid) is
  'Deletes the signed-in user''s own account for good, and writes to its address that it is gone. The caller names it: a proof by '
  'somebody else''s passkey deletes nothing. Outcomes: deleted; proof_needed (none within ten minutes), proof_too_new (see fresh_proof); last_owner '
  '(of an organisation that stays, or that is still charged); too_many_attempts (10 in a quarter of an hour; retry_after in seconds). '
  'Errors of my_user_id(); 42501 for another account and for a key of the API.';
grant execute on function public.delete_account(uuid) to authenticated;
