import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { updateRequest } from "../_shared/domain/billing.ts";
import { applyState, isEnding } from "../_shared/http/apply-state.ts";
import { keepCampaigns } from "../_shared/http/keep-campaigns.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { isDeclined, offerOf } from "../_shared/http/payments.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import { type BillingWork, withBilling } from "../_shared/http/with-billing.ts";

/**
 * `POST update-subscription { price_id, org_id, subscription_id }` → `{ success }`: another plan, at once
 * and prorated. A card that is refused changes nothing. `success` is false where the provider holds something else
 * afterwards.
 */
export const handler = serve(
  { name: "update-subscription", method: "POST", failure: "update_failed" },
  async (request, deps) => {
    const parsed = await parseBody(request, updateRequest);
    if (!parsed.ok) return parsed.response;
    const order = parsed.body;
    return withBilling(request, deps, order.org_id, async (work) => {
      const { sql, payments, account } = work;
      const offer = offerOf(payments.prices, order.price_id);
      if (!offer) return refuse("invalid_request", { details: { fields: ["price_id"] } });
      const { org_id: orgId, customer_id: customerId, subscription_id: subscription } = account;
      const isOurs = subscription === order.subscription_id && account.status !== "canceled";
      if (!customerId || !subscription || !isOurs) return refuse("not_subscribed");
      if (await isEnding(sql, orgId)) return refuse("organization_ending");
      if (!(await keepCampaigns(work, offer.plan, order.campaign_ids))) {
        return refuse("campaigns_to_choose");
      }
      try {
        await changePrice(work, subscription, order.price_id);
      } catch (error) {
        if (isDeclined(error)) return refuse("card_declined");
        throw error;
      }
      await applyState(sql, payments, { orgId, customerId }, deps.now());
      return json({ success: await isHeld(sql, orgId, offer) });
    });
  },
);

async function isHeld(
  sql: TransactionSql,
  orgId: string,
  { plan, billing }: NonNullable<ReturnType<typeof offerOf>>,
): Promise<boolean> {
  const [row] = await sql`
    select from public.subscriptions where org_id = ${orgId} and plan = ${plan} and billing = ${billing}`;
  return row !== undefined;
}

async function changePrice(
  { payments: { stripe } }: BillingWork,
  subscriptionId: string,
  price: string,
): Promise<void> {
  const { items } = await stripe.subscriptions.retrieve(subscriptionId);
  const item = items.data[0];
  if (!item) throw new Error("The subscription has no item.");
  if (item.price.id === price) return;
  await stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price }],
      proration_behavior: "always_invoice",
      payment_behavior: "error_if_incomplete",
      cancel_at_period_end: false,
    },
    // For the library's own repeats. Ours look first, see above; a card that was refused may be tried again.
    { idempotencyKey: `tournavis update ${randomUUID()}` },
  );
}
