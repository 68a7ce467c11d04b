import * as z from "zod/mini";
import { MAX_COUNT, MAX_PROOFS } from "../rules/constants.ts";
import { languageSchema } from "../text/languages.ts";
import { translations } from "../text/merchant-words.ts";
import { codeStatus } from "./code-status.ts";

/**
 * Points as phones and the back-office see them. A phone proves what it has won by the nonces of its turns, which only
 * that phone was told (docs/decisions/085).
 */

const uuid = z.guid();

/** A turn that won points. */
const pointsProof = z.strictObject({ spin_id: uuid, nonce: uuid });

const asked = {
  campaign_id: uuid,
  proofs: z.array(pointsProof).check(z.minLength(1), z.maxLength(MAX_PROOFS)),
  /** Language of the page; without one, rewards are called what the merchant calls them. */
  locale: z.optional(languageSchema),
};

/** Body of `points_wallet`. */
export const pointsWalletRequest = z.strictObject(asked);

/** Body of `spend_points`: the cost is what the phone showed; a repeat with the same `request_id` spends once. */
export const spendPointsRequest = z.strictObject({
  ...asked,
  reward_id: uuid,
  cost: z.int().check(z.minimum(1), z.maximum(MAX_COUNT)),
  request_id: uuid,
});

const pointsReward = z.object({
  id: uuid,
  name: z.string(),
  cost: z.int(),
  sold_out: z.boolean(),
});
export type PointsReward = z.infer<typeof pointsReward>;

const pointsCode = z.object({
  id: uuid,
  code: z.string(),
  reward: z.string(),
  points: z.int(),
  status: codeStatus,
  expires_at: z.string(),
  used_at: z.nullable(z.string()),
});

/** Answer of `points_wallet` and of `spend_points`. */
export const pointsWallet = z.object({
  balance: z.int(),
  /** The points that end first; null while none have an end. */
  ends: z.nullable(z.object({ points: z.int(), at: z.string() })),
  /** Where its codes are taken: the one store in use, else the organisation; missing in an answer that a phone kept from before. */
  place: z.optional(z.object({ kind: z.enum(["store", "stores", "none"]), name: z.string() })),
  /** The cheapest first; nothing where the merchant gives nothing for points. */
  rewards: z.array(pointsReward),
  /** The newest first. */
  codes: z.array(pointsCode),
});
export type PointsWallet = z.infer<typeof pointsWallet>;

/** Answer of the SQL function `points_choices`: what a customer can spend, as the team sees it. */
export const pointsChoices = z.object({ balance: z.int(), rewards: z.array(pointsReward) });

/** Answer of the SQL function `spend_points_for`. */
export const pointsSpent = z.object({
  outcome: z.enum([
    "spent",
    "points_reward_gone",
    "points_cost_changed",
    "points_missing",
    "points_sold_out",
    "points_request_reused",
  ]),
  balance: z.int(),
  /**
   * Identifier by which the spending is undone, and the reward handed over; null after a refusal.
   */
  spend_id: z.nullable(uuid),
  reward: z.nullable(z.string()),
});
export type PointsSpent = z.infer<typeof pointsSpent>;

const count = z.int();

/** Answer of the SQL function `points_catalogue`: what a merchant gives for points, and owes. */
export const pointsCatalogue = z.object({
  owed: z.object({
    points: count,
    customers: count,
    /** Codes that were taken for points and wait for their customer. */
    codes: count,
  }),
  /** Whether a reward in use wins points. */
  earns: z.boolean(),
  items: z.array(
    z.object({
      id: uuid,
      version: z.int(),
      name: z.string(),
      translations,
      cost: z.int(),
      /** -1 is unlimited. */
      stock: z.int(),
      active: z.boolean(),
      /** How many of it the customers could have with the points that they have now. */
      affordable: count,
      /** How often it was taken. */
      spends: count,
    }),
  ),
});
export type PointsCatalogue = z.infer<typeof pointsCatalogue>;
export type PointsItem = PointsCatalogue["items"][number];
