import type { Workspace } from "#domain/schemas/workspace.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { suspensionText } from "../../lib/app-error.ts";
import { formatDate } from "../../lib/format.ts";
import { isUnpaid } from "../../lib/workspace.ts";
import { planBannerCopy as copy } from "./plan-banner.copy.ts";

/** From how many days before its end the trial is spoken of. */
const SOON_DAYS = 3;

/** From how many days before its end a cancelled subscription is spoken of: keeping it may need a colleague. */
const ENDING_DAYS = 7;

/** A sentence, how urgent it is, and what one does about it: nothing about what the operator alone can lift. */
type PlanNotice = { tone: "warning" | "info"; text: string; way: "plans" | "pay" | "keep" | null };

const warning = (text: string): PlanNotice => ({ tone: "warning", text, way: "plans" });
const soon = (text: string): PlanNotice => ({ tone: "info", text, way: "plans" });

/** The number of a moment's day where the reader is, whose days have 23 or 25 hours now and then. */
function dayOf(moment: Date): number {
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / DAY_MS;
}

/** Banner of a plan, and its urgency; null when there is nothing to say. */
export function planNotice(plan: Workspace["plan"], now: Date): PlanNotice | null {
  if (!plan) return null;
  if (plan.is_suspended) return { tone: "warning", text: suspensionText(), way: null };
  const isTrial = plan.plan === "free_trial";
  if (!plan.is_open) return closed(plan, now);
  if (plan.status === "past_due") return toPay(copy.pastDue(dayIn(plan.due_until)));
  if (!isTrial) return ending(plan.ends_at, now);
  if (!plan.trial_end) return null;
  const end = new Date(plan.trial_end);
  if (end <= now) return warning(copy.trialEnded);
  const days = dayOf(end) - dayOf(now);
  if (days > SOON_DAYS) return null;
  if (days === 0) return soon(copy.trialEndsToday);
  return soon(days === 1 ? copy.trialEndsTomorrow : copy.trialEndsIn(days));
}

/** That a subscription which was cancelled ends, once that is near. */
function ending(end: string | null, now: Date): PlanNotice | null {
  if (!end) return null;
  const day = new Date(end);
  if (dayOf(day) - dayOf(now) > ENDING_DAYS) return null;
  return { tone: "info", text: copy.ending(formatDate(day)), way: "keep" };
}

const toPay = (text: string): PlanNotice => ({ tone: "warning", text, way: "pay" });

/** A moment's day as the person reads it. */
function dayIn(moment: string | null): string | null {
  return moment && formatDate(new Date(moment));
}

/** Why the pages are closed, and until when one can still read. */
function closed(state: NonNullable<Workspace["plan"]>, now: Date): PlanNotice {
  const { plan, readable_until: until } = state;
  const isOver = until !== null && new Date(until) <= now;
  const readable = isOver ? "" : copy.readable(dayIn(until));
  if (isUnpaid(state)) return toPay(copy.suspended + readable);
  return warning((plan === "free_trial" ? copy.trialEnded : copy.closed) + readable);
}
