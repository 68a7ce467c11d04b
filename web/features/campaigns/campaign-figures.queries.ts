import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { campaignStats } from "#domain/campaign-stats.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** Figures of a campaign, in one request; null when there is no such campaign. */
export function campaignStatsQuery(supabase: Supabase, campaignId: string) {
  return queryOptions({
    queryKey: ["campaigns", "stats", campaignId],
    queryFn: async ({ signal }) => {
      // What is typed into the address may be no identifier at all.
      if (!z.guid().safeParse(campaignId).success) return null;
      const answer = await supabase
        .rpc("campaign_stats", { p_campaign_id: campaignId })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return campaignStats.parse(answer.data);
    },
  });
}
