/** Public pages that a search engine should know. */
const FOUND = [
  "/",
  "/pricing",
  "/auth",
  "/legal/terms",
  "/legal/privacy",
  "/legal/cookies",
  "/legal/rgpd",
  "/contact",
  "/statut",
  "/en-clair",
];

/**
 * Paths for members or machines. Customers' pages are not named: except for the demo's, they
 * declare themselves `noindex`, and a crawler must be allowed to read that.
 */
const HIDDEN = [
  "/dashboard",
  "/customers",
  "/reviews",
  "/campaigns",
  "/rewards",
  "/stores",
  "/settings",
  "/team",
  "/onboarding",
  "/encaisser",
  "/checkout",
  "/invitation",
  "/unsubscribe",
  "/auth/deleted",
  "/_dev/",
  "/functions/",
  "/rest/",
  "/auth/v1/",
];

/** `robots.txt`. */
export function robotsOf(origin: string): string {
  const lines = HIDDEN.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...lines, "", `Sitemap: ${origin}/sitemap.xml`, ""].join("\n");
}

/** `sitemap.xml`, with the demo where there is one. */
export function sitemapOf(origin: string, demoSlug: string | null): string {
  const demo = demoSlug === null ? [] : [`/c/${demoSlug}/review`];
  const entries = [...FOUND, ...demo].map((path) => `  <url><loc>${origin}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    "</urlset>",
    "",
  ].join("\n");
}
