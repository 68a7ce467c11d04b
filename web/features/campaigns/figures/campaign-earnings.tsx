import { Link } from "@tanstack/react-router";
import { type Earnings, earningsOf } from "#domain/rules/earnings.ts";
import type { CampaignReturn } from "#domain/schemas/campaign-stats.ts";
import { inCents } from "#domain/text/in-cents.ts";
import { formatEuros, formatNumber, formatShare, formatSignedShare } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { AverageBasketForm } from "./average-basket-form.tsx";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.earnings;

type CampaignEarningsProps = { earned: CampaignReturn; storeName: string };

/** Cost of the used rewards against the worth of the visits that they brought back. */
export function CampaignEarnings({ earned, storeName }: CampaignEarningsProps) {
  const { visits, return_share, cost, unpriced } = earned;
  const earnings = earningsOf(earned);
  const { may, mayOpen } = useMay();
  const mayPrice = mayOpen("/rewards/$rewardId/edit");
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div className="grid gap-1">
        <h2 className="text-xl">{copy.title}</h2>
        <p className="text-pretty text-muted">{copy.text}</p>
      </div>
      {earnings ? (
        <Balance earnings={earnings} visits={visits} cost={cost} />
      ) : (
        <p>{may("stores.write") ? copy.unknown : copy.noBasket}</p>
      )}
      {return_share < 100 && (
        <p className="text-sm text-muted">{copy.share(formatShare(return_share, 100))}</p>
      )}
      {unpriced > 0 && (
        <p className="text-sm text-muted">
          {copy.unpriced(formatNumber(unpriced), unpriced === 1)}{" "}
          {mayPrice && (
            <Link to="/rewards" className="font-semibold underline underline-offset-4">
              {copy.price}
            </Link>
          )}
        </p>
      )}
      <AverageBasketForm
        key={earned.store_id}
        storeId={earned.store_id}
        storeName={storeName}
        basket={earned.average_basket}
      />
    </section>
  );
}

function inEuros(amount: number): string {
  return formatEuros(inCents(amount));
}

function Balance(props: { earnings: Earnings; visits: number; cost: number }) {
  const { earnings, visits, cost } = props;
  const widest = Math.max(1, earnings.revenue, cost);
  const bars = [
    { label: copy.revenue, amount: earnings.revenue, look: "fill-mint" },
    { label: copy.cost, amount: cost, look: "fill-sun" },
  ];
  return (
    <dl className="grid gap-4">
      <div>
        <dt className="font-medium text-muted">{copy.gain}</dt>
        <dd className="font-display text-3xl font-bold tabular-nums">{inEuros(earnings.gain)}</dd>
        {earnings.ratio !== null && (
          <dd className="text-muted tabular-nums">
            {copy.ratio(formatSignedShare(earnings.ratio))}
          </dd>
        )}
      </div>
      {bars.map(({ label, amount, look }) => (
        <div key={label} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
          <dt className="font-medium">{label}</dt>
          <dd className="font-semibold tabular-nums">{inEuros(amount)}</dd>
          <dd aria-hidden="true" className="col-span-2">
            <svg
              viewBox="0 0 100 4"
              preserveAspectRatio="none"
              aria-hidden="true"
              className="block h-3 w-full rounded-full bg-line [print-color-adjust:exact]"
            >
              <rect width={(amount / widest) * 100} height={4} className={look} />
            </svg>
          </dd>
        </div>
      ))}
      <div className="flex justify-between gap-4">
        <dt className="font-medium">{copy.visits}</dt>
        <dd className="font-semibold tabular-nums">{formatNumber(visits)}</dd>
      </div>
    </dl>
  );
}
