import { createRouter } from "@tanstack/react-router";
import { RouteProblem } from "./features/shell/route-problem.tsx";
import type { App } from "./lib/app-context.ts";
import { standing } from "./lib/auth/auth.ts";
import { followVisitor } from "./lib/lists/visited.ts";
import { routeTree } from "./route-tree.gen.ts";

/** Makes the router, which follows who is signed in: guards run again at every change. */
export function createAppRouter(app: App) {
  const router = createRouter({
    routeTree,
    context: app,
    defaultPreload: "intent",
    defaultErrorComponent: RouteProblem,
    scrollRestoration: true,
  });
  followVisitor(router);
  app.auth.subscribe((now, before) => {
    if (standing(now) === standing(before)) return;
    // Nothing of the person before may stay on the screen.
    if (now && before && now.user.id !== before.user.id) return window.location.reload();
    const guarded = router.invalidate();
    if (!now) void guarded.then(() => app.queryClient.clear());
  });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface HistoryState {
    /** The role became a cashier's while the back-office was open: the till says so. */
    hasNewRole?: boolean;
  }
}
