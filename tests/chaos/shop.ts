import type { ISql } from "postgres";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { type SessionHeaders, signInHeaders } from "../harness/sessions.ts";

/** A shop that a crowd comes to, as it stood when it was opened. */
export type Shop = {
  organization: Organization;
  campaign: Campaign;
  /** Version of the campaign, which rises with each edit. */
  version: number;
  /** Stock of each reward whose stock is counted, by its identifier. */
  stocks: Readonly<Record<string, number>>;
};

/** Headers in the requests of a shop's people. */
export type Staff = Record<"cashier" | "owner", SessionHeaders>;

/** A shop with a wheel of every kind of prize. */
export async function openShop(sql: ISql): Promise<Shop> {
  const organization = await createOrganization(sql);
  const { id: orgId, storeId } = organization;
  const campaign = await createCampaign(sql, { orgId, storeId });
  const gift = await createReward(sql, campaign, { stock: 200 });
  const points = await createReward(sql, campaign, { type: "points", stock: 100_000 });
  const coupon = await createReward(sql, campaign, { type: "coupon" });
  await drawWheel(sql, campaign, [
    { weight: 30, rewardId: gift },
    { weight: 20, rewardId: points },
    { weight: 20, rewardId: coupon },
    { weight: 30 },
  ]);
  return takeStock(sql, organization, campaign);
}

/** A campaign as the shop of a crowd: what the rows say now is where its books begin. */
export async function takeStock(
  sql: ISql,
  organization: Organization,
  campaign: Campaign,
): Promise<Shop> {
  const [row] = await sql<{ version: number }[]>`
    select version from public.campaigns where id = ${campaign.id}`;
  const rewards = await sql<{ id: string; stock: number }[]>`
    select id, stock from public.rewards where campaign_id = ${campaign.id} and stock >= 0`;
  const stocks = Object.fromEntries(rewards.map(({ id, stock }) => [id, stock]));
  return { organization, campaign, version: row?.version ?? 0, stocks };
}

/** The people of a shop, signed in for an hour at the installation of a data folder. */
export async function openStaff({ users }: Organization, dataFolder: string): Promise<Staff> {
  const [cashier, owner] = await signInHeaders([users.cashier, users.owner], dataFolder);
  if (cashier === undefined || owner === undefined) throw new Error("Nobody is signed in.");
  return { cashier, owner };
}
