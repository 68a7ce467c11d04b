import { createFileRoute } from "@tanstack/react-router";
import { EditStorePage } from "../../../../features/stores/form/edit-store-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/stores/$storeId/edit")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: StoreRoute,
});

function StoreRoute() {
  const { storeId } = Route.useParams();
  return <EditStorePage key={storeId} storeId={storeId} />;
}
