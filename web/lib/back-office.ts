import { redirect } from "@tanstack/react-router";
import type { Workspace } from "#domain/schemas/workspace.ts";
import type { App } from "./app-context.ts";
import type { WantedPlan } from "./wanted-plan.ts";
import { workspaceQuery } from "./workspace.ts";

/** Whether there has been a store: an archived one is restored, not created again. */
function hasStore({ stores, has_archived_store }: Workspace): boolean {
  return stores.length > 0 || has_archived_store;
}

/** How far an organisation has come (specification, section 4.4): the next thing that it lacks. */
function nextStep(workspace: Workspace): "organization" | "store" | "campaign" | "complete" {
  if (!workspace.organization) return "organization";
  if (!hasStore(workspace)) return "store";
  if (workspace.stores.length === 0) return "complete";
  return workspace.has_campaign ? "complete" : "campaign";
}

/** Permission that the back-office starts with (table `role_permissions`); a cashier lacks it. */
const BACK_OFFICE = "activity.read";

/** Whether the user works only at the till. */
export function isCashier({ organization, permissions }: Workspace): boolean {
  return organization !== null && !permissions.includes(BACK_OFFICE);
}

/** Judges the signed-in person's workspace: at once where it is known, so that no waiting screen flashes. */
export function withWorkspace<T>(
  { queryClient, supabase }: Pick<App, "queryClient" | "supabase">,
  judge: (workspace: Workspace) => T,
): T | Promise<T> {
  const query = workspaceQuery(supabase);
  const known = queryClient.getQueryData(query.queryKey);
  if (!known) return queryClient.fetchQuery(query).then(judge);
  // Data that is too old is fetched anew for the next time.
  void queryClient.prefetchQuery(query);
  return judge(known);
}

function backOffice(workspace: Workspace): { orgId: string; permissions: readonly string[] } {
  const { organization } = workspace;
  if (!organization) throw redirect({ to: "/onboarding" });
  if (isCashier(workspace)) throw redirect({ to: "/encaisser" });
  // With what the address asks for: a bill that the user came to pay can still be paid.
  if (isClosed(workspace)) throw redirect({ to: "/closed", search: true });
  return { orgId: organization.id, permissions: workspace.permissions };
}

/** Whether the plan has been over for so long that nothing can be read any more (specification, section 9). */
export function isClosed({ plan }: Workspace): boolean {
  return plan?.readable_until != null && new Date(plan.readable_until) <= new Date();
}

/** Guard of the page that replaces the screens of a closed organisation. */
export function requireClosed(app: Pick<App, "queryClient" | "supabase">) {
  return withWorkspace(app, (workspace) => {
    if (!isClosed(workspace) || isCashier(workspace)) throw redirect({ to: "/dashboard" });
  });
}

/**
 * Guard of the back-office's screens (`beforeLoad`): redirects a user without an organisation, and
 * cashiers, who have the till. Puts the organisation and what one may do there into the route's context; which
 * screens that opens is asked by their layout (`screens.ts`).
 */
export function requireBackOffice(app: Pick<App, "queryClient" | "supabase">) {
  return withWorkspace(app, backOffice);
}

/** A member of an organisation that waits to be erased may found another (design, section 5). */
function mayBeginAnew({ organization }: Workspace): boolean {
  return Boolean(organization?.erase_at);
}

/** Guard of the dashboard, which has nothing to show where there never was a store (specification, section 2.10). */
export function requireStore(app: Pick<App, "queryClient" | "supabase">) {
  return withWorkspace(app, (workspace) => {
    const context = backOffice(workspace);
    if (!hasStore(workspace)) throw redirect({ to: "/onboarding/store" });
    return context;
  });
}

/**
 * Guard of the onboarding (specification, section 4.4): each page belongs to a stretch of the way, and
 * a user at another step is redirected to it; one who has finished it, away from it.
 */
export function requireStep(
  app: Pick<App, "queryClient" | "supabase">,
  page: "organization" | "store" | "campaign",
  wanted: WantedPlan = {},
) {
  return withWorkspace(app, (workspace) => {
    if (isCashier(workspace)) throw redirect({ to: "/encaisser" });
    // A visitor who came for a plan goes on to it once there is an organisation that can have it.
    if (wanted.plan && workspace.organization && !mayBeginAnew(workspace)) {
      throw redirect({ to: "/checkout", search: wanted });
    }
    if (page === "organization" && mayBeginAnew(workspace)) return { store: null };
    const step = nextStep(workspace);
    if (step === "complete") throw redirect({ to: "/dashboard" });
    if (step === "organization" && page !== "organization") throw redirect({ to: "/onboarding" });
    if (step !== "organization" && page === "organization") {
      throw redirect({ to: step === "store" ? "/onboarding/store" : "/dashboard" });
    }
    if (step === "store" && page === "campaign") throw redirect({ to: "/onboarding/store" });
    return { store: workspace.stores[0] ?? null };
  });
}
