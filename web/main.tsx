import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppContext } from "./lib/app-context.ts";
import { loadConfig } from "./lib/config.ts";
import { createApp } from "./lib/create-app.ts";
import { PRERENDERED } from "./lib/early-input.ts";
import { watchParts } from "./lib/missing-parts.ts";
import { createAppRouter } from "./router.ts";
import { takeOver } from "./take-over.ts";
import { ErrorPage } from "./ui/error-page.tsx";

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
    if (isPrerendered) await takeOver(container, router, view);
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
