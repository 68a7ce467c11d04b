import * as z from "zod/mini";
import { SEARCH_MAX_LENGTH } from "../rules/constants.ts";
import { languageSchema } from "../text/languages.ts";
import { codeListStatus, codeStatus } from "./code-status.ts";
import { customerFilters } from "./customer-filters.ts";
import { reviewFilters } from "./reviews.ts";

/**
 * Schemas of the customers that the back-office reads, and of its requests about them
 * (specification, sections 2.11 and 2.12).
 */

const count = z.number();

/** Most that can be ticked in a list. */
const MAX_SELECTED = 200;

/** Identifiers of the rows ticked in a list. */
const selection = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_SELECTED));

/** Filters of the export of codes. */
const redemptionFilters = z.strictObject({
  reward_id: z.optional(z.uuid()),
  ids: z.optional(selection),
  status: z.optional(codeListStatus),
  /** Part of a code, or of its customer's e-mail or name; its beginning only for a member who may not see customers. */
  search: z.optional(z.string().check(z.maxLength(SEARCH_MAX_LENGTH))),
});

/** Filters of the export of campaigns. */
const campaignFilters = z.strictObject({
  ids: z.optional(selection),
  /** Part of a campaign's name, or of its store's. */
  search: z.optional(z.string().check(z.maxLength(SEARCH_MAX_LENGTH))),
  /** Those that were archived, in the place of those in use. */
  is_archived: z.optional(z.boolean()),
});

/** Body of `POST exports-csv`. */
export const exportRequest = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("customers"),
    org_id: z.uuid(),
    filters: z._default(z.extend(customerFilters, { ids: z.optional(selection) }), {}),
  }),
  z.strictObject({
    type: z.literal("redemptions"),
    org_id: z.uuid(),
    filters: z._default(redemptionFilters, {}),
  }),
  z.strictObject({
    type: z.literal("reviews"),
    org_id: z.uuid(),
    filters: z._default(reviewFilters, {}),
  }),
  z.strictObject({
    type: z.literal("campaigns"),
    org_id: z.uuid(),
    filters: z._default(campaignFilters, {}),
  }),
]);
export type ExportRequest = z.input<typeof exportRequest>;

/** One customer of the list. */
const customerItem = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** Language of their last visit. */
  locale: languageSchema,
  consent_marketing: z.boolean(),
  created_at: z.string(),
  last_activity_at: z.nullable(z.string()),
  review_count: count,
  /** Sum of their stars. */
  rating_sum: count,
  spin_count: count,
  redemption_count: count,
});
export type CustomerItem = z.infer<typeof customerItem>;

/** Answer of the SQL function `customer_list`. */
export const customerList = z.object({
  /** Of the organisation, whatever is searched. */
  totals: z.object({
    customers: count,
    consents: count,
    /** Customers who turned the wheel at least once. */
    participants: count,
    reviews: count,
    rating_sum: count,
  }),
  /**
   * Customers that are searched: counted up to 100 where there are words, up to 1,000 where there are filters alone; where
   * there are more, `customer_count` says how many.
   */
  matches: count,
  has_more_matches: z.boolean(),
  has_previous: z.boolean(),
  has_next: z.boolean(),
  /** Whether the plan exports lists. */
  can_export: z.boolean(),
  stores: z.array(z.object({ id: z.uuid(), name: z.string() })),
  items: z.array(customerItem),
});
export type CustomerList = z.infer<typeof customerList>;

/** Answer of the SQL function `customer_count`: exact up to 10,000. */
export const customerCount = z.object({ matches: count, is_estimate: z.boolean() });

const reviewEntry = z.object({
  /** Identifies it in a list; not the table's identifier, which would reveal a code. */
  id: z.uuid(),
  at: z.string(),
  rating: count,
  text: z.nullable(z.string()),
  campaign: z.nullable(z.string()),
});

const spinEntry = z.object({
  id: z.uuid(),
  at: z.string(),
  campaign: z.nullable(z.string()),
  /** Reward that was won; null for a loss. */
  reward: z.nullable(z.string()),
  /** Its value in euros, where the merchant gave one. */
  value: z.nullable(z.number()),
  points: z.nullable(z.number()),
});

const redemptionEntry = z.object({
  id: z.uuid(),
  at: z.string(),
  campaign: z.nullable(z.string()),
  reward: z.string(),
  value: z.nullable(z.number()),
  /** Null for a member who may not see codes. */
  code: z.nullable(z.string()),
});

const spendEntry = z.object({
  id: z.uuid(),
  at: z.string(),
  reward: z.string(),
  points: count,
  status: codeStatus,
  used_at: z.nullable(z.string()),
  code: z.nullable(z.string()),
});
export type SpendEntry = z.infer<typeof spendEntry>;

/** Answer of the SQL function `customer_detail`; null when there is no such customer. */
export const customerDetail = z.nullable(
  z.object({
    id: z.uuid(),
    version: count,
    name: z.string(),
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    /** Language of their last visit. */
    locale: languageSchema,
    note: z.nullable(z.string()),
    created_at: z.string(),
    last_activity_at: z.nullable(z.string()),
    /** The consent to marketing; null without one. */
    consent: z.nullable(
      z.object({
        at: z.string(),
        by: z.nullable(z.enum(["customer", "team"])),
        /** Number of the sentence that was shown (`consentWordings`), with the organisation's name in it. */
        version: z.nullable(z.number()),
        organizer: z.nullable(z.string()),
        /** Language in which it was shown; null where that was not kept. */
        locale: z.nullable(languageSchema),
      }),
    ),
    /** The last consent, where it was withdrawn. */
    consent_withdrawn: z.nullable(z.object({ at: z.string(), by: z.enum(["customer", "team"]) })),
    review_count: count,
    rating_sum: count,
    spin_count: count,
    win_count: count,
    redemption_count: count,
    /** Codes that can still be used. */
    open_codes: count,
    points: count,
    /** Up to 20 each, newest first. */
    reviews: z.array(reviewEntry),
    spins: z.array(spinEntry),
    redemptions: z.array(redemptionEntry),
    /** Rewards that points were spent on. */
    spends: z.array(spendEntry),
  }),
);
export type CustomerDetail = NonNullable<z.infer<typeof customerDetail>>;

/** Answer of the SQL function `save_customer`. */
export const customerSaved = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("saved"), version: count }),
  z.object({ outcome: z.literal("conflict") }),
  z.object({
    outcome: z.enum(["email_taken", "phone_taken"]),
    /** Whose it is. */
    other: z.object({ id: z.uuid(), name: z.string() }),
  }),
]);
export type CustomerSaved = z.infer<typeof customerSaved>;
