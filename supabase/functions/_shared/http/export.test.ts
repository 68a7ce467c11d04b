import { expect, it } from "vitest";
import { exportDay } from "./export.ts";

it.each([
  ["2026-07-14T21:59:59Z", "2026-07-14"],
  ["2026-07-14T22:00:00Z", "2026-07-15"],
  ["2026-12-31T23:00:00Z", "2027-01-01"],
])("an export made at %s is of the day that it is in France: %s", (now, day) => {
  expect(exportDay(new Date(now))).toBe(day);
});
