import { createRootRouteWithContext } from "@tanstack/react-router";
import { NotFoundPage } from "../features/site/not-found-page.tsx";
import type { App } from "../lib/app-context.ts";
import { ErrorPage } from "../ui/states/error-page.tsx";

export const Route = createRootRouteWithContext<App>()({
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});
