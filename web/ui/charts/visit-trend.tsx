import type { VisitDays } from "#domain/schemas/campaign-stats.ts";
import { chartsCopy } from "./charts.copy.ts";
import { TrendChart } from "./trend-chart.tsx";
import type { TrendSeries } from "./trend-series.ts";

const copy = chartsCopy.visits;

const SERIES: readonly TrendSeries[] = [
  { label: copy.steps.scans, tone: "violet" },
  { label: copy.steps.reviews, tone: "rose" },
  { label: copy.steps.spins, tone: "green" },
];

type VisitTrendProps = {
  days: VisitDays;
  /** Words for the days; those of the last 30 days without it. */
  words?: { trend: string; trendTitle: string; quiet: string };
};

/** Scans, reviews and turns of each day. */
export function VisitTrend({ days, words = copy }: VisitTrendProps) {
  const sum = (figure: "scans" | "reviews" | "spins") =>
    days.reduce((total, day) => total + day[figure], 0);
  const [scans, reviews, spins] = [sum("scans"), sum("reviews"), sum("spins")];
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{words.trend}</h2>
      {scans + reviews + spins === 0 ? (
        <p className="py-8 text-center text-muted">{words.quiet}</p>
      ) : (
        <TrendChart
          title={words.trendTitle}
          description={copy.described(scans, reviews, spins)}
          series={SERIES}
          points={days.map((day) => ({
            day: day.day,
            values: [day.scans, day.reviews, day.spins],
          }))}
        />
      )}
    </section>
  );
}
