import { createFileRoute } from "@tanstack/react-router";
import { EditCampaignPage } from "../../../../features/campaign-editor/edit-campaign-page.tsx";
import { RouteProblem } from "../../../../features/shell/route-problem.tsx";
import { demandBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/campaigns/$campaignId/edit")({
  beforeLoad: ({ context }) => demandBackOffice(context),
  component: Edit,
  errorComponent: RouteProblem,
});

function Edit() {
  const { campaignId } = Route.useParams();
  return <EditCampaignPage key={campaignId} campaignId={campaignId} />;
}
