import { Megaphone, QrCode, Star, TrendingUp } from "lucide-react";
import type { CampaignList } from "#domain/schemas/back-office.ts";
import { formatAverage } from "../../lib/figures.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { StatCard } from "../../ui/stat-card.tsx";
import { campaignsCopy } from "./campaigns.copy.ts";

const copy = campaignsCopy.list.stats;

/** The four figures above the list; they wait with it. */
export function CampaignStats({ list }: { list: CampaignList | undefined }) {
  const figures = list?.figures;
  return (
    <dl
      aria-label={copy.title}
      className="grid grid-cols-1 gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4"
    >
      <StatCard
        icon={Megaphone}
        label={copy.active}
        value={list && formatNumber(list.active)}
        hint={list && copy.ofTotal(formatNumber(list.total))}
      />
      <StatCard icon={QrCode} label={copy.scans} value={figures && formatNumber(figures.scans)} />
      <StatCard
        icon={TrendingUp}
        label={copy.reviews}
        value={figures && formatNumber(figures.reviews)}
        hint={figures && copy.conversion(formatShare(figures.reviews, figures.scans))}
      />
      <StatCard
        icon={Star}
        label={copy.rating}
        value={figures && formatAverage(figures.rating_sum, figures.reviews)}
        hint={copy.outOf}
      />
    </dl>
  );
}
