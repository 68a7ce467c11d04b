import * as z from "zod/mini";

/** Identifier that the payment provider gave. */
const providerId = z.string().check(z.regex(/^[A-Za-z0-9_]{3,200}$/));

const address = z.url().check(z.maxLength(2000));

/** Campaigns that stay active when the plan has room for fewer. */
const campaignIds = z.optional(z.array(z.uuid()).check(z.maxLength(200)));

/** Body of `checkout`. */
export const checkoutRequest = z.strictObject({
  price_id: providerId,
  org_id: z.uuid(),
  success_url: address,
  cancel_url: address,
  campaign_ids: campaignIds,
});

/** Body of `update-subscription`. */
export const updateRequest = z.strictObject({
  price_id: providerId,
  org_id: z.uuid(),
  subscription_id: providerId,
  campaign_ids: campaignIds,
});

/** Body of `billing-portal`. */
export const portalRequest = z.strictObject({ customer_id: providerId });

/** Body of `create-test-customer`. */
export const testCustomerRequest = z.strictObject({
  email: z.email(),
  name: z.string().check(z.minLength(1), z.maxLength(200)),
});
