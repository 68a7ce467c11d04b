/*
 * Shows the till at once, and lets it report a missing network. It knows /encaisser alone, keeps the page and
 * the files of one build, and never an answer about a code: nothing is checked, redeemed or queued here.
 */
const CACHE = "tournavis-caisse";
const PAGE = "/encaisser";
/** Files that the page needs beside those of its build, under names that stay. */
const BESIDE = ["/config.json", "/early.js"];
const PATIENCE_MS = 2500;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** Keeps what the page that has just opened is made of, and lets go of former builds. */
async function keep(files) {
  const cache = await caches.open(CACHE);
  const wanted = new Set([PAGE, ...BESIDE, ...files]);
  const missing = [];
  for (const file of files) if ((await cache.match(file)) === undefined) missing.push(file);
  await cache.addAll(missing);
  await cache.addAll(BESIDE);
  // The server decides by `Accept` whether to send a page.
  const page = await fetch(PAGE, { headers: { accept: "text/html" } });
  if (page.ok) await cache.put(PAGE, page);
  for (const { url } of await cache.keys()) {
    if (!wanted.has(new URL(url).pathname)) await cache.delete(url);
  }
}

self.addEventListener("message", (event) => {
  if (event.origin !== self.location.origin) return;
  const files = event.data?.files;
  if (Array.isArray(files)) event.waitUntil(keep(files).catch(() => {}));
});

/** The network first, so that a new build shows at once; the kept file where it fails or sleeps, or the service is at fault. */
async function freshOr(kept, request) {
  const network = fetch(request);
  if (kept === undefined) return network;
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, kept));
  const answer = network.then(
    (fresh) => (fresh.status >= 500 ? kept : fresh),
    () => kept,
  );
  return Promise.race([answer, patience]);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  const isPage = request.mode === "navigate" && pathname === PAGE;
  if (isPage || BESIDE.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => freshOr(kept, request)));
  } else if (pathname.startsWith("/assets/")) {
    // A file of a build never changes under its name.
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
