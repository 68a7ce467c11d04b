import type { DayFigures } from "#domain/rewards.ts";
import { formatDay, formatNumber } from "../../lib/format.ts";
import { rewardStatsCopy } from "./reward-stats.copy.ts";

/** Size of the drawing in its own units; it is stretched to the width that there is. */
const WIDTH = 900;
const HEIGHT = 220;

/** Part of a day's width that its bar fills; a use stands as a narrower bar before the wins. */
const WINS_WIDTH = 0.72;
const USES_WIDTH = 0.34;

type TrendChartProps = { days: readonly DayFigures[]; now: Date };

function dayOf({ day }: Pick<DayFigures, "day">): Date {
  return new Date(`${day}T12:00:00`);
}

/** Wins and uses of each day as bars, described in a sentence for who cannot see them. */
export function TrendChart({ days, now }: TrendChartProps) {
  const highest = Math.max(1, ...days.map(({ wins, redemptions }) => Math.max(wins, redemptions)));
  const step = WIDTH / days.length;
  const heightOf = (count: number) => (count / highest) * HEIGHT;
  const bar = (index: number, count: number, share: number) => ({
    x: (index + (1 - share) / 2) * step,
    y: HEIGHT - heightOf(count),
    width: step * share,
    height: heightOf(count),
  });
  const first = days[0];
  const last = days.at(-1);

  return (
    <figure className="grid gap-2">
      <div className="grid grid-cols-[auto_1fr] gap-x-3">
        <div
          aria-hidden="true"
          className="flex flex-col justify-between text-right text-sm text-muted tabular-nums"
        >
          <span>{formatNumber(highest)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={describe(days, now)}
          className="h-48 w-full sm:h-60"
        >
          {[0, 0.5, 1].map((level) => (
            <line
              key={level}
              x1={0}
              x2={WIDTH}
              y1={level * HEIGHT}
              y2={level * HEIGHT}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {days.map(({ day, wins, redemptions }, index) => (
            <g key={day}>
              <rect {...bar(index, wins, WINS_WIDTH)} className="fill-accent" />
              <rect {...bar(index, redemptions, USES_WIDTH)} className="fill-mint" />
            </g>
          ))}
        </svg>
        <div
          aria-hidden="true"
          className="col-start-2 mt-1 flex justify-between gap-4 text-sm text-muted"
        >
          <span>{first && formatDay(dayOf(first), now)}</span>
          <span className="text-right">{last && formatDay(dayOf(last), now)}</span>
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1 font-medium">
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="size-3.5 rounded-sm bg-accent" />
          {rewardStatsCopy.wins}
        </span>
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="size-3.5 rounded-sm bg-mint" />
          {rewardStatsCopy.uses}
        </span>
      </figcaption>
    </figure>
  );
}

function describe(days: readonly DayFigures[], now: Date): string {
  const total = (figure: "wins" | "redemptions") => days.reduce((sum, day) => sum + day[figure], 0);
  const best = days.reduce<DayFigures | null>(
    (top, day) => (day.wins > (top?.wins ?? 0) ? day : top),
    null,
  );
  const sentence = rewardStatsCopy.summary(
    days.length,
    formatNumber(total("wins")),
    formatNumber(total("redemptions")),
  );
  return best
    ? `${sentence} ${rewardStatsCopy.best(formatDay(dayOf(best), now), formatNumber(best.wins))}`
    : sentence;
}
