import { sortedSearch } from "../supabase-lite/sorted-search.ts";
import { OBJECT } from "./answers.ts";
import type { Catalog, Table } from "./catalog.ts";
import type { Preferences } from "./preferences.ts";
import { type Query, readQuery } from "./query.ts";
import type { Question } from "./question.ts";
import { rowsInBody } from "./sent-values.ts";
import {
  deleteStatement,
  insertListStatement,
  insertStatement,
  readStatement,
  updateStatement,
} from "./table.ts";
import { readAnswer, writeAnswer } from "./table-answer.ts";

/** Answers a read of a table; null for what the library answers. */
export async function answerRead(
  { asked, asker, preferences, run }: Question,
  table: Table,
): Promise<Response | null> {
  const query = readQuery(asked.url.searchParams);
  if (!query || query.columns || query.conflict || query.limit === 0) return null;
  if (preferences.returned !== null || preferences.isDefaulting || preferences.resolution) {
    return null;
  }
  const statement = readStatement(query, table, asker.role, preferences.isCounted);
  if (!statement) return null;
  const row = await run(statement, { isReading: true, request: null });
  if (row instanceof Response) return row;
  return readAnswer(row, {
    offset: query.offset,
    isObject: asked.headers.get("accept") === OBJECT,
    preferences,
    location: locationOf(table, asked.url),
  });
}

/** Answers a write to a table; null for what the library answers. */
export async function answerWrite(
  { asked, asker, preferences, run }: Question,
  { catalog, table }: { catalog: Catalog; table: Table },
): Promise<Response | null> {
  const { method } = asked;
  const query = readQuery(asked.url.searchParams);
  if (!query || table.isView || !isPlainWrite(method, query, preferences)) return null;
  const rows = method === "DELETE" ? [{}] : await rowsInBody(asked, preferences, query);
  if (!rows) return null;
  const statement = writeStatement(method, rows, {
    query,
    table,
    catalog,
    role: asker.role,
    returned: preferences.returned === "representation" ? "rows" : "nothing",
    resolution: preferences.resolution,
    isDefaulting: preferences.isDefaulting,
  });
  if (!statement) return null;
  const isObject = asked.headers.get("accept") === OBJECT;
  // A single inserted row leaves nothing to roll back.
  const isOneAdded = method === "POST" && rows.length === 1 && !preferences.resolution;
  const row = await run(statement, {
    isReading: false,
    request: null,
    isOneRow: isObject && preferences.returned !== "minimal" && !isOneAdded,
  });
  if (row instanceof Response) return row;
  const hasAdded = row.known === undefined || Number(row.known) < rows.length;
  return writeAnswer(row, { method, isObject, hasAdded, preferences });
}

/** Whether a write asks for nothing that only the library does. */
function isPlainWrite(method: string, query: Query, preferences: Preferences): boolean {
  const isAdding = method === "POST";
  // The library does not read the selected columns when the answer shows none.
  if (query.select && preferences.returned === null) return false;
  // A limit and an offset mean nothing in a write, as in PostgREST.
  if (query.order.length > 0) return false;
  if (!isAdding && (preferences.resolution || query.conflict)) return false;
  return preferences.isDefaulting ? isAdding : !query.columns;
}

/** Statement that writes these rows; null for what only the library words. */
function writeStatement(
  method: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  { isDefaulting, ...how }: Parameters<typeof insertStatement>[1] & { isDefaulting: boolean },
) {
  const [values] = rows;
  if (!values) return null;
  if (method === "DELETE") return deleteStatement(how);
  if (method !== "POST") return updateStatement(values, how);
  const single = rows.length === 1 ? insertStatement(values, how) : null;
  // The list's statement also inserts a row that gives its own identity value, which without defaults is the library's.
  return single ?? (isDefaulting ? insertListStatement(rows, how) : null);
}

/** Path and query under which the same rows can be read again. */
function locationOf({ name }: Table, { searchParams }: URL): string | null {
  const search = sortedSearch(searchParams);
  return search === "" ? null : `/${name}?${search}`;
}
