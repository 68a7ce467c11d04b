import type { Context } from "hono";
import { z } from "zod";
import { AuthError, invalid } from "./errors.ts";

/** Reads the JSON body of a call; an empty one is an empty object, as many clients mean it. */
export async function readBody<Output>(
  context: Context,
  schema: z.ZodType<Output>,
): Promise<Output> {
  const text = await context.req.text();
  let value: unknown = {};
  if (text.trim() !== "") {
    try {
      value = JSON.parse(text);
    } catch {
      throw new AuthError(400, "bad_json", "Could not parse request body as JSON");
    }
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") || "body";
  throw invalid(`Request body is not valid: ${field}`);
}

const HIGHEST_FIELD_LENGTH = 4096;

/** A text field that may be missing, null or empty, all of which mean « not given ». */
export const optionalText = z
  .string()
  .max(HIGHEST_FIELD_LENGTH)
  .nullish()
  .transform((text) => text ?? "");
