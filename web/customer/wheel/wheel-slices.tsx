import type { PublicSegment } from "#domain/journey.ts";
import { fitLabel } from "./label-fit.ts";
import { SLICE_RADIUS, slicePath, wantsDarkText } from "./wheel-geometry.ts";

const LABEL_END = SLICE_RADIUS - 9;
const HUB_RADIUS = 30;
const LINE_HEIGHT = 1.12;

/** The slices of the wheel with their labels along the radius, the first one at the top. */
export function WheelSlices({ segments }: { segments: PublicSegment[] }) {
  const count = segments.length;
  const angle = 360 / count;
  const outline = slicePath(count, SLICE_RADIUS);
  return segments.map(({ id, label, color }, index) => {
    const room = { outer: LABEL_END, inner: HUB_RADIUS + 4, angle };
    const { lines, size } = fitLabel(label, room);
    return (
      <g key={id} transform={`rotate(${index * angle})`}>
        <path d={outline} fill={color} className="stroke-surface" strokeWidth="2" />
        <text
          transform="rotate(-90)"
          textAnchor="end"
          fontSize={size}
          className={wantsDarkText(color) ? "fill-ink" : "fill-surface"}
        >
          {lines.map((line, row) => (
            <tspan
              key={line}
              x={LABEL_END}
              y={((row - (lines.length - 1) / 2) * LINE_HEIGHT + 0.35) * size}
            >
              {line}
            </tspan>
          ))}
        </text>
      </g>
    );
  });
}
