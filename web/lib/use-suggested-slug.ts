import { useRef } from "react";
import { suggestSlug } from "#domain/text/slugify.ts";

/** The part of a form that this needs. */
type SlugForm = {
  getSlug(): string;
  setSlug(slug: string): void;
};

/** Lets the slug follow the name until somebody writes it by hand; answers what to do when the name changes. */
export function useSuggestedSlug(initialName: string, { getSlug, setSlug }: SlugForm) {
  const before = useRef(initialName);
  return (name: string) => {
    const slug = getSlug();
    const isSuggested = slug === "" || slug === suggestSlug(before.current);
    before.current = name;
    if (isSuggested) setSlug(suggestSlug(name));
  };
}
