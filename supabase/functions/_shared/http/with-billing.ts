import type { TransactionSql } from "postgres";
import type { ErrorCode } from "../domain/errors/errors.ts";
import { signedInUser } from "./bearer.ts";
import type { Deps } from "./deps.ts";
import type { Payments } from "./payments.ts";
import { refuse } from "./respond.ts";

type Outcome = "granted" | "session_ended" | "second_factor_required" | "forbidden";

const REFUSALS: Readonly<Record<Exclude<Outcome, "granted">, ErrorCode>> = {
  session_ended: "unauthenticated",
  second_factor_required: "second_factor_required",
  forbidden: "billing_forbidden",
};

/** An organisation as its owner or admin deals with the payment provider. */
type BillingAccount = {
  org_id: string;
  org_name: string;
  /** Address of the person who asks. */
  email: string | null;
  plan: string;
  status: string;
  customer_id: string | null;
  subscription_id: string | null;
};

/** Dependencies of the work. */
export type BillingWork = {
  /** Transaction that holds the organisation's billing lock. */
  sql: TransactionSql;
  payments: Payments;
  account: BillingAccount;
};

/**
 * Does work at the payment provider for an organisation: only for its owner or admin as the session says
 * (identifiers that the request names only have to agree), and one at a time. `orgId` null is their own.
 */
export async function withBilling(
  request: Request,
  deps: Deps,
  orgId: string | null,
  work: (parts: BillingWork) => Promise<Response>,
): Promise<Response> {
  const user = await signedInUser(request, deps);
  if (!user) return refuse("unauthenticated");
  const { payments } = deps;
  return (payments?.sql ?? deps.sql).begin(async (sql) => {
    const [account] = await sql<(BillingAccount & { outcome: Outcome })[]>`
      select * from public.begin_billing(${user.userId}, ${user.sessionId}, ${user.aal}, ${orgId})`;
    if (!account) throw new Error("begin_billing answered nothing.");
    if (account.outcome !== "granted") return refuse(REFUSALS[account.outcome]);
    return payments ? work({ sql, payments, account }) : refuse("payments_off");
  });
}
