import { expect, it, onTestFinished } from "vitest";
import { errorCopy } from "#domain/errors/errors.copy.ts";
import { playOf } from "../database/support/calls.ts";
import { createTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { layLine } from "../harness/line.ts";
import { says, signInAt, startProgram, temporaryFolder } from "./program.ts";

/** The product on a database at the other end of a line, and a member who is signed in. */
async function startOnLine() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const organization = await createOrganization(database.sql);
  const { id: orgId, storeId } = organization;
  const campaign = await createCampaign(database.sql, { orgId, storeId });
  await drawWheel(database.sql, campaign, [
    { weight: 100, rewardId: await createReward(database.sql, campaign, { type: "coupon" }) },
  ]);
  const line = await layLine(database.url);
  onTestFinished(() => line.end());
  const folder = await temporaryFolder();
  const program = startProgram({
    env: { DATABASE_URL: line.url, TOURNAVIS_DATA: folder },
    argv: ["--no-demo"],
  });
  const at = await program.url;
  const member = await signInAt(at, organization.users.owner);
  return { database, line, program, at, campaign, calls: callsOf(campaign, member) };
}

type Call = { path: string; body?: unknown; headers?: Record<string, string> };

/** One request of each service; each asks the database. */
function callsOf(campaign: Campaign, member: { apikey: string; authorization: string }) {
  return {
    page: { path: `/c/${campaign.slug}/review`, headers: { accept: "text/html" } },
    reading: { path: `/functions/v1/campaign?slug=${campaign.slug}` },
    spin: { path: "/functions/v1/spin_wheel", body: playOf(campaign) },
    rows: { path: "/rest/v1/organizations?select=id", headers: member },
    call: { path: "/rest/v1/rpc/my_workspace", body: {}, headers: member },
    sign_in: {
      path: "/auth/v1/token?grant_type=password",
      body: { email: "personne@exemple.fr", password: "mot-de-passe-inconnu" },
      headers: { apikey: member.apikey },
    },
    user: { path: "/auth/v1/user", headers: member },
    logo: {
      path: `/storage/v1/object/public/logos/${campaign.orgId}/${"0".repeat(32)}.webp`,
    },
    broadcast: {
      path: "/realtime/v1/api/broadcast",
      body: {
        messages: [{ topic: `organization:${campaign.orgId}`, event: "essai", payload: {} }],
      },
      headers: member,
    },
    ready: { path: "/readyz" },
  } satisfies Record<string, Call>;
}

async function ask(at: string, { path, body, headers }: Call) {
  const response = await fetch(at + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: "manual",
  });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get("retry-after"), text };
}

/** The statuses of all calls, by their names. */
async function statuses(at: string, calls: Record<string, Call>): Promise<Record<string, number>> {
  const asked = Object.entries(calls).map(async ([name, call]) => {
    return [name, (await ask(at, call)).status] as const;
  });
  return Object.fromEntries(await Promise.all(asked));
}

/** Writes how long something took: a bound would be one of the machine's. */
function tell(what: string, from: number, since: string): void {
  const seconds = ((performance.now() - from) / 1_000).toFixed(2);
  process.stdout.write(`${what} ${seconds} s ${since}.\n`);
}

/** Statuses of these calls while everything is well. */
const WELL = {
  page: 200,
  reading: 200,
  spin: 200,
  rows: 200,
  call: 200,
  sign_in: 400,
  user: 200,
  logo: 404,
  // Nobody but the database sends to an organisation's channel.
  broadcast: 403,
  ready: 200,
};

it("says 503 on every route while the database is away, in the words of each, and is back with it", async () => {
  const { line, program, at, calls } = await startOnLine();
  expect(await statuses(at, calls)).toEqual(WELL);

  // Data read less than a second ago is answered from memory: hence another page, and another file.
  const unread = {
    ...calls,
    page: { ...calls.page, path: "/c/aucune/review" },
    logo: { path: calls.logo.path.replace("0".repeat(32), "1".repeat(32)) },
  };
  const closedAt = performance.now();
  await line.close();
  await Promise.all(
    Object.values(unread).map(async (call) => {
      while ((await ask(at, call)).status !== 503);
    }),
  );
  tell("Every route said 503", closedAt, "after the database went");
  await says(program, "database_away");
  const answers = new Map<string, Awaited<ReturnType<typeof ask>>>();
  for (const [name, call] of Object.entries(unread)) answers.set(name, await ask(at, call));
  expect(Object.fromEntries([...answers].map(([name, { status }]) => [name, status]))).toEqual(
    Object.fromEntries(Object.keys(WELL).map((name) => [name, 503])),
  );
  for (const [name, { retryAfter }] of answers) expect([name, retryAfter]).toEqual([name, "2"]);
  const body = (name: string): unknown => JSON.parse(answers.get(name)?.text ?? "");
  const words = { code: "service_unavailable", message: errorCopy.service_unavailable };
  expect(body("reading")).toEqual({ error: words });
  expect(body("spin")).toEqual({ error: words });
  expect(body("rows")).toMatchObject({ code: "PGRST001", details: null, hint: null });
  expect(body("call")).toMatchObject({ code: "PGRST001" });
  expect(body("user")).toMatchObject({ code: 503, error_code: "service_unavailable" });
  expect(body("sign_in")).toMatchObject({ code: 503, error_code: "service_unavailable" });
  expect(body("broadcast")).toMatchObject({ code: "service_unavailable" });
  expect(body("logo")).toMatchObject({ statusCode: "503" });
  expect(answers.get("page")?.text).toContain('lang="fr"');
  expect(answers.get("ready")?.text).toBe("database unavailable\n");
  // A route that needs no database answers all the same.
  for (const path of ["/", "/auth", "/healthz", "/config.json"]) {
    expect([path, (await ask(at, { path })).status]).toEqual([path, 200]);
  }

  const openedAt = performance.now();
  await line.open();
  await Promise.all(
    Object.values(calls).map(async (call) => {
      while ((await ask(at, call)).status === 503);
    }),
  );
  tell("Every route was back", openedAt, "after the database");
  await says(program, "database_back");
  expect(await statuses(at, calls)).toEqual(WELL);
  // Said once, not by each request.
  const errors = program
    .output()
    .split("\n")
    .filter((text) => text.includes("  ! "));
  expect(errors).toEqual([expect.stringContaining("database_away")]);
  expect(program.complaint()).toBe("");
});

it("ends what waits for a database that has fallen silent, and does nothing twice", async () => {
  const { database, line, program, at, calls, campaign } = await startOnLine();
  expect(await statuses(at, calls)).toEqual(WELL);
  const [before] = await database.sql`select count(*)::integer as spins from public.spins`;

  line.hold();
  const play = { path: calls.spin.path, body: playOf(campaign) };
  const heldAt = performance.now();
  const held = await Promise.all([ask(at, calls.reading), ask(at, calls.rows), ask(at, play)]);
  tell("What waited was told 503", heldAt, "after the database fell silent");
  expect(held.map(({ status }) => status)).toEqual([503, 503, 503]);
  await says(program, "database_away");
  expect((await ask(at, calls.ready)).status).toBe(503);

  await line.open();
  await says(program, "database_back");
  expect((await ask(at, play)).status).toBe(200);
  expect((await ask(at, play)).status).toBe(200);
  expect(await database.sql`select count(*)::integer as spins from public.spins`).toEqual([
    { spins: Number(before?.spins) + 1 },
  ]);
});

it("does a write of the data API once at most when its connection ends in the middle", async () => {
  const { database, line, at, calls, campaign } = await startOnLine();
  const { sql } = database;
  const name = "Coupée";
  const { id, storeId, orgId } = campaign;
  const reward = { org_id: orgId, campaign_id: id, name, type: "gift", metadata: { item: name } };
  const writes = [
    { method: "PATCH", path: `stores?id=eq.${storeId}`, row: { name } },
    { method: "POST", path: "rewards", row: reward },
  ];
  const waiting = () => sql`
    select from pg_stat_activity
    where application_name = 'tournavis api' and datname = current_database() and wait_event_type = 'Lock'`;

  for (const { method, path, row } of writes) {
    // A writer waits for this lock, with the whole request already sent.
    const lock = await sql.reserve();
    await lock`begin`;
    await lock`lock public.stores, public.rewards in share row exclusive mode`;
    const asked = fetch(`${at}/rest/v1/${path}`, {
      method,
      headers: { ...calls.rows.headers, "content-type": "application/json" },
      body: JSON.stringify(row),
    });
    await expect.poll(waiting).toHaveLength(1);
    line.cut();
    const answer = await asked;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    await lock`commit`;
    lock.release();
    await expect.poll(waiting).toHaveLength(0);
    await expect.poll(async () => (await ask(at, calls.ready)).status).toBe(200);
    await expect.poll(async () => (await ask(at, calls.rows)).status).toBe(200);
    // Nothing of it is left on a connection: who asks next hears of what is theirs.
    expect(JSON.parse((await ask(at, calls.rows)).text)).toEqual([{ id: orgId }]);
  }
  const [store] = await sql`select version from public.stores where id = ${storeId}`;
  expect(store?.version).toBeLessThanOrEqual(2);
  expect((await sql`select from public.rewards where name = ${name}`).length).toBeLessThan(2);
});
