import { describe, expect, it } from "vitest";
import { EXAMPLE, readAssumption, sumsOf } from "./sums.ts";

describe("the calculator", () => {
  it("takes reviews and visits from those who scan", () => {
    // 60 × 26 = 1,560 customers, 124.8 scans.
    expect(sumsOf(EXAMPLE)).toEqual({ reviews: 50, returns: 22 });
    expect(sumsOf({ ...EXAMPLE, scans: 0 })).toEqual({ reviews: 0, returns: 0 });
    expect(sumsOf({ ...EXAMPLE, reviews: 0 })).toEqual({ reviews: 0, returns: 22 });
  });

  it.each([
    ["customers", "80", 80],
    ["customers", " 12,5 ", 12.5],
    ["scans", "250", 100],
    ["days", "40", 31],
    ["scans", "", null],
    ["scans", "-3", null],
    ["scans", "beaucoup", null],
  ] as const)("reads %s « %s » as %s", (name, typed, number) => {
    expect(readAssumption(name, typed)).toBe(number);
  });
});
