import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { campaignPoster } from "#domain/schemas/back-office.ts";
import { useApp } from "../../../lib/app-context.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";
import { useMay } from "../../../lib/use-may.ts";

/** A campaign's posters as they would be printed now; null when it is not in use any more. */
export function posterRendererQuery(supabase: Supabase, campaignId: string) {
  return queryOptions({
    queryKey: ["campaigns", "posters", campaignId],
    queryFn: async ({ signal }) => {
      // The renderer is large, and nothing else needs it.
      const [answer, { createPosterRenderer }] = await Promise.all([
        supabase.rpc("campaign_poster", { p_campaign_id: campaignId }).abortSignal(signal),
        import("../paper/poster-renderer.ts"),
      ]);
      if (answer.error) throw dataError(answer);
      const poster = z.nullable(campaignPoster).parse(answer.data);
      return poster && createPosterRenderer(poster);
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * Records that a poster was downloaded, where the user may. Where that fails, the paper is there all the same, and the next one
 * says so.
 */
export function useNotePoster(campaignId: string): () => void {
  const { supabase } = useApp();
  const { may } = useMay();
  const queryClient = useQueryClient();
  const note = useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("note_poster", { p_campaign_id: campaignId });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: ["campaigns", "stats", campaignId] }),
  });
  return () => {
    if (may("campaigns.write")) note.mutate();
  };
}
