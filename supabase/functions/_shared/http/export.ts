import type { TransactionSql } from "postgres";
import { ReaderLeft } from "./send-to.ts";
import type { Fail } from "./serve.ts";

/** Shared parts of the exports: they last as long as a client takes their bytes. */

/** Rows that are held at once. */
export const EXPORT_BATCH = 200;

/** Writes down why an answer that had begun was broken off: by its reader, or by a failure of ours. */
export function reportBroken(fail: Fail, error: unknown): void {
  if (error instanceof ReaderLeft) fail("export_left", error, { isOurs: false });
  else fail("export_broken", error);
}

/**
 * Takes the limit off the statements of an export; one that waits for nobody ends. They are planned for their own
 * filters: a kept plan would make the words of a search again for each row.
 */
export async function allowTime(sql: TransactionSql): Promise<void> {
  await sql`select
    set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '60s', true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`;
}

const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });

/** « 2026-12-12 », the day that it is in France: it stands in the file's name and in what explains it. */
export function exportDay(now: Date): string {
  return DAY.format(now);
}
