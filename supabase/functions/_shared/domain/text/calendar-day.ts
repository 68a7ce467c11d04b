import { DAY_MS } from "./durations.ts";

/** The calendar day of a moment, as in « 2026-12-31 », by the clocks of a time zone. */
export function calendarDay(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(moment);
}

/** The calendar day so many days after another; before it where the number is negative. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** « 31/12/2026 » for the calendar day « 2026-12-31 ». */
export function slashedDay(day: string): string {
  return day.split("-").reverse().join("/");
}
