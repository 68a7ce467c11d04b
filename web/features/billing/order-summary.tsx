import { amountsOf, type Billing, type PaidPlan } from "#domain/plans.ts";
import { formatEuros } from "../../lib/format.ts";
import { checkoutCopy as copy } from "./checkout.copy.ts";

/** What is bought, and what it comes to with tax. */
export function OrderSummary({ plan, billing }: { plan: PaidPlan; billing: Billing }) {
  const amounts = amountsOf(plan, billing);
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-xl">{copy.plan[plan]}</h2>
        <p className="text-muted">{copy.perMonth(formatEuros(amounts.perMonth))}</p>
        <p className="w-full text-muted">{copy.billing[billing]}</p>
      </div>
      <dl className="grid gap-2 tabular-nums">
        <Line label={copy.subtotal[billing]} amount={amounts.total} />
        {amounts.savings > 0 && <Line label={copy.discount} amount={amounts.savings} isAside />}
        <Line label={copy.vat} amount={amounts.vat} />
      </dl>
    </div>
  );
}

type LineProps = { label: string; amount: number; isAside?: boolean };

function Line({ label, amount, isAside = false }: LineProps) {
  return (
    <div className={`flex justify-between gap-4 ${isAside ? "text-sm text-mint-ink" : ""}`}>
      <dt className={isAside ? "" : "text-muted"}>{label}</dt>
      <dd>{formatEuros(amount)}</dd>
    </div>
  );
}
