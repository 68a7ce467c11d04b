import { useMutation } from "@tanstack/react-query";
import { codeLookup, redeemResponse } from "#domain/schemas/journey.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError, functionError } from "../../lib/app-error.ts";
import { restoreCode } from "../../lib/restore-code.ts";

type CodeAtStore = { code: string; storeId: string };

/** Asks what a code is. A mutation, though it changes nothing: every asking must reach the server. */
export function useLookupCode() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ code, storeId }: CodeAtStore) => {
      const answer = await supabase.rpc("lookup_code", { p_code: code, p_store_id: storeId });
      if (answer.error) throw dataError(answer);
      return codeLookup.parse(answer.data);
    },
  });
}

/** Uses a code. Only the server's word counts: nothing is shown as done before it. */
export function useRedeemCode() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ code, storeId }: CodeAtStore) => {
      const { data, error } = await supabase.functions.invoke("redeem", {
        body: { code, store_id: storeId },
      });
      if (error) throw await functionError(error);
      return redeemResponse.parse(data);
    },
  });
}

/** Takes back that a code was used. */
export function useUndoRedemption() {
  const { supabase } = useApp();
  return useMutation({ mutationFn: (id: string) => restoreCode(supabase, id) });
}
