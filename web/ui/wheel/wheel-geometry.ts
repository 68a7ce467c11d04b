import { channelsOf, contrastOf, luminance, textOf } from "#domain/rules/colors.ts";
import { WHEEL_SIZE } from "#domain/rules/constants.ts";

/** Radius of the segments in the wheel's drawing; the rim and its pegs lie outside. */
export const SEGMENT_RADIUS = WHEEL_SIZE / 2 - 14;

/** Radius of the circle of the pegs. */
export const PEG_RADIUS = WHEEL_SIZE / 2 - 7;

/** Radius of the whole wheel. */
export const RIM = WHEEL_SIZE / 2;

/**
 * Outline of the pointer, which turns about its origin; its tip points down. It is drawn dark with a light edge: one of
 * the two stands out from whatever colour a merchant gives a segment.
 */
export const POINTER_OUTLINE =
  "M-13-9h26a4 4 0 0 1 3.3 6.2L3.3 19a4 4 0 0 1-6.6 0L-16.3-2.8a4 4 0 0 1 3.3-6.2Z";

/** View box of the wheel's drawings: its centre is the origin. */
export const WHEEL_VIEW = `${-WHEEL_SIZE / 2} ${-WHEEL_SIZE / 2} ${WHEEL_SIZE} ${WHEEL_SIZE}`;

const FULL_TURN = 360;

/** Fewest pegs that make a wheel tick rather than creak. */
const MIN_PEGS = 12;

/** Hundredths of the drawing's unit are enough for the eye. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A point of the wheel: angle in degrees, clockwise from the top. */
export function pointAt(angle: number, radius: number): { x: number; y: number } {
  const radians = (angle * Math.PI) / 180;
  return { x: round(Math.sin(radians) * radius), y: round(-Math.cos(radians) * radius) };
}

/** Outline of one of `count` equal segments, centred on the top. */
export function segmentPath(count: number, radius: number): string {
  if (count === 1) return `M0-${radius}A${radius} ${radius} 0 1 1-.01-${radius}Z`;
  const half = FULL_TURN / count / 2;
  const { x, y } = pointAt(half, radius);
  return `M0 0L${-x} ${y}A${radius} ${radius} 0 0 1 ${x} ${y}Z`;
}

/** How many pegs are on the rim: one on every boundary, and more between wide segments. */
export function pegCount(segmentCount: number): number {
  return segmentCount * Math.ceil(MIN_PEGS / segmentCount);
}

/**
 * The rotation, between 0 and 360, that brings a segment under the pointer. `place` tells where
 * in the segment the pointer comes to rest: 0 is its first edge, 1 the other.
 */
export function rotationTo(index: number, count: number, place: number): number {
  const width = FULL_TURN / count;
  const angle = (index + place - 0.5) * width;
  return ((-angle % FULL_TURN) + FULL_TURN) % FULL_TURN;
}

/** Which segment lies under the pointer at a rotation. */
export function segmentAt(rotation: number, count: number): number {
  const width = FULL_TURN / count;
  const angle = (((-rotation + width / 2) % FULL_TURN) + FULL_TURN) % FULL_TURN;
  return Math.min(count - 1, Math.floor(angle / width));
}

/**
 * A resting place inside a segment, from a random number: neither on the middle, as only a
 * rigged wheel stops, nor so near an edge that the eye doubts.
 */
export function restingPlace(random: number): number {
  const offset = 0.12 + 0.26 * ((random * 2) % 1);
  return random < 0.5 ? offset : 1 - offset;
}

/** Luminance of the brand's ink. */
const INK = 0.012;

/** Where the contrasts with white and with the ink are equal. */
const MIDDLE = 0.205;

/** Contrast that the large letters of a ticket and the small ones of a segment need at least. */
const MIN_CONTRAST = 4.65;

/** A step from a colour to a lighter or darker one, as a share of the way to white or black. */
const SHADE = 0.03;

/**
 * The colour to write on in place of a merchant's, `#rrggbb`, and whether in dark letters or white ones: the same, but for
 * some middle hues, on which neither could be read in the sun and which become a shade lighter or darker.
 */
export function legible(color: string): { color: string; isDark: boolean } {
  if (!/^#[\da-f]{6}$/i.test(color)) return { color, isDark: true };
  const chosen = channelsOf(color);
  const light = luminance(chosen);
  const isDark = light > MIDDLE;
  const isReadable = (on: number) => contrastOf(on, isDark ? INK : 1) >= MIN_CONTRAST;
  if (isReadable(light)) return { color, isDark };
  const shade = (value: number) => value + ((isDark ? 255 : 0) - value) * SHADE;
  let shaded = chosen;
  while (!isReadable(luminance(shaded))) {
    const [red, green, blue] = shaded;
    shaded = [shade(red), shade(green), shade(blue)];
  }
  return { color: textOf(shaded), isDark };
}
