import { isFilter } from "../supabase-lite/filters.ts";
import type { Preferences } from "./preferences.ts";
import type { Query } from "./query.ts";
import type { Asked } from "./question.ts";
import type { Given } from "./rpc.ts";

const JSON_BODY = /^application\/json(;\s*charset=utf-8)?$/i;

/** Arguments of a function as its body names them; null for a body that names none. */
export async function argumentsInBody(asked: Asked): Promise<(Given & { isText: false }) | null> {
  const sent = await readJson(asked);
  return isNamed(sent) ? { values: sent, isText: false } : null;
}

/** Arguments of a function as an address names them, of several of a name the last; null where it has filters. */
export function argumentsInUrl(search: URLSearchParams): Given | null {
  if ([...search].some(([name, value]) => isFilter(name, value))) return null;
  return { values: Object.fromEntries(search), isText: true };
}

/** Rows to be written; null for an invalid body, and for a list whose rows need not have defaults. */
export async function rowsInBody(
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
