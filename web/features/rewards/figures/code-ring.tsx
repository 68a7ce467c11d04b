import type { RewardFigures } from "#domain/schemas/rewards.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { rewardStatsCopy } from "./reward-stats.copy.ts";

const RADIUS = 40;
/** Gap between two segments, as on the brand's wheel. */
const GAP = 2;

const STATES = [
  { state: "available", stroke: "stroke-mint", dot: "bg-mint" },
  { state: "used", stroke: "stroke-accent", dot: "bg-accent" },
  { state: "expired", stroke: "stroke-sun", dot: "bg-sun" },
] as const;

/** The codes as a ring of segments, with the figures beside it. */
export function CodeRing({ counts }: { counts: RewardFigures["counts"] }) {
  const { total } = counts;
  let turned = 0;
  const segments = STATES.filter(({ state }) => counts[state] > 0).map(({ state, stroke }) => {
    const start = turned;
    const share = (counts[state] / total) * 100;
    turned += share;
    return { state, stroke, start, share };
  });
  const gap = segments.length > 1 ? GAP : 0;
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-5">
      <svg viewBox="-50 -50 100 100" aria-hidden="true" className="size-40 shrink-0">
        {segments.map(({ state, stroke, start, share }) => (
          <circle
            key={state}
            r={RADIUS}
            pathLength={100}
            strokeWidth={16}
            strokeDasharray={`${Math.max(share - gap, 0.5)} 100`}
            strokeDashoffset={-start}
            transform="rotate(-90)"
            className={`fill-none ${stroke}`}
          />
        ))}
        <text
          textAnchor="middle"
          y={2}
          className="fill-ink font-display text-lg font-bold tabular-nums"
        >
          {formatNumber(total)}
        </text>
        <text textAnchor="middle" y={14} className="fill-muted text-[9px]">
          {rewardStatsCopy.total(total)}
        </text>
      </svg>
      <dl className="grid max-w-sm min-w-44 flex-1 gap-2.5">
        {STATES.map(({ state, dot }) => (
          <div key={state} className="flex items-center gap-2.5">
            <dt className="flex flex-1 items-center gap-2.5">
              <span aria-hidden="true" className={`size-3.5 shrink-0 rounded-sm ${dot}`} />
              {rewardStatsCopy.states[state]}
            </dt>
            <dd className="font-semibold tabular-nums">
              {formatNumber(counts[state])}{" "}
              <span className="font-normal text-muted">· {formatShare(counts[state], total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
