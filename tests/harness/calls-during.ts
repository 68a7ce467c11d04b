import type { TransactionSql } from "postgres";

/** Calls of a function of PostgreSQL by its name. */
type Calls = { name: string; calls: number };

/** Calls of these functions by some work within a transaction, but for those that are planned as part of their query. */
export async function callsDuring(
  sql: TransactionSql,
  functions: readonly string[],
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  await sql`set local track_functions = 'all'`;
  const count = async () => {
    const rows = await sql<Calls[]>`
      select funcname as name, calls::integer from pg_stat_xact_user_functions
      where funcname = any (${[...functions]})`;
    return new Map(rows.map(({ name, calls }) => [name, calls]));
  };
  const before = await count();
  await work();
  const after = await count();
  return Object.fromEntries(
    functions.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]),
  );
}
