import * as z from "zod/mini";
import { plan } from "../rules/plan-names.ts";
import { reviewMode } from "../rules/review-mode.ts";

/** Schemas of an organisation's settings (specification, section 2.19). */

/** How often a summary of the figures is sent. */
const summary = z.enum(["none", "daily", "weekly"]);

/** A store in use. */
const settingsStore = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string(),
  review_mode: reviewMode,
  google_review_url: z.nullable(z.string()),
  /** It has history: it is archived, never deleted. */
  has_history: z.boolean(),
  campaigns: z.number(),
  active_campaigns: z.number(),
});
export type SettingsStore = z.infer<typeof settingsStore>;

/** Notifications that the reader wants, and the addresses that they can reach. */
const notifications = z.object({
  email: z.boolean(),
  sms: z.boolean(),
  low_ratings: z.boolean(),
  summary,
  /** The report of each month by e-mail. */
  monthly_report: z.boolean(),
  /** Address of the account; null for an account made with a phone number. */
  address: z.nullable(z.string()),
  /** The account has a number that was proven. */
  has_phone: z.boolean(),
});
export type Notifications = z.infer<typeof notifications>;

/** Answer of the SQL function `settings`. */
export const settings = z.object({
  organization: z.object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    version: z.int(),
    created_at: z.string(),
  }),
  stores: z.array(settingsStore),
  /** Null without one: then a plan has to be chosen first. */
  subscription: z.nullable(
    z.object({
      plan,
      status: z.string(),
      trial_end: z.nullable(z.string()),
      current_period_end: z.nullable(z.string()),
      /** When it ends, or has: nothing is charged then; null while it goes on. */
      ends_at: z.nullable(z.string()),
      /** Until when an open bill can be paid before the plan is suspended; null without one. */
      due_until: z._default(z.nullable(z.string()), null),
      /** Since when the plan is suspended because of an open bill. */
      suspended_since: z._default(z.nullable(z.string()), null),
      /** Customer at the payment provider, for members who manage billing; null without one. */
      customer_id: z.nullable(z.string()),
    }),
  ),
  notifications,
});
export type Settings = z.infer<typeof settings>;

/** Answer of the SQL function `push_settings`: which notifications the user's devices receive, and which these are. */
export const pushSettings = z.object({
  low_ratings: z.boolean(),
  low_stock: z.boolean(),
  /** Whether the reader has answered the question; it is put once. */
  is_asked: z.boolean(),
  devices: z.array(
    z.object({
      id: z.uuid(),
      /** « Chrome sur Android ». */
      label: z.string(),
      created_at: z.string(),
      last_used_at: z.nullable(z.string()),
      /** The browser of this session. */
      is_current: z.boolean(),
    }),
  ),
});
export type PushSettings = z.infer<typeof pushSettings>;

/** Answer of the SQL function `deletion_summary`: what is erased with an organisation, counted. */
export const deletionSummary = z.object({
  stores: z.number(),
  campaigns: z.number(),
  customers: z.number(),
  reviews: z.number(),
  codes: z.number(),
  members: z.number(),
  /** The payment provider would go on charging: it is cancelled there first. */
  has_running_payments: z.boolean(),
});
export type DeletionSummary = z.infer<typeof deletionSummary>;

/** Body of `export-organization`. */
export const organizationExportRequest = z.strictObject({ org_id: z.guid() });
