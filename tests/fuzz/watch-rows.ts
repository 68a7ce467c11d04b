import type { Sql } from "postgres";
import type { Surface } from "./requests.ts";

/** A row that was written, and by which part of the server. */
export type Change = { name: string; application: string };

/** Connections by which a surface writes: what others write meanwhile (jobs, the test itself) is none of a request's. */
const APPLICATIONS: Readonly<Record<Surface, readonly string[]>> = {
  functions: ["tournavis functions", "tournavis payments"],
  data: ["tournavis api"],
  auth: ["tournavis auth"],
  storage: ["tournavis functions", "tournavis api"],
  pages: ["tournavis functions", "tournavis auth", "tournavis api"],
};

/** Tables written although a request is refused, and why. */
const WRITTEN_ANYWAY: Readonly<Record<string, string>> = {
  "private.rate_limits": "an attempt counts whatever becomes of it",
  "private.api_keys": "a key says when it was used last",
};

/**
 * Notes every row that is written from now on, in a schema of its own. Returns a function that reports what a surface has
 * written and kept since it was asked last.
 */
export async function watchRows(sql: Sql): Promise<(surface: Surface) => Promise<Change[]>> {
  await sql.unsafe(`
    create schema if not exists fuzz;
    create unlogged table if not exists fuzz.changes (id bigint generated always as identity, name text, application text);
    create or replace function fuzz.note() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      insert into fuzz.changes (name, application)
      values (tg_table_schema || '.' || tg_table_name, current_setting('application_name'));
      return null;
    end $$;`);
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace::regnamespace::text in ('public', 'private', 'auth', 'storage')
      and c.relkind in ('r', 'p') and not c.relispartition
    order by name`;
  for (const { name } of tables) {
    // A transaction of its own for each: with two tables locked at once, a job of the server and this could wait for each other.
    await sql.unsafe(`
      create or replace trigger zz_fuzz after insert or update or delete on ${name}
      for each row execute function fuzz.note()`);
  }
  return async (surface) => {
    const changes = await sql<Change[]>`delete from fuzz.changes returning name, application`;
    return changes.filter(
      ({ name, application }) =>
        APPLICATIONS[surface].includes(application) && WRITTEN_ANYWAY[name] === undefined,
    );
  };
}
