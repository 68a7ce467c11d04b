import { randomUUID } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
import { prepareDatabase } from "../../server/postgres/prepare-database.ts";
import { openShop } from "../chaos/shop.ts";
import { newAddress, playOf, ratingOf } from "../database/support/calls.ts";
import { createTestDatabase } from "../harness/database.ts";
import { startBalancer } from "./balancer.ts";
import { signInAt, startProgram, temporaryFolder } from "./program.ts";

/**
 * Three servers behind a balancer are replaced one after the other under load, and the schema is changed under them: whoever asks
 * twice is answered.
 */

const SERVERS = 3;
const CLIENTS = 8;

/** Answers between two steps. */
const ANSWERS = 100;

const MIGRATIONS = new URL("../../supabase/migrations/", import.meta.url);

/** Migration that locks everybody's tables, one after the other. */
const LATER = ["campaigns", "rewards", "spins", "stores", "redemptions", "organizations"]
  .map((table) => `alter table public.${table} add column later text;`)
  .join("\n");

type Call = { path: string; body?: unknown; headers?: Record<string, string>; method?: string };

/** The folder of the next version's migrations. */
async function laterMigrations(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), "tournavis-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(fileURLToPath(MIGRATIONS), folder, { recursive: true });
  await writeFile(join(folder, "29990101000000_later.sql"), LATER);
  return pathToFileURL(`${folder}/`);
}

it("answers everybody who asks twice, while three servers are replaced and the schema changes", {
  timeout: 600_000,
}, async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { organization, campaign } = await openShop(database.sql);
  const folder = await temporaryFolder();
  const start = async () => {
    const program = startProgram({
      env: { DATABASE_URL: database.url, TOURNAVIS_DATA: folder, TRUST_PROXY: "1" },
      argv: ["--no-demo"],
    });
    return { ...program, at: await program.url };
  };
  const balancer = await startBalancer();
  onTestFinished(() => balancer.close());
  const programs = [];
  for (let n = 0; n < SERVERS; n++) {
    const program = await start();
    balancer.add(program.at);
    programs.push(program);
  }
  const owner = await signInAt(balancer.url, organization.users.owner);
  const { authorization } = await signInAt(balancer.url, organization.users.cashier);

  let isOver = false;
  let answers = 0;
  let seconds = 0;
  const failed: string[] = [];
  const told: string[] = [];
  const once = async ({ path, body, headers, method }: Call) => {
    const response = await fetch(balancer.url + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        "x-forwarded-for": newAddress(),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const lost = { status: 0, text: "no answer" };
  const ask = async (call: Call) => {
    let answer = await once(call).catch(() => lost);
    if (answer.status === 0 || answer.status >= 500) {
      seconds += 1;
      answer = await once(call).catch(() => lost);
    }
    if (answer.status === 0 || answer.status >= 400) {
      failed.push(`${call.path} ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    answers += 1;
    return answer;
  };
  const row = { name: "Magasin du coin" };
  const turns: (() => Promise<unknown>)[] = [
    () => ask({ path: `/c/${campaign.slug}/review` }),
    () => ask({ path: "/functions/v1/review_record", body: ratingOf(campaign) }),
    () => ask({ path: "/rest/v1/rpc/my_workspace", body: {}, headers: owner }),
    () => ask({ path: "/rest/v1/stores?select=*", headers: owner }),
    () => ask({ path: "/auth/v1/user", headers: owner }),
    () =>
      ask({
        path: `/rest/v1/stores?id=eq.${organization.storeId}`,
        method: "PATCH",
        body: row,
        headers: owner,
      }),
    async () => {
      const { status, text } = await ask({
        path: "/functions/v1/spin_wheel",
        body: playOf(campaign),
      });
      if (status !== 200) return;
      told.push(text);
      const { redemption_code: code } = spinResult.parse(JSON.parse(text));
      if (code === null || told.length % 5 > 0) return;
      const body = { code, store_id: organization.storeId, request_id: randomUUID() };
      await ask({ path: "/functions/v1/redeem", body, headers: { authorization } });
    },
  ];
  const client = async (place: number) => {
    for (let turn = place; !isOver && failed.length === 0; turn++) {
      await turns[turn % turns.length]?.();
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, place) => client(place)));
  const moreAnswers = async () => {
    const until = answers + ANSWERS;
    await expect
      .poll(() => answers >= until || failed.length > 0, { timeout: 60_000, interval: 5 })
      .toBe(true);
  };

  await moreAnswers();
  for (const program of programs) {
    // Nobody tells the balancer beforehand.
    program.signal("SIGTERM");
    expect((await program.ended).code).toBe(0);
    balancer.remove(program.at);
    balancer.add((await start()).at);
    await moreAnswers();
  }
  const repeatedBefore = seconds;
  await prepareDatabase(database.url, { migrations: await laterMigrations() });
  await moreAnswers();
  isOver = true;
  await clients;
  expect(failed.join("\n")).toBe("");
  process.stdout.write(
    `${answers} answers, asked twice: ${repeatedBefore} in restarts, ${seconds - repeatedBefore} in the migration\n`,
  );
  const columns = await database.sql`
    select from information_schema.columns where table_schema = 'public' and column_name = 'later'`;
  expect(columns).toHaveLength(6);
  const kept = await database.sql<{ result: string }[]>`select result::text from public.spins`;
  const known = new Set(kept.map(({ result }) => result));
  expect(told.filter((result) => !known.has(result))).toEqual([]);
});
