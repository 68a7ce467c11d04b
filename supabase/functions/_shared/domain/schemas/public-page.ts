import * as z from "zod/mini";
import { reviewMode } from "../rules/review-mode.ts";
import { brand } from "./brand.ts";

/**
 * What the public may know, and nothing else: the data of the phone pages. Apart from the
 * journey's requests, so that a phone can show its first step before it knows how to send.
 */

const uuid = z.guid();

/** One segment of the wheel as the public sees it. */
const publicSegment = z.object({
  id: uuid,
  label: z.string(),
  color: z.string(),
  position: z.int(),
});
export type PublicSegment = z.infer<typeof publicSegment>;

/** Where a customer is; every day and hour that they read is told by the clocks of that place. */
const place = { name: z.string(), timezone: z.string() };
export const publicPlace = z.object(place);
export type PublicPlace = z.infer<typeof publicPlace>;

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
  /** False when nobody could win or lose now: the plan's spins are used up, or nothing is left to draw. */
  wheel_open: z.boolean(),
  rules_version: z.int(),
  /** The plan keeps the product's name away. */
  white_label: z.boolean(),
  /** The merchant's logo and colour in its place; null without either. */
  brand: z.nullable(brand),
});
export type PublicCampaign = z.infer<typeof publicCampaign>;
