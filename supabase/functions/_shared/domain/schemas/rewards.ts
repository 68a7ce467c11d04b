import * as z from "zod/mini";
import { prizePicture } from "../rules/prize-picture.ts";
import { translations } from "../text/merchant-words.ts";
import { codeStatus } from "./code-status.ts";
import { rewardType } from "./reward-type.ts";

/** Schemas of the rewards and codes that the back-office reads (specification, section 2.17). */

const count = z.number();

/** Optional details of a reward; null rather than empty. */
const rewardMetadata = z.nullable(
  z.object({
    /** Percent, 1 to 100. */
    discountPercent: z.optional(z.number()),
    item: z.optional(z.string()),
    points: z.optional(z.number()),
    /** Days that a code is good for, from 1. */
    validityDays: z.optional(z.number()),
  }),
);

/** Figures of a reward's whole life, or of all rewards. */
const figures = z.object({
  wins: count,
  /** Codes given; points have none. */
  codes: count,
  redemptions: count,
  expirations: count,
});

/** Row of a reward in the list. */
const rewardItem = z.object({
  id: z.uuid(),
  name: z.string(),
  type: rewardType,
  active: z.boolean(),
  campaign_id: z.nullable(z.uuid()),
  /** Null when the campaign is gone. */
  campaign_name: z.nullable(z.string()),
  code_template: z.nullable(z.string()),
  /** How many are left to win; -1 is unlimited. */
  stock: count,
  max_per_user: count,
  metadata: rewardMetadata,
  picture: z.nullable(prizePicture),
  archived_at: z.nullable(z.string()),
  /** Other campaigns that have it on their wheels. */
  shared_with: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Uses of the reward: segments of wheels, and whether it was ever won. */
  segments: count,
  is_won: z.boolean(),
  /** Active, but on no segment of a wheel, while its campaign is in use: it cannot be won. */
  is_off_wheel: z.boolean(),
  figures,
});
export type RewardItem = z.infer<typeof rewardItem>;

/** Answer of the SQL function `reward_list`. */
export const rewardList = z.object({
  /** Rewards in use and archived rewards, whatever is searched. */
  total: count,
  archived: count,
  figures,
  /** Rewards that are searched, and which page of them this is, from 1. */
  matches: count,
  page: count,
  page_size: count,
  items: z.array(rewardItem),
});
export type RewardList = z.infer<typeof rewardList>;

/** Codes of a reward by state, at the instant of the answer. */
const codeCounts = z.object({ total: count, available: count, used: count, expired: count });

/** One thing that was done to a code. */
const codeEvent = z.object({
  action: z.enum(["used", "restored", "expired", "held", "cancelled", "released"]),
  at: z.string(),
  /** Name of the staff member; null for time, or once that account is gone. */
  by: z.nullable(z.string()),
});

/** One code of a reward. */
const codeItem = z.object({
  id: z.uuid(),
  code: z.string(),
  /** Where it is good. */
  store_id: z.uuid(),
  status: codeStatus,
  /** Verdict of a check: neither can be used. */
  verdict: z.nullable(z.enum(["held", "cancelled"])),
  /** Whether the team gave it, and no spin won it. */
  is_goodwill: z.boolean(),
  /** Null as the name below. */
  customer_id: z.nullable(z.uuid()),
  /** Name, else e-mail; null for an erased customer, and for a member who may not see customers. */
  customer: z.nullable(z.string()),
  created_at: z.string(),
  used_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  /** Time zone of its store, by which it ends. */
  timezone: z.optional(z.string()),
  /** Used less than 10 minutes ago. */
  can_undo: z.boolean(),
  trace: z.array(codeEvent),
});
export type CodeItem = z.infer<typeof codeItem>;

/** Answer of the SQL function `reward_codes`; null when there is no such reward. */
export const rewardCodes = z.nullable(
  z.object({
    reward: z.object({ id: z.uuid(), name: z.string(), type: rewardType }),
    counts: codeCounts,
    /** Whether the plan exports lists. */
    can_export: z.boolean(),
    page: count,
    has_next: z.boolean(),
    items: z.array(codeItem),
  }),
);
export type RewardCodes = NonNullable<z.infer<typeof rewardCodes>>;

const dayFigures = z.object({ day: z.iso.date(), wins: count, redemptions: count });
export type DayFigures = z.infer<typeof dayFigures>;

/** Answer of the SQL function `reward_stats`; null when there is no such reward. */
export const rewardStats = z.nullable(
  z.object({
    reward: z.object({
      id: z.uuid(),
      name: z.string(),
      type: rewardType,
      stock: count,
      campaign_name: z.nullable(z.string()),
    }),
    /** Null where the plan does not include it. */
    advanced: z.nullable(
      z.object({
        figures,
        counts: codeCounts,
        /** The last 90 days, oldest first, in the time zone of the campaign's store. */
        days: z.array(dayFigures),
      }),
    ),
  }),
);
type RewardStats = NonNullable<z.infer<typeof rewardStats>>;
export type RewardFigures = NonNullable<RewardStats["advanced"]>;

/** A reward as its form reads it from the table. */
export const rewardRow = z.object({
  id: z.uuid(),
  version: count,
  name: z.string(),
  description: z.nullable(z.string()),
  type: rewardType,
  campaign_id: z.uuid(),
  value: z.nullable(z.number()),
  code_template: z.nullable(z.string()),
  stock: count,
  max_per_user: count,
  metadata: rewardMetadata,
  picture: z.nullable(prizePicture),
  translations,
  /** Of the item, where that is not called as the reward is. */
  item_translations: translations,
});
export type RewardRow = z.infer<typeof rewardRow>;
