import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { NOTHING } from "./format.ts";

const LOCALE = "fr-FR";

const ONE_DECIMAL = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const CHANGE = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});

/** A mean to one decimal: « 4,3 »; « – » of nothing. */
export function formatAverage(sum: number, count: number): string {
  return count === 0 ? NOTHING : ONE_DECIMAL.format(sum / count);
}

/** How much more, or less, than before: « +20 % »; null where there was nothing before. */
export function formatChange(now: number, before: number): string | null {
  return before === 0 ? null : CHANGE.format((now - before) / before);
}

/** How long ago: « < 1 min », « 12 min », « 3 h », « 2 j » (specification, section 9). */
export function formatElapsed(since: Date, now: Date): string {
  const elapsed = now.getTime() - since.getTime();
  if (elapsed < MINUTE_MS) return "< 1 min";
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)} min`;
  if (elapsed < DAY_MS) return `${Math.floor(elapsed / HOUR_MS)} h`;
  return `${Math.floor(elapsed / DAY_MS)} j`;
}
