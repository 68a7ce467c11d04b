import { type ReactNode, startTransition } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { keepEarly, PAINTED } from "./lib/early-input.ts";
import type { createAppRouter } from "./router.ts";

/**
 * Takes over a page that was painted at build: it stays in view until the route knows what it shows. Where that is
 * what was painted, React finds itself in it, and focus and fields stay as they are; else it is replaced in one go.
 */
export async function takeOver(
  container: HTMLElement,
  router: ReturnType<typeof createAppRouter>,
  view: ReactNode,
): Promise<void> {
  const { auth } = router.options.context;
  const paintedPath = `/${container.getAttribute(PAINTED)}`;
  const asPainted =
    window.location.pathname === paintedPath &&
    // `early.js` has read the address before anything was taken out of it.
    !document.documentElement.classList.contains("asks-more");
  // The painted tree has no boundary around the whole, as the router draws it where a server painted first.
  if (asPainted) router.ssr = { manifest: undefined };
  await router.load();
  const isStillThere = router.state.location.pathname === paintedPath;
  const isVisitor = !auth.current();
  if (asPainted && isStillThere && isVisitor) {
    // Its form says when it is there (`useEndPainted`). In slices, so that a touch in between is not kept waiting.
    startTransition(() => void hydrateRoot(container, view));
    return;
  }
  keepEarly(container);
  flushSync(() => createRoot(container).render(view));
  container.removeAttribute(PAINTED);
}
