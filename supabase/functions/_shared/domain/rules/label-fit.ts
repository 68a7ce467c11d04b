import { WHEEL_SIZE } from "./constants.ts";

/** Distance of a label's two ends from the middle of the wheel. */
export const LABEL_START = 36;
export const LABEL_END = WHEEL_SIZE / 2 - 26;

/** How a label is set along the radius of its segment: its lines and their size. */
export type LabelFit = { lines: string[]; size: number };

/** Room of a label: it ends at `outer`, must not pass `inner`, in a segment `angle` degrees wide. */
export type LabelRoom = { outer: number; inner: number; angle: number };

/** Sizes to try before a label takes one more line, largest first; the last one shrinks at will. */
const SIZES = [
  [17, 16, 15, 14, 13],
  [15, 14, 13, 12, 11, 10],
  [12, 11, 10, 9],
] as const;

/** A label that needs more lines than these takes this many at most, and is no larger than shorter ones are. */
const MAX_LINES = 6;
const LARGEST_LONG = 13;

/** Letters smaller than this are for narrow segments. */
const SMALL = 11;

/** Distance between the lines of a label, in sizes of its letters. */
export const LINE_HEIGHT = 1.12;

/** Letters keep this distance from the edges of their segment. */
const MARGIN = 4;

/**
 * Width of a text in units of its size, on the safe side for the bold faces that phones
 * bring along: a server cannot measure, and a label must never be cut.
 */
function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (/[\s.,:;'’!|ijlI1ftr()[\]-]/.test(letter)) width += 0.4;
    else if (/[mwMW@%œŒæÆ€&]/.test(letter)) width += 0.98;
    else if (/[A-ZÀ-Ý]/.test(letter)) width += 0.76;
    else if (letter.charCodeAt(0) > 0x2000) width += 1.2;
    else width += 0.63;
  }
  return width;
}

/** Every way to break words into so many lines. */
function breakings(words: string[], lines: number): string[][] {
  if (lines === 1) return [[words.join(" ")]];
  const ways: string[][] = [];
  for (let first = 1; first <= words.length - lines + 1; first++) {
    const head = words.slice(0, first).join(" ");
    for (const tail of breakings(words.slice(first), lines - 1)) ways.push([head, ...tail]);
  }
  return ways;
}

/** The largest size at which lines stay inside the segment: the inner end is where it is narrowest. */
function roomFor(lines: string[], { outer, inner, angle }: LabelRoom): number {
  const width = Math.max(...lines.map(textWidth));
  const longest = (outer - inner) / width;
  if (angle >= 180) return longest;
  const slope = Math.tan(((angle / 2) * Math.PI) / 180);
  return Math.min(
    longest,
    (outer * slope - MARGIN / 2) / ((lines.length * LINE_HEIGHT) / 2 + width * slope),
  );
}

/**
 * Sets a label along the radius: one line as large as it fits, else two, else three. A longer one takes the lines
 * that leave it largest, and whatever the length it shrinks rather than being cut.
 */
export function fitLabel(label: string, room: LabelRoom): LabelFit {
  const words = label.trim().split(/\s+/).slice(0, 12);
  const rest = label.trim().split(/\s+/).slice(12);
  if (rest.length > 0) words.push(rest.join(" "));
  for (const [index, sizes] of SIZES.entries()) {
    for (const size of sizes) {
      // A wide segment has room for more lines instead.
      if (size < SMALL && room.angle >= 90) break;
      const way = breakings(words, index + 1).find((lines) => roomFor(lines, room) >= size);
      if (way !== undefined) return { lines: way, size };
    }
  }
  let best: LabelFit = { lines: [words.join(" ")], size: 1 };
  for (let count = 1; count <= Math.min(MAX_LINES, words.length); count++) {
    for (const lines of breakings(words, count)) {
      const size = Math.min(LARGEST_LONG, Math.floor(roomFor(lines, room) * 4) / 4);
      if (size > best.size) best = { lines, size };
    }
  }
  return best;
}
