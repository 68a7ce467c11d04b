import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PushSettings } from "#domain/schemas/settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";
import { turnOff, turnOn } from "../../lib/push/push-device.ts";
import { PUSH } from "./push.queries.ts";

/** Has this browser told. */
export function useTurnOn(orgId: string) {
  const app = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => turnOn(app, orgId),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [PUSH] }),
  });
}

/** Removes a device from the list; this browser also cancels its subscription. */
export function useRemoveDevice() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, is_current }: PushSettings["devices"][number]) => {
      const answer = await supabase.rpc("remove_push_device", { p_id: id });
      if (answer.error) throw dataError(answer);
      if (is_current) await turnOff();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [PUSH] }),
  });
}

/** Saves which notifications the user's devices receive. */
export function useSaveKinds(orgId: string) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (kinds: Pick<PushSettings, "low_ratings" | "low_stock">) => {
      const answer = await supabase.rpc("save_push_kinds", {
        p_org_id: orgId,
        p_low_ratings: kinds.low_ratings,
        p_low_stock: kinds.low_stock,
      });
      if (answer.error) throw dataError(answer);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [PUSH] }),
  });
}

/** Remembers that one was asked, whatever the answer. */
export function useAnswerQuestion(orgId: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("answer_push_question", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
    },
  });
}
