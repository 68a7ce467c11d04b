import { z } from "zod";
import type { Prices } from "../../supabase/functions/_shared/http/payments.ts";
import { StartupError } from "../start/startup-error.ts";
import type { Read } from "./services.ts";

/** The provider's account that merchants pay to. */
export type StripeConfig = {
  kind: "stripe";
  secretKey: string;
  webhookSecret: string;
  prices: Prices;
  taxRate: string;
  /** Origin of its HTTP API. */
  apiUrl: string;
};

/** The provider; a sandbox in its place (local mode, without a key); or nothing, on purpose. */
export type PaymentsConfig = StripeConfig | { kind: "sandbox" } | { kind: "off" };

const API = "https://api.stripe.com";

const secretKey = z.string().regex(/^(?:sk|rk)_[A-Za-z0-9_]{3,300}$/);
const webhookSecret = z.string().regex(/^whsec_[\x21-\x7e]{3,300}$/);
const price = z.string().regex(/^price_[A-Za-z0-9_]{3,200}$/);
const taxRate = z.string().regex(/^txr_[A-Za-z0-9_]{3,200}$/);
const apiUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === "/" && url.search === "" && url.username === "")
  .transform((url) => url.origin);

/** Reads the payment settings from the environment; refuses a group that is given in part. */
export function readPayments(read: Read, isProduction: boolean): PaymentsConfig {
  const isOff = read("PAYMENTS", z.literal("off"), "invalid_payments") !== null;
  const priceOf = (name: string) => read(`STRIPE_PRICE_${name}`, price, "invalid_stripe_price");
  const given = {
    STRIPE_SECRET_KEY: read("STRIPE_SECRET_KEY", secretKey, "invalid_stripe_key"),
    STRIPE_WEBHOOK_SECRET: read("STRIPE_WEBHOOK_SECRET", webhookSecret, "invalid_stripe_webhook"),
    STRIPE_PRICE_BASIC_MONTHLY: priceOf("BASIC_MONTHLY"),
    STRIPE_PRICE_BASIC_YEARLY: priceOf("BASIC_YEARLY"),
    STRIPE_PRICE_PRO_MONTHLY: priceOf("PRO_MONTHLY"),
    STRIPE_PRICE_PRO_YEARLY: priceOf("PRO_YEARLY"),
    STRIPE_TAX_RATE: read("STRIPE_TAX_RATE", taxRate, "invalid_stripe_tax"),
  };
  const url = read("STRIPE_API_URL", apiUrl, "invalid_stripe_url");
  const isNothing = url === null && Object.values(given).every((value) => value === null);
  if (isOff && !isNothing) throw new StartupError("payments_off_with_key");
  if (isOff) return { kind: "off" };
  if (isNothing && isProduction) throw new StartupError("payments_missing");
  if (isNothing) return { kind: "sandbox" };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === null ? [name] : []));
  const need = (name: keyof typeof given) => {
    const value = given[name];
    if (value === null)
      throw new StartupError("payments_incomplete", { missing: missing.join(", ") });
    return value;
  };
  return {
    kind: "stripe",
    secretKey: need("STRIPE_SECRET_KEY"),
    webhookSecret: need("STRIPE_WEBHOOK_SECRET"),
    prices: {
      basic: {
        monthly: need("STRIPE_PRICE_BASIC_MONTHLY"),
        yearly: need("STRIPE_PRICE_BASIC_YEARLY"),
      },
      pro: { monthly: need("STRIPE_PRICE_PRO_MONTHLY"), yearly: need("STRIPE_PRICE_PRO_YEARLY") },
    },
    taxRate: need("STRIPE_TAX_RATE"),
    apiUrl: url ?? API,
  };
}
