import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Billing, PaidPlan } from "#domain/rules/plan-names.ts";
import { amountsOf } from "#domain/rules/plans.ts";
import type { BillingOverview, Preview } from "#domain/schemas/billing.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage, NETWORK } from "../../../lib/app-error.ts";
import { formatDate } from "../../../lib/format.ts";
import { isUnpaid } from "../../../lib/workspace.ts";
import { isSubscribed, previewQuery } from "../billing.queries.ts";
import { checkoutCopy as copy } from "./checkout.copy.ts";

/** An amount and what it is made of, ready to be read. */
export type Bill = {
  /** In cents. */
  amount: number;
  lines: readonly { label: string; amount: number }[];
  /** Next bill, in cents, and its day where that is known already. */
  renewal: { amount: number; at: string | null };
  /** Credit that is left for later bills, in cents. */
  creditLeft: number;
  /** Whether a cancellation of before is undone by it. */
  resumes: boolean;
};

/** Amounts of the checkout. */
export type Due =
  | { kind: "loading" }
  | { kind: "failed"; problem: string; retry: () => void }
  /** Nothing can be bought here: what the plan costs. */
  | { kind: "price"; bill: Bill }
  /** Bill of the change that has just been made. */
  | { kind: "paid"; bill: Bill }
  /** Price of pressing the button; `preview` names it for a change of plan. */
  | { kind: "today"; bill: Bill; preview: Preview | null };

/** Works out what is due today (nothing once it `isOver`): the price of a first payment, or what the provider says of a change. */
export function useDue(
  { data: overview, isError, refetch }: UseQueryResult<BillingOverview>,
  plan: PaidPlan,
  billing: Billing,
  isOver: boolean,
): Due {
  const { supabase, config } = useApp();
  const price = config.payments?.prices[plan][billing];
  const isCurrent =
    overview !== undefined &&
    isSubscribed(overview) &&
    overview.plan === plan &&
    overview.billing === billing;
  const isOffer =
    !isOver &&
    overview?.may_manage === true &&
    price !== undefined &&
    !isCurrent &&
    !(isSubscribed(overview) && isUnpaid(overview));
  const subscriber = isOffer && isSubscribed(overview) ? overview : null;
  const asked = useQuery(previewQuery(supabase, subscriber, price));

  if (isError) {
    return { kind: "failed", problem: copy.errors.organization, retry: () => void refetch() };
  }
  if (overview === undefined) return { kind: "loading" };
  if (!isOffer) return { kind: "price", bill: priceBill(plan, billing) };
  if (subscriber === null) return { kind: "today", bill: priceBill(plan, billing), preview: null };
  if (asked.isFetching || asked.isPending) return { kind: "loading" };
  if (asked.isError) {
    const { error } = asked;
    const isOurs = error instanceof AppError && ![NETWORK, "unknown"].includes(error.code);
    const problem = isOurs ? errorMessage(error) : copy.errors.amount;
    return { kind: "failed", problem, retry: () => void asked.refetch() };
  }
  const bill = changeBill(asked.data, plan, subscriber.cancel_at_period_end);
  return { kind: "today", bill, preview: asked.data };
}

function priceBill(plan: PaidPlan, billing: Billing): Bill {
  const { total, vat, due } = amountsOf(plan, billing);
  const lines = [
    { label: copy.subtotal[billing], amount: total },
    { label: copy.lines.tax, amount: vat },
  ];
  return {
    amount: due,
    lines,
    renewal: { amount: due, at: null },
    creditLeft: 0,
    resumes: false,
  };
}

function changeBill(preview: Preview, plan: PaidPlan, resumes: boolean): Bill {
  const at = formatDate(new Date(preview.renewal.at));
  const labels = { ...copy.lines, plan: copy.lines.until(copy.lines.plan[plan], at) };
  return {
    amount: preview.amount_due,
    lines: preview.lines.map(({ kind, amount }) => ({ label: labels[kind], amount })),
    renewal: { amount: preview.renewal.amount, at },
    creditLeft: preview.credit_left,
    resumes,
  };
}
