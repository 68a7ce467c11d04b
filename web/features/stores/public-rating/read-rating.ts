/** A rating as it was typed, « 4,6 »: 0 to 5 with one decimal at most; null when invalid. */
export function readRating(typed: string): number | null {
  const text = typed.trim().replace(",", ".");
  if (!/^\d(\.\d)?$/.test(text)) return null;
  const rating = Number(text);
  return rating <= 5 ? rating : null;
}

/** Most reviews that are believed, as SQL's `public_ratings` has it. */
const MAX_REVIEWS = 10_000_000;

/** A number of reviews as it was typed, « 1 280 »; null when invalid. */
export function readReviews(typed: string): number | null {
  const text = typed.replaceAll(/\s/g, "");
  if (!/^\d{1,8}$/.test(text)) return null;
  const reviews = Number(text);
  return reviews <= MAX_REVIEWS ? reviews : null;
}

/** Which rule figures of a public page break: a page without reviews shows no rating, and one star is the least. */
export function ratingProblem(
  rating: number | null,
  reviews: number | null,
): "rating" | "reviews" | "unrated" | null {
  if (rating === null) return "rating";
  if (reviews === null) return "reviews";
  const isPossible = reviews === 0 ? rating === 0 : rating >= 1;
  return isPossible ? null : "unrated";
}
