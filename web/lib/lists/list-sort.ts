import * as z from "zod/mini";

/** The order of a list as its address holds it: a column that its function in SQL sorts by, with a minus before it for the greatest first. */
export function listSort(keys: readonly string[]) {
  const orders = keys.flatMap((key) => [key, `-${key}`]);
  return z.catch(z.optional(z.enum(orders)), undefined);
}
