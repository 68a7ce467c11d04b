import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRelay } from "../../server/realtime/relay.ts";
import { createPresences } from "../../server/realtime/relay-presences.ts";
import { createRelayProcess } from "../../server/realtime/relay-process.ts";
import { setUpTestDatabase } from "../harness/database.ts";

/** The link of `realtime/v1` between processes, while the database refuses a write. */

const database = setUpTestDatabase();

/** Runs work while a table cannot be found. */
async function without(table: string, work: () => Promise<void>): Promise<void> {
  const { sql } = database;
  await sql.unsafe(`alter table realtime.${table} rename to ${table}_away`);
  try {
    await work();
  } finally {
    await sql.unsafe(`alter table realtime.${table}_away rename to ${table}`);
  }
}

/** A relay that listens to the topic « room », and what it reported. */
async function listening() {
  const reported = { failures: [] as unknown[], gaps: 0, messages: 0 };
  const relay = openRelay({
    open: (url, options) => postgres(url, { onnotice: () => undefined, ...options }),
    loginUrl: database.url,
    onMessage: () => {
      reported.messages += 1;
    },
    onGap: () => {
      reported.gaps += 1;
    },
    onFailure: (error) => reported.failures.push(error),
  });
  onTestFinished(() => relay.close());
  await relay.listenTo("room");
  return reported;
}

describe("says that messages may have been missed", () => {
  it("where it listens again, also if it cannot record so", async () => {
    const reported = await listening();
    expect(reported.gaps).toBe(0);
    await without("processes", async () => {
      await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'tournavis channels'`;
      await expect.poll(() => reported.failures[0]).toMatchObject({ code: "42P01" });
      await expect.poll(() => reported.gaps).toBe(1);
    });
  });

  it("where it cannot read one that is too long for a notification", async () => {
    const reported = await listening();
    const long = { kind: "broadcast", topic: "room", event: "news", payload: "é".repeat(20_000) };
    await database.sql.begin(async (sql) => {
      await sql`select realtime.publish(${sql.json(long)})`;
      // It is announced when this commits.
      await sql.unsafe("alter table realtime.bodies rename to bodies_away");
    });
    try {
      await expect.poll(() => reported.failures[0]).toMatchObject({ code: "42P01" });
      await expect.poll(() => reported.gaps).toBe(1);
    } finally {
      await database.sql.unsafe("alter table realtime.bodies_away rename to bodies");
    }
    expect(reported.messages).toBe(0);
  });
});

it("removes later whom it could not remove, but for who is shown again", async () => {
  const { sql } = database;
  const self = createRelayProcess({
    sql,
    ready: async () => undefined,
    onForgotten: () => undefined,
  });
  await self.announce();
  const members = createPresences(sql, self);
  const [gone, back] = ["gone", "back"].map((key) => ({ key, ref: randomUUID(), meta: {} }));
  if (!gone || !back) throw new Error("two members");
  for (const member of [gone, back]) await members.appear("room", member);
  await without("presences", async () => {
    for (const { ref } of [gone, back]) {
      await expect(members.disappear("room", ref)).rejects.toMatchObject({ code: "42P01" });
    }
  });
  await members.appear("room", back);
  await members.retryRemovals();
  expect(await members.of("room")).toEqual([back]);
});
