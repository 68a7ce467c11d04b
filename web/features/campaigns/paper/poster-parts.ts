import { MARK_HUES, MARK_POINTER, MARK_SEGMENT, WORDMARK_LETTERS } from "../../../ui/mark-paths.ts";
import { fill, line, type Picture, roundedRect, type Shape } from "./poster-drawing.ts";

/** Ink of the brand; paper is printed in the light colours. */
export const INK = "#1E1B2E";
export const MUTED = "#5F5A72";
const LINE = "#D8D2C4";
export const WHITE = "#FFFFFF";

/** A QR code: how many modules a side has, and their outline. */
export type QrOutline = { size: number; path: string };

/** Outline of a circle. */
export const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

/** The code on a white card of this width; `side` is the code's own, the rest its quiet zone. */
export function codeCard(
  qr: QrOutline,
  { x, y, width, side }: { x: number; y: number; width: number; side: number },
): Shape[] {
  const inset = (width - side) / 2;
  const outline = roundedRect(x, y, width, width, width / 20);
  return [
    fill(outline, WHITE),
    line(outline, LINE, width / 300),
    fill(qr.path, "#000000", { x: x + inset, y: y + inset, scale: side / qr.size }),
  ];
}

/** An arrow to the left, its tip at the origin of a place, a length of 60 by a height of 36. */
export const ARROW = "M0 0L24-18V-8H60V8H24V18Z";

/** Width of the wordmark in its own units, and its height with the parts above the letters. */
const WORDMARK = { width: 903, height: 154, above: 18 };

/** « tournavis », so high, with its right end at x and its foot at y. */
export function wordmark(right: number, foot: number, height: number): Shape[] {
  const scale = height / WORDMARK.height;
  const x = right - WORDMARK.width * scale;
  const y = foot - height + WORDMARK.above * scale;
  // The mark is 60 × 70 units in a box of 118 × 138 beside the t.
  const mark = scale * (118 / 60);
  const corner = { x: x + 76 * scale, y: y - 4 * scale };
  const hub = { x: corner.x + 30 * mark, y: corner.y + 41 * mark, scale: mark };
  return [
    fill(WORDMARK_LETTERS, INK, { x, y, scale }),
    ...MARK_HUES.map(({ paper }, index) => fill(MARK_SEGMENT, paper, { ...hub, turn: index * 60 })),
    fill(MARK_POINTER, INK, { ...corner, scale: mark }),
  ];
}

/** How wide a wordmark so high is. */
export function wordmarkWidth(height: number): number {
  return (height / WORDMARK.height) * WORDMARK.width;
}

/** A picture as large as a box lets it be, with the middle of its foot at x and y; nothing without one. */
export function standing(
  picture: Picture | null,
  x: number,
  y: number,
  box: { width: number; height: number },
): Shape[] {
  if (!picture) return [];
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return [{ kind: "picture", picture, x: x - width / 2, y: y - height, width, height }];
}
