import { Link } from "@tanstack/react-router";
import { AppError } from "../../lib/app-error.ts";
import { useMay } from "../../lib/use-may.ts";
import { isUnpaid, useWorkspace } from "../../lib/workspace.ts";
import { uiCopy } from "../ui.copy.ts";
import { billingOwnersCopy } from "./billing-owners.copy.ts";

/** Refusals for which another plan is the way on: campaigns, users, stores, and a plan that is over. */
const OF_THE_PLAN: readonly string[] = ["TV001", "TV002", "TV003", "subscription_closed"];

const LOOK = "inline-flex min-h-11 items-center font-semibold underline underline-offset-4";

/**
 * Under a refusal by the plan: the way to the plans, or to an open bill, and whom to ask without the permission to go there;
 * nothing under any other.
 */
export function WayToPlans({ error }: { error: unknown }) {
  const { may } = useMay();
  const plan = useWorkspace()?.plan;
  if (!(error instanceof AppError && OF_THE_PLAN.includes(error.code))) return null;
  if (!may("billing.manage")) return <p>{billingOwnersCopy.ask}</p>;
  if (isUnpaid(plan)) {
    return (
      <Link to="/settings" search={{ section: "subscription", pay: true }} className={LOOK}>
        {billingOwnersCopy.pay}
      </Link>
    );
  }
  return (
    <Link to="/pricing" className={LOOK}>
      {uiCopy.seePlans}
    </Link>
  );
}
