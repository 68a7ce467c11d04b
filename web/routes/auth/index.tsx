import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { guardCopy } from "../../features/auth/guard/guard.copy.ts";
import { AuthPage } from "../../features/auth/sign-in/auth-page.tsx";
import { needsSecondFactor } from "../../lib/auth/auth.ts";
import { safeRedirect } from "../../lib/auth/safe-redirect.ts";
import { SIGNED_IN_HOME } from "../../lib/auth/signed-in-home.ts";
import { LoadingScreen } from "../../ui/states/loading-screen.tsx";

/**
 * Signed-in visitors go on to where they wanted. Those who sign in while being here are led on by
 * the page itself, once it has said that it worked.
 */
export const Route = createFileRoute("/auth/")({
  validateSearch: z.object({
    mode: z.catch(z.optional(z.literal("signup")), undefined),
    redirect: z.catch(z.optional(z.string()), undefined),
    /** The link of the confirmation mail leads here. */
    confirmed: z.catch(z.optional(z.literal(true)), undefined),
  }),
  beforeLoad: async ({ context, search, cause }) => {
    const session = await context.auth.ready();
    if (cause === "stay" || search.confirmed || needsSecondFactor(session)) return;
    // The page says what was wrong with the link that led here.
    if (context.auth.arrivalProblem()) return;
    if (session) {
      throw redirect({ href: safeRedirect(search.redirect, SIGNED_IN_HOME), replace: true });
    }
  },
  component: Auth,
  pendingComponent: () => <LoadingScreen text={guardCopy.checking} />,
  pendingMs: 0,
});

function Auth() {
  const { mode, redirect: target, confirmed } = Route.useSearch();
  return (
    <AuthPage
      mode={mode ?? "signin"}
      target={safeRedirect(target, SIGNED_IN_HOME)}
      isConfirmed={confirmed ?? false}
    />
  );
}
