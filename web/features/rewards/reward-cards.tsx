import { Gift, Percent, TicketCheck, Trophy } from "lucide-react";
import type { RewardList } from "#domain/schemas/rewards.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { StatCard } from "../../ui/stat-card.tsx";
import { rewardsCopy } from "./rewards.copy.ts";

const copy = rewardsCopy.cards;

/** The four figures above the list, whatever is searched below. */
export function RewardCards({ list }: { list: RewardList | undefined }) {
  const figures = list?.figures;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard icon={Gift} label={copy.total} value={list && formatNumber(list.total)} />
      <StatCard icon={Trophy} label={copy.wins} value={figures && formatNumber(figures.wins)} />
      <StatCard
        icon={TicketCheck}
        label={copy.redemptions}
        value={figures && formatNumber(figures.redemptions)}
      />
      <StatCard
        icon={Percent}
        label={copy.rate}
        value={figures && formatShare(figures.redemptions, figures.wins)}
        hint={copy.rateHint}
      />
    </dl>
  );
}
