import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { AppError, dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** What a slug names. */
export type SlugKind = "organization" | "store";

/** Whether a slug can be taken, as things stand this moment. */
export function slugQuery(supabase: Supabase, kind: SlugKind, slug: string) {
  return queryOptions({
    queryKey: ["slugs", kind, slug],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .rpc("is_slug_free", { p_kind: kind, p_slug: slug })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return answer.data;
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

const store = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  address: z.string(),
  google_review_url: z.nullable(z.string()),
  review_mode: z.enum(["compliant", "gating"]),
});

/** The store of an earlier visit, to be corrected. */
export function storeQuery(supabase: Supabase, id: string) {
  return queryOptions({
    queryKey: ["stores", "onboarding", id],
    queryFn: async () => {
      const answer = await supabase
        .from("stores")
        .select("id, name, slug, address, google_review_url, review_mode")
        .eq("id", id)
        .maybeSingle();
      if (answer.error) throw dataError(answer);
      const found = store.safeParse(answer.data);
      if (!found.success) throw new AppError("not_found");
      const { name, slug, address, google_review_url, review_mode } = found.data;
      return { name, slug, address, reviewUrl: google_review_url ?? "", reviewMode: review_mode };
    },
  });
}
