import * as z from "zod/mini";

/** The plans of an organisation (specification, section 9). */
export const plan = z.enum(["free_trial", "basic", "pro"]);
export type Plan = z.infer<typeof plan>;

/** The plans that one pays for. */
export const paidPlan = z.enum(["basic", "pro"]);
export type PaidPlan = z.infer<typeof paidPlan>;

/** How often one pays. */
export const billing = z.enum(["monthly", "yearly"]);
export type Billing = z.infer<typeof billing>;
