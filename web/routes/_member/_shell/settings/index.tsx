import { createFileRoute, redirect } from "@tanstack/react-router";

/** The settings open on the pages that everybody has: those of one's own account. */
export const Route = createFileRoute("/_member/_shell/settings/")({
  beforeLoad: () => {
    throw redirect({ to: "/settings/password", replace: true });
  },
});
