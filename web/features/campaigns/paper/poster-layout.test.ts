import { describe, expect, it } from "vitest";
import { channelsOf, contrastOf, luminance } from "#domain/rules/colors.ts";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import { LANGUAGES } from "#domain/text/languages.ts";
import { PAPER_WORDS } from "./paper-words.ts";
import type { Shape, Typesetter } from "./poster-drawing.ts";
import { layOut as layOutWith } from "./poster-layout.ts";
import { inksOf } from "./poster-look.ts";
import {
  mayHaveMarks,
  POSTER_FORMATS,
  POSTER_STYLES,
  type PosterFormat,
  type PosterOptions,
  SEASONS,
  seasonOf,
} from "./poster-options.ts";
import type { PosterContent } from "./poster-panels.ts";

/** Letters of one width, so that a test can tell what fits. */
const setter: Typesetter = {
  measure: (text, _face, size) => Array.from(text).length * size * 0.55,
};

const content: PosterContent = {
  storeName: "Le Comptoir des Halles",
  segments: [
    { color: "#8B5CF6", prize: "Café offert", picture: PRIZE_DRAWINGS.coffee },
    { color: "#10B981", prize: "Dessert maison", picture: PRIZE_DRAWINGS.dessert },
    { color: "#F59E0B", prize: "10 % de remise", picture: PRIZE_DRAWINGS.discount },
    { color: "#6B7280", prize: null, picture: null },
  ],
  best: ["Dessert maison", "Café offert", "10 % de remise"],
  qr: { size: 33, path: "M1 1h1v1h-1z" },
  rules: "tournavis.example/c/la-roue-du-comptoir/reglement",
  hasWordmark: true,
  logo: null,
  color: null,
};

const FORMATS = POSTER_FORMATS;
const BLACK: readonly PosterFormat[] = ["strip80", "strip58"];
const WITH_WHEEL = FORMATS.filter((format) => !BLACK.includes(format));

const OPTIONS: PosterOptions = {
  style: "bright",
  season: "winter",
  language: "fr",
  showsPrizes: true,
  hasCropMarks: false,
};

const layOut = (
  format: PosterFormat,
  shown: PosterContent,
  typesetter: Typesetter,
  options: Partial<PosterOptions> = {},
) => layOutWith(format, shown, { ...OPTIONS, ...options }, typesetter);

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

const letters = (text: string) => text.replaceAll(/[ \u00a0\u202f]/g, "");

/** Whether two lines lie over each other. */
const findsOverlap = (lines: ReturnType<typeof words>) =>
  lines.some((line, index) =>
    lines.slice(index + 1).some((other) => {
      const isBeside = line.x + line.width <= other.x || other.x + other.width <= line.x;
      return !isBeside && Math.abs(other.y - line.y) <= other.size * 0.7;
    }),
  );

/** Size of the French headline on a format. */
function headlineSize(format: PosterFormat): number {
  const [panel] = layOut(format, content, setter).panels;
  const line = words(panel?.shapes ?? []).find(({ text }) =>
    PAPER_WORDS.fr.headline.startsWith(text),
  );
  return line?.size ?? Number.NaN;
}

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
      expect(findsOverlap(lines)).toBe(false);
    }
  });

  it.each(LANGUAGES)("has room for its words in every language: %s", (language) => {
    const { headline, scan, smallPrint } = PAPER_WORDS[language];
    const { panels } = layOut(format, { ...content, rules: LONG_RULES }, setter, { language });
    for (const { shapes, width, height } of panels) {
      const lines = words(shapes);
      const all = letters(lines.map(({ text }) => text).join(""));
      for (const text of [headline, scan, smallPrint(LONG_RULES)]) {
        if (format !== "bill" || text !== scan) expect(all).toContain(letters(text));
      }
      expect(findsOverlap(lines)).toBe(false);
      for (const { x, y, width: length, size, text } of lines) {
        expect(x).toBeGreaterThan(0);
        expect(x + length).toBeLessThan(width);
        expect(y + size * 0.3).toBeLessThan(height);
        // Letters that are read from afar stay as large as in French, within a third.
        if (headline.includes(text)) expect(size).toBeGreaterThan(headlineSize(format) * 0.66);
      }
    }
  });

  it("shows the code on every panel, large enough for a phone, and the product's name unless the plan keeps it away", () => {
    const signed = layOut(format, content, setter);
    const bare = layOut(format, { ...content, hasWordmark: false }, setter);
    for (const { shapes, width } of signed.panels) {
      const code = shapes.find((shape) => shape.kind === "fill" && shape.d === content.qr.path);
      const scale = code?.kind === "fill" ? (code.place.scale ?? 0) : 0;
      expect(scale * content.qr.size).toBeGreaterThanOrEqual(width * 0.45 - 0.01);
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

describe.each(WITH_WHEEL)("the wheel of %s", (format) => {
  const lone = [
    { color: "#8B5CF6", prize: "Café offert", picture: PRIZE_DRAWINGS.coffee },
    { color: "#6B7280", prize: null, picture: null },
  ];

  it("has a prize under its pointer and names it, also where the only other segment loses", () => {
    for (const segments of [lone, [...lone].reverse(), content.segments]) {
      for (const { shapes, width, height } of layOut(format, { ...content, segments }, setter)
        .panels) {
        const named = prizes(shapes);
        // A card for the bill is too small for names.
        if (format !== "bill")
          expect(named.map(({ text }) => text).join(" ")).toContain("Café offert");
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
        // Never one colour alone: a small wheel's segments come again.
        const turns = shapes.flatMap((shape) =>
          shape.kind === "fill" && shape.color === "#6B7280" ? [shape.place.turn] : [],
        );
        expect(turns).not.toContain(0);
        expect(turns.length).toBeLessThanOrEqual(3);
      }
    }
  });

  it("names nothing that nobody offers", () => {
    const example = content.segments.map(({ color }) => ({ color, prize: null, picture: null }));
    const { panels } = layOut(format, { ...content, segments: example }, setter);
    expect(panels.flatMap(({ shapes }) => prizes(shapes))).toEqual([]);
  });
});

it.each(FORMATS)("%s names no prize where the merchant hides them", (format) => {
  const { panels } = layOut(format, content, setter, { showsPrizes: false });
  const said = panels.flatMap(({ shapes }) =>
    shapes.flatMap((shape) => (shape.kind === "text" ? [shape.text] : [])),
  );
  expect(said.join(" ")).not.toMatch(/Café offert|Dessert maison|10 % de remise|Tentez/);
});

it.each(FORMATS.filter(mayHaveMarks))(
  "%s has bleed and crop marks outside of what is left",
  (format) => {
    const plain = layOut(format, content, setter);
    const marked = layOut(format, content, setter, { hasCropMarks: true });
    const { trim } = marked;
    expect(trim).toMatchObject({ width: plain.width, height: plain.height });
    if (!trim) return;
    expect(marked.panels).toMatchObject([
      { x: trim.x, y: trim.y, bleed: expect.closeTo(8.504, 2) },
    ]);
    expect(marked.marks).toHaveLength(8);
    const ground = marked.panels[0]?.shapes[0];
    expect(ground).toMatchObject({ kind: "fill", d: expect.stringMatching(/^M-8\.50/) });
  },
);

it.each(WITH_WHEEL)("%s has no motif of its season behind a word", (format) => {
  for (const storeName of NAMES.slice(0, 3)) {
    for (const season of SEASONS) {
      const look = { season } as const;
      const shown = { ...content, storeName };
      const bright = layOut(format, shown, setter, { ...look, style: "plain" });
      const written = new Set(
        bright.panels.flatMap(({ shapes }) => words(shapes)).map((one) => one.text),
      );
      const { panels } = layOut(format, shown, setter, { ...look, style: "season" });
      for (const { shapes } of panels) {
        // Shapes between the ground and the first word are the season's.
        const first = shapes.findIndex(({ kind }) => kind === "text");
        const motifs = shapes
          .slice(1, first)
          .flatMap((shape) => (shape.kind === "fill" ? [shape.place] : []));
        expect(motifs.length).toBeGreaterThanOrEqual(6);
        for (const { x, y, scale = 1 } of motifs) {
          const reach = 12 * scale;
          for (const line of words(shapes).filter(({ text }) => written.has(text))) {
            const isBeside = x + reach <= line.x || line.x + line.width <= x - reach;
            const isAbove = y + reach <= line.y - line.size * 0.75;
            const isBelow = line.y + line.size * 0.25 <= y - reach;
            expect(isBeside || isAbove || isBelow, `${line.text} at ${x}, ${y}`).toBe(true);
          }
        }
      }
    }
  }
});

it.each(WITH_WHEEL)(
  "%s shows the picture of a prize whose name is too long for its segment",
  (format) => {
    const long = "Menu dégustation en six services, accord mets et vins, pour deux personnes";
    const [first, ...others] = content.segments;
    if (!first) throw new Error("No segment.");
    const segments = [...others, others[0] ?? first, others[1] ?? first, { ...first, prize: long }];
    const drawn = (picture: typeof first.picture) => {
      const shown = segments.map((one) => (one.prize === long ? { ...one, picture } : one));
      const { panels } = layOut(format, { ...content, best: [], segments: shown }, setter);
      return panels.map(({ shapes }) => ({
        named: prizes(shapes).map(({ text }) => text),
        count: shapes.length,
      }));
    };
    for (const [index, { named, count }] of drawn(PRIZE_DRAWINGS.meal).entries()) {
      expect(named.join(" ")).not.toContain("dégustation");
      if (format !== "bill") expect(named.join(" ")).toContain("10 % de remise");
      // Without a picture nothing stands on the wheel: a blank segment would look like one that loses.
      const bare = drawn(null)[index];
      if (format === "bill" || format === "tent") expect(bare?.named).toEqual([]);
      expect(count).toBeGreaterThan((bare?.count ?? 0) - (bare?.named.length ?? 0));
    }
  },
);

it("a till's strip is black on white", () => {
  const { panels } = layOut("strip58", { ...content, hasWordmark: false }, setter);
  const colors = new Set(
    panels.flatMap(({ shapes }) =>
      shapes.flatMap((shape) => ("color" in shape ? [shape.color] : [])),
    ),
  );
  expect([...colors].sort()).toEqual(["#000000", "#FFFFFF"]);
});

it("whatever a merchant's colour, what is written can be read on its ground", () => {
  const contrast = (one: string, other: string) =>
    contrastOf(luminance(channelsOf(one)), luminance(channelsOf(other)));
  // A walk through all of the colours: the step has no divisor in common with their number.
  for (let index = 0; index < 1000; index += 1) {
    const color = `#${((index * 7_368_787) % 0x1000000).toString(16).padStart(6, "0")}`;
    for (const style of POSTER_STYLES) {
      for (const season of style === "season" ? SEASONS : (["winter"] as const)) {
        const { ground, ink, muted, accent } = inksOf(style, season, color);
        for (const written of [ink, muted, accent])
          expect(contrast(written, ground)).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});

it("has the season of the day", () => {
  const seasons = [0, 2, 4, 5, 7, 8, 9, 10].map((month) => seasonOf(new Date(2026, month, 15)));
  expect(seasons).toEqual([
    "winter",
    "spring",
    "spring",
    "summer",
    "summer",
    "autumn",
    "autumn",
    "winter",
  ]);
});
