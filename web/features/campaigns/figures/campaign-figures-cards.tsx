import { QrCode, Star, Ticket, TrendingUp } from "lucide-react";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { StatCard } from "../../../ui/stat-card.tsx";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.cards;

/** The four figures of a campaign's whole life. */
export function CampaignFiguresCards({ totals }: Pick<CampaignStats, "totals">) {
  const { scans, reviews, spins, wins, redemptions } = totals;
  return (
    <dl
      aria-label={copy.title}
      className="grid grid-cols-1 gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4"
    >
      <StatCard icon={QrCode} label={copy.scans} value={formatNumber(scans)} />
      <StatCard
        icon={Star}
        label={copy.reviews}
        value={formatNumber(reviews)}
        hint={copy.conversion(formatShare(reviews, scans))}
      />
      <StatCard
        icon={TrendingUp}
        label={copy.spins}
        value={formatNumber(spins)}
        hint={copy.spinsHint}
      />
      <StatCard
        icon={Ticket}
        label={copy.redemptions}
        value={formatNumber(redemptions)}
        hint={copy.used(formatShare(redemptions, wins))}
      />
    </dl>
  );
}
