import type { BillingOverview } from "#domain/schemas/billing.ts";
import type { Subscribed } from "./plan-action.ts";

/** Part of an organisation's subscription that the pricing page needs. */
export function subscribedFrom(overview: BillingOverview): Subscribed {
  if (!overview) return null;
  const isOver =
    overview.plan === "free_trial" ? !overview.is_open : overview.status === "canceled";
  const { plan, billing, may_manage: mayManage } = overview;
  return { plan, hasEnded: isOver, billing, mayManage };
}
