/** How a label is set along the radius of its slice: its lines and their size. */
export type LabelFit = { lines: string[]; size: number };

/** Room of a label: it ends at `outer`, must not pass `inner`, in a slice `angle` degrees wide. */
export type LabelRoom = { outer: number; inner: number; angle: number };

/** Sizes to try before a label takes one more line, largest first; the last one shrinks at will. */
const SIZES = [
  [17, 16, 15, 14, 13],
  [15, 14, 13, 12, 11, 10],
  [12, 11, 10, 9],
] as const;

/** Distance between the lines of a label, in sizes of its letters. */
export const LINE_HEIGHT = 1.12;

/** Letters keep this distance from the edges of their slice. */
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

/** Whether lines of a size stay inside the slice: the inner end is where it is narrowest. */
function fits(lines: string[], size: number, { outer, inner, angle }: LabelRoom): boolean {
  const start = outer - Math.max(...lines.map(textWidth)) * size;
  if (start < inner) return false;
  if (angle >= 180) return true;
  const half = (lines.length * size * LINE_HEIGHT) / 2 + MARGIN / 2;
  return half <= start * Math.tan(((angle / 2) * Math.PI) / 180);
}

/**
 * Sets a label along the radius: one line as large as it fits, else two, else three, and
 * whatever the length it shrinks rather than being cut.
 */
export function fitLabel(label: string, room: LabelRoom): LabelFit {
  const words = label.trim().split(/\s+/).slice(0, 12);
  const rest = label.trim().split(/\s+/).slice(12);
  if (rest.length > 0) words.push(rest.join(" "));
  for (const [index, sizes] of SIZES.entries()) {
    for (const size of sizes) {
      const way = breakings(words, index + 1).find((lines) => fits(lines, size, room));
      if (way !== undefined) return { lines: way, size };
    }
  }
  let best: LabelFit = { lines: [words.join(" ")], size: 1 };
  for (let count = 1; count <= Math.min(4, words.length); count++) {
    for (const lines of breakings(words, count)) {
      let size = 9;
      while (size > best.size && !fits(lines, size, room)) size -= 0.25;
      if (size > best.size) best = { lines, size };
    }
  }
  return best;
}
