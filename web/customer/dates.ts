import { firstOfMonth } from "#domain/text/first-of-month.ts";
import { datesCopy } from "./dates.copy.ts";

const TWO_DAYS_MS = 2 * 24 * 60 * 60 * 1000;

/**
 * A day in plain words: « samedi 12 décembre », with its year when that is another one. By
 * the clocks of the store, wherever the phone is.
 */
export function dayInWords(date: Date, now: Date, timeZone: string): string {
  const inZone = (moment: Date, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("fr-FR", { timeZone, ...parts }).format(moment);
  const year = { year: "numeric" } as const;
  return firstOfMonth(
    inZone(date, {
      weekday: "long",
      day: "numeric",
      month: "long",
      ...(inZone(date, year) !== inZone(now, year) && year),
    }),
  );
}

/** The same with the time of day: « samedi 12 décembre à 14 h 05 ». */
export function momentInWords(date: Date, now: Date, timeZone: string): string {
  const time = new Intl.DateTimeFormat("fr-FR", { hour: "numeric", minute: "2-digit", timeZone })
    .format(date)
    .replace(":", "\u00a0h\u00a0");
  return datesCopy.dayAndTime(dayInWords(date, now, timeZone), time);
}

/** Until when something is valid: the hour matters only when the end is near. */
export function endInWords(date: Date, now: Date, timeZone: string): string {
  const isNear = date.getTime() - now.getTime() < TWO_DAYS_MS;
  return isNear ? momentInWords(date, now, timeZone) : dayInWords(date, now, timeZone);
}
