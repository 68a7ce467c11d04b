import * as z from "zod/mini";
import { presenceKind } from "../rules/presence-kind.ts";
import { reviewMode } from "../rules/review-mode.ts";
import { brand } from "./brand.ts";

/**
 * Public data of the phone pages, and nothing else. It is kept apart from the journey's requests,
 * so that a phone can show its first step before it knows how to send.
 */

const uuid = z.guid();

const drawing = { soft: z.string(), solid: z.string() };

/** The picture of a reward (`PrizeDrawing`). */
export const drawnReward = z.object({ id: uuid, ...drawing });
export type DrawnReward = z.infer<typeof drawnReward>;

/** One segment of the wheel as the public sees it. */
export const publicSegment = z.object({
  id: uuid,
  label: z.string(),
  color: z.string(),
  position: z.int(),
  picture: z.optional(
    z.object({
      ...drawing,
      /** Its place on the wheel (`PicturePlace`); null where there is no room. */
      place: z.nullable(z.object({ at: z.string(), turn: z.int(), angle: z.int() })),
    }),
  ),
});
export type PublicSegment = z.infer<typeof publicSegment>;

/** Where a customer is; every day and hour that they read is in the time zone of that place. */
const place = { name: z.string(), timezone: z.string() };
export const publicPlace = z.object(place);
export type PublicPlace = z.infer<typeof publicPlace>;

/**
 * Translations of a merchant's texts into the language of the page (`SaidWords`). Missing in
 * French, and where none is translated.
 */
export const saidWords = z.optional(z.array(z.array(z.string())));

/** Answer of `campaign`: all that a public page may know of a campaign. */
export const publicCampaign = z.object({
  id: uuid,
  /** Present address of the campaign; differs from the one asked after a renaming. */
  slug: z.string(),
  name: z.string(),
  organization: z.object({ name: z.string(), slug: z.string() }),
  store: z.object({ id: uuid, ...place }),
  google_review_url: z.nullable(z.string()),
  review_mode: reviewMode,
  starts_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  /** Calendar days of the store between two plays of one person; 0 is no limit. */
  play_interval_days: z.int(),
  /** In the wheel's order; a campaign without a wheel shows the example of the specification, section 9. */
  segments: z.array(publicSegment),
  /** False when the wheel cannot be spun now: the plan's spins are used up, or nothing is left to draw. */
  wheel_open: z.boolean(),
  rules_version: z.int(),
  /** Days in which each of the wheel's points rewards is to be spent; null is without end. Missing where it has none. */
  points_days: z.optional(z.array(z.nullable(z.int()))),
  /**
   * Proof that a customer is in the store, asked before the wheel spins. Missing where none is
   * asked.
   */
  presence: z.optional(presenceKind),
  /** The plan keeps the product's name away. */
  white_label: z.boolean(),
  /** The merchant's logo and colour in its place; null without either. */
  brand: z.nullable(brand),
  /** Translations for a draw that names its prize in the merchant's words. */
  words: saidWords,
});
export type PublicCampaign = z.infer<typeof publicCampaign>;
