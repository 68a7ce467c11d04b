import { describe, expect, it } from "vitest";
import { dropPlace, withinList } from "./drop-place.ts";

/** Rows 50 high, 10 apart, and a last one of 100. */
const rows = [
  { top: 0, height: 50 },
  { top: 60, height: 50 },
  { top: 120, height: 50 },
  { top: 180, height: 100 },
];

describe("a dragged row", () => {
  it.each([
    [1, 0, 1],
    [1, 34, 1],
    [1, 35, 2],
    [1, 119, 2],
    [1, 120, 3],
    [1, -34, 1],
    [1, -35, 0],
    [3, -35, 2],
    [3, -180, 0],
    [0, 500, 3],
  ])("from place %i, %i px away, goes to place %i", (from, offset, place) => {
    expect(dropPlace(rows, from, offset)).toBe(place);
  });

  it("stays within the list", () => {
    expect(withinList(rows, 1, 999)).toBe(170);
    expect(withinList(rows, 1, -999)).toBe(-60);
    expect(withinList(rows, 1, 12)).toBe(12);
    expect(withinList([], 0, 12)).toBe(0);
  });
});
