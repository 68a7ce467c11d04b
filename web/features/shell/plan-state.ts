import type { Workspace } from "#domain/journey.ts";
import { shellCopy } from "./shell.copy.ts";

const copy = shellCopy.banner;

/** From how many days before its end the trial is spoken of. */
const SOON_DAYS = 3;
const DAY_MS = 86_400_000;

/** What the banner says of a plan, and how urgently; null when there is nothing to say. */
export function planNotice(
  plan: Workspace["plan"],
  now: Date,
): { tone: "warning" | "info"; text: string } | null {
  if (!plan) return null;
  const isTrial = plan.plan === "free_trial";
  if (!plan.is_open) return { tone: "warning", text: isTrial ? copy.trialEnded : copy.closed };
  if (plan.status === "past_due") return { tone: "warning", text: copy.pastDue };
  if (!isTrial || !plan.trial_end) return null;
  const end = new Date(plan.trial_end);
  if (end <= now) return { tone: "warning", text: copy.trialEnded };
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.floor((end.getTime() - midnight) / DAY_MS);
  if (days > SOON_DAYS) return null;
  if (days === 0) return { tone: "info", text: copy.trialEndsToday };
  return { tone: "info", text: days === 1 ? copy.trialEndsTomorrow : copy.trialEndsIn(days) };
}
