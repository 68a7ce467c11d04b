import { describe, expect, it } from "vitest";
import { rotationAt } from "../../ui/wheel/wheel-motion.ts";
import { speedOf, spinFrom } from "./flick.ts";

describe("a flick", () => {
  it("is as fast as the finger was at the end of its way", () => {
    const slowThenFast = [
      { angle: 0, at: 0 },
      { angle: 10, at: 500 },
      { angle: 40, at: 550 },
      { angle: 70, at: 600 },
    ];
    expect(speedOf(slowThenFast)).toBeCloseTo(0.6);
    const lastTenth = [
      { angle: 0, at: 499 },
      { angle: 10, at: 500 },
      { angle: 70, at: 600 },
    ];
    expect(speedOf(lastTenth)).toBeCloseTo(0.6);
    expect(speedOf([])).toBe(0);
    expect(speedOf([{ angle: 4, at: 7 }])).toBe(0);
  });

  it.each([0.2, 0.7, -0.2, -0.7])(
    "goes on at the speed of the hand: %d° a millisecond",
    (speed) => {
      const begun = spinFrom(75, speed);
      if (begun === null) throw new Error("It is fast enough.");
      const { spin, at, direction } = begun;
      expect(direction).toBe(Math.sign(speed));
      expect(direction * rotationAt(spin, null, at)).toBeCloseTo(75);
      const next = direction * (rotationAt(spin, null, at + 0.01) - rotationAt(spin, null, at));
      expect(next / 0.01).toBeCloseTo(speed, 3);
    },
  );

  it("turns the wheel the more often the faster it is, between 5 and 10 times as a tap does", () => {
    const speeds = [0.12, 0.5, 0.9, 1.3, 1.6, 9].map(
      (speed) => spinFrom(0, speed)?.spin.speed ?? 0,
    );
    expect(speeds).toEqual([...speeds].sort((a, b) => a - b));
    expect((speeds.at(-1) ?? 0) / (speeds[0] ?? 1)).toBeCloseTo(10.5 / 5.5);
  });

  it("too slow to be one begins nothing", () => {
    expect(spinFrom(0, 0.1)).toBeNull();
    expect(spinFrom(0, -0.1)).toBeNull();
  });
});
