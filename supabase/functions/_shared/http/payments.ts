import type { Sql } from "postgres";
import type Stripe from "stripe";
import { type Billing, billing, type PaidPlan, paidPlan } from "../domain/rules/plan-names.ts";

/** Identifier of each price at the provider. */
export type Prices = Readonly<Record<PaidPlan, Readonly<Record<Billing, string>>>>;

/** The payment provider, or the sandbox in its place. */
export type Payments = {
  stripe: Stripe;
  /**
   * Pool of the work at the provider, as `service_role`. A pool of its own: each of its transactions lasts as
   * long as the provider takes, and the customers at the wheel must not wait for that.
   */
  sql: Sql;
  /** Key of the signatures of its messages. */
  webhookSecret: string;
  prices: Prices;
  /** Identifier of the value-added tax that is put on every bill. */
  taxRate: string;
  /** No real money moves. */
  isTest: boolean;
  /** Origin that people come back to; null: the one that they came from. */
  siteUrl: string | null;
};

/** Whether no real money moves with a secret key of the provider. */
export function isTestKey(secretKey: string): boolean {
  return !secretKey.includes("_live_");
}

/** Plan and billing period of a price; null for a price that is not ours. */
export function offerOf(
  prices: Prices,
  priceId: string,
): { plan: PaidPlan; billing: Billing } | null {
  for (const plan of paidPlan.options) {
    for (const paid of billing.options) {
      if (prices[plan][paid] === priceId) return { plan, billing: paid };
    }
  }
  return null;
}

/** Whether the provider knows no such thing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "resource_missing";
}

/** When to try again at a provider that is away, in seconds. */
export const PROVIDER_RETRY_S = 60;

/** Whether the provider could not be reached, failed on its side or wants fewer calls: another try may succeed. */
export function isProviderAway(error: unknown): boolean {
  if (!(error instanceof Error) || !("type" in error)) return false;
  if (error.type === "StripeConnectionError" || error.type === "StripeRateLimitError") return true;
  return (
    error.type === "StripeAPIError" && "statusCode" in error && Number(error.statusCode) >= 500
  );
}

/** Code of a payment that the bank wants its holder to confirm, which a change of plan does not wait for. */
const TO_CONFIRM = "subscription_payment_intent_requires_action";

/** Whether the card, not the call, is what failed. */
export function isDeclined(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ("type" in error && error.type === "StripeCardError") ||
    ("code" in error && error.code === TO_CONFIRM)
  );
}
