import type { ReviewHandled } from "#domain/schemas/reviews.ts";
import { reviewPanelCopy } from "./review-panel.copy.ts";

const copy = reviewPanelCopy.conflict;

/** Who dealt with a review meanwhile, and how. */
export function conflictWords({ state, by }: Extract<ReviewHandled, { outcome: "conflict" }>) {
  return copy[state ?? "open"](by ?? copy.somebody);
}
