import type { Sql } from "postgres";

/** Answers once so many statements of a database wait for a lock. */
export async function untilWaiting(sql: Sql, count = 1): Promise<void> {
  for (;;) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row !== undefined && row.count >= count) return;
  }
}
