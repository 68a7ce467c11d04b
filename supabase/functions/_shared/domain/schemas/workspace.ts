import * as z from "zod/mini";
import { plan } from "../rules/plan-names.ts";

const uuid = z.guid();

/** Answer of the SQL function `my_workspace`: where the signed-in user works and what they may do. */
export const workspace = z.object({
  organization: z.nullable(
    z.object({
      id: uuid,
      name: z.string(),
      slug: z.string(),
      /** When everything of it is erased; null while it stays. */
      erase_at: z._default(z.nullable(z.string()), null),
    }),
  ),
  role: z.nullable(z.string()),
  permissions: z.array(z.string()),
  /** Name of the organisation that has just ended this user's access; missing for a member of any. */
  ended_access: z.optional(z.nullable(z.string())),
  /** Whether this user's last organisation was erased; missing for a member of any. */
  has_erased_organization: z.optional(z.boolean()),
  stores: z.array(z.object({ id: uuid, name: z.string() })),
  /** Whether a store where they work is archived: codes may wait for it. */
  has_archived_store: z._default(z.boolean(), false),
  has_campaign: z.boolean(),
  /** Bad reviews of the last 30 days that are not dealt with, counted up to 100. */
  unread_reviews: z._default(z.number(), 0),
  /** Groups of prizes to check, counted up to 100; 0 for a member who may not decide about them. */
  open_checks: z._default(z.number(), 0),
  plan: z.nullable(
    z.object({
      plan,
      status: z.string(),
      trial_end: z.nullable(z.string()),
      /** Answered for pages that stay open from before `ends_at`, which ask for it. */
      current_period_end: z.optional(z.nullable(z.string())),
      /** When a subscription that was cancelled ends, or has ended; null while it goes on. */
      ends_at: z._default(z.nullable(z.string()), null),
      /** Answered for pages that stay open from before `due_until`, which ask for it. */
      past_due_since: z.optional(z.nullable(z.string())),
      /** Until when an open bill can be paid before the plan is suspended; null without one. */
      due_until: z._default(z.nullable(z.string()), null),
      /** Whether the plan keeps the public pages open, and the operator has not closed them. */
      is_open: z.boolean(),
      /** Whether the operator suspended the organisation. */
      is_suspended: z._default(z.boolean(), false),
      /** Until when the data of a plan that is over can be read; null while it is in force. */
      readable_until: z.nullable(z.string()),
    }),
  ),
});
export type Workspace = z.infer<typeof workspace>;
