import { useEffect } from "react";

const SITE = "Tournavis";

/** Names the page in the browser's tab and for screen readers; without a title, the site alone. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${SITE}` : SITE;
  }, [title]);
}
