import { type CodeLookup, redeemRequest } from "../_shared/domain/schemas/journey.ts";
import { hashOfKey, type KeyRefusal, presentedKey } from "../_shared/http/api-key.ts";
import { signedInUser } from "../_shared/http/bearer.ts";
import type { Deps } from "../_shared/http/deps.ts";
import { parseBody } from "../_shared/http/parse.ts";
import type { RefusalOptions } from "../_shared/http/respond.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type RedeemRow = {
  outcome:
    | "redeemed"
    | "used"
    | "expired"
    | "held"
    | "cancelled"
    | "other_store"
    | "test"
    | "unknown"
    | "forbidden"
    | "too_many_attempts"
    | "second_factor_required"
    | "session_ended"
    | KeyRefusal;
  /** Null for the last outcomes, and for a key that asks too often. */
  body: Omit<CodeLookup, "state"> | null;
};

/** User of a code: a member whose token was verified, or a program with a key of the API. */
type Caller = { key: string } | NonNullable<Awaited<ReturnType<Deps["verifyAccessToken"]>>>;

/**
 * `POST redeem { code, store_id }` with a member's session or a key of the API: uses a code at the till, once. Each
 * refusal has its own answer, and another merchant's code is answered like one that does not exist. A request whose answer
 * was lost gets it when it is repeated with the same `request_id`.
 */
export const handler = serve(
  { name: "redeem", method: "POST", failure: "internal_error" },
  async (request, deps) => {
    const caller = await callerOf(request, deps);
    if (!caller) return refuse("unauthenticated");
    const parsed = await parseBody(request, redeemRequest);
    if (!parsed.ok) return parsed.response;
    const row = await use(caller, parsed.body, deps, deps.clientAddress(request));
    if (!row?.body) return refuseCaller(row?.outcome);
    const { outcome, body } = row;
    switch (outcome) {
      case "redeemed":
        return json({
          code: body.code,
          reward: body.reward,
          customer: body.customer,
          used_at: body.used_at,
          undo_id: body.undo_id,
        });
      case "used":
        return refuse("code_used", withDetails({ used_at: body.used_at, used_by: body.used_by }));
      case "expired":
        return refuse("code_expired", withDetails({ expires_at: body.expires_at }));
      case "held":
        return refuse("code_held");
      case "cancelled":
        return refuse("code_cancelled");
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

async function callerOf(
  request: Request,
  deps: Pick<Deps, "verifyAccessToken">,
): Promise<Caller | null> {
  const key = presentedKey(request);
  return key ? { key } : signedInUser(request, deps);
}

async function use(
  caller: Caller,
  {
    code,
    store_id,
    request_id,
  }: { code: string; store_id: string; request_id?: string | undefined },
  { sql, keyedHash }: Pick<Deps, "sql" | "keyedHash">,
  address: string,
): Promise<RedeemRow | undefined> {
  const [row] =
    "key" in caller
      ? await sql<RedeemRow[]>`
          select * from public.redeem_code_with_key(
            ${hashOfKey(caller.key)}, ${keyedHash("api guess", address)}, ${code}, ${store_id},
            ${request_id ?? null})`
      : await sql<RedeemRow[]>`
          select * from public.redeem_code(
            ${caller.userId}, ${caller.sessionId}, ${caller.aal}, ${code}, ${store_id},
            ${request_id ?? null})`;
  return row;
}

/** Response to a caller without permission. */
function refuseCaller(outcome: RedeemRow["outcome"] | undefined): Response {
  switch (outcome) {
    case "second_factor_required":
    case "api_key_refused":
    case "api_not_in_plan":
    case "organization_suspended":
    case "organization_ending":
      return refuse(outcome);
    case "session_ended":
      return refuse("unauthenticated");
    case "too_many_attempts":
      return refuse(outcome, { retryAfter: 60 });
    default:
      return refuse("internal_error");
  }
}

/** Details of a refusal without those that are not known. */
function withDetails(details: Record<string, string | null | undefined>): RefusalOptions {
  return {
    details: Object.fromEntries(
      Object.entries(details).filter(([, value]) => value !== null && value !== undefined),
    ),
  };
}
