import type { TransactionSql } from "postgres";

/**
 * Sets the clock from which days and months of a store are read, until the transaction is undone.
 * (`now()` itself, which dates the events, stays: what happened earlier is moved by its date.)
 */
export async function setClock(sql: TransactionSql, instant: string): Promise<void> {
  await sql.unsafe(`
    create or replace function private.now_in(p_timezone text) returns timestamp
    language sql stable parallel safe
    return '${new Date(instant).toISOString()}'::timestamptz at time zone p_timezone`);
}
