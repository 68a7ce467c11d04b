import { firstOfMonth } from "#domain/text/first-of-month.ts";

const MONTH = new Intl.DateTimeFormat("fr-FR", { month: "long", year: "numeric", timeZone: "UTC" });

/** A month that is over, by its first day (ISO), and as people call it. */
export type PastMonth = { day: string; name: string };

/** The last 12 months that are over before a day, the newest first: from that of the first figures on, where it is known. */
export function pastMonths(today: string, firstDay: string | null | undefined): PastMonth[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const months = Array.from({ length: 12 }, (_none, back) => {
    const first = new Date(Date.UTC(year, month - 2 - back, 1));
    return { day: first.toISOString().slice(0, 10), name: MONTH.format(first) };
  });
  if (firstDay === undefined) return months;
  return months.filter(({ day }) => firstDay !== null && day.slice(0, 7) >= firstDay.slice(0, 7));
}

const DAY = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "UTC" });

/** When the month of a day is over, as people say it: « 1er décembre 2026 ». */
export function nextMonth(today: string): string {
  const [year = 0, month = 1] = today.split("-").map(Number);
  return firstOfMonth(DAY.format(Date.UTC(year, month, 1)));
}
