import { createFileRoute, redirect } from "@tanstack/react-router";
import { LandingPage } from "../features/marketing/landing-page.tsx";
import { siteCopy } from "../features/site/site.copy.ts";
import { SIGNED_IN_HOME } from "../lib/signed-in-home.ts";
import { LoadingScreen } from "../ui/loading-screen.tsx";

export const Route = createFileRoute("/")({
  beforeLoad: async ({ context }) => {
    if (await context.auth.ready()) throw redirect({ to: SIGNED_IN_HOME });
  },
  component: LandingPage,
  pendingComponent: () => <LoadingScreen text={siteCopy.home.loading} />,
  pendingMs: 0,
});
