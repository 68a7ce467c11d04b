import { createFileRoute, isRedirect, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CheckoutPage } from "../features/billing/checkout-page.tsx";
import { needsSecondFactor } from "../lib/auth.ts";
import { withWorkspace } from "../lib/back-office.ts";
import { wantedPlan } from "../lib/wanted-plan.ts";
import { LoadingScreen } from "../ui/loading-screen.tsx";
import { uiCopy } from "../ui/ui.copy.ts";

/** Not guarded as other pages are: it sends on by itself (specification, section 2.4). */
export const Route = createFileRoute("/checkout")({
  validateSearch: z.extend(wantedPlan, {
    /** How one came back from the provider's page. */
    payment: z.catch(z.optional(z.enum(["done", "canceled"])), undefined),
  }),
  beforeLoad: async ({ context, search, location }) => {
    const session = await context.auth.ready();
    // The address says what is wanted all the way: it goes through the mail of a sign-up into whichever browser opens it.
    if (!session || needsSecondFactor(session)) {
      throw redirect({ to: "/auth", search: { redirect: location.href } });
    }
    const { plan, billing, payment } = search;
    if (!plan) throw redirect({ to: "/pricing", replace: true });
    if (payment) return;
    try {
      await withWorkspace(context, ({ organization }) => {
        if (organization) return;
        // Who pays is an organisation: its name comes first, and leads back here.
        const wanted = { plan, ...(billing && { billing }) };
        throw redirect({ to: "/onboarding", search: wanted, replace: true });
      });
    } catch (error) {
      // The page itself says what could not be loaded (specification, section 8).
      if (isRedirect(error)) throw error;
    }
  },
  component: Checkout,
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
});

function Checkout() {
  const { plan = "basic", billing: paid = "monthly", payment } = Route.useSearch();
  return (
    <CheckoutPage
      key={`${plan} ${paid}`}
      plan={plan}
      billing={paid}
      {...(payment && { payment })}
    />
  );
}
