const WITH_WORDS = new Intl.RelativeTimeFormat("fr-FR", { numeric: "auto" });
const WITH_NUMBERS = new Intl.RelativeTimeFormat("fr-FR");

/** Units of a past moment, the largest that fits first: their seconds, and the place of a moment among them in the calendar. */
const UNITS = [
  ["year", 365 * 86_400, (date: Date) => date.getFullYear()],
  ["month", 30 * 86_400, (date: Date) => 12 * date.getFullYear() + date.getMonth()],
  // The first day of all was a Thursday.
  ["week", 7 * 86_400, (date: Date) => Math.floor((dayOf(date) + 3) / 7)],
  ["day", 86_400, dayOf],
  ["hour", 3_600, () => 0],
  ["minute", 60, () => 0],
] as const;

function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

/** « il y a 5 minutes », « hier », « le mois dernier », as the calendar has them; a clock that runs ahead is now, too. */
export function formatAgo(date: Date, now: Date): string {
  const seconds = (now.getTime() - date.getTime()) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  if (!unit) return "à l'instant";
  const [name, size, placeOf] = unit;
  const apart = placeOf(now) - placeOf(date);
  if (name === "day") return WITH_WORDS.format(-apart, name);
  return (apart === 1 ? WITH_WORDS : WITH_NUMBERS).format(-Math.floor(seconds / size), name);
}
