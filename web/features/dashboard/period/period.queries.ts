import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { periodCosts, periodFigures } from "#domain/schemas/back-office.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";

/** Figures of other days than the dashboard's own. What was shown stays until they are there. */
export function periodQuery(
  supabase: Supabase,
  orgId: string,
  dates: { from: string; to: string },
) {
  return queryOptions({
    queryKey: ["dashboard", orgId, "period", dates],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .rpc("period_figures", { p_org_id: orgId, p_from: dates.from, p_to: dates.to })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return periodFigures.parse(answer.data);
    },
    placeholderData: keepPreviousData,
  });
}

/** Query of the cost of the rewards used in some days: for readers who open it. */
export function costsQuery(supabase: Supabase, orgId: string, dates: { from: string; to: string }) {
  return queryOptions({
    queryKey: ["dashboard", orgId, "costs", dates],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .rpc("period_costs", { p_org_id: orgId, p_from: dates.from, p_to: dates.to })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return periodCosts.parse(answer.data);
    },
    placeholderData: keepPreviousData,
  });
}
