import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasStopped, planCoast, planStop, rotationAt, startSpin } from "./wheel-motion.ts";

const degrees = fc.double({ min: 0, max: 360, maxExcluded: true, noNaN: true });
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** An answer that comes while the wheel still gathers or holds its speed. */
const inTime = fc.double({ min: 0, max: 800, noNaN: true });
/** An answer of a slow network. */
const late = fc.double({ min: 800, max: 10_000, noNaN: true });

function turned(from: number, random: number, answerAt: number, target: number) {
  const spin = startSpin(from, random);
  const slowDown = planStop(spin, answerAt, target);
  return { spin, slowDown, end: slowDown.at + slowDown.duration };
}

/** Distance between two rotations on the circle. */
function apart(one: number, other: number): number {
  const difference = Math.abs(one - other) % 360;
  return Math.min(difference, 360 - difference);
}

describe("a spin", () => {
  it("stops where it was told, whenever the answer came", () => {
    fc.assert(
      fc.property(degrees, randoms, fc.oneof(inTime, late), degrees, (from, random, at, target) => {
        const { spin, slowDown, end } = turned(from, random, at, target);
        expect(apart(rotationAt(spin, slowDown, end), target)).toBeLessThan(1e-6);
        expect(hasStopped(slowDown, end)).toBe(true);
        expect(hasStopped(slowDown, end - 1)).toBe(false);
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
        expect(hasStopped(coast, at + 1000)).toBe(true);
      }),
    );
  });
});
