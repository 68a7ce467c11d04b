import { queryOptions } from "@tanstack/react-query";
import { publicRatingAnswer } from "#domain/schemas/public-rating.ts";
import { functionError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";
import { STORES } from "../stores.queries.ts";

/**
 * Query of Google's present figures of a store, or the reason why they were not asked for. Each
 * call may cost: one a visit.
 */
export function googleFiguresQuery(supabase: Supabase, storeId: string) {
  return queryOptions({
    queryKey: [STORES, "google", storeId],
    queryFn: async () => {
      const { data, error } = await supabase.functions.invoke<unknown>("public-rating", {
        body: { store_id: storeId },
      });
      if (error) throw await functionError(error);
      return publicRatingAnswer.parse(data);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
