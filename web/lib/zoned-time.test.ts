import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MINUTE_MS } from "#domain/text/durations.ts";
import { rounds } from "../../tests/harness/depth.ts";
import { zonedDayEnd, zonedDayStart, zonedInstant, zonedLocal } from "./zoned-time.ts";

const ROUNDS = rounds({ quick: 300, deep: 1500 });

/** Zones of every kind: none, half and quarter hours, half an hour of summer, a jump at midnight, far east and west. */
const zone = fc.constantFrom(
  ...["UTC", "Europe/Paris", "America/Guadeloupe", "America/St_Johns", "Asia/Kathmandu"],
  ...[
    "Australia/Lord_Howe",
    "America/Santiago",
    "America/Havana",
    "Pacific/Apia",
    "Pacific/Kiritimati",
  ],
);

const minute = fc
  .integer({ min: Date.UTC(2000, 0) / MINUTE_MS, max: Date.UTC(2100, 0) / MINUTE_MS })
  .map((minutes) => new Date(minutes * MINUTE_MS).toISOString());

/** Minutes around the changes of the clock in the years to come, where the mistakes are. */
const minuteOfChange = fc
  .record({
    year: fc.integer({ min: 2024, max: 2037 }),
    month: fc.constantFrom(2, 3, 8, 9, 10),
    day: fc.integer({ min: 1, max: 31 }),
    minutes: fc.integer({ min: -180, max: 26 * 60 }),
  })
  .map(({ year, month, day, minutes }) =>
    new Date(Date.UTC(year, month, day, 0, minutes)).toISOString(),
  );

const moment = fc.oneof(minute, minuteOfChange);

/** Every instant at which a zone's clock shows a local time, found by trying all offsets there are. */
function allInstants(local: string, timeZone: string): string[] {
  const asUtc = Date.parse(`${local}Z`);
  return Array.from(
    { length: (27 * 60) / 15 + 1 },
    (_, step) => asUtc + (step * 15 - 14 * 60) * MINUTE_MS,
  )
    .map((instant) => new Date(instant).toISOString())
    .filter((instant) => zonedLocal(instant, timeZone) === local);
}

test("an instant's local time leads back to it, or to the first of the two that show it", () => {
  fc.assert(
    fc.property(moment, zone, (instant, timeZone) => {
      const local = zonedLocal(instant, timeZone);
      const all = allInstants(local, timeZone);
      expect(all).toContain(instant);
      expect(zonedInstant(local, timeZone)).toBe(all[0]);
    }),
    { numRuns: ROUNDS },
  );
});

test("a local time that comes is shown at its instant; one that is skipped, as much later as the clock jumps", () => {
  fc.assert(
    fc.property(moment, zone, (utc, timeZone) => {
      const local = utc.slice(0, 16);
      const instant = zonedInstant(local, timeZone);
      const [first] = allInstants(local, timeZone);
      if (first) expect(instant).toBe(first);
      else {
        const yesterday = new Date(Date.parse(`${local}Z`) - 86_400_000).toISOString().slice(0, 16);
        const before = Date.parse(zonedInstant(yesterday, timeZone));
        expect(Date.parse(instant) - before).toBe(86_400_000);
        expect(zonedLocal(instant, timeZone) > local).toBe(true);
      }
    }),
    { numRuns: ROUNDS },
  );
});

test("a day's bounds lie in it, and the seconds around them do not", () => {
  fc.assert(
    fc.property(moment, zone, (instant, timeZone) => {
      const day = zonedLocal(instant, timeZone).slice(0, 10);
      const start = zonedDayStart(day, timeZone);
      const end = zonedDayEnd(day, timeZone);
      const dayAt = (bound: string, milliseconds: number) =>
        zonedLocal(new Date(Date.parse(bound) + milliseconds).toISOString(), timeZone).slice(0, 10);
      expect(dayAt(start, 0)).toBe(day);
      expect(dayAt(end, 0)).toBe(day);
      expect(dayAt(start, -1000) < day).toBe(true);
      expect(dayAt(end, 1000) > day).toBe(true);
    }),
    { numRuns: ROUNDS },
  );
});

test.each([
  // Paris goes forward at two o'clock and back at three.
  ["2027-03-28T02:30", "Europe/Paris", "2027-03-28T01:30:00.000Z"],
  ["2026-10-25T02:30", "Europe/Paris", "2026-10-25T00:30:00.000Z"],
  ["2026-12-24T18:30:15", "Europe/Paris", "2026-12-24T17:30:15.000Z"],
  ["2026-12-24T18:30", "Indian/Reunion", "2026-12-24T14:30:00.000Z"],
  ["2026-12-24T18:30", "Pacific/Tahiti", "2026-12-25T04:30:00.000Z"],
  ["2026-12-24", "Europe/Paris", "2026-12-23T23:00:00.000Z"],
  // Samoa skipped a whole day.
  ["2011-12-30T12:00", "Pacific/Apia", "2011-12-30T22:00:00.000Z"],
])("%s in %s is %s", (local, timeZone, instant) => {
  expect(zonedInstant(local, timeZone)).toBe(instant);
});

test("a last day ends with its last second, also where the clock goes back at midnight", () => {
  expect(zonedDayEnd("2026-12-24", "Europe/Paris")).toBe("2026-12-24T22:59:59.000Z");
  expect(zonedLocal("2026-12-24T22:59:59.000Z", "Europe/Paris")).toBe("2026-12-24T23:59:59");
  // 2026-04-04 in Santiago has its last hour twice.
  expect(zonedDayEnd("2026-04-04", "America/Santiago")).toBe("2026-04-05T03:59:59.000Z");
});

test("the database's way of writing an instant is read; what is no time or no zone is refused", () => {
  expect(zonedLocal("2026-12-24T17:30:00.123456+00:00", "Europe/Paris")).toBe("2026-12-24T18:30");
  expect(() => zonedInstant("demain", "Europe/Paris")).toThrow(RangeError);
  expect(() => zonedInstant("2026-12-24T18:30", "Europe/Nulle_Part")).toThrow(RangeError);
});
