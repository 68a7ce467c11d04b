import * as z from "zod/mini";
import { isEmailAddress } from "./email-address.ts";
import { billing, plan } from "./plans.ts";

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
  email: z.string().check(z.refine(isEmailAddress)),
  name: z.string().check(z.minLength(1), z.maxLength(200)),
});

/** Answer of `checkout`: where one pays. */
export const checkoutResponse = z.object({ checkout_url: z.optional(z.string()) });

/** Answer of `update-subscription`. */
export const updateResponse = z.object({ success: z.boolean() });

/** Answer of `billing-portal`: where one sees one's bills. */
export const portalResponse = z.object({ portal_url: z.optional(z.string()) });

/** Answer of the SQL function `billing_overview`; null without an organisation. */
export const billingOverview = z.nullable(
  z.object({
    org_id: z.uuid(),
    /** Whether the person may subscribe and change the plan. */
    may_manage: z.boolean(),
    plan,
    status: z.enum(["active", "past_due", "suspended", "canceled"]),
    billing: z.nullable(billing),
    trial_end: z.nullable(z.string()),
    current_period_end: z.nullable(z.string()),
    cancel_at_period_end: z.boolean(),
    past_due_since: z.nullable(z.string()),
    /** Whether the plan keeps the public pages open. */
    is_open: z.boolean(),
    customer_id: z.nullable(z.string()),
    subscription_id: z.nullable(z.string()),
    active_campaigns: z.array(z.object({ id: z.uuid(), name: z.string() })),
  }),
);
export type BillingOverview = z.infer<typeof billingOverview>;
