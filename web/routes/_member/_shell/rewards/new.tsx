import { createFileRoute } from "@tanstack/react-router";
import { NewRewardPage } from "../../../../features/rewards/new-reward-page.tsx";
import { demandBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/rewards/new")({
  beforeLoad: ({ context }) => demandBackOffice(context),
  component: New,
});

function New() {
  const { orgId } = Route.useRouteContext();
  return <NewRewardPage orgId={orgId} />;
}
