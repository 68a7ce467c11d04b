import { refusalResponse } from "../supabase-lite/refusals.ts";
import { asSaid, contentRange, notOneRow, OBJECT } from "./answers.ts";
import { applied, type Preferences } from "./preferences.ts";
import type { Kind } from "./rpc.ts";
import { onlyItem } from "./table-answer.ts";
import type { Row } from "./transaction.ts";

/** The refusal of more rows than who asked would have. */
export function tooManyRows(rows: number): Response {
  return refusalResponse(400, {
    code: "PGRST124",
    message: "Query result exceeds max-affected preference constraint",
    details: `The query affects ${rows} rows`,
    hint: null,
  });
}

/** The answer to a call: what the function answered, with the status and headers that it asked for. */
export function callAnswer(
  row: Row,
  kind: Kind,
  { isObject, preferences }: { isObject: boolean; preferences: Preferences },
): Response {
  const { isCounted } = preferences;
  const said = { status: row.status ?? null, headers: row.headers ?? null };
  const rows = Number(row.rows);
  const total = isCounted ? Number(row.total) : null;
  const headers = {
    "content-range": contentRange(0, rows, total),
    ...applied({ ...preferences, returned: null }),
  };
  if (kind === "nothing") return asSaid({ status: 204, body: null, headers }, said);
  const isMany = kind === "rows" || kind === "values";
  if (isMany && isObject && rows !== 1) return notOneRow(rows);
  const body = row.body ?? "null";
  return asSaid(
    {
      status: total !== null && total > rows ? 206 : 200,
      body: isMany && isObject ? onlyItem(body) : body,
      headers: { ...headers, ...(isObject && { "content-type": `${OBJECT}; charset=utf-8` }) },
    },
    said,
  );
}
