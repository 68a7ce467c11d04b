import type Stripe from "stripe";
import { type Billing, type PaidPlan, paidPlan } from "../domain/rules/plan-names.ts";
import { isMissing, offerOf, type Payments } from "./payments.ts";

/** Subscription of a customer as the provider holds it, in our words. */
export type SubscriptionState = {
  subscriptionId: string;
  plan: PaidPlan;
  /** Null where the price is none of ours, and the row does not know it either. */
  billing: Billing | null;
  /** Price at the provider where it is none of ours, and does not say its plan; null otherwise. */
  unknownPrice: string | null;
  state: "active" | "past_due" | "canceled";
  /** End of the paid period, or the day before it on which the subscription ends. */
  currentPeriodEnd: Date;
  /** Whether it ends then: nothing is charged any more. */
  cancelAtPeriodEnd: boolean;
  /** When it ends after that; it is renewed, and charged, until then. */
  cancelAt: Date | null;
  /** When the oldest bill that is not paid was made. */
  pastDueSince: Date | null;
  /** Sum of the unpaid bills, tax included; null when there is none. */
  dueCents: number | null;
  endedAt: Date | null;
};

/** Key of a price's metadata at the provider that names the plan it is for. */
const PLAN_KEY = "tournavis_plan";

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

/** Plan of a subscription that was bought before, as our row says it. */
export type KnownPlan = { subscriptionId: string; plan: PaidPlan; billing: Billing | null };

/**
 * Reads a customer's subscription at the provider: the one that runs, else the last one; null when there was none. What the
 * provider sells the customer besides our plans does not count. The `known` subscription keeps its plan at a price that is
 * none of ours: an operator may give a customer another price, or raise those of newcomers.
 */
export async function readState(
  { stripe, prices }: Pick<Payments, "stripe" | "prices">,
  customerId: string,
  known: KnownPlan | null = null,
): Promise<SubscriptionState | null> {
  const [held] = (await listBegun(stripe, customerId))
    .map((one) => heldAs(planIn(prices, one), one, known))
    .sort(byRank);
  if (!held) return null;
  if (!held.plan) throw new UnknownPriceError();
  const subscription = held.one;
  const { item, offer } = held.plan;
  const { cancel_at: end } = subscription;
  const periodEnd = item.current_period_end;
  const state =
    subscription.status === "canceled"
      ? "canceled"
      : isRunning(subscription)
        ? "active"
        : "past_due";
  return {
    subscriptionId: subscription.id,
    ...offer,
    unknownPrice: held.isOurs ? null : item.price.id,
    state,
    currentPeriodEnd: moment(Math.min(periodEnd, end ?? periodEnd)),
    cancelAtPeriodEnd: isLast(subscription, periodEnd),
    cancelAt: end !== null && end > periodEnd ? moment(end) : null,
    ...(state === "past_due"
      ? await openBills(stripe, { subscription, item }, customerId)
      : { pastDueSince: null, dueCents: null }),
    endedAt: state === "canceled" ? moment(subscription.ended_at ?? subscription.created) : null,
  };
}

/** Subscriptions of a customer that would be charged again. */
export async function readCharged(
  { stripe }: Pick<Payments, "stripe">,
  customerId: string,
): Promise<Stripe.Subscription[]> {
  const begun = await listBegun(stripe, customerId);
  return begun.filter((one) => {
    const renewal = Math.min(...one.items.data.map((item) => item.current_period_end));
    return one.status !== "canceled" && !isLast(one, renewal);
  });
}

/** Whether a subscription ends with its present period, or within it: the provider takes any day. */
function isLast(
  { cancel_at, cancel_at_period_end }: Stripe.Subscription,
  periodEnd: number,
): boolean {
  return cancel_at_period_end || (cancel_at !== null && cancel_at <= periodEnd);
}

/** Subscriptions of a customer that came to a first payment; none of one whom the provider has deleted. */
async function listBegun(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  try {
    const { data } = await stripe.subscriptions.list({ customer, status: "all", limit: 100 });
    return data.filter(({ status }) => !NEVER_BEGAN.includes(status));
  } catch (error) {
    // One who never was there is an error still: the key may be that of another account.
    if (isMissing(error) && (await stripe.customers.retrieve(customer)).deleted) return [];
    throw error;
  }
}

type Plan = {
  item: Stripe.SubscriptionItem;
  offer: Pick<SubscriptionState, "plan" | "billing">;
};

/**
 * The part of a subscription that another plan replaces: the one that is a plan of ours, else its only one. Throws
 * `unknown_price` where nobody can tell.
 */
export function replacedItem(
  prices: Payments["prices"],
  subscription: Stripe.Subscription,
): Stripe.SubscriptionItem {
  const [first, ...others] = subscription.items.data;
  const item = planIn(prices, subscription)?.item ?? (others.length === 0 ? first : undefined);
  if (!item) throw new UnknownPriceError();
  return item;
}

/** The part of a subscription that is one of our plans; null when none is. */
function planIn(prices: Payments["prices"], { items }: Stripe.Subscription): Plan | null {
  for (const item of items.data) {
    const offer = offerOf(prices, item.price.id) ?? declaredOffer(item.price);
    if (offer) return { item, offer };
  }
  return null;
}

/** Plan that the operator says a price of their own stands for, by its metadata; null where they say none. */
function declaredOffer({ metadata, recurring }: Stripe.Price): Plan["offer"] | null {
  const { data: plan } = paidPlan.safeParse(metadata[PLAN_KEY]);
  if (!plan) return null;
  const { interval, interval_count: count } = recurring ?? {};
  if (count !== 1) return { plan, billing: null };
  return {
    plan,
    billing: interval === "year" ? "yearly" : interval === "month" ? "monthly" : null,
  };
}

/** The plan that a known subscription keeps, for as long as the longest of its parts is paid. */
function keptPlan(known: KnownPlan | null, { id, items }: Stripe.Subscription): Plan | null {
  const [item] = items.data.toSorted(
    (one, other) => other.current_period_end - one.current_period_end,
  );
  if (known?.subscriptionId !== id || !item) return null;
  return { item, offer: { plan: known.plan, billing: known.billing } };
}

type Held = {
  one: Stripe.Subscription;
  plan: Plan | null;
  /** Whether its prices say that plan; else our row does. */
  isOurs: boolean;
};

function heldAs(ours: Plan | null, one: Stripe.Subscription, known: KnownPlan | null): Held {
  return { one, plan: ours ?? keptPlan(known, one), isOurs: ours !== null };
}

/** Those that run before those that are over, our plans first, then the younger: the same for everybody who asks. */
function byRank({ one, plan }: Held, { one: other, plan: otherPlan }: Held): number {
  const isOver = Number(one.status === "canceled") - Number(other.status === "canceled");
  const isElse = Number(plan === null) - Number(otherPlan === null);
  return isOver || isElse || other.created - one.created || (one.id < other.id ? 1 : -1);
}

/** Since when a subscription's bills are open, and what is left to pay of them. */
async function openBills(
  stripe: Stripe,
  { subscription, item }: { subscription: Stripe.Subscription; item: Stripe.SubscriptionItem },
  customer: string,
): Promise<Pick<SubscriptionState, "pastDueSince" | "dueCents">> {
  const { data } = await stripe.invoices.list({
    customer,
    subscription: subscription.id,
    status: "open",
    limit: 100,
  });
  const oldest = Math.min(...data.map(({ created }) => created));
  const due = data.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0);
  return {
    pastDueSince: moment(data.length > 0 ? oldest : item.current_period_start),
    dueCents: due > 0 ? due : null,
  };
}

function moment(seconds: number): Date {
  return new Date(seconds * 1000);
}
