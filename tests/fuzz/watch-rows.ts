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

/** A note of a written row, as it was before a deletion, or after. */
type Note = Change & { operation: "INSERT" | "UPDATE" | "DELETE"; row: Record<string, unknown> };

/** Rows of events that are added up: one more and one less are nothing. */
const EVENTS = "private.recent_figures";

/** Whether notes of events come to nothing in each figure, of each organisation, reward and day. */
function cancelsOut(notes: readonly Note[]): boolean {
  const sums = new Map<string, number>();
  for (const { row } of notes) {
    const columns = Object.entries(row).filter(([column]) => column !== "id");
    const about = JSON.stringify(columns.filter(([, value]) => typeof value !== "number"));
    for (const [column, value] of columns) {
      const figure = `${column} ${about}`;
      if (typeof value === "number") sums.set(figure, (sums.get(figure) ?? 0) + value);
    }
  }
  return [...sums.values()].every((sum) => sum === 0);
}

/**
 * Notes of what remains written, oldest first as given: a customer who is added, and taken away again where there is nothing to
 * draw, leaves neither a row nor a figure. Rows without an identifier are never taken for one another.
 */
export function leftOver(notes: readonly Note[]): Note[] {
  const key = ({ name, row }: Note) => (row.id === undefined ? null : `${name} ${row.id}`);
  const first = new Map<string | null, Note["operation"]>();
  const last = new Map<string | null, Note["operation"]>();
  for (const note of notes) {
    if (!first.has(key(note))) first.set(key(note), note.operation);
    last.set(key(note), note.operation);
  }
  const isGone = (id: string | null) =>
    id !== null && first.get(id) === "INSERT" && last.get(id) === "DELETE";
  const events = notes.filter(({ name }) => name === EVENTS);
  const isNothing = events.every(({ operation }) => operation === "INSERT") && cancelsOut(events);
  return notes.filter((note) => !(note.name === EVENTS ? isNothing : isGone(key(note))));
}

/**
 * Notes every row that is written from now on, in a schema of its own. Returns a function that reports what a surface has
 * written and kept since it was asked last.
 */
export async function watchRows(sql: Sql): Promise<(surface: Surface) => Promise<Change[]>> {
  await sql.unsafe(`
    create schema if not exists fuzz;
    create unlogged table if not exists fuzz.changes (
      id bigint generated always as identity, name text, application text, operation text, row jsonb);
    create or replace function fuzz.note() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      insert into fuzz.changes (name, application, operation, row)
      values (tg_table_schema || '.' || tg_table_name, current_setting('application_name'), tg_op, to_jsonb(coalesce(new, old)));
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
    const notes = await sql<Note[]>`
      with taken as (delete from fuzz.changes returning *)
      select name, application, operation, row from taken order by id`;
    return leftOver(
      notes.filter(
        ({ name, application }) =>
          APPLICATIONS[surface].includes(application) && WRITTEN_ANYWAY[name] === undefined,
      ),
    );
  };
}
