import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leanSteps, nextPegAt } from "./pointer-motion.ts";
import { pegCount } from "./wheel-geometry.ts";
import {
  endOf,
  planCoast,
  planStop,
  rotationAt,
  startSpin,
  type TurnStep,
  timeOf,
  turnSteps,
} from "./wheel-motion.ts";

const degrees = fc.double({ min: 0, max: 360, maxExcluded: true, noNaN: true });
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** An answer that comes while the wheel still gathers or holds its speed. */
const inTime = fc.double({ min: 0, max: 800, noNaN: true });
/** An answer of a slow network. */
const late = fc.double({ min: 800, max: 10_000, noNaN: true });

function turned(from: number, random: number, answerAt: number, target: number) {
  const spin = startSpin(from, random);
  const slowDown = planStop(spin, answerAt, target);
  return { spin, slowDown, end: endOf(slowDown) };
}

/** Distance between two rotations on the circle. */
function apart(one: number, other: number): number {
  const difference = Math.abs(one - other) % 360;
  return Math.min(difference, 360 - difference);
}

describe("a spin", () => {
  it("stops at its angle, whenever the answer came", () => {
    fc.assert(
      fc.property(degrees, randoms, fc.oneof(inTime, late), degrees, (from, random, at, target) => {
        const { spin, slowDown, end } = turned(from, random, at, target);
        expect(apart(rotationAt(spin, slowDown, end), target)).toBeLessThan(1e-6);
        expect(rotationAt(spin, slowDown, end + 100)).toBe(rotationAt(spin, slowDown, end));
      }),
    );
  });

  it("lasts five seconds and makes 5 to 10 full turns when the answer comes in time", () => {
    fc.assert(
      fc.property(degrees, randoms, inTime, degrees, (from, random, at, target) => {
        const { spin, slowDown, end } = turned(from, random, at, target);
        expect(end).toBe(5000);
        const turns = (rotationAt(spin, slowDown, end) - from) / 360;
        expect(Math.floor(turns + 1e-9)).toBeGreaterThanOrEqual(5);
        expect(Math.floor(turns - 1e-9)).toBeLessThanOrEqual(10);
      }),
    );
  });

  it("draws every number of turns from 5 to 10", () => {
    const turns = new Set(
      [0, 0.2, 0.4, 0.6, 0.7, 0.99].map((random) => {
        const { spin, slowDown } = turned(0, random, 0, 180);
        return Math.floor(rotationAt(spin, slowDown, 5000) / 360);
      }),
    );
    expect([...turns]).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it("never turns back, and never jumps or changes its speed at once", () => {
    fc.assert(
      fc.property(degrees, randoms, fc.oneof(inTime, late), degrees, (from, random, at, target) => {
        const { spin, slowDown, end } = turned(from, random, at, target);
        const speedAt = (time: number) =>
          rotationAt(spin, slowDown, time + 0.5) - rotationAt(spin, slowDown, time - 0.5);
        for (let time = 1; time < end; time += 25) expect(speedAt(time)).toBeGreaterThanOrEqual(0);
        expect(speedAt(slowDown.at)).toBeCloseTo(spin.speed, 2);
        expect(speedAt(end - 2)).toBeLessThan(0.01);
      }),
      { numRuns: 50 },
    );
  });

  it("slows down like a heavy wheel, neither abruptly nor for ever", () => {
    fc.assert(
      fc.property(degrees, randoms, degrees, (from, random, target) => {
        const { exponent } = turned(from, random, 0, target).slowDown;
        expect(exponent).toBeGreaterThan(2.5);
        expect(exponent).toBeLessThan(3.6);
      }),
    );
  });

  it("runs out in less than a second when no answer comes, from the speed that it has", () => {
    fc.assert(
      fc.property(randoms, fc.oneof(inTime, late), (random, at) => {
        const spin = startSpin(0, random);
        const coast = planCoast(spin, at);
        const before = rotationAt(spin, coast, at) - rotationAt(spin, coast, at - 0.1);
        const after = rotationAt(spin, coast, at + 0.1) - rotationAt(spin, coast, at);
        if (at > 1) expect(after).toBeCloseTo(before, 1);
        expect(endOf(coast)).toBeLessThan(at + 1000);
      }),
    );
  });
});

/** Where a browser shows the wheel that is given these steps: what `cubic-bezier` means, written out. */
function shownAt(steps: readonly TurnStep[], time: number): number {
  const index = Math.max(
    0,
    steps.findLastIndex((step) => step.time <= time),
  );
  const [here, next] = [steps[index], steps[index + 1]];
  if (here === undefined || next === undefined) return here?.rotation ?? Number.NaN;
  const t = (time - here.time) / (next.time - here.time);
  const [, y1 = 0, , y2 = 1] = here.easing.match(/-?\d+\.\d+/g)?.map(Number) ?? [
    0,
    1 / 3,
    0,
    2 / 3,
  ];
  const progress = 3 * (1 - t) ** 2 * t * y1 + 3 * (1 - t) * t ** 2 * y2 + t ** 3;
  return here.rotation + (next.rotation - here.rotation) * progress;
}

describe("what the browser is given", () => {
  it("is the same motion, from the tap to the stop", () => {
    fc.assert(
      fc.property(degrees, randoms, fc.oneof(inTime, late), degrees, (from, random, at, target) => {
        const { spin, slowDown, end } = turned(from, random, at, target);
        const steps = turnSteps(spin, slowDown, end);
        for (let time = 0; time <= end; time += 97) {
          const planned = rotationAt(spin, slowDown, time);
          expect(Math.abs(shownAt(steps, time) - planned)).toBeLessThan(0.3);
        }
        expect(shownAt(steps, end)).toBeCloseTo(rotationAt(spin, slowDown, end), 6);
      }),
      { numRuns: 30 },
    );
  });

  it("is the same motion while no answer is there, and when none comes", () => {
    fc.assert(
      fc.property(degrees, randoms, fc.oneof(inTime, late), (from, random, at) => {
        const spin = startSpin(from, random);
        const coast = planCoast(spin, at);
        for (const [slowDown, until] of [
          [null, 120_000],
          [coast, endOf(coast)],
        ] as const) {
          const steps = turnSteps(spin, slowDown, until);
          for (let time = 0; time <= Math.min(until, 12_000); time += 131) {
            const planned = rotationAt(spin, slowDown, time);
            expect(Math.abs(shownAt(steps, time) - planned)).toBeLessThan(0.3);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("goes on, when the answer comes, exactly where it is", () => {
    fc.assert(
      fc.property(degrees, randoms, fc.oneof(inTime, late), degrees, (from, random, at, target) => {
        const { spin, slowDown, end } = turned(from, random, at, target);
        const before = shownAt(turnSteps(spin, null, 120_000), at);
        expect(Math.abs(shownAt(turnSteps(spin, slowDown, end), at) - before)).toBeLessThan(0.1);
      }),
    );
  });
});

describe("the pointer", () => {
  const segmentCount = fc.integer({ min: 1, max: 12 });

  it("knows when each peg comes by, and no more than pass", () => {
    fc.assert(
      fc.property(
        degrees,
        randoms,
        inTime,
        degrees,
        segmentCount,
        (from, random, at, target, count) => {
          const { spin, slowDown, end } = turned(from, random, at, target);
          let time = 0;
          let pegs = 0;
          for (;;) {
            const next = nextPegAt(spin, slowDown, count, time);
            if (!Number.isFinite(next)) break;
            expect(next).toBeGreaterThanOrEqual(time);
            expect(next).toBeLessThanOrEqual(end);
            time = next;
            pegs += 1;
          }
          const way = rotationAt(spin, slowDown, end) - from;
          expect(Math.abs(pegs - way / (360 / pegCount(count)))).toBeLessThanOrEqual(1.01);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is pushed by one peg after the other, in their order, and comes to rest", () => {
    fc.assert(
      fc.property(
        degrees,
        randoms,
        fc.oneof(inTime, late),
        degrees,
        segmentCount,
        (from, random, at, target, count) => {
          const { spin, slowDown, end } = turned(from, random, at, target);
          const steps = leanSteps(spin, slowDown, count, at);
          for (const [index, { time, push }] of steps.entries()) {
            expect(time).toBeGreaterThanOrEqual(
              steps[index - 1]?.time ?? Math.min(at, slowDown.at),
            );
            expect(push).toBeGreaterThanOrEqual(0);
            expect(push).toBeLessThanOrEqual(24.001);
          }
          expect(steps.at(-1)?.time).toBeGreaterThanOrEqual(end);
          expect(timeOf(spin, slowDown, rotationAt(spin, slowDown, 2_500))).toBeCloseTo(2_500, 3);
        },
      ),
      { numRuns: 50 },
    );
  });
});
