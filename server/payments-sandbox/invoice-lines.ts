import {
  type Customer,
  type InvoiceLine,
  newId,
  type Price,
  periodEnd,
  rounded,
  SANDBOX_TAX_RATE,
  type Subscription,
  seconds,
  type Tax,
  taxOn,
} from "./objects.ts";

/**
 * Composition of a bill, as the provider reckons it. A change brings a credit for the old price and
 * a charge for the new one, by the second of the period that is left
 * (https://docs.stripe.com/billing/subscriptions/prorations). A change of rhythm begins a whole new
 * period at once, and the bill of `always_invoice` holds nothing but this change. Tax is rounded
 * line by line (https://support.stripe.com/questions/rounding-rules-for-stripe-fees). The
 * customer's balance is used first, and less than the least charge is carried to the next bill
 * (https://docs.stripe.com/billing/customer/balance). The shapes are those of
 * https://docs.stripe.com/api/invoices/create_preview and of the official library's types.
 */

/** Least amount, in cents, that a card is charged in euros. */
const MIN_CHARGE_CENTS = 50;

/** A change of the price: to which one, as of which second, and when it is made. */
export type PriceOrder = { price: Price; at: number; now: Date };

type Item = Subscription["items"]["data"][0];

/** Whether two prices are paid as often as each other. */
export function isSameRhythm(item: Item, price: Price): boolean {
  return price.recurring.interval === item.price.recurring.interval;
}

/** The lines of the bill of a change. */
export function changeLines(
  subscription: Subscription,
  { price, at, now }: PriceOrder,
): InvoiceLine[] {
  const [item] = subscription.items.data;
  const { current_period_start: start, current_period_end: end } = item;
  const left = Math.max(0, Math.min(1, (end - at) / (end - start)));
  const rest = { start: at, end: Math.max(at, end) };
  const credit = lineOf(subscription, item.price, rest, -left);
  if (isSameRhythm(item, price)) return [credit, lineOf(subscription, price, rest, left)];
  const begin = seconds(now);
  return [credit, lineOf(subscription, price, { start: begin, end: periodEnd(begin, price) })];
}

/** One line: a price for a period, or the part of it that is left (below zero for what is given back). */
export function lineOf(
  { id, items }: Subscription,
  price: Price,
  period: InvoiceLine["period"],
  part?: number,
): InvoiceLine {
  const isProration = part !== undefined;
  const amount = rounded(price.unit_amount * (part ?? 1));
  const kind = isProration && part < 0 ? "Unused time on" : "Remaining time on";
  return {
    id: newId("il"),
    object: "line_item",
    amount,
    currency: "eur",
    description: isProration ? `${kind} ${price.id}` : `1 × ${price.id}`,
    discount_amounts: [],
    discountable: !isProration,
    discounts: [],
    livemode: false,
    metadata: {},
    parent: {
      type: "subscription_item_details",
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isProration,
        proration_details: isProration ? { credited_items: null } : null,
        subscription: id,
        subscription_item: items.data[0].id,
      },
    },
    period,
    pricing: {
      type: "price_details",
      price_details: { price: price.id, product: "prod_sandbox" },
      unit_amount_decimal: String(price.unit_amount),
    },
    quantity: 1,
    subtotal: amount,
    taxes: [taxOf(amount, taxOn(amount))],
  };
}

function taxOf(taxable: number, amount: number): Tax {
  return {
    amount,
    tax_behavior: "exclusive",
    tax_rate_details: { tax_rate: SANDBOX_TAX_RATE },
    taxability_reason: "not_available",
    taxable_amount: taxable,
    type: "tax_rate_details",
  };
}

/** Sums of a customer's lines. */
export function amountsOf(lines: readonly InvoiceLine[], { balance }: Pick<Customer, "balance">) {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = lines.reduce((sum, { amount }) => sum + taxOn(amount), 0);
  const total = subtotal + tax;
  const asked = total + balance;
  return {
    subtotal,
    total,
    total_taxes: [taxOf(subtotal, tax)],
    starting_balance: balance,
    amount_due: asked < MIN_CHARGE_CENTS ? 0 : asked,
  };
}

/** The customer's balance once a bill is made: below zero a credit, above it what the next bill takes. */
export function balanceAfter({
  starting_balance,
  total,
  amount_due,
}: Pick<ReturnType<typeof amountsOf>, "starting_balance" | "total" | "amount_due">): number {
  return starting_balance + total - amount_due;
}

/** Lines as the provider lists them. */
export function listOfLines(lines: readonly InvoiceLine[]) {
  return {
    object: "list" as const,
    has_more: false as const,
    total_count: lines.length,
    data: [...lines],
  };
}

/** A bill that is not made: what the provider answers to a preview. */
export function previewOf(
  subscription: Subscription,
  lines: readonly InvoiceLine[],
  customer: Customer,
  now: Date,
): unknown {
  const amounts = amountsOf(lines, customer);
  const id = newId("upcoming_in");
  return {
    id,
    object: "invoice",
    ...amounts,
    amount_paid: 0,
    amount_remaining: amounts.amount_due,
    attempted: false,
    auto_advance: false,
    billing_reason: "upcoming",
    collection_method: "charge_automatically",
    created: seconds(now),
    currency: "eur",
    customer: customer.id,
    description: null,
    discounts: [],
    ending_balance: balanceAfter(amounts),
    lines: { ...listOfLines(lines), url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    number: null,
    parent: {
      type: "subscription_details",
      quote_details: null,
      subscription_details: {
        metadata: subscription.metadata,
        subscription: subscription.id,
      },
    },
    period_end: seconds(now),
    period_start: seconds(now),
    status: "draft",
    subtotal_excluding_tax: amounts.subtotal,
    total_discount_amounts: [],
    total_excluding_tax: amounts.subtotal,
  };
}
