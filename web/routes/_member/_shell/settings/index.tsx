import { createFileRoute, redirect } from "@tanstack/react-router";
import { SettingsPage } from "../../../../features/settings/settings-page.tsx";
import { RemoveStoreDialog } from "../../../../features/stores/remove-store-dialog.tsx";
import { TeamCard } from "../../../../features/team/team-card.tsx";
import { demandBackOffice, isCashier, withWorkspace } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/settings/")({
  beforeLoad: async ({ context }) => {
    // Who works at the till alone has no organisation to set, but an account of their own.
    if (await withWorkspace(context, isCashier)) {
      throw redirect({ to: "/settings/password", replace: true });
    }
    return demandBackOffice(context);
  },
  component: SettingsRoute,
});

function SettingsRoute() {
  const { orgId } = Route.useRouteContext();
  return (
    <SettingsPage
      key={orgId}
      orgId={orgId}
      team={<TeamCard orgId={orgId} />}
      removeStore={(asked) => <RemoveStoreDialog {...asked} />}
    />
  );
}
