import type { UseQueryResult } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Billing, PaidPlan } from "#domain/rules/plans.ts";
import type { BillingOverview } from "#domain/schemas/billing.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Notice } from "../../ui/notice.tsx";
import { SiteHeader } from "../../ui/site-header.tsx";
import { Ticket } from "../../ui/ticket.tsx";
import { AmountDue } from "./amount-due.tsx";
import { usePay } from "./billing.mutations.ts";
import { checkoutCopy as copy } from "./checkout.copy.ts";
import { CheckoutDone } from "./checkout-done.tsx";
import { CheckoutPay } from "./checkout-pay.tsx";
import { MemberLinks } from "./member-links.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { type Due, useDue } from "./use-due.ts";
import { useOverview } from "./use-overview.ts";

type CheckoutPageProps = { plan: PaidPlan; billing: Billing; payment?: "done" | "canceled" };

/** `/checkout`: what is bought, what is due today, and the way to pay (specification, section 2.4). */
export function CheckoutPage({ plan, billing, payment }: CheckoutPageProps) {
  usePageTitle(copy.title);
  const isPaid = payment === "done";
  const { query, hasArrived } = useOverview(plan, billing, isPaid);
  const pay = usePay();
  const isChanged = pay.data === "changed";
  const due = useDue(query, plan, billing, isPaid || isChanged);
  // What was pressed stays in sight while it is done, and afterwards.
  const shown: Due =
    (pay.isPending || isChanged) && pay.variables
      ? { kind: isChanged ? "paid" : "today", bill: pay.variables.bill, preview: null }
      : due;
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader member={<MemberLinks subscribed={null} />} />
      <main className="mx-auto grid w-full max-w-xl flex-1 content-start gap-6 px-4 py-10 sm:py-16">
        <h1 className="text-3xl">{copy.title}</h1>
        {payment === "canceled" && <Notice>{copy.canceled}</Notice>}
        <Ticket stub={<AmountDue due={shown} billing={billing} />}>
          <OrderSummary plan={plan} billing={billing} />
        </Ticket>
        {isChanged || hasArrived ? (
          <CheckoutDone />
        ) : (
          <Payment query={query} plan={plan} billing={billing} isPaid={isPaid}>
            <CheckoutPay
              overview={query.data ?? null}
              plan={plan}
              billing={billing}
              due={due}
              pay={pay}
            />
          </Payment>
        )}
        <Link to="/pricing" className={buttonClass({ variant: "quiet" })}>
          {copy.back}
        </Link>
      </main>
    </div>
  );
}

type PaymentProps = {
  query: UseQueryResult<BillingOverview>;
  plan: PaidPlan;
  billing: Billing;
  isPaid: boolean;
  /** The way to pay, for an organisation that is known. */
  children: ReactNode;
};

function Payment({ query, plan, billing, isPaid, children }: PaymentProps) {
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
  return isPaid ? <Notice>{copy.done.waiting}</Notice> : children;
}
