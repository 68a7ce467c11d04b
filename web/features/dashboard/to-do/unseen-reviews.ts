import type { UnseenReview } from "#domain/schemas/back-office.ts";

/** A review on the dashboard; what was marked as seen stays in its place, so that it can be undone. */
export type ReviewLine = { review: UnseenReview; isSeen: boolean };

/** Unseen reviews, and those seen since the page was opened, newest first. */
export function reviewLines(
  unseen: readonly UnseenReview[],
  seen: readonly UnseenReview[],
): ReviewLine[] {
  const seenIds = new Set(seen.map(({ id }) => id));
  return [
    ...seen.map((review) => ({ review, isSeen: true })),
    ...unseen.filter(({ id }) => !seenIds.has(id)).map((review) => ({ review, isSeen: false })),
  ].sort((one, other) => Date.parse(other.review.at) - Date.parse(one.review.at));
}
