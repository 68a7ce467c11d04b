import * as z from "zod/mini";
import { reviewMode } from "../rules/review-mode.ts";
import { funnel, visitDays } from "./campaign-stats.ts";

/** Schemas of the stores that the back-office reads (specification, section 2.18). */

const count = z.number();

/** Figures of a store's whole life, or of all stores. */
const figures = z.object({
  scans: count,
  reviews: count,
  /** Sum of the reviews' stars. */
  rating_sum: count,
  five_star_reviews: count,
  public_clicks: count,
  spins: count,
  wins: count,
  redemptions: count,
});

/** Row of a store in the list. */
const storeItem = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string(),
  review_mode: reviewMode,
  timezone: z.string(),
  created_at: z.string(),
  archived_at: z.nullable(z.string()),
  active_campaigns: count,
  /** Campaigns in any state. */
  campaigns: count,
  /** Slug of its newest running campaign; without one, why there is none. */
  slug: z.nullable(z.string()),
  closed: z.nullable(z.enum(["no_campaign", "plan_closed", "none_running"])),
  /** It has history: it is archived, never deleted. */
  has_history: z.boolean(),
  figures,
});
export type StoreItem = z.infer<typeof storeItem>;

/** Answer of the SQL function `store_list`. */
export const storeList = z.object({
  /** Stores in use, those of them with an active campaign, and archived stores, whatever is searched. */
  total: count,
  with_active_campaigns: count,
  archived: count,
  figures,
  /** Stores that are searched, and which page of them this is, from 1. */
  matches: count,
  page: count,
  page_size: count,
  items: z.array(storeItem),
});
export type StoreList = z.infer<typeof storeList>;

/**
 * Figures of a public page on a day, as typed in by the merchant: a mean of 1 to 5 with one
 * decimal, 0 without reviews.
 */
const publicFigures = { day: z.iso.date(), rating: z.number(), reviews: count };

/** A store's public page over time, beside what was collected here. */
export const publicRating = z.object({
  /** The first day that was typed in; null when none was. */
  first: z.nullable(z.object(publicFigures)),
  /** Reviews collected here after that day. */
  collected: count,
  /** The newest days that were typed in, oldest first, with the reviews collected here from the first one to each. */
  points: z.array(z.object({ ...publicFigures, collected: count })),
});
export type PublicRating = z.infer<typeof publicRating>;

/** Answer of the SQL function `store_stats`; null when there is no such store. */
export const storeStats = z.nullable(
  z.object({
    store: z.object({ id: z.uuid(), name: z.string(), address: z.string() }),
    figures: z.extend(figures, {
      /** Of the wins, those of points, which have no code. */
      points_wins: count,
    }),
    /** Up to 60 days, and the address of the page. */
    public_rating: z.extend(publicRating, { url: z.nullable(z.string()) }),
    /** The last 30 days, oldest first, and the funnel from scan to use; null where the plan does not include it. */
    advanced: z.nullable(z.object({ days: visitDays, funnel })),
    campaigns: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        active: z.boolean(),
        starts_at: z.nullable(z.string()),
        ends_at: z.nullable(z.string()),
        /** When it was archived. */
        archived_at: z.nullable(z.string()),
        scans: count,
        reviews: count,
        rating_sum: count,
      }),
    ),
  }),
);
export type StoreStats = NonNullable<z.infer<typeof storeStats>>;

/** A store as its forms read it from the table; null when there is none. */
export const storeRow = z.nullable(
  z.object({
    id: z.uuid(),
    version: count,
    name: z.string(),
    slug: z.string(),
    address: z.string(),
    timezone: z.string(),
    /** Identifier of its place at Google. */
    google_place_id: z.nullable(z.string()),
    google_review_url: z.nullable(z.string()),
    /** Host of that link, confirmed when it was entered; null for a known platform. */
    review_host_confirmed: z.nullable(z.string()),
    review_mode: reviewMode,
    archived_at: z.nullable(z.string()),
  }),
);
export type StoreRow = NonNullable<z.infer<typeof storeRow>>;
