import { Link } from "@tanstack/react-router";
import { formatNumber } from "../../lib/format.ts";
import { useMay } from "../../lib/use-may.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { teamCopy } from "./team.copy.ts";

const copy = teamCopy.full;

/** All seats of the plan are taken: says so where somebody wants one more, with the way to more. */
export function SeatsNotice({ limit }: { limit: number }) {
  const mayUpgrade = useMay().mayOpen("/pricing");
  return (
    <div
      role="status"
      className="grid justify-items-start gap-3 rounded-field bg-sun-soft p-4 text-sun-ink"
    >
      <div className="grid gap-1">
        <p className="font-semibold">{copy.text(formatNumber(limit))}</p>
        <p>{copy.hint}</p>
      </div>
      {mayUpgrade && (
        <Link to="/pricing" className={buttonClass()}>
          {copy.upgrade}
        </Link>
      )}
    </div>
  );
}
