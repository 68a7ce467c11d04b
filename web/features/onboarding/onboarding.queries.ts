import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { reviewMode } from "#domain/rules/review-mode.ts";
import { AppError, dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

const store = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  address: z.string(),
  google_review_url: z.nullable(z.string()),
  review_host_confirmed: z.nullable(z.string()),
  review_mode: reviewMode,
});

/** The store of an earlier visit, to be corrected. */
export function storeQuery(supabase: Supabase, id: string) {
  return queryOptions({
    queryKey: ["stores", "onboarding", id],
    queryFn: async () => {
      const answer = await supabase
        .from("stores")
        .select("id, name, slug, address, google_review_url, review_host_confirmed, review_mode")
        .eq("id", id)
        .maybeSingle();
      if (answer.error) throw dataError(answer);
      const found = store.safeParse(answer.data);
      if (!found.success) throw new AppError("not_found");
      const { name, slug, address, review_mode: reviewMode } = found.data;
      const reviewUrl = found.data.google_review_url ?? "";
      const confirmedHost = found.data.review_host_confirmed ?? "";
      return { name, slug, address, reviewUrl, confirmedHost, reviewMode };
    },
  });
}

const posterCampaign = z.nullable(
  z.object({
    id: z.uuid(),
    store_id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    active: z.boolean(),
  }),
);

/** The campaign whose poster is shown: the one asked for, else the newest in use; null without any. */
export function posterCampaignQuery(supabase: Supabase, orgId: string, id: string | undefined) {
  return queryOptions({
    queryKey: ["campaigns", "onboarding", orgId, id],
    queryFn: async ({ signal }) => {
      const found = supabase
        .from("campaigns")
        .select("id, store_id, name, slug, active")
        .eq("org_id", orgId)
        .is("archived_at", null);
      const answer = await (id ? found.eq("id", id) : found)
        .order("created_at", { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle();
      if (answer.error) throw dataError(answer);
      return posterCampaign.parse(answer.data);
    },
    staleTime: 0,
  });
}

/** Polling interval for the first scan, in milliseconds, where realtime is unavailable. */
const SCAN_POLL_MS = 10_000;

/** Whether a campaign was ever scanned. Asked anew until it was. */
export function isScannedQuery(supabase: Supabase, orgId: string, campaignId: string) {
  return queryOptions({
    queryKey: ["campaigns", "scanned", campaignId],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .from("scan_events")
        .select("id")
        .eq("org_id", orgId)
        .eq("campaign_id", campaignId)
        .limit(1)
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return z.array(z.unknown()).parse(answer.data).length > 0;
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === true ? false : SCAN_POLL_MS),
  });
}
