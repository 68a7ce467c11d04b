import { queryOptions } from "@tanstack/react-query";
import { apiKeys } from "#domain/schemas/api-keys.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First part of the key of what is loaded of keys. */
export const API_KEYS = "api_keys";

/** Keys of an organisation, without what opens anything. */
export function apiKeysQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: [API_KEYS, orgId],
    staleTime: 0,
    queryFn: async () => {
      const answer = await supabase.rpc("api_keys", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
      return apiKeys.parse(answer.data);
    },
  });
}
