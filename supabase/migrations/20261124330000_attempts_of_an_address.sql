-- Why: a process that knows until when an address is refused need not ask at each of its attempts, a thousand times a second
-- in a flood. So the count of an address comes first and alone, and a refusal says by which key and until when.

drop function private.take_auth_attempt(text[], integer[], interval);

create function private.take_auth_attempt(
  p_keys text[], p_limits integer[], p_window interval,
  out seconds integer, out refused_key text, out remaining_ms integer
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  for i in 1..cardinality(p_keys) loop
    seconds := private.take(array['auth ' || p_keys[i]], p_limits[i:i], p_window);
    if seconds is not null then
      refused_key := p_keys[i];
      select floor(extract(epoch from min(r.expires_at) - now()) * 1000) into remaining_ms
      from private.rate_limits r where r.key = 'auth ' || refused_key and r.expires_at > now();
      return;
    end if;
  end loop;
end;
$$;
comment on function private.take_auth_attempt(text[], integer[], interval) is
  'Counts an attempt to sign in, sign up or get a message under each key (keyed hashes) in turn, up to the first that is '
  'beyond its limit. Answers nulls while all are within theirs, else the seconds until the next window, that key, and the '
  'milliseconds that are left, rounded down.';
grant execute on function private.take_auth_attempt(text[], integer[], interval) to service_role;
