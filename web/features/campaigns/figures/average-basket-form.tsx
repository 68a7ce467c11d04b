import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, dataError, errorMessage } from "../../../lib/app-error.ts";
import { euroText, readCents } from "../../../lib/read-cents.ts";
import { useMay } from "../../../lib/use-may.ts";
import { AmountForm } from "../../../ui/forms/amount-form.tsx";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.basket;

type AverageBasketFormProps = { storeId: string; storeName: string; basket: number | null };

/** Average amount that a customer spends on a visit. */
export function AverageBasketForm({ storeId, storeName, basket }: AverageBasketFormProps) {
  const save = useSaveBasket(storeId, basket);
  if (!useMay().may("stores.write")) return null;
  return (
    <AmountForm
      copy={copy}
      hint={copy.hint(storeName)}
      text={euroText(basket)}
      read={readBasket}
      save={save}
      failure={basketFailure}
    />
  );
}

/** An average basket as it was typed, « 24,50 », in euros; null when blank, undefined when invalid; 0 is invalid. */
export function readBasket(typed: string): number | null | undefined {
  if (/^[\s€]*$/.test(typed)) return null;
  const cents = readCents(typed);
  return cents ? cents / 100 : undefined;
}

/**
 * Saves what a customer of a store spends; every campaign of the store is judged by it. `before` is the value when it was
 * read; null when nothing.
 */
function useSaveBasket(storeId: string, before: number | null) {
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
    // After a refusal too: another user has changed it.
    onSettled: () =>
      Promise.all(
        [["campaigns", "stats"], ["dashboard"]].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Why it was not saved. */
function basketFailure(error: unknown): string {
  const own = { TV070: copy.conflict, forbidden: copy.forbidden, "23514": copy.rule };
  return error instanceof AppError && error.code === "network"
    ? errorMessage(error)
    : errorMessage(error, { ...own, unknown: copy.failed });
}
