import { Link } from "@tanstack/react-router";
import { amountsOf, type Billing, type PaidPlan } from "#domain/plans.ts";
import { formatEuros } from "../../lib/format.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { Ticket } from "../../ui/ticket.tsx";
import { checkoutCopy as copy } from "./checkout.copy.ts";
import { OrderSummary } from "./order-summary.tsx";
import { PublicHeader } from "./public-header.tsx";

type CheckoutPageProps = { plan: PaidPlan; billing: Billing };

/** `/checkout`: what is bought and what it costs (specification, section 2.4). */
export function CheckoutPage({ plan, billing }: CheckoutPageProps) {
  usePageTitle(copy.title);
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader subscribed={null} />
      <main className="mx-auto grid w-full max-w-xl flex-1 content-start gap-6 px-4 py-10 sm:py-16">
        <h1 className="text-3xl">{copy.title}</h1>
        <Ticket
          stub={
            <div className="flex items-baseline justify-between gap-4 font-semibold tabular-nums">
              <span>{copy.due}</span>
              <span className="font-display text-2xl font-bold">
                {formatEuros(amountsOf(plan, billing).due)}
              </span>
            </div>
          }
        >
          <OrderSummary plan={plan} billing={billing} />
        </Ticket>
        <Link to="/pricing" className={buttonClass({ variant: "quiet" })}>
          {copy.back}
        </Link>
      </main>
    </div>
  );
}
