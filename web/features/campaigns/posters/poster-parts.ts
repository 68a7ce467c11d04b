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

/** The code on a ticket: notches and a tear line above what it says to do, `side` is the width of the code. */
export function ticket(
  qr: QrOutline,
  at: { x: number; y: number; width: number; height: number; side: number },
): Shape[] {
  const { x, y, width, height, side } = at;
  const notch = width / 26;
  // The code keeps its quiet zone: the ticket's upper part is square.
  const tear = y + width;
  const scale = side / qr.size;
  const place = { x: x + (width - side) / 2, y: y + (width - side) / 2, scale };
  return [
    fill(roundedRect(x, y, width, height, width / 18), WHITE),
    line(roundedRect(x, y, width, height, width / 18), LINE, 1.2),
    fill(circle(x, tear, notch), WHITE),
    fill(circle(x + width, tear, notch), WHITE),
    line(`M${x} ${tear - notch}a${notch} ${notch} 0 0 1 0 ${2 * notch}`, LINE, 1.2),
    line(`M${x + width} ${tear - notch}a${notch} ${notch} 0 0 0 0 ${2 * notch}`, LINE, 1.2),
    line(`M${x + 2 * notch} ${tear}H${x + width - 2 * notch}`, LINE, 1.2, 4),
    fill(qr.path, "#000000", place),
  ];
}

/** Width of the wordmark in its own units, and its height with what stands above the letters. */
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
