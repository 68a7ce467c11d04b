import { queryOptions } from "@tanstack/react-query";
import { pushSettings } from "#domain/schemas/settings.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First word of the key. */
export const PUSH = "push";

/** Query of one's push messages, one's devices, and whether the question was asked. */
export function pushQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: [PUSH, orgId],
    queryFn: async () => {
      const answer = await supabase.rpc("push_settings", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
      return pushSettings.parse(answer.data);
    },
  });
}
