import { useMutation, useQueryClient } from "@tanstack/react-query";
import { savedCampaign } from "#domain/schemas/campaigns.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";
import type { CampaignWrite } from "./editor.schema.ts";

/** Conflict: another user saved a newer version. */
export const CONFLICT = "TV062";

/** A campaign is seen in lists everywhere; the form itself keeps what was typed. */
function useForget() {
  const queryClient = useQueryClient();
  return () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [first, second] }) =>
        second !== "editor" &&
        (first === "campaigns" ||
          first === "dashboard" ||
          first === "stores" ||
          first === "rewards"),
    });
}

/** Saves a version of a campaign with its wheel: all of it or nothing. */
export function useSaveCampaign(id: string) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async ({ version, write }: { version: number; write: CampaignWrite }) => {
      const answer = await supabase.rpc("save_campaign", {
        p_id: id,
        p_version: version,
        ...write,
      });
      if (answer.error) throw dataError(answer);
      return savedCampaign.parse(answer.data);
    },
    // The lists are refetched while the success message shows.
    onSuccess: () => void forget(),
  });
}

/** Takes a campaign out of the archive. */
export function useRestoreCampaign(id: string) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("restore_campaign", { p_id: id });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: () => void forget(),
  });
}
