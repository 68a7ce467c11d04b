import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { storeList, storeRow, storeStats } from "#domain/schemas/stores.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First word of every key of this feature. */
export const STORES = "stores";

/** An address that is no identifier leads to no store. */
const MALFORMED = "22P02";

/** View in the list's address. */
export type StoresView = {
  search: string;
  isArchived: boolean;
  page: number;
  sort?: string | undefined;
};

/** A page of the stores, with the figures above it. */
export function storeListQuery(supabase: Supabase, orgId: string, view: StoresView) {
  return queryOptions({
    queryKey: [STORES, "list", orgId, view],
    queryFn: async () => {
      const answer = await supabase.rpc("store_list", {
        p_org_id: orgId,
        p_search: view.search,
        p_is_archived: view.isArchived,
        p_page: view.page,
        ...(view.sort && { p_sort: view.sort }),
      });
      if (answer.error) throw dataError(answer);
      return storeList.parse(answer.data);
    },
    placeholderData: keepPreviousData,
  });
}

/** A store as its forms need it; null when there is none. Never read from the cache, so that no stale copy is edited. */
export function storeQuery(supabase: Supabase, storeId: string) {
  return queryOptions({
    queryKey: [STORES, "row", storeId],
    queryFn: async () => {
      const answer = await supabase
        .from("stores")
        .select(
          "id, version, name, slug, address, timezone, google_place_id, google_review_url, review_host_confirmed, review_mode, archived_at",
        )
        .eq("id", storeId)
        .maybeSingle();
      if (answer.error?.code === MALFORMED) return null;
      if (answer.error) throw dataError(answer);
      return storeRow.parse(answer.data);
    },
    gcTime: 0,
    staleTime: 0,
  });
}

/** Figures of a store; null when there is no such store. */
export function storeStatsQuery(supabase: Supabase, storeId: string) {
  return queryOptions({
    queryKey: [STORES, "stats", storeId],
    queryFn: async () => {
      const answer = await supabase.rpc("store_stats", { p_id: storeId });
      if (answer.error?.code === MALFORMED) return null;
      if (answer.error) throw dataError(answer);
      return storeStats.parse(answer.data);
    },
  });
}
