import postgres from "postgres";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { serviceStatus } from "#domain/schemas/service-status.ts";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import { handler } from "../../supabase/functions/status/handler.ts";
import { setUpTestDatabase } from "../harness/database.ts";

/** `GET status`: what it says of the service, that it is asked once for many, and that it says nothing else. */

const NOW = new Date("2026-11-23T10:00:00Z");

const database = setUpTestDatabase();
beforeAll(async () => {
  await database.sql`update private.jobs set next_run_at = now() + interval '1 hour', last_run_at = now()`;
});

function depsOf(sql: Deps["sql"], now: () => Date): Deps {
  return {
    sql,
    now,
    verifyAccessToken: async () => null,
    signApiToken: null,
    keyedHash: (_, value) => value,
    clientAddress: () => "192.0.2.1",
    payments: null,
    logos: null,
    log: () => undefined,
  };
}

async function ask(deps: Deps) {
  const response = await handler(new Request("https://exemple.fr/functions/v1/status"), deps);
  const text = await response.text();
  return { response, text, status: serviceStatus.parse(JSON.parse(text)) };
}

/** Asks a process that has answered nobody yet. */
async function askAnew() {
  const sql = postgres(database.url, { max: 1 });
  onTestFinished(() => sql.end());
  return ask(depsOf(sql, () => NOW));
}

const stateOf = ({ status }: Awaited<ReturnType<typeof ask>>, name: string) =>
  status.parts.find((part) => part.name === name)?.state;

test("all is well where nothing waits", async () => {
  const answer = await askAnew();
  expect(answer.response.status).toBe(200);
  expect(answer.response.headers.get("cache-control")).toBe("public, max-age=5");
  expect(answer.status.state).toBe("operational");
  expect(answer.status.parts.map(({ name }) => name)).toEqual([
    "pages",
    "api",
    "database",
    "mail",
    "jobs",
  ]);
});

test.each([
  ["mail", "20 minutes", "degraded"],
  ["mail", "2 hours", "down"],
  ["jobs", "20 minutes", "degraded"],
  ["jobs", "2 hours", "down"],
])("%s that stands still for %s is %s, and the service slowed", async (name, age, state) => {
  const { sql } = database;
  if (name === "jobs") {
    await sql`update private.jobs set next_run_at = now() - ${age}::interval where name = 'sweep_outbox'`;
  } else {
    const [row] = await sql<{ id: string }[]>`
      select private.enqueue_mail('prize', 'secret@exemple.fr', '{"name": "Ana"}') as id`;
    await sql`
      update private.outbox set attempts = 2, next_attempt_at = now() + interval '10 minutes',
        created_at = now() - ${age}::interval where id = ${row?.id ?? ""}`;
  }
  onTestFinished(async () => {
    await sql`delete from private.outbox`;
    await sql`update private.jobs set next_run_at = now() + interval '1 hour'`;
  });
  const answer = await askAnew();
  expect([stateOf(answer, name), answer.status.state]).toEqual([state, "degraded"]);
  // Nobody's address and no name of a job.
  expect(answer.text).not.toMatch(/@|Ana|sweep|outbox|prize/);
});

test("a message that waits on purpose is no sign of trouble", async () => {
  const { sql } = database;
  await sql`
    select private.enqueue_mail('low_rating', 'a@exemple.fr', '{}', now() + interval '1 day', now() + interval '2 hours')`;
  await sql`update private.outbox set created_at = now() - interval '2 hours'`;
  onTestFinished(() => sql`delete from private.outbox`.then(() => undefined));
  expect(stateOf(await askAnew(), "mail")).toBe("operational");
});

test("a thousand who ask at once are one question, and five seconds later it is asked anew", async () => {
  const asked: string[] = [];
  const sql = postgres(database.url, { max: 2, debug: (_, query) => asked.push(query) });
  onTestFinished(() => sql.end());
  let now = NOW;
  const deps = depsOf(sql, () => now);
  const questions = () => asked.filter((query) => query.includes("service_status")).length;
  await Promise.all(Array.from({ length: 1000 }, () => ask(deps)));
  expect(questions()).toBe(1);
  now = new Date(now.getTime() + 4_999);
  await ask(deps);
  expect(questions()).toBe(1);
  now = new Date(now.getTime() + 1);
  await ask(deps);
  expect(questions()).toBe(2);
});

test("without its database the service says so, and guesses nothing of the rest", async () => {
  const sql = postgres("postgres://nobody@127.0.0.1:1/nothing", { max: 1, connect_timeout: 1 });
  onTestFinished(() => sql.end({ timeout: 0 }));
  const answer = await ask(depsOf(sql, () => NOW));
  expect(answer.response.status).toBe(200);
  expect(answer.status.state).toBe("down");
  expect(["database", "api", "mail", "jobs"].map((name) => stateOf(answer, name))).toEqual([
    "down",
    "down",
    "unknown",
    "unknown",
  ]);
});

test("the database tells it to the server alone", async () => {
  for (const caller of ["anon", { userId: "0197a1b2-c3d4-8abc-8def-0123456789ab" }] as const) {
    await expect(
      database.as(caller, (sql) => sql`select * from public.service_status()`),
    ).rejects.toMatchObject({ code: "42501" });
  }
});
