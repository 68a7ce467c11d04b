import { Percent, QrCode, Smile, Star } from "lucide-react";
import type { PeriodFigures } from "#domain/schemas/back-office.ts";
import { formatChange, formatPoints, formatReviewShare } from "../../../lib/figures.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { WithoutPoints } from "../../../ui/plans/without-points.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.period.tiles;

/** The figures of some days, beside as many days before. */
export function PeriodTiles({ totals: now, previous }: Pick<PeriodFigures, "totals" | "previous">) {
  const change = (text: string | null) => (text === null ? copy.nothingBefore : copy.change(text));
  return (
    <dl className="grid grid-cols-1 gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4">
      <StatCard
        icon={QrCode}
        label={copy.scans}
        value={formatNumber(now.scans)}
        hint={change(formatChange(now.scans, previous.scans))}
      />
      <StatCard
        icon={Star}
        label={copy.reviews}
        value={formatNumber(now.reviews)}
        hint={change(formatChange(now.reviews, previous.reviews))}
      />
      <StatCard
        icon={Smile}
        label={copy.satisfaction}
        value={formatReviewShare(now.five_star_reviews, now.reviews)}
        hint={change(
          formatPoints(
            [now.five_star_reviews, now.reviews],
            [previous.five_star_reviews, previous.reviews],
          ),
        )}
      />
      <StatCard
        icon={Percent}
        label={copy.redemption}
        value={formatShare(now.redemptions, now.wins)}
        hint={
          <>
            {change(
              formatPoints([now.redemptions, now.wins], [previous.redemptions, previous.wins]),
            )}
            <WithoutPoints figures={now} />
          </>
        }
      />
    </dl>
  );
}
