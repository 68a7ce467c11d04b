import type { Sql, TransactionSql } from "postgres";
import type * as z from "zod/mini";
import { exportRequest } from "../_shared/domain/customers.ts";
import type { ErrorCode } from "../_shared/domain/errors.ts";
import { signedInUser } from "../_shared/http/bearer.ts";
import { BYTE_ORDER_MARK, csvLine } from "../_shared/http/csv.ts";
import type { AccessClaims } from "../_shared/http/deps.ts";
import { allowTime, EXPORT_BATCH, exportDay, STALLED_MS } from "../_shared/http/export.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { refuse, streamFile } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import { exportsCopy } from "./exports.copy.ts";
import {
  type CustomerRow,
  customerLine,
  type RedemptionRow,
  redemptionHeader,
  redemptionLine,
} from "./rows.ts";

type Order = z.infer<typeof exportRequest>;
type Outcome =
  | "started"
  | "session_ended"
  | "second_factor_required"
  | "forbidden"
  | "closed"
  | "plan"
  | "busy";

const REFUSALS: Readonly<Record<Exclude<Outcome, "started">, ErrorCode>> = {
  session_ended: "unauthenticated",
  second_factor_required: "second_factor_required",
  forbidden: "export_forbidden",
  closed: "reading_closed",
  plan: "export_not_in_plan",
  busy: "export_busy",
};

/**
 * `POST exports-csv { type, org_id, filters }` with a member's session: customers or codes as a file for
 * spreadsheets. Rows go from a cursor of the database to the client, as fast as the client takes them.
 */
export const handler = serve(
  { name: "exports-csv", method: "POST", failure: "internal_error" },
  async (request, { sql, now, verifyAccessToken }, fail) => {
    const user = await signedInUser(request, { verifyAccessToken });
    if (!user) return refuse("unauthenticated");
    const parsed = await parseBody(request, exportRequest);
    if (!parsed.ok) return parsed.response;
    const order = parsed.body;

    const { readable, writable } = new TransformStream<string, string>();
    const writer = writable.getWriter();
    const begun = await new Promise<Outcome>((resolve, reject) => {
      let outcome: Outcome | undefined;
      // What begins here goes on after the answer has begun: the transaction holds the place and the cursor.
      const work = sql.begin(async (transaction) => {
        await allowTime(transaction);
        const begun = await begin(transaction, user, order);
        outcome = begun.outcome;
        resolve(outcome);
        if (outcome === "started")
          await writeAll(transaction, order, begun.is_named === true, writer);
      });
      // Written down afterwards, on its own: whoever breaks an export off has read a part of it as well.
      const traced = work.finally(() =>
        outcome === "started" ? trace(sql, user, order) : undefined,
      );
      traced.then(
        () => writer.close().catch(() => undefined),
        (error: unknown) => {
          reject(error);
          // The answer has begun: all that is left is to break it off, so that nobody takes it for whole.
          void writer.abort(error).catch(() => undefined);
          fail("export_broken", error);
        },
      );
    });
    if (begun !== "started") {
      const retry = begun === "busy" ? { retryAfter: 10 } : {};
      return refuse(REFUSALS[begun], retry);
    }
    return streamFile(readable.pipeThrough(new TextEncoderStream()), {
      type: "text/csv; charset=utf-8",
      name: `${exportsCopy.files[order.type]}-${exportDay(now())}.csv`,
    });
  },
);

/** Whether the export may begin, and whether it may name customers; null where that was not asked any more. */
type Begun = { outcome: Outcome; is_named: boolean | null };

async function begin(sql: TransactionSql, user: AccessClaims, order: Order): Promise<Begun> {
  const [row] = await sql<Begun[]>`
    select outcome, is_named from public.begin_export(
      ${user.userId}, ${user.sessionId}, ${user.aal}, ${order.type}, ${order.org_id})`;
  if (!row) throw new Error("begin_export answered nothing.");
  return row;
}

/** Writes down who exported what. */
async function trace(sql: Sql, { userId }: AccessClaims, { org_id, type }: Order): Promise<void> {
  await sql`select private.audit_as(${org_id}, ${userId}, 'data.exported', ${type}, null)`;
}

/** Writes the mark, the line of names and every row, each batch when the one before it has been taken. */
async function writeAll(
  sql: TransactionSql,
  { type, org_id, filters }: Order,
  isNamed: boolean,
  writer: WritableStreamDefaultWriter<string>,
): Promise<void> {
  const write = (text: string) => inTime(writer.write(text));
  const header = type === "customers" ? csvLine(exportsCopy.customers) : redemptionHeader(isNamed);
  await write(BYTE_ORDER_MARK + header);
  const wanted = sql.json(filters);
  if (type === "customers") {
    const rows = sql<CustomerRow[]>`select * from public.export_customers(${org_id}, ${wanted})`;
    for await (const batch of rows.cursor(EXPORT_BATCH))
      await write(batch.map(customerLine).join(""));
  } else {
    const rows = sql<
      RedemptionRow[]
    >`select * from public.export_redemptions(${org_id}, ${wanted}, ${isNamed})`;
    for await (const batch of rows.cursor(EXPORT_BATCH))
      await write(batch.map((row) => redemptionLine(row, isNamed)).join(""));
  }
}

/** The same, unless it takes too long. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The client takes nothing any more.")), STALLED_MS);
  });
  try {
    await Promise.race([work, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
