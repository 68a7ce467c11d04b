import type { IntrospectResult } from "@supabase/lite";
import type { Sql } from "postgres";
import { answerOf, refusalResponse, unforeseen } from "../supabase-lite/refusals.ts";
import { notOneRow, OBJECT } from "./answers.ts";
import { tooManyRows } from "./call-answer.ts";
import { arrange, SCHEMA } from "./catalog.ts";
import type { Asker } from "./claims.ts";
import { answerCall, isPlainCall } from "./handle-call.ts";
import { answerRead, answerWrite } from "./handle-table.ts";
import { descriptionAnswer } from "./openapi.ts";
import { readPreferences } from "./preferences.ts";
import { createPreparePolicy } from "./prepare-policy.ts";
import type { Asked, Question } from "./question.ts";
import { NotOneRow, runAs, TooManyRows } from "./transaction.ts";
import { visibleSchema, visibleSchemaStatement } from "./visible-schema.ts";

/** Answers a request in one round trip; null for what it leaves to the library. */
export type Executor = (asked: Asked, asker: Asker) => Promise<Response | null>;

type ExecutorOptions = {
  /** Connections of the data API; they log in as an account that may become the asker's role. */
  pool: Sql;
  /** Catalog of the database, as the library knows it. */
  introspect(): Promise<IntrospectResult>;
  /** Called with unforeseen errors. */
  onFailure(error: unknown): void;
};

/** Where the API describes itself. */
export const ROOT = "/rest/v1/";

const TABLE = /^\/rest\/v1\/(\w+)$/;
const FUNCTION = /^\/rest\/v1\/rpc\/(\w+)$/;

/** Forms of an answer that are covered, as the official client asks for them. */
const ACCEPTED = new Set(["*/*", "application/json", OBJECT]);

/**
 * The data API for what screens and keys ask of it: one prepared statement that answers JSON, in one transaction, in one
 * round trip (docs/decisions/066-data-api-executor.md). `tests/conformance/executor.test.ts` checks that both answer alike.
 */
export function createExecutor({ pool, introspect, onFailure }: ExecutorOptions): Executor {
  const isPrepared = createPreparePolicy();

  const runnerFor =
    (asker: Asker): Question["run"] =>
    async ({ text, values }, options) => {
      try {
        return await runAs(pool, asker, { text, values, isPrepared: isPrepared(text) }, options);
      } catch (error) {
        if (error instanceof TooManyRows) return tooManyRows(error.rows);
        if (error instanceof NotOneRow) return notOneRow(error.rows);
        const refused = answerOf(error, asker.role === "anon");
        if (!refused) onFailure(error);
        return refused ?? unforeseen();
      }
    };

  return async (asked, asker) => {
    const { pathname, search } = asked.url;
    const run = runnerFor(asker);
    if (pathname === ROOT) return asked.method === "GET" ? describe(asked, asker, run) : null;
    const preferences = readPreferences(asked.headers);
    if (!preferences || !isPlain(asked.headers)) return null;
    const question = { asked, asker, preferences, run };
    const name = FUNCTION.exec(pathname)?.[1];
    if (name !== undefined) {
      if (!isPlainCall(asked.method, search, preferences)) return null;
      return answerCall(question, arrange(await introspect()), name);
    }
    if (preferences.mostRows !== null) return null;
    const catalog = arrange(await introspect());
    const table = catalog.tables.get(TABLE.exec(pathname)?.[1] ?? "");
    if (!table) return null;
    if (asked.method === "GET") return answerRead(question, table);
    const isWriting = ["POST", "PATCH", "DELETE"].includes(asked.method);
    return isWriting ? answerWrite(question, { catalog, table }) : null;
  };
}

/** The description of the API, as the asker's role sees it. */
async function describe({ headers }: Asked, asker: Asker, run: Question["run"]): Promise<Response> {
  if (!isPublic(headers)) return noSchema(headers.get("accept-profile") ?? "");
  const statement = { text: visibleSchemaStatement(asker.role), values: [] };
  const row = await run(statement, { isReading: true, request: null });
  if (row instanceof Response) return row;
  return descriptionAnswer(visibleSchema.parse(JSON.parse(row.body ?? "null")));
}

/** Nothing in a request's headers asks for what only the library does. */
function isPlain(headers: Headers): boolean {
  return ACCEPTED.has(headers.get("accept") ?? "*/*") && !headers.has("range") && isPublic(headers);
}

/** The refusal of a schema that is not offered. */
function noSchema(name: string): Response {
  return refusalResponse(406, {
    code: "PGRST106",
    message: `Invalid schema: ${name}`,
    details: null,
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  });
}

/** The only schema is meant, by its name or as the default. */
function isPublic(headers: Headers): boolean {
  return ["accept-profile", "content-profile"].every(
    (name) => (headers.get(name) ?? SCHEMA) === SCHEMA,
  );
}
