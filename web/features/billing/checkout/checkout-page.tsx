import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { Billing, PaidPlan } from "#domain/rules/plan-names.ts";
import { amountsOf } from "#domain/rules/plans.ts";
import type { BillingOverview } from "#domain/schemas/billing.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatEuros } from "../../../lib/format.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Notice } from "../../../ui/notice.tsx";
import { SiteHeader } from "../../../ui/site-header.tsx";
import { takeFocus } from "../../../ui/states/message-screen.tsx";
import { Ticket } from "../../../ui/ticket.tsx";
import { usePay } from "../billing.mutations.ts";
import { billingQuery, isSubscribed } from "../billing.queries.ts";
import { MemberLinks } from "../prices/member-links.tsx";
import { AmountDue } from "./amount-due.tsx";
import { checkoutCopy as copy } from "./checkout.copy.ts";
import { CheckoutPay } from "./checkout-pay.tsx";
import { type Due, useDue } from "./use-due.ts";

type CheckoutPageProps = { plan: PaidPlan; billing: Billing; payment?: "done" | "canceled" };

/** `/checkout`: what is bought, what is due today, and the way to pay (specification, section 2.4). */
export function CheckoutPage({ plan, billing, payment }: CheckoutPageProps) {
  usePageTitle(copy.title);
  const isPaid = payment === "done";
  const { query, hasArrived, isLate } = useOverview(plan, billing, isPaid);
  const pay = usePay();
  const isChanged = pay.data === "changed";
  const due = useDue(query, plan, billing, isPaid || isChanged);
  // The pressed offer stays in sight while the payment runs, and afterwards.
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
          <Payment query={query} plan={plan} billing={billing} isPaid={isPaid} isLate={isLate}>
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
  /** Whether a payment is no longer waited for. */
  isLate: boolean;
  /** The way to pay, for an organisation that is known. */
  children: ReactNode;
};

function Payment({ query, plan, billing, isPaid, isLate, children }: PaymentProps) {
  if (isPaid && query.data) return <Awaited query={query} isLate={isLate} />;
  // A cached answer « no organisation » may be stale.
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
    // An organisation pays: its name comes first, and leads back here.
    return <Navigate to="/onboarding" search={{ plan, billing }} replace />;
  }
  return children;
}

/** A plan that was paid for and is not in place yet. One notice says all of it, so that each change is read out. */
function Awaited({ query, isLate }: Pick<PaymentProps, "query" | "isLate">) {
  const late = query.isError ? copy.errors.organization : copy.done.late;
  return (
    <div className="grid gap-4">
      <Notice>{isLate ? late : copy.done.waiting}</Notice>
      {isLate && (
        <Button variant="secondary" busy={query.isFetching} onClick={() => query.refetch()}>
          {copy.done.lookAgain}
        </Button>
      )}
    </div>
  );
}

/** The plan is what was asked for. It takes the focus from the button that asked, which is gone. */
function CheckoutDone() {
  return (
    <div ref={takeFocus} tabIndex={-1} className="grid gap-4">
      <Notice tone="done">
        <strong>{copy.done.title}.</strong> {copy.done.text}
      </Notice>
      <Link to="/dashboard" className={buttonClass({ size: "lg" })}>
        {copy.done.dashboard}
      </Link>
    </div>
  );
}

/** Summary of the order. */
function OrderSummary({ plan, billing }: { plan: PaidPlan; billing: Billing }) {
  const { perMonth, savings } = amountsOf(plan, billing);
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 className="text-xl">{copy.plan[plan]}</h2>
      <p className="text-muted">{copy.perMonth(formatEuros(perMonth))}</p>
      <p className="w-full text-muted">{copy.billing[billing]}</p>
      {savings > 0 && (
        <p className="flex w-full justify-between gap-4 text-sm text-mint-ink tabular-nums">
          {copy.discount} <span>{formatEuros(savings)}</span>
        </p>
      )}
    </div>
  );
}

/** How often one looks whether the payment has arrived. */
const POLL_MS = 1_500;

/** How long one looks by oneself: an old address has nothing to wait for. */
const WAIT_MS = 120_000;

/** The organisation's subscription, and whether a plan that was paid for at the provider has arrived in it. */
function useOverview(
  plan: PaidPlan,
  billing: Billing,
  isPaid: boolean,
): { query: UseQueryResult<BillingOverview>; hasArrived: boolean; isLate: boolean } {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isPaid) return;
    const timer = setTimeout(() => setIsLate(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, [isPaid]);
  // The plan of before may have been the same, and be over.
  const isHeld = (data: BillingOverview = null) =>
    isSubscribed(data) && data.plan === plan && data.billing === billing;
  const query = useQuery({
    ...billingQuery(supabase),
    // The provider notifies us of a payment by webhook, a moment later.
    refetchInterval: ({ state: { data } }) =>
      isPaid && !isLate && !isHeld(data) ? POLL_MS : false,
    // A hidden page looks no further, while the time goes on.
    refetchOnWindowFocus: isPaid,
  });
  const hasArrived = isPaid && isHeld(query.data);
  useEffect(() => {
    if (hasArrived) void queryClient.invalidateQueries({ queryKey: ["workspace"] });
  }, [hasArrived, queryClient]);
  return { query, hasArrived, isLate };
}
