import type { ISql, TransactionSql } from "postgres";
import { ROLES, type Role } from "../harness/fixtures.ts";
import {
  type Outcome,
  type Outcomes,
  readFunctions,
  readTables,
  tryFunction,
  type World,
} from "./attempts.ts";
import { FUNCTIONS, TABLES } from "./expectations.ts";
import { casesOf } from "./matrix.ts";

/** One thing that members may try; `name` is what screens call it. */
export type Cell = {
  name: string;
  isWrite: boolean;
  stated: Outcomes;
  observe: (transaction: TransactionSql, role: Role) => Promise<Outcome>;
};

/** Everything that there is to try for members, from the catalog. */
export async function readCells(sql: ISql, world: World): Promise<Cell[]> {
  const volatile = await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and provolatile = 'v'`;
  const writing = new Set(volatile.map(({ name }) => name));
  const functions = (await readFunctions(sql)).flatMap(({ signature, nullCall }): Cell[] => {
    const expectation = FUNCTIONS[signature];
    if (!expectation || ROLES.every((role) => expectation.expected[role] === "denied")) return [];
    const call = expectation.call?.(world) ?? nullCall;
    const name = signature.slice(0, signature.indexOf("("));
    return [
      {
        name,
        isWrite: writing.has(name),
        stated: expectation.expected,
        observe: (transaction, role) => tryFunction(transaction, world, role, call),
      },
    ];
  });
  const tables = (await readTables(sql)).filter(({ name }) => TABLES[name] !== undefined);
  return [
    ...functions,
    ...tables.flatMap((table) =>
      casesOf(table).flatMap(({ operation, expected, observe }): Cell[] =>
        ROLES.every((role) => expected[role] === "denied")
          ? []
          : [
              {
                name: operation === "select" ? table.name : `${table.name} ${operation}`,
                isWrite: operation !== "select",
                stated: expected,
                observe: (transaction, role) => observe(transaction, world, role),
              },
            ],
      ),
    ),
  ];
}

/** Whether an outcome is a refusal, with an error or without a row. */
export const isRefused = (outcome: Outcome) =>
  /^(denied|none|nothing|TV085|TV111|TV114|TV120)$/.test(outcome);
