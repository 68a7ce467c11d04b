import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type BillingOverview, checkoutResponse, updateResponse } from "#domain/billing.ts";
import type { Billing, PaidPlan } from "#domain/plans.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, functionError, NETWORK } from "../../lib/app-error.ts";
import { isSubscribed } from "./billing.queries.ts";
import { checkoutCopy } from "./checkout.copy.ts";

const copy = checkoutCopy.errors;

/** A failure that has its own sentence. */
class PaymentError extends Error {}

/** What a person reads of a payment that did not come about (specification, section 8). */
export function paymentProblem(error: unknown, say: (error: unknown) => string): string {
  if (error instanceof PaymentError) return error.message;
  if (error instanceof AppError && error.code !== NETWORK && error.code !== "unknown") {
    return say(error);
  }
  return copy.preparing;
}

type Order = {
  overview: NonNullable<BillingOverview>;
  plan: PaidPlan;
  billing: Billing;
  price: string;
  campaignIds: string[];
};

/** Changes the subscription at once, or leads to the provider's page for the first payment. */
export function usePay() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ overview, plan, billing, price, campaignIds }: Order) => {
      const order = {
        price_id: price,
        org_id: overview.org_id,
        ...(campaignIds.length > 0 && { campaign_ids: campaignIds }),
      };
      if (isSubscribed(overview)) {
        const { data, error } = await supabase.functions.invoke("update-subscription", {
          body: { ...order, subscription_id: overview.subscription_id },
        });
        if (error) throw await functionError(error);
        if (updateResponse.safeParse(data).data?.success !== true) {
          throw new PaymentError(copy.updateFailed);
        }
        await queryClient.invalidateQueries();
        return "changed" as const;
      }
      const back = (payment: string) =>
        new URL(`/checkout?plan=${plan}&billing=${billing}&payment=${payment}`, location.origin)
          .href;
      const { data, error } = await supabase.functions.invoke("checkout", {
        body: { ...order, success_url: back("done"), cancel_url: back("canceled") },
      });
      if (error) throw await functionError(error);
      const url = checkoutResponse.safeParse(data).data?.checkout_url;
      if (!url) throw new PaymentError(copy.noUrl);
      window.location.assign(url);
      return "leaving" as const;
    },
  });
}
