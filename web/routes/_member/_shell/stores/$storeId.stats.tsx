import { createFileRoute } from "@tanstack/react-router";
import { StoreStatsPage } from "../../../../features/stores/figures/store-stats-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/stores/$storeId/stats")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: StoreRoute,
});

function StoreRoute() {
  const { storeId } = Route.useParams();
  return <StoreStatsPage key={storeId} storeId={storeId} />;
}
