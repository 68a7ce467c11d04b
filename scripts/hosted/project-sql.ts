/**
 * Objects of a new hosted project beside the platform's tables (`server/postgres/bootstrap.ts`).
 */
export const PROJECT_SQL = `
-- The platform keeps its own history, and the bytes of files elsewhere.
drop schema supabase_migrations cascade;
drop table storage.contents cascade;
drop function storage.drop_contents() cascade;

create role postgres login createrole createdb bypassrls replication;
create role supabase_storage_admin nologin;
create role supabase_auth_admin nologin;
create role authenticator login noinherit;
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres with admin option;
alter database postgres owner to postgres;
alter schema public owner to postgres;
create schema extensions authorization postgres;
grant usage on schema extensions to anon, authenticated, service_role;

-- The owner's account reads and writes accounts and files, and owns neither.
grant usage on schema auth, storage to postgres;
grant all on all tables in schema auth to postgres;
grant all on all sequences in schema auth to postgres;
grant execute on all functions in schema auth to postgres;
grant all on all tables in schema storage to postgres;
alter table storage.objects owner to supabase_storage_admin;
alter table storage.buckets owner to supabase_storage_admin;
-- There it may make policies on files although it does not own them.
grant supabase_storage_admin to postgres;
grant all on schema storage to supabase_storage_admin;

-- Channels are the platform's service; what the owner's account may do is send, and make policies.
create role supabase_realtime_admin nologin;
drop table realtime.listeners, realtime.presences, realtime.bodies, realtime.pending, realtime.processes cascade;
drop function realtime.relay_message() cascade;
drop function realtime.publish(jsonb), realtime.hand_over(jsonb), realtime.tell_pending(), realtime.rights(text, jsonb), realtime.published_tables(), realtime.key_of(oid, jsonb),
  realtime.relay_change(), realtime.passes(oid, jsonb, jsonb), realtime.watch(text, text, text, jsonb),
  realtime.readers_of_change(oid, text, jsonb, jsonb), realtime.send_binary(bytea, text, text, boolean);
alter publication supabase_realtime owner to postgres;
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql as $$
begin
  insert into realtime.messages (payload, event, topic, private, extension)
  values (send.payload, send.event, send.topic, send.private, 'broadcast');
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end;
$$;
alter table realtime.messages owner to supabase_realtime_admin;
grant supabase_realtime_admin to postgres;
grant usage on schema realtime to postgres;
grant all on schema realtime to supabase_realtime_admin;
grant select, insert on realtime.messages to postgres;
grant execute on all functions in schema realtime to postgres;

-- Files are removed through the storage alone.
create function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501';
  end if;
  return null;
end;
$$;
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

create extension supabase_vault;
alter default privileges for role postgres in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;
`;

/**
 * Extensions of the hosted platform that no package of ours carries, each as the part of its interface that is called:
 * what they would do is done by `npm run hosted`, which reads their tables.
 */
export const EXTENSIONS: Readonly<Record<string, { control: string; sql: string }>> = {
  pg_cron: {
    control: "schema = pg_catalog\n",
    sql: `
create schema cron;
grant usage on schema cron to postgres;
create table cron.job (
  jobid bigint generated always as identity primary key,
  schedule text not null,
  command text not null,
  jobname text unique,
  username text not null
);
create table cron.job_run_details (jobid bigint, end_time timestamptz);
grant select, delete on cron.job_run_details to postgres;
grant select on cron.job to postgres;
create function cron.schedule(job_name text, schedule text, command text) returns bigint
language sql security definer set search_path = '' as $$
  insert into cron.job (schedule, command, jobname, username) values (schedule, command, job_name, session_user)
  on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command
  returning jobid;
$$;
`,
  },
  pg_net: {
    control: "",
    sql: `
create schema net;
grant usage on schema net to postgres;
create table net.http_request_queue (
  id bigint generated always as identity primary key,
  method text not null,
  url text not null,
  headers jsonb not null,
  body bytea,
  timeout_milliseconds integer not null
);
create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000
) returns bigint
language sql security definer set search_path = '' as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values ('POST', url, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds)
  returning id;
$$;
`,
  },
  supabase_vault: {
    control: "",
    sql: `
create schema vault;
grant usage on schema vault to postgres;
create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text unique,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create view vault.decrypted_secrets as select s.*, s.secret as decrypted_secret from vault.secrets s;
grant select, delete on vault.secrets, vault.decrypted_secrets to postgres;
create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid
language sql security definer set search_path = '' as $$
  insert into vault.secrets (secret, name, description) values (new_secret, new_name, new_description) returning id;
$$;
create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null
) returns void
language sql security definer set search_path = '' as $$
  update vault.secrets set secret = coalesce(new_secret, secret), name = coalesce(new_name, name),
    updated_at = now() where id = secret_id;
$$;
`,
  },
};
