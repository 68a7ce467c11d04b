import postgres from "postgres";
import { expect, it } from "vitest";
import { isDeclined, isMissing, offerOf } from "./payments.ts";
import { readPayments } from "./standalone-payments.ts";

/** The payment provider of a hosted project, as its secrets describe it, and what its prices and errors mean. */

// Nothing is asked of it: it never connects.
const sql = postgres("postgres://127.0.0.1:9/none");

const SECRETS = {
  STRIPE_SECRET_KEY: "sk_test_cle",
  STRIPE_WEBHOOK_SECRET: "whsec_essais",
  STRIPE_PRICE_BASIC_MONTHLY: "price_bm",
  STRIPE_PRICE_BASIC_YEARLY: "price_by",
  STRIPE_PRICE_PRO_MONTHLY: "price_pm",
  STRIPE_PRICE_PRO_YEARLY: "price_py",
  STRIPE_TAX_RATE: "txr_20",
  SITE_URL: "https://avis.exemple.fr",
};

it("payments follow the secrets, in test mode unless the key is a live one", () => {
  const payments = readPayments(SECRETS, sql);
  expect(payments).toMatchObject({
    webhookSecret: "whsec_essais",
    prices: {
      basic: { monthly: "price_bm", yearly: "price_by" },
      pro: { monthly: "price_pm", yearly: "price_py" },
    },
    taxRate: "txr_20",
    isTest: true,
    siteUrl: "https://avis.exemple.fr",
  });
  expect(payments?.sql).toBe(sql);
  expect(payments?.stripe.getApiField("timeout")).toBe(10_000);
  expect(payments?.stripe.getMaxNetworkRetries()).toBe(1);
  expect(readPayments({ ...SECRETS, STRIPE_SECRET_KEY: "sk_live_cle" }, sql)?.isTest).toBe(false);
  expect(readPayments({ ...SECRETS, STRIPE_SECRET_KEY: "rk_live_cle" }, sql)?.isTest).toBe(false);
});

it("payments are off without a key, and refuse an incomplete set of secrets", () => {
  expect(readPayments({ ...SECRETS, STRIPE_SECRET_KEY: "" }, sql)).toBeNull();
  expect(readPayments({}, sql)).toBeNull();
  for (const name of Object.keys(SECRETS).slice(1)) {
    expect(() => readPayments({ ...SECRETS, [name]: undefined }, sql)).toThrow(name);
  }
});

it("sells four things, and nothing at a price of nobody's", () => {
  const prices = readPayments(SECRETS, sql)?.prices;
  if (!prices) throw new Error("No prices.");
  expect(offerOf(prices, "price_bm")).toEqual({ plan: "basic", billing: "monthly" });
  expect(offerOf(prices, "price_by")).toEqual({ plan: "basic", billing: "yearly" });
  expect(offerOf(prices, "price_pm")).toEqual({ plan: "pro", billing: "monthly" });
  expect(offerOf(prices, "price_py")).toEqual({ plan: "pro", billing: "yearly" });
  expect(offerOf(prices, "price_autre")).toBeNull();
});

it("tells what is not there from a card that is refused", () => {
  const missing = Object.assign(new Error("x"), { code: "resource_missing" });
  const declined = Object.assign(new Error("x"), {
    type: "StripeCardError",
    code: "card_declined",
  });
  expect([missing, declined, new Error("x"), { code: "resource_missing" }].map(isMissing)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([missing, declined, new Error("x"), { type: "StripeCardError" }].map(isDeclined)).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
