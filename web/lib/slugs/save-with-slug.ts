import { AppError } from "../app-error.ts";
import type { Supabase } from "../supabase.ts";
import { freeSlug, type SlugKind } from "./free-slug.ts";

/** How many times a slug may be taken meanwhile before the user is told. */
const ATTEMPTS = 3;

type Suggestion = { kind: SlugKind; slug: string; isSuggested: boolean };

/** Saves with a slug, and with the next free one where it is taken and was not edited by hand. */
export async function saveWithSlug<T>(
  supabase: Supabase,
  { kind, slug, isSuggested }: Suggestion,
  save: (slug: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1, next = slug; ; attempt += 1) {
    try {
      return await save(next);
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === "23505";
      if (!isTaken || !isSuggested || attempt === ATTEMPTS) throw error;
      // From the first one on: a number behind a number would be read by customers.
      const free = await freeSlug(supabase, kind, slug);
      if (free === null || free === next) throw error;
      next = free;
    }
  }
}
