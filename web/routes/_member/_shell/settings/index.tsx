import { createFileRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Suspense } from "react";
import * as z from "zod/mini";
import { CardSkeleton } from "../../../../features/settings/card-parts.tsx";
import { SettingsPage } from "../../../../features/settings/settings-page.tsx";
import { isCashier, requireBackOffice, withWorkspace } from "../../../../lib/back-office.ts";
import { settingsSection } from "../../../../lib/settings/settings-section.ts";

export const Route = createFileRoute("/_member/_shell/settings/")({
  validateSearch: z.object({
    section: z.catch(z.optional(settingsSection), undefined),
    /** The mail of an open bill leads to where it is paid. */
    pay: z.catch(z.optional(z.literal(true)), undefined),
  }),
  beforeLoad: async ({ context }) => {
    // A member who works at the till alone has no organisation to set, but an account of their own.
    if (await withWorkspace(context, isCashier)) {
      throw redirect({ to: "/settings/password", replace: true });
    }
    return requireBackOffice(context);
  },
  component: SettingsRoute,
});

/** The team loads separately, and a store is seldom removed: neither delays the other cards. */
const TeamCard = lazyRouteComponent(
  () => import("../../../../features/team/team-card.tsx"),
  "TeamCard",
);
const PushCard = lazyRouteComponent(
  () => import("../../../../features/push/push-card.tsx"),
  "PushCard",
);
const RemoveStoreDialog = lazyRouteComponent(
  () => import("../../../../features/stores/list/remove-store-dialog.tsx"),
  "RemoveStoreDialog",
);

function SettingsRoute() {
  const { orgId } = Route.useRouteContext();
  const { section, pay = false } = Route.useSearch();
  return (
    <SettingsPage
      key={orgId}
      orgId={orgId}
      section={section}
      isPaying={pay}
      team={
        <Suspense fallback={<CardSkeleton />}>
          <TeamCard orgId={orgId} />
        </Suspense>
      }
      push={
        <Suspense fallback={<CardSkeleton />}>
          <PushCard orgId={orgId} />
        </Suspense>
      }
      removeStore={(asked) => (
        <Suspense>
          <RemoveStoreDialog {...asked} />
        </Suspense>
      )}
    />
  );
}
