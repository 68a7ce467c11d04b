import { Link } from "@tanstack/react-router";
import { AppError } from "../../lib/app-error.ts";
import { useMay } from "../../lib/use-may.ts";
import { uiCopy } from "../ui.copy.ts";

/** Refusals for which another plan is the way on: campaigns, users, stores, and a plan that is over. */
const OF_THE_PLAN: readonly string[] = ["TV001", "TV002", "TV003", "subscription_closed"];

/** Under a refusal: the way to the plans, where it is the plan that refuses; nothing otherwise. */
export function WayToPlans({ error }: { error: unknown }) {
  const { mayOpen } = useMay();
  if (!(error instanceof AppError && OF_THE_PLAN.includes(error.code))) return null;
  if (!mayOpen("/pricing")) return null;
  return (
    <Link
      to="/pricing"
      className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
    >
      {uiCopy.seePlans}
    </Link>
  );
}
