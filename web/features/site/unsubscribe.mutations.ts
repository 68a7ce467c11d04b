import { useMutation } from "@tanstack/react-query";
import type { UnsubscribeRequest } from "#domain/schemas/unsubscribe-request.ts";
import { useApp } from "../../lib/app-context.ts";
import { functionError } from "../../lib/app-error.ts";

/** Ends what a link of a mail is about. */
export function useUnsubscribe() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (request: UnsubscribeRequest) => {
      const query = new URLSearchParams(request);
      const { error } = await supabase.functions.invoke(`unsubscribe?${query}`, { method: "POST" });
      if (error) throw await functionError(error);
    },
  });
}
