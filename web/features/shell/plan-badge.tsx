import { useWorkspace } from "../../lib/workspace.ts";
import { shellCopy } from "./shell.copy.ts";

/** The organisation's plan. */
export function PlanBadge() {
  const plan = useWorkspace()?.plan?.plan;
  if (!plan) return null;
  return (
    <p className="rounded-full bg-violet-soft px-3 py-1 text-sm font-semibold whitespace-nowrap text-ink">
      <span className="sr-only">{shellCopy.planLabel} : </span>
      {shellCopy.plans[plan]}
    </p>
  );
}
