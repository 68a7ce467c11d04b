import type * as z from "zod/mini";
import { MAX_BODY_BYTES } from "../domain/rules/constants.ts";
import { refuse } from "./respond.ts";
import { parseStorable } from "./storable-json.ts";

/** A parsed body, or the answer that refuses it. */
export type Parsed<T> = { ok: true; body: T } | { ok: false; response: Response };

/**
 * Reads a request's JSON body with a schema. Refuses more than 64 KiB (413) before and while
 * reading, and anything that is not JSON of that shape, unknown fields included, or cannot be
 * stored (400, with the paths of the fields).
 */
export async function parseBody<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): Promise<Parsed<z.infer<Schema>>> {
  const text = await readLimited(request);
  if (text === null) return { ok: false, response: refuse("body_too_large") };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, response: refuse("invalid_request") };
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, body: result.data };
  const fields = [...new Set(result.error.issues.flatMap(pathsOf))];
  return { ok: false, response: refuse("invalid_request", { details: { fields } }) };
}

/** The body's text; null beyond 64 KiB, whatever the headers claim; empty when its sender went away, or was too slow. */
export async function readLimited(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return null;
  // The client is gone and gets no answer, and the function has not failed.
  const text = await request.text().catch(() => "");
  // A character takes one to three bytes here: only what lies between needs counting.
  if (text.length > MAX_BODY_BYTES) return null;
  if (text.length * 3 <= MAX_BODY_BYTES) return text;
  return new TextEncoder().encode(text).byteLength > MAX_BODY_BYTES ? null : text;
}

function parseJson(text: string): unknown {
  try {
    return parseStorable(text);
  } catch {
    return undefined;
  }
}

/** Names of the fields that an issue is about; an unknown field is named itself. */
function pathsOf(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => [...path, key].join("."));
  }
  if (issue.code === "invalid_union") {
    // The alternative that the sender came nearest to.
    const nearest = [...issue.errors].sort((one, other) => one.length - other.length)[0] ?? [];
    return nearest.flatMap(pathsOf);
  }
  return [path.join(".")];
}
