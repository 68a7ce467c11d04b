import { formatNumber, formatShare } from "../../lib/format.ts";
import { chartsCopy as copy } from "./charts.copy.ts";

/** How many reviews gave how many stars; `stars` are those of 1 to 5. */
export function StarBars({ stars }: { stars: readonly number[] }) {
  const total = stars.reduce((sum, count) => sum + count, 0);
  return (
    <dl className="grid gap-2.5 [print-color-adjust:exact]">
      {stars
        .map((count, index) => ({ count, rating: index + 1 }))
        .reverse()
        .map(({ count, rating }) => (
          <div
            key={rating}
            className="grid grid-cols-[5.5rem_1fr_7rem] max-[18rem]:grid-cols-[4rem_1fr_5rem] items-center gap-3 tabular-nums"
          >
            <dt className="font-medium">{copy.stars(rating)}</dt>
            <dd aria-hidden="true">
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-3 w-full rounded-full bg-line"
              >
                <rect width={(count / Math.max(1, total)) * 100} height={4} className="fill-sun" />
              </svg>
            </dd>
            <dd className="text-right text-muted">
              {copy.share(formatNumber(count), formatShare(count, total))}
            </dd>
          </div>
        ))}
    </dl>
  );
}
