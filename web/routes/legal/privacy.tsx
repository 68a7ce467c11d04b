import { createFileRoute } from "@tanstack/react-router";
import { privacyText } from "../../features/marketing/legal.copy.ts";
import { LegalPage } from "../../features/marketing/legal-page.tsx";

export const Route = createFileRoute("/legal/privacy")({
  component: () => <LegalPage write={privacyText} />,
});
