import { useEffect } from "react";

const SITE = "Tournavis";

/** A page's title as tabs and search engines show it. */
export function titleOf(title: string): string {
  return `${title} · ${SITE}`;
}

/** Names the page in the browser's tab and for screen readers; without a title, the site alone. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? titleOf(title) : SITE;
  }, [title]);
}
