import { dayWritten, locale } from "./locale.copy.ts";

/**
 * A day in plain words: « samedi 12 décembre », with its year when that is another one. By
 * the clocks of the store, wherever the reader is.
 */
export function dayInWords(date: Date, now: Date, timeZone: string): string {
  return dayInLanguage(date, now, timeZone, { locale, dayWritten });
}

/** How a language writes a day. */
export type Dates = { locale: string; dayWritten: (day: string) => string };

/** The same in a language that is named, where one program writes in several. */
export function dayInLanguage(
  date: Date,
  now: Date,
  timeZone: string,
  { locale, dayWritten }: Dates,
): string {
  const inZone = (moment: Date, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...parts }).format(moment);
  const year = { year: "numeric" } as const;
  return dayWritten(
    inZone(date, {
      weekday: "long",
      day: "numeric",
      month: "long",
      ...(inZone(date, year) !== inZone(now, year) && year),
    }),
  );
}
