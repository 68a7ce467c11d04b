import { createFileRoute } from "@tanstack/react-router";
import { WelcomePage } from "../../../features/onboarding/welcome-page.tsx";
import { WaitingInvitation } from "../../../features/team/waiting-invitation.tsx";
import { demandStep } from "../../../lib/back-office.ts";
import { useUserId } from "../../../lib/use-session.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/")({
  beforeLoad: ({ context }) => demandStep(context, "organization"),
  component: () => <WelcomePage userId={useUserId()} invitation={<WaitingInvitation />} />,
  ...waiting,
});
