import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatNumber } from "../../../lib/format.ts";
import { StarBars } from "../../../ui/charts/star-bars.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.rating;

/** The mean of the stars, and how they are spread. */
export function CampaignRating({ totals }: Pick<CampaignStats, "totals">) {
  const { reviews, rating_sum, stars } = totals;
  return (
    <section className="grid items-center gap-x-10 gap-y-5 rounded-card bg-surface p-5 shadow-card sm:grid-cols-[auto_1fr] sm:p-6">
      <div className="grid gap-1">
        <h2 className="text-xl">{copy.title}</h2>
        <p className="font-display text-3xl font-bold tabular-nums">
          {copy.outOf(formatAverage(rating_sum, reviews))}
        </p>
        <StarStrip average={reviews === 0 ? 0 : rating_sum / reviews} />
        <p className="text-muted tabular-nums">{copy.count(formatNumber(reviews))}</p>
      </div>
      <StarBars stars={stars} />
    </section>
  );
}
