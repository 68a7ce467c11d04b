import { firstOfMonth } from "#domain/text/first-of-month.ts";

const MONTH = new Intl.DateTimeFormat("fr-FR", { month: "long", year: "numeric", timeZone: "UTC" });

/** A month that is over, by its first day (ISO), and as people call it. */
export type PastMonth = { day: string; name: string };

/** The last 12 months that are over before a day, the newest first. */
export function pastMonths(today: string): PastMonth[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  return Array.from({ length: 12 }, (_none, back) => {
    const first = new Date(Date.UTC(year, month - 2 - back, 1));
    return { day: first.toISOString().slice(0, 10), name: firstOfMonth(MONTH.format(first)) };
  });
}
