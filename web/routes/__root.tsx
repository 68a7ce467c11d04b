import { createRootRouteWithContext } from "@tanstack/react-router";
import { ErrorPage } from "../features/site/error-page.tsx";
import { NotFoundPage } from "../features/site/not-found-page.tsx";
import type { App } from "../lib/app-context.ts";

export const Route = createRootRouteWithContext<App>()({
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});
