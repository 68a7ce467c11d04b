import { createFileRoute } from "@tanstack/react-router";
import { RolesPage } from "../../../../features/team/roles/roles-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/settings/roles")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Roles,
});

function Roles() {
  const { orgId } = Route.useRouteContext();
  return <RolesPage key={orgId} orgId={orgId} />;
}
