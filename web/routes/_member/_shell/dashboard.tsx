import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AverageBasketForm } from "../../../features/campaigns/figures/average-basket-form.tsx";
import { dashboardQuery } from "../../../features/dashboard/dashboard.queries.ts";
import { DashboardPage } from "../../../features/dashboard/dashboard-page.tsx";
import { readPeriod, writePeriod } from "../../../features/dashboard/period/period.ts";
import { requireStore } from "../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/dashboard")({
  // Loaded with every page: what it means is read with the dashboard.
  validateSearch: z.object({ period: z.catch(z.optional(z.string()), undefined) }),
  beforeLoad: ({ context }) => requireStore(context),
  // Begun here, awaited by the page, which shows its skeleton meanwhile.
  loader: ({ context: { queryClient, supabase, orgId } }) => {
    void queryClient.prefetchQuery(dashboardQuery(supabase, orgId));
  },
  component: Dashboard,
});

function Dashboard() {
  const { orgId } = Route.useRouteContext();
  const { period } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <DashboardPage
      orgId={orgId}
      period={readPeriod(period)}
      onPeriod={(chosen) =>
        navigate({ search: { period: writePeriod(chosen) }, resetScroll: false })
      }
      basketForm={({ id, name, average_basket }) => (
        <AverageBasketForm storeId={id} storeName={name} basket={average_basket} />
      )}
    />
  );
}
