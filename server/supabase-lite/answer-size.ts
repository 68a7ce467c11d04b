import type { Connection, ConnectionContextOptions } from "@supabase/lite";
import { z } from "zod";
import { isAnswering } from "./refusals.ts";

type Context<T> = Parameters<typeof Connection.prototype.withContext<T>>;
type Run<T> = Context<T>[1];
type Database = Parameters<Run<unknown>>[0];
type Plugin = Parameters<Database["withPlugin"]>[0];
type Statement = ReturnType<Plugin["transformQuery"]>;

/**
 * Refuses an answer of more bytes than `private.fits_answer` allows, before they leave the database. Related rows within
 * related rows multiply: the library reads and writes all of them at once, and everybody else waits.
 */
export function limitAnswers(connection: Pick<Connection, "withContext">): void {
  const withContext = connection.withContext.bind(connection);
  Object.defineProperty(connection, "withContext", {
    // Others wrap this method later.
    configurable: true,
    value: <T>(vars: Context<T>[0], run: Run<T>, options?: ConnectionContextOptions): Promise<T> =>
      withContext(
        vars,
        (db) => run(isAnswering() && readsData(vars) ? db.withPlugin(weighed) : db),
        options,
      ),
  });
}

/** Roles that read data, and may ask `private.fits_answer`: without a session nothing can be read. */
const reader = z.object({ auth: z.object({ role: z.enum(["authenticated", "service_role"]) }) });

function readsData(vars: Context<unknown>[0]): boolean {
  return reader.safeParse(vars).success;
}

const weighed: Plugin = {
  transformQuery: ({ node }) => (node.kind === "SelectQueryNode" ? weighedSelect(node) : node),
  transformResult: async ({ result }) => result,
};

const ANSWER = {
  kind: "TableNode",
  table: {
    kind: "SchemableIdentifierNode",
    identifier: { kind: "IdentifierNode", name: "answer" },
  },
} as const;

/** The rows of a statement, which the database puts together and weighs before it answers the first. */
function weighedSelect(statement: Statement): Statement {
  const fits = {
    kind: "RawNode",
    sqlFragments: [
      "private.fits_answer((select sum(pg_catalog.pg_column_size(a.*)) from answer a))",
    ],
    parameters: [],
  } as const;
  const rows = {
    kind: "CommonTableExpressionNode",
    name: { kind: "CommonTableExpressionNameNode", table: ANSWER },
    materialized: true,
    expression: statement,
  } as const;
  return {
    kind: "SelectQueryNode",
    with: { kind: "WithNode", expressions: [rows] },
    selections: [{ kind: "SelectionNode", selection: { kind: "SelectAllNode" } }],
    from: { kind: "FromNode", froms: [ANSWER] },
    where: { kind: "WhereNode", where: fits },
  };
}
