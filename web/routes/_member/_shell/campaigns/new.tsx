import { createFileRoute } from "@tanstack/react-router";
import { starterKit } from "../../../../features/campaign-editor/starter/starter-kit.ts";
import { storeChoicesQuery } from "../../../../features/campaigns/campaigns.queries.ts";
import { NewCampaignPage } from "../../../../features/campaigns/new/new-campaign-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/campaigns/new")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  loader: ({ context: { queryClient, supabase, orgId } }) => {
    void queryClient.prefetchQuery(storeChoicesQuery(supabase, orgId));
  },
  component: () => <NewCampaignPage orgId={Route.useRouteContext().orgId} kit={starterKit} />,
});
