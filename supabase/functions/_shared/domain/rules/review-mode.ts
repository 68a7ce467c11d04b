import * as z from "zod/mini";

/** Whether a store sends everybody, or only satisfied customers, to its public reviews page. */
export const reviewMode = z.enum(["compliant", "gating"]);
export type ReviewMode = z.infer<typeof reviewMode>;
