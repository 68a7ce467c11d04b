import * as z from "zod/mini";

/** State of a code at an instant (specification, section 4.4): still good, redeemed at a till, or over. */
export const codeStatus = z.enum(["available", "used", "expired"]);

/** Filter of the list of codes: a state, or the verdict of a check. */
export const codeListStatus = z.enum(["available", "used", "expired", "held", "cancelled"]);
export type CodeListStatus = z.infer<typeof codeListStatus>;
