import * as z from "zod/mini";

/** Something that the search through everything leads to. */
export const foundThing = z.object({
  kind: z.enum(["campaign", "customer", "code", "reward", "store"]),
  id: z.uuid(),
  title: z.string(),
  /** Mark that distinguishes it from another of its name: a store, an e-mail, an address. */
  detail: z.nullable(z.string()),
  /** Of a code: its reward. */
  parent_id: z.nullable(z.uuid()),
});
export type FoundThing = z.infer<typeof foundThing>;

/** Answer of the SQL function `find_anything`, kind by kind. */
export const foundThings = z.array(foundThing);
