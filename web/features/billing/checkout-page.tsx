import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { amountsOf, type Billing, type PaidPlan } from "#domain/plans.ts";
import { useApp } from "../../lib/app-context.ts";
import { formatEuros } from "../../lib/format.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Notice } from "../../ui/notice.tsx";
import { SiteHeader } from "../../ui/site-header.tsx";
import { Ticket } from "../../ui/ticket.tsx";
import { billingQuery, isSubscribed } from "./billing.queries.ts";
import { checkoutCopy as copy } from "./checkout.copy.ts";
import { CheckoutDone } from "./checkout-done.tsx";
import { CheckoutPay } from "./checkout-pay.tsx";
import { MemberLinks } from "./member-links.tsx";
import { OrderSummary } from "./order-summary.tsx";

/** How often one looks whether the payment has arrived. */
const POLL_MS = 1_500;

type CheckoutPageProps = { plan: PaidPlan; billing: Billing; payment?: "done" | "canceled" };

/** `/checkout`: what is bought, what it costs, and the way to pay (specification, section 2.4). */
export function CheckoutPage({ plan, billing, payment }: CheckoutPageProps) {
  usePageTitle(copy.title);
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader member={<MemberLinks subscribed={null} />} />
      <main className="mx-auto grid w-full max-w-xl flex-1 content-start gap-6 px-4 py-10 sm:py-16">
        <h1 className="text-3xl">{copy.title}</h1>
        {payment === "canceled" && <Notice>{copy.canceled}</Notice>}
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
        <Payment plan={plan} billing={billing} isPaid={payment === "done"} />
        <Link to="/pricing" className={buttonClass({ variant: "quiet" })}>
          {copy.back}
        </Link>
      </main>
    </div>
  );
}

function Payment({ plan, billing, isPaid }: { plan: PaidPlan; billing: Billing; isPaid: boolean }) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...billingQuery(supabase),
    // The provider tells us of a payment by itself, a moment later.
    refetchInterval: ({ state: { data } }) =>
      isPaid && !(data?.plan === plan && data.billing === billing) ? POLL_MS : false,
  });
  const hasArrived =
    isPaid &&
    query.data !== undefined &&
    isSubscribed(query.data) &&
    query.data.plan === plan &&
    query.data.billing === billing;
  useEffect(() => {
    if (hasArrived) void queryClient.invalidateQueries({ queryKey: ["workspace"] });
  }, [hasArrived, queryClient]);

  // That there was no organisation may be an old answer.
  if (query.isPending || (query.data === null && query.isFetching))
    return <p role="status">{copy.loading}</p>;
  if (query.isError) {
    return (
      <div className="grid gap-4">
        <Alert>{copy.errors.organization}</Alert>
        <Button size="lg" waiting>
          {copy.pay}
        </Button>
        <Button variant="secondary" busy={query.isFetching} onClick={() => query.refetch()}>
          {copy.retry}
        </Button>
      </div>
    );
  }
  if (query.data === null) {
    // Who pays is an organisation: its name comes first, and leads back here.
    return <Navigate to="/onboarding" search={{ plan, billing }} replace />;
  }
  if (hasArrived) return <CheckoutDone />;
  if (isPaid) return <Notice>{copy.done.waiting}</Notice>;
  return <CheckoutPay overview={query.data} plan={plan} billing={billing} />;
}
