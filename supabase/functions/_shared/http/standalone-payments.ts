import type { Sql } from "postgres";
import Stripe from "stripe";
import * as z from "zod/mini";
import { isTestKey, type Payments } from "./payments.ts";

/** Secrets of a Supabase project whose merchants pay; the same names as on our own server. */
const environment = z.object({
  STRIPE_SECRET_KEY: z.string(),
  STRIPE_WEBHOOK_SECRET: z.string(),
  STRIPE_PRICE_BASIC_MONTHLY: z.string(),
  STRIPE_PRICE_BASIC_YEARLY: z.string(),
  STRIPE_PRICE_PRO_MONTHLY: z.string(),
  STRIPE_PRICE_PRO_YEARLY: z.string(),
  STRIPE_TAX_RATE: z.string(),
  /** Origin of the application, where people come back to. */
  SITE_URL: z.url(),
});

/** The payment provider as the environment describes it; null where no key is given. */
export function readPayments(
  variables: Record<string, string | undefined>,
  sql: Sql,
): Payments | null {
  if (!variables.STRIPE_SECRET_KEY) return null;
  const env = environment.parse(variables);
  return {
    sql,
    stripe: new Stripe(env.STRIPE_SECRET_KEY, { timeout: 10_000, maxNetworkRetries: 1 }),
    webhookSecret: env.STRIPE_WEBHOOK_SECRET,
    prices: {
      basic: { monthly: env.STRIPE_PRICE_BASIC_MONTHLY, yearly: env.STRIPE_PRICE_BASIC_YEARLY },
      pro: { monthly: env.STRIPE_PRICE_PRO_MONTHLY, yearly: env.STRIPE_PRICE_PRO_YEARLY },
    },
    taxRate: env.STRIPE_TAX_RATE,
    isTest: isTestKey(env.STRIPE_SECRET_KEY),
    siteUrl: env.SITE_URL,
  };
}
