import type { StoreStats } from "#domain/stores.ts";
import { formatNumber } from "../../lib/format.ts";
import { storeStatsCopy as copy } from "./store-stats.copy.ts";

const STEPS = ["scans", "reviews", "spins", "wins", "redemptions"] as const;

/** How many come from one step of the journey to the next. */
export function StoreFunnel({ figures }: Pick<StoreStats, "figures">) {
  const widest = Math.max(1, ...STEPS.map((step) => figures[step]));
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{copy.funnel}</h2>
      <dl className="grid gap-4">
        {STEPS.map((step) => (
          <div key={step} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
            <dt className="font-medium">{copy.steps[step]}</dt>
            <dd className="font-semibold tabular-nums">{formatNumber(figures[step])}</dd>
            <dd aria-hidden="true" className="col-span-2">
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                className="h-3 w-full rounded-full bg-line"
                aria-hidden="true"
              >
                <rect width={(figures[step] / widest) * 100} height="4" className="fill-accent" />
              </svg>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
