import type { Workspace } from "#domain/workspace.ts";
import { shellCopy } from "./shell.copy.ts";

const copy = shellCopy.banner;

/** From how many days before its end the trial is spoken of. */
const SOON_DAYS = 3;
const DAY_MS = 86_400_000;

/** A sentence, how urgent it is, and where one goes from there. */
type PlanNotice = { tone: "warning" | "info"; text: string; to: "/pricing" | "/settings" };

const warning = (text: string): PlanNotice => ({ tone: "warning", text, to: "/pricing" });
const soon = (text: string): PlanNotice => ({ tone: "info", text, to: "/pricing" });

/** What the banner says of a plan, and how urgently; null when there is nothing to say. */
export function planNotice(plan: Workspace["plan"], now: Date): PlanNotice | null {
  if (!plan) return null;
  const isTrial = plan.plan === "free_trial";
  if (!plan.is_open) return warning(isTrial ? copy.trialEnded : copy.closed);
  if (plan.status === "past_due") return { ...warning(copy.pastDue), to: "/settings" };
  if (!isTrial || !plan.trial_end) return null;
  const end = new Date(plan.trial_end);
  if (end <= now) return warning(copy.trialEnded);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.floor((end.getTime() - midnight) / DAY_MS);
  if (days > SOON_DAYS) return null;
  if (days === 0) return soon(copy.trialEndsToday);
  return soon(days === 1 ? copy.trialEndsTomorrow : copy.trialEndsIn(days));
}
