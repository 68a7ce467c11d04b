import type { Funnel } from "#domain/schemas/campaign-stats.ts";
import { chartsCopy } from "./charts.copy.ts";
import { FunnelChart } from "./funnel-chart.tsx";

const copy = chartsCopy.visits;

const STEPS = ["scans", "reviews", "spins", "wins", "redemptions"] as const;

/** Funnel of customers who left a review, from the scan to the code used at the till; the others stand below it. */
export function VisitFunnel({ funnel, hint }: { funnel: Funnel; hint?: string }) {
  const { free } = funnel;
  return (
    <section className="grid gap-4 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div>
        <h2 className="text-xl">{copy.funnel}</h2>
        <p className="text-sm text-pretty text-muted">
          {hint && `${hint} `}
          {copy.funnelHint}
        </p>
      </div>
      <FunnelChart
        steps={STEPS.map((step) => ({
          label: copy.steps[step],
          count: funnel[step],
          more: step === "scans" ? "" : copy.more[step],
        }))}
      />
      {free.spins > 0 && (
        <p className="border-t border-line pt-4 text-sm text-pretty text-muted tabular-nums">
          {copy.free(free.spins, free.wins, free.redemptions)}
        </p>
      )}
    </section>
  );
}
