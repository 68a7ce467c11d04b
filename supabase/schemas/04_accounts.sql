-- Accounts and limits: sessions, second factors, recovery codes, attempts that are counted, proven addresses.
--
-- A second factor that only the sign-in page asks for protects nothing: with a stolen password one gets a token by one
-- HTTP call. So the database itself refuses to act for a user with a verified factor until the token says that it was
-- used (aal2). It also refuses a token whose session was ended. Guessing passwords and codes, and flooding a stranger's
-- mailbox, must be slow whichever process is asked, so attempts are counted here. Anybody may sign up with anybody's
-- address. Whoever then follows the mail proves that the address is theirs, and nothing about the password that waits
-- there. The table of accounts itself notes what is not known to come from the address's own person, so that no service
-- can forget it.

-- Attempts are counted in an unlogged table: a crash loses the counts, and nothing else.
create unlogged table private.rate_limits (
  key text not null,
  window_start timestamptz not null,
  shard smallint not null,
  hits integer not null,
  expires_at timestamptz not null,
  primary key (key, window_start, shard)
) with (fillfactor = 60);
create index rate_limits_expires_at_idx on private.rate_limits (expires_at);
comment on table private.rate_limits is
  'Attempts of a device, a person or an address in a window of time. Keys are keyed hashes: no address and no device stands here.';
comment on column private.rate_limits.key is 'Counted thing: action, kind and keyed hash.';
comment on column private.rate_limits.window_start is 'Start of the window.';
comment on column private.rate_limits.shard is 'Part of the count, 0 to 15.';
comment on column private.rate_limits.hits is 'Attempts.';
comment on column private.rate_limits.expires_at is 'When the row may go.';

create table private.account_events (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null check (
    event in (
      'recovery_codes_created', 'recovery_code_used', 'recovery_code_refused', 'session_ended', 'passkey_added',
      'passkey_removed', 'factor_added', 'identity_added', 'password_changed', 'contact_changed'
    )
  ),
  session_id uuid,
  created_at timestamptz not null default now()
);
create index account_events_user_id_idx on private.account_events (user_id, created_at);
create index account_events_created_at_idx on private.account_events (created_at);
comment on table private.account_events is
  'Trace of what changed the protection of an account; no address, no device. Kept 13 months, like all logs.';
comment on column private.account_events.id is 'Identifier, ordered by time.';
comment on column private.account_events.user_id is 'Whose account.';
comment on column private.account_events.event is
  'Kind of event: recovery_codes_created, recovery_code_used, recovery_code_refused, session_ended, passkey_added, passkey_removed, '
  'factor_added, identity_added (a provider was linked), password_changed or contact_changed (address or number).';
comment on column private.account_events.session_id is 'Session in which it was done; it may be gone.';
comment on column private.account_events.created_at is 'When.';

create table private.totp_steps (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  last_step bigint not null
);
comment on table private.totp_steps is
  'Newest one-time password that a factor has accepted. A password seen over a shoulder is worth nothing afterwards.';
comment on column private.totp_steps.factor_id is 'Factor.';
comment on column private.totp_steps.last_step is 'Number of its period of 30 seconds since 1970.';

-- Recovery codes, which the platform lacks. They need its table of factors alone, and so work on any Supabase project.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is
  'Codes with which somebody who lost their second factor gets rid of it, once. Only hashes: the codes are shown once.';
comment on column private.recovery_codes.user_id is 'Whose code.';
comment on column private.recovery_codes.code_hash is
  'SHA-256 of user and code. The code has 140 random bits (80 until November 2026), which no computer tries out: a slow '
  'hash would add nothing.';
comment on column private.recovery_codes.created_at is 'When it was made.';

create table private.unproven_accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  sign_ups integer not null check (sign_ups >= 0)
);
comment on table private.unproven_accounts is
  'Accounts whose password, name or sessions may be somebody else''s than the person''s who has their address.';
comment on column private.unproven_accounts.user_id is 'Account.';
comment on column private.unproven_accounts.sign_ups is
  'Sign-ups that waited for its confirmation; 0 for an account that changed to an address.';

create function private.window_start(p_window interval) returns timestamptz
language sql stable parallel safe
return date_bin(p_window, now(), 'epoch');
comment on function private.window_start(interval) is
  'Start of the present window of time of that length, in which attempts are counted.';

create function private.count_attempt(p_keys text[], p_limits integer[], p_window interval) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_start timestamptz := private.window_start(p_window);
  v_shard smallint := private.shard();
  v_hits integer[];
  v_total bigint;
begin
  with counted as (
    insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
    -- A limit below 600 is exact: who counts it waits for whoever counts it at that instant, in one row.
    select p_keys[i], v_start, case when p_limits[i] >= 600 then v_shard else 0 end, 1, v_start + p_window
    from generate_subscripts(p_keys, 1) i
    on conflict (key, window_start, shard) do update set hits = r.hits + 1
    returning r.hits
  )
  -- INSERT returns its rows in the order of the keys.
  select array_agg(c.hits) into v_hits from counted c;

  -- Now and then, whoever opens a window sweeps what is over. Rows that others hold are left to the next.
  if v_hits[1] = 1 and random() < 0.01 then
    delete from private.rate_limits r
    where r.ctid = any (array(
      select o.ctid from private.rate_limits o where o.expires_at < now()
      limit 500 for update skip locked
    ));
  end if;

  for i in 1..array_length(p_keys, 1) loop
    -- Connections share the load evenly: while this shard is below its part of a large limit, the whole is near enough below
    -- it, and reading the other shards can wait.
    continue when p_limits[i] >= 600 and v_hits[i] * 16 <= p_limits[i];
    select sum(r.hits) into v_total
    from private.rate_limits r where r.key = p_keys[i] and r.window_start = v_start;
    if v_total > p_limits[i] then
      return greatest(1, ceil(extract(epoch from v_start + p_window - now())))::integer;
    end if;
  end loop;
  return null;
end;
$$;
comment on function private.count_attempt(text[], integer[], interval) is
  'Counts an attempt of each key in the present window of time. Answers null while each has its limit or fewer, else the '
  'seconds until the next window. A limit below 600 is exact; of a larger one, which an address or a key of the API shares, a few '
  'more may pass at the same instant.';

create function private.hold_counts(p_keys text[], p_window interval) returns void
language sql volatile set search_path = ''
as $$
  insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
  select k.key, w.start, 0, 0, w.start + p_window
  from (select distinct u.key from unnest(p_keys) u (key) where u.key is not null) k, (select private.window_start(p_window) as start) w
  order by k.key
  on conflict (key, window_start, shard) do update set hits = r.hits;
$$;
comment on function private.hold_counts(text[], interval) is
  'Locks the counts of keys (limits below 600) in one order, and counts nothing: before a transaction counts them one by one, while another '
  'may do so the other way around (40P01).';

create function private.count_attempts(p_keys text[], p_limit integer, p_window interval) returns boolean[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_start constant timestamptz := private.window_start(p_window);
begin
  insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
  select k.key, v_start, 0, count(*), v_start + p_window
  from unnest(p_keys) k (key) where k.key is not null group by k.key order by k.key
  on conflict (key, window_start, shard) do update set hits = r.hits + excluded.hits;
  -- Read one by one, by their index: a join with keys of an unknown number might compare each with each.
  return array(
    select coalesce(r.hits - k.times + k.turn <= p_limit, false)
    from (
      select u.key, u.place, row_number() over (partition by u.key order by u.place) as turn, count(*) over (partition by u.key) as times
      from unnest(p_keys) with ordinality u (key, place)
    ) k
    left join lateral (
      select l.hits from private.rate_limits l where l.key = k.key and l.window_start = v_start and l.shard = 0 offset 0
    ) r on true
    order by k.place);
end;
$$;
comment on function private.count_attempts(text[], integer, interval) is
  'Counts many attempts at once, in the order of their keys, as count_attempt does one by one with a limit below 600: answers for each '
  'whether it is within the limit; false for a key that is null. Locks the counts in one order.';

create function private.seconds_blocked(p_keys text[], p_limits integer[], p_window interval) returns integer
language sql stable set search_path = ''
as $$
  select greatest(1, ceil(extract(epoch from private.window_start(p_window) + p_window - now())))::integer
  from unnest(p_keys, p_limits) k (key, most)
  where (
    select sum(r.hits) from private.rate_limits r where r.key = k.key and r.window_start = private.window_start(p_window)
  ) >= k.most
  limit 1;
$$;
comment on function private.seconds_blocked(text[], integer[], interval) is
  'Seconds until the next window where a key has its limit of attempts already, else null. Counts nothing: for attempts of which only '
  'the failed ones count (count_attempt).';

create function private.name_of(p_meta jsonb, p_email text) returns text
language sql immutable parallel safe
return coalesce(
  -- Supabase keeps what the sign-up gave as JSON, Supabase Lite as a text that holds it.
  nullif(private.clean_line((case jsonb_typeof(p_meta) when 'string' then (p_meta #>> '{}')::jsonb else p_meta end) ->> 'full_name'), ''),
  split_part(p_email, '@', 1));
comment on function private.name_of(jsonb, text) is
  'Full name in what a sign-up gave, else the part of the e-mail before the at-sign (specification, section 2.9). Planned as '
  'part of the query that calls it.';

create function private.user_name(p_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select private.name_of(u.raw_user_meta_data, u.email) from auth.users u where u.id = p_user_id;
$$;
comment on function private.user_name(uuid) is
  'Name of a user: private.name_of.';
grant execute on function private.user_name(uuid) to service_role;

create function private.sweep_limits(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_attempts integer;
  v_scans integer;
begin
  delete from private.rate_limits r where r.ctid = any (array(
    select o.ctid from private.rate_limits o where o.expires_at < now() limit p_limit for update skip locked
  ));
  get diagnostics v_attempts = row_count;
  delete from private.recent_scans r where r.ctid = any (array(
    select o.ctid from private.recent_scans o where not private.is_same_visit(o.scanned_at)
    limit p_limit for update skip locked
  ));
  get diagnostics v_scans = row_count;
  return v_attempts + v_scans;
end;
$$;
comment on function private.sweep_limits(integer) is 'Job: counts of attempts and of visits whose window is over go.';
insert into private.jobs (name, run_every) values ('sweep_limits', interval '5 minutes');

create function private.sweep_accounts(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
  v_total integer := 0;
begin
  -- A used refresh token is kept for a while: shown again, it betrays a theft.
  delete from auth.refresh_tokens t where t.id = any (array(
    select o.id from auth.refresh_tokens o where o.revoked and o.updated_at < now() - interval '7 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.sessions s where s.id = any (array(
    select o.id from auth.sessions o
    where o.not_after < now() - interval '1 day'
      or greatest(o.refreshed_at at time zone 'UTC', o.created_at) < now() - interval '180 days'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.flow_state f where f.id = any (array(
    select o.id from auth.flow_state o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.one_time_tokens t where t.id = any (array(
    select o.id from auth.one_time_tokens o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.mfa_challenges c where c.id = any (array(
    select o.id from auth.mfa_challenges o where o.created_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from auth.webauthn_challenges c where c.id = any (array(
    select o.id from auth.webauthn_challenges o where o.expires_at < now() - interval '1 day'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_total + v_count;
end;
$$;
comment on function private.sweep_accounts(integer) is
  'Job: deletes used refresh tokens after 7 days, and sessions that ended or were not refreshed for 180 days. Tokens, '
  'sign-ins and challenges of factors and passkeys that nobody finished go after a day.';
insert into private.jobs (name, run_every) values ('sweep_accounts', interval '15 minutes');

create function private.session_refusal(p_user_id uuid, p_session_id uuid, p_aal text) returns text
language sql stable set search_path = ''
as $$
  select case
    when s.id is null then 'session_ended'
    -- An old token of a session that was strengthened since says aal1; the row of a session that was
    -- weakened since says aal1. Both have to agree.
    when p_aal = 'aal2' and s.aal = 'aal2' then null
    when exists (
      select 1 from auth.mfa_factors f where f.user_id = p_user_id and f.status = 'verified'
    ) then 'second_factor_required'
  end
  from (values (1)) as one (row)
  left join auth.sessions s on s.id = p_session_id and s.user_id = p_user_id
    and (s.not_after is null or s.not_after > now());
$$;
comment on function private.session_refusal(uuid, uuid, text) is
  'Why nothing is done for a user whose token names this session and assurance level: session_ended, '
  'second_factor_required, or null when there is no reason. Two lookups by index at most.';

create function private.hold_account(p_user_id uuid) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  perform 1 from auth.users u where u.id = p_user_id for key share;
  return found;
end;
$$;
comment on function private.hold_account(uuid) is
  'Keeps an account from being deleted until the transaction ends; false where it is gone. Call it before locking codes, as whoever '
  'deletes an account does: two orders would make deadlocks.';

create function private.my_user_id() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := auth.uid();
  v_claims jsonb;
  v_refusal text;
begin
  if v_user_id is null then
    -- A key for the till reads no table and calls no function but those that ask for it by name.
    if (private.my_api_key()).scope = 'redeem' then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    return null;
  end if;
  v_claims := auth.jwt();
  v_refusal := private.session_refusal(
    v_user_id, nullif(v_claims ->> 'session_id', '')::uuid, v_claims ->> 'aal');
  if v_refusal = 'second_factor_required' then
    raise exception 'second_factor_required' using errcode = 'TV010';
  elsif v_refusal is not null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  return v_user_id;
end;
$$;
comment on function private.my_user_id() is
  'The signed-in user, for whom policies and functions act; null without one, and for a key of the API. Errors: TV010 '
  'when the user has a second factor that this session has not used; TV011 when the session was ended; 42501 and errors '
  'of my_api_key() for keys. Takes the place of auth.uid() everywhere.';
grant execute on function private.my_user_id() to authenticated, service_role;

create function private.sweep_account_events(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.account_events e where e.id = any (array(
    select o.id from private.account_events o where o.created_at < now() - interval '13 months'
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_account_events(integer) is
  'Job: traces of accounts go after 13 months (specification, section 9).';
insert into private.jobs (name, run_every) values ('sweep_account_events', interval '1 day');

create function private.accept_totp_step(p_factor_id uuid, p_step bigint) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with accepted as (
    insert into private.totp_steps as t (factor_id, last_step) values (p_factor_id, p_step)
    on conflict (factor_id) do update set last_step = excluded.last_step where t.last_step < excluded.last_step
    returning 1
  )
  select exists (select 1 from accepted);
$$;
comment on function private.accept_totp_step(uuid, bigint) is
  'Takes a one-time password''s period as used and answers whether it may be used: it is newer than any used before. '
  'Of two at once, one is refused.';
grant execute on function private.accept_totp_step(uuid, bigint) to service_role;

create function private.recovery_code_hash(p_user_id uuid, p_code text) returns bytea
language sql immutable parallel safe set search_path = ''
return sha256(convert_to(
  p_user_id::text || ' ' || private.code_key(coalesce(p_code, '')), 'UTF8'
));
comment on function private.recovery_code_hash(uuid, text) is
  'Stored hash of a recovery code, whatever its case, spaces and hyphens.';

create function private.is_second_factor(p_method text) returns boolean
language sql immutable set search_path = ''
return p_method in ('totp', 'mfa/phone', 'mfa/webauthn');
comment on function private.is_second_factor(text) is
  'Whether a way in which somebody proved who they are (auth.mfa_amr_claims) is a second factor.';

create function private.my_session() returns auth.sessions
language sql stable security definer set search_path = ''
as $$
  select s from auth.sessions s
  where s.id = nullif((select auth.jwt()) ->> 'session_id', '')::uuid
    and s.user_id = (select auth.uid())
    and (s.not_after is null or s.not_after > now());
$$;
comment on function private.my_session() is
  'Session of the signed-in user''s token, whatever its assurance level; null when it was ended.';

create function public.create_recovery_codes() returns text[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_session auth.sessions := private.my_session();
  v_codes text[];
begin
  if v_user_id is null then
    raise exception 'unauthenticated' using errcode = '42501';
  elsif not exists (select 1 from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified') then
    -- A second factor that exists has been used, or this line would not be reached.
    raise exception 'second_factor_required' using errcode = 'TV010';
  end if;
  -- One after the other: of two calls at once, the codes of the later stay, all ten.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r where r.user_id = v_user_id;
  select array_agg(rtrim(regexp_replace(
      substr(
        private.random_code('{random}') || private.random_code('{random}') || private.random_code('{random}')
          || private.random_code('{random}'),
        1, 28),
      '(.{4})', '\1-', 'g'), '-'))
  into v_codes from generate_series(1, 10);
  insert into private.recovery_codes (user_id, code_hash)
  select v_user_id, private.recovery_code_hash(v_user_id, code) from unnest(v_codes) as code;
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_codes_created', v_session.id);
  return v_codes;
end;
$$;
comment on function public.create_recovery_codes() is
  'Ten new recovery codes of the signed-in user, of 28 signs in groups of four; those before are worth nothing any more. They '
  'are shown once. Error TV010 to whoever has no second factor; errors of my_user_id().';
grant execute on function public.create_recovery_codes() to authenticated;

create function private.note_passkey(p_user_id uuid, p_event text, p_session_id uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- An addition is noted by the trigger note_passkey.
  if p_event <> 'passkey_added' then
    insert into private.account_events (user_id, event, session_id) values (p_user_id, p_event, p_session_id);
  end if;
  perform private.enqueue_mail(p_event, u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = p_user_id and u.email <> '';
end;
$$;
comment on function private.note_passkey(uuid, text, uuid) is
  'Records that an account got or lost a passkey (passkey_added, passkey_removed), and notifies its user by e-mail.';
grant execute on function private.note_passkey(uuid, text, uuid) to service_role;

create function private.drop_passkeys(p_user_id uuid) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from auth.webauthn_credentials c where c.user_id = p_user_id;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform private.note_passkey(p_user_id, 'passkey_removed');
  end if;
  return v_count;
end;
$$;
comment on function private.drop_passkeys(uuid) is
  'Deletes all passkeys of an account and notifies its user; answers how many there were.';

create function public.use_recovery_code(p_code text, out outcome text, out retry_after integer)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_session auth.sessions := private.my_session();
  v_user_id constant uuid := v_session.user_id;
begin
  if v_user_id is null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  -- A refusal is an answer, not an error: an error would take back the count.
  retry_after := private.count_attempt(array['recovery code ' || v_user_id::text], '{5}', interval '15 minutes');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;
  -- One after the other: two codes at once would wait for each other's rows.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r
  where r.user_id = v_user_id and r.code_hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    outcome := 'unknown';
    insert into private.account_events (user_id, event, session_id)
    values (v_user_id, 'recovery_code_refused', v_session.id);
    return;
  end if;
  outcome := 'recovered';
  delete from private.recovery_codes r where r.user_id = v_user_id;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- The lost factor may be in other hands, and so may a device that is signed in, or holds a passkey.
  perform private.drop_passkeys(v_user_id);
  delete from auth.sessions s where s.user_id = v_user_id and s.id <> v_session.id;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.id = v_session.id;
  delete from auth.mfa_amr_claims c
  where c.session_id = v_session.id and private.is_second_factor(c.authentication_method);
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_code_used', v_session.id);
  -- The owner has to hear of it, in case somebody else did this.
  perform private.enqueue_mail(
    'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = v_user_id and u.email <> '';
end;
$$;
comment on function public.use_recovery_code(text) is
  'Gives a recovery code in place of a lost second factor: all factors, passkeys, recovery codes and other sessions of the '
  'user go, so that a factor can be enrolled anew. Outcomes: recovered, unknown, too_many_attempts (5 in a quarter of an '
  'hour; retry_after in seconds). Error TV011 when the session was ended.';
grant execute on function public.use_recovery_code(text) to authenticated;

create function public.count_recovery_codes() returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_session auth.sessions := private.my_session();
begin
  if v_session.user_id is null then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  return (select count(*) from private.recovery_codes r where r.user_id = v_session.user_id);
end;
$$;
comment on function public.count_recovery_codes() is
  'How many recovery codes the signed-in user has left. Answered before the second factor too: the page that asks for '
  'it offers a recovery code only to whoever has one. Error TV011 when the session was ended.';
grant execute on function public.count_recovery_codes() to authenticated;

create function private.drop_idle_recovery_codes(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.recovery_codes r
  where r.user_id = p_user_id and not exists (
    select 1 from auth.mfa_factors f where f.user_id = p_user_id and f.status = 'verified'
  );
$$;
comment on function private.drop_idle_recovery_codes(uuid) is
  'Deletes the recovery codes of a user who has no second factor any more.';
grant execute on function private.drop_idle_recovery_codes(uuid) to service_role;

create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, ip text, is_current boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_session auth.sessions := private.my_session();
begin
  return query
    select s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'UTC'), s.user_agent,
      case family(s.ip) when 6 then network(set_masklen(s.ip, 64))::text else host(s.ip) end,
      s.id = v_session.id
    from auth.sessions s
    where s.user_id = v_user_id and (s.not_after is null or s.not_after > now())
    order by s.id = v_session.id desc, 3 desc;
end;
$$;
comment on function public.my_sessions() is
  'Sessions of the signed-in user, this one first, then the most recently seen. last_seen_at is the last refresh, '
  'an hour behind at most; ip is an IPv4 address or the /64 of an IPv6 one. Errors of my_user_id().';
grant execute on function public.my_sessions() to authenticated;

create function public.end_session(p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
begin
  -- The user before the session, as everywhere: two orders would make deadlocks.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from auth.sessions s where s.id = p_id and s.user_id = v_user_id;
  if not found then
    return false;
  end if;
  insert into private.account_events (user_id, event, session_id) values (v_user_id, 'session_ended', p_id);
  return true;
end;
$$;
comment on function public.end_session(uuid) is
  'Ends a session of the signed-in user: its tokens are worth nothing from the next statement on. False when they have '
  'no such session. Errors of my_user_id().';
grant execute on function public.end_session(uuid) to authenticated;

create function private.count_auth_attempt(
  p_keys text[], p_limits integer[], p_window interval,
  out seconds integer, out refused_key text, out remaining_ms integer
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  for i in 1..cardinality(p_keys) loop
    seconds := private.count_attempt(array['auth ' || p_keys[i]], p_limits[i:i], p_window);
    if seconds is not null then
      refused_key := p_keys[i];
      select floor(extract(epoch from min(r.expires_at) - now()) * 1000) into remaining_ms
      from private.rate_limits r where r.key = 'auth ' || refused_key and r.expires_at > now();
      return;
    end if;
  end loop;
end;
$$;
comment on function private.count_auth_attempt(text[], integer[], interval) is
  'Counts an attempt to sign in, sign up or get a message under one key after the other (keyed hashes), up to the first '
  'beyond its limit. Answers nulls while all are within theirs, else the seconds until the next window, that key, and the '
  'milliseconds that are left, rounded down.';
grant execute on function private.count_auth_attempt(text[], integer[], interval) to service_role;

create function private.reset_auth_attempts(p_keys text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.rate_limits r
  where r.key = any (array(select 'auth ' || key from unnest(p_keys) key));
$$;
comment on function private.reset_auth_attempts(text[]) is
  'Deletes the attempts counted under these keys, once their user has proved who they are.';
grant execute on function private.reset_auth_attempts(text[]) to service_role;

create function private.organization_names(p_user_id uuid) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select o.name from public.organization_members m join public.organizations o on o.id = m.org_id
    where m.user_id = p_user_id);
end;
$$;
comment on function private.organization_names(uuid) is
  'Names of the organisations of a user: words that are no password of theirs.';
grant execute on function private.organization_names(uuid) to service_role;

create function private.proven_phone(p_user_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    (select nullif(u.phone, '') from auth.users u where u.id = p_user_id and u.phone_confirmed_at is not null),
    (select f.phone from auth.mfa_factors f
     where f.user_id = p_user_id and f.factor_type = 'phone' and f.status = 'verified' order by f.created_at limit 1));
$$;
comment on function private.proven_phone(uuid) is
  'A number that the user has proven to be theirs: the account''s, else that of a second factor; null without one.';

create function private.acting_user() returns uuid
language sql stable set search_path = ''
as $$ select nullif(current_setting('tournavis.acting_user', true), '')::uuid; $$;
comment on function private.acting_user() is
  'For whom the server began this transaction at the payment provider (begin_billing); null for anything else.';

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

-- Ways in are written by the authentication service, the hosted one included: only a trigger sees them all.
create function private.note_way_in() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_events (user_id, event)
  values (case when tg_relid = 'auth.users'::regclass then new.id else (to_jsonb(new) ->> 'user_id')::uuid end, tg_argv[0]);
  return null;
end;
$$;
comment on function private.note_way_in() is
  'Records that an account can be opened in a new way (event as argument). It stays known when the way is removed again: see fresh_proof.';
create trigger note_factor after insert or update of status on auth.mfa_factors
  for each row when (new.status = 'verified') execute function private.note_way_in('factor_added');
create trigger note_passkey after insert on auth.webauthn_credentials
  for each row execute function private.note_way_in('passkey_added');
create trigger note_identity after insert on auth.identities
  for each row when (new.provider not in ('email', 'phone')) execute function private.note_way_in('identity_added');
create trigger note_password after update of encrypted_password on auth.users
  for each row when (
    new.encrypted_password is distinct from old.encrypted_password and new.encrypted_password <> ''
    and (new.email_confirmed_at is not null or new.phone_confirmed_at is not null))
  execute function private.note_way_in('password_changed');
create trigger note_contact after update of email, phone on auth.users
  for each row when (
    new.email is distinct from old.email and new.email <> '' or new.phone is distinct from old.phone and new.phone <> '')
  execute function private.note_way_in('contact_changed');

create function private.count_sign_ups(p_user_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce((select a.sign_ups from private.unproven_accounts a where a.user_id = p_user_id), 0);
$$;
comment on function private.count_sign_ups(uuid) is
  'Sign-ups that wait for the confirmation of an account; 0 for one that is proven.';
grant execute on function private.count_sign_ups(uuid) to service_role;

create function private.is_proven(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (select 1 from private.unproven_accounts a where a.user_id = p_user_id);
$$;
comment on function private.is_proven(uuid) is
  'Whether what opens an account is known to be its address''s own person''s.';
grant execute on function private.is_proven(uuid) to service_role;

create function private.prove_account(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.unproven_accounts a where a.user_id = p_user_id;
$$;
comment on function private.prove_account(uuid) is
  'Notes that what opens an account is its address''s own person''s. For the authentication service alone.';
grant execute on function private.prove_account(uuid) to service_role;

-- Permissions -------------------------------------------------------------------------------------

alter table private.rate_limits enable row level security;
grant select on private.rate_limits to service_role;

alter table private.account_events enable row level security;

alter table private.totp_steps enable row level security;

alter table private.recovery_codes enable row level security;

alter table private.unproven_accounts enable row level security;
