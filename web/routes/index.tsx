import { createFileRoute, redirect } from "@tanstack/react-router";
import { siteCopy } from "../features/site/site.copy.ts";
import { SIGNED_IN_HOME } from "../lib/auth/signed-in-home.ts";
import { LoadingScreen } from "../ui/states/loading-screen.tsx";

/**
 * `/` is a page of its own, rendered at build (`web/site`). Inside the application the address leads members to
 * their dashboard at once, and everybody else out to that page.
 */
export const Route = createFileRoute("/")({
  beforeLoad: async ({ context }) => {
    if (await context.auth.ready()) throw redirect({ to: SIGNED_IN_HOME });
    throw redirect({ href: "/", reloadDocument: true });
  },
  component: () => null,
  pendingComponent: () => <LoadingScreen text={siteCopy.home.loading} />,
  pendingMs: 0,
});
