import type { Workspace } from "#domain/journey.ts";
import type { Subscribed } from "./plan-action.ts";

/** What the pricing page needs of an organisation's plan. */
export function subscribedFrom(plan: Workspace["plan"]): Subscribed {
  if (!plan) return null;
  const isOver = plan.plan === "free_trial" ? !plan.is_open : plan.status === "canceled";
  return { plan: plan.plan, hasEnded: isOver, billing: null };
}
