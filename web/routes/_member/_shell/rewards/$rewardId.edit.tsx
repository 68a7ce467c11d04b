import { createFileRoute } from "@tanstack/react-router";
import { EditRewardPage } from "../../../../features/rewards/form/edit-reward-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/rewards/$rewardId/edit")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Edit,
});

function Edit() {
  const { orgId } = Route.useRouteContext();
  const { rewardId } = Route.useParams();
  return <EditRewardPage key={rewardId} orgId={orgId} rewardId={rewardId} />;
}
