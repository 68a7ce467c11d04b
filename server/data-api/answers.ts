import { z } from "zod";
import { OPEN_HEADERS, refusalResponse } from "../supabase-lite/refusals.ts";

/** Type of an answer that is one row. */
export const OBJECT = "application/vnd.pgrst.object+json";

/** A body of JSON, or none. */
export function answer(
  status: number,
  body: string | null,
  headers: Readonly<Record<string, string>>,
): Response {
  if (body === null)
    return new Response(null, { status, headers: { ...OPEN_HEADERS, ...headers } });
  return new Response(body, {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      ...OPEN_HEADERS,
      ...headers,
    },
  });
}

/** `0-19/20`, as PostgREST counts rows. */
export function contentRange(first: number, rows: number, total: number | null): string {
  const range = rows > 0 ? `${first}-${first + rows - 1}` : "*";
  return `${range}/${total ?? "*"}`;
}

/** The refusal of a single row where there is none, or several. */
export function notOneRow(rows: number): Response {
  return refusalResponse(406, {
    code: "PGRST116",
    message: "Cannot coerce the result to a single JSON object",
    details: `The result contains ${rows} rows`,
    hint: null,
  });
}

/** Status and headers that a function may set on the answer. */
const saidStatus = z
  .string()
  .regex(/^[2-5]\d\d$/)
  .transform(Number);

const saidHeaders = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("no JSON");
      return z.NEVER;
    }
  })
  .pipe(
    z.array(z.record(z.string(), z.string()).refine((header) => Object.keys(header).length === 1)),
  );

/** Statuses whose answers have no body. */
const BARE = new Set([204, 205, 304]);

/** An answer with the status and the headers that a function gave it (`response.status`, `response.headers`). */
export function asSaid(
  plain: { status: number; body: string | null; headers: Readonly<Record<string, string>> },
  said: { status: string | null; headers: string | null },
): Response {
  const status = said.status ? saidStatus.safeParse(said.status).data : plain.status;
  if (status === undefined) {
    const message = "response.status guc must be a valid status code";
    return refusalResponse(500, { code: "PGRST112", message, details: null, hint: null });
  }
  const headers = said.headers ? saidHeaders.safeParse(said.headers).data : [];
  const response =
    headers &&
    withHeaders(answer(status, BARE.has(status) ? null : plain.body, plain.headers), headers);
  if (response) return response;
  const message =
    "response.headers guc must be a JSON array composed of objects with a single key and a string value";
  return refusalResponse(500, { code: "PGRST111", message, details: null, hint: null });
}

/** The same answer with more headers; null where one of them can be none. */
function withHeaders(
  response: Response,
  headers: readonly Readonly<Record<string, string>>[],
): Response | null {
  try {
    for (const [name, value] of headers.flatMap(Object.entries<string>)) {
      response.headers.set(name, value);
    }
    return response;
  } catch {
    return null;
  }
}
