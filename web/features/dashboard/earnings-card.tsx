import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode, useId, useState } from "react";
import { monthlyPrice, periodEarnings } from "#domain/rules/earnings.ts";
import type { PeriodReturn } from "#domain/schemas/back-office.ts";
import { formatCount, formatEuros, formatExactEuros, formatNumber } from "../../lib/format.ts";
import { useMay } from "../../lib/use-may.ts";
import { dashboardCopy } from "./dashboard.copy.ts";

const copy = dashboardCopy.earnings;

/** Makes the form of a store's average basket. */
export type BasketForm = (store: PeriodReturn["baskets"][number]) => ReactNode;

/** An amount in euros, to the cent; nothing has no sign. */
const inEuros = (amount: number) => formatExactEuros(Math.round(amount * 100) || 0);

type EarningsCardProps = { earned: PeriodReturn; days: number; basketForm: BasketForm };

/** What some days brought: visits at each store's average basket, less rewards and subscription, each said beside it. */
export function EarningsCard({ earned, days, basketForm }: EarningsCardProps) {
  const titleId = useId();
  const mayPrice = useMay().mayOpen("/rewards/$rewardId/edit");
  const { subscription, gain } = periodEarnings(earned, days);
  const price = monthlyPrice(earned.plan);
  const isKnown = earned.visits > earned.unestimated;
  const lines = [
    {
      label: copy.revenue,
      amount: earned.revenue,
      made: copy.visits(earned.visits - earned.unestimated),
    },
    { label: copy.cost, amount: -earned.cost, made: copy.costMade },
    {
      label: copy.subscription,
      amount: -subscription,
      made: price === null ? copy.unpaid : copy.price(formatEuros(price), days),
    },
  ];
  return (
    <section
      aria-labelledby={titleId}
      className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6"
    >
      <div className="grid gap-1">
        <h2 id={titleId} className="text-xl">
          {copy.title}
        </h2>
        <p className="text-pretty text-muted">{copy.text}</p>
      </div>
      <div className="grid gap-6 lg:grid-cols-2 lg:gap-10">
        {isKnown ? (
          <dl className="grid content-start gap-4">
            <div>
              <dt className="font-medium text-muted">{copy.gain}</dt>
              <dd className="font-display text-3xl font-bold tabular-nums">{inEuros(gain)}</dd>
            </div>
            {lines.map(({ label, amount, made }) => (
              <div
                key={label}
                className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line pt-3"
              >
                <dt className="font-medium">{label}</dt>
                <dd className="text-right font-semibold tabular-nums">{inEuros(amount)}</dd>
                <dd className="col-span-2 text-sm text-muted">{made}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="text-pretty">
            {earned.visits === 0
              ? copy.quiet
              : copy.unknown(formatCount(earned.visits, copy.visit, copy.someVisits))}
          </p>
        )}
        <div className="grid content-start gap-4">
          {isKnown && earned.unestimated > 0 && (
            <p className="text-sm text-muted">{copy.unestimated(earned.unestimated)}</p>
          )}
          {earned.unpriced > 0 && (
            <p className="text-sm text-muted">
              {copy.unpriced(formatNumber(earned.unpriced), earned.unpriced === 1)}{" "}
              {mayPrice && (
                <Link to="/rewards" className="font-semibold underline underline-offset-4">
                  {copy.fillIn}
                </Link>
              )}
            </p>
          )}
          <Baskets baskets={earned.baskets} stores={earned.stores} basketForm={basketForm} />
        </div>
      </div>
    </section>
  );
}

/** Average baskets that the revenue rests on: each is shown, and changed where it stands. */
function Baskets(props: Pick<PeriodReturn, "baskets" | "stores"> & { basketForm: BasketForm }) {
  const { baskets, stores, basketForm } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const current = baskets.find(({ id }) => id === chosen) ?? baskets[0];
  if (!current) return null;
  return (
    <div className="grid gap-3">
      {baskets.length > 1 && (
        <ul aria-label={copy.baskets} className="divide-y divide-line">
          {baskets.map(({ id, name, average_basket, visits }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
              <button
                type="button"
                aria-pressed={id === current.id}
                onClick={() => setChosen(id)}
                className="min-h-11 text-left font-semibold underline-offset-4 hover:underline aria-pressed:text-violet"
              >
                {name}
              </button>
              <span className="text-sm text-muted tabular-nums">
                {copy.basket(average_basket === null ? null : inEuros(average_basket), visits)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {stores > baskets.length && (
        <p className="text-sm text-muted">{copy.more(stores - baskets.length)}</p>
      )}
      <Fragment key={current.id}>{basketForm(current)}</Fragment>
    </div>
  );
}
