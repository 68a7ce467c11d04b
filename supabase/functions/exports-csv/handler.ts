import type { Sql, TransactionSql } from "postgres";
import type * as z from "zod/mini";
import type { ErrorCode } from "../_shared/domain/errors/errors.ts";
import { exportRequest } from "../_shared/domain/schemas/customers.ts";
import { listFileName } from "../_shared/domain/text/list-file-name.ts";
import { signedInUser } from "../_shared/http/bearer.ts";
import { BYTE_ORDER_MARK, csvLine } from "../_shared/http/csv.ts";
import type { AccessClaims } from "../_shared/http/deps.ts";
import { type Begun, EXPORT_BATCH, exportDay, exportFrom } from "../_shared/http/export.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { refuse, streamFile } from "../_shared/http/respond.ts";
import { READER_LIMITS } from "../_shared/http/send-to.ts";
import { serve } from "../_shared/http/serve.ts";
import { exportsCopy } from "./exports.copy.ts";
import {
  type CampaignRow,
  type CustomerRow,
  campaignLine,
  customerLine,
  type RedemptionRow,
  type ReviewRow,
  redemptionHeader,
  redemptionLine,
  reviewHeader,
  reviewLine,
} from "./rows.ts";

type Order = z.infer<typeof exportRequest>;
type Refusal =
  | "session_ended"
  | "second_factor_required"
  | "forbidden"
  | "closed"
  | "plan"
  | "busy";

const REFUSALS: Readonly<Record<Refusal, ErrorCode>> = {
  session_ended: "unauthenticated",
  second_factor_required: "second_factor_required",
  forbidden: "export_forbidden",
  closed: "reading_closed",
  plan: "export_not_in_plan",
  busy: "export_busy",
};

/**
 * `POST exports-csv { type, org_id, filters }` with a member's session: customers, codes, reviews or campaigns
 * as a file for spreadsheets. Rows go from a cursor of the database to the client, as fast as the client takes them.
 */
export const handler = serve(
  { name: "exports-csv", method: "POST", failure: "internal_error" },
  async (request, { sql, now, verifyAccessToken, readerLimits = READER_LIMITS }, fail) => {
    const user = await signedInUser(request, { verifyAccessToken });
    if (!user) return refuse("unauthenticated");
    const parsed = await parseBody(request, exportRequest);
    if (!parsed.ok) return parsed.response;
    const order = parsed.body;

    let subject = "";
    const begun = await exportFrom<Refusal>(sql, {
      ask: (on) => begin(on, user, order),
      partsFor: async (transaction, { is_named }) => {
        // First, and in a transaction of its own: an export that is broken off has taken its part, too.
        await trace(sql, user, order);
        subject = await subjectOf(transaction, order);
        const reading = { order, userId: user.userId, isNamed: is_named === true, now: now() };
        return partsOf(transaction, reading);
      },
      limits: readerLimits,
      fail,
    });
    if ("refusal" in begun) {
      const retry = begun.refusal === "busy" ? { retryAfter: 10 } : {};
      return refuse(REFUSALS[begun.refusal], retry);
    }
    return streamFile(begun.body, {
      type: "text/csv; charset=utf-8",
      name: listFileName(order.type, subject, exportDay(now())),
    });
  },
);

async function begin(
  sql: Sql | TransactionSql,
  user: AccessClaims,
  order: Order,
): Promise<Begun<Refusal>> {
  const [row] = await sql<Begun<Refusal>[]>`
    select outcome, is_named from public.begin_export(
      ${user.userId}, ${user.sessionId}, ${user.aal}, ${order.type}, ${order.org_id})`;
  if (!row) throw new Error("begin_export answered nothing.");
  return row;
}

/** The reward whose codes are exported, by its name; "" for another list. */
async function subjectOf(sql: TransactionSql, order: Order): Promise<string> {
  if (order.type !== "redemptions" || order.filters.reward_id === undefined) return "";
  const [reward] = await sql<{ name: string }[]>`
    select name from public.rewards where org_id = ${order.org_id} and id = ${order.filters.reward_id}`;
  return reward?.name ?? "";
}

/** Writes down who exported what. */
async function trace(sql: Sql, { userId }: AccessClaims, { org_id, type }: Order): Promise<void> {
  await sql`select private.audit_as(${org_id}, ${userId}, 'data.exported', ${type}, null)`;
}

/** Order of a file, with who asked for it, whether customers are named to them, and when. */
type Reading = { order: Order; userId: string; isNamed: boolean; now: Date };

/** The mark, the line of names and every row, in portions. */
async function* partsOf(sql: TransactionSql, reading: Reading): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(BYTE_ORDER_MARK + headerOf(reading));
  for await (const lines of linesOf(sql, reading)) yield encoder.encode(lines);
}

function headerOf({ order: { type }, isNamed }: Reading): string {
  if (type === "redemptions") return redemptionHeader(isNamed);
  return type === "reviews" ? reviewHeader(isNamed) : csvLine(exportsCopy[type]);
}

function linesOf(
  sql: TransactionSql,
  { order: { type, org_id, filters }, userId, isNamed, now }: Reading,
): AsyncGenerator<string> {
  const wanted = sql.json(filters);
  switch (type) {
    case "customers":
      return written<CustomerRow>(
        sql<CustomerRow[]>`select * from public.export_customers(${org_id}, ${wanted})`,
        customerLine,
      );
    case "redemptions":
      return written<RedemptionRow>(
        sql<
          RedemptionRow[]
        >`select * from public.export_redemptions(${org_id}, ${wanted}, ${isNamed})`,
        (row) => redemptionLine(row, isNamed),
      );
    case "reviews":
      return written<ReviewRow>(
        sql<
          ReviewRow[]
        >`select * from public.export_reviews(${org_id}, ${userId}, ${wanted}, ${isNamed})`,
        (row) => reviewLine(row, isNamed),
      );
    case "campaigns":
      return written<CampaignRow>(
        sql<CampaignRow[]>`select * from public.export_campaigns(${org_id}, ${wanted})`,
        (row) => campaignLine(row, now),
      );
  }
}

/** Rows as lines, a batch at a time from a cursor of the database. */
async function* written<Row>(
  rows: { cursor: (rows: number) => AsyncIterable<readonly Row[]> },
  line: (row: Row) => string,
): AsyncGenerator<string> {
  for await (const batch of rows.cursor(EXPORT_BATCH)) yield batch.map(line).join("");
}
