import type { Sql, TransactionSql } from "postgres";
import type { ErrorCode } from "../_shared/domain/errors/errors.ts";
import { organizationExportRequest } from "../_shared/domain/schemas/settings.ts";
import { signedInUser } from "../_shared/http/bearer.ts";
import type { AccessClaims } from "../_shared/http/deps.ts";
import { type Begun, exportDay, exportFrom } from "../_shared/http/export.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { refuse, streamFile } from "../_shared/http/respond.ts";
import { READER_LIMITS } from "../_shared/http/send-to.ts";
import { serve } from "../_shared/http/serve.ts";
import { archiveOf } from "./archive.ts";
import { exportOrganizationCopy as copy } from "./export-organization.copy.ts";
import type { ExportTable } from "./rows.ts";

type Refusal = "session_ended" | "second_factor_required" | "forbidden" | "closed" | "busy";

const REFUSALS: Readonly<Record<Refusal, ErrorCode>> = {
  session_ended: "unauthenticated",
  second_factor_required: "second_factor_required",
  forbidden: "export_owner_only",
  closed: "reading_closed",
  busy: "export_busy",
};

/**
 * `POST export-organization { org_id }` with the owner's session: everything of the organisation as one ZIP,
 * as it was at one instant. Rows go from the database to the client as fast as the client takes them.
 */
export const handler = serve(
  { name: "export-organization", method: "POST", failure: "internal_error" },
  async (request, { sql, now, verifyAccessToken, readerLimits = READER_LIMITS }, fail) => {
    const user = await signedInUser(request, { verifyAccessToken });
    if (!user) return refuse("unauthenticated");
    const parsed = await parseBody(request, organizationExportRequest);
    if (!parsed.ok) return parsed.response;
    const orgId = parsed.body.org_id;
    const day = exportDay(now());

    // Written down first, and for good: an export that is broken off has taken its part, too.
    const noted = await sql.begin((transaction) => begin(transaction, user, orgId, true));
    if (noted.outcome !== "started") return refused(noted.outcome);
    const begun = await exportFrom<Refusal>(sql, {
      ask: (on) => begin(on, user, orgId, false),
      partsFor: async (transaction) => {
        const tables = await transaction<ExportTable[]>`
          select name, columns, query from public.export_organization(${orgId})`;
        return archiveOf(transaction, tables, day);
      },
      // One instant for all tables.
      isolation: "isolation level repeatable read",
      limits: readerLimits,
      fail,
    });
    if ("refusal" in begun) return refused(begun.refusal);
    return streamFile(begun.body, {
      // Whatever reads the answer takes this for bytes, never for a text.
      type: "application/octet-stream",
      name: `${copy.archive}-${day}.zip`,
    });
  },
);

function refused(outcome: Refusal): Response {
  return refuse(REFUSALS[outcome], outcome === "busy" ? { retryAfter: 10 } : {});
}

async function begin(
  sql: Sql | TransactionSql,
  user: AccessClaims,
  orgId: string,
  isNoted: boolean,
): Promise<Begun<Refusal>> {
  const [row] = await sql<Begun<Refusal>[]>`
    select public.begin_export_organization(
      ${user.userId}, ${user.sessionId}, ${user.aal}, ${orgId}, ${isNoted}) as outcome`;
  if (!row) throw new Error("begin_export_organization answered nothing.");
  return row;
}
