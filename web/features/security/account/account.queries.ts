import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  accountCopy,
  accountDeletion,
  accountDeletionOutcome,
} from "#domain/schemas/own-account.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, dataError, NO_DATA } from "../../../lib/app-error.ts";
import { download } from "../../../lib/download.ts";
import { formatFileDay } from "../../../lib/format.ts";
import type { Supabase } from "../../../lib/supabase.ts";
import { accountCopy as copy } from "./account.copy.ts";

const KEY = ["security", "account"];

/** Summary of what goes with one's account, what stays, and what holds it back. */
export function accountQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: KEY,
    staleTime: 0,
    // The ownership may have been handed on meanwhile, and the plan cancelled in the portal.
    refetchOnWindowFocus: true,
    queryFn: async () => {
      const answer = await supabase.rpc("account_deletion_summary");
      if (answer.error) throw dataError(answer);
      return accountDeletion.parse(answer.data);
    },
  });
}

/** Downloads everything that is kept of one's account. */
export function useCopyData() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("copy_account_data");
      if (answer.error) throw dataError(answer);
      const { outcome, retry_after, data } = accountCopy.parse(answer.data);
      if (outcome !== "copied") throw new AppError(outcome, { retryAfter: retry_after ?? null });
      if (!data) throw new AppError(NO_DATA);
      const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
      download(file, copy.copy.file(formatFileDay(new Date())));
    },
  });
}

/** Deletes one's account, in a session that has just been proven. */
export function useDeleteAccount(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (client: Supabase) => {
      const answer = await client.rpc("delete_account", { p_id: userId });
      if (answer.error) throw dataError(answer);
      const { outcome, retry_after } = accountDeletionOutcome.parse(answer.data);
      if (outcome !== "deleted") throw new AppError(outcome, { retryAfter: retry_after ?? null });
    },
    // Somebody else of two owners may have gone first.
    onError: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
}
