import type { TransactionSql } from "postgres";

/** What exports have in common: they last as long as a client takes their bytes. */

/** Rows that are held at once. */
export const EXPORT_BATCH = 200;

/** A client that takes nothing for so long has left, though the network does not say so. */
export const STALLED_MS = 30_000;

/** Takes the limit off the statements of an export; one that waits for nobody ends. */
export async function allowTime(sql: TransactionSql): Promise<void> {
  await sql`select
    set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '60s', true)`;
}

const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });

/** « 2026-12-12 », the day that it is in France: it stands in the file's name and in what explains it. */
export function exportDay(now: Date): string {
  return DAY.format(now);
}
