import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { campaignStatsQuery } from "../../../../features/campaigns/figures/campaign-figures.queries.ts";
import { CampaignFiguresPage } from "../../../../features/campaigns/figures/campaign-figures-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { searchId } from "../../../../lib/search-id.ts";

export const Route = createFileRoute("/_member/_shell/campaigns/$campaignId/")({
  /** The review that somebody comes to read. */
  validateSearch: z.object({ review: searchId }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  // Begun here, awaited by the page: its skeleton stands meanwhile.
  loader: ({ context: { queryClient, supabase }, params }) => {
    void queryClient.prefetchQuery(campaignStatsQuery(supabase, params.campaignId));
  },
  component: Figures,
});

function Figures() {
  const { campaignId } = Route.useParams();
  return (
    <CampaignFiguresPage
      key={campaignId}
      campaignId={campaignId}
      reviewId={Route.useSearch().review}
    />
  );
}
