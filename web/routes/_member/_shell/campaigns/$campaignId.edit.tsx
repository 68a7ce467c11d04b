import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { EditCampaignPage } from "../../../../features/campaign-editor/edit-campaign-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { searchId } from "../../../../lib/search-id.ts";

export const Route = createFileRoute("/_member/_shell/campaigns/$campaignId/edit")({
  /** A reward that is to be put on the wheel. */
  validateSearch: z.object({ reward: searchId }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Edit,
});

function Edit() {
  const { campaignId } = Route.useParams();
  return (
    <EditCampaignPage
      key={campaignId}
      campaignId={campaignId}
      rewardId={Route.useSearch().reward}
    />
  );
}
