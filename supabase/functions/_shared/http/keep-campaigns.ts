import type { PaidPlan } from "../domain/rules/plan-names.ts";
import type { BillingWork } from "./with-billing.ts";

/** Whether a plan has room for the active campaigns, or those to keep were named: the rest will rest. */
export async function keepCampaigns(
  { sql, account }: BillingWork,
  plan: PaidPlan,
  campaignIds: readonly string[] = [],
): Promise<boolean> {
  const [row] = await sql<{ outcome: string }[]>`
    select public.keep_campaigns(${account.org_id}, ${plan}, ${sql.array([...campaignIds], 2950)}) as outcome`;
  return row?.outcome === "fits";
}
