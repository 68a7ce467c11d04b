import type { FaceName, Shape, Typesetter } from "./poster-drawing.ts";

/** A text and the room that it has. */
export type Room = {
  text: string;
  face: FaceName;
  color: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Size that it has when there is room enough. */
  size: number;
  align: "left" | "center";
  /** How far it shrinks before it takes another line, as a share of its size. */
  shrink?: number;
};

/** Height of a line, in sizes. */
const LEADING = { display: 1.12, text: 1.3 } as const;

/** How far titles shrink before they take another line. */
const SHRINK = 0.66;

/** Each step of shrinking. */
const STEP = 0.96;

type Fit = { lines: string[]; size: number };

/** The parts of a word that fit on a line each: only what is wider than a whole line is broken. */
function pieces(word: string, isTooWide: (text: string) => boolean): string[] {
  const parts = [""];
  for (const letter of word) {
    const last = parts.at(-1) ?? "";
    if (last !== "" && isTooWide(last + letter)) parts.push(letter);
    else parts[parts.length - 1] = last + letter;
  }
  return parts;
}

/** The lines of a text; null when a word is too wide and must not be broken. */
function wrap(text: string, isTooWide: (text: string) => boolean, mayBreak: boolean) {
  const lines: string[] = [];
  for (const word of text.trim().split(/[ \t\n]+/)) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && !isTooWide(longer)) lines[lines.length - 1] = longer;
    else if (!isTooWide(word)) lines.push(word);
    else if (mayBreak) lines.push(...pieces(word, isTooWide));
    else return null;
  }
  return lines;
}

function largestFit(room: Room, setter: Typesetter): Fit {
  const { text, face, width, height } = room;
  const wider = (size: number) => (part: string) => setter.measure(part, face, size) > width;
  const hasRoom = ({ lines, size }: Fit) => lines.length * size * LEADING[face] <= height;
  const floor = room.size * (room.shrink ?? SHRINK);
  for (let most = 1; most <= 4; most += 1) {
    for (let size = room.size; size >= floor; size *= STEP) {
      const lines = wrap(text, wider(size), false);
      if (lines && lines.length <= most && hasRoom({ lines, size })) return { lines, size };
    }
  }
  let size = floor;
  for (;;) {
    const lines = wrap(text, wider(size), true) ?? [];
    if (hasRoom({ lines, size })) return { lines, size };
    size *= STEP;
  }
}

/** A text as large as its room allows, in the middle of its height: it shrinks, then takes lines; it is never cut. */
export function fitText(room: Room, setter: Typesetter): Shape[] {
  const { face, color } = room;
  const { lines, size } = largestFit(room, setter);
  const leading = size * LEADING[face];
  const top = room.y + (room.height - lines.length * leading) / 2;
  return lines.map((text, index) => {
    const width = setter.measure(text, face, size);
    const x = room.align === "center" ? room.x + (room.width - width) / 2 : room.x;
    const y = top + index * leading + leading / 2 + size * 0.35;
    return { kind: "text", text, face, size, x, y, width, color };
  });
}
