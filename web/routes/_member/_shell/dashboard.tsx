import { createFileRoute } from "@tanstack/react-router";
import { dashboardQuery } from "../../../features/dashboard/dashboard.queries.ts";
import { DashboardPage } from "../../../features/dashboard/dashboard-page.tsx";
import { requireStore } from "../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/dashboard")({
  beforeLoad: ({ context }) => requireStore(context),
  // Begun here, awaited by the page: its skeleton stands meanwhile.
  loader: ({ context: { queryClient, supabase, orgId } }) => {
    void queryClient.prefetchQuery(dashboardQuery(supabase, orgId));
  },
  component: () => <DashboardPage orgId={Route.useRouteContext().orgId} />,
});
