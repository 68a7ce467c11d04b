import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ApiScope, newApiKey } from "#domain/schemas/api-keys.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";
import { API_KEYS } from "./api-keys.queries.ts";

/** A key to be: blank is every store, and no end. */
export type KeyForm = { name: string; scope: ApiScope; storeId: string; days: string };

/** Creates a key, which only this answer contains. */
export function useCreateKey() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    // Kept no longer than the dialog that shows it.
    gcTime: 0,
    mutationFn: async ({ name, scope, storeId, days }: KeyForm) => {
      const expiry = days && new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      const answer = await supabase.rpc("create_api_key", {
        p_name: name,
        p_scope: scope,
        ...(scope === "redeem" && storeId && { p_store_id: storeId }),
        ...(expiry && { p_expires_at: expiry }),
      });
      if (answer.error) throw dataError(answer);
      return newApiKey.parse(answer.data);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [API_KEYS] }),
  });
}

/** Revokes a key. */
export function useRevokeKey() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase.rpc("revoke_api_key", { p_id: id });
      if (answer.error) throw dataError(answer);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [API_KEYS] }),
  });
}
