import { Hono } from "hono";
import type { Sql } from "postgres";
import Stripe from "stripe";
import { createSandboxApi } from "../../server/payments-sandbox/api.ts";
import { buy } from "../../server/payments-sandbox/ledger.ts";
import {
  SANDBOX_PRICES,
  SANDBOX_TAX_RATE,
  type Session,
} from "../../server/payments-sandbox/objects.ts";
import { lockSandbox } from "../../server/payments-sandbox/store.ts";
import { syncCustomer } from "../../supabase/functions/_shared/http/apply-state.ts";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import { createKeyedHash } from "../../supabase/functions/_shared/http/keyed-hash.ts";
import type { Payments } from "../../supabase/functions/_shared/http/payments.ts";
import { secondsFromNow } from "../harness/clock.ts";
import type { Organization } from "../harness/fixtures.ts";

/** The functions about payments, called without a server: the official library against the sandbox's HTTP API. */

/** Key that the sandbox of these tests takes. */
const SANDBOX_KEY = "sk_test_essais";

/** Where the functions are called. */
export const HERE = "http://ici.exemple";

/** The official library with a key, talking to a sandbox of this process. */
export function connectSandbox(
  sql: Sql,
  { key = SANDBOX_KEY, now = () => secondsFromNow(0) }: { key?: string; now?: () => Date } = {},
): Stripe {
  const api = new Hono().route("/v1", createSandboxApi({ sql, apiKey: SANDBOX_KEY, now }));
  return new Stripe(key, {
    host: "bac.exemple",
    protocol: "http",
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(async (url, init) =>
      api.fetch(new Request(url, init)),
    ),
  });
}

/** Caller of a handler. */
export type Person = { userId: string; sessionId: string; aal: "aal1" | "aal2" };

/** The session that fixtures give a user. */
export const person = ({ id }: { id: string }): Person => ({
  userId: id,
  sessionId: id,
  aal: "aal1",
});

/** Dependencies of a handler for its caller; `payments` is null where they are off. */
export function billingDeps(
  { sql, stripe, now = () => secondsFromNow(0) }: { sql: Sql; stripe: Stripe; now?: () => Date },
  who: Person | null,
  payments: Partial<Payments> | null = {},
): Deps {
  return {
    sql,
    now,
    verifyAccessToken: async () => who,
    signApiToken: null,
    keyedHash: createKeyedHash("essais"),
    clientAddress: () => "192.0.2.1",
    logos: null,
    log: () => {},
    payments: payments && {
      stripe,
      sql,
      webhookSecret: "whsec_essais",
      prices: SANDBOX_PRICES,
      taxRate: SANDBOX_TAX_RATE,
      isTest: true,
      siteUrl: null,
      ...payments,
    },
  };
}

export type BillingHandler = (request: Request, deps: Deps) => Promise<Response>;

/** Calls a function as a signed-in person does. */
export async function callBilling(
  handler: BillingHandler,
  body: unknown,
  deps: Deps,
): Promise<{ status: number; body: unknown }> {
  const request = new Request(`${HERE}/functions/v1/x`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer x" },
    body: JSON.stringify(body),
  });
  const response = await handler(request, deps);
  return { status: response.status, body: await response.json() };
}

/** Buys a plan for an organisation on the provider's page, and has our row say so. */
export async function buyPlan(
  { sql, stripe, now = () => secondsFromNow(0) }: { sql: Sql; stripe: Stripe; now?: () => Date },
  { id: orgId, name }: Pick<Organization, "id" | "name">,
  price: string,
): Promise<{ customer: string; subscription: string }> {
  const { id: customer } = await stripe.customers.create({ name });
  await sql`update public.subscriptions set stripe_customer_id = ${customer} where org_id = ${orgId}`;
  const session: Session = {
    id: `cs_${customer}`,
    object: "checkout.session",
    customer,
    mode: "subscription",
    status: "open",
    payment_status: "unpaid",
    subscription: null,
    url: null,
    success_url: HERE,
    cancel_url: HERE,
    created: 0,
    livemode: false,
    metadata: {},
    price,
    subscription_metadata: {},
  };
  await sql.begin(async (transaction) => {
    await lockSandbox(transaction);
    await buy(transaction, session, "good", now());
  });
  const { payments, log } = billingDeps({ sql, stripe }, null);
  if (payments) await syncCustomer({ now, log }, payments, customer);
  const { data } = await stripe.subscriptions.list({ customer });
  return { customer, subscription: data[0]?.id ?? "" };
}

/** Everything that a payment may touch, of everybody. */
export async function everythingPaid(sql: Sql): Promise<unknown> {
  const [row] = await sql`
    select
      (select json_agg(s order by s.org_id) from (
        select org_id, plan, billing, status, stripe_customer_id, stripe_subscription_id, current_period_end,
          cancel_at_period_end, past_due_since, closed_at, kept_campaign_ids from public.subscriptions) s)::text as plans,
      (select json_agg(p order by p.id) from private.payment_sandbox p)::text as provider,
      (select count(*) from public.audit_events where action like 'plan.%') as trail,
      (select json_agg(c.active order by c.id) from public.campaigns c)::text as campaigns`;
  return row;
}
