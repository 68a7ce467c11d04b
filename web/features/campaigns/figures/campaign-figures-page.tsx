import { useQuery } from "@tanstack/react-query";
import { Link, lazyRouteComponent } from "@tanstack/react-router";
import { Pencil, QrCode, Star, Ticket, TrendingUp } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatNumber, formatShare, formatStoredDate } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { BackLink } from "../../../ui/back-link.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import { type CampaignTab, CampaignTabs } from "../../../ui/campaign/campaign-tabs.tsx";
import { StarBars } from "../../../ui/charts/star-bars.tsx";
import { VisitFunnel } from "../../../ui/charts/visit-funnel.tsx";
import { VisitTrend } from "../../../ui/charts/visit-trend.tsx";
import { LockedAnalytics } from "../../../ui/plans/locked-analytics.tsx";
import { WithoutPoints } from "../../../ui/plans/without-points.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { CampaignChecklist } from "./campaign-checklist.tsx";
import { CampaignEarnings } from "./campaign-earnings.tsx";
import { campaignFiguresCopy as copy } from "./campaign-figures.copy.ts";
import { campaignStatsQuery } from "./campaign-figures.queries.ts";
import { AskedReview, RecentReviews } from "./campaign-reviews.tsx";

const { rewards: rewardsCopy } = copy;

/** The poster editor, loaded on demand. */
const PosterEditor = lazyRouteComponent(
  () => import("../posters/poster-editor.tsx"),
  "PosterEditor",
);

type CampaignFiguresPageProps = {
  campaignId: string;
  tab: Extract<CampaignTab, "overview" | "posters" | "reviews">;
  /** The review that the user came to read. */
  reviewId: string | undefined;
  /** The campaign's reviews, which belong to another feature. */
  inbox: ReactNode;
};

/** `/campaigns/{id}`: the home of a campaign, with what it has led to first (specification, section 2.16). */
export function CampaignFiguresPage(props: CampaignFiguresPageProps) {
  const { campaignId, tab, reviewId, inbox } = props;
  const { supabase } = useApp();
  const query = useQuery(campaignStatsQuery(supabase, campaignId));
  const stats = query.data;
  const title = stats === null ? copy.missing.title : (stats?.campaign.name ?? copy.title);
  usePageTitle(title);

  if (stats === null) {
    return <MissingPage {...copy.missing} back={copy.back} to="/campaigns" />;
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
  return (
    <div className="grid gap-6 sm:gap-8">
      <CampaignFiguresHeader campaign={stats.campaign} />
      <CampaignTabs campaignId={campaignId} current={tab} />
      {tab === "overview" && <Figures stats={stats} reviewId={reviewId} />}
      {tab === "posters" && (
        <section
          aria-label={copy.posters}
          className="rounded-card bg-surface p-5 shadow-card sm:p-6"
        >
          <Suspense fallback={<ListSkeleton />}>
            <PosterEditor campaign={stats.campaign} />
          </Suspense>
        </section>
      )}
      {tab === "reviews" && inbox}
    </div>
  );
}

type FiguresProps = { stats: CampaignStats; reviewId: string | undefined };

function Figures({ stats, reviewId }: FiguresProps) {
  const { campaign, totals, reviews, top_rewards, advanced } = stats;
  return (
    <>
      {reviewId && <AskedReview campaignId={campaign.id} id={reviewId} />}
      <CampaignChecklist campaign={campaign} scans={totals.scans} />
      <CampaignFiguresCards totals={totals} />
      {advanced ? (
        <CampaignPictures
          {...advanced}
          totals={totals}
          storeName={campaign.store_name ?? copy.unknownStore}
        />
      ) : (
        <LockedAnalytics text={copy.locked} />
      )}
      <CampaignRating totals={totals} />
      <div className="grid items-start gap-4 lg:grid-cols-[1.35fr_1fr]">
        <RecentReviews reviews={reviews} />
        <TopRewards rewards={top_rewards} />
      </div>
    </>
  );
}

/** The four figures of a campaign's whole life. */
function CampaignFiguresCards({ totals }: Pick<CampaignStats, "totals">) {
  const { scans, reviews, spins, wins, redemptions } = totals;
  return (
    <dl
      aria-label={copy.cards.title}
      className="grid grid-cols-1 gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4"
    >
      <StatCard icon={QrCode} label={copy.cards.scans} value={formatNumber(scans)} />
      <StatCard
        icon={Star}
        label={copy.cards.reviews}
        value={formatNumber(reviews)}
        hint={scans > 0 && copy.cards.conversion(formatShare(reviews, scans))}
      />
      <StatCard
        icon={TrendingUp}
        label={copy.cards.spins}
        value={formatNumber(spins)}
        hint={copy.cards.spinsHint}
      />
      <StatCard
        icon={Ticket}
        label={copy.cards.redemptions}
        value={formatNumber(redemptions)}
        hint={
          wins > 0 && (
            <>
              {copy.cards.used(formatShare(redemptions, wins))}
              <WithoutPoints figures={totals} />
            </>
          )
        }
      />
    </dl>
  );
}

type CampaignPicturesProps = NonNullable<CampaignStats["advanced"]> &
  Pick<CampaignStats, "totals"> & { storeName: string };

/** Figures that the plan adds: the last 30 days, the way to the till, and the earnings. */
function CampaignPictures(props: CampaignPicturesProps) {
  const { days, funnel, return: earned, totals, storeName } = props;
  return (
    <>
      <VisitTrend days={days} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <VisitFunnel funnel={funnel} figures={totals} />
        <CampaignEarnings earned={earned} storeName={storeName} />
      </div>
    </>
  );
}

/** The mean of the stars, and how they are spread. */
function CampaignRating({ totals }: Pick<CampaignStats, "totals">) {
  const { reviews, rating_sum, stars } = totals;
  return (
    <section className="grid items-center gap-x-10 gap-y-5 rounded-card bg-surface p-5 shadow-card sm:grid-cols-[auto_1fr] sm:p-6">
      <div className="grid gap-1">
        <h2 className="text-xl">{copy.rating.title}</h2>
        <p className="font-display text-3xl font-bold tabular-nums">
          {copy.rating.outOf(formatAverage(rating_sum, reviews))}
        </p>
        <StarStrip average={reviews === 0 ? 0 : rating_sum / reviews} />
        <p className="text-muted tabular-nums">{copy.rating.count(formatNumber(reviews))}</p>
      </div>
      <StarBars stars={stars} />
    </section>
  );
}

/** Which campaign this is, where it runs, and since when it exists. */
function CampaignFiguresHeader({ campaign }: Pick<CampaignStats, "campaign">) {
  const { id, name, store_name, created_at } = campaign;
  const mayEdit = useMay().mayOpen("/campaigns/$campaignId/edit");
  return (
    <header className="grid gap-3">
      <BackLink to="/campaigns" label={copy.back} />
      <div className="flex items-start justify-between gap-4 sm:items-end">
        <div className="grid min-w-0 gap-1.5">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h1 className="min-w-0 text-2xl sm:text-3xl">{name}</h1>
            <CampaignBadges campaign={campaign} />
          </div>
          <p className="flex flex-wrap gap-x-4 text-muted">
            <span className="wrap-anywhere">{store_name ?? copy.unknownStore}</span>
            <span>{copy.created(formatStoredDate(created_at))}</span>
          </p>
        </div>
        {mayEdit && (
          <Link
            to="/campaigns/$campaignId/edit"
            params={{ campaignId: id }}
            className={`shrink-0 print:hidden ${buttonClass({ variant: "secondary" })}`}
          >
            <Pencil aria-hidden="true" className="size-5" />
            <span className="max-sm:sr-only">{copy.edit}</span>
          </Link>
        )}
      </div>
    </header>
  );
}

/** The rewards whose codes came back most. */
function TopRewards({ rewards }: { rewards: CampaignStats["top_rewards"] }) {
  const most = Math.max(1, ...rewards.map(({ redemptions }) => redemptions));
  return (
    <section className="rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{rewardsCopy.title}</h2>
      {rewards.length === 0 ? (
        <p className="mt-4 text-muted">{rewardsCopy.empty}</p>
      ) : (
        <ol aria-label={rewardsCopy.title} className="mt-3 grid gap-3">
          {rewards.map(({ id, name, redemptions }) => (
            <li key={id} className="grid gap-1">
              <div className="flex flex-wrap items-center justify-between gap-x-4">
                <Link
                  to="/rewards/$rewardId/stats"
                  params={{ rewardId: id }}
                  className="inline-flex min-h-11 items-center font-semibold wrap-anywhere underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet"
                >
                  {name}
                </Link>
                <span className="text-muted tabular-nums">
                  {rewardsCopy.uses(formatNumber(redemptions), redemptions < 2)}
                </span>
              </div>
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-2.5 w-full rounded-full bg-line [print-color-adjust:exact]"
              >
                <rect width={(redemptions / most) * 100} height={4} className="fill-mint" />
              </svg>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
