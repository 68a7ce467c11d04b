import type { Sql } from "postgres";
import { spinResult } from "#domain/schemas/journey.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../../harness/fixtures.ts";
import { review, spin } from "../../harness/journey.ts";

/** The public reviews page of the shops in these tests: another site, which nothing here reaches. */
export const PUBLIC_REVIEWS = "https://g.page/r/magasin";

/** Outcome on which a wheel always stops, so that a test knows its end. */
type Outcome = "wins" | "points" | "loses";

/** An organisation with its team, one store, and one running campaign. */
export type Shop = Organization & {
  storeName: string;
  campaign: Campaign;
  /** Reward that the wheel gives; null for one that loses. */
  reward: { id: string; name: string } | null;
  /** Where a visit begins. */
  door: string;
};

type ShopOptions = {
  wheel?: Outcome;
  store?: {
    name?: string;
    googleReviewUrl?: string | null;
    reviewMode?: "compliant" | "gating";
  };
  reward?: Parameters<typeof createReward>[2];
  campaign?: Partial<Parameters<typeof createCampaign>[1]>;
  plan?: "free_trial" | "basic" | "pro";
};

/** Makes a shop; its wheel has four segments, of which only those of the outcome can be drawn. */
export async function createShop(
  sql: Sql,
  {
    wheel = "wins",
    store = {},
    reward = {},
    campaign: settings = {},
    plan = "pro",
  }: ShopOptions = {},
): Promise<Shop> {
  const storeName = store.name ?? "Le Comptoir des Halles";
  const organization = await createOrganization(sql, {
    plan,
    store: { name: storeName, googleReviewUrl: PUBLIC_REVIEWS, ...store },
  });
  const campaign = await createCampaign(sql, {
    orgId: organization.id,
    storeId: organization.storeId,
    name: "La roue du comptoir",
    ...settings,
  });
  const name = reward.name ?? (wheel === "points" ? "50 points" : "Café offert");
  const id = await createReward(sql, campaign, {
    type: wheel === "points" ? "points" : "gift",
    ...reward,
    name,
  });
  const winning = wheel === "loses" ? 0 : 50;
  const losing = 50 - winning;
  await drawWheel(sql, campaign, [
    { weight: winning, rewardId: id, label: name, color: "#8B5CF6" },
    { weight: losing, label: "Pas de chance", color: "#6B7280" },
    { weight: winning, rewardId: id, label: name, color: "#F59E0B" },
    { weight: losing, label: "La prochaine fois", color: "#6B7280" },
  ]);
  return {
    ...organization,
    storeName,
    campaign,
    reward: wheel === "loses" ? null : { id, name },
    door: `/c/${campaign.slug}`,
  };
}

/** Counts of a campaign so far. */
export type Activity = {
  scans: number;
  reviews: number;
  /** Reviews from which the public reviews page was opened. */
  clicks: number;
  feedback: number;
  customers: number;
  spins: number;
  wins: number;
  codes: number;
};

/** Counts what is stored of a shop's campaign. */
export async function activity(sql: Sql, { id, campaign }: Shop): Promise<Activity> {
  const [row] = await sql<Activity[]>`
    select
      (select count(*)::int from public.scan_events e where e.campaign_id = ${campaign.id}) as scans,
      r.reviews, r.clicks, r.feedback,
      (select count(*)::int from public.customers c where c.org_id = ${id}) as customers,
      s.spins, s.wins,
      (select count(*)::int from public.redemptions d where d.campaign_id = ${campaign.id}) as codes
    from
      (select count(*)::int as reviews, count(public_click_at)::int as clicks,
         count(review_text)::int as feedback
       from public.pre_spin_reviews where campaign_id = ${campaign.id}) r,
      (select count(*)::int as spins, count(reward_id)::int as wins
       from public.spins where campaign_id = ${campaign.id}) s`;
  if (row === undefined) throw new Error("The campaign's activity could not be counted.");
  return row;
}

/** The one review of a campaign. */
export type StoredReview = {
  customer_name: string;
  customer_email: string | null;
  customer_phone: string | null;
  rating: number;
  review_text: string | null;
  consent_marketing: boolean;
  source: string;
};

/** Reads the reviews of a campaign, oldest first. */
export function storedReviews(sql: Sql, { campaign }: Shop): Promise<StoredReview[]> {
  return sql<StoredReview[]>`
    select customer_name, customer_email, customer_phone, rating, review_text, consent_marketing, source
    from public.pre_spin_reviews where campaign_id = ${campaign.id} order by created_at, id`.then(
    (rows) => [...rows],
  );
}

/** A code that was won without a page, for tests that begin at the till. */
export async function winCode(
  sql: Sql,
  { campaign }: Shop,
  name = "Anaïs Le Goff",
): Promise<string> {
  const { body } = await spin(sql, { campaignId: campaign.id, name });
  const code = spinResult.parse(JSON.parse(body ?? "null")).redemption_code;
  if (code === null) throw new Error("The wheel gave no code.");
  return code;
}

/** A shop with two customers: one of whom it may write to, with words, and one of two stars. */
export async function shopWithCustomers(sql: Sql): Promise<Shop> {
  const shop = await createShop(sql);
  const campaignId = shop.campaign.id;
  const first = await review(sql, {
    campaignId,
    firstName: "Anaïs",
    lastName: "Le Goff",
    email: "anais@exemple.fr",
    rating: 4,
    consent: true,
  });
  await sql`select public.record_feedback(${first.review_id}, 'Un accueil vraiment chaleureux, merci.')`;
  await spin(sql, { campaignId, reviewId: first.review_id });
  await review(sql, {
    campaignId,
    firstName: "Bruno",
    lastName: "Petit",
    email: "bruno@exemple.fr",
    rating: 2,
  });
  return shop;
}

/** Fills the month of an organisation on the free trial: a hundred spins. */
export async function useUpSpins(sql: Sql, orgId: string): Promise<void> {
  await sql`select private.count_event(c.org_id, c.id, c.store_id, private.now_in('Europe/Paris')::date, p_spins => 100)
    from public.campaigns c where c.org_id = ${orgId}`;
}

/** Has a shop's first scan more than a year ago, so that each of the last 12 months can be reported. */
export async function haveScannedForYears(sql: Sql, orgId: string): Promise<void> {
  await sql`select private.count_event(c.org_id, c.id, c.store_id, private.now_in('Europe/Paris')::date - 400, p_scans => 1)
    from public.campaigns c where c.org_id = ${orgId}`;
}
