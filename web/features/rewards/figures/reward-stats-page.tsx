import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import type { DayFigures, RewardFigures } from "#domain/schemas/rewards.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatDay, formatNumber, formatShare } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { TrendChart } from "../../../ui/charts/trend-chart.tsx";
import type { TrendSeries } from "../../../ui/charts/trend-series.ts";
import { Choice } from "../../../ui/forms/choice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { LockedAnalytics } from "../../../ui/plans/locked-analytics.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { rewardsCopy } from "../rewards.copy.ts";
import { rewardStatsQuery } from "../rewards.queries.ts";
import { CodeRing } from "./code-ring.tsx";
import { rewardStatsCopy as copy, rewardStatsCopy } from "./reward-stats.copy.ts";

/** `/rewards/{id}/stats`: how often it is won, how often its codes come back. */
export function RewardStatsPage({ rewardId }: { rewardId: string }) {
  const { supabase } = useApp();
  const query = useQuery(rewardStatsQuery(supabase, rewardId));
  const stats = query.data;
  const title = stats ? rewardStatsCopy.titleOf(stats.reward.name) : rewardStatsCopy.title;
  usePageTitle(title);

  if (stats === null) return <MissingPage {...rewardsCopy.notFound} to="/rewards" />;
  if (query.isError && !stats) {
    return (
      <LoadProblem
        text={loadFailure(query.error, rewardStatsCopy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  return (
    <div className="grid gap-8">
      <PageHeader back={{ to: "/rewards", label: rewardsCopy.back }} title={title} />
      {!stats && <ListSkeleton />}
      {stats && !stats.advanced && <LockedAnalytics text={rewardStatsCopy.locked} />}
      {stats?.advanced && <Figures type={stats.reward.type} {...stats.advanced} />}
    </div>
  );
}

function Figures({ type, days, counts }: RewardFigures & { type: RewardType }) {
  return (
    <>
      <RewardPeriods days={days} hasCodes={type !== "points"} />
      <RewardTrend days={days} />
      <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
        <h2 className="text-xl">{rewardStatsCopy.codes}</h2>
        {counts.total > 0 ? (
          <CodeRing counts={counts} />
        ) : (
          <p className="text-muted">
            {type === "points" ? rewardStatsCopy.pointsHaveNoCodes : rewardStatsCopy.noCodes}
          </p>
        )}
      </section>
    </>
  );
}

type RewardPeriodsProps = { days: readonly DayFigures[]; hasCodes: boolean };

/** Wins and uses over the last 30 and 90 days; points are won, never used. */
function RewardPeriods({ days, hasCodes }: RewardPeriodsProps) {
  const over = (count: number) => {
    const last = days.slice(-count);
    return {
      wins: last.reduce((sum, day) => sum + day.wins, 0),
      uses: last.reduce((sum, day) => sum + day.redemptions, 0),
    };
  };
  const [short, long] = [over(30), over(90)];
  const rateOf = ({ wins, uses }: { wins: number; uses: number }) =>
    wins > 0 ? rewardStatsCopy.rate(formatShare(uses, wins)) : undefined;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard label={rewardStatsCopy.cards.wins30} value={formatNumber(short.wins)} />
      {hasCodes && (
        <StatCard
          label={rewardStatsCopy.cards.uses30}
          value={formatNumber(short.uses)}
          hint={rateOf(short)}
        />
      )}
      <StatCard label={rewardStatsCopy.cards.wins90} value={formatNumber(long.wins)} />
      {hasCodes && (
        <StatCard
          label={rewardStatsCopy.cards.uses90}
          value={formatNumber(long.uses)}
          hint={rateOf(long)}
        />
      )}
    </dl>
  );
}

const PERIODS = [
  { name: "30", label: copy.last(30) },
  { name: "90", label: copy.last(90) },
] as const;

const SERIES: readonly TrendSeries[] = [
  { label: copy.wins, tone: "violet" },
  { label: copy.uses, tone: "green" },
];

/** Wins and uses of each day, of one month or three. */
function RewardTrend({ days: all }: { days: readonly DayFigures[] }) {
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
