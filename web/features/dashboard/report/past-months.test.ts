import { expect, it } from "vitest";
import { nextMonth, pastMonths } from "./past-months.ts";

it("pastMonths are the twelve before this one, also across New Year", () => {
  const months = pastMonths("2026-03-31", "2024-05-06");
  expect(months).toHaveLength(12);
  expect(months.slice(0, 3)).toEqual([
    { day: "2026-02-01", name: "février 2026" },
    { day: "2026-01-01", name: "janvier 2026" },
    { day: "2025-12-01", name: "décembre 2025" },
  ]);
  expect(months.at(-1)?.day).toBe("2025-03-01");
});

it("pastMonths begin with that of the first figures; before any none is offered", () => {
  const days = (firstDay: string | null | undefined) =>
    pastMonths("2026-03-31", firstDay).map(({ day }) => day);
  expect(days("2026-01-31")).toEqual(["2026-02-01", "2026-01-01"]);
  expect(days("2026-02-01")).toEqual(["2026-02-01"]);
  expect(days("2026-03-01")).toEqual([]);
  expect(days(null)).toEqual([]);
  expect(days(undefined)).toHaveLength(12);
});

it("nextMonth is the first of the month after, also across New Year", () => {
  expect(nextMonth("2026-11-01")).toBe("1er décembre 2026");
  expect(nextMonth("2026-12-31")).toBe("1er janvier 2027");
});
