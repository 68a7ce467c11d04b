import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { EditCampaignPage } from "../../../../features/campaign-editor/edit-campaign-page.tsx";
import { editorPart } from "../../../../features/campaign-editor/editor-part.ts";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { searchId } from "../../../../lib/search-id.ts";

export const Route = createFileRoute("/_member/_shell/campaigns/$campaignId/edit")({
  validateSearch: z.object({
    /** A reward that is to be put on the wheel. */
    reward: searchId,
    /** The tab of the campaign; the whole form without. */
    part: z.catch(z.optional(editorPart), undefined),
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Edit,
});

function Edit() {
  const { campaignId } = Route.useParams();
  const { reward, part } = Route.useSearch();
  return (
    <EditCampaignPage key={campaignId} campaignId={campaignId} rewardId={reward} part={part} />
  );
}
