import type { ISql } from "postgres";

/** Reads of a table: scans of all of it, and rows. */
export type TableReads = { name: string; wholeScans: number; rows: number };

/**
 * Reads of these tables by some work within the present transaction. Counted as a difference:
 * PostgreSQL's view for a transaction also holds the same connection's reads of the second before.
 */
export async function readsDuring(
  sql: ISql,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<TableReads[]> {
  const count = () => sql<TableReads[]>`
    select relname as name, seq_scan::integer as "wholeScans",
      (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
    from pg_stat_xact_user_tables where relname = any (${[...tables]}) order by relname`;
  const before = await count();
  await work();
  const after = await count();
  return after.map(({ name, wholeScans, rows }, index) => ({
    name,
    wholeScans: wholeScans - (before[index]?.wholeScans ?? 0),
    rows: rows - (before[index]?.rows ?? 0),
  }));
}

/**
 * Leaves the rest of this transaction whole scans only where no index serves. A connection's kept plans go as well:
 * functions that ran before keep theirs, with whole scans once autovacuum has counted few rows.
 */
export async function avoidWholeScans(sql: ISql): Promise<void> {
  await sql`set local enable_seqscan = off`;
  await sql`discard plans`;
}
