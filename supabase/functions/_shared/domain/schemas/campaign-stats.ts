import * as z from "zod/mini";

const count = z.number();

/** Events of each day, in the time zone of the store. */
export const visitDays = z.array(
  z.object({ day: z.iso.date(), scans: count, reviews: count, spins: count }),
);
export type VisitDays = z.infer<typeof visitDays>;

/** Funnel of customers who left a review: scan, review, spin, win, use. */
export const funnel = z.object({
  scans: count,
  reviews: count,
  spins: count,
  wins: count,
  redemptions: count,
  /** Those who played without a review: beside the funnel, not in it. */
  free: z.object({ spins: count, wins: count, redemptions: count }),
});
export type Funnel = z.infer<typeof funnel>;

/** Cost of a campaign and value of its visits, in euros. */
const campaignReturn = z.object({
  /** Cost of the rewards that were used, at the value that each has now. */
  cost: z.number(),
  /** Uses of rewards that have no value. */
  unpriced: count,
  /** Visits that the campaign brought back: its codes that were used. */
  visits: count,
  /** Of a hundred of them, how many the merchant counts as brought back. */
  return_share: count,
  store_id: z.uuid(),
  /** Average spending of the store's customer on a visit; null when not entered. */
  average_basket: z.nullable(z.number()),
});
export type CampaignReturn = z.infer<typeof campaignReturn>;

/** Answer of the SQL function `campaign_stats`; null when there is no such campaign. */
export const campaignStats = z.nullable(
  z.object({
    campaign: z.object({
      id: z.uuid(),
      name: z.string(),
      slug: z.string(),
      active: z.boolean(),
      starts_at: z.nullable(z.string()),
      ends_at: z.nullable(z.string()),
      /** When it was archived. */
      archived_at: z.nullable(z.string()),
      store_name: z.nullable(z.string()),
      created_at: z.nullable(z.string()),
      /** Something can be won now. */
      has_prize: z.boolean(),
      /** It has a reward that is switched on. */
      has_reward: z.boolean(),
      store_id: z.nullable(z.uuid()),
      /** Its store has a public reviews page. */
      has_review_link: z.boolean(),
      /** A poster was downloaded, or one was scanned. */
      has_poster: z.boolean(),
    }),
    totals: z.object({
      scans: count,
      reviews: count,
      /** Sum of the reviews' stars. */
      rating_sum: count,
      /** Reviews of 1, 2, 3, 4 and 5 stars. */
      stars: z.array(count),
      spins: count,
      wins: count,
      /** Of the wins, those of points, which have no code. */
      points_wins: count,
      redemptions: count,
    }),
    /** The 10 newest. */
    reviews: z.array(
      z.object({
        /** Identifies it in a list; not the table's identifier, which would reveal a code. */
        id: z.uuid(),
        at: z.nullable(z.string()),
        rating: z.number(),
        /** Name, else e-mail; null for an erased customer, and for a member who may not see customers. */
        name: z.nullable(z.string()),
        customer_id: z.nullable(z.uuid()),
      }),
    ),
    /** The 5 that were used most. */
    top_rewards: z.array(z.object({ id: z.uuid(), name: z.string(), redemptions: count })),
    /** Null where the plan does not include it. */
    advanced: z.nullable(z.object({ days: visitDays, funnel, return: campaignReturn })),
  }),
);
export type CampaignStats = NonNullable<z.infer<typeof campaignStats>>;
