import type { RewardCodes } from "#domain/schemas/rewards.ts";
import { formatNumber } from "../../../lib/format.ts";
import { StatCard } from "../../../ui/stat-card.tsx";
import { rewardCodesCopy } from "./reward-codes.copy.ts";

const STATES = ["total", "available", "used", "expired"] as const;

/** How many codes there are, by state, whatever is searched below. */
export function CodeCounts({ counts }: { counts: RewardCodes["counts"] | undefined }) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {STATES.map((state) => (
        <StatCard
          key={state}
          label={rewardCodesCopy.counts[state]}
          value={counts && formatNumber(counts[state])}
        />
      ))}
    </dl>
  );
}
