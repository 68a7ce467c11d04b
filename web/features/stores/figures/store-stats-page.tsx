import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { StoreStats } from "#domain/schemas/stores.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import { VisitFunnel } from "../../../ui/charts/visit-funnel.tsx";
import { VisitTrend } from "../../../ui/charts/visit-trend.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { LockedAnalytics } from "../../../ui/plans/locked-analytics.tsx";
import { WithoutPoints } from "../../../ui/plans/without-points.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { PublicRatingCard } from "../public-rating/public-rating-card.tsx";
import { storesCopy } from "../stores.copy.ts";
import { storeStatsQuery } from "../stores.queries.ts";
import { storeStatsCopy as copy } from "./store-stats.copy.ts";

/** `/stores/{id}/stats`: what a store brings in. */
export function StoreStatsPage({ storeId }: { storeId: string }) {
  const { supabase } = useApp();
  const query = useQuery(storeStatsQuery(supabase, storeId));
  const stats = query.data;
  const title = stats ? copy.titleOf(stats.store.name) : copy.title;
  usePageTitle(title);
  if (stats === null) return <MissingPage {...storesCopy.notFound} to="/stores" />;
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
      <PageHeader back={{ to: "/stores", label: storesCopy.back }} title={title} />
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
            {stats.advanced && (
              <VisitFunnel funnel={stats.advanced.funnel} figures={stats.figures} />
            )}
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
        hint={scans > 0 && copy.reviewsRate(formatShare(reviews, scans))}
      />
      <StatCard
        label={copy.rating}
        value={formatAverage(figures.rating_sum, reviews)}
        hint={copy.fiveStars(formatShare(figures.five_star_reviews, reviews))}
      />
      <StatCard
        label={copy.redemptions}
        value={formatNumber(redemptions)}
        hint={
          wins > 0 && (
            <>
              {copy.redemptionRate(formatShare(redemptions, wins))}
              <WithoutPoints figures={figures} />
            </>
          )
        }
      />
    </dl>
  );
}

/** The campaigns that brought most reviews to a store. */
function StoreCampaigns({ campaigns }: Pick<StoreStats, "campaigns">) {
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{copy.campaigns}</h2>
      {campaigns.length === 0 ? (
        <p className="text-muted">{copy.noCampaign}</p>
      ) : (
        <ul className="grid gap-4">
          {campaigns.map((campaign) => {
            const { id, name, scans, reviews, rating_sum } = campaign;
            return (
              <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4">
                <div className="grid min-w-0">
                  <Link
                    to="/campaigns/$campaignId"
                    params={{ campaignId: id }}
                    className="inline-flex min-h-11 items-center font-semibold wrap-anywhere underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet"
                  >
                    {name}
                  </Link>
                  <CampaignBadges campaign={campaign} />
                  <p className="mt-1 text-muted tabular-nums">
                    {copy.campaignFacts(scans, reviews)}
                  </p>
                </div>
                {reviews > 0 && (
                  <p className="font-semibold tabular-nums">
                    {storesCopy.facts.ofFive(formatAverage(rating_sum, reviews))}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
