import type { TransactionSql } from "postgres";
import {
  ACTORS,
  type Actor,
  type Attempt,
  OPERATIONS,
  type Outcome,
  type Outcomes,
  type Table,
  tryTable,
  type World,
} from "./attempts.ts";
import { CLOSED, CLOSED_SCHEMAS, TABLES, type TableExpectation } from "./expectations.ts";

/** One cell of the matrix: an operation on a table, what is expected of it, and how to try it. */
export type TableCase = {
  operation: (typeof OPERATIONS)[number];
  expected: Outcomes;
  observe: (sql: TransactionSql, world: World, actor: Actor) => Promise<Outcome>;
};

/** Expectations stated of a table; a table of the API without any is an error. */
export function expectationOf(table: Table): TableExpectation {
  if (CLOSED_SCHEMAS.includes(table.schema)) return { tenantColumn: null, select: CLOSED };
  const expectation = TABLES[table.name];
  if (expectation === undefined) {
    throw new Error(`Say in tests/database/expectations.ts who may do what to ${table.name}.`);
  }
  return expectation;
}

/** The four cells of a table. */
export function casesOf(table: Table): TableCase[] {
  const expectation = expectationOf(table);
  return OPERATIONS.map((operation) => ({
    operation,
    expected: expectedOf(expectation, operation),
    observe: (sql, world, actor) =>
      tryTable(sql, world, actor, {
        table,
        source: expectation.source ?? table.name,
        tenantColumn: expectation.tenantColumn,
        attempt: attemptOn(table, expectation, operation, world, actor),
      }),
  }));
}

function expectedOf(
  expectation: TableExpectation,
  operation: (typeof OPERATIONS)[number],
): Outcomes {
  switch (operation) {
    case "select":
      return expectation.select;
    case "insert":
      return expectation.insert?.expected ?? CLOSED;
    case "update":
      return expectation.update?.expected ?? CLOSED;
    case "delete":
      return expectation.delete ?? CLOSED;
  }
}

function attemptOn(
  table: Table,
  expectation: TableExpectation,
  operation: (typeof OPERATIONS)[number],
  world: World,
  actor: Actor,
): Attempt {
  switch (operation) {
    case "insert": {
      const { insert } = expectation;
      const statement =
        insert === undefined
          ? `insert into ${table.name} default values`
          : `insert into ${table.name} (${insert.columns.join(", ")})
             values (${insert.values(world, actor).join(", ")})`;
      return { operation, statement };
    }
    case "update": {
      const plain = table.columns.find(({ isGenerated }) => !isGenerated);
      const { column, value } = expectation.update ?? { column: plain?.name ?? "", value: "null" };
      return { operation, column, value };
    }
    default:
      return { operation };
  }
}

/** Outcomes of a case for every actor, one after the other. */
export async function outcomesOf(observe: (actor: Actor) => Promise<Outcome>): Promise<Outcomes> {
  const outcomes: Outcomes = {
    anon: "",
    stranger: "",
    cashier: "",
    member: "",
    admin: "",
    owner: "",
  };
  for (const actor of ACTORS) outcomes[actor] = await observe(actor);
  return outcomes;
}
