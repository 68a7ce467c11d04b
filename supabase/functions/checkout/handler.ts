import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type Stripe from "stripe";
import type * as z from "zod/mini";
import { checkoutRequest } from "../_shared/domain/schemas/billing.ts";
import { applyState, isEnding } from "../_shared/http/apply-state.ts";
import { createCustomer, hasCustomer } from "../_shared/http/billing-customer.ts";
import type { Deps } from "../_shared/http/deps.ts";
import { keepCampaigns } from "../_shared/http/keep-campaigns.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { offerOf, type Payments } from "../_shared/http/payments.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import { sha256 } from "../_shared/http/sha256.ts";
import { type BillingWork, withBilling } from "../_shared/http/with-billing.ts";

type Order = z.infer<typeof checkoutRequest>;

/** Metadata by which an open session is known again. */
const RETURNS = "returns";

/**
 * `POST checkout { price_id, org_id, success_url, cancel_url }` → `{ checkout_url }`: the provider's page
 * where the first payment is made.
 */
export const handler = serve(
  { name: "checkout", method: "POST", failure: "checkout_failed" },
  async (request, deps) => {
    const parsed = await parseBody(request, checkoutRequest);
    if (!parsed.ok) return parsed.response;
    const order = parsed.body;
    // A new customer is noted in a row that spins wait for: its transaction ends before the provider is asked for more.
    const begun = await withBilling(request, deps, order.org_id, (work) =>
      begin(work, order, new URL(request.url).origin),
    );
    if (!begun.ok) return begun;
    return withBilling(request, deps, order.org_id, (work) => finish(work, order, deps));
  },
);

/** Refuses what can be refused at once, and has the provider know the organisation. */
async function begin(work: BillingWork, order: Order, here: string): Promise<Response> {
  const { sql, payments, account } = work;
  const fields = refusedFields(order, payments, here);
  if (fields.length > 0) return refuse("invalid_request", { details: { fields } });
  if (await isEnding(sql, account.org_id)) return refuse("organization_ending");
  await ensureCustomer(work);
  return json({});
}

async function finish(
  work: BillingWork,
  order: Order,
  deps: Pick<Deps, "now" | "log">,
): Promise<Response> {
  const { sql, payments, account } = work;
  const { org_id: orgId, customer_id: customerId } = account;
  const offer = offerOf(payments.prices, order.price_id);
  if (!offer || !customerId) throw new Error("The order was not begun.");
  // Asked again: others had their turn since.
  if (await isEnding(sql, orgId)) return refuse("organization_ending");
  // The provider's own record counts: its message about a payment may still be on its way.
  await applyState(sql, payments, { orgId, customerId }, deps);
  if (await isSubscribed(sql, orgId)) return refuse("already_subscribed");
  if (!(await keepCampaigns(work, offer.plan, order.campaign_ids))) {
    return refuse("campaigns_to_choose");
  }
  return json({ checkout_url: await openSession(work, customerId, order) });
}

/** Fields that the request must not have: a price, or a return address. */
function refusedFields(order: Order, { siteUrl, prices }: Payments, here: string): string[] {
  const ours = new URL(siteUrl ?? here).origin;
  const isForeign = (address: string) => new URL(address).origin !== ours;
  return [
    ...(offerOf(prices, order.price_id) ? [] : ["price_id"]),
    ...(isForeign(order.success_url) ? ["success_url"] : []),
    ...(isForeign(order.cancel_url) ? ["cancel_url"] : []),
  ];
}

async function ensureCustomer(work: BillingWork): Promise<void> {
  const { account, payments } = work;
  const { customer_id: known, email, org_name: name } = account;
  if (known && (await hasCustomer(payments.stripe, known))) return;
  await createCustomer(work, { email, name });
}

async function isSubscribed(sql: TransactionSql, orgId: string): Promise<boolean> {
  const [row] = await sql<{ is_subscribed: boolean }[]>`
    select stripe_subscription_id is not null and status <> 'canceled' as is_subscribed
    from public.subscriptions where org_id = ${orgId}`;
  return row?.is_subscribed ?? false;
}

/**
 * Opens the page to pay on. Two clicks get the same page, and no page of another order stays open beside
 * it: no customer pays twice.
 */
async function openSession(
  { payments, account }: BillingWork,
  customer: string,
  order: Order,
): Promise<string | null> {
  const { stripe, taxRate } = payments;
  // Metadata have room for 500 characters, addresses may be longer.
  const returns = sha256([order.price_id, order.success_url, order.cancel_url].join(" "));
  const { data: sessions } = await stripe.checkout.sessions.list({ customer, limit: 100 });
  const open = sessions.filter(({ status }) => status === "open");
  const same = open.find(({ metadata }) => metadata?.[RETURNS] === returns);
  await Promise.all(
    open.filter((session) => session !== same).map(({ id }) => stripe.checkout.sessions.expire(id)),
  );
  if (same?.url) return same.url;
  const session = await stripe.checkout.sessions.create(
    sessionOf(order, { customer, taxRate, orgId: account.org_id, returns }),
    // For the library's own repeats; ours find the open page, see above.
    { idempotencyKey: `tournavis checkout ${randomUUID()}` },
  );
  return session.url;
}

function sessionOf(
  order: Order,
  facts: { customer: string; taxRate: string; orgId: string; returns: string },
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: "subscription",
    customer: facts.customer,
    client_reference_id: facts.orgId,
    line_items: [{ price: order.price_id, quantity: 1 }],
    subscription_data: {
      default_tax_rates: [facts.taxRate],
      metadata: { org_id: facts.orgId },
    },
    metadata: { [RETURNS]: facts.returns },
    locale: "fr",
    success_url: order.success_url,
    cancel_url: order.cancel_url,
  };
}
