import { type PointerEvent, useMemo } from "react";
import { formatDay, formatNumber } from "../../lib/format.ts";
import { marksOf } from "./scale.ts";
import { TREND_TONES, type TrendPoint, type TrendSeries } from "./trend-series.ts";

/** Size of the drawing in its own units; it is stretched to the width that there is. */
const WIDTH = 900;
const HEIGHT = 240;

type TrendPlotProps = {
  titleId: string;
  descriptionId: string;
  title: string;
  description: string;
  series: readonly TrendSeries[];
  points: readonly TrendPoint[];
  /** End of the axis. */
  top: number;
  /** The day that is pointed at. */
  at: number | null;
  onPoint: (clientX: number, plot: Element) => void;
  onLeave: () => void;
};

/** A dot that stays round however the drawing is stretched. */
function dot(x: number, y: number): string {
  return `M${x} ${y}h0.01`;
}

/** The drawing itself: axis, surface, lines, and the day that is pointed at. */
export function TrendPlot(props: TrendPlotProps) {
  const { titleId, descriptionId, title, description, series, points, top, at } = props;
  const step = WIDTH / Math.max(1, points.length);
  const xOf = (index: number) => (index + 0.5) * step;
  const yOf = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const paths = useMemo(
    () =>
      series.map(({ label, tone }, n) => ({
        label,
        look: TREND_TONES[tone],
        path: points
          .map(
            ({ values }, index) =>
              `${(index + 0.5) * step} ${HEIGHT - ((values[n] ?? 0) / top) * HEIGHT}`,
          )
          .join("L"),
      })),
    [series, points, step, top],
  );
  const move = (event: PointerEvent<SVGSVGElement>) =>
    props.onPoint(event.clientX, event.currentTarget);
  const days = [points[0], points[Math.floor(points.length / 2)], points.at(-1)];

  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3">
      <div
        aria-hidden="true"
        className="flex flex-col justify-between text-right text-sm text-muted tabular-nums *:-my-2.5"
      >
        {marksOf(top).map((mark) => (
          <span key={mark}>{formatNumber(mark)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={titleId}
        aria-describedby={descriptionId}
        onPointerDown={move}
        onPointerMove={move}
        onPointerLeave={(event) => event.pointerType === "mouse" && props.onLeave()}
        className="h-52 w-full touch-pan-y overflow-visible sm:h-72 print:h-52"
      >
        <title id={titleId}>{title}</title>
        <desc id={descriptionId}>{description}</desc>
        {marksOf(top).map((mark) => (
          <line
            key={mark}
            x1={0}
            x2={WIDTH}
            y1={yOf(mark)}
            y2={yOf(mark)}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        {paths[0] && (
          <path
            d={`M${xOf(0)} ${HEIGHT}L${paths[0].path}L${xOf(points.length - 1)} ${HEIGHT}Z`}
            className={paths[0].look.area}
          />
        )}
        {paths.map(({ label, look, path }) => (
          <path
            key={label}
            data-series={label}
            d={`M${path}`}
            vectorEffect="non-scaling-stroke"
            strokeWidth={2.5}
            strokeLinejoin="round"
            strokeLinecap="round"
            strokeDasharray={look.dash}
            className={`fill-none ${look.line}`}
          />
        ))}
        {at !== null && (
          <>
            <line
              x1={xOf(at)}
              x2={xOf(at)}
              y1={0}
              y2={HEIGHT}
              vectorEffect="non-scaling-stroke"
              className="stroke-field"
            />
            {series.map(({ label, tone }, n) => (
              <path
                key={label}
                d={dot(xOf(at), yOf(points[at]?.values[n] ?? 0))}
                vectorEffect="non-scaling-stroke"
                strokeWidth={10}
                strokeLinecap="round"
                className={TREND_TONES[tone].line}
              />
            ))}
          </>
        )}
      </svg>
      <div
        aria-hidden="true"
        className="col-start-2 mt-2 flex justify-between gap-4 text-sm text-muted"
      >
        {days.map(
          (point, n) =>
            point && (
              <span key={point.day} className={n === 1 ? "hidden sm:inline" : ""}>
                {formatDay(new Date(`${point.day}T12:00:00`), new Date())}
              </span>
            ),
        )}
      </div>
    </div>
  );
}
