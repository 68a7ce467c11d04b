import { PERIOD_MAX_DAYS } from "#domain/rules/constants.ts";
import { daysAfter } from "#domain/text/calendar-day.ts";
import { DAY_MS } from "#domain/text/durations.ts";

/** Lengths that are offered, in days up to today; the second one is the default. */
export const LENGTHS = [7, 30, 90] as const;
type Length = (typeof LENGTHS)[number];

/** Days that figures are shown of: so many up to today, or from one to another. */
export type Period = Length | { from: string; to: string };

export const USUAL: Length = 30;

const DATES = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/** Reads an address (`7d`, `90d`, `2026-11-01..2026-11-22`); the usual period where it says none. */
export function readPeriod(text: string | undefined): Period {
  const length = LENGTHS.find((days) => `${days}d` === text);
  if (length !== undefined) return length;
  const [, from, to] = DATES.exec(text ?? "") ?? [];
  return from && to && datesProblem(from, to) === null ? { from, to } : USUAL;
}

export function writePeriod(period: Period): string | undefined {
  if (period === USUAL) return undefined;
  return typeof period === "number" ? `${period}d` : `${period.from}..${period.to}`;
}

/** The first and the last day of a period. */
export function datesOf(period: Period, today: string): { from: string; to: string } {
  if (typeof period !== "number") return period;
  return {
    from: daysAfter(today, 1 - period),
    to: today,
  };
}

/** How many days from one to another, both counted. */
export function daysOf({ from, to }: { from: string; to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Why two days are no period; null when they are one. */
export function datesProblem(from: string, to: string): "missing" | "backwards" | "long" | null {
  const days = daysOf({ from, to });
  if (!isDay(from) || !isDay(to)) return "missing";
  if (days < 1) return "backwards";
  return days > PERIOD_MAX_DAYS ? "long" : null;
}

/** Whether a text is a day of this century or the next, and not a 31st of February. */
function isDay(text: string): boolean {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && /^2[01]/.test(text);
}
