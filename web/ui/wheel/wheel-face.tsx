import { memo } from "react";
import { WHEEL_SIZE } from "#domain/rules/constants.ts";
import { fitLabel, LABEL_END, LABEL_START, LINE_HEIGHT } from "#domain/rules/label-fit.ts";
import type { PublicSegment } from "#domain/schemas/public-page.ts";
import { PrizePaths } from "../prize-picture.tsx";
import {
  legible,
  PEG_RADIUS,
  pegCount,
  pointAt,
  round,
  SEGMENT_RADIUS,
  segmentPath,
} from "./wheel-geometry.ts";

const HALF = WHEEL_SIZE / 2;

/** Visible parts of a segment. */
export type WheelSegment = Pick<PublicSegment, "id" | "label" | "color" | "picture">;

type WheelFaceProps = {
  segments: readonly WheelSegment[];
  /** The one segment that matters; the others step back, without their words. */
  chosen?: number;
};

/** Whether the label of a segment would be upside down while the wheel rests: on the left half it is read inwards. */
export function isReadInwards(index: number, count: number): boolean {
  return index * 2 > count;
}

/**
 * Moving part of the wheel: segments with their labels along the radius, the rim and its pegs; the
 * first segment is at the top. Drawn once for the same segments: setting labels is work for a slow
 * phone.
 */
export const WheelFace = memo(function WheelFace({ segments, chosen }: WheelFaceProps) {
  const count = segments.length;
  const pegs = pegCount(count);
  const angle = 360 / count;
  const outline = segmentPath(count, SEGMENT_RADIUS);
  return (
    <>
      <circle r={HALF - 1} className="fill-ink" />
      <circle r={SEGMENT_RADIUS} className="fill-surface" />
      {segments.map(({ id, label, color, picture }, index) => {
        const place = picture?.place;
        const { lines, size } = fitLabel(label, {
          outer: LABEL_END,
          inner: LABEL_START,
          angle: place?.angle ?? angle,
        });
        const ground = legible(color);
        const isInwards = isReadInwards(index, count);
        const isOther = chosen !== undefined && chosen !== index;
        const ink = ground.isDark ? "fill-ink" : "fill-surface";
        return (
          <g key={id} transform={`rotate(${index * angle})`} opacity={isOther ? 0.3 : undefined}>
            <path d={outline} fill={ground.color} className="stroke-surface" strokeWidth="2" />
            {place && !isOther && (
              <g transform={place.at} className={ink}>
                <PrizePaths drawing={picture} />
              </g>
            )}
            <text
              transform={`rotate(${(isInwards ? 90 : -90) + (place?.turn ?? 0)})`}
              textAnchor={isInwards ? "start" : "end"}
              // It turns: no font of its own is made ready for the size that it has on this screen.
              textRendering="geometricPrecision"
              fontSize={size}
              fontWeight="700"
              className={ink}
            >
              {(isOther ? [] : lines).map((line, row) => (
                <tspan
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place.
                  key={row}
                  x={isInwards ? -LABEL_END : LABEL_END}
                  y={round(((row - (lines.length - 1) / 2) * LINE_HEIGHT + 0.35) * size)}
                >
                  {line}
                </tspan>
              ))}
            </text>
          </g>
        );
      })}
      {Array.from({ length: pegs }, (_, index) => {
        const { x, y } = pointAt((index * 360) / pegs + 180 / count, PEG_RADIUS);
        // biome-ignore lint/suspicious/noArrayIndexKey: pegs have no identity but their place.
        return <circle key={index} cx={x} cy={y} r="3" className="fill-sun-soft" />;
      })}
    </>
  );
});
