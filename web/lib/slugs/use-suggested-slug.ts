import { useState } from "react";
import { suggestSlug } from "#domain/text/slugify.ts";

/** The part of a form that this needs, as it stands now. */
type SlugForm = {
  name: string;
  slug: string;
  setSlug(slug: string): void;
};

/** A slug that follows a name until somebody writes it by hand. */
export type SuggestedSlug = {
  /** Nobody has written it: another one may take its place without asking. */
  isSuggested: boolean;
  /** Effect of a changed name. */
  follow(name: string): void;
  /** Takes a free slug in the place of a suggestion that somebody else has. */
  replace(free: string): void;
};

/** Lets the slug follow the name, and takes the next free one in its place, until somebody writes it by hand. */
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
