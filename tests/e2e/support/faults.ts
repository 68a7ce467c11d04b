import type { Sql } from "postgres";
import { onTestFinished } from "vitest";

/**
 * Faults brought about in the server under test: nothing here answers in its place. Each answers how to mend what it
 * broke; the end of the test does so at the latest.
 */

/** SQLSTATE of a database that is at fault itself. */
const INTERNAL = "XX000";

/** Words that only a log may show. */
export const RAW_WORDS = "raw words of the database";

type Mend = () => Promise<void>;

/** Makes a repair that runs once, for its first caller. */
function once(mend: Mend): Mend {
  let mending: Promise<void> | undefined;
  const mendOnce = () => {
    mending ??= mend();
    return mending;
  };
  onTestFinished(mendOnce);
  return mendOnce;
}

/** Puts another body in the place of a function's own. */
async function replaceBody(sql: Sql, name: string, body: string): Promise<Mend> {
  const [schema = "", own = ""] = name.includes(".") ? name.split(".") : ["public", name];
  const [found] = await sql<{ definition: string; head: string; result: string }[]>`
    select pg_get_functiondef(p.oid) as definition, pg_get_function_result(p.oid) as result,
      format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_arguments(p.oid)) as head
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${schema} and p.proname = ${own}`;
  if (found === undefined) throw new Error(`The database has no function ${name}.`);
  await sql.unsafe(`create or replace function ${found.head} returns ${found.result}
    language plpgsql set search_path = '' as $fault$ begin ${body} end $fault$`);
  return once(async () => {
    await sql.unsafe(found.definition);
  });
}

const raise = (code: string) => `raise exception '${RAW_WORDS}' using errcode = '${code}';`;

/** Makes a function of the database fail, `public` unless its name says another schema. */
export function breakFunction(sql: Sql, name: string, code = INTERNAL): Promise<Mend> {
  return replaceBody(sql, name, raise(code));
}

/** Makes a function of the database answer nothing at all. */
export function emptyFunction(sql: Sql, name: string): Promise<Mend> {
  return replaceBody(sql, name, "return null;");
}

/** Makes a table's rows unreadable to members, for whom the data API asks. */
export async function breakReading(sql: Sql, table: string): Promise<Mend> {
  await sql.unsafe(`
    create function public.fault() returns boolean language plpgsql set search_path = '' as
      $fault$ begin ${raise(INTERNAL)} end $fault$;
    grant execute on function public.fault() to authenticated;
    create policy fault on ${table} as restrictive for select to authenticated using (public.fault());`);
  return once(async () => {
    await sql.unsafe(`drop policy fault on ${table}; drop function public.fault();`);
  });
}

/** Makes writes to a table fail: `insert`, `update of name`, `delete` … */
export async function breakWriting(sql: Sql, table: string, event: string): Promise<Mend> {
  await sql.unsafe(`
    create function public.write_fault() returns trigger language plpgsql set search_path = '' as
      $fault$ begin ${raise(INTERNAL)} end $fault$;
    create trigger write_fault before ${event} on ${table}
      for each row execute function public.write_fault();`);
  return once(async () => {
    await sql.unsafe(`drop trigger write_fault on ${table}; drop function public.write_fault();`);
  });
}
