import type { Context } from "hono";
import { z } from "zod";
import { AuthError, invalid } from "./errors.ts";

/** Reads the JSON body of a call; an empty one is an empty object, as many clients mean it. */
export async function readBody<Output>(
  context: Context,
  schema: z.ZodType<Output>,
): Promise<Output> {
  const text = await context.req.text();
  const value = text.trim() === "" ? {} : parse(text);
  if (!isSound(value)) throw invalid("Request body is not valid: body");
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") || "body";
  throw invalid(`Request body is not valid: ${field}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AuthError(400, "bad_json", "Could not parse request body as JSON");
  }
}

/** Deeper than anybody means it: what reads a value follows it down, and would run out of stack. */
const DEEPEST = 50;

/** Whether PostgreSQL can store what a body says: it takes no NUL and no half of a surrogate pair. */
function isSound(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return !value.includes("\0") && !/\p{Surrogate}/u.test(value);
  if (typeof value !== "object" || value === null) return true;
  return (
    depth < DEEPEST &&
    Object.entries(value).every(([name, inner]) => isSound(name) && isSound(inner, depth + 1))
  );
}

const HIGHEST_FIELD_LENGTH = 4096;

/** A text field that may be missing, null or empty, all of which mean « not given ». */
export const optionalText = z
  .string()
  .max(HIGHEST_FIELD_LENGTH)
  .nullish()
  .transform((text) => text ?? "");
