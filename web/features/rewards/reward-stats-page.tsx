import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Choice } from "../../ui/choice.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { CodeRing } from "./code-ring.tsx";
import { RewardMissing } from "./reward-missing.tsx";
import { RewardPageHeader } from "./reward-page-header.tsx";
import { RewardPeriods } from "./reward-periods.tsx";
import { rewardStatsCopy } from "./reward-stats.copy.ts";
import { rewardStatsQuery } from "./rewards.queries.ts";
import { TrendChart } from "./trend-chart.tsx";

const PERIODS = [
  { name: "30", label: rewardStatsCopy.last(30) },
  { name: "90", label: rewardStatsCopy.last(90) },
] as const;

/** `/rewards/{id}/stats`: how often it is won, how often its codes come back. */
export function RewardStatsPage({ rewardId }: { rewardId: string }) {
  const { supabase } = useApp();
  const query = useQuery(rewardStatsQuery(supabase, rewardId));
  const [period, setPeriod] = useState<"30" | "90">("30");
  const stats = query.data;
  const title = stats ? rewardStatsCopy.titleOf(stats.reward.name) : rewardStatsCopy.title;
  usePageTitle(title);

  if (stats === null) return <RewardMissing />;
  if (query.isError && !stats) {
    return (
      <LoadProblem
        text={loadFailure(query.error, rewardStatsCopy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  const days = stats?.days.slice(-Number(period)) ?? [];
  const isQuiet = days.every(({ wins, redemptions }) => wins === 0 && redemptions === 0);
  return (
    <div className="grid gap-8">
      <RewardPageHeader title={title} />
      {!stats && <ListSkeleton />}
      {stats && (
        <>
          <RewardPeriods days={stats.days} hasCodes={stats.reward.type !== "points"} />
          <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2 className="text-xl">{rewardStatsCopy.trend}</h2>
              <Choice
                label={rewardStatsCopy.period}
                options={PERIODS}
                current={period}
                onChange={setPeriod}
              />
            </div>
            {isQuiet ? (
              <p className="py-10 text-center text-muted">{rewardStatsCopy.quiet}</p>
            ) : (
              <TrendChart days={days} now={new Date()} />
            )}
          </section>
          <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
            <h2 className="text-xl">{rewardStatsCopy.codes}</h2>
            {stats.counts.total > 0 ? (
              <CodeRing counts={stats.counts} />
            ) : (
              <p className="text-muted">
                {stats.reward.type === "points"
                  ? rewardStatsCopy.pointsHaveNoCodes
                  : rewardStatsCopy.noCodes}
              </p>
            )}
          </section>
        </>
      )}
    </div>
  );
}
