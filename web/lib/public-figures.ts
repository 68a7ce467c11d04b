const RATING = new Intl.NumberFormat("fr-FR", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const CHANGE = new Intl.NumberFormat("fr-FR", {
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** « 4,6 »; « – » of a page without reviews. */
export function formatRating(rating: number): string {
  return rating === 0 ? "–" : RATING.format(rating);
}

/** « +12 », « −3 », « 0 »: how many more than on the first day, or how much better. */
export function formatGain(gain: number): string {
  return CHANGE.format(gain);
}

/** A day of an answer: at noon, so that no time zone moves it. */
export function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00`);
}
