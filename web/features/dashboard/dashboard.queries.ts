import { queryOptions } from "@tanstack/react-query";
import { dashboard } from "#domain/schemas/back-office.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** Everything that the dashboard shows, in one request. */
export function dashboardQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: ["dashboard", orgId],
    queryFn: async ({ signal }) => {
      const answer = await supabase.rpc("dashboard", { p_org_id: orgId }).abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return dashboard.parse(answer.data);
    },
  });
}
