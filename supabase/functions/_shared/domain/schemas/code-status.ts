import * as z from "zod/mini";

/** State of a code at an instant (specification, section 4.4): still good, redeemed at a till, or over. */
export const codeStatus = z.enum(["available", "used", "expired"]);

/** What the list of codes can be narrowed down to: a state, or what a check led to. */
export const codeListStatus = z.enum(["available", "used", "expired", "held", "cancelled"]);
export type CodeListStatus = z.infer<typeof codeListStatus>;
