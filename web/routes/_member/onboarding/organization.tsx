import { createFileRoute } from "@tanstack/react-router";
import { OrganizationPage } from "../../../features/onboarding/organization-page.tsx";
import { useUserId } from "../../../lib/auth/use-session.ts";
import { requireStep } from "../../../lib/back-office.ts";
import { wantedPlan } from "../../../lib/wanted-plan.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/organization")({
  validateSearch: wantedPlan,
  beforeLoad: ({ context, search }) => requireStep(context, "organization", search),
  component: () => <OrganizationPage userId={useUserId()} wanted={Route.useSearch()} />,
  ...waiting,
});
