import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { campaignStats } from "#domain/schemas/campaign-stats.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";

const askedReview = z.nullable(
  z.object({
    rating: z.number(),
    review_text: z.nullable(z.string()),
    created_at: z.string(),
    customer_name: z.nullable(z.string()),
  }),
);
export type AskedReview = NonNullable<z.infer<typeof askedReview>>;

/** One review with its words; null when the reader may see none there. */
export function askedReviewQuery(supabase: Supabase, campaignId: string, id: string) {
  return queryOptions({
    queryKey: ["campaigns", "review", campaignId, id],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .from("pre_spin_reviews")
        .select("rating, review_text, created_at, customer_name")
        .eq("id", id)
        .eq("campaign_id", campaignId)
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return askedReview.parse(answer.data[0] ?? null);
    },
  });
}

/** Figures of a campaign, in one request; null when there is no such campaign. */
export function campaignStatsQuery(supabase: Supabase, campaignId: string) {
  return queryOptions({
    queryKey: ["campaigns", "stats", campaignId],
    queryFn: async ({ signal }) => {
      // Text in the address may be no identifier at all.
      if (!z.guid().safeParse(campaignId).success) return null;
      const answer = await supabase
        .rpc("campaign_stats", { p_campaign_id: campaignId })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return campaignStats.parse(answer.data);
    },
  });
}
