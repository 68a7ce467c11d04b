import { randomBytes } from "node:crypto";
import { z } from "zod";
import { amountsOf, VAT_PERCENT } from "#domain/rules/plans.ts";
import { offerOf, type Prices } from "../../supabase/functions/_shared/http/payments.ts";

/** Prices that the sandbox sells; each identifier names its plan and rhythm. */
export const SANDBOX_PRICES: Prices = {
  basic: { monthly: "price_sandbox_basic_monthly", yearly: "price_sandbox_basic_yearly" },
  pro: { monthly: "price_sandbox_pro_monthly", yearly: "price_sandbox_pro_yearly" },
};

/** The value-added tax of the sandbox. */
export const SANDBOX_TAX_RATE = "txr_sandbox_tva";

const metadata = z.record(z.string(), z.string());

/** Cards that one can have in the sandbox: one that pays, and one that is refused. */
export const card = z.enum(["good", "declined"]);
export type Card = z.infer<typeof card>;

export const customer = z.object({
  id: z.string(),
  object: z.literal("customer"),
  email: z.string().nullable(),
  name: z.string().nullable(),
  /** Below zero is a credit for the next bill, in cents. */
  balance: z.number(),
  created: z.number(),
  livemode: z.literal(false),
  metadata,
  /** The sandbox's own: the card that is kept for renewals. */
  card: card.nullable(),
});
export type Customer = z.infer<typeof customer>;

const price = z.object({
  id: z.string(),
  object: z.literal("price"),
  active: z.boolean(),
  currency: z.literal("eur"),
  unit_amount: z.number(),
  tax_behavior: z.literal("exclusive"),
  type: z.literal("recurring"),
  recurring: z.object({ interval: z.enum(["month", "year"]), interval_count: z.literal(1) }),
  livemode: z.literal(false),
  metadata: metadata.default({}),
});
export type Price = z.infer<typeof price>;

export const subscription = z.object({
  id: z.string(),
  object: z.literal("subscription"),
  customer: z.string(),
  status: z.enum(["active", "past_due", "canceled"]),
  created: z.number(),
  ended_at: z.number().nullable(),
  cancel_at: z.number().nullable(),
  cancel_at_period_end: z.boolean(),
  latest_invoice: z.string().nullable(),
  default_tax_rates: z.array(z.string()),
  items: z.object({
    object: z.literal("list"),
    has_more: z.literal(false),
    data: z.tuple([
      z.object({
        id: z.string(),
        object: z.literal("subscription_item"),
        quantity: z.literal(1),
        price,
        current_period_start: z.number(),
        current_period_end: z.number(),
      }),
    ]),
  }),
  livemode: z.literal(false),
  metadata,
});
export type Subscription = z.infer<typeof subscription>;

/** Metadata, discounts and the like, of which the sandbox has none. */
const none = z.tuple([]);

const tax = z.object({
  amount: z.number(),
  tax_behavior: z.literal("exclusive"),
  tax_rate_details: z.object({ tax_rate: z.string() }),
  taxability_reason: z.literal("not_available"),
  taxable_amount: z.number(),
  type: z.literal("tax_rate_details"),
});
export type Tax = z.infer<typeof tax>;

const invoiceLine = z.object({
  id: z.string(),
  object: z.literal("line_item"),
  /** Without tax, in cents; below zero is given back. */
  amount: z.number(),
  currency: z.literal("eur"),
  description: z.string(),
  discount_amounts: none,
  discountable: z.boolean(),
  discounts: none,
  livemode: z.literal(false),
  metadata: z.object({}),
  parent: z.object({
    type: z.literal("subscription_item_details"),
    invoice_item_details: z.null(),
    subscription_item_details: z.object({
      invoice_item: z.null(),
      proration: z.boolean(),
      proration_details: z.object({ credited_items: z.null() }).nullable(),
      subscription: z.string(),
      subscription_item: z.string(),
    }),
  }),
  period: z.object({ start: z.number(), end: z.number() }),
  pricing: z.object({
    type: z.literal("price_details"),
    price_details: z.object({ price: z.string(), product: z.string() }),
    unit_amount_decimal: z.string(),
  }),
  quantity: z.literal(1),
  subtotal: z.number(),
  taxes: z.array(tax),
});
export type InvoiceLine = z.infer<typeof invoiceLine>;

const invoiceLines = z.object({
  object: z.literal("list"),
  has_more: z.literal(false),
  total_count: z.number(),
  data: z.array(invoiceLine),
});

export const invoice = z.object({
  id: z.string(),
  object: z.literal("invoice"),
  customer: z.string(),
  /** The sandbox's own, to filter by. */
  subscription: z.string(),
  number: z.string(),
  status: z.enum(["open", "paid", "void"]),
  currency: z.literal("eur"),
  /** Without tax, in cents; below zero is given back as a credit. */
  subtotal: z.number(),
  total: z.number(),
  amount_due: z.number(),
  /** Rest of the bill that has to be paid. */
  amount_remaining: z.number().default(0),
  description: z.string(),
  created: z.number(),
  livemode: z.literal(false),
  /** Balance of the customer before the bill, in cents; bills older than this field have none. */
  starting_balance: z.number().default(0),
  total_taxes: z.array(tax).default([]),
  lines: invoiceLines.default({ object: "list", has_more: false, total_count: 0, data: [] }),
});
export type Invoice = z.infer<typeof invoice>;

export const session = z.object({
  id: z.string(),
  object: z.literal("checkout.session"),
  customer: z.string(),
  mode: z.literal("subscription"),
  status: z.enum(["open", "complete", "expired"]),
  payment_status: z.enum(["unpaid", "paid"]),
  subscription: z.string().nullable(),
  url: z.string().nullable(),
  success_url: z.string(),
  cancel_url: z.string(),
  created: z.number(),
  livemode: z.literal(false),
  metadata,
  /** The sandbox's own: what is bought. */
  price: z.string(),
  subscription_metadata: metadata,
});
export type Session = z.infer<typeof session>;

export const portal = z.object({
  id: z.string(),
  object: z.literal("billing_portal.session"),
  customer: z.string(),
  return_url: z.string(),
  url: z.string(),
  created: z.number(),
  livemode: z.literal(false),
});
export type Portal = z.infer<typeof portal>;

/** An identifier as the provider gives them. */
export function newId(prefix: string): string {
  return `${prefix}_sandbox${randomBytes(12).toString("hex")}`;
}

/** A price as the provider would answer it. */
export function priceOf(id: string): Price | null {
  const offer = offerOf(SANDBOX_PRICES, id);
  if (!offer) return null;
  return {
    id,
    object: "price",
    active: true,
    currency: "eur",
    unit_amount: amountsOf(offer.plan, offer.billing).total,
    tax_behavior: "exclusive",
    type: "recurring",
    recurring: { interval: offer.billing === "yearly" ? "year" : "month", interval_count: 1 },
    livemode: false,
    metadata: {},
  };
}

/** The tax as the provider would answer it. */
export const taxRateObject = {
  id: SANDBOX_TAX_RATE,
  object: "tax_rate",
  active: true,
  inclusive: false,
  percentage: VAT_PERCENT,
  display_name: "TVA",
  country: "FR",
  livemode: false,
} as const;

/** A part of a cent goes to the nearest cent, a half away from zero: a credit is the same amount as its charge. */
export function rounded(cents: number): number {
  return Math.sign(cents) * Math.round(Math.abs(cents));
}

/** The tax on an amount, in cents. */
export function taxOn(cents: number): number {
  return rounded((cents * VAT_PERCENT) / 100);
}

/** An amount with its tax, in cents. */
export function withTax(cents: number): number {
  return cents + taxOn(cents);
}

/** A moment as the provider writes it: seconds. */
export function seconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}

/** The end of a period that begins now. */
export function periodEnd(begin: number, { recurring }: Price): number {
  const date = new Date(begin * 1000);
  const months = recurring.interval === "year" ? 12 : 1;
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // A month that is too short ends the period on its last day.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return seconds(date);
}
