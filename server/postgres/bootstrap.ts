import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Sql } from "postgres";
import { z } from "zod";
import { ROOT } from "../root.ts";
import { AUTH_SCHEMA_SQL } from "./auth-schema.ts";
import { waitBriefly } from "./migrate.ts";
import { REALTIME_CHANGES_SQL } from "./realtime-changes.ts";
import { REALTIME_SQL } from "./realtime-schema.ts";
import { STORAGE_SQL } from "./storage-schema.ts";

/**
 * Objects that a Supabase project offers before its first migration, made on any PostgreSQL: three
 * roles, the schema `auth`, and a hosted project's generous default privileges. Migrations have to
 * be safe against these, so they exist here too.
 */
const PLATFORM_SQL = `
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls')
    ) as role (name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      begin
        execute format('create role %I %s', wanted.name, wanted.attributes);
      exception when duplicate_object or unique_violation then
        -- Roles belong to the whole server: another database got there first.
        null;
      end;
    end if;
  end loop;
end;
$$;

create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (
  version text primary key,
  statements text[],
  name text
);
create table if not exists supabase_migrations.platform (
  key text primary key,
  value text not null,
  changed_at timestamptz not null default now()
);
revoke all on schema supabase_migrations from public;

grant usage on schema public to anon, authenticated, service_role;
-- Once, as when a hosted project is made: migrations take these rights back for all that comes after them.
do $$
begin
  if not exists (select from supabase_migrations.schema_migrations) then
    alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  end if;
end;
$$;
`;

const AUTH_GRANTS_SQL = `
revoke all on schema auth from public;
grant usage on schema auth to anon, authenticated, service_role;
revoke all on all tables in schema auth from public, anon, authenticated, service_role;
revoke all on all functions in schema auth from public;
grant execute on all functions in schema auth to anon, authenticated, service_role;
`;

/** Not among the package's exports, so read where npm puts it. */
const LITE_MANIFEST = new URL("node_modules/@supabase/lite/package.json", ROOT);

const manifest = z.object({ version: z.string() });

/**
 * Changes whenever the platform's own SQL would: ours, or that of Supabase Lite, whose
 * version identifies it (loading the library only to find nothing to do would cost half a
 * second of every start).
 */
export async function platformFingerprint(): Promise<string> {
  const { version } = manifest.parse(JSON.parse(await readFile(LITE_MANIFEST, "utf8")));
  return createHash("sha256")
    .update(
      [
        version,
        PLATFORM_SQL,
        AUTH_SCHEMA_SQL,
        AUTH_GRANTS_SQL,
        STORAGE_SQL,
        REALTIME_SQL,
        REALTIME_CHANGES_SQL,
      ].join("\n"),
    )
    .digest("hex");
}

/** Brings the platform's own roles, schemas and rights up to date, in one transaction. */
export async function applyPlatform(sql: Sql, fingerprint: string): Promise<void> {
  const { getAuthSchemaSql, getStorageSchemaSql, SUPABASE_AUTH_HELPERS_SQL } = await import(
    "@supabase/lite"
  );
  await sql.begin(async (transaction) => {
    await waitBriefly(transaction);
    for (const part of [
      PLATFORM_SQL,
      getAuthSchemaSql(),
      AUTH_SCHEMA_SQL,
      SUPABASE_AUTH_HELPERS_SQL,
      AUTH_GRANTS_SQL,
      getStorageSchemaSql(),
      STORAGE_SQL,
      REALTIME_SQL,
      REALTIME_CHANGES_SQL,
    ]) {
      await transaction.unsafe(part).simple();
    }
    await writePlatformFact(transaction, "fingerprint", fingerprint);
  });
}

/** Remembers one fact about this installation in its database. */
export async function writePlatformFact(
  sql: Pick<Sql, "unsafe">,
  key: string,
  value: string,
): Promise<void> {
  await sql.unsafe(
    `insert into supabase_migrations.platform (key, value) values ($1, $2)
     on conflict (key) do update set value = excluded.value, changed_at = now()`,
    [key, value],
  );
}

/** Reads such a fact; null when it was never written. */
export async function readPlatformFact(sql: Sql, key: string): Promise<string | null> {
  const [row] = await sql<{ value: string }[]>`
    select value from supabase_migrations.platform where key = ${key}`;
  return row?.value ?? null;
}
