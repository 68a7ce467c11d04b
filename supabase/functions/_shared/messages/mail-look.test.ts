import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast } from "../domain/rules/brand-colors.ts";
import { channelsOf } from "../domain/rules/colors.ts";
import { DARK, LIGHT, merchantLook, PRODUCT_LOOK } from "./mail-look.ts";

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

type Colors = typeof PRODUCT_LOOK.colors;

/** Every text of a mail with the ground that it stands on. */
const TEXTS: Readonly<Record<string, (colors: Colors) => readonly [text: string, ground: string]>> =
  {
    "letters of a button and of a prize, by day": ({ main }) => ["#ffffff", main],
    "letters of a button and of a prize, in the dark": ({ mainInDark }) => [DARK.paper, mainInDark],
    "a code, a figure or a day on a ticket, by day": ({ soft }) => [LIGHT.ink, soft],
    "a code, a figure or a day on a ticket, in the dark": ({ softInDark }) => [
      DARK.ink,
      softInDark,
    ],
    "what explains them, by day": ({ soft }) => [LIGHT.muted, soft],
    "what explains them, in the dark": ({ softInDark }) => [DARK.muted, softInDark],
  };

const PROPERTIES = { numRuns: 1_000, seed: 20_261_126 };

describe.each(Object.entries(TEXTS))("%s", (_, pairOf) => {
  const readable = (colors: Colors) =>
    expect(contrast(...pairOf(colors))).toBeGreaterThanOrEqual(4.5);

  it("can be read in every merchant's colour", () => {
    fc.assert(
      fc.property(color, (chosen) => {
        readable(merchantLook("", { color: chosen, logo: null }, false).colors);
      }),
      PROPERTIES,
    );
  });

  it("can be read in the product's, and in the outermost colours", () => {
    readable(PRODUCT_LOOK.colors);
    for (const chosen of [
      "#000000",
      "#ffffff",
      "#ff0000",
      "#00ff00",
      "#0000ff",
      "#ffff00",
      "#1f0000",
    ]) {
      readable(merchantLook("", { color: chosen, logo: null }, true).colors);
    }
  });
});

it("stars and lines of a ticket stand out from it by day and in the dark, as signs have to", () => {
  fc.assert(
    fc.property(color, (chosen) => {
      const { colors } = merchantLook("", { color: chosen, logo: null }, false);
      expect(contrast(colors.main, colors.soft)).toBeGreaterThanOrEqual(3);
      expect(contrast(colors.mainInDark, colors.softInDark)).toBeGreaterThanOrEqual(3);
    }),
    PROPERTIES,
  );
});

it("a colour keeps its hue in dark mode, and is unchanged where it is legible", () => {
  const inDark = (chosen: string) =>
    merchantLook("", { color: chosen, logo: null }, false).colors.mainInDark;
  expect(inDark("#ffff00")).toBe("#ffff00");
  expect(inDark("#f59e0b")).toBe("#f59e0b");
  // Navy becomes blue, not grey.
  const [red, green, blue] = channelsOf(inDark("#000033"));
  expect(blue).toBe(255);
  expect(Math.max(red, green)).toBeLessThan(160);
  // A nearly black colour becomes grey, whatever its last bits are.
  const grey = channelsOf(inDark("#010000"));
  expect(Math.max(...grey) - Math.min(...grey)).toBeLessThanOrEqual(1);
});
