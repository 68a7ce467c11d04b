import { queryOptions } from "@tanstack/react-query";
import { type BillingOverview, billingOverview } from "#domain/billing.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** The organisation's subscription, as the pages about plans need it. */
export function billingQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["subscriptions", "overview"],
    staleTime: 0,
    queryFn: async () => {
      const answer = await supabase.rpc("billing_overview");
      if (answer.error) throw dataError(answer);
      return billingOverview.parse(answer.data);
    },
  });
}

/** Whether there is a subscription at the provider to change. */
export function isSubscribed(
  overview: BillingOverview,
): overview is NonNullable<BillingOverview> & { subscription_id: string } {
  return overview !== null && overview.subscription_id !== null && overview.status !== "canceled";
}
