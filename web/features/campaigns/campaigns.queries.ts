import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { campaignList } from "#domain/schemas/back-office.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** Filters of an organisation's campaigns. */
export type CampaignSearch = {
  q: string;
  isArchived: boolean;
  page: number;
  sort?: string | undefined;
};

/** A page of the campaigns with the figures above it; the page before stays until the next is there. */
export function campaignListQuery(supabase: Supabase, orgId: string, search: CampaignSearch) {
  return queryOptions({
    queryKey: ["campaigns", "list", orgId, search],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .rpc("campaign_list", {
          p_org_id: orgId,
          p_search: search.q,
          p_is_archived: search.isArchived,
          p_page: search.page,
          ...(search.sort && { p_sort: search.sort }),
        })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return campaignList.parse(answer.data);
    },
    placeholderData: keepPreviousData,
  });
}

const storeChoice = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string(),
  timezone: z.string(),
});
/** A store where a campaign can run, as its form needs it. */
export type StoreChoice = z.infer<typeof storeChoice>;

/** The stores where a campaign can run. */
export function storeChoicesQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: ["stores", "choices", orgId],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .from("stores")
        .select("id, name, address, timezone")
        .eq("org_id", orgId)
        .is("archived_at", null)
        .order("name")
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return z.array(storeChoice).parse(answer.data);
    },
  });
}
