import { refusalResponse } from "../supabase-lite/refusals.ts";
import { answer, contentRange, notOneRow, OBJECT } from "./answers.ts";
import { applied, type Preferences } from "./preferences.ts";
import type { Row } from "./transaction.ts";

/** Parameters of a read, beside its rows. */
type Reading = {
  offset: number;
  isObject: boolean;
  preferences: Preferences;
  /** Address of the same rows, its parameters in the order of their names; null where it has none. */
  location: string | null;
};

/** The answer to a read: as many rows as there are, or as one asked to see. */
export function readAnswer(
  row: Row,
  { offset, isObject, preferences, location }: Reading,
): Response {
  const rows = Number(row.rows);
  const total = preferences.isCounted ? Number(row.total) : null;
  const body = row.body ?? "[]";
  if (isObject) {
    if (rows !== 1) return notOneRow(rows);
    return answer(200, onlyItem(body), {
      "content-type": `${OBJECT}; charset=utf-8`,
      "content-range": contentRange(offset, 1, total),
      ...applied(preferences),
    });
  }
  if (total !== null && offset > 0 && rows === 0 && offset >= total) {
    const refused = refusalResponse(416, {
      code: "PGRST103",
      message: "Requested range not satisfiable",
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      hint: null,
    });
    refused.headers.set("content-range", `*/${total}`);
    for (const [name, value] of Object.entries(applied(preferences))) {
      refused.headers.set(name, value);
    }
    return refused;
  }
  const isPart = total !== null && (offset + rows < total || offset > 0);
  return answer(isPart ? 206 : 200, body, {
    "content-range": contentRange(offset, rows, total),
    ...(location !== null && { "content-location": location }),
    ...applied(preferences),
  });
}

/** The answer to a write: its rows, or how many they were. */
export function writeAnswer(
  row: Row,
  {
    method,
    isObject,
    hasAdded,
    preferences,
  }: {
    method: string;
    isObject: boolean;
    /** Not all rows to be added were there before. */
    hasAdded: boolean;
    preferences: Preferences;
  },
): Response {
  const done = method === "POST" && hasAdded ? 201 : 200;
  const rows = Number(row.rows);
  const { returned, isCounted } = preferences;
  const total = isCounted ? rows : null;
  if (isObject && rows !== 1 && returned !== "minimal") return notOneRow(rows);
  if (returned !== "representation") {
    const isBare = method === "PATCH" && rows > 0 && !isCounted;
    return answer(method === "POST" ? done : 204, null, {
      ...(returned === null && { "content-type": "application/json; charset=utf-8" }),
      "content-range": isBare ? contentRange(0, rows, null) : `*/${total ?? "*"}`,
      ...applied(preferences),
    });
  }
  const body = row.body ?? "[]";
  return answer(done, isObject ? onlyItem(body) : body, {
    ...(isObject && { "content-type": `${OBJECT}; charset=utf-8` }),
    "content-range": contentRange(0, method === "PATCH" ? rows : 0, total),
    ...applied(preferences),
  });
}

/** The one item of a list of JSON. */
export function onlyItem(list: string): string {
  return list.slice(list.indexOf("[") + 1, list.lastIndexOf("]"));
}
