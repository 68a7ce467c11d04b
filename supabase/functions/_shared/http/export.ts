import type { Sql, TransactionSql } from "postgres";
import { USUAL_TIMEZONE } from "../domain/rules/constants.ts";
import { calendarDay } from "../domain/text/calendar-day.ts";
import { ReaderLeft, type ReaderLimits, type Sending, sendTo } from "./send-to.ts";
import type { Fail } from "./serve.ts";

/** Shared parts of the exports: they last as long as a client takes their bytes. */

/** Rows that are held at once. */
export const EXPORT_BATCH = 200;

/** Writes down why an answer that had begun was broken off: by its reader, or by a failure of ours. */
function reportBroken(fail: Fail, error: unknown): void {
  if (error instanceof ReaderLeft) fail("export_left", error, { isOurs: false });
  else fail("export_broken", error);
}

/**
 * Takes the limit off the statements of an export; one whose client is gone ends. They are planned for their own
 * filters: a kept plan would make the words of a search again for each row.
 */
async function allowTime(sql: TransactionSql): Promise<void> {
  await sql`select
    set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '60s', true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`;
}

/** « 2026-12-12 », the day that it is in France: it is part of the file's name and of its explanation. */
export function exportDay(now: Date): string {
  return calendarDay(now, USUAL_TIMEZONE);
}

/** Answer to somebody who asks for an export: its place is theirs, or why it is not. */
export type Begun<Refusal> = {
  outcome: "started" | Refusal;
  /** Whether the file may name customers; left out where that is no question, null where it was not asked any more. */
  is_named?: boolean | null;
};

/**
 * Whether an export that runs may go on, by the outcome of asking for its place once more: the right is asked first, and the place
 * is taken by this export itself. What names customers ends once its reader may no longer see them.
 */
function mayGoOn(begun: Begun<unknown>, now: Begun<unknown>): boolean {
  const hasRight = now.outcome === "busy" || now.outcome === "started";
  return hasRight && (now.is_named === true || begun.is_named !== true);
}

type Exporting<Refusal> = {
  /** Asks for the place and the right: before the file begins, and again on another connection while it goes. */
  ask(sql: Sql | TransactionSql): Promise<Begun<Refusal>>;
  /** Parts of the file, once its place is taken. */
  partsFor(transaction: TransactionSql, begun: Begun<Refusal>): Promise<AsyncIterator<Uint8Array>>;
  /** Isolation of the transaction, where not the usual one. */
  isolation?: string;
  limits: ReaderLimits;
  fail: Fail;
};

/**
 * Begins a file whose rows come from a transaction, and answers with it or with the refusal. The transaction goes on after the
 * answer has begun: it holds the place and the rows until the reader has taken everything.
 */
export function exportFrom<Refusal>(
  sql: Sql,
  { ask, partsFor, isolation = "", limits, fail }: Exporting<Refusal>,
): Promise<{ body: ReadableStream<Uint8Array> } | { refusal: Refusal }> {
  return new Promise((resolve, reject) => {
    let sending: Sending | undefined;
    const work = sql.begin(isolation, async (transaction) => {
      await allowTime(transaction);
      const begun = await ask(transaction);
      if (begun.outcome !== "started") return resolve({ refusal: begun.outcome });
      const parts = await partsFor(transaction, begun);
      sending = sendTo(parts, limits, async () => mayGoOn(begun, await ask(sql)));
      resolve({ body: sending.body });
      await sending.taken;
    });
    work.then(
      () => sending?.close(),
      (error: unknown) => {
        reject(error);
        if (!sending) return;
        sending.breakOff(error);
        reportBroken(fail, error);
      },
    );
  });
}
