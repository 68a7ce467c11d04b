import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CheckoutPage } from "../features/billing/checkout/checkout-page.tsx";
import { needsSecondFactor } from "../lib/auth/auth.ts";
import { wantedPlan } from "../lib/wanted-plan.ts";
import { LoadingScreen } from "../ui/states/loading-screen.tsx";
import { uiCopy } from "../ui/ui.copy.ts";

/** Not guarded as other pages are: it redirects itself (specification, section 2.4). */
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
    if (!search.plan) throw redirect({ to: "/pricing", replace: true });
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
