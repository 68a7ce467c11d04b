import { createFileRoute } from "@tanstack/react-router";
import { StoreSettingsPage } from "../../../../features/stores/form/store-settings-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/stores/$storeId/settings")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: StoreRoute,
});

function StoreRoute() {
  const { storeId } = Route.useParams();
  return <StoreSettingsPage key={storeId} storeId={storeId} />;
}
