import type { ReactNode } from "react";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { rewardsCopy } from "./rewards.copy.ts";

const { facts: copy } = rewardsCopy;

/** Days that a code is good for when nothing else was chosen (specification, section 9). */
const DEFAULT_VALIDITY_DAYS = 30;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold break-words tabular-nums">{children}</dd>
    </div>
  );
}

/** What a reward is made of, and what it led to. Points have no codes, so no uses either. */
export function RewardFacts({ reward }: { reward: RewardItem }) {
  const { figures, metadata, stock } = reward;
  const hasCodes = reward.type !== "points";
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 min-[480px]:grid-cols-3 md:grid-cols-4 xl:grid-cols-8">
      <Fact name={copy.stock}>
        {stock === -1 ? rewardsCopy.unlimited : rewardsCopy.left(formatNumber(stock))}
      </Fact>
      <Fact name={copy.wins}>{formatNumber(figures.wins)}</Fact>
      {hasCodes && (
        <>
          <Fact name={copy.redemptions}>{formatNumber(figures.redemptions)}</Fact>
          <Fact name={copy.rate}>{formatShare(figures.redemptions, figures.wins)}</Fact>
        </>
      )}
      <Fact name={copy.maxPerUser}>{formatNumber(reward.max_per_user)}</Fact>
      {hasCodes && (
        <Fact name={copy.validity}>
          {rewardsCopy.days(metadata?.validityDays ?? DEFAULT_VALIDITY_DAYS)}
        </Fact>
      )}
      {metadata?.discountPercent !== undefined && (
        <Fact name={copy.discount}>
          {rewardsCopy.percent(formatNumber(metadata.discountPercent))}
        </Fact>
      )}
      {metadata?.item !== undefined && <Fact name={copy.item}>{metadata.item}</Fact>}
      {metadata?.points !== undefined && (
        <Fact name={copy.points}>{formatNumber(metadata.points)}</Fact>
      )}
    </dl>
  );
}
