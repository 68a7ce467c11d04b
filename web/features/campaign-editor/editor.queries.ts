import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { campaignEditor } from "#domain/schemas/campaigns.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** All that the form of a campaign needs; null when there is no such campaign. Never read from the cache, so that no stale copy is edited. */
export function campaignEditorQuery(
  supabase: Supabase,
  campaignId: string,
  copy: "form" | "latest" = "form",
) {
  return queryOptions({
    queryKey: ["campaigns", "editor", campaignId, copy],
    queryFn: async () => {
      if (!z.guid().safeParse(campaignId).success) return null;
      const answer = await supabase.rpc("campaign_editor", { p_id: campaignId });
      if (answer.error) throw dataError(answer);
      return campaignEditor.parse(answer.data);
    },
    gcTime: 0,
    staleTime: 0,
  });
}
