import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Billing, PaidPlan } from "#domain/rules/plans.ts";
import type { BillingOverview } from "#domain/schemas/billing.ts";
import { useApp } from "../../lib/app-context.ts";
import { billingQuery, isSubscribed } from "./billing.queries.ts";

/** How often one looks whether the payment has arrived. */
const POLL_MS = 1_500;

/** The organisation's subscription, and whether a plan that was paid for at the provider has arrived in it. */
export function useOverview(
  plan: PaidPlan,
  billing: Billing,
  isPaid: boolean,
): { query: UseQueryResult<BillingOverview>; hasArrived: boolean } {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...billingQuery(supabase),
    // The provider tells us of a payment by itself, a moment later.
    refetchInterval: ({ state: { data } }) =>
      isPaid && !(data?.plan === plan && data.billing === billing) ? POLL_MS : false,
  });
  const { data } = query;
  const hasArrived =
    isPaid &&
    data !== undefined &&
    isSubscribed(data) &&
    data.plan === plan &&
    data.billing === billing;
  useEffect(() => {
    if (hasArrived) void queryClient.invalidateQueries({ queryKey: ["workspace"] });
  }, [hasArrived, queryClient]);
  return { query, hasArrived };
}
