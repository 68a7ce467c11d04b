import type { Hono } from "hono";
import type { Sql } from "postgres";
import { syncCustomer } from "../../supabase/functions/_shared/http/apply-state.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { createKeyedHash } from "../../supabase/functions/_shared/http/keyed-hash.ts";
import { isTestKey, type Payments } from "../../supabase/functions/_shared/http/payments.ts";
import type { Delivery } from "../../supabase/functions/_shared/messages/delivery.ts";
import type { Config } from "../config/config.ts";
import type { StripeConfig } from "../config/payments.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Log } from "../log.ts";
import { createSandboxApi } from "../payments-sandbox/api.ts";
import { deliverEvent } from "../payments-sandbox/deliver-event.ts";
import { SANDBOX_PRICES, SANDBOX_TAX_RATE } from "../payments-sandbox/objects.ts";
import { createSandboxSite } from "../payments-sandbox/site.ts";
import type { Connections } from "../postgres/connections.ts";
import { StartupError } from "../start/startup-error.ts";
import { checkPrices } from "./check-prices.ts";
import { createStripe } from "./stripe-client.ts";

/** Payments of this process. */
export type PaymentService = {
  /** For the server functions; null where payments are switched off. */
  payments: Payments | null;
  /** Does the work at the provider that was written down. */
  deliver: Delivery;
  /** The sandbox in the provider's place: its HTTP API, and the pages that people see. */
  sandbox: { api: Hono; site: Hono } | null;
  close(): Promise<void>;
};

type Parts = {
  config: Pick<Config, "payments" | "publicUrl">;
  secrets: Pick<Secrets, "hashKey">;
  connections: Pick<Connections, "open">;
  loginUrl: string;
  /** Origin at which this machine reaches the server. */
  url: string;
  now: () => Date;
  log: Log;
};

/** Opens the payments that the configuration asks for; refuses prices that are not those of our pages. */
export async function openPayments(parts: Parts): Promise<PaymentService> {
  const { payments: wanted } = parts.config;
  if (wanted.kind === "off") {
    return { payments: null, deliver: nothing, sandbox: null, close: async () => {} };
  }
  return wanted.kind === "stripe" ? openStripe(wanted, parts) : openSandbox(parts);
}

/** Work that was left from the time when payments were on. */
const nothing: Delivery = async () => "sent";

/** Connections of the work at the provider, and of the sandbox in its place: few, and used for nothing else. */
function openPool(
  { connections, loginUrl }: Pick<Parts, "connections" | "loginUrl">,
  name: string,
): Sql {
  return connections.open(loginUrl, {
    max: 3,
    idle_timeout: 60,
    connection: {
      application_name: name,
      role: "service_role",
      TimeZone: "UTC",
      statement_timeout: 30_000,
    },
  });
}

async function openStripe(wanted: StripeConfig, parts: Parts): Promise<PaymentService> {
  const stripe = await createStripe(wanted.secretKey, wanted.apiUrl);
  await checkPrices({ stripe, prices: wanted.prices, taxRate: wanted.taxRate }).catch(
    (error: unknown) => {
      if (error instanceof StartupError) throw error;
      // The provider is away: that says nothing about the prices, and must not keep the wheels from turning.
      parts.log({ event: "prices_unchecked", level: "error", code: errorCode(error) });
    },
  );
  const payments: Payments = {
    stripe,
    sql: openPool(parts, "tournavis payments"),
    webhookSecret: wanted.webhookSecret,
    prices: wanted.prices,
    taxRate: wanted.taxRate,
    isTest: isTestKey(wanted.secretKey),
    siteUrl: parts.config.publicUrl,
  };
  return {
    payments,
    deliver: async ({ template, recipient }) => {
      if (template === "reconcile") await syncCustomer(parts, payments, recipient);
      return "sent";
    },
    sandbox: null,
    close: () => payments.sql.end({ timeout: 5 }),
  };
}

async function openSandbox({
  config,
  secrets,
  connections,
  loginUrl,
  url,
  now,
  log,
}: Parts): Promise<PaymentService> {
  const hash = createKeyedHash(secrets.hashKey);
  const apiKey = `sk_test_${hash("payment sandbox", "key")}`;
  const webhookSecret = `whsec_${hash("payment sandbox", "signatures")}`;
  const stripe = await createStripe(apiKey, url);
  const sql = openPool({ connections, loginUrl }, "tournavis payments");
  const payments: Payments = {
    stripe,
    sql,
    webhookSecret,
    prices: SANDBOX_PRICES,
    taxRate: SANDBOX_TAX_RATE,
    isTest: true,
    siteUrl: config.publicUrl,
  };
  // Not the same pool: the work waits for the sandbox's answers while it holds a connection.
  const own = openPool({ connections, loginUrl }, "tournavis sandbox");
  const endpoint = `${url}/functions/v1/stripe-webhook`;
  return {
    payments,
    deliver: async ({ template, recipient }) => {
      if (template === "reconcile") await syncCustomer({ now, log }, payments, recipient);
      else await deliverEvent({ sql: own, stripe, webhookSecret, endpoint, now }, recipient);
      return "sent";
    },
    sandbox: {
      api: createSandboxApi({ sql: own, apiKey, now }),
      site: createSandboxSite({ sql: own, now }),
    },
    close: async () => {
      await Promise.all([own.end({ timeout: 5 }), sql.end({ timeout: 5 })]);
    },
  };
}
