import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";

/** Takes a review off what is to do next, or puts it back; `onDone` is called before the list is refetched. */
export function useMarkReview(orgId: string, id: string, onDone: (isSeen: boolean) => void) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (isSeen: boolean) => {
      const answer = await supabase.rpc("mark_review_seen", {
        p_review_id: id,
        p_is_seen: isSeen,
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: (_nothing, isSeen) => {
      onDone(isSeen);
      void queryClient.invalidateQueries({ queryKey: ["dashboard", orgId] });
      void queryClient.invalidateQueries({ queryKey: ["reviews"] });
      void queryClient.invalidateQueries({ queryKey: ["workspace"] });
    },
  });
}
