import type { RewardItem } from "#domain/schemas/rewards.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { rewardsCopy } from "./rewards.copy.ts";

const { facts: copy } = rewardsCopy;

/** Days that a code is good for when nothing else was chosen (specification, section 9). */
const DEFAULT_VALIDITY_DAYS = 30;

/** Points have no codes, so no uses either. */
function hasCodes({ type }: RewardItem): boolean {
  return type !== "points";
}

/** How many are left to win. */
export function stockOf({ stock }: RewardItem): string {
  return stock === -1 ? rewardsCopy.unlimited : rewardsCopy.left(formatNumber(stock));
}

/** Share of the wins that were used; null of points. */
export function rateOf(reward: RewardItem): string | null {
  const { redemptions, wins } = reward.figures;
  return hasCodes(reward) ? formatShare(redemptions, wins) : null;
}

/** How often it was used; null of points. */
export function usesOf(reward: RewardItem): string | null {
  return hasCodes(reward) ? formatNumber(reward.figures.redemptions) : null;
}

/** How long it is good for; null of points without a number of days, which have no end. */
export function validityOf(reward: RewardItem): string | null {
  const days =
    reward.metadata?.validityDays ?? (hasCodes(reward) ? DEFAULT_VALIDITY_DAYS : undefined);
  return days === undefined ? null : rewardsCopy.days(days);
}

/** The percentage, thing and points that are won, each with its name. */
export function offerOf({ metadata }: RewardItem): readonly (readonly [string, string])[] {
  const { discountPercent, item, points } = metadata ?? {};
  return [
    ...(discountPercent === undefined
      ? []
      : [[copy.discount, rewardsCopy.percent(formatNumber(discountPercent))] as const]),
    ...(item === undefined ? [] : [[copy.item, item] as const]),
    ...(points === undefined ? [] : [[copy.points, formatNumber(points)] as const]),
  ];
}

/** Details of a reward, and its figures. */
export function RewardFacts({ reward }: { reward: RewardItem }) {
  const facts = [
    [copy.stock, stockOf(reward)],
    [copy.wins, formatNumber(reward.figures.wins)],
    [copy.redemptions, usesOf(reward)],
    [copy.rate, rateOf(reward)],
    [copy.maxPerUser, formatNumber(reward.max_per_user)],
    [copy.validity, validityOf(reward)],
    ...offerOf(reward),
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 min-[480px]:grid-cols-3 md:grid-cols-4 xl:grid-cols-8">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="min-w-0 max-[479px]:last:odd:col-span-2">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="font-semibold break-words tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
