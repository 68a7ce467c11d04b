import * as z from "zod/mini";
import { billing, paidPlan } from "#domain/rules/plan-names.ts";

/**
 * Plan that the user wants to buy, as addresses say it (specification, section 2.4): of
 * `/checkout`, and of the way there without an organisation.
 */
export const wantedPlan = z.object({
  plan: z.catch(z.optional(paidPlan), undefined),
  billing: z.catch(z.optional(billing), undefined),
});
export type WantedPlan = z.infer<typeof wantedPlan>;
