import { daysAfter } from "#domain/text/calendar-day.ts";
import { DAY_MS } from "#domain/text/durations.ts";

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A zone's clock; making one is slow. Throws a RangeError where the browser does not know the zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-CA-u-ca-iso8601", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  clocks.set(timeZone, clock);
  return clock;
}

/**
 * Time on a zone's clock at an instant, to the second, as if it were UTC (milliseconds of the
 * epoch).
 */
function shownAt(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant);
  const read = (wanted: Intl.DateTimeFormatPartTypes) =>
    parts.find(({ type }) => type === wanted)?.value ?? "";
  const year = read("year").padStart(4, "0");
  const day = `${year}-${read("month")}-${read("day")}`;
  return Date.parse(`${day}T${read("hour")}:${read("minute")}:${read("second")}Z`);
}

/**
 * The instant (ISO, UTC) at which a zone's clock shows a local time (`2026-12-24`, `2026-12-24T18:30`, with or without
 * seconds). A time that comes twice, when clocks go back, is the first; one that never comes, when they go forward, is
 * as much later as they jump. Throws a RangeError of an unreadable time or an unknown zone.
 */
export function zonedInstant(local: string, timeZone: string): string {
  const wanted = Date.parse(`${local.includes("T") ? local : `${local}T00:00`}Z`);
  // Days are longer than any zone's clock jumps, and shorter than the time between two jumps of one zone.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((near) => shownAt(near, timeZone) - near);
  const candidates = offsets.map((offset) => wanted - offset);
  const [asBefore = wanted] = candidates;
  const exact = candidates.find((instant) => shownAt(instant, timeZone) === wanted);
  return new Date(exact ?? asBefore).toISOString();
}

/**
 * Time on a zone's clock at an instant, as a `datetime-local` field takes it; seconds only where
 * there are any.
 */
export function zonedLocal(instant: string, timeZone: string): string {
  const local = new Date(shownAt(Date.parse(instant), timeZone)).toISOString();
  return local.endsWith(":00.000Z") ? local.slice(0, 16) : local.slice(0, 19);
}

/** First instant of a day (`2026-12-24`) in a zone. */
export function zonedDayStart(day: string, timeZone: string): string {
  return zonedInstant(day, timeZone);
}

/** Last second of a day in a zone, also where the clock goes back at its end. */
export function zonedDayEnd(day: string, timeZone: string): string {
  return new Date(Date.parse(zonedInstant(daysAfter(day, 1), timeZone)) - 1000).toISOString();
}
