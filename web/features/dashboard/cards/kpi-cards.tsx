import { Percent, QrCode, Smile, Star } from "lucide-react";
import { useId } from "react";
import type { Dashboard } from "#domain/schemas/back-office.ts";
import { inPoints } from "#domain/text/in-points.ts";
import { formatAverage, formatChange } from "../../../lib/figures.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { WithoutPoints } from "../../../ui/plans/without-points.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.kpis;

/** The last 30 days compared with the 30 before. */
function trend(recent: number, before: number): string {
  const change = formatChange(recent, before);
  return change === null ? copy.recent(formatNumber(recent)) : copy.change(change);
}

/** The share of the last 30 days compared with that of the 30 before, in a line of its own. */
function ShareTrend({ change }: { change: string | null }) {
  if (change === null) return null;
  return (
    <>
      <br />
      {copy.change(change)}
    </>
  );
}

type KpiCardsProps = Pick<Dashboard, "totals" | "last_30_days" | "previous_30_days"> & {
  /** Shown where figures of other days are beside them. */
  heading?: string | undefined;
};

/** The four figures of all time. */
export function KpiCards({ totals, last_30_days, previous_30_days, heading }: KpiCardsProps) {
  const titleId = useId();
  const { scans, reviews, five_star_reviews, rating_sum, wins, redemptions } = totals;
  const [now, before] = [last_30_days, previous_30_days];
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className={heading === undefined ? "sr-only" : "mb-3 text-xl sm:mb-4"}>
        {heading ?? copy.title}
      </h2>
      <dl className="grid grid-cols-1 gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4">
        <StatCard
          icon={QrCode}
          label={copy.scans}
          value={formatNumber(scans)}
          hint={
            <>
              {copy.scansHint}
              <br />
              {trend(now.scans, before.scans)}
            </>
          }
        />
        <StatCard
          icon={Star}
          label={copy.reviews}
          value={formatNumber(reviews)}
          hint={
            <>
              {copy.fiveStars(
                formatNumber(five_star_reviews),
                formatShare(five_star_reviews, reviews),
              )}
              <br />
              {trend(now.reviews, before.reviews)}
            </>
          }
        />
        <StatCard
          icon={Smile}
          label={copy.satisfaction}
          value={formatShare(five_star_reviews, reviews)}
          hint={
            <>
              <StarStrip average={reviews === 0 ? 0 : rating_sum / reviews} />
              {copy.average(formatAverage(rating_sum, reviews))}
              <ShareTrend
                change={inPoints(
                  [now.five_star_reviews, now.reviews],
                  [before.five_star_reviews, before.reviews],
                )}
              />
            </>
          }
        />
        <StatCard
          icon={Percent}
          label={copy.redemption}
          value={formatShare(redemptions, wins)}
          hint={
            <>
              {copy.redemptionHint(formatNumber(redemptions), wins)}
              <WithoutPoints figures={totals} />
              <ShareTrend
                change={inPoints([now.redemptions, now.wins], [before.redemptions, before.wins])}
              />
            </>
          }
        />
      </dl>
    </section>
  );
}
