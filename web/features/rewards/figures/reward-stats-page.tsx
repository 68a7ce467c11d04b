import { useQuery } from "@tanstack/react-query";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import type { RewardFigures } from "#domain/schemas/rewards.ts";
import { useApp } from "../../../lib/app-context.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { ListSkeleton } from "../../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/load-problem.tsx";
import { LockedAnalytics } from "../../../ui/locked-analytics.tsx";
import { RewardMissing } from "../reward-missing.tsx";
import { RewardPageHeader } from "../reward-page-header.tsx";
import { rewardStatsQuery } from "../rewards.queries.ts";
import { CodeRing } from "./code-ring.tsx";
import { RewardPeriods } from "./reward-periods.tsx";
import { rewardStatsCopy } from "./reward-stats.copy.ts";
import { RewardTrend } from "./reward-trend.tsx";

/** `/rewards/{id}/stats`: how often it is won, how often its codes come back. */
export function RewardStatsPage({ rewardId }: { rewardId: string }) {
  const { supabase } = useApp();
  const query = useQuery(rewardStatsQuery(supabase, rewardId));
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
  return (
    <div className="grid gap-8">
      <RewardPageHeader title={title} />
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
