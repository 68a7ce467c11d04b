import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Billing, PaidPlan } from "#domain/rules/plan-names.ts";
import {
  type BillingOverview,
  checkoutResponse,
  type Preview,
  updateResponse,
} from "#domain/schemas/billing.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, functionError, NETWORK } from "../../lib/app-error.ts";
import { isSubscribed, PREVIEW_KEY } from "./billing.queries.ts";
import { checkoutCopy } from "./checkout/checkout.copy.ts";
import type { Bill } from "./checkout/use-due.ts";

const copy = checkoutCopy.errors;

/** A failure that has its own sentence. */
class PaymentError extends Error {}

/** Sentence for a payment that failed (specification, section 8). */
export function paymentProblem(error: unknown, say: (error: unknown) => string): string {
  if (error instanceof PaymentError) return error.message;
  if (error instanceof AppError && error.code !== NETWORK && error.code !== "unknown") {
    return say(error);
  }
  return copy.preparing;
}

/** The amount that was shown is no longer what would be charged. */
const OUTDATED = "preview_outdated";

type Order = {
  overview: NonNullable<BillingOverview>;
  plan: PaidPlan;
  billing: Billing;
  price: string;
  campaignIds: string[];
  /**
   * Preview of the change that the person saw; null for a first payment, whose page shows it again.
   */
  preview: Preview | null;
  bill: Bill;
};

/** Changes the subscription at once, or leads to the provider's page for the first payment. */
export function usePay() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    onError: (error) => {
      if (!(error instanceof AppError) || error.code !== OUTDATED) return;
      void queryClient.invalidateQueries({ queryKey: [PREVIEW_KEY] });
    },
    mutationFn: async ({ overview, plan, billing, price, campaignIds, preview }: Order) => {
      const order = {
        price_id: price,
        org_id: overview.org_id,
        ...(campaignIds.length > 0 && { campaign_ids: campaignIds }),
      };
      if (isSubscribed(overview)) {
        const { data, error } = await supabase.functions.invoke("update-subscription", {
          body: {
            ...order,
            subscription_id: overview.subscription_id,
            preview_id: preview?.preview_id,
            proration_date: preview?.proration_date,
          },
        });
        if (error) throw await functionError(error);
        if (updateResponse.safeParse(data).data?.success !== true) {
          throw new PaymentError(copy.updateFailed);
        }
        // Nothing is left to be shown beforehand.
        await queryClient.invalidateQueries({
          predicate: ({ queryKey }) => queryKey[0] !== PREVIEW_KEY,
        });
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
