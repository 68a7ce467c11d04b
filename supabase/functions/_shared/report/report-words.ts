import { inCents } from "../domain/text/in-cents.ts";

const LOCALE = "fr-FR";
const COUNT = new Intl.NumberFormat(LOCALE);
const MEAN = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const RATING = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
const CHANGE = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});
const SIGNED = new Intl.NumberFormat(LOCALE, {
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
const EUROS = new Intl.NumberFormat(LOCALE, { style: "currency", currency: "EUR" });
// A date without a clock is a day in UTC.
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric", timeZone: "UTC" });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long", timeZone: "UTC" });

/** The figure in the place of a mean or a share of nothing. */
const NONE = "–";

/** « 1 280 ». */
export const inCount = (count: number) => COUNT.format(count);

/** A mean to one decimal: « 4,3 ». */
export const inMean = (sum: number, count: number) =>
  count === 0 ? NONE : MEAN.format(sum / count);

/** « 4,0 »: what a public page shows; 0 is that of a page without reviews. */
export const inRating = (rating: number) => (rating === 0 ? NONE : RATING.format(rating));

/** « 66,7 % ». */
export const inShare = (part: number, whole: number) =>
  whole === 0 ? NONE : PERCENT.format(part / whole);

/** « +20 % »; null where there was nothing before. */
export const inChange = (now: number, before: number) =>
  before === 0 ? null : CHANGE.format((now - before) / before);

/** « +0,2 », « −3 ». */
export const inGain = (gain: number) => SIGNED.format(gain);

/** « 1 234,50 € ». */
export const inEuros = (amount: number) => EUROS.format(inCents(amount) / 100);

/** « octobre 2026 » of an ISO date. */
export const inMonth = (day: string) => MONTH.format(new Date(day));

/** « 3 octobre 2026 », « 1er octobre 2026 » of an ISO date. */
export const inDay = (day: string) => DAY.format(new Date(day)).replace(/^1 /, "1er ");
