import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { newAddress, playOf, ratingOf } from "../database/support/calls.ts";
import { createTestDatabase } from "../harness/database.ts";
import { isDeep, rounds, SEED } from "../harness/depth.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { numbers } from "../harness/numbers.ts";
import { signInAt, startProgram, temporaryFolder } from "./program.ts";

/**
 * Connections are ended at random moments under load. No process ends of it, and whoever is answered is answered rightly, or
 * told that the database is not there.
 */

const CUTS = rounds({ quick: 10, deep: 500 });
const CLIENTS = 8;

/** Between two cuts there are at least so many answers, and a moment of up to so many milliseconds. */
const ANSWERS = 12;
const MOMENT_MS = 40;

type Call = { path: string; body?: unknown; headers?: Record<string, string>; right: number[] };

/** Call that a client may make, one kind after the other. */
function callOf(turn: number, campaign: Campaign, member: Record<string, string>): Call {
  const { apikey = "" } = member;
  const calls: Call[] = [
    { path: "/functions/v1/spin_wheel", body: playOf(campaign), right: [200] },
    { path: "/rest/v1/rpc/my_workspace", body: {}, headers: member, right: [200] },
    { path: `/c/${campaign.slug}/review`, right: [200] },
    { path: "/functions/v1/review_record", body: ratingOf(campaign), right: [200, 201] },
    { path: "/rest/v1/organizations?select=id,name", headers: member, right: [200] },
    { path: "/auth/v1/user", headers: member, right: [200] },
    { path: `/functions/v1/campaign?slug=${campaign.slug}`, right: [200] },
    { path: "/rest/v1/stores?select=id,campaigns(id)", headers: member, right: [200] },
    {
      path: "/auth/v1/token?grant_type=refresh_token",
      body: { refresh_token: "personne" },
      headers: { apikey },
      right: [400],
    },
  ];
  const call = calls[turn % calls.length];
  if (call === undefined) throw new Error("no call");
  return call;
}

it(`survives ${CUTS} cuts under load, and answers rightly or not at all`, {
  timeout: isDeep ? 1_200_000 : 120_000,
}, async () => {
  const random = numbers(SEED);
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const organization = await createOrganization(database.sql);
  const { id: orgId, storeId } = organization;
  const campaign = await createCampaign(database.sql, { orgId, storeId });
  await drawWheel(database.sql, campaign, [
    { weight: 100, rewardId: await createReward(database.sql, campaign, { type: "coupon" }) },
  ]);
  const folder = await temporaryFolder();
  const program = startProgram({
    env: { DATABASE_URL: database.url, TOURNAVIS_DATA: folder, TRUST_PROXY: "1" },
    argv: ["--no-demo"],
  });
  const at = await program.url;
  const member = await signInAt(at, organization.users.owner);

  let isOver = false;
  let answers = 0;
  const wrong: string[] = [];
  const told: string[] = [];
  const counts = new Map<string, number>();
  const client = async (place: number) => {
    for (let turn = place; !isOver; turn++) {
      const { path, body, headers, right } = callOf(turn, campaign, member);
      const response = await fetch(at + path, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          "x-forwarded-for": newAddress(),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const { status } = response;
      const isRight = right.includes(status);
      const isHonest = status === 503 && response.headers.get("retry-after") !== null;
      if (!isRight && !isHonest) wrong.push(`${path} ${status} ${text.slice(0, 200)}`);
      const kind = isRight ? "right" : String(status);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (isRight && path.endsWith("/spin_wheel")) told.push(text);
      answers += 1;
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, place) => client(place)));
  // A client fails when nobody is there any more.
  const isGone = Promise.race([clients, program.ended]);
  isGone.catch(() => undefined);

  for (let cut = 0; cut < CUTS && wrong.length === 0; cut++) {
    const until = answers + ANSWERS;
    while (answers < until) await Promise.race([pause(1), isGone]);
    await pause(random() * MOMENT_MS);
    // All of them, or some.
    const share = random() < 0.5 ? 1 : random();
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'tournavis%'
        and (${share}::double precision = 1 or random() < ${share})`;
  }
  isOver = true;
  await clients;
  expect(wrong).toEqual([]);
  expect(program.complaint()).toBe("");
  expect(program.output()).not.toContain("crashed");
  // The last cut may have met the connection that looks after the database.
  await expect.poll(async () => (await fetch(`${at}/readyz`)).status).toBe(200);
  process.stdout.write(`${CUTS} cuts: ${JSON.stringify(Object.fromEntries(counts))}\n`);

  // Every answered spin is stored.
  const kept = await database.sql<{ result: string }[]>`select result::text from public.spins`;
  const known = new Set(kept.map(({ result }) => result));
  expect(told.filter((result) => !known.has(result))).toEqual([]);
  expect(told.length).toBeGreaterThan(0);
});
