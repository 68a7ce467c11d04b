/*
 * Opens the page of one's prizes without network. It is registered by a phone that has won, for /c/ alone, and serves
 * what that page has put into the caches (web/customer/keep/keep-offline.ts); everything else goes to the network.
 */
const PATIENCE_MS = 6000;
const CAMPAIGN = /^\/c\/([^/]+)/;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]),
  );
});

async function fromNetwork(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** The network comes first; where it fails or sleeps, or the service is at fault, a page that is kept for this campaign. */
async function open(event, slug) {
  const network = fromNetwork(event);
  const kept = await caches.match(`/c/${slug}/gain`);
  if (kept === undefined) return network;
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, kept));
  const answer = network.then(
    (page) => (page.status >= 500 ? kept : page),
    () => kept,
  );
  return Promise.race([answer, patience]);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  const slug = CAMPAIGN.exec(pathname)?.[1];
  if (request.mode === "navigate" && slug !== undefined) event.respondWith(open(event, slug));
  // A file of a build never changes under its name, nor does a logo.
  else if (pathname.startsWith("/assets/") || pathname.startsWith("/storage/v1/object/public/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
