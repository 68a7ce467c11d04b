import { amountsOf, type Billing, type PaidPlan } from "#domain/rules/plans.ts";
import { formatEuros } from "../../lib/format.ts";
import { checkoutCopy as copy } from "./checkout.copy.ts";

/** What is bought. */
export function OrderSummary({ plan, billing }: { plan: PaidPlan; billing: Billing }) {
  const { perMonth, savings } = amountsOf(plan, billing);
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 className="text-xl">{copy.plan[plan]}</h2>
      <p className="text-muted">{copy.perMonth(formatEuros(perMonth))}</p>
      <p className="w-full text-muted">{copy.billing[billing]}</p>
      {savings > 0 && (
        <p className="flex w-full justify-between gap-4 text-sm text-mint-ink tabular-nums">
          {copy.discount} <span>{formatEuros(savings)}</span>
        </p>
      )}
    </div>
  );
}
