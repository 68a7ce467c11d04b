import type Stripe from "stripe";
import type { Billing, PaidPlan } from "../domain/rules/plan-names.ts";
import { offerOf, type Payments } from "./payments.ts";

/** Subscription of a customer as the provider holds it, in our words. */
export type SubscriptionState = {
  subscriptionId: string;
  plan: PaidPlan;
  billing: Billing;
  state: "active" | "past_due" | "canceled";
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
  /** When the oldest bill that is not paid was made. */
  pastDueSince: Date | null;
  /** Sum of the unpaid bills, tax included; null when there is none. */
  dueCents: number | null;
  endedAt: Date | null;
};

/** States that never came to a first payment: no subscription for us. */
const NEVER_BEGAN: readonly string[] = ["incomplete", "incomplete_expired"];

/** States of a subscription whose bills are paid. */
const RUNNING: readonly string[] = ["active", "trialing"];

/** Whether every bill of a subscription is paid so far. */
export function isRunning({ status }: Pick<Stripe.Subscription, "status">): boolean {
  return RUNNING.includes(status);
}

/** A subscription that the provider sells at a price which is none of ours. */
class UnknownPriceError extends Error {
  override readonly name = "UnknownPriceError";
  readonly code = "unknown_price";
}

/** Reads a customer's subscription at the provider: the one that runs, else the last one; null when there was none. */
export async function readState(
  { stripe, prices }: Pick<Payments, "stripe" | "prices">,
  customerId: string,
): Promise<SubscriptionState | null> {
  const { data } = await stripe.subscriptions.list({
    customer: customerId,
    status: "all",
    limit: 100,
  });
  const subscription = data.filter(({ status }) => !NEVER_BEGAN.includes(status)).sort(byRank)[0];
  const item = subscription?.items.data[0];
  if (!subscription || !item) return null;
  const offer = offerOf(prices, item.price.id);
  if (!offer) throw new UnknownPriceError();
  const state =
    subscription.status === "canceled"
      ? "canceled"
      : isRunning(subscription)
        ? "active"
        : "past_due";
  return {
    subscriptionId: subscription.id,
    ...offer,
    state,
    currentPeriodEnd: moment(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    ...(state === "past_due"
      ? await openBills(stripe, subscription, customerId)
      : { pastDueSince: null, dueCents: null }),
    endedAt: state === "canceled" ? moment(subscription.ended_at ?? subscription.created) : null,
  };
}

/** Those that run before those that are over, then the younger first: the same for everybody who asks. */
function byRank(one: Stripe.Subscription, other: Stripe.Subscription): number {
  const isOver = Number(one.status === "canceled") - Number(other.status === "canceled");
  return isOver || other.created - one.created || (one.id < other.id ? 1 : -1);
}

/** Since when a subscription's bills are open, and what is left to pay of them. */
async function openBills(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  customer: string,
): Promise<Pick<SubscriptionState, "pastDueSince" | "dueCents">> {
  const { data } = await stripe.invoices.list({
    customer,
    subscription: subscription.id,
    status: "open",
    limit: 100,
  });
  const begun = subscription.items.data[0]?.current_period_start ?? subscription.created;
  const oldest = Math.min(...data.map(({ created }) => created));
  const due = data.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0);
  return {
    pastDueSince: moment(data.length > 0 ? oldest : begun),
    dueCents: due > 0 ? due : null,
  };
}

function moment(seconds: number): Date {
  return new Date(seconds * 1000);
}
