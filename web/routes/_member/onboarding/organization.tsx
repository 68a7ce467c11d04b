import { createFileRoute } from "@tanstack/react-router";
import { OrganizationPage } from "../../../features/onboarding/organization-page.tsx";
import { demandStep } from "../../../lib/back-office.ts";
import { useUserId } from "../../../lib/use-session.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/organization")({
  beforeLoad: ({ context }) => demandStep(context, "organization"),
  component: () => <OrganizationPage userId={useUserId()} />,
  ...waiting,
});
