import { legible, segmentPath } from "../../../ui/wheel/wheel-geometry.ts";
import { fill, type Shape, type Typesetter } from "./poster-drawing.ts";
import { circle, INK, WHITE } from "./poster-parts.ts";

/** A segment on paper; a losing one has no prize. */
export type PosterSegment = { color: string; prize: string | null };

/** Fewest segments drawn: those of a smaller wheel come again, so that no half of it is of one colour. */
const LEAST_SEGMENTS = 6;

/** Sizes of a prize's name, as shares of the radius, and the smallest that paper shows, in points. */
const LARGEST = 0.1;
const SMALLEST_POINTS = 5;
const SHRINK = 0.95;

/** Part of the radius that a name may take. */
const INNER = 0.3;
const OUTER = 0.86;

type WheelPlace = {
  center: { x: number; y: number };
  radius: number;
  /** Where the pointer touches the rim, in degrees clockwise from the top. */
  pointerAt: number;
  /** Size of the panel: a name that would leave it is left out. */
  panel: { width: number; height: number };
};

/** The segments that are drawn: the wheel's own, again and again until there are enough. */
function drawnSegments(segments: readonly PosterSegment[]): PosterSegment[] {
  const rounds = Math.ceil(LEAST_SEGMENTS / Math.max(1, segments.length));
  return Array.from({ length: rounds }, () => segments).flat();
}

/** A prize's name along the radius at an angle, its letters never upside down; nothing where it cannot be read. */
function nameOf(
  segment: PosterSegment,
  angle: number,
  width: number,
  { center, radius, panel }: WheelPlace,
  setter: Typesetter,
): Shape[] {
  if (segment.prize === null) return [];
  const { prize: text } = segment;
  const room = radius * (OUTER - INNER);
  // A line must fit into the segment at its narrow end.
  const chord = 2 * radius * INNER * Math.tan((Math.min(width, 120) * Math.PI) / 360);
  let size = Math.min(radius * LARGEST, chord * 0.8);
  while (setter.measure(text, "display", size) > room) size *= SHRINK;
  if (size < SMALLEST_POINTS) return [];
  const length = setter.measure(text, "display", size);
  const isLeft = angle > 180;
  const turn = isLeft ? angle + 90 : angle - 90;
  const radians = (angle * Math.PI) / 180;
  const at = (share: number) => ({
    x: center.x + Math.sin(radians) * radius * share,
    y: center.y - Math.cos(radians) * radius * share,
  });
  const [inner, outer] = [at(OUTER - length / radius), at(OUTER)];
  const margin = size * 0.6;
  const isInside = [inner, outer].every(
    ({ x, y }) => x > margin && y > margin && x < panel.width - margin && y < panel.height - margin,
  );
  if (!isInside) return [];
  const start = isLeft ? outer : inner;
  const along = (turn * Math.PI) / 180;
  // From the middle of the letters to their baseline.
  const drop = size * 0.35;
  return [
    {
      kind: "text",
      text,
      face: "display",
      size,
      x: start.x - Math.sin(along) * drop,
      y: start.y + Math.cos(along) * drop,
      width: length,
      color: legible(segment.color).isDark ? INK : WHITE,
      turn,
    },
  ];
}

/** The campaign's wheel with its prizes' names; the pointer stands on a prize where there is one. */
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
      fill(`M${-gap / 2} 0h${gap}v${-radius}h${-gap}Z`, WHITE, {
        x,
        y,
        turn: angleOf(index) + width / 2,
      }),
    ),
    ...drawn.flatMap((segment, index) => nameOf(segment, angleOf(index), width, at, setter)),
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
