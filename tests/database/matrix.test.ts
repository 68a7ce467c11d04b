import type { TransactionSql } from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { createTestDatabase, undone } from "../harness/database.ts";
import {
  type Actor,
  createWorld,
  fingerprint,
  type Outcome,
  type Outcomes,
  readFunctions,
  readTables,
  tryFunction,
  writableColumns,
} from "./attempts.ts";
import { CLOSED_SCHEMAS, FUNCTIONS, TABLES } from "./expectations.ts";
import { casesOf, expectationOf, outcomesOf } from "./matrix.ts";

/**
 * {anon, stranger, cashier, member, admin, owner} × every table × {select, insert, update, delete}
 * × every function, read from the catalog. What is refused is tried in a transaction of its own that commits.
 * Afterwards every table of the database is as it was, to the byte.
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
 * Tries something as an actor; what is refused is committed. What the stranger does to their own organisation on the way
 * is their right: it is undone, and everything but that organisation is compared.
 */
function observe(
  actor: Actor,
  run: (transaction: TransactionSql) => Promise<Outcome>,
): Promise<Outcome> {
  if (actor !== "stranger") return undone(sql, run, isRefusal);
  return undone(sql, async (transaction) => {
    const outcome = await run(transaction);
    if (isRefusal(outcome)) {
      const elsewhere = await fingerprint(transaction, tables, world.theirs);
      expect(elsewhere, "other organisations").toEqual(beforeElsewhere);
    }
    return outcome;
  });
}

/** Outcomes of it for everybody, after which the database is as it was. */
async function observeAll(
  run: (transaction: TransactionSql, actor: Actor) => Promise<Outcome>,
): Promise<Outcomes> {
  const observed = await outcomesOf((actor) => observe(actor, (inner) => run(inner, actor)));
  expect(await fingerprint(sql, tables), "the database").toEqual(before);
  return observed;
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
    expect([...schemas].sort()).toEqual(
      [...CLOSED_SCHEMAS, "public", "realtime", "storage"].sort(),
    );
  });

  it("leaves nothing of the catalog out: a function or a table that is added is missed", async () => {
    const unstated = async (transaction: TransactionSql | typeof sql) => [
      ...(await readFunctions(transaction)).flatMap(({ signature }) =>
        signature in FUNCTIONS ? [] : [signature],
      ),
      ...(await readTables(transaction)).flatMap(({ name, schema }) =>
        name in TABLES || CLOSED_SCHEMAS.includes(schema) ? [] : [name],
      ),
    ];
    expect(await unstated(sql), "say in tests/database/expectations.ts who may use them").toEqual(
      [],
    );
    const added = await undone(sql, async (transaction) => {
      await transaction`create function public.added(uuid) returns int language sql as 'select 1'`;
      // Of the same name, and yet another function.
      await transaction`create function public.team(uuid, text) returns int language sql as 'select 1'`;
      await transaction`create view public.seen as select id from public.customers`;
      await transaction`create table public.laid (id int primary key)`;
      return unstated(transaction);
    });
    expect(added).toEqual(["added(uuid)", "team(uuid, text)", "laid", "seen"]);
  });
});

describe.each(tables)("table $name", (table) => {
  it("has stated expectations", () => {
    expect(() => expectationOf(table)).not.toThrow();
  });

  it.each(casesOf(table))("$operation", async ({ expected, observe: attempt }) => {
    const observed = await observeAll((transaction, actor) => attempt(transaction, world, actor));
    expect(observed).toEqual(expected);
  });

  it("lets users write the stated columns and no other", async () => {
    const { insert, update } = expectationOf(table);
    const where = `TABLES.${table.name} in tests/database/expectations.ts states them`;
    expect(await writableColumns(sql, table, "insert"), where).toEqual(insert?.columns ?? []);
    expect(await writableColumns(sql, table, "update"), where).toEqual(update?.columns ?? []);
  });
});

describe.each(functions)("function $signature", ({ signature, nullCall }) => {
  it("answers whom it should", async () => {
    const expectation = FUNCTIONS[signature];
    if (expectation === undefined) {
      throw new Error(`Say in tests/database/expectations.ts who may call ${signature}.`);
    }
    const call = expectation.call?.(world) ?? nullCall;
    const observed = await observeAll((transaction, actor) =>
      tryFunction(transaction, world, actor, call),
    );
    expect(observed).toEqual(expectation.expected);
  });
});
