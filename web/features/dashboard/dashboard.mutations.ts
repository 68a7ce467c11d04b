import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";

/** Takes the bad reviews up to an instant off what is to do next. */
export function useMarkSeen(orgId: string) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (until: string) => {
      const answer = await supabase.rpc("mark_bad_reviews_seen", {
        p_org_id: orgId,
        p_until: until,
      });
      if (answer.error) throw dataError(answer);
    },
    // The button waits until what comes next stands in its place, and hands on the focus before it goes.
    onSuccess: () => {
      document.getElementById("content")?.focus({ preventScroll: true });
      return queryClient.invalidateQueries({ queryKey: ["dashboard", orgId] });
    },
  });
}
