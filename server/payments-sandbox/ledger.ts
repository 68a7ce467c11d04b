import type { TransactionSql } from "postgres";
import {
  amountsOf,
  balanceAfter,
  changeLines,
  isSameRhythm,
  lineOf,
  listOfLines,
  type PriceOrder,
  previewOf,
} from "./invoice-lines.ts";
import {
  type Card,
  type Customer,
  customer as customerSchema,
  type Invoice,
  type InvoiceLine,
  invoice as invoiceSchema,
  newId,
  periodEnd,
  priceOf,
  SANDBOX_TAX_RATE,
  type Session,
  type Subscription,
  seconds,
} from "./objects.ts";
import { find, keep, listOf, tell } from "./store.ts";

/** Bookkeeping of the sandbox's imaginary money: prices, proration, bills, refused cards. */

/** A card was refused: nothing was changed. */
export class DeclinedError extends Error {
  override readonly name = "DeclinedError";
}

async function customerOf(sql: TransactionSql, id: string): Promise<Customer> {
  const customer = await find(sql, "customer", id, customerSchema);
  if (!customer) throw new Error("The sandbox has lost a customer.");
  return customer;
}

/** Writes a bill and takes what is due from the credit, then from the card. */
async function bill(
  sql: TransactionSql,
  of: Pick<Subscription, "id" | "customer">,
  { lines, description, mayFail, now }: BillOrder,
): Promise<Invoice> {
  const customer = await customerOf(sql, of.customer);
  const count = (await listOf(sql, "invoice", of.customer, invoiceSchema)).length;
  const amounts = amountsOf(lines, customer);
  const isPaid = amounts.amount_due === 0 || customer.card === "good";
  if (!isPaid && !mayFail) throw new DeclinedError();
  const invoice: Invoice = {
    id: newId("in"),
    object: "invoice",
    customer: of.customer,
    subscription: of.id,
    number: `BAC-${String(count + 1).padStart(4, "0")}`,
    status: isPaid ? "paid" : "open",
    currency: "eur",
    ...amounts,
    amount_remaining: isPaid ? 0 : amounts.amount_due,
    description,
    created: seconds(now),
    livemode: false,
    lines: listOfLines(lines),
  };
  await keep(sql, invoice, of.customer);
  await keep(sql, { ...customer, balance: balanceAfter(amounts) }, customer.id);
  await tell(sql, isPaid ? "invoice.paid" : "invoice.payment_failed", invoice);
  return invoice;
}

type BillOrder = {
  lines: readonly InvoiceLine[];
  description: string;
  /** Whether a refused card leaves the bill open; else it is an error. */
  mayFail: boolean;
  now: Date;
};

/** Payment on the page of a session: the subscription begins. */
export async function buy(
  sql: TransactionSql,
  session: Session,
  card: Card,
  now: Date,
): Promise<void> {
  const price = priceOf(session.price);
  if (!price) throw new Error("The sandbox sells no such price.");
  const customer = await customerOf(sql, session.customer);
  await keep(sql, { ...customer, card }, customer.id);
  const begin = seconds(now);
  const subscription: Subscription = {
    id: newId("sub"),
    object: "subscription",
    customer: session.customer,
    status: "active",
    created: begin,
    ended_at: null,
    cancel_at: null,
    cancel_at_period_end: false,
    latest_invoice: null,
    default_tax_rates: [SANDBOX_TAX_RATE],
    items: {
      object: "list",
      has_more: false,
      data: [
        {
          id: newId("si"),
          object: "subscription_item",
          quantity: 1,
          price,
          current_period_start: begin,
          current_period_end: periodEnd(begin, price),
        },
      ],
    },
    livemode: false,
    metadata: session.subscription_metadata,
  };
  const [item] = subscription.items.data;
  const invoice = await bill(sql, subscription, {
    lines: [lineOf(subscription, price, { start: begin, end: item.current_period_end })],
    description: price.id,
    mayFail: false,
    now,
  });
  const begun = { ...subscription, latest_invoice: invoice.id };
  await keep(sql, begun, session.customer);
  const done: Session = {
    ...session,
    status: "complete",
    payment_status: "paid",
    subscription: subscription.id,
    url: null,
  };
  await keep(sql, done, session.customer);
  await tell(sql, "customer.subscription.created", begun);
  await tell(sql, "checkout.session.completed", done);
}

/** Stores a changed subscription and emits its event. */
async function change(sql: TransactionSql, changed: Subscription): Promise<Subscription> {
  await keep(sql, changed, changed.customer);
  const type = changed.status === "canceled" ? "deleted" : "updated";
  await tell(sql, `customer.subscription.${type}`, changed);
  return changed;
}

/** The same subscription with another price or another period. */
function withItem(
  subscription: Subscription,
  part: Partial<Subscription["items"]["data"][0]>,
): Subscription {
  const [item] = subscription.items.data;
  return { ...subscription, items: { ...subscription.items, data: [{ ...item, ...part }] } };
}

/** Bill that a change would bring, reckoned as in `changePrice`; nothing is changed. */
export async function previewPrice(
  sql: TransactionSql,
  subscription: Subscription,
  order: PriceOrder,
): Promise<unknown> {
  const customer = await customerOf(sql, subscription.customer);
  return previewOf(subscription, changeLines(subscription, order), customer, order.now);
}

/**
 * Another price at once: what is left of the old one is given back. The new one is taken for the rest of the period, or
 * for a whole one when the rhythm changes too.
 */
export async function changePrice(
  sql: TransactionSql,
  subscription: Subscription,
  order: PriceOrder,
): Promise<Subscription> {
  const { price, now } = order;
  const [item] = subscription.items.data;
  const invoice = await bill(sql, subscription, {
    lines: changeLines(subscription, order),
    description: `${item.price.id} → ${price.id}`,
    mayFail: false,
    now,
  });
  const at = seconds(now);
  const period = isSameRhythm(item, price)
    ? {}
    : { current_period_start: at, current_period_end: periodEnd(at, price) };
  return change(sql, {
    ...withItem(subscription, { price, ...period }),
    latest_invoice: invoice.id,
  });
}

/** The period is over as if its time had passed: the next one is billed, or the subscription ends. */
export async function renew(
  sql: TransactionSql,
  subscription: Subscription,
  now: Date,
): Promise<void> {
  if (subscription.cancel_at_period_end) return end(sql, subscription, now);
  const [{ price }] = subscription.items.data;
  const at = seconds(now);
  const until = periodEnd(at, price);
  const invoice = await bill(sql, subscription, {
    lines: [lineOf(subscription, price, { start: at, end: until })],
    description: price.id,
    mayFail: true,
    now,
  });
  await change(sql, {
    ...withItem(subscription, { current_period_start: at, current_period_end: until }),
    status: invoice.status === "open" ? "past_due" : subscription.status,
    latest_invoice: invoice.id,
  });
}

/** Cancellation with immediate effect. */
export async function end(
  sql: TransactionSql,
  subscription: Subscription,
  now: Date,
): Promise<void> {
  await change(sql, { ...subscription, status: "canceled", ended_at: seconds(now) });
}

/** Cancellation at the end of the period, or its withdrawal. */
export async function setCancelling(
  sql: TransactionSql,
  subscription: Subscription,
  isCancelling: boolean,
): Promise<Subscription> {
  return change(sql, { ...subscription, cancel_at: null, cancel_at_period_end: isCancelling });
}

async function openBills(sql: TransactionSql, subscription: Subscription): Promise<Invoice[]> {
  const invoices = await listOf(sql, "invoice", subscription.customer, invoiceSchema);
  return invoices.filter((one) => one.status === "open" && one.subscription === subscription.id);
}

/** Pays what is open; throws `DeclinedError` when the card is refused again. */
export async function payBills(sql: TransactionSql, subscription: Subscription): Promise<void> {
  const customer = await customerOf(sql, subscription.customer);
  const open = await openBills(sql, subscription);
  if (open.length > 0 && customer.card !== "good") throw new DeclinedError();
  for (const invoice of open) {
    const paid: Invoice = { ...invoice, status: "paid", amount_remaining: 0 };
    await keep(sql, paid, paid.customer);
    await tell(sql, "invoice.paid", paid);
  }
  if (subscription.status === "past_due") {
    await change(sql, { ...subscription, status: "active" });
  }
}

/** Lets so many days pass over the bills that are open, and tries the card again. */
export async function ageBills(
  sql: TransactionSql,
  subscription: Subscription,
  days: number,
): Promise<void> {
  for (const invoice of await openBills(sql, subscription)) {
    const older: Invoice = { ...invoice, created: invoice.created - days * 86_400 };
    await keep(sql, older, older.customer);
    await tell(sql, "invoice.payment_failed", older);
  }
}

/** Puts another card in the place of the one that is kept. */
export async function changeCard(
  sql: TransactionSql,
  customerId: string,
  card: Card,
): Promise<void> {
  const changed: Customer = { ...(await customerOf(sql, customerId)), card };
  await keep(sql, changed, customerId);
  await tell(sql, "customer.updated", changed);
}
