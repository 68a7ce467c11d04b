import type { Billing, Plan } from "#domain/rules/plan-names.ts";
import { amountsOf } from "#domain/rules/plans.ts";
import { formatEuros } from "../../lib/format.ts";
import { pricingCopy as copy } from "./pricing.copy.ts";

const FIGURE = "font-display text-3xl font-bold tabular-nums";

/** What a plan costs a month, and by the year what one pays and saves. */
export function PlanPrice({ plan, billing }: { plan: Plan; billing: Billing }) {
  if (plan === "free_trial") {
    return (
      <div className="grid min-h-26 content-start gap-1">
        <p className={FIGURE}>{copy.free}</p>
        <p className="text-muted">{copy.durations.free_trial}</p>
      </div>
    );
  }
  const amounts = amountsOf(plan, billing);
  return (
    <div className="grid min-h-26 content-start gap-1">
      <p>
        <span className={FIGURE}>{formatEuros(amounts.perMonth)}</span>{" "}
        <span className="text-muted">{copy.durations.paid}</span>
      </p>
      {billing === "monthly" ? (
        <p className="text-muted">{copy.monthlyNote}</p>
      ) : (
        <>
          <p className="text-muted">
            <span className="font-semibold text-ink">
              {copy.yearly.total(formatEuros(amounts.total))}
            </span>{" "}
            <s>{copy.yearly.original(formatEuros(amounts.original))}</s>
          </p>
          <p className="font-semibold text-mint-ink">
            {copy.yearly.savings(formatEuros(amounts.savings))}
          </p>
        </>
      )}
    </div>
  );
}
