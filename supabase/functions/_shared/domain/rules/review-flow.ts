import { BAD_RATING } from "./constants.ts";
import type { ReviewMode } from "./review-mode.ts";

/** Steps of the review page (specification, sections 2.5 and 4.2). */
export type ReviewStep = "loading" | "form" | "rating" | "google" | "feedback" | "ready" | "error";

/** Where the review page goes once the rating is stored. */
export type ReviewNext = "google" | "feedback" | "ready";

/** Facts that decide the way after a rating. */
export type RatingContext = {
  /** Stars, 1 to 5. */
  rating: number;
  reviewMode: ReviewMode;
  /** Whether the store has a public reviews page. */
  hasReviewUrl: boolean;
};

/** Where a rating leads, and whether the public reviews page opens at once in a new tab. */
export type RatingOutcome = { next: ReviewNext; opensReviewPage: boolean };

/**
 * The transition table of the specification, section 4.2. The SQL function `record_review` answers the
 * same `next`; a test compares the two for every row.
 */
export function afterRating({ rating, reviewMode, hasReviewUrl }: RatingContext): RatingOutcome {
  if (rating <= BAD_RATING) return { next: "feedback", opensReviewPage: false };
  if (!hasReviewUrl) return { next: "ready", opensReviewPage: false };
  if (rating === 5) return { next: "ready", opensReviewPage: true };
  return { next: reviewMode === "gating" ? "google" : "ready", opensReviewPage: false };
}

/** The optional public-review button of the last step: compliant mode with a reviews page (specification, section 4.2). */
export function offersReviewPage(reviewMode: ReviewMode, hasReviewUrl: boolean): boolean {
  return reviewMode === "compliant" && hasReviewUrl;
}
