import { type Channels, channelsOf, contrastOf, luminance, textOf } from "./colors.ts";

/** Colours of a merchant in place of the product's violet. */
export type BrandColors = {
  /** Buttons, and what is drawn on paper: white letters can be read on it, and it can be read on paper. */
  main: string;
  /** The same while it is pressed or pointed at. */
  strong: string;
  /** Lightest tint of the colour, as a background of text. */
  soft: string;
};

/** Background of the phone pages (`--paper`). */
const PAPER = "#fbfaf7";

/** Contrast of readable text (WCAG AA; AAA for the large letters of buttons). */
const READABLE = 4.5;

/** A merchant's colour made readable: as it is where it can be read, else as little darker as it takes. */
export function brandColors(color: string): BrandColors {
  const chosen = channelsOf(color);
  let share = 1;
  while (contrast(textOf(scaled(chosen, share)), PAPER) < READABLE) share -= 0.01;
  const main = scaled(chosen, share);
  return {
    main: textOf(main),
    strong: textOf(scaled(main, 0.85)),
    soft: textOf(mixed(main, [255, 255, 255], 0.9)),
  };
}

/** Whether pages have to darken a colour before they use it. */
export function isDarkened(color: string): boolean {
  return brandColors(color).main !== color;
}

/** The product's own colour, where none is chosen. */
export const PRODUCT_COLOR = "#7c3aed";

/** The custom properties that a merchant's colour takes the place of the product's in, with their values. */
export function brandProperties(
  color: string,
): readonly (readonly [name: string, value: string])[] {
  const { main, strong, soft } = brandColors(color);
  return [
    ["--violet", main],
    ["--violet-strong", strong],
    ["--violet-soft", soft],
    ["--accent", main],
  ];
}

/** The style sheet that sets them, independent of its order among the others. */
export function brandStyle(color: string): string {
  const declarations = brandProperties(color).map((property) => property.join(":"));
  return `html:root{${declarations.join(";")}}`;
}

/** Contrast of two colours after WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  return contrastOf(luminance(channelsOf(one)), luminance(channelsOf(other)));
}

function scaled([red, green, blue]: Channels, share: number): Channels {
  return [red * share, green * share, blue * share];
}

function mixed(one: Channels, other: Channels, share: number): Channels {
  const mix = (a: number, b: number) => a * (1 - share) + b * share;
  return [mix(one[0], other[0]), mix(one[1], other[1]), mix(one[2], other[2])];
}
