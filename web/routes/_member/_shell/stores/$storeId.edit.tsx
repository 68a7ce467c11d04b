import { createFileRoute } from "@tanstack/react-router";
import { EditStorePage } from "../../../../features/stores/edit-store-page.tsx";
import { demandBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/stores/$storeId/edit")({
  beforeLoad: ({ context }) => demandBackOffice(context),
  component: StoreRoute,
});

function StoreRoute() {
  const { storeId } = Route.useParams();
  return <EditStorePage key={storeId} storeId={storeId} />;
}
