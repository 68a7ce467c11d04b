import * as z from "zod/mini";
import { prizePicture } from "../rules/prize-picture.ts";
import { translations } from "../text/merchant-words.ts";

/** Schemas that the editing of a campaign reads and writes (specification, section 2.15). */

/** Sum of a wheel's weights, in percent. */
export const WHEEL_TOTAL = 100;

/** Longest text of a segment, in characters. */
export const LABEL_MAX_LENGTH = 60;

/** Most segments of a wheel: with more, some could never be drawn. */
export const SEGMENTS_MAX = 100;

/** How long the word of a campaign that was saved stays, in milliseconds (specification, section 9). */
export const SAVED_MS = 1500;

const segment = z.object({
  /** Null of a segment that is not stored yet. */
  id: z.nullable(z.guid()),
  /** Null of a segment that loses. */
  reward_id: z.nullable(z.guid()),
  label: z.string(),
  color: z.string(),
  weight: z.number(),
  /** Of its text, where that is no reward's name. */
  translations,
});
export type EditorSegment = z.infer<typeof segment>;

const reward = z.object({
  id: z.guid(),
  name: z.string(),
  active: z.boolean(),
  /** How many are left to win; -1 is unlimited. */
  stock: z.number(),
  is_archived: z.boolean(),
  /** Cost to the merchant, in euros; null when not entered. */
  value: z.nullable(z.number()),
  picture: z.nullable(prizePicture),
  /** Name of the other campaign where it is at home; null where that is the edited one. */
  home: z.nullable(z.string()),
});

export type EditorReward = z.infer<typeof reward>;

const store = z.object({
  id: z.guid(),
  name: z.string(),
  address: z.string(),
  timezone: z.string(),
  /** Put away: a campaign may stay there, but not run. */
  is_archived: z.boolean(),
});

export type EditorStore = z.infer<typeof store>;

/** Answer of the SQL function `campaign_editor`; null when there is no such campaign. */
export const campaignEditor = z.nullable(
  z.object({
    campaign: z.object({
      id: z.guid(),
      version: z.number(),
      name: z.string(),
      slug: z.string(),
      description: z.nullable(z.string()),
      store_id: z.guid(),
      active: z.boolean(),
      starts_at: z.nullable(z.string()),
      ends_at: z.nullable(z.string()),
      play_interval_days: z.number(),
      archived_at: z.nullable(z.string()),
      /** Of its name. */
      translations,
    }),
    /** drawn by the merchant, suggested from the rewards (specification, section 9), or the example of a campaign without any. */
    wheel: z.enum(["drawn", "suggested", "example"]),
    segments: z.array(segment),
    rewards: z.array(reward),
    stores: z.array(store),
  }),
);
export type CampaignEditor = NonNullable<z.infer<typeof campaignEditor>>;

/** Answer of the SQL function `save_campaign`. */
export const savedCampaign = z.object({ version: z.number(), slug: z.string() });
export type SavedCampaign = z.infer<typeof savedCampaign>;

/** Answer of the SQL function `duplicate_campaign`. */
export const copiedCampaign = z.object({ id: z.guid(), name: z.string() });

/** Answer of the SQL function `start_campaign`. */
export const startedCampaign = z.object({ id: z.guid() });
