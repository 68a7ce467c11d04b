/**
 * The schema `realtime` as a hosted project offers it to policies and triggers (`topic`, `send`, `broadcast_changes`).
 * Its tables say which process of this server listens to what. Applied as often as anybody likes
 * (docs/decisions/072-realtime-channels.md).
 */
export const REALTIME_SQL = `
create schema if not exists realtime;

create table if not exists realtime.messages (
  id uuid not null default gen_random_uuid() primary key,
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp without time zone not null default now(),
  inserted_at timestamp without time zone not null default now()
);
create index if not exists messages_inserted_at_idx on realtime.messages (inserted_at);
alter table realtime.messages enable row level security;
comment on table realtime.messages is
  'Messages that the database sends. Its policies say who may read from a channel, and who may write to it.';

-- Nothing of these outlives a crash of the database: each process writes its own again.
create unlogged table if not exists realtime.processes (
  id uuid primary key,
  seen_at timestamptz not null default now()
);
create unlogged table if not exists realtime.listeners (
  topic text not null,
  process_id uuid not null references realtime.processes (id) on delete cascade,
  primary key (topic, process_id)
);
create index if not exists listeners_process_id_idx on realtime.listeners (process_id);
create unlogged table if not exists realtime.presences (
  topic text not null,
  ref text not null,
  key text not null,
  process_id uuid not null references realtime.processes (id) on delete cascade,
  meta jsonb not null,
  primary key (topic, ref)
);
create index if not exists presences_process_id_idx on realtime.presences (process_id);
create unlogged table if not exists realtime.bodies (
  id uuid primary key default gen_random_uuid(),
  body text not null,
  written_at timestamptz not null default now()
);
create index if not exists bodies_written_at_idx on realtime.bodies (written_at);

-- What the database's own transactions have to tell, until a process tells it. The numbers come from a sequence that is
-- logged: a standby writes an unlogged one to disk at its next restartpoint alone, and is left with an empty file where it is
-- promoted before (XX000). The column's own was such a one before, which may be beyond reading: it goes with its table.
do $$
begin
  if to_regclass('realtime.pending_id_seq') is not null then
    drop table realtime.pending;
  end if;
end;
$$;
create sequence if not exists realtime.pending_ids;
create unlogged table if not exists realtime.pending (
  id bigint primary key default nextval('realtime.pending_ids'),
  body jsonb not null,
  written_at timestamptz not null default now()
);

create or replace function realtime.topic() returns text
language sql stable set search_path = ''
as $$
  select nullif(current_setting('realtime.topic', true), '')::text;
$$;

-- A notification holds 8,000 bytes; what is longer waits in a table.
create or replace function realtime.publish(p_body jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_body constant text := p_body::text;
  v_id uuid;
begin
  if octet_length(v_body) < 7900 then
    perform pg_notify('tournavis_realtime', v_body);
  else
    insert into realtime.bodies (body) values (v_body) returning id into v_id;
    perform pg_notify('tournavis_realtime', jsonb_build_object('body', v_id)::text);
  end if;
end;
$$;

-- What a transaction that does something else has to tell is told by another one, a moment after its commit: those that
-- notify wait for each other's commits, one at a time in the whole server, and a spin shall not.
create or replace function realtime.hand_over(p_body jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into realtime.pending (body) values (p_body);
$$;

create or replace function realtime.tell_pending() returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_body jsonb;
begin
  -- One process at a time, so that what one transaction has told stays in its order.
  if not pg_try_advisory_xact_lock(hashtextextended('realtime.tell_pending', 0)) then
    return;
  end if;
  -- Nothing of it outlives a crash.
  perform set_config('synchronous_commit', 'off', true);
  for v_body in
    with taken as (
      delete from realtime.pending p
      where p.id in (select o.id from realtime.pending o order by o.id limit 500)
      returning p.id, p.body
    )
    select t.body from taken t order by t.id
  loop
    perform realtime.publish(v_body);
  end loop;
end;
$$;

create or replace function realtime.relay_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.event is not null and exists (select from realtime.listeners l where l.topic = new.topic) then
    perform realtime.hand_over(jsonb_build_object(
      'kind', 'broadcast', 'topic', new.topic, 'event', new.event, 'payload', new.payload, 'id', new.id));
  end if;
  return null;
end;
$$;
create or replace trigger relay_message after insert on realtime.messages
  for each row when (new.extension = 'broadcast') execute function realtime.relay_message();

-- A change that nobody listens to costs one look at an index and writes nothing; one that somebody does, a row without a log.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if exists (select from realtime.listeners l where l.topic = send.topic) then
    perform realtime.hand_over(jsonb_build_object(
      'kind', 'broadcast', 'topic', send.topic, 'event', send.event, 'payload', send.payload, 'id', gen_random_uuid()));
  end if;
end;
$$;

create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record,
  level text default 'ROW'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  perform realtime.send(jsonb_build_object(
    'id', gen_random_uuid(), 'schema', table_schema, 'table', table_name, 'operation', operation,
    'record', to_jsonb(new), 'old_record', to_jsonb(old)), event_name, topic_name);
end;
$$;

-- What a token's owner may do on a channel, by the policies of realtime.messages: tried with rows that are rolled back.
create or replace function realtime.rights(
  p_topic text, p_claims jsonb,
  out reads boolean, out writes boolean, out reads_presence boolean, out writes_presence boolean
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_broadcast constant uuid := gen_random_uuid();
  v_presence constant uuid := gen_random_uuid();
begin
  reads := false; writes := false; reads_presence := false; writes_presence := false;
  begin
    insert into realtime.messages (id, topic, extension)
    values (v_broadcast, p_topic, 'broadcast'), (v_presence, p_topic, 'presence');
    perform set_config('request.jwt.claims', p_claims::text, true);
    -- auth.uid() and auth.role() of Supabase Lite read these.
    perform set_config('request.jwt.claim.sub', coalesce(p_claims ->> 'sub', ''), true);
    perform set_config('request.jwt.claim.role', p_claims ->> 'role', true);
    perform set_config('realtime.topic', p_topic, true);
    perform set_config('role', p_claims ->> 'role', true);
    select coalesce(bool_or(m.id = v_broadcast), false), coalesce(bool_or(m.id = v_presence), false)
    into reads, reads_presence
    from realtime.messages m where m.id in (v_broadcast, v_presence);
    begin
      insert into realtime.messages (topic, extension) values (p_topic, 'broadcast');
      writes := true;
    exception when insufficient_privilege then null;
    end;
    begin
      insert into realtime.messages (topic, extension) values (p_topic, 'presence');
      writes_presence := true;
    exception when insufficient_privilege then null;
    end;
    raise exception 'tried' using errcode = 'RT000';
  exception
    when sqlstate 'RT000' then null;
    -- A policy's function refuses by an error: a session that was ended, a plan that is over.
    when others then
      if sqlstate not like 'TV%' and sqlstate <> '42501' then raise; end if;
      reads := false; writes := false; reads_presence := false; writes_presence := false;
  end;
end;
$$;

revoke all on schema realtime from public;
grant usage on schema realtime to anon, authenticated, service_role;
revoke all on all tables in schema realtime from public, anon, authenticated, service_role;
-- A hosted project grants more, and to anon as well; here nobody has a right that no policy uses.
grant select, insert (topic, extension) on realtime.messages to authenticated;
grant select, insert, update, delete on realtime.messages to service_role;
grant select, insert, update, delete on realtime.processes, realtime.listeners, realtime.presences, realtime.bodies,
  realtime.pending to service_role;
revoke all on all functions in schema realtime from public, anon, authenticated;
grant execute on function realtime.topic() to anon, authenticated, service_role;
grant execute on function realtime.send(jsonb, text, text, boolean), realtime.publish(jsonb),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text),
  realtime.tell_pending(), realtime.rights(text, jsonb) to service_role;
`;
