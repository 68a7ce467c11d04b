import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { publicClick, redeem, review, scan, spin } from "../harness/journey.ts";

/**
 * Functions that lock the same rows lock them in one order, or two of them stop each other
 * (40P01). Connections meet rarely on one shard of a counter: here all of them do, all the time.
 */

const CONNECTIONS = 12;
const ROUNDS = 25;

let database: TestDatabase;
let crowd: postgres.Sql;
let organization: Organization;
let campaign: Campaign;

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await sql`
    create or replace function private.shard() returns smallint
    language sql stable parallel safe return 0::smallint`;
  organization = await createOrganization(sql);
  const { id: orgId, storeId } = organization;
  campaign = await createCampaign(sql, { orgId, storeId, playIntervalDays: 0 });
  const gift = await createReward(sql, campaign, { stock: 10_000 });
  const points = await createReward(sql, campaign, { type: "points" });
  await drawWheel(sql, campaign, [
    { weight: 80, rewardId: gift },
    { weight: 20, rewardId: points },
  ]);
  crowd = postgres(database.url, {
    max: CONNECTIONS,
    onnotice: () => {},
    connection: { deadlock_timeout: "20ms" },
  });
});

afterAll(async () => {
  await crowd.end();
  await database.drop();
});

it("no two things that happen at once stop each other", async () => {
  const campaignId = campaign.id;
  const { storeId } = organization;
  const userId = organization.users.cashier.id;
  // One person who does everything at once meets themselves on every row.
  const email = "presse@exemple.fr";
  const address = "one address";
  const first = await review(crowd, { campaignId, email });
  const codes: string[] = [];
  const act = async (turn: number): Promise<void> => {
    switch (turn % 5) {
      case 0:
        await scan(crowd, { slug: campaign.slug });
        return;
      case 1:
        await review(crowd, { campaignId, email, address });
        return;
      case 2:
        await publicClick(crowd, { reviewId: first.review_id, campaignId });
        return;
      case 3: {
        const { body } = await spin(crowd, { campaignId, email, address });
        const code = /"redemption_code" : "([^"]+)"/.exec(body ?? "")?.[1];
        if (code !== undefined) codes.push(code);
        return;
      }
      default: {
        const code = codes.pop();
        if (code !== undefined) await redeem(crowd, { userId, code, storeId });
      }
    }
  };
  const refusals: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, place) =>
        act(round + place).catch((error: unknown) => {
          if (!(error instanceof postgres.PostgresError)) throw error;
          refusals.push(error.code);
        }),
      ),
    );
  }
  expect(refusals).toEqual([]);
});
