import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brandColors, contrast, isDarkened } from "./brand-colors.ts";

const PAPER = "#fbfaf7";
const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

const PROPERTIES = { numRuns: 1_000, seed: 20_261_126 };

describe("a merchant's colour", () => {
  it("can always be read, on paper and under white letters, pressed or not", () => {
    fc.assert(
      fc.property(color, (chosen) => {
        const { main, strong } = brandColors(chosen);
        for (const painted of [main, strong]) {
          expect(contrast(painted, PAPER)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(painted, "#ffffff")).toBeGreaterThanOrEqual(4.5);
        }
      }),
      PROPERTIES,
    );
  });

  it("leaves the main text on its soft shade readable, AAA", () => {
    fc.assert(
      fc.property(color, (chosen) => {
        expect(contrast("#1e1b2e", brandColors(chosen).soft)).toBeGreaterThanOrEqual(7);
      }),
      PROPERTIES,
    );
  });

  it("stays as it was chosen where it can be read, and is only as dark as it must be", () => {
    expect(brandColors("#1d4ed8").main).toBe("#1d4ed8");
    expect(isDarkened("#1d4ed8")).toBe(false);
    expect(isDarkened("#ffd400")).toBe(true);
    expect(contrast(brandColors("#ffd400").main, PAPER)).toBeLessThan(4.8);
    // Yellow becomes ochre, not grey.
    expect(brandColors("#ffd400").main).toMatch(/00$/);
  });

  it("measures contrast as everybody does", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  });
});
