import type { Sql } from "postgres";

/** Time after which nobody will come, in milliseconds: far more than a busy machine takes. */
const LIMIT_MS = 30_000;

/** Answers once so many statements of a database wait for a lock. Error where they do not come. */
export async function untilWaiting(sql: Sql, count = 1): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row !== undefined && row.count >= count) return;
    if (performance.now() > end) {
      throw new Error(`${row?.count} of ${count} statements wait for a lock.`);
    }
  }
}
