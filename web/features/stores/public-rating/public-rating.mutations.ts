import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { dataError } from "../../../lib/app-error.ts";
import { STORES } from "../stores.queries.ts";

/** New figures are shown with the store's and on the dashboard. */
function useForget() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [[STORES, "stats"], [STORES, "google"], ["dashboard"]].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
}

/** Writes down what a store's public page shows today. */
export function useSaveRating(storeId: string) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async ({ rating, reviews }: { rating: number; reviews: number }) => {
      const answer = await supabase.rpc("set_public_rating", {
        p_store_id: storeId,
        p_rating: rating,
        p_reviews: reviews,
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: forget,
  });
}

/** Takes away what was typed in on a day. */
export function useRemoveRating(storeId: string) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (day: string) => {
      const answer = await supabase.rpc("remove_public_rating", {
        p_store_id: storeId,
        p_day: day,
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: forget,
  });
}
