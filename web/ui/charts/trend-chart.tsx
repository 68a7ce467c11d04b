import { useId, useState } from "react";
import { formatDay, formatNumber } from "../../lib/format.ts";
import { ChartTable } from "./chart-table.tsx";
import { chartsCopy as copy } from "./charts.copy.ts";
import { roundTop } from "./scale.ts";
import { TrendPlot } from "./trend-plot.tsx";
import { TREND_TONES, type TrendPoint, type TrendSeries } from "./trend-series.ts";

type TrendChartProps = {
  /** Subject of the chart, in a few words. */
  title: string;
  /** The same in a sentence, with its figures. */
  description: string;
  /** Up to three, the widest first: it is drawn as a surface, the others as lines. */
  series: readonly TrendSeries[];
  /** A point a day, oldest first. */
  points: readonly TrendPoint[];
};

function nameOf(day: string): string {
  return formatDay(new Date(`${day}T12:00:00`), new Date());
}

/**
 * Counts of each day. Pointing, touching, or the arrow keys show the figures of one day; a table holds all.
 */
export function TrendChart({ title, description, series, points }: TrendChartProps) {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const top = roundTop(Math.max(0, ...points.flatMap(({ values }) => values)));
  const last = points.length - 1;
  const readout = (index: number) => {
    const point = points[index];
    if (!point) return "";
    const values = series.map(({ label }, n) =>
      copy.value(label, formatNumber(point.values[n] ?? 0)),
    );
    return copy.readout(nameOf(point.day), values);
  };
  const point = (clientX: number, plot: Element) => {
    const { left, width } = plot.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * points.length);
    setAt(Math.min(last, Math.max(0, index)));
  };
  const shown = at === null ? undefined : points[at];

  return (
    <figure className="grid gap-3 [print-color-adjust:exact]">
      <TrendLegend series={series} points={points} />
      <div className="relative rounded-field has-focus-visible:outline-3 has-focus-visible:outline-offset-4 has-focus-visible:outline-violet">
        {shown && at !== null && (
          <TrendTooltip
            day={nameOf(shown.day)}
            series={series}
            values={shown.values}
            share={(at + 0.5) / points.length}
          />
        )}
        <TrendPlot
          titleId={`${id}-title`}
          descriptionId={`${id}-description`}
          title={title}
          description={description}
          series={series}
          points={points}
          top={top}
          at={at}
          onPoint={point}
          onLeave={() => setAt(null)}
        />
        <input
          type="range"
          min={0}
          max={last}
          value={at ?? last}
          aria-label={copy.cursor}
          aria-valuetext={readout(at ?? last)}
          onChange={(event) => setAt(Number(event.target.value))}
          onFocus={() => setAt(at ?? last)}
          onBlur={() => setAt(null)}
          className="sr-only print:hidden"
        />
      </div>
      <ChartTable
        caption={title}
        head={[copy.day, ...series.map(({ label }) => label)]}
        rows={points.map(({ day, values }) => [nameOf(day), ...values.map(formatNumber)])}
      />
    </figure>
  );
}

type TrendLegendProps = { series: readonly TrendSeries[]; points: readonly TrendPoint[] };

/** Which line is what, with its sum. */
function TrendLegend({ series, points }: TrendLegendProps) {
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

type TrendTooltipProps = {
  day: string;
  series: readonly TrendSeries[];
  values: readonly number[];
  /** How far right of the whole width, 0 to 1: the box stays inside at both ends. */
  share: number;
};

/** The figures of the day that is pointed at. The slider below says them to screen readers. */
function TrendTooltip({ day, series, values, share }: TrendTooltipProps) {
  const percent = `${share * 100}%`;
  return (
    <div
      aria-hidden="true"
      data-tooltip=""
      style={{ left: percent, transform: `translate(-${percent}, -0.5rem)` }}
      className="pointer-events-none absolute top-0 z-10 rounded-field bg-ink px-3.5 py-2.5 text-sm text-paper shadow-card print:hidden"
    >
      <p className="font-semibold whitespace-nowrap">{day}</p>
      {series.map(({ label }, n) => (
        <p key={label} className="flex justify-between gap-4 tabular-nums">
          <span>{label}</span>
          <span className="font-semibold">{formatNumber(values[n] ?? 0)}</span>
        </p>
      ))}
    </div>
  );
}
