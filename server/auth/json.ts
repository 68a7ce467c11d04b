import type { JSONValue } from "postgres";
import { z } from "zod";

/** An object of JSON whose fields nobody has promised: metadata of users and identities. */
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
