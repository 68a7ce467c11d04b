import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { updateRequest } from "../_shared/domain/schemas/billing.ts";
import { applyState, isEnding } from "../_shared/http/apply-state.ts";
import { keepCampaigns } from "../_shared/http/keep-campaigns.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { isDeclined, offerOf, type Payments } from "../_shared/http/payments.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { FunctionFailure, serve } from "../_shared/http/serve.ts";
import { isRunning, replacedItem } from "../_shared/http/subscription-state.ts";
import { withBilling } from "../_shared/http/with-billing.ts";
import { type Change, isAsShown, previewChange, termsOf } from "./preview.ts";

/**
 * `POST update-subscription { price_id, org_id, subscription_id }` → `{ success }`: another plan, at once
 * and prorated. A card that is refused changes nothing. `success` is false where the provider holds something else
 * afterwards. With `preview: true` it changes nothing and answers what the change would cost; a change that names
 * that preview (`preview_id`, `proration_date`) is charged what was shown, or refused.
 */
export const handler = serve(
  { name: "update-subscription", method: "POST", failure: "update_failed" },
  async (request, deps) => {
    const parsed = await parseBody(request, updateRequest);
    if (!parsed.ok) return parsed.response;
    const order = parsed.body;
    const done = withBilling(request, deps, order.org_id, async (work) => {
      const { sql, payments, account } = work;
      const offer = offerOf(payments.prices, order.price_id);
      if (!offer) return refuse("invalid_request", { details: { fields: ["price_id"] } });
      const { org_id: orgId, customer_id: customerId, subscription_id: subscription } = account;
      const isOurs = subscription === order.subscription_id && account.status !== "canceled";
      if (!customerId || !subscription || !isOurs) return refuse("not_subscribed");
      if (await isEnding(sql, orgId)) return refuse("organization_ending");
      if (order.preview) return preview(payments, subscription, { ...order, offer }, deps);
      const change = await readChange(payments, subscription, order.price_id);
      // A person who repeats a change that was already made is not charged again.
      if (change.item.price.id !== order.price_id) {
        if (!isRunning(change.subscription)) return refuse("payment_overdue");
        const { preview_id, proration_date } = order;
        const shown =
          preview_id !== undefined && proration_date !== undefined
            ? { preview_id, proration_date }
            : null;
        if (shown && !(await isAsShown(payments.stripe, change, shown, deps))) {
          return refuse("preview_outdated");
        }
        if (!(await keepCampaigns(work, offer.plan, order.campaign_ids))) {
          return refuse("campaigns_to_choose");
        }
        try {
          await changePrice(payments, change, proration_date);
        } catch (error) {
          if (isDeclined(error)) return refuse("card_declined");
          throw error;
        }
      }
      await applyState(sql, payments, { orgId, customerId }, deps);
      return json({ success: await isHeld(sql, orgId, offer) });
    });
    return done.catch((error: unknown) => {
      throw order.preview ? new FunctionFailure("preview_failed", error) : error;
    });
  },
);

type Offer = NonNullable<ReturnType<typeof offerOf>>;

async function preview(
  payments: Payments,
  subscriptionId: string,
  { price_id: price, offer }: { price_id: string; offer: Offer },
  deps: Parameters<typeof previewChange>[3],
): Promise<Response> {
  const change = await readChange(payments, subscriptionId, price);
  if (change.item.price.id === price) return refuse("already_subscribed");
  if (!isRunning(change.subscription)) return refuse("payment_overdue");
  return json(await previewChange(payments.stripe, change, offer, deps));
}

async function isHeld(
  sql: TransactionSql,
  orgId: string,
  { plan, billing }: Offer,
): Promise<boolean> {
  const [row] = await sql`
    select from public.subscriptions where org_id = ${orgId} and plan = ${plan} and billing = ${billing}`;
  return row !== undefined;
}

async function readChange(
  { stripe, prices }: Payments,
  subscriptionId: string,
  price: string,
): Promise<Change> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId);
  return { subscription, item: replacedItem(prices, subscription), price };
}

async function changePrice(
  { stripe }: Payments,
  change: Change,
  prorationDate: number | undefined,
): Promise<void> {
  const { subscription, item, price } = change;
  await stripe.subscriptions.update(
    subscription.id,
    {
      ...termsOf(change),
      items: [{ id: item.id, price }],
      ...(prorationDate !== undefined && { proration_date: prorationDate }),
      payment_behavior: "error_if_incomplete",
    },
    // For the library's own repeats. Ours look first, see above; a card that was refused may be tried again.
    { idempotencyKey: `tournavis update ${randomUUID()}` },
  );
}
