-- Why: guessing passwords and codes, and flooding a stranger's mailbox, must be slow whichever process is
-- asked. The embedded authentication service counts attempts with the same counters as the rest; it may count
-- and forgive, not read or change the counters otherwise.

create function private.take_auth_attempt(p_keys text[], p_limits integer[], p_window interval) returns integer
language sql volatile security definer set search_path = ''
as $$
  select private.take(
    array(select 'auth ' || key from unnest(p_keys) with ordinality as k (key, place) order by place),
    p_limits, p_window
  );
$$;
comment on function private.take_auth_attempt(text[], integer[], interval) is
  'Counts an attempt to sign in, sign up or get a message under each key (keyed hashes). Answers null while all are '
  'within their limits, else the seconds until the next window.';
grant execute on function private.take_auth_attempt(text[], integer[], interval) to service_role;

create function private.forget_auth_attempts(p_keys text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.rate_limits r
  where r.key = any (array(select 'auth ' || key from unnest(p_keys) key));
$$;
comment on function private.forget_auth_attempts(text[]) is
  'Forgets the attempts counted under these keys: whoever has proved who they are was not guessing.';
grant execute on function private.forget_auth_attempts(text[]) to service_role;
