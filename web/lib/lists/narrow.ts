import type * as z from "zod/mini";

/**
 * Filters with some changed, as the address would hold them; undefined is no filter. Null where the schema refuses what the
 * controls say.
 */
export function narrow<Filters extends object>(
  schema: z.ZodMiniType<Filters>,
  filters: Filters,
  changed: Record<string, unknown>,
): Filters | null {
  const wanted = Object.fromEntries(
    Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined),
  );
  const judged = schema.safeParse(wanted);
  return judged.success ? judged.data : null;
}
