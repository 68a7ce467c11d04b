import { queryOptions } from "@tanstack/react-query";
import { pointsCatalogue } from "#domain/schemas/points.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";

/** First word of every key of this page. */
export const POINTS = "points";

/**
 * Query of an organisation's rewards for points, and of the points it owes. Customers spend at any
 * moment: never cached.
 */
export function pointsQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: [POINTS, orgId],
    queryFn: async () => {
      const answer = await supabase.rpc("points_catalogue", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
      return pointsCatalogue.parse(answer.data);
    },
    staleTime: 0,
  });
}
