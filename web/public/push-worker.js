/*
 * Shows messages of the installation while no page is open, and opens what they are about (RFC 8030; Push API). Its scope,
 * /push/, has no page: it answers for none, and keeps nothing.
 */
const ICON = "/icons/icon-192.png";

/**
 * Payload of our server (supabase/functions/_shared/messages/read-push.ts); a browser wants
 * something shown for anything else, too.
 */
function read(data) {
  try {
    const { title, body, path, tag } = data.json();
    // A path of this site: two slashes would be another one's.
    const isOurs = typeof path === "string" && /^\/(?![/\\])/.test(path);
    return {
      title: String(title),
      body: String(body),
      tag: String(tag),
      path: isOurs ? path : "/dashboard",
    };
  } catch {
    return { title: "Tournavis", body: "", tag: "tournavis", path: "/dashboard" };
  }
}

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, body, tag, path } = read(event.data);
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      lang: "fr",
      icon: ICON,
      data: { path },
    }),
  );
});

/** The page that shows it already, else a new one. */
async function open(address) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = pages.find(({ url }) => url === address);
  return shown ? shown.focus() : self.clients.openWindow(address);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin).href));
});
