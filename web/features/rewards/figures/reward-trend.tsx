import { useState } from "react";
import type { DayFigures } from "#domain/schemas/rewards.ts";
import { formatDay } from "../../../lib/format.ts";
import { TrendChart } from "../../../ui/charts/trend-chart.tsx";
import type { TrendSeries } from "../../../ui/charts/trend-series.ts";
import { Choice } from "../../../ui/forms/choice.tsx";
import { rewardStatsCopy as copy } from "./reward-stats.copy.ts";

const PERIODS = [
  { name: "30", label: copy.last(30) },
  { name: "90", label: copy.last(90) },
] as const;

const SERIES: readonly TrendSeries[] = [
  { label: copy.wins, tone: "violet" },
  { label: copy.uses, tone: "green" },
];

/** Wins and uses of each day, of one month or three. */
export function RewardTrend({ days: all }: { days: readonly DayFigures[] }) {
  const [period, setPeriod] = useState<"30" | "90">("30");
  const days = all.slice(-Number(period));
  const isQuiet = days.every(({ wins, redemptions }) => wins === 0 && redemptions === 0);
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl">{copy.trend}</h2>
        <Choice label={copy.period} options={PERIODS} current={period} onChange={setPeriod} />
      </div>
      {isQuiet ? (
        <p className="py-10 text-center text-muted">{copy.quiet}</p>
      ) : (
        <TrendChart
          key={period}
          title={copy.trend}
          description={describe(days)}
          series={SERIES}
          points={days.map(({ day, wins, redemptions }) => ({ day, values: [wins, redemptions] }))}
        />
      )}
    </section>
  );
}

function describe(days: readonly DayFigures[]): string {
  const total = (figure: "wins" | "redemptions") => days.reduce((sum, day) => sum + day[figure], 0);
  const best = days.reduce<DayFigures | null>(
    (top, day) => (day.wins > (top?.wins ?? 0) ? day : top),
    null,
  );
  const sentence = copy.summary(days.length, total("wins"), total("redemptions"));
  if (!best) return sentence;
  const day = formatDay(new Date(`${best.day}T12:00:00`), new Date());
  return `${sentence} ${copy.best(day, best.wins)}`;
}
