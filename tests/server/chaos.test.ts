import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { judge, judgeSnapshot } from "../chaos/books.ts";
import { Crowd } from "../chaos/crowd.ts";
import { type Finding, KINDS, type Kind } from "../chaos/finding.ts";
import { BLOWS, CUTS, schedule } from "../chaos/schedule.ts";
import { openStaff, type Shop, takeStock } from "../chaos/shop.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** The judge of `npm run chaos` notices what was lost, what is there twice and books that do not agree. */

const ANSWERS = 60;

let server: TestServer;
let shop: Shop;
let crowd: Crowd;

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  const organization = await createOrganization(sql);
  const { id: orgId, storeId } = organization;
  const campaign = await createCampaign(sql, { orgId, storeId });
  // Everybody wins, and every code is used.
  await drawWheel(sql, campaign, [
    { weight: 100, rewardId: await createReward(sql, campaign, { stock: 10_000 }) },
  ]);
  shop = await takeStock(sql, organization, campaign);
  const staff = await openStaff(organization, inject("database").dataFolder);
  crowd = new Crowd(shop, staff, { codesAUse: 1 });
  const playing = crowd.play(server.url);
  await Promise.race([crowd.answers(ANSWERS), playing]);
  crowd.stop();
  await playing;
  await crowd.askAgain(server.url);
  // From now on the books are the test's alone.
  await server.running.stop();
});
afterAll(() => server.stop());

/** Findings after an administrator has changed rows, past triggers and foreign keys. */
async function findingsAfter(harm: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const undo = new Error("undo");
  const harmed = server.database.sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    const { count } = await transaction.unsafe(harm);
    expect(count).toBe(1);
    findings.push(...(await judgeSnapshot(transaction, shop, crowd.asked)));
    throw undo;
  });
  await expect(harmed).rejects.toBe(undo);
  return findings;
}

it("finds nothing where nothing is wrong", async () => {
  expect([...crowd.findings, ...(await judge(server.database.sql, shop, crowd.asked))]).toEqual([]);
  // There was something of each kind to find fault with.
  const kinds = crowd.asked.flatMap(({ kind, answer }) => (answer === null ? [] : kind));
  expect(KINDS.filter((kind) => !kinds.includes(kind))).toEqual([]);
});

/** Statement that harms one row of each kind. */
const LOSSES: Readonly<Record<Kind, string>> = {
  review: `delete from public.pre_spin_reviews
    where visit_id = (select min(visit_id::text)::uuid from public.pre_spin_reviews)`,
  spin: `delete from public.spins where id = (select min(id::text)::uuid from public.spins)`,
  redemption: `delete from public.redemption_events
    where id = (select min(id::text)::uuid from public.redemption_events)`,
  edit: `delete from public.audit_events where id = (
    select min(id::text)::uuid from public.audit_events where detail ? 'former_name')`,
};
const DOUBLES: Readonly<Record<Kind, string>> = {
  review: `insert into public.pre_spin_reviews (org_id, campaign_id, store_id, customer_id, visit_id, rating)
    select org_id, campaign_id, store_id, customer_id, gen_random_uuid(), rating from public.pre_spin_reviews limit 1`,
  spin: `insert into public.spins (org_id, campaign_id, store_id, customer_id, play_id, segment_id, reward_id,
      result_type, nonce, rules_version, result)
    select org_id, campaign_id, store_id, customer_id, gen_random_uuid(), segment_id, reward_id,
      result_type, nonce, rules_version, result from public.spins limit 1`,
  redemption: `insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id, request_id)
    select org_id, redemption_id, action, user_id, store_id, request_id from public.redemption_events limit 1`,
  edit: `insert into public.audit_events (org_id, user_id, action, subject_type, subject_id, detail)
    select org_id, user_id, action, subject_type, subject_id, detail from public.audit_events
    where detail ? 'former_name' limit 1`,
};

it.each(KINDS)("notices a loss and a doubling: %s", async (kind) => {
  const rulesOf = (findings: readonly Finding[]) =>
    findings.flatMap((one) => (one.kind === kind ? one.rule : []));
  expect(rulesOf(await findingsAfter(LOSSES[kind]))).toEqual(["lost"]);
  expect(rulesOf(await findingsAfter(DOUBLES[kind]))).toEqual(["doubled"]);
});

it.each([
  ["stocks and wins", "update public.rewards set stock = stock + 1"],
  ["version and edits", "update public.campaigns set version = version + 1"],
  [
    "days and events",
    `update public.campaign_daily_stats set spins = spins + 1
      where ctid = (select min(ctid) from public.campaign_daily_stats)`,
  ],
  [
    "totals and events",
    `insert into private.recent_figures (org_id, reward_id, wins)
      select org_id, id, 1 from public.rewards`,
  ],
])("notices that %s do not agree", async (rule, harm) => {
  const findings = await findingsAfter(harm);
  expect(findings.map(({ detail }) => detail.split(":")[0])).toEqual([rule]);
});

it("strikes everything in turn, the same for the same seed", () => {
  const plan = schedule(7, 100);
  expect(plan).toEqual(schedule(7, 100));
  expect(plan).not.toEqual(schedule(8, 100));
  for (const what of BLOWS) expect(plan.filter(({ kill }) => kill.what === what)).toHaveLength(20);
  for (const what of CUTS) expect(plan.some(({ cut }) => cut?.what === what)).toBe(true);
  expect(plan.some(({ againMs }) => againMs !== null)).toBe(true);
});
