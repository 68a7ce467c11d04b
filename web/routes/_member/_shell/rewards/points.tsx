import { createFileRoute } from "@tanstack/react-router";
import { PointsPage } from "../../../../features/rewards/points/points-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/rewards/points")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Points,
});

function Points() {
  return <PointsPage orgId={Route.useRouteContext().orgId} />;
}
