import { fitLabel, LABEL_END, LABEL_START, LINE_HEIGHT } from "./label-fit.ts";

/** Place of a prize's picture in its segment, which turns it upright on a wheel at rest. */
export type PicturePlace = {
  /** SVG transform of the drawing within its segment, which points up. */
  at: string;
  /** Degrees by which the label leaves the middle of the segment to make room. */
  turn: number;
  /** Whole degrees that are left to the label. */
  angle: number;
};

/** Radii of a picture on the wheel, largest first; below the last it would be a speck. */
const RADII = [19, 18, 17, 16, 15, 14, 13, 12, 11] as const;

/** A drawing reaches so far from its middle, in its own units. */
export const REACH = 12.6;

/** Distance from the middle of the wheel that no picture passes. */
const RIM = LABEL_END + 6;

/** Room between a picture and the label, or the edge of the segment. */
const GAP = 4;

/** Part of a segment by which its label may turn aside, and the widest segment that is shared so, in degrees. */
const TURNS = [0.16, 0.12, 0.08, 0.04] as const;
const WIDEST = 90;

/** A label may lose this part of its size to the picture beside it: the words come first. */
const MIN_SIZE_SHARE = 0.86;

const DEGREE = Math.PI / 180;

/** Tenths of a unit are enough for the eye, and few letters for a phone. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function inDegrees(sine: number): number {
  return Math.asin(Math.min(1, sine)) / DEGREE;
}

type Beside = {
  /** Width of the segment in degrees, and how far its label has turned aside. */
  angle: number;
  turn: number;
  /** Half the height of the label's lines. */
  half: number;
  /** Radius of the picture, the distance from the middle of the wheel that it may not pass, and the room around it. */
  radius: number;
  rim: number;
  gap: number;
};

/** Degrees from the middle of a segment to a picture between its label and its edge; null where there is no room. */
export function besideLabel({ angle, turn, half, radius, rim, gap }: Beside): number | null {
  const distance = rim - radius;
  const from = inDegrees((half + radius + gap) / distance) - turn;
  const to = angle / 2 - inDegrees((radius + gap) / distance);
  return from > to ? null : (from + to) / 2;
}

/**
 * The largest place beside a segment's label, above the words on either half of a wheel at rest; null where there is no room.
 * Worked out by the server: a phone only draws.
 */
export function placePicture(label: string, index: number, count: number): PicturePlace | null {
  const whole = 360 / count;
  const angle = Math.min(whole, WIDEST);
  const ends = { outer: LABEL_END, inner: LABEL_START };
  const alone = fitLabel(label, { ...ends, angle: whole });
  const ways = TURNS.map((share) => {
    const turn = Math.round(angle * share);
    const { lines, size } = fitLabel(label, { ...ends, angle: angle - 2 * turn });
    return { turn, size, half: (lines.length * LINE_HEIGHT * size) / 2 };
  }).filter(({ size }) => size >= alone.size * MIN_SIZE_SHARE);
  // Above the words: before them on the right half, where they are read outwards, behind them on the left.
  const side = index * 2 > count ? 1 : -1;
  for (const radius of RADII) {
    for (const { turn, half } of ways) {
      const place = besideLabel({ angle, turn, half, radius, rim: RIM, gap: GAP });
      if (place === null) continue;
      const x = Math.sin(side * place * DEGREE) * (RIM - radius);
      const y = -Math.cos(place * DEGREE) * (RIM - radius);
      return {
        at: `translate(${tenths(x)} ${tenths(y)})rotate(${-tenths(index * whole)})scale(${tenths(radius / REACH)})`,
        turn: -side * turn,
        angle: Math.floor(angle) - 2 * turn,
      };
    }
  }
  return null;
}
