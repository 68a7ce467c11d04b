import { expect, it } from "vitest";
import { calendarDay, daysAfter, slashedDay } from "./calendar-day.ts";

it("says the day that it is by the clocks of a place", () => {
  const end = new Date("2026-12-31T22:59:59Z");
  expect(calendarDay(end, "Europe/Paris")).toBe("2026-12-31");
  expect(calendarDay(end, "Pacific/Noumea")).toBe("2027-01-01");
  expect(calendarDay(end, "America/Martinique")).toBe("2026-12-31");
});

it.each([
  ["2026-12-31", 1, "2027-01-01"],
  ["2028-02-28", 1, "2028-02-29"],
  // The clocks change in this night.
  ["2026-10-24", 2, "2026-10-26"],
  ["2027-01-05", -7, "2026-12-29"],
  ["2026-06-15", 0, "2026-06-15"],
])("counts on the calendar, whatever the clocks do: %s and %i days is %s", (day, days, then) => {
  expect(daysAfter(day, days)).toBe(then);
});

it("writes a calendar day with slashes", () => {
  expect(slashedDay("2026-12-31")).toBe("31/12/2026");
});
