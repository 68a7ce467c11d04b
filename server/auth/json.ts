import type { JSONValue } from "postgres";
import { z } from "zod";

/** A JSON object of unknown fields: metadata of users and identities. */
export type JsonObject = { [field: string]: JSONValue };

const jsonValue: z.ZodType<JSONValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(jsonValue),
    z.record(z.string(), jsonValue),
  ]),
);

/** Reads such an object. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), jsonValue);

/**
 * Limit of the metadata that a person gives about themselves: it travels in every token, and
 * servers bound their headers.
 */
const METADATA_MAX_LENGTH = 4_000;

/** Whether metadata is short enough to travel. */
export function isShort(data: JsonObject): boolean {
  return JSON.stringify(data).length <= METADATA_MAX_LENGTH;
}

/** Reads such metadata; none is an empty object. */
export const metadata = jsonObject
  .nullish()
  .transform((data) => data ?? {})
  .refine(isShort);
