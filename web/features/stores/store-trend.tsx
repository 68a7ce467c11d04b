import type { StoreStats } from "#domain/stores.ts";
import { formatDay, formatNumber } from "../../lib/format.ts";
import { storeStatsCopy as copy } from "./store-stats.copy.ts";

/** Size of the drawing in its own units; it is stretched to the width that there is. */
const WIDTH = 900;
const HEIGHT = 200;

/** Part of a day's width that a bar fills; reviews stand as a narrower bar before the scans. */
const SCANS_WIDTH = 0.72;
const REVIEWS_WIDTH = 0.36;

function sum(days: StoreStats["days"], figure: "scans" | "reviews"): number {
  return days.reduce((total, day) => total + day[figure], 0);
}

function dayText(day: string | undefined): string {
  return day ? formatDay(new Date(`${day}T12:00:00`), new Date()) : "";
}

/** Scans and reviews of each of the last 30 days. */
export function StoreTrend({ days }: Pick<StoreStats, "days">) {
  const highest = Math.max(1, ...days.flatMap(({ scans, reviews }) => [scans, reviews]));
  const step = WIDTH / days.length;
  const bar = (index: number, count: number, share: number) => ({
    x: (index + (1 - share) / 2) * step,
    y: HEIGHT - (count / highest) * HEIGHT,
    width: step * share,
    height: (count / highest) * HEIGHT,
  });
  const [scans, reviews] = [sum(days, "scans"), sum(days, "reviews")];
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{copy.trend}</h2>
      {scans + reviews === 0 ? (
        <p className="py-8 text-center text-muted">{copy.quiet}</p>
      ) : (
        <figure className="grid gap-2">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={copy.described(formatNumber(scans), formatNumber(reviews))}
            className="h-48 w-full border-b border-line"
          >
            {days.map((day, index) => (
              <g key={day.day}>
                <rect {...bar(index, day.scans, SCANS_WIDTH)} className="fill-accent" />
                <rect {...bar(index, day.reviews, REVIEWS_WIDTH)} className="fill-sun" />
              </g>
            ))}
          </svg>
          <div aria-hidden="true" className="flex justify-between gap-4 text-sm text-muted">
            <span>{dayText(days[0]?.day)}</span>
            <span className="text-right">{dayText(days.at(-1)?.day)}</span>
          </div>
          <figcaption className="flex flex-wrap gap-x-5 gap-y-1 font-medium">
            <Mark look="bg-accent" text={`${copy.scans} (${formatNumber(scans)})`} />
            <Mark look="bg-sun" text={`${copy.reviews} (${formatNumber(reviews)})`} />
          </figcaption>
        </figure>
      )}
    </section>
  );
}

function Mark({ look, text }: { look: string; text: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className={`size-3.5 rounded-sm ${look}`} />
      {text}
    </span>
  );
}
