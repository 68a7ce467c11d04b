import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEGMENTS_MAX } from "#domain/schemas/campaigns.ts";
import { balance, total } from "./balance.ts";

const weights = fc.array(fc.integer({ min: 0, max: 100 }), {
  minLength: 1,
  maxLength: SEGMENTS_MAX,
});

/** A property of any wheel's weights and of what becomes of them. */
function always(holds: (before: number[], after: number[]) => void): void {
  fc.assert(
    fc.property(weights, (before) => {
      holds(before, balance(before));
    }),
  );
}

describe("balancing a wheel", () => {
  it("makes whole weights from 0 to 100 that sum to 100, one for each", () => {
    always((before, after) => {
      expect(after).toHaveLength(before.length);
      expect(total(after)).toBe(100);
      for (const weight of after) expect(Number.isInteger(weight) && weight >= 0).toBe(true);
    });
  });

  it("leaves out what is left out, and leaves in what is in", () => {
    always((before, after) => {
      if (total(before) === 0) return;
      expect(after.map((weight) => weight > 0)).toEqual(before.map((weight) => weight > 0));
    });
  });

  it("lets none overtake another", () => {
    always((before, after) => {
      for (const [one, mine] of before.entries()) {
        for (const [other, theirs] of before.entries()) {
          if (mine < theirs) expect(after[one]).toBeLessThanOrEqual(after[other] ?? -1);
          if (mine === theirs) {
            expect(Math.abs((after[one] ?? 0) - (after[other] ?? 0))).toBeLessThanOrEqual(1);
          }
        }
      }
    });
  });

  it("has nothing to change where the sum is 100", () => {
    always((_, after) => expect(balance(after)).toEqual(after));
  });

  it("keeps proportions as far as whole percents can", () => {
    expect(balance([30, 30, 30])).toEqual([34, 33, 33]);
    expect(balance([50, 20])).toEqual([71, 29]);
    expect(balance([100, 100, 0])).toEqual([50, 50, 0]);
    expect(balance([0, 0, 0])).toEqual([34, 33, 33]);
    expect(balance([100, 100, 1])).toEqual([50, 49, 1]);
  });
});
