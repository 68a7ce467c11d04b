import { MessageSquareText, ScanLine, Star, Store } from "lucide-react";
import type { StoreList } from "#domain/schemas/stores.ts";
import { formatAverage } from "../../lib/figures.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { StatCard } from "../../ui/stat-card.tsx";
import { storesCopy } from "./stores.copy.ts";

const copy = storesCopy.cards;

/** The four figures above the list, whatever is searched below. */
export function StoreCards({ list }: { list: StoreList | undefined }) {
  const figures = list?.figures;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard
        icon={Store}
        label={copy.total}
        value={list && formatNumber(list.total)}
        hint={list && copy.withCampaigns(formatNumber(list.with_active_campaigns))}
      />
      <StatCard icon={ScanLine} label={copy.scans} value={figures && formatNumber(figures.scans)} />
      <StatCard
        icon={MessageSquareText}
        label={copy.reviews}
        value={figures && formatNumber(figures.reviews)}
        hint={figures && copy.rate(formatShare(figures.reviews, figures.scans))}
      />
      <StatCard
        icon={Star}
        label={copy.rating}
        value={figures && formatAverage(figures.rating_sum, figures.reviews)}
        hint={copy.ratingHint}
      />
    </dl>
  );
}
