import { describe, expect, it } from "vitest";
import { datesOf, datesProblem, daysOf, readPeriod, writePeriod } from "./period.ts";

describe("the dashboard's period", () => {
  it("is kept in the address, the usual one without a word", () => {
    const dates = { from: "2026-11-01", to: "2026-11-22" };
    for (const [period, text] of [
      [7, "7d"],
      [30, undefined],
      [90, "90d"],
      [dates, "2026-11-01..2026-11-22"],
    ] as const) {
      expect(writePeriod(period)).toBe(text);
      expect(readPeriod(text)).toEqual(period);
    }
  });

  it("is the usual one where the address says nothing that can be shown", () => {
    for (const text of [
      "31d",
      "x",
      "2026-11-22..2026-11-01",
      "2026-02-31..2026-03-05",
      "2025-01-01..2026-11-22",
      "1999-12-31..2000-01-05",
    ]) {
      expect(readPeriod(text)).toBe(30);
    }
  });

  it("counts its first and its last day, over months and the change of the clock", () => {
    expect(datesOf(7, "2026-03-02")).toEqual({ from: "2026-02-24", to: "2026-03-02" });
    expect(daysOf({ from: "2026-10-20", to: "2026-10-26" })).toBe(7);
    expect(daysOf(datesOf(90, "2026-11-22"))).toBe(90);
  });

  it("says what is wrong with dates", () => {
    expect(datesProblem("", "2026-11-22")).toBe("missing");
    expect(datesProblem("2026-11-22", "2026-11-21")).toBe("backwards");
    expect(datesProblem("2025-11-22", "2026-11-22")).toBeNull();
    expect(datesProblem("2025-11-21", "2026-11-22")).toBe("long");
  });
});
