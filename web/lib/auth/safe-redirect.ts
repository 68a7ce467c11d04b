/** Any base will do: it only shows whether an address leaves the site. */
const BASE = "https://site.invalid";

function parse(target: string): URL | null {
  try {
    return new URL(target, BASE);
  } catch {
    return null;
  }
}

/**
 * The address to go to after signing in: a path of this site, else `fallback`. Browsers read
 * `//evil`, `/\evil` and `/<tab>/evil` as another site, so the browser's own parser judges, and its
 * result is what is returned; `/.//evil` becomes another site once resolved; the sign-in page
 * itself would be a circle.
 */
export function safeRedirect(target: unknown, fallback: string): string {
  if (typeof target !== "string" || !target.startsWith("/")) return fallback;
  const url = parse(target);
  if (url?.origin !== BASE || url.pathname.startsWith("//")) return fallback;
  if (url.pathname === "/auth" || url.pathname.startsWith("/auth/")) return fallback;
  return url.pathname + url.search + url.hash;
}
