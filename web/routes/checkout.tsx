import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { billing, paidPlan } from "#domain/plans.ts";
import { CheckoutPage } from "../features/billing/checkout-page.tsx";
import { needsSecondFactor } from "../lib/auth.ts";
import { tabMemory } from "../lib/device-memory.ts";
import { LoadingScreen } from "../ui/loading-screen.tsx";
import { uiCopy } from "../ui/ui.copy.ts";

/** What somebody wanted to buy before they were asked to sign in. */
const WANTED = "tournavis-wanted-plan";

/** Not guarded as other pages are: it sends on by itself (specification, section 2.4). */
export const Route = createFileRoute("/checkout")({
  validateSearch: z.object({
    plan: z.catch(z.optional(paidPlan), undefined),
    billing: z.catch(z.optional(billing), undefined),
    /** How one came back from the provider's page. */
    payment: z.catch(z.optional(z.enum(["done", "canceled"])), undefined),
  }),
  beforeLoad: async ({ context, search, location }) => {
    const session = await context.auth.ready();
    if (!session || needsSecondFactor(session)) {
      tabMemory.write(WANTED, search.plan ? location.searchStr : "");
      throw redirect({ to: "/auth", search: { redirect: "/checkout" } });
    }
    // It holds for the first arrival alone.
    const wanted = tabMemory.read(WANTED);
    tabMemory.write(WANTED, "");
    if (search.plan) return;
    if (wanted) throw redirect({ href: `/checkout${wanted}`, replace: true });
    throw redirect({ to: "/pricing", replace: true });
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
