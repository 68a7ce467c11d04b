import { formatNumber } from "../../lib/format.ts";
import type { TrendSeries } from "./trend-series.ts";

type TrendTooltipProps = {
  day: string;
  series: readonly TrendSeries[];
  values: readonly number[];
  /** How far right of the whole width, 0 to 1: the box stays inside at both ends. */
  share: number;
};

/** The figures of the day that is pointed at. The slider below says them to screen readers. */
export function TrendTooltip({ day, series, values, share }: TrendTooltipProps) {
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
