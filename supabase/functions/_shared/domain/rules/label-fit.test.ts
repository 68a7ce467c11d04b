import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitLabel } from "./label-fit.ts";

const segment = (count: number) => ({ outer: 134, inner: 36, angle: 360 / count });
const words = fc.array(
  fc.string({ minLength: 1, maxLength: 14 }).map((word) => word.replace(/\s/g, "x")),
  {
    minLength: 1,
    maxLength: 16,
  },
);

describe("fitLabel", () => {
  it("sets a short label on one line, large", () => {
    expect(fitLabel("Café offert", segment(6))).toEqual({ lines: ["Café offert"], size: 17 });
  });

  it.each<[string, number, string[], number]>([
    ["Café", 6, ["Café"], 17],
    ["Café offert", 2, ["Café offert"], 17],
    ["Café offert", 12, ["Café offert"], 16],
    ["Perdu", 24, ["Perdu"], 16],
    ["Dessert maison offert", 6, ["Dessert", "maison offert"], 13],
    ["Dessert maison offert", 12, ["Dessert", "maison offert"], 11],
    ["-10 % sur l'addition", 8, ["-10 % sur", "l'addition"], 15],
    ["Œufs & œufs", 9, ["Œufs & œufs"], 13],
    ["  Tarte   au citron ", 4, ["Tarte", "au citron"], 15],
    ["🍕🍕🍕", 10, ["🍕🍕🍕"], 17],
    ["🍕🍕🍕🍕🍕🍕🍕🍕", 6, ["🍕🍕🍕🍕🍕🍕🍕🍕"], 10],
    ["anticonstitutionnellement", 12, ["anticonstitutionnellement"], 7],
    ["Un croissant pur beurre offert", 8, ["Un croissant", "pur beurre offert"], 11],
    [
      "Croissant pur beurre offert avec toute boisson chaude",
      8,
      ["Croissant pur", "beurre offert", "avec toute", "boisson chaude"],
      9.25,
    ],
    [
      "Croissant pur beurre offert avec toute boisson chaude",
      3,
      ["Croissant", "pur beurre", "offert avec", "toute boisson", "chaude"],
      13,
    ],
    [
      "Croissant pur beurre offert avec toute boisson chaude",
      20,
      ["Croissant pur beurre offert", "avec toute boisson chaude"],
      5.5,
    ],
    [
      "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze",
      5,
      ["un deux trois", "quatre cinq six", "sept huit neuf", "dix onze douze", "treize quatorze"],
      10.75,
    ],
  ])("sets « %s » on a wheel of %i segments in %j", (label, count, lines, size) => {
    expect(fitLabel(label, segment(count))).toEqual({ lines, size });
  });

  it("shrinks first, then takes two lines", () => {
    const { lines, size } = fitLabel("Dessert maison offert", segment(6));
    expect(lines).toEqual(["Dessert", "maison offert"]);
    expect(size).toBeGreaterThanOrEqual(10);
  });

  it.each([2, 3, 4])("sets a long label large on a wheel of %i segments", (count) => {
    const label = "Croissant pur beurre offert avec toute boisson chaude";
    expect(fitLabel(label, segment(count)).size).toBeGreaterThanOrEqual(11);
  });

  it("never cuts a label, whatever it says and however narrow the segment", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), (list, count) => {
        const { lines, size } = fitLabel(list.join(" "), segment(count));
        expect(lines.join(" ")).toBe(list.join(" "));
        expect(size).toBeGreaterThan(0);
      }),
    );
  });

  it("keeps the last word of a very long label", () => {
    const label = Array.from({ length: 20 }, (_, index) => `mot${index}`).join(" ");
    expect(fitLabel(label, segment(8)).lines.join(" ")).toBe(label);
  });

  it("keeps every line between hub and rim, and the block inside the segment", () => {
    const wide = 0.98;
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 24 }),
        fc.integer({ min: 1, max: 12 }),
        (count, length) => {
          const { outer, inner, angle } = segment(count);
          // The widest letter there is, so that the estimate cannot be too small.
          const { lines, size } = fitLabel("M".repeat(length), { outer, inner, angle });
          const start = outer - length * wide * size;
          const half = (lines.length * size * 1.12) / 2;
          expect(start).toBeGreaterThanOrEqual(inner - 0.01);
          expect(half).toBeLessThanOrEqual(start * Math.tan((angle / 2) * (Math.PI / 180)));
        },
      ),
    );
  });
});
