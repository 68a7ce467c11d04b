import { describe, expect, it } from "vitest";
import { prizePicture } from "#domain/rules/prize-picture.ts";
import { campaignPage } from "#domain/schemas/campaign-page.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";

const database = setUpTestDatabase();

/** A campaign with a coffee that has a picture, a surprise that has none, and a segment that loses. */
async function opened() {
  const { sql } = database;
  const organization = await createOrganization(sql, {});
  const campaign = await createCampaign(sql, {
    orgId: organization.id,
    storeId: organization.storeId,
  });
  const coffee = await createReward(sql, campaign, { name: "Café", picture: "coffee" });
  const surprise = await createReward(sql, campaign, { name: "Surprise" });
  await drawWheel(sql, campaign, [
    { weight: 20, rewardId: coffee },
    { weight: 30, rewardId: surprise },
    { weight: 50 },
  ]);
  return { organization, campaign, coffee };
}

describe("a prize's picture", () => {
  it("is one of those that are drawn, or none", async () => {
    const { coffee } = await opened();
    for (const picture of [...prizePicture.options, null]) {
      await database.sql`update public.rewards set picture = ${picture} where id = ${coffee}`;
    }
    await expect(
      database.sql`update public.rewards set picture = 'car' where id = ${coffee}`,
    ).rejects.toMatchObject({ code: "23514", constraint_name: "rewards_picture_check" });
  });

  it("is public with the wheel, and with the prizes that are kept", async () => {
    const { campaign, coffee } = await opened();
    const [row] = await database.sql`
      select public.campaign_page(${campaign.slug}) as page,
        public.campaign_rules_page(${campaign.slug}) -> 'pictures' as pictures`;
    const { segments } = campaignPage.parse(row?.page);
    expect(segments.map(({ picture }) => picture)).toEqual(["coffee", undefined, undefined]);
    expect(row?.pictures).toEqual([{ id: coffee, picture: "coffee" }]);
  });

  it("goes with a copy, is a new version, and is no change of the rules", async () => {
    const { organization, campaign, coffee } = await opened();
    const rulesOf = () => database.sql`
      select c.rules_version, r.version from public.campaigns c join public.rewards r on r.campaign_id = c.id
      where r.id = ${coffee}`;
    const [before] = await rulesOf();
    await database.sql`update public.rewards set picture = 'drink' where id = ${coffee}`;
    expect([...(await rulesOf())]).toEqual([
      { rules_version: before?.rules_version, version: before?.version + 1 },
    ]);
    await database.as({ userId: organization.users.owner.id }, async (sql) => {
      await sql`select public.duplicate_campaign(${campaign.id}, 'Copie')`;
    });
    const copied = await database.sql`
      select r.name, r.picture from public.rewards r join public.campaigns c on c.id = r.campaign_id
      where c.org_id = ${organization.id} and c.name = 'Copie' order by r.name`;
    expect([...copied]).toEqual([
      { name: "Café", picture: "drink" },
      { name: "Surprise", picture: null },
    ]);
  });
});
