import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, StrictMode, startTransition } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { AppContext } from "./lib/app-context.ts";
import { loadConfig } from "./lib/config.ts";
import { createApp } from "./lib/create-app.ts";
import { keepEarly, PRERENDERED } from "./lib/input/early-input.ts";
import { watchParts } from "./lib/missing-parts.ts";
import { createAppRouter } from "./router.ts";
import { ErrorPage } from "./ui/states/error-page.tsx";

/** Puts the page together once its route has said what it shows. */
async function start(container: HTMLElement): Promise<void> {
  const isPrerendered = container.hasAttribute(PRERENDERED);
  try {
    const app = await createApp(await loadConfig());
    const router = createAppRouter(app);
    const view = (
      <StrictMode>
        <AppContext value={app}>
          <QueryClientProvider client={app.queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </AppContext>
      </StrictMode>
    );
    if (isPrerendered) await hydrateOrReplace(container, router, view);
    else createRoot(container).render(view);
  } catch (error) {
    // Its « Réessayer » loads the page again, and so the configuration.
    createRoot(container).render(<ErrorPage error={error} />);
    container.removeAttribute(PRERENDERED);
  }
}

watchParts(import.meta.url);
const container = document.getElementById("root");
if (!container) throw new Error("The page has no element #root.");
void start(container);

/**
 * Takes over a page that was prerendered at build: it stays in view until the route knows what it shows. Where that is
 * what was prerendered, React finds itself in it, and focus and fields stay as they are; else it is replaced in one go.
 */
async function hydrateOrReplace(
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
