import { createFileRoute } from "@tanstack/react-router";
import { SessionsPage } from "../../../../features/security/sessions/sessions-page.tsx";

export const Route = createFileRoute("/_member/_shell/settings/sessions")({
  component: SessionsPage,
});
