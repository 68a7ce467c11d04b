const LOCALE = "fr-FR";

const DAY = new Intl.DateTimeFormat(LOCALE, { weekday: "long", day: "numeric", month: "long" });
const DAY_AND_YEAR = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full" });
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit" });

/** « samedi 12 décembre », with the year when it is not the present one. */
export function formatDay(date: Date, now: Date): string {
  return (date.getFullYear() === now.getFullYear() ? DAY : DAY_AND_YEAR).format(date);
}

/** « 14:32 ». */
export function formatTime(date: Date): string {
  return TIME.format(date);
}

/** « aujourd'hui à 14:32 », « samedi 12 décembre à 14:32 ». */
export function formatMoment(date: Date, now: Date): string {
  const day = date.toDateString() === now.toDateString() ? "aujourd'hui" : formatDay(date, now);
  return `${day} à ${formatTime(date)}`;
}
