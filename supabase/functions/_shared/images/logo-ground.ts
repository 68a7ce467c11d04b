import { type Channels, contrastOf, luminance } from "../domain/rules/colors.ts";
import type { Pixels } from "./pixels.ts";

/** Ground of logos: the phone pages (`--paper`), and paper itself, which hardly differs. */
const PAPER: Channels = [251, 250, 247];

/** Ground for a pale logo (`--ink`). */
const INK: Channels = [30, 27, 46];

/** Pixels that lie this far apart are on two sides of an outline, whatever blends between them. */
const REACH = 3;

/** Least contrast (WCAG) at which an outline is seen. */
const SEEN = 1.5;

/** Share of its outlines without which a logo is no longer itself. */
const BEARABLE = 1 / 3;

/**
 * Whether a logo cannot be seen on paper and can on ink: white letters without a ground, for instance. Its outlines are
 * compared, not its surfaces: a white badge with black letters is read on either.
 */
export function isLostOnPaper(picture: Pixels): boolean {
  const onPaper = lightnessOn(picture, PAPER);
  const onInk = lightnessOn(picture, INK);
  let outlines = 0;
  let lostOnPaper = 0;
  let lostOnInk = 0;
  const compare = (one: number, other: number) => {
    const seenOnPaper = differs(onPaper, one, other);
    const seenOnInk = differs(onInk, one, other);
    if (seenOnPaper || seenOnInk) outlines += 1;
    if (seenOnInk && !seenOnPaper) lostOnPaper += 1;
    if (seenOnPaper && !seenOnInk) lostOnInk += 1;
  };
  const { width, height } = picture;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const here = y * width + x;
      if (x + REACH < width) compare(here, here + REACH);
      if (y + REACH < height) compare(here, here + REACH * width);
    }
  }
  return lostOnPaper > lostOnInk && lostOnPaper > outlines * BEARABLE;
}

/** A logo on a plate of ink with round corners; what was empty around it is left out. */
export function onPlate(picture: Pixels): Pixels {
  const drawn = boundsOf(picture);
  const margin = Math.max(2, Math.round(Math.max(drawn.height * 0.25, drawn.width * 0.06)));
  const width = drawn.width + 2 * margin;
  const height = drawn.height + 2 * margin;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      data.set(INK, at);
      data[at + 3] = 255 * cornerCover(x, y, width, height, margin);
    }
  }
  for (let y = 0; y < drawn.height; y += 1) {
    for (let x = 0; x < drawn.width; x += 1) {
      const from = (drawn.y + y) * picture.width + drawn.x + x;
      data.set(blended(picture, from, INK), ((y + margin) * width + x + margin) * 4);
    }
  }
  return { data, width, height };
}

/** How much of a pixel lies within a rectangle with round corners, 0 to 1. */
function cornerCover(x: number, y: number, width: number, height: number, radius: number): number {
  const beyond = (at: number, size: number) =>
    Math.max(0, radius - at - 0.5, at + 0.5 - (size - radius));
  const distance = Math.hypot(beyond(x, width), beyond(y, height));
  return Math.min(1, Math.max(0, radius - distance + 0.5));
}

/** The smallest part of a picture beside which nothing is seen. */
function boundsOf({ data, width, height }: Pixels) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let index = 0; index < width * height; index += 1) {
    if ((data[index * 4 + 3] ?? 0) < 16) continue;
    const [x, y] = [index % width, Math.floor(index / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Relative luminance (WCAG) of each pixel on a ground. */
function lightnessOn(picture: Pixels, ground: Channels): Float32Array {
  const pixels = picture.width * picture.height;
  return Float32Array.from({ length: pixels }, (_, index) =>
    luminance(blended(picture, index, ground)),
  );
}

function blended({ data }: Pixels, index: number, ground: Channels): Channels {
  const share = (data[index * 4 + 3] ?? 0) / 255;
  const channel = (at: 0 | 1 | 2) => (data[index * 4 + at] ?? 0) * share + ground[at] * (1 - share);
  return [channel(0), channel(1), channel(2)];
}

function differs(lightness: Float32Array, one: number, other: number): boolean {
  return contrastOf(lightness[one] ?? 0, lightness[other] ?? 0) >= SEEN;
}
