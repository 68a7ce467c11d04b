import { expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { type KindResult, playMonth } from "../harness/simulated-month.ts";

/**
 * Measurement of `npm run bench:checks`, which runs over months, over eight days of a small shop:
 * cheats are marked, and honest customers are not.
 */

const database = setUpTestDatabase();

it("marks the prizes of cheats, and those of honest customers hardly ever", {
  timeout: 240_000,
}, async () => {
  const { sql } = database;
  const ours = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  // Every turn wins, so that the draw decides nothing here.
  const rewardId = await createReward(sql, campaign);
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  const month = { seed: 7, days: 8, customersADay: 20, cheats: 2, isWatched: true };
  const results = await playMonth(sql, { ours, campaign }, month);

  const of = (kinds: readonly KindResult["kind"][]) => {
    const some = results.filter(({ kind }) => kinds.includes(kind));
    const sum = (part: (result: KindResult) => number) =>
      some.reduce((total, result) => total + part(result), 0);
    return {
      share: sum(({ marked }) => marked) / sum(({ prizes }) => prizes),
      unseen: sum(({ episodes }) => episodes) - sum(({ seen }) => seen),
    };
  };
  // A cheat who takes five minutes for each private window stays below the threshold of marking.
  expect(of(["burst"])).toEqual({ share: 1, unseen: 0 });
  expect(of(["disposable", "night"]).unseen).toBe(0);
  expect(of(["burst", "windows", "disposable", "night"]).share).toBeGreaterThan(0.65);
  // A phone that is lent at the counter is reported once, until somebody has looked.
  expect(of(["passer-by", "shop Wi-Fi", "family"]).share).toBeLessThan(0.01);
  expect(of(["passer-by", "shop Wi-Fi", "family", "counter phone", "group"]).share).toBeLessThan(
    0.05,
  );
});
