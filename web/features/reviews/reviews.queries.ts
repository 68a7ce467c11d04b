import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ReviewFilters, reviewDetail, reviewInbox } from "#domain/schemas/reviews.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First word of every key of this feature. */
export const REVIEWS = "reviews";

/** View in the inbox's address: filters, the page, and the review that is read or answered. */
export type InboxView = {
  filters: ReviewFilters;
  after?: string | undefined;
  before?: string | undefined;
  review?: string | undefined;
  isAnswering: boolean;
};

/** A colleague may be at work in the same list. */
const FRESH_MS = 15_000;

/** A page of the reviews. */
export function inboxQuery(
  supabase: Supabase,
  orgId: string,
  { filters, after, before }: Pick<InboxView, "filters" | "after" | "before">,
) {
  return queryOptions({
    queryKey: [REVIEWS, "list", orgId, { filters, after, before }],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .rpc("review_inbox", {
          p_org_id: orgId,
          p_filters: filters,
          ...(after && { p_after: after }),
          ...(before && { p_before: before }),
        })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return reviewInbox.parse(answer.data);
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchOnWindowFocus: true,
  });
}

/** Everything of one review; null when there is none. */
export function reviewQuery(supabase: Supabase, reviewId: string) {
  return queryOptions({
    queryKey: [REVIEWS, "detail", reviewId],
    queryFn: async ({ signal }) => {
      const answer = await supabase.rpc("review_detail", { p_id: reviewId }).abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return reviewDetail.parse(answer.data);
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}
