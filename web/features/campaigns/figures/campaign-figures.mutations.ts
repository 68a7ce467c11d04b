import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, dataError, errorMessage } from "../../../lib/app-error.ts";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.basket;

/**
 * Saves what a customer of a store spends; every campaign of the store is judged by it. `before` is what stood there when it was
 * read; null when nothing.
 */
export function useSaveBasket(storeId: string, before: number | null) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (basket: number | null) => {
      const answer = await supabase.rpc("set_average_basket", {
        p_store_id: storeId,
        ...(before !== null && { p_before: before }),
        ...(basket !== null && { p_basket: basket }),
      });
      if (answer.error) throw dataError(answer);
    },
    // After a refusal too: somebody else has changed it.
    onSettled: () =>
      Promise.all(
        [["campaigns", "stats"], ["dashboard"]].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Why it was not saved. */
export function basketFailure(error: unknown): string {
  const own = { TV070: copy.conflict, forbidden: copy.forbidden, "23514": copy.rule };
  return error instanceof AppError && error.code === "network"
    ? errorMessage(error)
    : errorMessage(error, { ...own, unknown: copy.failed });
}
