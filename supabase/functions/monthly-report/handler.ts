import type { ErrorCode } from "../_shared/domain/errors/errors.ts";
import { monthlyReport, monthlyReportRequest } from "../_shared/domain/schemas/monthly-report.ts";
import { signedInUser } from "../_shared/http/bearer.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { file, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import { monthlyReportCopy } from "../_shared/report/monthly-report.copy.ts";

type Refusal =
  | "session_ended"
  | "second_factor_required"
  | "forbidden"
  | "closed"
  | "plan"
  | "month"
  | "too_many_attempts";

const REFUSALS: Readonly<Record<Refusal, ErrorCode>> = {
  session_ended: "unauthenticated",
  second_factor_required: "second_factor_required",
  forbidden: "export_forbidden",
  closed: "reading_closed",
  // Where the plan leaves these figures out, no screen offers the file.
  plan: "export_forbidden",
  month: "invalid_request",
  too_many_attempts: "too_many_attempts",
};

/** `Retry-After` of a client over its limit, in seconds. */
const RETRY_S = 600;

type Answer = { outcome: "made"; report: unknown } | { outcome: Refusal; report: null };

/** `POST monthly-report { org_id, month }` with a member's session: the figures of a month that is over, as a PDF. */
export const handler = serve(
  { name: "monthly-report", method: "POST", failure: "internal_error" },
  async (request, { sql, verifyAccessToken }) => {
    const user = await signedInUser(request, { verifyAccessToken });
    if (!user) return refuse("unauthenticated");
    const parsed = await parseBody(request, monthlyReportRequest);
    if (!parsed.ok) return parsed.response;
    const { org_id, month } = parsed.body;
    const [row] = await sql<Answer[]>`
      select outcome, report from public.monthly_report(
        ${user.userId}, ${user.sessionId}, ${user.aal}, ${org_id}, ${month})`;
    if (!row) throw new Error("monthly_report answered nothing.");
    if (row.outcome !== "made") {
      const retry = row.outcome === "too_many_attempts" ? { retryAfter: RETRY_S } : {};
      return refuse(REFUSALS[row.outcome], retry);
    }
    // Only here: a server that starts prints nothing.
    const { printReport } = await import("../_shared/report/print-report.ts");
    return file(await printReport(monthlyReport.parse(row.report)), {
      type: "application/pdf",
      name: monthlyReportCopy.file(month.slice(0, 7)),
    });
  },
);
