import { Link, lazyRouteComponent } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { type ReactNode, Suspense, useId, useState } from "react";
import { monthlyPrice, periodEarnings } from "#domain/rules/earnings.ts";
import type { PeriodReturn } from "#domain/schemas/back-office.ts";
import { inCents } from "#domain/text/in-cents.ts";
import { formatEuros, formatExactEuros, formatNumber, formatShare } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { AmountForm } from "../../../ui/forms/amount-form.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { daysOf } from "../period/period.ts";
import { assumptionFailure, useSaveReturnShare } from "./assumptions.mutations.ts";
import { ChosenOfSome } from "./chosen-of-some.tsx";

/** Loaded when the cost of each reward is opened. */
const RewardCosts = lazyRouteComponent(() => import("./reward-costs.tsx"), "RewardCosts");

const copy = dashboardCopy.earnings;
const shareCopy = dashboardCopy.earnings.share;

/** Makes the form of a store's average basket. */
export type BasketForm = (store: PeriodReturn["baskets"][number]) => ReactNode;

/** An amount in euros, to the cent. */
const inEuros = (amount: number) => formatExactEuros(inCents(amount));

type EarningsCardProps = {
  orgId: string;
  earned: PeriodReturn;
  dates: { from: string; to: string };
  basketForm: BasketForm;
};

/**
 * Earnings of some days: visits at each store's average basket, less rewards and subscription, each
 * said beside it.
 */
export function EarningsCard({ orgId, earned, dates, basketForm }: EarningsCardProps) {
  const costsId = useId();
  const [showsCosts, setShowsCosts] = useState(false);
  const { may, mayOpen } = useMay();
  const days = daysOf(dates);
  const { revenue, subscription, gain } = periodEarnings(earned, days);
  const price = monthlyPrice(earned.plan);
  const isKnown = earned.visits > earned.unestimated;
  const lines = [
    isKnown
      ? {
          label: copy.revenue,
          amount: revenue,
          made: copy.visits(
            earned.visits - earned.unestimated,
            earned.return_share < 100 ? formatShare(earned.return_share, 100) : null,
          ),
        }
      : {
          label: copy.worth,
          amount: null,
          made: may("stores.write") ? copy.unknown : copy.noBasket,
        },
    { label: copy.cost, amount: -earned.cost, made: copy.costMade },
    {
      label: copy.subscription,
      amount: -subscription,
      made: (
        <>
          {price === null ? copy.unpaid : copy.price(formatEuros(price), days)}
          {mayOpen("/pricing") && (
            <>
              {" · "}
              <Link to="/pricing" className="font-semibold underline underline-offset-4">
                {copy.changePlan}
              </Link>
            </>
          )}
        </>
      ),
    },
  ];
  return (
    <TitledCard title={copy.title} text={copy.text} folds>
      <div className="grid gap-6 lg:grid-cols-2 lg:gap-10">
        {earned.visits === 0 ? (
          <p className="text-pretty">{copy.quiet}</p>
        ) : (
          <dl className="grid content-start gap-4">
            <div>
              <dt className="font-medium text-muted">{isKnown ? copy.gain : copy.revenue}</dt>
              <dd className="font-display text-3xl font-bold tabular-nums">
                {isKnown ? inEuros(gain) : formatNumber(earned.visits)}
              </dd>
            </div>
            {lines.map(({ label, amount, made }) => (
              <div
                key={label}
                className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line pt-3"
              >
                <dt className="font-medium">{label}</dt>
                <dd className="text-right font-semibold tabular-nums">
                  {amount === null ? copy.toCome : inEuros(amount)}
                </dd>
                <dd className="col-span-2 text-sm text-muted">{made}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="grid content-start gap-4">
          {isKnown && earned.unestimated > 0 && (
            <p className="text-sm text-muted">{copy.unestimated(earned.unestimated)}</p>
          )}
          {earned.unpriced > 0 && (
            <p className="text-sm text-muted">
              {copy.unpriced(formatNumber(earned.unpriced), earned.unpriced === 1)}{" "}
              {may("rewards.write") && !showsCosts && (
                <button
                  type="button"
                  onClick={() => setShowsCosts(true)}
                  className="min-h-11 font-semibold underline underline-offset-4"
                >
                  {copy.fillIn}
                </button>
              )}
            </p>
          )}
          <Baskets baskets={earned.baskets} stores={earned.stores} basketForm={basketForm} />
          {isKnown && <ReturnShareForm orgId={orgId} share={earned.return_share} />}
          {earned.visits > 0 && (
            <div className="grid gap-3 border-t border-line pt-4">
              <Button
                variant="quiet"
                aria-expanded={showsCosts}
                aria-controls={costsId}
                onClick={() => setShowsCosts(!showsCosts)}
                className="-ml-4 justify-self-start"
              >
                {copy.costs.open}
                <ChevronDown
                  aria-hidden="true"
                  className={`size-5 ${showsCosts ? "rotate-180" : ""}`}
                />
              </Button>
              <div id={costsId}>
                {showsCosts && (
                  <Suspense fallback={<ListSkeleton />}>
                    <RewardCosts orgId={orgId} dates={dates} />
                  </Suspense>
                )}
              </div>
            </div>
          )}
        </div>
      </div>
    </TitledCard>
  );
}

/** Average baskets that the revenue rests on: each is shown, and edited in place. */
function Baskets(props: Pick<PeriodReturn, "baskets" | "stores"> & { basketForm: BasketForm }) {
  const { baskets, stores, basketForm } = props;
  const [only, ...others] = baskets;
  if (only && others.length === 0) return basketForm(only);
  return (
    <ChosenOfSome
      label={copy.baskets}
      items={baskets.map((store) => ({
        id: store.id,
        name: store.name,
        said: copy.basket(
          store.average_basket === null ? null : inEuros(store.average_basket),
          store.visits,
        ),
        form: basketForm(store),
      }))}
      more={stores > baskets.length ? copy.more(stores - baskets.length) : null}
    />
  );
}

/** A share as it was typed, « 80 » or « 80 % »; undefined when invalid. */
function readShare(typed: string): number | undefined {
  const text = typed.replaceAll(/[\s%]/g, "");
  return /^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : undefined;
}

/** How many of a hundred codes used brought their customer back, for members who may change the organisation. */
function ReturnShareForm({ orgId, share }: { orgId: string; share: number }) {
  const save = useSaveReturnShare(orgId, share);
  if (!useMay().may("organization.update")) return null;
  return (
    <AmountForm
      name="return share"
      copy={shareCopy}
      hint={shareCopy.hint}
      text={String(share)}
      read={readShare}
      save={save}
      failure={(error) => assumptionFailure(error, shareCopy)}
    />
  );
}
