import { type ReactNode, startTransition } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { keepEarly, PRERENDERED } from "./lib/early-input.ts";
import type { createAppRouter } from "./router.ts";

/**
 * Takes over a page that was prerendered at build: it stays in view until the route knows what it shows. Where that is
 * what was prerendered, React finds itself in it, and focus and fields stay as they are; else it is replaced in one go.
 */
export async function takeOver(
  container: HTMLElement,
  router: ReturnType<typeof createAppRouter>,
  view: ReactNode,
): Promise<void> {
  const { auth } = router.options.context;
  const prerenderedPath = `/${container.getAttribute(PRERENDERED)}`;
  const asPrerendered =
    window.location.pathname === prerenderedPath &&
    // `early.js` has read the address before anything was taken out of it.
    !document.documentElement.classList.contains("asks-more");
  // The prerendered tree has no boundary around the whole, as the router draws it where a server prerendered first.
  if (asPrerendered) router.ssr = { manifest: undefined };
  await router.load();
  const isStillThere = router.state.location.pathname === prerenderedPath;
  const isVisitor = !auth.current();
  if (asPrerendered && isStillThere && isVisitor) {
    // Its form says when it is there (`useTakeOver`). In parts, so that a touch in between is not kept waiting.
    startTransition(() => void hydrateRoot(container, view));
    return;
  }
  keepEarly(container);
  flushSync(() => createRoot(container).render(view));
  container.removeAttribute(PRERENDERED);
}
