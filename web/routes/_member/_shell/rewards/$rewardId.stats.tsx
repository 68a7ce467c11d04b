import { createFileRoute } from "@tanstack/react-router";
import { RewardStatsPage } from "../../../../features/rewards/figures/reward-stats-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/rewards/$rewardId/stats")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Stats,
});

function Stats() {
  const { rewardId } = Route.useParams();
  return <RewardStatsPage key={rewardId} rewardId={rewardId} />;
}
