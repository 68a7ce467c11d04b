import { useId } from "react";
import type { PublicRating } from "#domain/schemas/stores.ts";
import { formatDate, formatNumber } from "../../../lib/format.ts";
import { formatGain, formatRating, noonOf } from "../../../lib/public-figures.ts";
import { ChartTable } from "../../../ui/charts/chart-table.tsx";
import { TREND_TONES } from "../../../ui/charts/trend-series.ts";
import { publicRatingCopy as copy } from "./public-rating.copy.ts";

/** Size of the drawing in its own units; it is stretched to the width that there is. */
const WIDTH = 600;
const HEIGHT = 120;

const TONES = [TREND_TONES.violet, TREND_TONES.rose] as const;

type GrowthProps = { first: NonNullable<PublicRating["first"]>; points: PublicRating["points"] };

/** Reviews that the public page won since the first day, beside those that were collected here. */
export function PublicRatingGrowth({ first, points }: GrowthProps) {
  const id = useId();
  const gains = points.map(({ day, reviews, collected }) => ({
    at: noonOf(day).getTime(),
    values: [reviews - first.reviews, collected],
  }));
  const all = gains.flatMap(({ values }) => values);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const [from, to] = [gains[0]?.at ?? 0, gains.at(-1)?.at ?? 0];
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * WIDTH;
  const y = (value: number) => HEIGHT - ((value - low) / (high - low)) * HEIGHT;
  const last = gains.at(-1)?.values ?? [0, 0];
  const title = copy.chart(formatDate(noonOf(first.day)));
  return (
    <figure className="grid gap-3 [print-color-adjust:exact]">
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1 text-sm font-medium">
        {[copy.page, copy.collected].map((label, n) => (
          <span key={label} className="inline-flex items-center gap-2">
            <svg viewBox="0 0 28 8" aria-hidden="true" className="h-2 w-7">
              <line
                x1={1.5}
                x2={26.5}
                y1={4}
                y2={4}
                strokeWidth={3}
                strokeLinecap="round"
                strokeDasharray={TONES[n]?.dash}
                className={TONES[n]?.line}
              />
            </svg>
            {label}
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        className="h-28 w-full overflow-visible sm:h-36"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>
          {copy.described(formatGain(last[0] ?? 0), formatNumber(last[1] ?? 0))}
        </desc>
        <line
          x1={0}
          x2={WIDTH}
          y1={y(0)}
          y2={y(0)}
          vectorEffect="non-scaling-stroke"
          className="stroke-line"
        />
        {TONES.map(({ line, dash }, n) => (
          <path
            key={line}
            d={`M${gains.map(({ at, values }) => `${x(at)} ${y(values[n] ?? 0)}`).join("L")}`}
            vectorEffect="non-scaling-stroke"
            strokeWidth={2.5}
            strokeLinejoin="round"
            strokeLinecap="round"
            strokeDasharray={dash}
            className={`fill-none ${line}`}
          />
        ))}
      </svg>
      <ChartTable
        caption={title}
        head={[copy.table.day, copy.table.rating, copy.table.reviews, copy.table.collected]}
        rows={points.map(({ day, rating, reviews, collected }) => [
          formatDate(noonOf(day)),
          formatRating(rating),
          formatNumber(reviews),
          formatNumber(collected),
        ])}
      />
    </figure>
  );
}
