import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  legible,
  pegCount,
  pointAt,
  restingPlace,
  rotationTo,
  segmentAt,
  segmentPath,
} from "./wheel-geometry.ts";

const counts = fc.integer({ min: 1, max: 40 });
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("rotationTo", () => {
  it("brings the asked segment under the pointer, wherever it rests in it", () => {
    fc.assert(
      fc.property(counts, fc.nat(), randoms, (count, nat, random) => {
        const index = nat % count;
        const rotation = rotationTo(index, count, restingPlace(random));
        expect(rotation).toBeGreaterThanOrEqual(0);
        expect(rotation).toBeLessThan(360);
        expect(segmentAt(rotation, count)).toBe(index);
      }),
    );
  });

  it("turns clockwise, the first segment at the top", () => {
    expect(rotationTo(0, 4, 0.5)).toBe(0);
    expect(rotationTo(1, 4, 0.5)).toBe(270);
    expect(rotationTo(3, 4, 0.5)).toBe(90);
  });
});

describe("restingPlace", () => {
  it("is neither near an edge nor in the middle of the segment", () => {
    fc.assert(
      fc.property(randoms, (random) => {
        const place = restingPlace(random);
        expect(Math.abs(place - 0.5)).toBeGreaterThanOrEqual(0.12 - 1e-9);
        expect(Math.abs(place - 0.5)).toBeLessThanOrEqual(0.38 + 1e-9);
      }),
    );
  });

  it("uses both sides", () => {
    expect(restingPlace(0.25)).toBeLessThan(0.5);
    expect(restingPlace(0.75)).toBeGreaterThan(0.5);
  });
});

describe("pegCount", () => {
  it("puts a peg on every boundary and never fewer than a dozen", () => {
    fc.assert(
      fc.property(counts, (count) => {
        expect(pegCount(count) % count).toBe(0);
        expect(pegCount(count)).toBeGreaterThanOrEqual(12);
      }),
    );
  });
});

describe("the drawing", () => {
  it("starts at the top and goes clockwise", () => {
    expect(pointAt(0, 100)).toEqual({ x: 0, y: -100 });
    expect(pointAt(90, 100)).toEqual({ x: 100, y: -0 });
  });

  it("draws a whole disc for a single segment", () => {
    expect(segmentPath(1, 100)).toContain("A100 100 0 1 1");
    expect(segmentPath(4, 100)).toBe("M0 0L-70.71 -70.71A100 100 0 0 1 70.71 -70.71Z");
  });
});

describe("a colour to write on", () => {
  function channels(color: string): number[] {
    return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  }

  function luminance(color: string): number {
    const [red = 0, green = 0, blue = 0] = channels(color)
      .map((value) => value / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  const ink = luminance("#1e1b2e");

  function contrast({ color, isDark }: ReturnType<typeof legible>): number {
    const light = luminance(color);
    return isDark ? (light + 0.05) / (ink + 0.05) : 1.05 / (light + 0.05);
  }

  /** The largest change of a channel. */
  function distance(one: string, other: string): number {
    const own = channels(one);
    return Math.max(...channels(other).map((value, at) => Math.abs(value - (own[at] ?? 0))));
  }

  const colors = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`);

  // The farthest of all 16,777,216 colours are magentas, which have no green and gain 61 of it.
  it("is readable whatever the merchant chose, and hardly another", () => {
    fc.assert(
      fc.property(colors, (chosen) => {
        const written = legible(chosen);
        expect(contrast(written)).toBeGreaterThanOrEqual(4.5);
        expect(distance(chosen, written.color)).toBeLessThanOrEqual(61);
      }),
      { numRuns: 1_000, examples: [["#cf01ff"], ["#d000fd"]] },
    );
  });

  it.each(["#10B981", "#F59E0B", "#06B6D4", "#6B7280"])("stays %s, which is readable", (chosen) => {
    expect(legible(chosen).color).toBe(chosen);
  });

  it("takes dark letters on what is no plain colour", () => {
    expect(legible("papayawhip")).toEqual({ color: "papayawhip", isDark: true });
  });
});
