import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ErrorPage } from "./features/site/error-page.tsx";
import { AppContext } from "./lib/app-context.ts";
import { loadConfig } from "./lib/config.ts";
import { createApp } from "./lib/create-app.ts";
import { createAppRouter } from "./router.ts";

async function start(): Promise<ReactNode> {
  try {
    const app = createApp(await loadConfig());
    return (
      <AppContext value={app}>
        <QueryClientProvider client={app.queryClient}>
          <RouterProvider router={createAppRouter(app)} />
        </QueryClientProvider>
      </AppContext>
    );
  } catch (error) {
    // Its « Réessayer » loads the page again, and so the configuration.
    return <ErrorPage error={error} />;
  }
}

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no element #root.");
const root = createRoot(container);
root.render(<StrictMode>{await start()}</StrictMode>);
