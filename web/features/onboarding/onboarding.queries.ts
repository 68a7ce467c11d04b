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
