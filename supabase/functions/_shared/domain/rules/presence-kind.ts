import * as z from "zod/mini";

/** How a campaign lets customers show that they are in the store: a turning code, a word of the day, digits of a receipt. */
export const presenceKind = z.enum(["turning", "word", "receipt"]);
