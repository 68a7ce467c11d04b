import * as z from "zod/mini";
import { isEmailAddress } from "../rules/email-address.ts";
import { billing, plan } from "../rules/plan-names.ts";

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

/** Moment in seconds since 1970, as the payment provider counts. */
const providerTime = z.int().check(z.positive());

/** Longest time, in seconds, between a preview and the change that it is for. */
export const PREVIEW_SECONDS = 15 * 60;

/**
 * Body of `update-subscription`. `preview` asks what the change would cost and changes nothing; the change itself
 * names the preview that the person saw, by the two values of its answer.
 */
export const updateRequest = z
  .strictObject({
    price_id: providerId,
    org_id: z.uuid(),
    subscription_id: providerId,
    campaign_ids: campaignIds,
    preview: z.optional(z.boolean()),
    preview_id: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    proration_date: z.optional(providerTime),
  })
  .check(
    z.refine(
      ({ preview, preview_id, proration_date }) =>
        (preview_id === undefined) === (proration_date === undefined) &&
        !(preview && preview_id !== undefined),
      { path: ["preview_id"] },
    ),
  );

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

/**
 * A part of what is due. `credit`: time that was paid and is not used; `plan`: the new plan; `tax`; `other`: what the
 * provider adds or takes off; `balance_used`: a credit of before; `balance_kept`: what becomes a credit for later
 * bills; `balance_carried`: a small sum from or for another bill.
 */
const previewLine = z.object({
  kind: z.enum([
    "credit",
    "plan",
    "tax",
    "other",
    "balance_used",
    "balance_kept",
    "balance_carried",
  ]),
  /** In cents; below zero is taken off. */
  amount: z.int(),
});

/** Answer of `update-subscription` to a preview. Amounts are in cents; the lines add up to `amount_due`. */
export const previewResponse = z.object({
  preview_id: z.string(),
  proration_date: providerTime,
  currency: z.literal("eur"),
  /** Amount charged to the card at once. */
  amount_due: z.int().check(z.nonnegative()),
  lines: z.array(previewLine),
  /** Credit that is left for later bills. */
  credit_left: z.int().check(z.nonnegative()),
  /** The next bill after this one, tax included and before any credit, and its date (ISO 8601). */
  renewal: z.object({ amount: z.int(), at: z.string() }),
});
export type Preview = z.infer<typeof previewResponse>;

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
    /** Whether the plan is in force, whatever becomes of the organisation. */
    is_open: z.boolean(),
    customer_id: z.nullable(z.string()),
    subscription_id: z.nullable(z.string()),
    active_campaigns: z.array(z.object({ id: z.uuid(), name: z.string() })),
  }),
);
export type BillingOverview = z.infer<typeof billingOverview>;
