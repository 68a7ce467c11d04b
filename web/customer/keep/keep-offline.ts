/** Cache of one campaign, deleted with the last of its prizes. */
function cacheName(slug: string): string {
  return `tournavis-gain:${slug}`;
}

/** Files of this build that the page has fetched so far. */
function fetchedFiles(): string[] {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name, location.href))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);
}

/**
 * Makes the page of one's prizes open without network, on phones that can: the page itself, and the files that it
 * is made of. No personal data: the prizes are in the phone's storage already. `loadPage` fetches the script of that page.
 */
export async function keepOffline(slug: string, loadPage: () => Promise<unknown>): Promise<void> {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return;
  await navigator.serviceWorker.register("/kept-worker.js", { scope: "/c/" });
  const address = `/c/${slug}/gain`;
  const [page] = await Promise.all([
    fetch(address),
    loadPage(),
    import("lean-qr"),
    import("lean-qr/extras/svg"),
  ]);
  if (!page.ok) return;
  const named =
    (await page.clone().text()).match(
      /\/(?:assets|storage\/v1\/object\/public\/logos)\/[\w./-]+/g,
    ) ?? [];
  const files = new Set([...named, ...fetchedFiles()]);
  const cache = await caches.open(cacheName(slug));
  await cache.addAll([...files]);
  await cache.put(address, page);
  // Files of a former build.
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== address && !files.has(pathname)) await cache.delete(url);
  }
}

/** Forgets the page of a campaign whose prizes are all gone. */
export async function dropOffline(slug: string): Promise<void> {
  if ("caches" in window) await caches.delete(cacheName(slug));
}
