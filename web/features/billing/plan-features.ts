import { PLAN_LIMITS, type Plan } from "#domain/rules/plans.ts";
import { formatNumber } from "../../lib/format.ts";
import { pricingCopy } from "./pricing.copy.ts";

const copy = pricingCopy.features;

/** What a plan includes, in lines. */
export function featuresOf(plan: Plan): readonly string[] {
  const { campaigns, spins, users } = PLAN_LIMITS[plan];
  return [
    campaigns < 0
      ? copy.unlimitedCampaigns
      : copy.campaigns(formatNumber(campaigns), campaigns > 1),
    spins < 0 ? copy.unlimitedSpins : copy.spins(formatNumber(spins)),
    users < 0 ? copy.unlimitedUsers : copy.users(formatNumber(users)),
    ...copy.own[plan],
  ];
}
