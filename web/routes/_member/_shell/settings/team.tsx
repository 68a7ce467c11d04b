import { createFileRoute } from "@tanstack/react-router";
import { TeamPage } from "../../../../features/team/team-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/settings/team")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Team,
});

function Team() {
  const { orgId } = Route.useRouteContext();
  return <TeamPage orgId={orgId} />;
}
