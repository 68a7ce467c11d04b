import { queryOptions } from "@tanstack/react-query";
import { settings } from "#domain/schemas/settings.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First word of every key of this feature. */
export const SETTINGS = "settings";

/** All that the settings show, in one request. Never read from the cache, so that no stale copy is edited. */
export function settingsQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: [SETTINGS, orgId],
    queryFn: async () => {
      const answer = await supabase.rpc("settings", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
      return settings.parse(answer.data);
    },
    gcTime: 0,
    staleTime: 0,
  });
}
