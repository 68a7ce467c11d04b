import type { Plan } from "#domain/rules/plan-names.ts";

/** Names of the plans (specification, section 9). */
export const planNames: Readonly<Record<Plan, string>> = {
  free_trial: "Essai gratuit",
  basic: "Basic",
  pro: "Pro",
};
