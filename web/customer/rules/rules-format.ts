import { dayWritten, hourWritten, locale, percentWritten } from "#domain/text/locale.copy.ts";
import { datesCopy } from "../parts/dates.copy.ts";

/** A moment in full, in the store's time zone: « lundi 5 janvier 2026 à 9 h 00 ». */
export function momentInFull(iso: string, timeZone: string): string {
  const date = new Date(iso);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone }).format(date);
  const time = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone });
  return datesCopy.dayAndTime(dayWritten(day), hourWritten(time.format(date)));
}

/** A day: « 5 janvier 2026 ». */
export function dayInFull(iso: string, timeZone: string): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone });
  return dayWritten(day.format(new Date(iso)));
}

/** Odds, as « 33,33 % ». */
export function percent(value: number): string {
  return percentWritten(new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value));
}

/** An amount in euros: « 2,50 € », « 12 € ». */
export function euros(amount: number): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "EUR",
    trailingZeroDisplay: "stripIfInteger",
  }).format(amount);
}

/** A number with its thousands apart. */
export function count(value: number): string {
  return new Intl.NumberFormat(locale).format(value);
}
