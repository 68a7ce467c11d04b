import { besideLabel } from "#domain/rules/picture-place.ts";
import type { PrizeDrawing } from "#domain/rules/prize-pictures.ts";
import { legible, segmentPath } from "../../../ui/wheel/wheel-geometry.ts";
import { fill, type Shape, type Typesetter } from "./poster-drawing.ts";
import { circle, INK, WHITE } from "./poster-parts.ts";
import { prizePicture } from "./poster-prize.ts";

/** A segment on paper; a losing one has no prize, one whose prize cannot be written an empty name. */
export type PosterSegment = { color: string; prize: string | null; picture: PrizeDrawing | null };

/** Fewest segments drawn: those of a smaller wheel come again, so that no half of it is of one colour. */
const MIN_SEGMENTS = 3;

/** Sizes of a prize's name, as shares of the radius, and the smallest that paper shows, in points. */
const LARGEST = 0.115;
const SMALLEST_POINTS = 5;

/** Smallest name on a segment that has a picture instead, as a share of the radius. */
const SMALLEST = 0.07;

/** Distance of a picture without a name from the middle, its largest reach, and its part of the width there. */
const ALONE = { distance: 0.62, reach: 0.17, part: 0.75 } as const;

/** Height of a line, in sizes, and how much smaller a name may be before it takes a second one. */
const LEADING = 1.1;
const ONE_LINE = 0.85;

/** Radii of a picture to try, as shares of the wheel's, and the widest segment whose middle it may leave, in degrees. */
const PICTURES = [0.12, 0.105, 0.09, 0.075] as const;
const WIDEST = 90;

/** Part of the radius that a name may take. */
const INNER = 0.3;
const OUTER = 0.86;

type WheelPlace = {
  center: { x: number; y: number };
  radius: number;
  /** Where the pointer touches the rim, in degrees clockwise from the top. */
  pointerAt: number;
  /** Whether the prizes' names are written on their segments. */
  isNamed: boolean;
};

/** The segments that are drawn: the wheel's own, again and again until there are enough. */
function drawnSegments(segments: readonly PosterSegment[]): PosterSegment[] {
  const rounds = Math.ceil(MIN_SEGMENTS / Math.max(1, segments.length));
  return Array.from({ length: rounds }, () => segments).flat();
}

/** A name on one line, and on two where it has words for it. */
function waysToWrite(text: string): string[][] {
  const words = text.split(" ");
  const splits = words.slice(1).map((_, index) => {
    const lines = [words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" ")];
    return { lines, longest: Math.max(...lines.map((line) => line.length)) };
  });
  const [even] = splits.toSorted((one, other) => one.longest - other.longest);
  return even ? [[text], even.lines] : [[text]];
}

/** How large a name can be that is written so. */
function sizeOf(lines: string[], width: number, radius: number, setter: Typesetter): number {
  // The lines must fit into the segment at its narrow end.
  const chord = 2 * radius * INNER * Math.tan((Math.min(width, 120) * Math.PI) / 360);
  const widest = Math.max(...lines.map((line) => setter.measure(line, "display", 1)));
  return Math.min(
    radius * LARGEST,
    (chord * 0.8) / (lines.length * LEADING),
    (radius * (OUTER - INNER)) / widest,
  );
}

/** A prize's name along the radius at an angle, its letters never upside down. */
function nameOf(
  { color, lines, angle }: { color: string; lines: string[]; angle: number },
  size: number,
  { center, radius }: WheelPlace,
  setter: Typesetter,
): Shape[] {
  const isLeft = angle > 180;
  const turn = isLeft ? angle + 90 : angle - 90;
  const out = (angle * Math.PI) / 180;
  const along = (turn * Math.PI) / 180;
  return lines.map((text, index) => {
    const width = setter.measure(text, "display", size);
    const from = isLeft ? radius * OUTER : radius * OUTER - width;
    // From the middle of the name to the baseline of this line.
    const drop = size * ((index - (lines.length - 1) / 2) * LEADING + 0.35);
    return {
      kind: "text",
      text,
      face: "display",
      size,
      x: center.x + Math.sin(out) * from - Math.sin(along) * drop,
      y: center.y - Math.cos(out) * from + Math.cos(along) * drop,
      width,
      color: legible(color).isDark ? INK : WHITE,
      turn,
    };
  });
}

/** A prize's picture above its name, upright on paper; none where there is no room. */
function pictureBeside(
  { color, picture, lines }: PosterSegment & { lines: string[] },
  { angle, width, size }: { angle: number; width: number; size: number },
  { center, radius }: WheelPlace,
): Shape[] {
  if (picture === null) return [];
  const half = (lines.length * LEADING * size) / 2;
  for (const share of PICTURES) {
    const reach = share * radius;
    const place = besideLabel({
      angle: Math.min(width, WIDEST),
      turn: 0,
      half,
      radius: reach,
      rim: radius * OUTER,
      gap: radius * 0.025,
    });
    if (place === null) continue;
    const at = ((angle > 180 ? angle + place : angle - place) * Math.PI) / 180;
    const distance = radius * OUTER - reach;
    return prizePicture(picture, color, {
      x: center.x + Math.sin(at) * distance,
      y: center.y - Math.cos(at) * distance,
      reach,
    });
  }
  return [];
}

/** A prize's picture in the middle of its segment, in the place of a name that would be too small. */
function pictureAlone(
  { color, picture, angle }: PosterSegment & { angle: number },
  width: number,
  { center, radius }: WheelPlace,
): Shape[] {
  if (picture === null) return [];
  const at = (angle * Math.PI) / 180;
  const distance = radius * ALONE.distance;
  const half = distance * Math.tan((Math.min(width, WIDEST) * Math.PI) / 360);
  return prizePicture(picture, color, {
    x: center.x + Math.sin(at) * distance,
    y: center.y - Math.cos(at) * distance,
    reach: Math.min(radius * ALONE.reach, half * ALONE.part),
  });
}

/**
 * The prizes' names, all of one size, with their pictures. A long name leaves its segment to its picture; where one of them
 * has none and could not be read, nothing is written on the wheel.
 */
function names(
  drawn: readonly PosterSegment[],
  angleOf: (index: number) => number,
  at: WheelPlace,
  setter: Typesetter,
): Shape[] {
  if (!at.isNamed) return [];
  const width = 360 / drawn.length;
  const written = drawn.flatMap((segment, index) => {
    const { prize } = segment;
    if (prize === null) return [];
    const [whole, split] = waysToWrite(prize).map((lines) => ({
      lines,
      size: sizeOf(lines, width, at.radius, setter),
    }));
    if (!whole) return [];
    // Two lines only where they are clearly larger.
    const way = split && whole.size < split.size * ONE_LINE ? split : whole;
    return [{ ...segment, ...way, angle: angleOf(index) }];
  });
  if (written.some((way) => way.picture === null && way.size < SMALLEST_POINTS)) return [];
  const least = Math.max(SMALLEST_POINTS, at.radius * SMALLEST);
  const named = written.filter(
    (way) => way.prize !== "" && (way.picture === null || way.size >= least),
  );
  const size = Math.min(...named.map((way) => way.size));
  return written.flatMap((way) =>
    named.includes(way)
      ? [
          ...pictureBeside(way, { angle: way.angle, width, size }, at),
          ...nameOf(way, size, at, setter),
        ]
      : pictureAlone(way, width, at),
  );
}

/** The campaign's wheel with its prizes' names; the pointer is on a prize where there is one. */
export function wheel(
  segments: readonly PosterSegment[],
  at: WheelPlace,
  setter: Typesetter,
): Shape[] {
  const { center, radius, pointerAt } = at;
  const { x, y } = center;
  const drawn = drawnSegments(segments);
  const width = 360 / drawn.length;
  const gap = radius / 70;
  const first = Math.max(
    0,
    drawn.findIndex(({ prize }) => prize !== null),
  );
  const angleOf = (index: number) => (((pointerAt + (index - first) * width) % 360) + 360) % 360;
  return [
    fill(circle(x, y, radius), INK),
    fill(circle(x, y, radius * 0.965), WHITE),
    ...drawn.map(({ color }, index) =>
      fill(segmentPath(drawn.length, radius * 0.95), legible(color).color, {
        x,
        y,
        turn: angleOf(index),
      }),
    ),
    ...drawn.map((_, index) =>
      fill(`M${-gap / 2} 0h${gap}v${-radius * 0.955}h${-gap}Z`, WHITE, {
        x,
        y,
        turn: angleOf(index) + width / 2,
      }),
    ),
    ...names(drawn, angleOf, at, setter),
    fill(circle(x, y, radius * 0.24), INK),
    fill(circle(x, y, radius * 0.215), WHITE),
    fill(
      `M${-radius * 0.07} ${-radius * 1.08}h${radius * 0.14}l${-radius * 0.07} ${radius * 0.17}Z`,
      WHITE,
      { x, y, turn: pointerAt },
    ),
    fill(
      `M${-radius * 0.055} ${-radius * 1.07}h${radius * 0.11}l${-radius * 0.055} ${radius * 0.14}Z`,
      INK,
      { x, y, turn: pointerAt },
    ),
  ];
}
