import { queryOptions } from "@tanstack/react-query";
import { brandSettings } from "#domain/schemas/brand-settings.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First word of every key of this feature. */
export const BRAND = "brand";

/** Logo and colour of an organisation, and whether its plan shows them. */
export function brandQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: [BRAND, orgId],
    queryFn: async () => {
      const answer = await supabase.rpc("brand_settings", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
      return brandSettings.parse(answer.data);
    },
    staleTime: 0,
  });
}
