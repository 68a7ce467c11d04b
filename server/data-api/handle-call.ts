import { OBJECT } from "./answers.ts";
import { callAnswer } from "./call-answer.ts";
import type { Catalog } from "./catalog.ts";
import type { Preferences } from "./preferences.ts";
import type { Question } from "./question.ts";
import { callOf } from "./rpc.ts";
import { argumentsInBody, argumentsInUrl } from "./sent-values.ts";

/** Whether a call asks for nothing beyond the function's result, which only the library could give. */
export function isPlainCall(method: string, search: string, preferences: Preferences): boolean {
  const isWhole = search === "" || search === "?select=*";
  if (method !== "GET" && !(method === "POST" && isWhole)) return false;
  // A preference about returned rows changes no function's result, but the library words such answers.
  if (preferences.returned !== null && preferences.mostRows === null) return false;
  return !preferences.isDefaulting && !preferences.resolution;
}

/** Answers the call of a function; null for what the library answers. */
export async function answerCall(
  { asked, asker, preferences, run }: Question,
  catalog: Catalog,
  name: string,
): Promise<Response | null> {
  const { isCounted, mostRows } = preferences;
  const isReading = asked.method === "GET";
  const given = isReading ? argumentsInUrl(asked.url.searchParams) : await argumentsInBody(asked);
  const how = { role: asker.role, isCounted, isBounded: mostRows !== null };
  const called = given && callOf(catalog, name, given, how);
  if (!called || called instanceof Response) return called;
  const headers = { ...Object.fromEntries(asked.headers), "x-forwarded-for": asked.address() };
  const isObject = asked.headers.get("accept") === OBJECT;
  const row = await run(called, {
    isReading,
    request: { method: asked.method, path: `/rpc/${name}`, headers: JSON.stringify(headers) },
    mostRows,
    isOneRow: isObject && (called.kind === "rows" || called.kind === "values"),
  });
  if (row instanceof Response) return row;
  return callAnswer(row, called.kind, { isObject, preferences });
}
