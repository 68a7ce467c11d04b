import { createFileRoute } from "@tanstack/react-router";
import { guardCopy } from "../../features/auth/guard/guard.copy.ts";
import { ResetPasswordPage } from "../../features/auth/password/reset-password-page.tsx";
import { LoadingScreen } from "../../ui/states/loading-screen.tsx";

export const Route = createFileRoute("/auth/reset-password")({
  // Waits until the link's code was exchanged for a session.
  beforeLoad: async ({ context }) => {
    await context.auth.ready();
  },
  component: ResetPasswordPage,
  pendingComponent: () => <LoadingScreen text={guardCopy.checkingLink} />,
  pendingMs: 0,
});
