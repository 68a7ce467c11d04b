import { formatNumber } from "../../lib/format.ts";
import { chartsCopy as copy } from "./charts.copy.ts";
import { TREND_TONES, type TrendPoint, type TrendSeries } from "./trend-series.ts";

type TrendLegendProps = { series: readonly TrendSeries[]; points: readonly TrendPoint[] };

/** Which line is what, with its sum. */
export function TrendLegend({ series, points }: TrendLegendProps) {
  return (
    <figcaption className="flex flex-wrap gap-x-5 gap-y-1 font-medium">
      {series.map(({ label, tone }, n) => (
        <span key={label} className="inline-flex items-center gap-2 tabular-nums">
          <svg viewBox="0 0 28 8" aria-hidden="true" className="h-2 w-7">
            <line
              x1={1.5}
              x2={26.5}
              y1={4}
              y2={4}
              strokeWidth={3}
              strokeLinecap="round"
              strokeDasharray={TREND_TONES[tone].dash}
              className={TREND_TONES[tone].line}
            />
          </svg>
          {copy.total(
            label,
            formatNumber(points.reduce((sum, { values }) => sum + (values[n] ?? 0), 0)),
          )}
        </span>
      ))}
    </figcaption>
  );
}
