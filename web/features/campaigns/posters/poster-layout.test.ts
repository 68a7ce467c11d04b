import { describe, expect, it } from "vitest";
import type { Shape, Typesetter } from "./poster-drawing.ts";
import { layOut, type PosterContent, type PosterFormat } from "./poster-layout.ts";

/** Letters of one width, so that a test can tell what fits. */
const setter: Typesetter = {
  measure: (text, _face, size) => Array.from(text).length * size * 0.55,
};

const content: PosterContent = {
  storeName: "Le Comptoir des Halles",
  segments: [
    { color: "#8B5CF6", prize: "Café offert" },
    { color: "#10B981", prize: "Dessert maison" },
    { color: "#F59E0B", prize: "10 % de remise" },
    { color: "#6B7280", prize: null },
  ],
  qr: { size: 33, path: "M1 1h1v1h-1z" },
  rules: "tournavis.example/c/la-roue-du-comptoir/reglement",
  hasWordmark: true,
  logo: null,
};

const FORMATS: readonly PosterFormat[] = ["poster", "tent", "sticker", "stickers"];

const NAMES = [
  "Bar",
  "Le Comptoir des Halles",
  "Boulangerie-Pâtisserie Artisanale de la Grande Rue du Faubourg Saint-Antoine et de ses Environs",
  "Anticonstitutionnellementanticonstitutionnellementanticonstitutionnellement",
];

const LONG_RULES = `tournavis.example/c/${"tres-longue-adresse-de-campagne-".repeat(4)}/reglement`;

const words = (shapes: readonly Shape[]) =>
  shapes.flatMap((shape) => (shape.kind === "text" && shape.turn === undefined ? [shape] : []));

/** Names of prizes on the wheel. */
const prizes = (shapes: readonly Shape[]) =>
  shapes.flatMap((shape) => (shape.kind === "text" && shape.turn !== undefined ? [shape] : []));

const letters = (text: string) => text.replaceAll(" ", "");

describe.each(FORMATS)("%s", (format) => {
  it.each(NAMES)("never cuts nor overlaps a text: %s", (storeName) => {
    const sheet = layOut(format, { ...content, storeName, rules: LONG_RULES }, setter);
    for (const { shapes, width, height } of sheet.panels) {
      const lines = words(shapes);
      const all = letters(lines.map(({ text }) => text).join(""));
      expect(all).toContain(letters(storeName));
      expect(all).toContain(LONG_RULES);
      for (const { x, y, width: length, size } of lines) {
        expect(x).toBeGreaterThan(0);
        expect(x + length).toBeLessThan(width);
        expect(y + size * 0.3).toBeLessThan(height);
      }
      for (const [index, line] of lines.entries()) {
        for (const other of lines.slice(index + 1)) {
          const isBeside = line.x + line.width <= other.x || other.x + other.width <= line.x;
          if (!isBeside) expect(Math.abs(other.y - line.y)).toBeGreaterThan(other.size * 0.7);
        }
      }
    }
  });

  it("shows the code on every panel, large enough for a phone, and the product's name unless the plan keeps it away", () => {
    const signed = layOut(format, content, setter);
    const bare = layOut(format, { ...content, hasWordmark: false }, setter);
    for (const { shapes } of signed.panels) {
      const code = shapes.find((shape) => shape.kind === "fill" && shape.d === content.qr.path);
      const scale = code?.kind === "fill" ? (code.place.scale ?? 0) : 0;
      // Three centimetres.
      expect(scale * content.qr.size).toBeGreaterThan(85);
    }
    const count = (sheet: typeof signed) => sheet.panels.flatMap(({ shapes }) => shapes).length;
    expect(count(signed) - count(bare)).toBeGreaterThanOrEqual(8 * signed.panels.length);
  });
});

it.each(FORMATS)(
  "%s carries the merchant's logo at its foot, whole, where the product's name stands elsewhere",
  (format) => {
    for (const [width, height] of [
      [1200, 200],
      [300, 600],
    ] as const) {
      const logo = { png: new Uint8Array(), href: "/logo.webp", width, height };
      const sheet = layOut(
        format,
        { ...content, rules: LONG_RULES, hasWordmark: false, logo },
        setter,
      );
      for (const panel of sheet.panels) {
        const pictures = panel.shapes.flatMap((shape) => (shape.kind === "picture" ? [shape] : []));
        expect(pictures).toHaveLength(1);
        for (const { x, y, width: wide, height: high } of pictures) {
          expect(wide / high).toBeCloseTo(width / height, 5);
          expect(x).toBeGreaterThan(0);
          expect(x + wide).toBeLessThan(panel.width);
          expect(y + high).toBeLessThan(panel.height);
          // Nothing is written on it.
          for (const line of words(panel.shapes)) {
            const isBeside = line.x + line.width <= x || x + wide <= line.x;
            const isAbove = line.y + line.size * 0.3 <= y;
            expect(isBeside || isAbove).toBe(true);
          }
        }
      }
    }
  },
);

it("the tent's back stands on its head, so that both sides can be read once it is folded", () => {
  const { panels, height } = layOut("tent", content, setter);
  expect(panels.map(({ y, isTurned }) => ({ y, isTurned }))).toEqual([
    { y: 0, isTurned: true },
    { y: height / 2, isTurned: false },
  ]);
});

it("four stickers of A6 lie on a sheet, none over another", () => {
  const { panels, width, height } = layOut("stickers", content, setter);
  expect(panels).toHaveLength(4);
  expect(new Set(panels.map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
  for (const panel of panels) {
    expect(panel.x + panel.width).toBeLessThanOrEqual(width + 0.01);
    expect(panel.y + panel.height).toBeLessThanOrEqual(height + 0.01);
  }
});

describe.each(FORMATS)("the wheel of %s", (format) => {
  const lone = [
    { color: "#8B5CF6", prize: "Café offert" },
    { color: "#6B7280", prize: null },
  ];

  it("has a prize under its pointer and names it, also where the only other segment loses", () => {
    for (const segments of [lone, [...lone].reverse(), content.segments]) {
      for (const { shapes, width, height } of layOut(format, { ...content, segments }, setter)
        .panels) {
        const named = prizes(shapes);
        expect(named.map(({ text }) => text)).toContain("Café offert");
        for (const { x, y, width: length, turn = 0, size } of named) {
          const along = (turn * Math.PI) / 180;
          for (const [left, top] of [
            [x, y],
            [x + Math.cos(along) * length, y + Math.sin(along) * length],
          ] as const) {
            expect(left).toBeGreaterThan(0);
            expect(left).toBeLessThan(width);
            expect(top).toBeGreaterThan(0);
            expect(top).toBeLessThan(height);
          }
          expect(size).toBeGreaterThanOrEqual(5);
        }
        // Never one colour alone: the segments that can be seen are at least six in the whole.
        const turns = shapes.flatMap((shape) =>
          shape.kind === "fill" && shape.color === "#6B7280" ? [shape.place.turn] : [],
        );
        expect(turns).not.toContain(format === "tent" ? 135 : 180);
        expect(turns.length).toBeLessThanOrEqual(3);
      }
    }
  });

  it("names nothing that nobody offers", () => {
    const example = content.segments.map(({ color }) => ({ color, prize: null }));
    const { panels } = layOut(format, { ...content, segments: example }, setter);
    expect(panels.flatMap(({ shapes }) => prizes(shapes))).toEqual([]);
  });
});
