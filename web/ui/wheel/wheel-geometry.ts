import { WHEEL_SIZE } from "#domain/constants.ts";

/** Radius of the slices in the wheel's drawing; the rim and its pegs lie outside. */
export const SLICE_RADIUS = WHEEL_SIZE / 2 - 14;

/** Radius of the circle on which the pegs stand. */
export const PEG_RADIUS = WHEEL_SIZE / 2 - 7;

/** Radius of the whole wheel. */
export const RIM = WHEEL_SIZE / 2;

/** Outline of the pointer, which turns about its origin; its tip points down. */
export const POINTER_OUTLINE =
  "M-13-9h26a4 4 0 0 1 3.3 6.2L3.3 19a4 4 0 0 1-6.6 0L-16.3-2.8a4 4 0 0 1 3.3-6.2Z";

/** What the wheel's drawings look at: its centre is the origin. */
export const WHEEL_VIEW = `${-WHEEL_SIZE / 2} ${-WHEEL_SIZE / 2} ${WHEEL_SIZE} ${WHEEL_SIZE}`;

const FULL_TURN = 360;

/** Fewest pegs that make a wheel tick rather than creak. */
const MIN_PEGS = 12;

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A point of the wheel: angle in degrees, clockwise from the top. */
export function pointAt(angle: number, radius: number): { x: number; y: number } {
  const radians = (angle * Math.PI) / 180;
  return { x: round(Math.sin(radians) * radius), y: round(-Math.cos(radians) * radius) };
}

/** Outline of one of `count` equal slices, centred on the top. */
export function slicePath(count: number, radius: number): string {
  if (count === 1) return `M0-${radius}A${radius} ${radius} 0 1 1-.01-${radius}Z`;
  const half = FULL_TURN / count / 2;
  const { x, y } = pointAt(half, radius);
  return `M0 0L${-x} ${y}A${radius} ${radius} 0 0 1 ${x} ${y}Z`;
}

/** How many pegs stand on the rim: one on every boundary, and more between wide slices. */
export function pegCount(slices: number): number {
  return slices * Math.ceil(MIN_PEGS / slices);
}

/**
 * The rotation, between 0 and 360, that brings a slice under the pointer. `place` tells where
 * in the slice the pointer comes to rest: 0 is its first edge, 1 the other.
 */
export function rotationTo(index: number, count: number, place: number): number {
  const width = FULL_TURN / count;
  const angle = (index + place - 0.5) * width;
  return ((-angle % FULL_TURN) + FULL_TURN) % FULL_TURN;
}

/** Which slice lies under the pointer at a rotation. */
export function sliceAt(rotation: number, count: number): number {
  const width = FULL_TURN / count;
  const angle = (((-rotation + width / 2) % FULL_TURN) + FULL_TURN) % FULL_TURN;
  return Math.min(count - 1, Math.floor(angle / width));
}

/**
 * A resting place inside a slice, from a random number: neither on the middle, as only a
 * rigged wheel stops, nor so near an edge that the eye doubts.
 */
export function restingPlace(random: number): number {
  const offset = 0.12 + 0.26 * ((random * 2) % 1);
  return random < 0.5 ? offset : 1 - offset;
}

function channel(value: number): number {
  const part = value / 255;
  return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** Whether dark letters read better than white ones on a colour `#rrggbb` (WCAG luminance). */
export function wantsDarkText(color: string): boolean {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (digits === null) return true;
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((pair) => Number.parseInt(pair, 16));
  const luminance = 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  // Where the contrasts with white and with the brand's ink (luminance 0.012) are equal.
  return luminance > 0.205;
}
