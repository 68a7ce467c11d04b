import { createFileRoute } from "@tanstack/react-router";
import { ReadyPage } from "../../../features/onboarding/ready-page.tsx";
import { requireStep } from "../../../lib/back-office.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/campaign")({
  beforeLoad: ({ context }) => requireStep(context, "campaign"),
  component: () => <ReadyPage storeName={Route.useRouteContext().store?.name ?? ""} />,
  ...waiting,
});
