import type Stripe from "stripe";
import type { Billing, PaidPlan } from "../_shared/domain/rules/plan-names.ts";
import { amountsOf } from "../_shared/domain/rules/plans.ts";
import { PREVIEW_SECONDS, type Preview } from "../_shared/domain/schemas/billing.ts";
import type { Deps } from "../_shared/http/deps.ts";

/** A subscription as the provider holds it, and the price that it changes to. */
export type Change = {
  subscription: Stripe.Subscription;
  item: Stripe.SubscriptionItem;
  price: string;
};

/**
 * How a change is billed: the preview and the change itself say the same to the provider. It undoes a cancellation, and one
 * for a day of its own by that day alone.
 */
export function termsOf({ subscription: { cancel_at, cancel_at_period_end } }: Change) {
  const isOnDay = cancel_at !== null && !cancel_at_period_end;
  return {
    proration_behavior: "always_invoice" as const,
    ...(isOnDay ? { cancel_at: "" as const } : { cancel_at_period_end: false }),
  };
}

/** How far the clocks of several servers may differ, in seconds. */
const CLOCK_SECONDS = 60;

/** Asks the provider for the bill that a change would make if it had been made at a moment (seconds). */
async function askBill(stripe: Stripe, change: Change, at: number): Promise<Stripe.Invoice> {
  const { subscription, item, price } = change;
  return stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      ...termsOf(change),
      items: [{ id: item.id, price }],
      proration_date: at,
    },
  });
}

/**
 * Names a bill by what a person was shown of it, under the server's key, so that none can be forged. The provider's
 * other answers (identifiers, the end of a period that begins at the change) differ from call to call.
 */
function nameOf(
  { keyedHash }: Pick<Deps, "keyedHash">,
  { subscription, item, price }: Change,
  at: number,
  { currency, total, amount_due, starting_balance }: Stripe.Invoice,
): string {
  const parts = [subscription.id, item.price.id, price, at];
  return keyedHash(
    "subscription preview",
    [...parts, currency, total, amount_due, starting_balance].join(" "),
  );
}

/** Preview of a change's present cost, to be shown to the person and named when it is confirmed. */
export async function previewChange(
  stripe: Stripe,
  change: Change,
  offer: { plan: PaidPlan; billing: Billing },
  deps: Pick<Deps, "keyedHash" | "now">,
): Promise<Preview> {
  // The provider's clock may be ahead of ours, and it takes no moment before the period.
  const at = Math.max(seconds(deps.now()), change.item.current_period_start);
  const bill = await askBill(stripe, change, at);
  if (bill.currency !== "eur") throw new Error("The provider bills in another currency.");
  return {
    preview_id: nameOf(deps, change, at, bill),
    proration_date: at,
    currency: bill.currency,
    amount_due: bill.amount_due,
    lines: linesOf(bill, change),
    credit_left: Math.max(0, -(bill.starting_balance + bill.total - bill.amount_due)),
    renewal: {
      amount: amountsOf(offer.plan, offer.billing).due,
      at: new Date(renewalOf(bill, change) * 1000).toISOString(),
    },
  };
}

/** Whether a change would still be billed as it was shown: not long ago, and for the same amounts. */
export async function isAsShown(
  stripe: Stripe,
  change: Change,
  shown: { preview_id: string; proration_date: number },
  deps: Pick<Deps, "keyedHash" | "now">,
): Promise<boolean> {
  const at = shown.proration_date;
  const age = seconds(deps.now()) - at;
  if (age < -CLOCK_SECONDS || age > PREVIEW_SECONDS) return false;
  const { current_period_start: begin, current_period_end: end } = change.item;
  // The period was renewed meanwhile, or the moment is none of ours: the provider would not take it.
  if (at < begin || at > Math.max(end, seconds(deps.now()))) return false;
  return nameOf(deps, change, at, await askBill(stripe, change, at)) === shown.preview_id;
}

/** The parts of a bill, which add up to what is due. */
function linesOf(bill: Stripe.Invoice, change: Change): Preview["lines"] {
  const sumOf = (isIn: (line: Stripe.InvoiceLineItem) => boolean) =>
    bill.lines.data.filter(isIn).reduce((sum, { amount }) => sum + amount, 0);
  const credit = sumOf((line) => priceOf(line) === change.item.price.id);
  const plan = sumOf((line) => priceOf(line) === change.price);
  const tax = (bill.total_taxes ?? [])
    .filter(({ tax_behavior }) => tax_behavior === "exclusive")
    .reduce((sum, { amount }) => sum + amount, 0);
  const balance = bill.amount_due - bill.total;
  const lines: Preview["lines"] = [
    { kind: "credit", amount: credit },
    { kind: "plan", amount: plan },
    { kind: "other", amount: bill.total - tax - plan - credit },
    { kind: "tax", amount: tax },
    { kind: balanceKind(bill, balance), amount: balance },
  ];
  return lines.filter(({ amount }) => amount !== 0);
}

function balanceKind(bill: Stripe.Invoice, balance: number): Preview["lines"][number]["kind"] {
  if (balance > 0 && bill.total < 0) return "balance_kept";
  return balance < 0 && bill.starting_balance < 0 ? "balance_used" : "balance_carried";
}

function priceOf({ pricing }: Stripe.InvoiceLineItem): string | undefined {
  const price = pricing?.price_details?.price;
  return typeof price === "string" ? price : price?.id;
}

/** When the next bill comes (seconds): with the end of the new plan's period, which a new rhythm begins at once. */
function renewalOf(bill: Stripe.Invoice, { item, price }: Change): number {
  const ends = bill.lines.data
    .filter((line) => priceOf(line) === price)
    .map(({ period }) => period.end);
  return ends.length > 0 ? Math.max(...ends) : item.current_period_end;
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
