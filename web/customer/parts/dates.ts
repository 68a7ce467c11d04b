import { dayInWords } from "#domain/text/day-in-words.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { hourWritten, locale } from "#domain/text/locale.copy.ts";
import { datesCopy } from "./dates.copy.ts";

const TWO_DAYS_MS = 2 * DAY_MS;

/** The same with the time of day: « samedi 12 décembre à 14 h 05 ». */
export function momentInWords(date: Date, now: Date, timeZone: string): string {
  const time = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone });
  return datesCopy.dayAndTime(dayInWords(date, now, timeZone), hourWritten(time.format(date)));
}

/** Until when something is valid: the hour matters only when the end is near. */
export function endInWords(date: Date, now: Date, timeZone: string): string {
  const isNear = date.getTime() - now.getTime() < TWO_DAYS_MS;
  return isNear ? momentInWords(date, now, timeZone) : dayInWords(date, now, timeZone);
}
