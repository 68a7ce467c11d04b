import { expect } from "vitest";
import type * as z from "zod/mini";

/** Reads an answer with the schema that the pages read it with; the schema has to name everything in it. */
export function whole<Schema extends z.ZodMiniType>(
  schema: Schema,
  answer: unknown,
): z.infer<Schema> {
  const read = schema.parse(answer);
  expect(read).toEqual(answer);
  return read;
}
