import * as z from "zod/mini";

/** An optional identifier in the URL; an invalid one is ignored. */
export const searchId = z.catch(z.optional(z.uuid()), undefined);
