import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEGMENTS_MAX } from "#domain/schemas/campaigns.ts";
import { balance, balanceUnlocked, type Share, slide, total } from "./share-out.ts";

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

const shares = fc.array(
  fc.record({ weight: fc.integer({ min: 0, max: 100 }), isLocked: fc.boolean() }),
  { minLength: 1, maxLength: SEGMENTS_MAX },
);

/** A wheel whose weights sum to 100, some of them locked, and a segment of it. */
const wheels = shares
  .map((some) => {
    const weights = balance(some.map(({ weight }) => weight));
    return some.map(({ isLocked }, place) => ({ weight: weights[place] ?? 0, isLocked }));
  })
  .chain((wheel) =>
    fc.record({
      wheel: fc.constant(wheel),
      place: fc.nat({ max: wheel.length - 1 }),
      wanted: fc.integer({ min: 0, max: 100 }),
    }),
  );

const weightsOf = (wheel: readonly Share[]) => wheel.map(({ weight }) => weight);
/** Sum of the locked segments but one. */
const lockedBeside = (wheel: readonly Share[], place: number) =>
  total(wheel.map(({ weight, isLocked }, index) => (isLocked && index !== place ? weight : 0)));

/** A property of what a slider does to any wheel that is complete. */
function alwaysSliding(
  holds: (after: number[], wheel: Share[], place: number, wanted: number) => void,
): void {
  fc.assert(
    fc.property(wheels, ({ wheel, place, wanted }) => {
      holds(slide(wheel, place, wanted), wheel, place, wanted);
    }),
  );
}

describe("a slider", () => {
  it("leaves whole weights from 0 to 100 that sum to 100", () => {
    alwaysSliding((after, wheel) => {
      expect(after).toHaveLength(wheel.length);
      expect(total(after)).toBe(100);
      for (const weight of after) expect(Number.isInteger(weight) && weight >= 0).toBe(true);
    });
  });

  it("goes where it is put, as far as the locked segments leave room", () => {
    alwaysSliding((after, wheel, place, wanted) => {
      const room = 100 - lockedBeside(wheel, place);
      const isFree = wheel.some(({ isLocked }, index) => !isLocked && index !== place);
      expect(after[place]).toBe(isFree ? Math.min(wanted, room) : weightsOf(wheel)[place]);
    });
  });

  it("touches no locked segment, and lets no other overtake another", () => {
    alwaysSliding((after, wheel, place) => {
      for (const [one, mine] of wheel.entries()) {
        if (one === place) continue;
        if (mine.isLocked) expect(after[one]).toBe(mine.weight);
        for (const [other, theirs] of wheel.entries()) {
          if (other === place || mine.isLocked || theirs.isLocked) continue;
          if (mine.weight < theirs.weight) {
            expect(after[one]).toBeLessThanOrEqual(after[other] ?? -1);
          }
        }
      }
    });
  });

  it("drives nothing that could be won to 0 while there is 1 for each", () => {
    alwaysSliding((after, wheel, place) => {
      const isGiving = (index: number) => index !== place && wheel[index]?.isLocked === false;
      const giving = wheel.flatMap(({ weight }, index) =>
        isGiving(index) && weight > 0 ? [after[index] ?? 0] : [],
      );
      if (giving.length === 0 || total(giving) < giving.length) return;
      expect(Math.min(...giving)).toBeGreaterThanOrEqual(1);
    });
  });

  it("changes nothing where it stands already", () => {
    alwaysSliding((_, wheel, place) => {
      const weights = weightsOf(wheel);
      expect(slide(wheel, place, weights[place] ?? 0)).toEqual(weights);
    });
  });

  it("gives in proportion, makes good what was typed, and gives up where the locked ones exceed 100", () => {
    const free = (weight: number) => ({ weight, isLocked: false });
    const locked = (weight: number) => ({ weight, isLocked: true });
    expect(slide([free(20), free(60), free(20)], 0, 40)).toEqual([40, 45, 15]);
    expect(slide([free(20), locked(60), free(20)], 0, 30)).toEqual([30, 60, 10]);
    expect(slide([free(20), locked(60), free(20)], 0, 90)).toEqual([40, 60, 0]);
    expect(slide([free(40), locked(60)], 0, 90)).toEqual([40, 60]);
    expect(slide([free(50), free(0), free(50), free(0)], 0, 51)).toEqual([51, 0, 49, 0]);
    expect(slide([free(100), free(0), free(0)], 0, 50)).toEqual([50, 25, 25]);
    expect(slide([free(98), free(1), free(1)], 0, 99)).toEqual([99, 1, 0]);
    expect(slide([free(100)], 0, 30)).toEqual([100]);
    // Typed numbers may sum to anything.
    expect(slide([free(90), free(30), free(30)], 0, 80)).toEqual([80, 10, 10]);
    expect(slide([free(0), locked(30)], 0, 50)).toEqual([70, 30]);
    expect(slide([free(5), locked(60), locked(50), free(3)], 0, 20)).toEqual([5, 60, 50, 3]);
  });
});

describe("balancing what is not locked", () => {
  it("makes the sum 100 and touches no locked segment, or says that it cannot", () => {
    fc.assert(
      fc.property(shares, (wheel) => {
        const after = balanceUnlocked(wheel);
        const locked = lockedBeside(wheel, -1);
        const isFree = wheel.some(({ isLocked }) => !isLocked);
        expect(after === null).toBe(locked > 100 || (!isFree && locked !== 100));
        if (after === null) return;
        expect(total(after)).toBe(100);
        for (const [place, { weight, isLocked }] of wheel.entries()) {
          if (isLocked) expect(after[place]).toBe(weight);
          expect(after[place]).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
