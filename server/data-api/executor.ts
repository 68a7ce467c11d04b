import type { IntrospectResult } from "@supabase/lite";
import type { Sql } from "postgres";
import { answerOf, refusalResponse, unforeseen } from "../supabase-lite/refusals.ts";
import { notOneRow, OBJECT } from "./answers.ts";
import { callAnswer, tooManyRows } from "./call-answer.ts";
import { arrange, type Catalog, SCHEMA, type Table } from "./catalog.ts";
import type { Asker } from "./claims.ts";
import { descriptionAnswer } from "./openapi.ts";
import { type Preferences, readPreferences } from "./preferences.ts";
import { createPreparePolicy } from "./prepare-policy.ts";
import { type Query, readQuery } from "./query.ts";
import { callOf, type Given } from "./rpc.ts";
import {
  deleteStatement,
  insertListStatement,
  insertStatement,
  readStatement,
  updateStatement,
} from "./table.ts";
import { readAnswer, writeAnswer } from "./table-answer.ts";
import { NotOneRow, type Row, runAs, TooManyRows } from "./transaction.ts";
import { visibleSchema, visibleSchemaStatement } from "./visible-schema.ts";

/** A request as the executor needs it. */
export type Asked = {
  method: string;
  url: URL;
  headers: Headers;
  /**
   * Body that was sent; empty for nothing. Asked for once nothing else stands against an answer.
   */
  body: () => Promise<string>;
  /** The keyed hash of the client's address, for functions that count. */
  address: () => string;
};

/** Answers a request in one round trip; null for what it leaves to the library. */
export type Executor = (asked: Asked, asker: Asker) => Promise<Response | null>;

type ExecutorOptions = {
  /** Connections of the data API; they log in as an account that may become the asker's role. */
  pool: Sql;
  /** Catalog of the database, as the library knows it. */
  introspect(): Promise<IntrospectResult>;
  /** Told of what nobody foresaw. */
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
 * round trip (docs/decisions/066-data-api-executor.md). Both ways answer alike, which `tests/conformance/executor.test.ts` holds.
 */
export function createExecutor({ pool, introspect, onFailure }: ExecutorOptions): Executor {
  const isPrepared = createPreparePolicy();
  const run = async (
    asker: Asker,
    statement: { text: string; values: readonly (string | null)[] },
    options: Parameters<typeof runAs>[3],
  ): Promise<Row | Response> => {
    try {
      return await runAs(
        pool,
        asker,
        { ...statement, isPrepared: isPrepared(statement.text) },
        options,
      );
    } catch (error) {
      if (error instanceof TooManyRows) return tooManyRows(error.rows);
      if (error instanceof NotOneRow) return notOneRow(error.rows);
      const refused = answerOf(error, asker.role === "anon");
      if (!refused) onFailure(error);
      return refused ?? unforeseen();
    }
  };

  const call = async (
    { catalog, name }: { catalog: Catalog; name: string },
    asked: Asked,
    asker: Asker,
    preferences: Preferences,
  ) => {
    const { isCounted, mostRows } = preferences;
    const isReading = asked.method === "GET";
    const given = isReading ? givenBy(asked.url.searchParams) : await sentOf(asked);
    const how = { role: asker.role, isCounted, isBounded: mostRows !== null };
    const called = given && callOf(catalog, name, given, how);
    if (!called || called instanceof Response) return called;
    const headers = { ...Object.fromEntries(asked.headers), "x-forwarded-for": asked.address() };
    const isObject = asked.headers.get("accept") === OBJECT;
    const row = await run(asker, called, {
      isReading,
      request: { method: asked.method, path: `/rpc/${name}`, headers: JSON.stringify(headers) },
      mostRows,
      isOneRow: isObject && (called.kind === "rows" || called.kind === "values"),
    });
    if (row instanceof Response) return row;
    return callAnswer(row, called.kind, { isObject, preferences });
  };

  const read = async (table: Table, asked: Asked, asker: Asker, preferences: Preferences) => {
    const query = readQuery(asked.url.searchParams);
    if (!query || query.columns || query.conflict || query.limit === 0) return null;
    if (preferences.returned !== null || preferences.isDefaulting || preferences.resolution) {
      return null;
    }
    const statement = readStatement(query, table, asker.role, preferences.isCounted);
    if (!statement) return null;
    const row = await run(asker, statement, { isReading: true, request: null });
    if (row instanceof Response) return row;
    return readAnswer(row, {
      offset: query.offset,
      isObject: asked.headers.get("accept") === OBJECT,
      preferences,
      location: locationOf(table, asked.url),
    });
  };

  const write = async (
    { catalog, table }: { catalog: Catalog; table: Table },
    asked: Asked,
    asker: Asker,
    preferences: Preferences,
  ) => {
    const { method } = asked;
    const query = readQuery(asked.url.searchParams);
    // Of what the answer does not show the library does not read the columns.
    if (!query || table.isView || (query.select && preferences.returned === null)) return null;
    if (query.order.length > 0 || query.limit !== null || query.offset > 0) return null;
    const how = {
      query,
      table,
      catalog,
      role: asker.role,
      returned: preferences.returned === "representation" ? "rows" : "nothing",
      resolution: preferences.resolution,
    } as const;
    const isAdding = method === "POST";
    if (!isAdding && (preferences.resolution || query.conflict)) return null;
    if (preferences.isDefaulting ? !isAdding : query.columns) return null;
    const rows = method === "DELETE" ? [{}] : await rowsOf(asked, preferences, query);
    const [values] = rows ?? [];
    if (!rows || !values) return null;
    // The list's statement also adds a row that gives itself a number, which is left to the library without defaults.
    const addition = () =>
      (rows.length === 1 ? insertStatement(values, how) : null) ??
      (preferences.isDefaulting ? insertListStatement(rows, how) : null);
    const statement = isAdding
      ? addition()
      : method === "DELETE"
        ? deleteStatement(how)
        : updateStatement(values, how);
    if (!statement) return null;
    const isObject = asked.headers.get("accept") === OBJECT;
    // A single inserted row leaves nothing to roll back.
    const isOneAdded = isAdding && rows.length === 1 && !preferences.resolution;
    const row = await run(asker, statement, {
      isReading: false,
      request: null,
      isOneRow: isObject && preferences.returned !== "minimal" && !isOneAdded,
    });
    if (row instanceof Response) return row;
    const hasAdded = row.known === undefined || Number(row.known) < rows.length;
    return writeAnswer(row, { method, isObject, hasAdded, preferences });
  };

  const describe = async ({ headers }: Asked, asker: Asker) => {
    if (!isPublic(headers)) return noSchema(headers.get("accept-profile") ?? "");
    const statement = { text: visibleSchemaStatement(asker.role), values: [] };
    const row = await run(asker, statement, { isReading: true, request: null });
    if (row instanceof Response) return row;
    return descriptionAnswer(visibleSchema.parse(JSON.parse(row.body ?? "null")));
  };

  return async (asked, asker) => {
    const { pathname, search } = asked.url;
    if (pathname === ROOT) return asked.method === "GET" ? describe(asked, asker) : null;
    const preferences = readPreferences(asked.headers);
    if (!preferences || !isPlain(asked.headers)) return null;
    const name = FUNCTION.exec(pathname)?.[1];
    if (name !== undefined) {
      // Whatever is asked to be returned, a function answers what it answers.
      const isWhole = search === "" || search === "?select=*";
      const isCalled = asked.method === "POST" && isWhole;
      if (!isCalled && asked.method !== "GET") return null;
      if (preferences.returned !== null && preferences.mostRows === null) return null;
      if (preferences.isDefaulting || preferences.resolution) return null;
      return call({ catalog: arrange(await introspect()), name }, asked, asker, preferences);
    }
    if (preferences.mostRows !== null) return null;
    const catalog = arrange(await introspect());
    const table = catalog.tables.get(TABLE.exec(pathname)?.[1] ?? "");
    if (!table) return null;
    if (asked.method === "GET") return read(table, asked, asker, preferences);
    const isWriting = ["POST", "PATCH", "DELETE"].includes(asked.method);
    return isWriting ? write({ catalog, table }, asked, asker, preferences) : null;
  };
}

/** Where the same rows are read again. */
function locationOf({ name }: Table, { searchParams }: URL): string | null {
  const sorted = [...searchParams].sort(([one], [other]) => one.localeCompare(other));
  const search = new URLSearchParams(sorted).toString();
  return search === "" ? null : `/${name}?${search}`;
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

const JSON_BODY = /^application\/json(;\s*charset=utf-8)?$/i;

/** Values by their names, of a function's arguments or a table's columns; null for a body that has none. */
async function sentOf(asked: Asked): Promise<(Given & { isText: false }) | null> {
  const sent = await readJson(asked);
  return isNamed(sent) ? { values: sent, isText: false } : null;
}

/** Rows to be written; null for an invalid body, and for a list whose rows need not have defaults. */
async function rowsOf(
  asked: Asked,
  { isDefaulting }: Preferences,
  { columns }: Query,
): Promise<readonly Readonly<Record<string, unknown>>[] | null> {
  const sent = await readJson(asked);
  const rows = Array.isArray(sent) && isDefaulting ? sent : [sent];
  if (!rows.every(isNamed)) return null;
  if (!columns) return rows;
  return rows.map((row) =>
    Object.fromEntries(
      columns.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]),
    ),
  );
}

function isNamed(sent: unknown): sent is Readonly<Record<string, unknown>> {
  return typeof sent === "object" && sent !== null && !Array.isArray(sent);
}

/** The body as JSON, an empty one as an empty object; undefined when invalid. */
async function readJson({ headers, body }: Asked): Promise<unknown> {
  if (!JSON_BODY.test(headers.get("content-type") ?? "application/json")) return undefined;
  const text = await body();
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Arguments of a function as an address names them; null where a name comes twice, which lists are made of. */
function givenBy(search: URLSearchParams): Given | null {
  const values = Object.fromEntries(search);
  return Object.keys(values).length === search.size ? { values, isText: true } : null;
}
