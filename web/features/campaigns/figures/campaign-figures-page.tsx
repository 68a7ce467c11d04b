import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { useApp } from "../../../lib/app-context.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { ListSkeleton } from "../../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/load-problem.tsx";
import { LockedAnalytics } from "../../../ui/locked-analytics.tsx";
import { MissingPage } from "../../../ui/missing-page.tsx";
import { AskedReview } from "./asked-review.tsx";
import { campaignFiguresCopy as copy } from "./campaign-figures.copy.ts";
import { campaignStatsQuery } from "./campaign-figures.queries.ts";
import { CampaignFiguresCards } from "./campaign-figures-cards.tsx";
import { CampaignFiguresHeader } from "./campaign-figures-header.tsx";
import { CampaignPictures } from "./campaign-pictures.tsx";
import { CampaignRating } from "./campaign-rating.tsx";
import { RecentReviews } from "./recent-reviews.tsx";
import { TopRewards } from "./top-rewards.tsx";

type CampaignFiguresPageProps = {
  campaignId: string;
  /** The review that somebody comes to read. */
  reviewId: string | undefined;
};

/** `/campaigns/{id}`: what a campaign has led to (specification, section 2.16). */
export function CampaignFiguresPage({ campaignId, reviewId }: CampaignFiguresPageProps) {
  const { supabase } = useApp();
  const query = useQuery(campaignStatsQuery(supabase, campaignId));
  const stats = query.data;
  const title = stats === null ? copy.missing.title : (stats?.campaign.name ?? copy.title);
  usePageTitle(title);

  if (stats === null) {
    return (
      <MissingPage title={copy.missing.title} text={copy.missing.text}>
        <Link to="/campaigns" className={buttonClass()}>
          {copy.back}
        </Link>
      </MissingPage>
    );
  }
  if (query.isError && !stats) {
    return (
      <LoadProblem
        text={loadFailure(query.error, copy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  if (!stats) {
    return (
      <div className="grid gap-8">
        <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
        <ListSkeleton />
      </div>
    );
  }
  return <Figures stats={stats} reviewId={reviewId} />;
}

type FiguresProps = { stats: CampaignStats; reviewId: string | undefined };

function Figures({ stats, reviewId }: FiguresProps) {
  const { campaign, totals, reviews, top_rewards, advanced } = stats;
  return (
    <div className="grid gap-6 sm:gap-8">
      <CampaignFiguresHeader campaign={campaign} />
      {reviewId && <AskedReview campaignId={campaign.id} id={reviewId} />}
      <CampaignFiguresCards totals={totals} />
      {advanced ? (
        <CampaignPictures {...advanced} storeName={campaign.store_name ?? copy.unknownStore} />
      ) : (
        <LockedAnalytics text={copy.locked} />
      )}
      <CampaignRating totals={totals} />
      <div className="grid items-start gap-4 lg:grid-cols-[1.35fr_1fr]">
        <RecentReviews reviews={reviews} />
        <TopRewards rewards={top_rewards} />
      </div>
    </div>
  );
}
