import type { ReviewHandled } from "#domain/schemas/reviews.ts";
import { reviewPanelCopy } from "./review-panel.copy.ts";

const copy = reviewPanelCopy.conflict;

/** Colleague who dealt with a review meanwhile, and how they did. */
export function conflictWords({ state, by }: Extract<ReviewHandled, { outcome: "conflict" }>) {
  return copy[state ?? "open"](by ?? copy.somebody);
}

type Refusal = Exclude<ReviewHandled["outcome"], "saved" | "conflict" | "claimed">;

/** Why nothing was sent or given, with the colleague who was faster. */
export function refusalWords(outcome: Refusal): string {
  switch (outcome) {
    case "too_many":
      return reviewPanelCopy.tooMany;
    case "already_given":
    case "reward_gone":
    case "sold_out":
      return reviewPanelCopy.gesture.refusals[outcome];
    default:
      return reviewPanelCopy.obstacles[outcome];
  }
}
