import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { campaignPoster } from "#domain/schemas/back-office.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";

/** A campaign's posters as they would be printed now; null when it is not in use any more. */
export function pressQuery(supabase: Supabase, campaignId: string) {
  return queryOptions({
    queryKey: ["campaigns", "posters", campaignId],
    queryFn: async ({ signal }) => {
      // What draws and prints is large, and nothing else needs it.
      const [answer, { openPress }] = await Promise.all([
        supabase.rpc("campaign_poster", { p_campaign_id: campaignId }).abortSignal(signal),
        import("./poster-press.ts"),
      ]);
      if (answer.error) throw dataError(answer);
      const poster = z.nullable(campaignPoster).parse(answer.data);
      return poster && openPress(poster);
    },
    staleTime: 0,
    gcTime: 0,
  });
}
