import { queryOptions, useQuery } from "@tanstack/react-query";
import { isSlug } from "#domain/text/slugify.ts";
import { useApp } from "../app-context.ts";
import { dataError } from "../app-error.ts";
import { useDebounced } from "../input/use-debounced.ts";
import type { Supabase } from "../supabase.ts";
import { freeSlug, type SlugKind } from "./free-slug.ts";

/** How long the typing has to pause before the platform is asked. */
const PAUSE_MS = 350;

/** Owner of a slug, whose own present and former slugs count as free. */
export type SlugOwner = { id: string; slug: string };

/** State of a slug while it is typed. */
type SlugState = "blank" | "malformed" | "checking" | "free" | "taken" | "unknown";

/** Whether a slug is free at this moment. */
function slugQuery(
  supabase: Supabase,
  kind: SlugKind,
  slug: string,
  ownerId: string | undefined,
  refusal: string | undefined,
) {
  return queryOptions({
    queryKey: ["slugs", kind, slug, ownerId, refusal],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .rpc("is_slug_free", {
          p_kind: kind,
          p_slug: slug,
          ...(ownerId && { p_owner_id: ownerId }),
        })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return answer.data;
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** The nearest free slug to one that is taken; null when there is none near. */
function freeSlugQuery(supabase: Supabase, kind: SlugKind, slug: string, ownerId?: string) {
  return queryOptions({
    queryKey: ["slugs", "free", kind, slug, ownerId],
    queryFn: ({ signal }) => freeSlug(supabase, kind, slug, { ownerId, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/**
 * Asks whether a slug is free, and for one that is where it is taken. A question that was overtaken by the next letter is
 * given up. A refusal of the save checks again: another organisation was faster.
 */
export function useSlugCheck(
  kind: SlugKind,
  slug: string,
  owner: SlugOwner | null,
  refusal: string | undefined,
): { state: SlugState; suggestion: string | null; isSearching: boolean } {
  const state = useSlugState(kind, slug, owner, refusal);
  const { supabase } = useApp();
  const free = useQuery({
    ...freeSlugQuery(supabase, kind, slug, owner?.id),
    enabled: state === "taken",
  });
  const isTaken = state === "taken";
  return {
    state,
    suggestion: (isTaken && free.data) || null,
    isSearching: isTaken && free.isPending,
  };
}

function useSlugState(
  kind: SlugKind,
  slug: string,
  owner: SlugOwner | null,
  refusal: string | undefined,
): SlugState {
  const { supabase } = useApp();
  const debounced = useDebounced(slug, PAUSE_MS);
  const isAsked = isSlug(slug) && slug !== owner?.slug;
  const check = useQuery({
    ...slugQuery(supabase, kind, debounced, owner?.id, refusal),
    enabled: isAsked && debounced === slug,
  });
  if (slug === "" || slug === owner?.slug) return "blank";
  if (!isSlug(slug)) return "malformed";
  if (debounced !== slug || check.isPending) return "checking";
  if (check.isError) return "unknown";
  return check.data ? "free" : "taken";
}
