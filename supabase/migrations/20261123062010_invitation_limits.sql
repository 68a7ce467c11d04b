-- Why: an invitation is a mail of ours to whomever a member names. A day's count alone let sixty go at once; now an hour has
-- its own, of the organisation, of who invites (whichever organisations they make), and of the address of the network that the
-- request came from. Whoever meets a limit is told so with 429 and when to come again, as every refusal of that kind is.

create function private.network_address_hash() returns text
language sql stable set search_path = ''
as $$
  select encode(sha256(convert_to(btrim(split_part(address, ',', 1)), 'UTF8')), 'hex')
  from (select nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-forwarded-for') request (address)
  where address <> '';
$$;
comment on function private.network_address_hash() is
  'SHA-256 of the client''s address as the platform names it in x-forwarded-for (our own server puts a keyed hash in its '
  'place); null outside a request of the data API.';

create function private.refuse_for_now(p_code text, p_message text, p_seconds integer) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  -- The form in which the data API lets a function word its whole answer.
  raise sqlstate 'PGRST' using
    message = jsonb_build_object('code', p_code, 'message', p_message, 'details', p_seconds::text, 'hint', null)::text,
    detail = jsonb_build_object('status', 429,
      'headers', jsonb_build_object('Retry-After', p_seconds::text,
        'Access-Control-Expose-Headers', 'Retry-After'))::text;
end;
$$;
comment on function private.refuse_for_now(text, text, integer) is
  'Refuses a call of the data API with 429, a code of ours and « Retry-After ». Raises PGRST, with the code in its message.';

create or replace function private.send_invitation(p_invitation private.invitations, p_limit integer) returns void
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
    private.take(
      array[v_of_organization, v_by,
        'invitations to ' || encode(sha256(convert_to(p_invitation.email, 'UTF8')), 'hex')],
      array[case when p_limit < 0 then 200 else 30 end, 60, 5], interval '1 day'),
    private.take(
      array[v_of_organization || ' in an hour', v_by || ' in an hour']
        || case when v_address is not null then array['invitations from ' || v_address] else '{}' end,
      '{20,20,30}', interval '1 hour'));
  if v_retry_after is not null then
    perform private.refuse_for_now('TV103', 'too_many_invitations', v_retry_after);
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
  'Writes the mail of an invitation, with a new link that takes the place of the one before, for 7 days. Refuses with 429 and '
  'TV103 beyond 20 an hour of an organisation and of who invites, 30 of an address of the network, 30 a day of an organisation '
  '(200 where the plan has no limit of users), 60 of who invites and 5 to one mailbox.';
