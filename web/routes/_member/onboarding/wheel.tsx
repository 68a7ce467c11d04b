import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import * as z from "zod/mini";
import { isTrade, TRADES } from "#domain/rules/trade-wheels.ts";
import {
  proposalFor,
  type StarterValues,
  starterValues,
} from "../../../features/campaign-editor/starter/starter.schema.ts";
import { StarterForm } from "../../../features/campaign-editor/starter/starter-form.tsx";
import { draftOf } from "../../../features/onboarding/draft.ts";
import { WheelPage } from "../../../features/onboarding/wheel-page.tsx";
import { useUserId } from "../../../lib/auth/use-session.ts";
import { requireStep } from "../../../lib/back-office.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/wheel")({
  validateSearch: z.object({ trade: z.catch(z.optional(z.string()), undefined) }),
  beforeLoad: ({ context }) => requireStep(context, "campaign"),
  component: WheelStep,
  ...waiting,
});

function WheelStep() {
  const { store } = Route.useRouteContext();
  const { trade } = Route.useSearch();
  const userId = useUserId();
  const [draft] = useState(() =>
    draftOf(userId, "wheel", z.object({ trade: z.enum(TRADES), wheel: starterValues })),
  );
  if (!store) return null;
  return (
    <WheelPage<StarterValues>
      store={store}
      trade={isTrade(trade) ? trade : undefined}
      draft={draft}
      proposalFor={proposalFor}
      form={({ later, ...rest }) => (
        <StarterForm {...rest} store={store}>
          {later}
        </StarterForm>
      )}
    />
  );
}
