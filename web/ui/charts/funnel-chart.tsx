import { formatNumber, formatShare } from "../../lib/format.ts";
import { chartsCopy as copy } from "./charts.copy.ts";

/** Height of a step, and of the slope that leads to the next. */
const STEP = 20;
const WIDTH = 100;

type FunnelChartProps = { steps: readonly { label: string; count: number }[] };

/** How many come from one step to the next: each slope ends as wide as the step that follows. */
export function FunnelChart({ steps }: FunnelChartProps) {
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <dl className="grid gap-1 [print-color-adjust:exact]">
      {steps.map(({ label, count }, index) => {
        const previous = steps[index - 1];
        const next = steps[index + 1] ?? { count };
        const [from, to] = [(count / widest) * WIDTH, (next.count / widest) * WIDTH];
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
              {/* More than came before tell nothing of those: who plays need not have left a review. */}
              {previous && count <= previous.count && (
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
