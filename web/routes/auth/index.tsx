import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { authCopy } from "../../features/auth/auth.copy.ts";
import { SignInPage } from "../../features/auth/sign-in-page.tsx";
import { safeRedirect } from "../../lib/safe-redirect.ts";
import { SIGNED_IN_HOME } from "../../lib/signed-in-home.ts";
import { LoadingScreen } from "../../ui/loading-screen.tsx";

/** Signed-in visitors go on to where they wanted; signing in reloads this route and does the same. */
export const Route = createFileRoute("/auth/")({
  validateSearch: z.object({ redirect: z.catch(z.optional(z.string()), undefined) }),
  beforeLoad: async ({ context, search }) => {
    if (await context.auth.ready()) {
      throw redirect({ href: safeRedirect(search.redirect, SIGNED_IN_HOME), replace: true });
    }
  },
  component: SignInPage,
  pendingComponent: () => <LoadingScreen text={authCopy.checking} />,
  pendingMs: 0,
});
