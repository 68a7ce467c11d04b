import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../lib/workspace.ts";
import { shellCopy } from "./shell.copy.ts";

/** The organisation's plan, and the way to the others. */
export function PlanBadge() {
  const plan = useWorkspace()?.plan?.plan;
  if (!plan) return null;
  return (
    <Link to="/pricing" preload={false} className="group -mx-1 flex min-h-11 items-center px-1">
      <span className="rounded-full bg-violet-soft px-3 py-1 text-sm font-semibold whitespace-nowrap text-ink group-hover:underline">
        <span className="sr-only">{shellCopy.planLabel} : </span>
        {shellCopy.plans[plan]}
      </span>
    </Link>
  );
}
