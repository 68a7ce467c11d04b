import * as z from "zod/mini";
import { campaignDates } from "../rules/campaign-state.ts";
import { billing, plan } from "../rules/plan-names.ts";
import { prizePicture } from "../rules/prize-picture.ts";
import { merchantWords } from "../text/merchant-words.ts";
import { brand } from "./brand.ts";
import { funnel, visitDays } from "./campaign-stats.ts";
import { publicRating } from "./stores.ts";

const count = z.number();

/** Figures of an organisation over a time, as `private.organization_totals` adds them up. */
const totals = z.object({
  scans: count,
  reviews: count,
  /** Sum of the reviews' stars. */
  rating_sum: count,
  five_star_reviews: count,
  wins: count,
  redemptions: count,
});

/** The same of all time or of some days, with the wins that have no code. */
const ownTotals = z.extend(totals, {
  /** Of the wins, those of points. What waits to be sent may lack it. */
  points_wins: z._default(count, 0),
});

/** One line of « Activité récente ». */
const activityItem = z.object({
  kind: z.enum(["review", "redeem", "win"]),
  at: z.string(),
  /** Name, else e-mail; null for an erased customer, and for a member who may not see customers. */
  name: z.nullable(z.string()),
  rating: z.nullable(z.number()),
  reward: z.nullable(z.string()),
});
export type ActivityItem = z.infer<typeof activityItem>;

const named = z.nullable(z.object({ id: z.uuid(), name: z.string() }));

/** A review of 3 stars or fewer that no member of the team has marked as seen. */
const unseenReview = z.object({
  id: z.uuid(),
  at: z.string(),
  rating: z.number(),
  store: z.string(),
  campaign_id: z.uuid(),
  /** These three are null for a member who may not see customers, and where nothing is known. */
  customer_id: z.nullable(z.uuid()),
  name: z.nullable(z.string()),
  text: z.nullable(z.string()),
});
export type UnseenReview = z.infer<typeof unseenReview>;

/** Items that deserve attention; null or empty when all is well. */
const todo = z.object({
  /** The newest 3 of the last 7 days, and how many there are, counted up to 100. */
  unseen_reviews: z.object({ count, items: z.array(unseenReview) }),
  /** Up to 3 rewards that run out, the scarcest first. */
  low_stock: z.array(z.object({ id: z.uuid(), name: z.string(), stock: count })),
  /** Groups of prizes to check, counted up to 100; 0 for a member who may not see codes. */
  checks: count,
  /** The last one that came to its end, where every active campaign did. */
  over_campaign: named,
  /** A campaign that runs or is about to, in which nothing can be won; its time zone is its store's. */
  empty_campaign: z.nullable(
    z.extend(campaignDates, { id: z.uuid(), name: z.string(), timezone: z.string() }),
  ),
  /** A store with a running campaign, without a public reviews page. */
  unlinked_store: named,
});

/** Return and cost of some days, in euros. */
const periodReturn = z.object({
  /** Visits brought back: codes that were used. */
  visits: count,
  /** Value of these visits at the average basket of each store. */
  revenue: z.number(),
  /** Visits of stores whose average basket is not known: not part of the revenue. */
  unestimated: count,
  /** Of a hundred of these visits, how many the merchant counts as brought back. What waits to be sent may lack it. */
  return_share: z._default(count, 100),
  /** Cost of the used rewards, at the value that each has now. */
  cost: z.number(),
  /** Uses of rewards that have no value: not part of the cost. */
  unpriced: count,
  /** Stores that had visits. */
  stores: count,
  /** Up to 5 of them, those without an average basket first. */
  baskets: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      average_basket: z.nullable(z.number()),
      visits: count,
    }),
  ),
  plan: z.nullable(z.object({ plan, billing: z.nullable(billing) })),
});
export type PeriodReturn = z.infer<typeof periodReturn>;

/** Answer of the SQL function `period_costs`. */
export const periodCosts = z.object({
  /** Rewards that were used. */
  rewards: count,
  /** Up to 5 of them: those without a cost, then those that cost most. */
  items: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      /** Name of the campaign that it was made for, beside one of the same name; empty from a server of before 1.3.0. */
      campaign: z._default(z.string(), ""),
      uses: count,
      /** Cost of one, in euros; null when not entered. */
      value: z.nullable(z.number()),
      version: count,
    }),
  ),
});
export type RewardCost = z.infer<typeof periodCosts>["items"][number];

/** Answer of the SQL function `period_figures`. */
export const periodFigures = z.object({
  totals: ownTotals,
  /** As many days before. */
  previous: ownTotals,
  days: visitDays,
  funnel,
  return: periodReturn,
});
export type PeriodFigures = z.infer<typeof periodFigures>;

/** A review with words, as the dashboard shows it. */
const writtenReview = z.object({
  /** Its alias, which the inbox opens. */
  id: z.uuid(),
  at: z.string(),
  rating: z.number(),
  store: z.string(),
  /** These two are null for a member who may not see customers; the name also of a customer who was erased or gave none. */
  first_name: z.nullable(z.string()),
  /** Its first 400 characters. */
  text: z.nullable(z.string()),
});
export type WrittenReview = z.infer<typeof writtenReview>;

/** Answer of the SQL function `dashboard`. A limit of -1 means unlimited. */
export const dashboard = z.object({
  limits: z.object({ max_active_campaigns: count, monthly_spins: count, max_users: count }),
  used: z.object({ active_campaigns: count, monthly_spins: count, users: count }),
  totals: ownTotals,
  last_30_days: ownTotals,
  previous_30_days: ownTotals,
  has_campaign: z.boolean(),
  /** Whether there is anything to win, in whichever campaign. */
  has_reward: z.boolean(),
  todo,
  /** The last 30 days; null where the plan does not include it. */
  advanced: z.nullable(z.object({ days: visitDays, funnel, return: periodReturn })),
  /** The first day with figures; null before any, missing from a server of before 1.3.0. */
  first_day: z.optional(z.nullable(z.string())),
  activity: z.array(activityItem),
  /** The public pages of up to 3 stores, their newest figures alone, and how many stores there are. */
  public_ratings: z.object({
    stores: count,
    items: z.array(z.object({ id: z.uuid(), name: z.string(), rating: publicRating })),
  }),
  /** The newest 4 with words; null for a member without an inbox. */
  reviews: z.nullable(z.array(writtenReview)),
  active_campaigns: z.array(
    z.extend(campaignDates, { id: z.uuid(), name: z.string(), scans: count }),
  ),
});
export type Dashboard = z.infer<typeof dashboard>;

/** One campaign of the list, with what it has led to. */
const campaignItem = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  active: z.boolean(),
  starts_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  created_at: z.string(),
  /** When it was archived. */
  archived_at: z.nullable(z.string()),
  store_id: z.uuid(),
  store_name: z.nullable(z.string()),
  /** Time zone of its store: its dates are days there. */
  timezone: z.nullable(z.string()),
  rewards: count,
  /** Something can be won now. */
  has_prize: z.boolean(),
  /** Whether a customer has taken part: then it is archived, never deleted. */
  has_history: z.boolean(),
  scans: count,
  reviews: count,
  spins: count,
  redemptions: count,
});
export type CampaignItem = z.infer<typeof campaignItem>;

/** Answer of the SQL function `campaign_list`. */
export const campaignList = z.object({
  /** Campaigns in use, how many of them are active, and archived campaigns, whatever is searched. */
  total: count,
  active: count,
  archived: count,
  figures: totals,
  /** Campaigns that are searched, and which page of them this is, from 1. */
  matches: count,
  page: count,
  page_size: count,
  /** Whether the plan exports lists. */
  can_export: z.boolean(),
  items: z.array(campaignItem),
});
export type CampaignList = z.infer<typeof campaignList>;

/** Answer of the SQL function `campaign_poster`: what a campaign's posters show. */
export const campaignPoster = z.object({
  slug: z.string(),
  name: z.string(),
  store_name: z.string(),
  /** The wheel's segments, in order; a losing one has no prize, nor has an example that is not offered. */
  segments: z.array(
    z.object({
      color: z.string(),
      prize: z.nullable(z.string()),
      picture: z.nullable(prizePicture),
    }),
  ),
  /** Up to three prizes, the best first. */
  best: z.array(z.string()),
  /** Translations of these prizes. */
  words: merchantWords,
  /** The plan keeps the product's name away. */
  white_label: z.boolean(),
  /** The merchant's logo and colour in its place; null without either. */
  brand: z.nullable(brand),
});
export type CampaignPoster = z.infer<typeof campaignPoster>;

/** Answer of the SQL functions `create_organization` and `create_store`. */
export const created = z.object({ id: z.uuid(), name: z.string(), slug: z.string() });
