import { useQuery } from "@tanstack/react-query";
import { isSlug } from "#domain/slugify.ts";
import { useApp } from "../../lib/app-context.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { type SlugKind, slugQuery } from "./onboarding.queries.ts";

/** How long the typing has to pause before the platform is asked. */
const PAUSE_MS = 350;

/** What is known of a slug while it is typed. */
type SlugState = "blank" | "malformed" | "checking" | "free" | "taken" | "unknown";

/** Asks whether a slug is free; a question that was overtaken by the next letter is given up. */
export function useSlugCheck(kind: SlugKind, slug: string, own: string | null): SlugState {
  const { supabase } = useApp();
  const settled = useSettled(slug, PAUSE_MS);
  const isAsked = isSlug(slug) && slug !== own;
  const check = useQuery({
    ...slugQuery(supabase, kind, settled),
    enabled: isAsked && settled === slug,
  });
  if (slug === "" || slug === own) return "blank";
  if (!isSlug(slug)) return "malformed";
  if (settled !== slug || check.isPending) return "checking";
  if (check.isError) return "unknown";
  return check.data ? "free" : "taken";
}
