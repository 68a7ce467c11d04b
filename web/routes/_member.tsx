import type { ParsedLocation } from "@tanstack/react-router";
import { createFileRoute, redirect } from "@tanstack/react-router";
import { GuardScreen } from "../features/auth/guard/guard-screen.tsx";
import { type Auth, needsSecondFactor } from "../lib/auth/auth.ts";

function demand(session: ReturnType<Auth["current"]>, location: ParsedLocation): void {
  if (session && !needsSecondFactor(session)) return;
  throw redirect({ to: "/auth", search: { redirect: location.href } });
}

/**
 * Guards every page below it: they require a session, and the second factor of a user who
 * has one (specification, section 2.1).
 */
export const Route = createFileRoute("/_member")({
  beforeLoad: ({ context, location }) => {
    const session = context.auth.current();
    // Known at once: no waiting screen between two pages.
    if (session !== undefined) return demand(session, location);
    return context.auth.ready().then((read) => demand(read, location));
  },
  pendingComponent: GuardScreen,
  pendingMs: 0,
});
