import { useQuery } from "@tanstack/react-query";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import type { DayFigures, RewardFigures } from "#domain/schemas/rewards.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { LockedAnalytics } from "../../../ui/plans/locked-analytics.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { RewardMissing } from "../reward-missing.tsx";
import { RewardPageHeader } from "../reward-page-header.tsx";
import { rewardStatsQuery } from "../rewards.queries.ts";
import { CodeRing } from "./code-ring.tsx";
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
