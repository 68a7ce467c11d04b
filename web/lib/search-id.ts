import * as z from "zod/mini";

/** An identifier that an address may carry; whatever is none is left out. */
export const searchId = z.catch(z.optional(z.uuid()), undefined);
