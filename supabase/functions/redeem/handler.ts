import { type CodeLookup, redeemRequest } from "../_shared/domain/journey.ts";
import { parseBody } from "../_shared/http/parse.ts";
import type { RefusalOptions } from "../_shared/http/respond.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type RedeemRow = {
  outcome:
    | "redeemed"
    | "used"
    | "expired"
    | "other_store"
    | "test"
    | "unknown"
    | "forbidden"
    | "too_many_attempts"
    | "second_factor_required"
    | "session_ended";
  /** Null for the last two outcomes. */
  body: Omit<CodeLookup, "state"> | null;
};

/**
 * `POST redeem { code, store_id }` with a member's session: uses a code at the till, once. Each refusal
 * has its own answer, and another merchant's code is answered like one that does not exist.
 */
export const handler = serve(
  { name: "redeem", method: "POST", failure: "internal_error" },
  async (request, { sql, verifyAccessToken }) => {
    const token = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const user = token ? await verifyAccessToken(token) : null;
    if (!user) return refuse("unauthenticated");
    const parsed = await parseBody(request, redeemRequest);
    if (!parsed.ok) return parsed.response;
    const { code, store_id } = parsed.body;

    const [row] = await sql<RedeemRow[]>`
      select * from public.redeem_code(
        ${user.userId}, ${user.sessionId}, ${user.aal}, ${code}, ${store_id})`;
    if (row?.outcome === "second_factor_required") return refuse("second_factor_required");
    if (row?.outcome === "session_ended") return refuse("unauthenticated");
    if (!row?.body) return refuse("internal_error");
    const { outcome, body } = row;
    switch (outcome) {
      case "redeemed":
        return json({
          code: body.code,
          reward: body.reward,
          customer: body.customer,
          used_at: body.used_at,
        });
      case "used":
        return refuse("code_used", withDetails({ used_at: body.used_at, used_by: body.used_by }));
      case "expired":
        return refuse("code_expired", withDetails({ expires_at: body.expires_at }));
      case "other_store":
        return refuse("code_other_store", withDetails({ store_name: body.store?.name }));
      case "test":
        return refuse("code_test");
      case "unknown":
        return refuse("code_not_found");
      case "too_many_attempts":
        return refuse("too_many_attempts", { retryAfter: 60 });
      default:
        return refuse("forbidden");
    }
  },
);

/** Details of a refusal without those that are not known. */
function withDetails(details: Record<string, string | null | undefined>): RefusalOptions {
  return {
    details: Object.fromEntries(
      Object.entries(details).filter(([, value]) => value !== null && value !== undefined),
    ),
  };
}
