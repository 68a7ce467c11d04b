-- Why: a second factor that only the sign-in page asks for protects nothing: whoever stole a password gets a
-- token by one HTTP call and goes round the page. So the database itself refuses to act for a user who has a
-- verified factor until the token says that it was used (aal2), and for a token whose session was ended.

-- Who is asking ----------------------------------------------------------------------------------

create function private.session_refusal(p_user_id uuid, p_session_id uuid, p_aal text) returns text
language sql stable
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

create function private.my_user_id() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := auth.uid();
  v_claims jsonb;
  v_refusal text;
begin
  if v_user_id is null then
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
  'The signed-in user, for whom policies and functions act; null without one. Error TV010 when the user has a second '
  'factor that this session has not used, TV011 when the session was ended. Takes the place of auth.uid() everywhere.';
grant execute on function private.my_user_id() to authenticated, service_role;

create or replace function private.my_org_ids(p_permission text default null) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.org_id
  from public.organization_members m
  where m.user_id = (select private.my_user_id())
    and (
      p_permission is null
      or exists (
        select 1 from public.role_permissions p where p.role = m.role and p.permission = p_permission
      )
    );
$$;
comment on function private.my_org_ids(text) is
  'Organisations in which the signed-in user has a permission (any role when null). Policies call it as '
  'any (array(select …)), so that it runs once a statement and the index on org_id serves. Errors of my_user_id().';

-- Rows that are read by their user rather than by their organisation.
alter policy "Members read their own membership" on public.organization_members
  using (user_id = (select private.my_user_id()));
alter policy "Members read their own notification preferences" on public.notification_preferences
  using (org_id = any (array(select private.my_org_ids())) and user_id = (select private.my_user_id()));
alter policy "Members add their own notification preferences" on public.notification_preferences
  with check (user_id = (select private.my_user_id()) and org_id = any (array(select private.my_org_ids())));
alter policy "Members change their own notification preferences" on public.notification_preferences
  using (org_id = any (array(select private.my_org_ids())) and user_id = (select private.my_user_id()))
  with check (org_id = any (array(select private.my_org_ids())) and user_id = (select private.my_user_id()));

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
           from public.stores s where s.org_id = o.id and s.archived_at is null),
          '[]'::jsonb)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": []}'::jsonb
  );
$$;
comment on function public.my_workspace() is
  'Organisation, role, permissions and stores of the signed-in user: what every screen starts from. A cashier reads '
  'the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

create or replace function public.lookup_code(p_code text, p_store_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_inspection record;
begin
  select * into v_inspection from private.inspect_code((select private.my_user_id()), p_code, p_store_id);
  if v_inspection.state = 'forbidden' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return private.describe_code(v_inspection.state, p_code, v_inspection.redemption);
end;
$$;
comment on function public.lookup_code(text, uuid) is
  'What a code is, before it is used: the shape is codeLookup of _shared/domain. Error 42501 to whoever may not '
  'redeem codes at that store; errors of my_user_id().';

-- The server calls it for a user: it hands on what the user's token says.
drop function public.redeem_code(uuid, text, uuid);
create function public.redeem_code(
  p_user_id uuid, p_session_id uuid, p_aal text, p_code text, p_store_id uuid, out outcome text, out body jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_inspection record;
  v_redemption public.redemptions;
  v_timezone text;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select * into v_inspection from private.inspect_code(p_user_id, p_code, p_store_id);
  v_redemption := v_inspection.redemption;
  outcome := v_inspection.state;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available'
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_store_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      select s.timezone into v_timezone from public.stores s
      where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
      perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
        private.now_in(v_timezone)::date, p_redemptions => 1);
    else
      -- Another till was faster.
      outcome := 'used';
      select * into v_redemption from public.redemptions r
      where r.org_id = (v_inspection.redemption).org_id and r.id = (v_inspection.redemption).id;
    end if;
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$$;
comment on function public.redeem_code(uuid, uuid, text, text, uuid) is
  'Uses a code at the till of a store, once (specification, section 7.2), for a user whose token names a session and an '
  'assurance level. Outcomes: redeemed, used, expired, other_store, test, unknown, forbidden, too_many_attempts, '
  'second_factor_required, session_ended; body is what the till shows, null for the last two.';
grant execute on function public.redeem_code(uuid, uuid, text, text, uuid) to service_role;

-- What happened to an account --------------------------------------------------------------------

create table private.account_events (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null check (event in ('recovery_codes_created', 'recovery_code_used', 'session_ended')),
  session_id uuid,
  created_at timestamptz not null default now()
);
create index account_events_user_id_idx on private.account_events (user_id, created_at);
create index account_events_created_at_idx on private.account_events (created_at);
alter table private.account_events enable row level security;
comment on table private.account_events is
  'Trace of what changed the protection of an account; no address, no device. Kept 13 months, like all logs.';
comment on column private.account_events.id is 'Identifier, ordered by time.';
comment on column private.account_events.user_id is 'Whose account.';
comment on column private.account_events.event is 'What happened: recovery_codes_created, recovery_code_used or session_ended.';
comment on column private.account_events.session_id is 'Session in which it was done; it may be gone.';
comment on column private.account_events.created_at is 'When.';

create function private.sweep_account_events(p_limit integer) returns integer
language plpgsql volatile
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

-- One-time passwords, each used once -------------------------------------------------------------

create table private.totp_steps (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  last_step bigint not null
);
alter table private.totp_steps enable row level security;
comment on table private.totp_steps is
  'Newest one-time password that a factor has accepted. A password seen over a shoulder is worth nothing afterwards.';
comment on column private.totp_steps.factor_id is 'Factor.';
comment on column private.totp_steps.last_step is 'Number of its period of 30 seconds since 1970.';

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
  'Of two at once, one is told no.';
grant execute on function private.accept_totp_step(uuid, bigint) to service_role;

-- Recovery codes ---------------------------------------------------------------------------------
-- The platform has none. They work on any Supabase project, since only the factors' own table is needed.

create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
alter table private.recovery_codes enable row level security;
comment on table private.recovery_codes is
  'Codes with which somebody who lost their second factor gets rid of it, once. Only hashes: the codes are shown once.';
comment on column private.recovery_codes.user_id is 'Whose code.';
comment on column private.recovery_codes.code_hash is
  'SHA-256 of user and code. The code has 80 random bits, which no computer tries out: a slow hash would add nothing.';
comment on column private.recovery_codes.created_at is 'When it was made.';

create function private.recovery_code_hash(p_user_id uuid, p_code text) returns bytea
language sql immutable parallel safe
return sha256(convert_to(
  p_user_id::text || ' ' || upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g')), 'UTF8'
));
comment on function private.recovery_code_hash(uuid, text) is
  'What is stored of a recovery code, whatever its case, spaces and hyphens.';

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
    -- Whoever has one has used it, or would not have come so far.
    raise exception 'second_factor_required' using errcode = 'TV010';
  end if;
  -- One after the other: of two calls at once, the codes of the later stay, all ten.
  perform 1 from auth.users u where u.id = v_user_id for no key update;
  delete from private.recovery_codes r where r.user_id = v_user_id;
  select array_agg(regexp_replace(
      private.random_code('{random}') || private.random_code('{random}'), '(.{4})(.{4})(.{4})(.{4})', '\1-\2-\3-\4'))
  into v_codes from generate_series(1, 10);
  insert into private.recovery_codes (user_id, code_hash)
  select v_user_id, private.recovery_code_hash(v_user_id, code) from unnest(v_codes) as code;
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_codes_created', v_session.id);
  return v_codes;
end;
$$;
comment on function public.create_recovery_codes() is
  'Ten new recovery codes of the signed-in user, as XXXX-XXXX-XXXX-XXXX; those before are worth nothing any more. They '
  'are told once. Error TV010 to whoever has no second factor; errors of my_user_id().';
grant execute on function public.create_recovery_codes() to authenticated;

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
  retry_after := private.take(array['recovery code ' || v_user_id::text], '{5}', interval '15 minutes');
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
    return;
  end if;
  outcome := 'recovered';
  delete from private.recovery_codes r where r.user_id = v_user_id;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- The lost factor may be in other hands, and so may a device that is signed in.
  delete from auth.sessions s where s.user_id = v_user_id and s.id <> v_session.id;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.id = v_session.id;
  delete from auth.mfa_amr_claims c
  where c.session_id = v_session.id and c.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn');
  insert into private.account_events (user_id, event, session_id)
  values (v_user_id, 'recovery_code_used', v_session.id);
  -- Whoever did not do this themselves has to hear of it.
  perform private.enqueue_mail(
    'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
  from auth.users u where u.id = v_user_id and u.email <> '';
end;
$$;
comment on function public.use_recovery_code(text) is
  'Gives a recovery code in place of a lost second factor: all factors, all recovery codes and all other sessions of the '
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
  'Forgets the recovery codes of a user who has no second factor any more: there is nothing to recover.';
grant execute on function private.drop_idle_recovery_codes(uuid) to service_role;

-- Sessions ---------------------------------------------------------------------------------------

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
