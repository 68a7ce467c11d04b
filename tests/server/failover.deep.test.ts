import { createClient } from "@supabase/supabase-js";
import type { Sql } from "postgres";
import { expect, it, onTestFinished } from "vitest";
import ws from "ws";
import { judge } from "../chaos/books.ts";
import { Crowd } from "../chaos/crowd.ts";
import { openShop, openStaff } from "../chaos/shop.ts";
import { newAddress, playOf } from "../database/support/calls.ts";
import type { Organization } from "../harness/fixtures.ts";
import { type Host, makePair, needDebianPostgres } from "./debian-postgres.ts";
import { says, signInAt, startProgram, temporaryFolder } from "./program.ts";

/**
 * The primary of a synchronous standby is killed under load, and the standby is promoted: what customers were told is there,
 * and the server finds it by itself.
 */

const ROUNDS = 3;

// The platform's client asks for WebSocket, which Node 20 has not.
if (!("WebSocket" in globalThis)) Object.assign(globalThis, { WebSocket: ws });

/** The kill comes after so many answers of a round. */
const ANSWERS = 60;

/** Longest time from the promotion until a turn of the wheel is answered again. */
const BACK_MS = 10_000;

/** Listeners of the server, by their statements. */
const EARS = ['listen "tournavis_outbox"', 'listen "tournavis_realtime"'] as const;

async function ears(sql: Sql): Promise<string[]> {
  const rows = await sql<{ query: string }[]>`
    select query from pg_stat_activity where query = any (${[...EARS]}::text[]) order by query`;
  return rows.map(({ query }) => query);
}

/** Turns a wheel, and answers the status. */
async function turn(at: string, campaign: { id: string }): Promise<number> {
  const response = await fetch(`${at}/functions/v1/spin_wheel`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": newAddress() },
    body: JSON.stringify(playOf(campaign)),
  });
  await response.text();
  return response.status;
}

/** Changes that an open screen receives, with the platform's client. */
async function hearChanges(at: string, organization: Organization): Promise<unknown[]> {
  const { apikey, authorization } = await signInAt(at, organization.users.owner);
  const client = createClient(at, apikey);
  onTestFinished(async () => void (await client.removeAllChannels()));
  await client.realtime.setAuth(authorization.replace("Bearer ", ""));
  const heard: unknown[] = [];
  const channel = client.channel(`organization:${organization.id}:activity`, {
    config: { private: true },
  });
  channel.on("broadcast", { event: "change" }, (message) => heard.push(message));
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === "SUBSCRIBED") resolve();
      else reject(error ?? new Error(status));
    });
  });
  return heard;
}

it("loses nothing that it answered when the primary dies and its standby is promoted", {
  timeout: 600_000,
}, async ({ skip }) => {
  const programs = await needDebianPostgres(skip);
  const pair = await makePair(programs);
  let [primary, standby]: readonly [Host, Host] = pair.hosts;
  await pair.follow(standby, primary);

  const folder = await temporaryFolder();
  const env = { DATABASE_URL: pair.url, TOURNAVIS_DATA: folder, TRUST_PROXY: "1" };
  const program = startProgram({ env, argv: ["--no-demo"] });
  const at = await program.url;
  const shop = await openShop(pair.open(primary));
  const { organization } = shop;
  const { campaign: elsewhere } = await openShop(pair.open(primary));
  const crowd = new Crowd(shop, await openStaff(organization, folder));
  const expectBooks = async (sql: Sql) => {
    expect([...crowd.findings, ...(await judge(sql, shop, crowd.asked))]).toEqual([]);
  };
  const heard = await hearChanges(at, organization);

  const figures: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const from = crowd.asked.length;
    const playing = crowd.play(at);
    await Promise.race([crowd.answers(ANSWERS), playing]);
    const waiting = crowd.stop();
    await primary.kill();
    await playing;
    const answered = crowd.asked.filter(({ answer }) => answer !== null).length;
    await says(program, "database_away", round);
    expect((await fetch(`${at}/readyz`)).status).toBe(503);
    const promoted = performance.now();
    await pair.promote(standby);
    await expect.poll(() => turn(at, elsewhere), { timeout: BACK_MS, interval: 20 }).toBe(200);
    const seconds = ((performance.now() - promoted) / 1_000).toFixed(2);
    figures.push(`${waiting} in flight, ${answered} answered, back ${seconds} s after promotion`);

    const sql = pair.open(standby);
    await expectBooks(sql);
    await crowd.askAgain(at, from);
    await expectBooks(sql);
    // New rows reach open screens from now on, and wake the outbox.
    await expect.poll(() => ears(sql), { timeout: BACK_MS }).toEqual([...EARS]);
    heard.length = 0;
    // (The platform's client comes back by itself, in its own time: it waits for up to ten seconds between two attempts.)
    await expect
      .poll(() => crowd.spin(at).then(() => heard.length), { timeout: 60_000 })
      .toBeGreaterThan(0);
    [primary, standby] = [standby, primary];
    await pair.follow(standby, primary);
  }
  process.stdout.write(`${figures.join("\n")}\n`);
  expect(program.complaint()).toBe("");
});

it("does not follow a primary that was left and has come back", { timeout: 300_000 }, async ({
  skip,
}) => {
  const programs = await needDebianPostgres(skip);
  const pair = await makePair(programs);
  const [first, second] = pair.hosts;
  const folder = await temporaryFolder();
  const env = { DATABASE_URL: pair.url, TOURNAVIS_DATA: folder, TRUST_PROXY: "1" };
  const before = startProgram({ env, argv: ["--no-demo"] });
  await before.url;
  const { campaign } = await openShop(pair.open(first));
  expect(await turn(await before.url, campaign)).toBe(200);
  await pair.follow(second, first);
  await first.kill();
  await pair.promote(second);
  await says(before, "database_back");

  // Nobody told it that it is no primary any more, and it waits for no standby.
  await first.start({ synchronous_standby_names: "" });
  const after = startProgram({ env, argv: ["--no-demo"] });
  expect(await turn(await after.url, campaign)).toBe(200);
  expect(await turn(await before.url, campaign)).toBe(200);
  const spins = (host: Host) =>
    pair.open(host)`select count(*)::integer as spins from public.spins`;
  expect(await spins(first)).toEqual([{ spins: 1 }]);
  expect(await spins(second)).toEqual([{ spins: 3 }]);

  // It is not taken for want of a better one either.
  await second.kill();
  await says(before, "database_away", 2);
  const looked = () =>
    pair.open(
      first,
    )`select from pg_stat_activity where application_name = 'tournavis watch' limit 1`;
  await expect.poll(looked).toHaveLength(1);
  expect(await turn(await before.url, campaign)).toBe(503);
  expect(await spins(first)).toEqual([{ spins: 1 }]);
});
