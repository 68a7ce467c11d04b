import { createFileRoute } from "@tanstack/react-router";
import { WelcomePage } from "../../../features/onboarding/welcome-page.tsx";
import { WaitingInvitation } from "../../../features/team/invitations/waiting-invitation.tsx";
import { useUserId } from "../../../lib/auth/use-session.ts";
import { requireStep } from "../../../lib/back-office.ts";
import { wantedPlan } from "../../../lib/wanted-plan.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/")({
  validateSearch: wantedPlan,
  beforeLoad: ({ context, search }) => requireStep(context, "organization", search),
  component: () => (
    <WelcomePage
      userId={useUserId()}
      wanted={Route.useSearch()}
      invitation={<WaitingInvitation />}
    />
  ),
  ...waiting,
});
