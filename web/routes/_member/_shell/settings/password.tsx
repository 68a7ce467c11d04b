import { createFileRoute } from "@tanstack/react-router";
import { PasswordPage } from "../../../../features/security/password/password-page.tsx";

export const Route = createFileRoute("/_member/_shell/settings/password")({
  component: PasswordPage,
});
