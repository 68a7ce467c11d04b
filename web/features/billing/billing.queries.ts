import { queryOptions } from "@tanstack/react-query";
import { type BillingOverview, billingOverview, previewResponse } from "#domain/schemas/billing.ts";
import { dataError, functionError } from "../../lib/app-error.ts";
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
export function isSubscribed(overview: BillingOverview): overview is Subscriber {
  return overview !== null && overview.subscription_id !== null && overview.status !== "canceled";
}

/** An organisation whose subscription can be changed. */
export type Subscriber = NonNullable<BillingOverview> & { subscription_id: string };

/** Key of every preview of a change of plan. */
export const PREVIEW_KEY = "subscription-preview";

/**
 * Query of the present cost of a change of price: refetched on each visit, since it falls by the
 * second.
 */
export function previewQuery(supabase: Supabase, subscriber: Subscriber | null, price = "") {
  return queryOptions({
    queryKey: [PREVIEW_KEY, subscriber?.subscription_id, price],
    enabled: subscriber !== null && price !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => {
      const { data, error } = await supabase.functions.invoke("update-subscription", {
        body: {
          price_id: price,
          org_id: subscriber?.org_id,
          subscription_id: subscriber?.subscription_id,
          preview: true,
        },
      });
      if (error) throw await functionError(error);
      return previewResponse.parse(data);
    },
  });
}
