import { createFileRoute } from "@tanstack/react-router";
import { termsText } from "../../features/marketing/legal.copy.ts";
import { LegalPage } from "../../features/marketing/legal-page.tsx";

export const Route = createFileRoute("/legal/terms")({
  component: () => <LegalPage write={termsText} />,
});
