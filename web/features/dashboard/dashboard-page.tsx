import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Gift, Plus, Settings } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { LockedAnalytics } from "../../ui/plans/locked-analytics.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../ui/states/stale-notice.tsx";
import { ActiveCampaignsCard } from "./cards/active-campaigns-card.tsx";
import { ActivityCard } from "./cards/activity-card.tsx";
import { KpiCards } from "./cards/kpi-cards.tsx";
import { PublicRatingsCard } from "./cards/public-ratings-card.tsx";
import { UsageCards } from "./cards/usage-cards.tsx";
import { WrittenReviewsCard } from "./cards/written-reviews-card.tsx";
import { dashboardCopy as copy } from "./dashboard.copy.ts";
import { dashboardQuery } from "./dashboard.queries.ts";
import type { BasketForm } from "./earnings/earnings-card.tsx";
import type { Period } from "./period/period.ts";
import { PeriodSection } from "./period/period-section.tsx";
import { MonthlyReportCard } from "./report/monthly-report-card.tsx";
import { NextStepsCards } from "./to-do/next-steps-cards.tsx";

type DashboardPageProps = {
  orgId: string;
  period: Period;
  onPeriod: (period: Period) => void;
  basketForm: BasketForm;
};

/** `/dashboard`: what to do next, then the figures, then what happened (specification, section 2.10). */
export function DashboardPage({ orgId, period, onPeriod, basketForm }: DashboardPageProps) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const workspace = useWorkspace();
  const query = useQuery(dashboardQuery(supabase, orgId));
  const { mayOpen } = useMay();

  const { data } = query;
  if (query.isPending) return <DashboardSkeleton />;
  if (!data) {
    return (
      <LoadProblem
        text={errorMessage(query.error)}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const ways = (main: "primary" | "secondary") => (
    <>
      {mayOpen("/rewards/new") && (
        <Link to="/rewards/new" className={buttonClass({ variant: "secondary" })}>
          <Gift aria-hidden="true" className="size-5" />
          {copy.newReward}
        </Link>
      )}
      {mayOpen("/campaigns/new") && (
        <Link to="/campaigns/new" className={buttonClass({ variant: main })}>
          <Plus aria-hidden="true" className="size-5" />
          {copy.newCampaign}
        </Link>
      )}
    </>
  );
  return (
    <div className="grid gap-6 sm:gap-8">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <PageHeader title={copy.title} text={workspace?.organization?.name} />
        <div className="flex flex-wrap gap-3 max-md:hidden">
          <Link to="/settings" title={copy.settings} className={buttonClass({ variant: "quiet" })}>
            <Settings aria-hidden="true" className="size-5" />
            <span className="sr-only">{copy.settings}</span>
          </Link>
          {ways("primary")}
        </div>
      </div>
      <StaleNotice query={query} />
      <NextStepsCards dashboard={data} />
      {/* On a phone what is to be done comes first, and alone in full colour. */}
      <div className="flex flex-wrap gap-3 *:grow empty:hidden md:hidden">{ways("secondary")}</div>
      {data.advanced ? (
        <PeriodSection
          orgId={orgId}
          dashboard={data}
          advanced={data.advanced}
          period={period}
          onPeriod={onPeriod}
          basketForm={basketForm}
        >
          <KpiCards {...data} heading={copy.period.all} />
        </PeriodSection>
      ) : (
        <>
          <KpiCards {...data} />
          <LockedAnalytics text={copy.locked} />
        </>
      )}
      <UsageCards {...data} />
      <div className="grid items-stretch gap-4 lg:grid-cols-[1.35fr_1fr]">
        <ActivityCard activity={data.activity} />
        <ActiveCampaignsCard campaigns={data.active_campaigns} />
      </div>
      <div
        className={`grid gap-6 *:content-start sm:gap-8 ${data.advanced ? "lg:grid-cols-2 lg:gap-4" : ""}`}
      >
        {data.advanced && (
          <MonthlyReportCard
            orgId={orgId}
            today={data.advanced.days.at(-1)?.day ?? ""}
            firstDay={data.first_day}
          />
        )}
        <PublicRatingsCard ratings={data.public_ratings} />
      </div>
      {data.reviews && <WrittenReviewsCard reviews={data.reviews} />}
    </div>
  );
}

const CARDS = ["scans", "reviews", "satisfaction", "redemption"] as const;

/** The shape of the dashboard while it is on its way: what to do first, then figures. */
function DashboardSkeleton() {
  return (
    <div className="grid gap-6 sm:gap-8">
      <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
      <p role="status" className="-mt-4 text-muted">
        {copy.loading}
      </p>
      <div aria-hidden="true" className="h-80 animate-pulse rounded-card bg-violet-soft sm:h-64" />
      <div
        aria-hidden="true"
        className="grid animate-pulse grid-cols-1 gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4"
      >
        {CARDS.map((card) => (
          <div key={card} className="h-28 rounded-card bg-surface shadow-card sm:h-36" />
        ))}
      </div>
      <div aria-hidden="true" className="h-64 animate-pulse rounded-card bg-surface shadow-card" />
    </div>
  );
}
