import { afterAll, describe, expect, it } from "vitest";
import { createTestDatabase, undone } from "../harness/database.ts";
import { createWorld, readTables } from "./attempts.ts";
import { TABLES } from "./expectations.ts";
import { casesOf, outcomesOf } from "./matrix.ts";

/**
 * Whether the matrix would notice: each policy in turn is dropped, then opened to everybody, and
 * at least one of its table's outcomes must differ from what is stated.
 */

const database = await createTestDatabase();
const { sql } = database;
const world = await createWorld(database);
const tables = await readTables(sql);

type Policy = { name: string; table: string; command: string; checks: boolean };

const policies = await sql<Policy[]>`
  select quote_ident(p.polname) as name, p.polrelid::regclass::text as table, p.polcmd::text as command,
    p.polwithcheck is not null as checks
  from pg_policy p
  -- The server's own role is none of the matrix's business.
  where p.polroles <> array['service_role'::regrole::oid]
    -- Channels are joined, not read: tests/conformance/realtime.test.ts.
    and p.polrelid <> 'realtime.messages'::regclass
  order by 2, 1`;

afterAll(() => database.drop());

/** Operations of the policy's table whose outcomes are not as stated once a change is made. */
async function noticedAfter(policy: Policy, change: string): Promise<string[]> {
  const table = tables.find(({ name }) => name === policy.table);
  if (table === undefined) throw new Error(`${policy.table} is not in the catalog.`);
  return undone(sql, async (transaction) => {
    await transaction.unsafe(change);
    const noticed: string[] = [];
    for (const { operation, expected, observe } of casesOf(table)) {
      const outcomes = await outcomesOf((actor) =>
        undone(transaction, (inner) => observe(inner, world, actor)),
      );
      if (JSON.stringify(outcomes) !== JSON.stringify(expected)) noticed.push(operation);
    }
    return noticed;
  });
}

describe.each(policies)("$table: $name", (policy) => {
  it("is missed when dropped", async () => {
    const noticed = await noticedAfter(policy, `drop policy ${policy.name} on ${policy.table}`);
    expect(noticed).not.toEqual([]);
  });
});

/** Tables that strangers read, too, have nothing left to open. */
const closed = policies.filter(({ table }) => TABLES[table]?.select.stranger !== "all");
describe.each(closed)("$table: $name", (policy) => {
  it("is missed when opened to everybody", async () => {
    const clauses = [
      policy.command === "a" ? "" : "using (true)",
      policy.checks ? "with check (true)" : "",
    ];
    const noticed = await noticedAfter(
      policy,
      `alter policy ${policy.name} on ${policy.table} ${clauses.join(" ")}`,
    );
    expect(noticed).not.toEqual([]);
  });
});

describe("an unchanged database", () => {
  it("is as stated", async () => {
    // One policy a table: whatever is tried after a change is the same for all of them.
    const oneEach = new Map(policies.map((policy) => [policy.table, policy]));
    for (const policy of oneEach.values()) {
      expect(await noticedAfter(policy, "select 1")).toEqual([]);
    }
  });
});
