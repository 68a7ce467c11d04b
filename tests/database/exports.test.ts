import { afterAll, expect, it } from "vitest";
import { callsDuring } from "../harness/calls-during.ts";
import { createTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createStore,
} from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";

/** Exported lists, of which each row is one of a hundred thousand. */

const database = await createTestDatabase();
const { sql } = database;

afterAll(() => database.drop());

const EXPORTS = {
  customers: "export_customers($1, '{}')",
  codes: "export_redemptions($1, '{}', true)",
  reviews: "export_reviews($1, $2, '{}', true)",
} as const;

it.each(Object.entries(EXPORTS))(
  "%s are dated without looking for the clock of each",
  async (name, call) => {
    const shop = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    const rewardId = await createReward(sql, campaign);
    for (let count = 0; count < 3; count += 1) await review(sql, { campaignId: campaign.id });
    await sql`
    insert into public.redemptions (org_id, campaign_id, store_id, reward_id, code, reward_name)
    select ${shop.id}, ${campaign.id}, ${shop.storeId}, ${rewardId}, 'MERCI-' || n, 'Café offert' from generate_series(1, 3) n`;
    const values = name === "reviews" ? [shop.id, shop.users.owner.id] : [shop.id];
    await sql.begin(async (transaction) => {
      const calls = await callsDuring(transaction, ["timezone_of"], async () => {
        const rows = await transaction.unsafe(`select * from public.${call}`, values);
        expect(rows).toHaveLength(3);
      });
      expect(calls).toEqual({ timezone_of: 1 });
    });
  },
);

it("names the last day of a code as its store counts it", async () => {
  const shop = await createOrganization(sql);
  const storeId = await createStore(sql, { orgId: shop.id, timezone: "America/Martinique" });
  const campaign = await createCampaign(sql, { orgId: shop.id, storeId });
  const rewardId = await createReward(sql, campaign);
  await sql`
    insert into public.redemptions (org_id, campaign_id, store_id, reward_id, code, reward_name, expires_at)
    values (${shop.id}, ${campaign.id}, ${storeId}, ${rewardId}, 'MERCI-1', 'Café offert',
      private.day_end('2099-12-12', 'America/Martinique'))`;
  const rows = await sql`select expires_at from public.export_redemptions(${shop.id}, '{}', true)`;
  expect(rows).toEqual([{ expires_at: "12/12/2099 23:59" }]);
});
