import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { NewRewardPage } from "../../../../features/rewards/form/new-reward-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { searchId } from "../../../../lib/search-id.ts";

export const Route = createFileRoute("/_member/_shell/rewards/new")({
  // The campaign that one came from: it is chosen already.
  validateSearch: z.object({ campaign: searchId }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: New,
});

function New() {
  const { orgId } = Route.useRouteContext();
  return <NewRewardPage orgId={orgId} campaignId={Route.useSearch().campaign} />;
}
