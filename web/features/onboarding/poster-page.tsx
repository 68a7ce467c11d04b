import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { ChevronRight, CircleCheck, ExternalLink, ScanLine } from "lucide-react";
import type { ReactNode } from "react";
import { useApp } from "../../lib/app-context.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useLive } from "../../lib/live/use-live.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { ButtonRow } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ListSkeleton } from "../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { onboardingCopy } from "./onboarding.copy.ts";
import { isScannedQuery, posterCampaignQuery } from "./onboarding.queries.ts";
import { OnboardingLayout } from "./onboarding-layout.tsx";

const copy = onboardingCopy.poster;

type Campaign = { id: string; name: string; slug: string };

type PosterPageProps = {
  orgId: string;
  /** The campaign that was just made; the newest one without. */
  campaignId: string | undefined;
  /** The posters, with what to do next below them, and where they lead: these belong to another feature. */
  posters: (campaign: Campaign, next: ReactNode) => ReactNode;
  linkOf: (slug: string) => string;
  /** Form for today's figures of a store's public page: another feature's. */
  publicRating: (storeId: string) => ReactNode;
};

/** `/onboarding/poster`: step 5, the poster and its first scan. For those who may edit campaigns. */
export function PosterPage({ orgId, campaignId, posters, linkOf, publicRating }: PosterPageProps) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const { may, mayOpen } = useMay();
  const query = useQuery(posterCampaignQuery(supabase, orgId, campaignId));
  const campaign = query.data;
  if (!mayOpen("/campaigns/new") || campaign === null) return <Navigate to="/dashboard" replace />;
  const text = campaign?.active === false ? copy.inactive : copy.text;
  return (
    <OnboardingLayout isWide title={copy.title} text={text} step={5}>
      {query.isPending && <ListSkeleton />}
      {query.isError && !campaign && (
        <LoadProblem
          title={copy.failed}
          text={errorMessage(query.error)}
          onRetry={() => query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
      {campaign && (
        <>
          <section
            aria-labelledby="sheet"
            className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6"
          >
            <h2 id="sheet" className="text-xl">
              {copy.sheetTitle}
            </h2>
            {posters(
              campaign,
              <FirstScan orgId={orgId} campaign={campaign} link={linkOf(campaign.slug)} />,
            )}
          </section>
          {may("stores.write") && (
            <details className="group rounded-card bg-surface p-5 shadow-card sm:p-6">
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold text-pretty">
                <ChevronRight
                  aria-hidden="true"
                  className="size-5 shrink-0 transition-transform duration-150 group-open:rotate-90"
                />
                {copy.ratingTitle}
              </summary>
              <div className="grid max-w-xl gap-4 pt-2">
                <p className="text-pretty text-muted">{copy.ratingText}</p>
                {publicRating(campaign.store_id)}
              </div>
            </details>
          )}
          <ButtonRow isStacked>
            <Link
              to="/campaigns/$campaignId/edit"
              params={{ campaignId: campaign.id }}
              className={buttonClass({ variant: "quiet", size: "lg" })}
            >
              {copy.edit}
            </Link>
            <Link to="/dashboard" className={`sm:min-w-64 ${buttonClass({ size: "lg" })}`}>
              {copy.dashboard}
            </Link>
          </ButtonRow>
        </>
      )}
    </OnboardingLayout>
  );
}

type FirstScanProps = { orgId: string; campaign: Campaign; link: string };

/** Waits for the first scan: over realtime, or by polling where that is unavailable. */
function FirstScan({ orgId, campaign, link }: FirstScanProps) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const { may } = useMay();
  const query = isScannedQuery(supabase, orgId, campaign.id);
  const isScanned = useQuery(query).data === true;
  useLive(may("activity.read") && !isScanned ? orgId : null, "activity", ({ kinds, isGap }) => {
    if (kinds.has("scan") || isGap) {
      void queryClient.invalidateQueries({ queryKey: query.queryKey });
    }
  });
  return (
    <section
      aria-labelledby="scan"
      className={`grid gap-3 rounded-card border p-5 transition-colors duration-200 ${isScanned ? "border-transparent bg-mint-soft text-mint-ink" : "border-line"}`}
    >
      <h3 id="scan" className="font-display text-lg font-bold text-balance">
        {copy.scanTitle}
      </h3>
      {!isScanned && <p className="text-pretty text-muted">{copy.scanText}</p>}
      <div role="status" className="grid gap-1">
        <p className="flex items-center gap-2.5 font-display text-lg font-bold">
          {isScanned ? (
            <CircleCheck aria-hidden="true" className="size-6 shrink-0" />
          ) : (
            <ScanLine aria-hidden="true" className="size-6 shrink-0 text-violet" />
          )}
          {isScanned ? copy.scanned : copy.waiting}
        </p>
        {isScanned && <p className="text-pretty">{copy.scannedText}</p>}
      </div>
      {!isScanned && (
        <p className="text-sm text-pretty text-muted">
          {copy.noPhone}{" "}
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-violet underline underline-offset-4"
          >
            {copy.open}
            <ExternalLink aria-hidden="true" className="size-4" />
          </a>
        </p>
      )}
    </section>
  );
}
