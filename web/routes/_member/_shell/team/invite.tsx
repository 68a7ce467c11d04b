import { createFileRoute } from "@tanstack/react-router";
import { InvitePage } from "../../../../features/team/invitations/invite-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/team/invite")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Invite,
});

function Invite() {
  const { orgId } = Route.useRouteContext();
  return <InvitePage orgId={orgId} />;
}
