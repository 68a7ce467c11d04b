import { firstOfMonth } from "#domain/text/first-of-month.ts";

const LOCALE = "fr-FR";

const DAY = new Intl.DateTimeFormat(LOCALE, { weekday: "long", day: "numeric", month: "long" });
const DAY_AND_YEAR = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full" });
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit" });

/** « samedi 12 décembre », with the year when it is not the present one. */
export function formatDay(date: Date, now: Date): string {
  return firstOfMonth((date.getFullYear() === now.getFullYear() ? DAY : DAY_AND_YEAR).format(date));
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

/** « 12 décembre 2026 », « 1er décembre 2026 »; by the reader's clock unless a time zone is named. */
export function formatDate(date: Date, timeZone?: string): string {
  return firstOfMonth(date.toLocaleDateString(LOCALE, { dateStyle: "long", timeZone }));
}

const FILE_DAY = new Intl.DateTimeFormat("sv-SE");

/** « 2026-12-12 », as it is here: the day in the name of a file. */
export function formatFileDay(date: Date): string {
  return FILE_DAY.format(date);
}

const LANGUAGES = new Intl.DisplayNames(LOCALE, { type: "language", fallback: "none" });

/** « Français » for `fr`, « Anglais britannique » for `en-GB`; a tag that names no known language stays as it is. */
export function formatLanguage(tag: string): string {
  const name = LANGUAGES.of(tag);
  return name === undefined ? tag : name.charAt(0).toLocaleUpperCase(LOCALE) + name.slice(1);
}

const ESTIMATE = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 });

/** « 12 000 » of 12 480: what is not counted one by one. */
export function formatEstimate(count: number): string {
  return ESTIMATE.format(count);
}

const NUMBER = new Intl.NumberFormat(LOCALE);

/** « 12 480 ». */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** « 1 gain », « 2 gains »: French counts nothing as one, « 0 gain ». */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count < 2 ? one : many}`;
}

/** The figure in the place of one that nothing has been counted for. */
export const NOTHING = "–";

const SHARE = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });

/** « 12,5 % »: a part of a whole, rounded to one decimal; « – » of nothing, of which no share is low or high. */
export function formatShare(part: number, whole: number): string {
  return whole > 0 ? SHARE.format(part / whole) : NOTHING;
}

const WHOLE_EUROS = new Intl.NumberFormat(LOCALE, {
  style: "currency",
  currency: "EUR",
  maximumFractionDigits: 0,
});
const EUROS = new Intl.NumberFormat(LOCALE, { style: "currency", currency: "EUR" });

/** « 49 € », « 9,80 € »: an amount in cents. */
export function formatEuros(cents: number): string {
  return (cents % 100 === 0 ? WHOLE_EUROS : EUROS).format(cents / 100);
}

/** « 49,00 € », « -9,80 € »: an amount of a bill in cents, to the cent. */
export function formatExactEuros(cents: number): string {
  return EUROS.format(cents / 100);
}

const SIGNED_SHARE = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** « +540 % », « -12,5 % »: a gain or a loss as a part of what was spent. */
export function formatSignedShare(ratio: number): string {
  return SIGNED_SHARE.format(ratio);
}

/** The day of a stored moment (specification, section 2.16): « Date inconnue » without one, « Date invalide » if it is invalid. */
export function formatStoredDate(moment: string | null): string {
  if (!moment) return "Date inconnue";
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? "Date invalide" : formatDate(date);
}
