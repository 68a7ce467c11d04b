import { useState } from "react";
import { suggestSlug } from "#domain/text/slugify.ts";

/** The part of a form that this needs, with its present values. */
type SlugForm = {
  name: string;
  slug: string;
  setSlug(slug: string): void;
};

/** A slug that follows a name until it is edited by hand. */
export type SuggestedSlug = {
  /** Whether it was not edited by hand: another one may replace it without asking. */
  isSuggested: boolean;
  /** Effect of a changed name. */
  follow(name: string): void;
  /** Replaces a suggestion that is taken by a free slug. */
  replace(free: string): void;
};

/** Lets the slug follow the name, and takes the next free one in its place, until it is edited by hand. */
export function useSuggestedSlug({ name, slug, setSlug }: SlugForm): SuggestedSlug {
  const [replaced, setReplaced] = useState<string | null>(null);
  const isSuggested = slug === "" || slug === suggestSlug(name) || slug === replaced;
  return {
    isSuggested,
    follow: (next) => {
      if (isSuggested) setSlug(suggestSlug(next));
    },
    replace: (free) => {
      setReplaced(free);
      setSlug(free);
    },
  };
}
