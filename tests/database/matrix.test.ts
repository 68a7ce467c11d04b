import type { TransactionSql } from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { createTestDatabase, undone } from "../harness/database.ts";
import {
  type Actor,
  createWorld,
  fingerprint,
  type Outcome,
  readFunctions,
  readTables,
  tryFunction,
  writableColumns,
} from "./attempts.ts";
import { CLOSED_SCHEMAS, FUNCTIONS, TABLES } from "./expectations.ts";
import { casesOf, expectationOf, outcomesOf } from "./matrix.ts";

/**
 * {anon, stranger, cashier, member, admin, owner} × every table × {select, insert, update, delete}
 * × every function, read from the catalog. What is refused is tried in a transaction of its own
 * that commits, and afterwards every table of the database is as it was, to the byte.
 */

const database = await createTestDatabase();
const { sql } = database;
const world = await createWorld(database);
const tables = await readTables(sql);
const functions = await readFunctions(sql);
const before = await fingerprint(sql, tables);
const beforeElsewhere = await fingerprint(sql, tables, world.theirs);

afterAll(() => database.drop());

/** Whether an outcome claims that nothing was touched. */
function isRefusal(outcome: Outcome): boolean {
  return outcome === "denied" || outcome === "none" || /^[0-9A-Z]{5}$/.test(outcome);
}

/**
 * Tries something as an actor. What the stranger does to their own organisation on the way is
 * their right: it is undone, and everything but that organisation is compared.
 */
async function observe(
  actor: Actor,
  run: (transaction: TransactionSql) => Promise<Outcome>,
): Promise<Outcome> {
  const isElsewhereUntouched = async (transaction: TransactionSql) => {
    const elsewhere = await fingerprint(transaction, tables, world.theirs);
    expect(elsewhere, "other organisations").toEqual(beforeElsewhere);
  };
  const outcome = await undone(sql, async (transaction) => {
    const first = await run(transaction);
    if (actor === "stranger" && isRefusal(first)) await isElsewhereUntouched(transaction);
    return first;
  });
  if (actor !== "stranger" && isRefusal(outcome)) {
    await sql.begin((transaction) => run(transaction));
  }
  expect(await fingerprint(sql, tables), "the database").toEqual(before);
  return outcome;
}

describe("the world to try things in", () => {
  it("has rows of both organisations in every table of the API", async () => {
    const empty: string[] = [];
    for (const table of tables.filter(({ schema }) => schema === "public")) {
      const { tenantColumn, source = table.name } = expectationOf(table);
      const conditions =
        tenantColumn === null
          ? ["true"]
          : [world.ours, world.theirs].map(({ id }) => `${tenantColumn} = '${id}'`);
      for (const condition of conditions) {
        const rows = await sql.unsafe(`select from ${source} where ${condition} limit 1`);
        if (rows.length === 0) empty.push(table.name);
      }
    }
    expect(empty).toEqual([]);
  });

  it("is what the expectations speak of", () => {
    const names = new Set(tables.map(({ name }) => name));
    const signatures = new Set(functions.map(({ signature }) => signature));
    const schemas = new Set(tables.map(({ schema }) => schema));
    expect(Object.keys(TABLES).filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(FUNCTIONS).filter((name) => !signatures.has(name))).toEqual([]);
    expect([...schemas].sort()).toEqual([...CLOSED_SCHEMAS, "public"].sort());
  });
});

describe.each(tables)("table $name", (table) => {
  it("has stated expectations", () => {
    expect(() => expectationOf(table)).not.toThrow();
  });

  it.each(casesOf(table))("$operation", async ({ expected, observe: attempt }) => {
    const observed = await outcomesOf((actor) =>
      observe(actor, (transaction) => attempt(transaction, world, actor)),
    );
    expect(observed).toEqual(expected);
  });

  it("lets users write the stated columns and no other", async () => {
    const { insert, update } = expectationOf(table);
    expect(await writableColumns(sql, table, "insert")).toEqual(insert?.columns ?? []);
    expect(await writableColumns(sql, table, "update")).toEqual(update?.columns ?? []);
  });
});

describe.each(functions)("function $signature", ({ signature, nullCall }) => {
  it("answers whom it should", async () => {
    const expectation = FUNCTIONS[signature];
    if (expectation === undefined) {
      throw new Error(`Say in tests/database/expectations.ts who may call ${signature}.`);
    }
    const call = expectation.call?.(world) ?? nullCall;
    const observed = await outcomesOf((actor) =>
      observe(actor, (transaction) => tryFunction(transaction, world, actor, call)),
    );
    expect(observed).toEqual(expectation.expected);
  });
});
