import type { PaidPlan } from "#domain/rules/plan-names.ts";
import { Notice } from "../../ui/notice.tsx";
import { onboardingCopy } from "./onboarding.copy.ts";

/** The plan that somebody came for is not forgotten on the way to their organisation. */
export function WantedNotice({ plan }: { plan: PaidPlan }) {
  return <Notice>{onboardingCopy.wanted[plan]}</Notice>;
}
