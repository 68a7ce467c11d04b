import { useQuery } from "@tanstack/react-query";
import type { StoreStats } from "#domain/schemas/stores.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatAverage, formatReviewShare } from "../../../lib/figures.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { VisitFunnel } from "../../../ui/charts/visit-funnel.tsx";
import { VisitTrend } from "../../../ui/charts/visit-trend.tsx";
import { LockedAnalytics } from "../../../ui/plans/locked-analytics.tsx";
import { WithoutPoints } from "../../../ui/plans/without-points.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { PublicRatingCard } from "../public-rating/public-rating-card.tsx";
import { StoreHeader } from "../store-header.tsx";
import { StoreMissing } from "../store-missing.tsx";
import { storeStatsQuery } from "../stores.queries.ts";
import { StoreCampaigns } from "./store-campaigns.tsx";
import { storeStatsCopy as copy } from "./store-stats.copy.ts";

/** `/stores/{id}/stats`: what a store brings in. */
export function StoreStatsPage({ storeId }: { storeId: string }) {
  const { supabase } = useApp();
  const query = useQuery(storeStatsQuery(supabase, storeId));
  const stats = query.data;
  const title = stats ? copy.titleOf(stats.store.name) : copy.title;
  usePageTitle(title);
  if (stats === null) return <StoreMissing />;
  if (query.isError && !stats) {
    return (
      <LoadProblem
        text={loadFailure(query.error, copy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  return (
    <div className="grid gap-8">
      <StoreHeader title={title} />
      {!stats && <ListSkeleton />}
      {stats && (
        <>
          <Figures figures={stats.figures} />
          <PublicRatingCard storeId={storeId} rating={stats.public_rating} />
          {stats.advanced ? (
            <VisitTrend days={stats.advanced.days} />
          ) : (
            <LockedAnalytics text={copy.locked} />
          )}
          <div className="grid items-start gap-4 lg:grid-cols-2">
            {stats.advanced && <VisitFunnel funnel={stats.advanced.funnel} />}
            <StoreCampaigns campaigns={stats.campaigns} />
          </div>
        </>
      )}
    </div>
  );
}

function Figures({ figures }: Pick<StoreStats, "figures">) {
  const { scans, reviews, wins, redemptions } = figures;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard label={copy.scans} value={formatNumber(scans)} />
      <StatCard
        label={copy.reviews}
        value={formatNumber(reviews)}
        hint={copy.reviewsRate(formatShare(reviews, scans))}
      />
      <StatCard
        label={copy.rating}
        value={formatAverage(figures.rating_sum, reviews)}
        hint={copy.fiveStars(formatReviewShare(figures.five_star_reviews, reviews))}
      />
      <StatCard
        label={copy.redemptions}
        value={formatNumber(redemptions)}
        hint={
          <>
            {copy.redemptionRate(formatShare(redemptions, wins))}
            <WithoutPoints figures={figures} />
          </>
        }
      />
    </dl>
  );
}
