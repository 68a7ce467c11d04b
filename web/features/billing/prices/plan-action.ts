import type { Billing, Plan } from "#domain/rules/plan-names.ts";
import { pricingCopy } from "./pricing.copy.ts";

const copy = pricingCopy.actions;

/** Subscription of the visitor; null for a visitor who has none. */
export type Subscribed = {
  plan: Plan;
  /** Whether it is still a subscription, or has come to its end. */
  hasEnded: boolean;
  /** How often it is paid; null when that is not known, and on the trial. */
  billing: Billing | null;
  /** Whether the visitor may change it: others would be refused at the checkout. */
  mayManage: boolean;
} | null;

/** Action of the button on a plan's card. */
export type PlanAction =
  | { kind: "signup"; label: string }
  | { kind: "checkout"; label: string }
  | { kind: "off"; label: string };

/** Decides what a card's button says and does (specification, section 2.3). */
export function planAction(subscribed: Subscribed, offer: Plan, billing: Billing): PlanAction {
  const action = offeredAction(subscribed, offer, billing);
  return subscribed?.mayManage === false ? { kind: "off", label: action.label } : action;
}

function offeredAction(subscribed: Subscribed, offer: Plan, billing: Billing): PlanAction {
  if (subscribed === null) {
    if (offer === "free_trial") return { kind: "signup", label: copy.startTrial };
    return { kind: "checkout", label: copy.choose[offer] };
  }
  if (offer === "free_trial") {
    const isCurrent = subscribed.plan === "free_trial";
    if (isCurrent) return { kind: "off", label: subscribed.hasEnded ? copy.over : copy.current };
    return { kind: "off", label: copy.unavailable };
  }
  if (subscribed.hasEnded && subscribed.plan !== "free_trial") {
    return { kind: "checkout", label: copy.choose[offer] };
  }
  if (subscribed.plan === offer && [null, billing].includes(subscribed.billing)) {
    return { kind: "off", label: copy.current };
  }
  const isUp = subscribed.plan === "free_trial" || (subscribed.plan === "basic" && offer === "pro");
  return { kind: "checkout", label: isUp ? copy.upgrade : copy.change };
}
