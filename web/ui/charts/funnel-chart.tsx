import { formatNumber, formatShare } from "../../lib/format.ts";
import { chartsCopy as copy } from "./charts.copy.ts";

/** Height of a step, and of the slope that leads to the next. */
const STEP = 20;
const WIDTH = 100;

type FunnelStep = {
  label: string;
  count: number;
  /** Said where there are more than in the step before. */
  more: string;
};
type FunnelChartProps = { steps: readonly FunnelStep[] };

/** How many come from one step to the next: each slope ends as wide as the step that follows, and none grows. */
export function FunnelChart({ steps }: FunnelChartProps) {
  const widest = Math.max(1, steps[0]?.count ?? 0);
  const counts = steps.map(({ count }) => count);
  const narrowing = counts.map((_count, index) => Math.min(...counts.slice(0, index + 1)));
  return (
    <dl className="grid gap-1 [print-color-adjust:exact]">
      {steps.map(({ label, count, more }, index) => {
        const previous = steps[index - 1];
        const drawn = narrowing[index] ?? 0;
        const next = narrowing[index + 1] ?? drawn;
        const [from, to] = [(drawn / widest) * WIDTH, (next / widest) * WIDTH];
        return (
          <div
            key={label}
            className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] items-end gap-x-4"
          >
            <dt className="pt-2 font-medium">{label}</dt>
            <dd className="col-start-1 pb-2">
              <span className="font-display text-xl font-bold tabular-nums">
                {formatNumber(count)}
              </span>
              {/* More than came before tell nothing of those. */}
              {previous && count > previous.count && more && (
                <span className="text-sm text-muted"> · {more}</span>
              )}
              {previous && previous.count > 0 && count <= previous.count && (
                <span className="text-muted tabular-nums">
                  {" · "}
                  {formatShare(count, previous.count)}
                  <span className="sr-only"> {copy.ofPrevious}</span>
                </span>
              )}
            </dd>
            <dd aria-hidden="true" className="col-start-2 row-span-2 row-start-1 h-full">
              <svg
                viewBox={`0 0 ${WIDTH} ${STEP}`}
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-full w-full"
              >
                <polygon
                  points={`0,0 ${from},0 ${to},${STEP} 0,${STEP}`}
                  className="fill-accent"
                  fillOpacity={1 - index * 0.15}
                />
              </svg>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
