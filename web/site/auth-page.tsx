import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRouter, RouterProvider } from "@tanstack/react-router";
import { renderToString } from "react-dom/server";
import { unknownOperator } from "#domain/schemas/operator.ts";
import type { Mode } from "../features/auth/auth.schema.ts";
import { AppContext } from "../lib/app-context.ts";
import { createAuth } from "../lib/auth/auth.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { createSupabase } from "../lib/supabase.ts";
import { routeTree } from "../route-tree.gen.ts";
import { Unfilled } from "../ui/deployment-value.tsx";

/** Renders the sign-in page as the application's own router does, so that the application can hydrate it. */
export async function renderAuth(mode: Mode): Promise<string> {
  // Signed out: no stored session, and no link with one.
  const config = {
    supabase_url: "http://localhost",
    publishable_key: "prerendered",
    local: false,
    google: true,
    phone: true,
    captcha: { provider: "turnstile", site_key: "prerendered" } as const,
    payments: null,
    push_key: null,
    public_rating: false,
    mailbox: false,
    operator: unknownOperator,
  };
  const supabase = createSupabase(config);
  const auth = createAuth(supabase);
  const app = { config, supabase, auth, queryClient: createQueryClient(auth) };
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({
      initialEntries: [mode === "signup" ? "/auth?mode=signup" : "/auth"],
    }),
    context: app,
    isServer: true,
  });
  await router.load();
  // Lazy-loaded screen, which rendering does not wait for.
  await router.routesById["/auth/"].options.component?.preload?.();
  return renderToString(
    <Unfilled value={true}>
      <AppContext value={app}>
        <QueryClientProvider client={app.queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AppContext>
    </Unfilled>,
  );
}
