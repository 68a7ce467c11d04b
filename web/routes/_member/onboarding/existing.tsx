import { createFileRoute, isRedirect, redirect } from "@tanstack/react-router";
import { ExistingPage } from "../../../features/onboarding/existing-page.tsx";
import { isCashier, withWorkspace } from "../../../lib/back-office.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/existing")({
  beforeLoad: async ({ context }) => {
    try {
      return await withWorkspace(context, (workspace) => {
        if (isCashier(workspace)) throw redirect({ to: "/encaisser" });
        const { organization, role } = workspace;
        if (!organization) throw redirect({ to: "/onboarding/organization" });
        return { organization, isOwner: role === "owner" };
      });
    } catch (error) {
      // Whatever kept it from loading: the first step says what is the matter (specification, section 2.20).
      throw isRedirect(error) ? error : redirect({ to: "/onboarding/organization" });
    }
  },
  component: () => {
    const { organization, isOwner } = Route.useRouteContext();
    return <ExistingPage organization={organization} isOwner={isOwner} />;
  },
  ...waiting,
});
