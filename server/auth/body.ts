import type { Context } from "hono";
import { z } from "zod";
import {
  NotStorableError,
  parseStorable,
} from "../../supabase/functions/_shared/http/storable-json.ts";
import { AuthError, invalid } from "./errors.ts";

/** Reads the JSON body of a call; an empty one is an empty object, as many clients mean it. */
export async function readBody<Output>(
  context: Context,
  schema: z.ZodType<Output>,
): Promise<Output> {
  const text = await context.req.text().catch(() => {
    // The client disconnected, or was too slow: it gets no answer, and the server has not failed.
    throw new AuthError(400, "bad_json", "Could not read request body");
  });
  const value = text.trim() === "" ? {} : parse(text);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") || "body";
  throw invalid(`Request body is not valid: ${field}`);
}

function parse(text: string): unknown {
  try {
    return parseStorable(text);
  } catch (error) {
    if (error instanceof NotStorableError) throw invalid("Request body is not valid: body");
    throw new AuthError(400, "bad_json", "Could not parse request body as JSON");
  }
}

const FIELD_MAX_LENGTH = 4096;

/** A text field that may be missing, null or empty, all of which mean « not given ». */
export const optionalText = z
  .string()
  .max(FIELD_MAX_LENGTH)
  .nullish()
  .transform((text) => text ?? "");
