/** Any base will do: it only shows whether an address leaves the site. */
const BASE = "https://site.invalid";

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, so they could hide a second slash.
const DECEIVING = /[\u0000-\u0020\u007f\\]/;

/**
 * The address to go to after signing in: a path of this site, else `fallback`. Browsers read
 * `//evil`, `/\evil` and `/<tab>/evil` as another site, and `/.//evil` becomes one when resolved;
 * the sign-in page itself would be a circle.
 */
export function safeRedirect(target: unknown, fallback: string): string {
  if (typeof target !== "string" || !target.startsWith("/") || DECEIVING.test(target)) {
    return fallback;
  }
  const url = URL.canParse(target, BASE) ? new URL(target, BASE) : null;
  if (url?.origin !== BASE || url.pathname.startsWith("//")) return fallback;
  if (url.pathname === "/auth" || url.pathname.startsWith("/auth/")) return fallback;
  return url.pathname + url.search + url.hash;
}
