import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marksOf, roundTop } from "./scale.ts";

describe("the axis of a chart", () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 4],
    [10, 10],
    [11, 20],
    [47, 60],
    [61, 100],
    [1234, 2000],
  ])("that shows up to %i ends at %i", (highest, top) => {
    expect(roundTop(highest)).toBe(top);
  });

  it("holds every value, in at least the upper half of its height", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (highest) => {
        const top = roundTop(highest);
        expect(top).toBeGreaterThanOrEqual(highest);
        expect(top).toBeLessThanOrEqual(2 * highest);
      }),
    );
  });

  it("is marked in whole numbers", () => {
    expect(marksOf(1)).toEqual([1, 0]);
    expect(marksOf(6)).toEqual([6, 3, 0]);
  });
});
