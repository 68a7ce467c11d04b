import { createFileRoute } from "@tanstack/react-router";
import { ApiKeysPage } from "../../../../features/api-keys/api-keys-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/settings/api")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Api,
});

function Api() {
  const { orgId } = Route.useRouteContext();
  return <ApiKeysPage key={orgId} orgId={orgId} />;
}
