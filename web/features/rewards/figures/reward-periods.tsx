import type { DayFigures } from "#domain/schemas/rewards.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { StatCard } from "../../../ui/stat-card.tsx";
import { rewardStatsCopy } from "./reward-stats.copy.ts";

const copy = rewardStatsCopy.cards;

type RewardPeriodsProps = { days: readonly DayFigures[]; hasCodes: boolean };

/** Wins and uses over the last 30 and 90 days; points are won, never used. */
export function RewardPeriods({ days, hasCodes }: RewardPeriodsProps) {
  const over = (count: number) => {
    const last = days.slice(-count);
    return {
      wins: last.reduce((sum, day) => sum + day.wins, 0),
      uses: last.reduce((sum, day) => sum + day.redemptions, 0),
    };
  };
  const [short, long] = [over(30), over(90)];
  const rateOf = ({ wins, uses }: { wins: number; uses: number }) =>
    wins > 0 ? rewardStatsCopy.rate(formatShare(uses, wins)) : undefined;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard label={copy.wins30} value={formatNumber(short.wins)} />
      {hasCodes && (
        <StatCard label={copy.uses30} value={formatNumber(short.uses)} hint={rateOf(short)} />
      )}
      <StatCard label={copy.wins90} value={formatNumber(long.wins)} />
      {hasCodes && (
        <StatCard label={copy.uses90} value={formatNumber(long.uses)} hint={rateOf(long)} />
      )}
    </dl>
  );
}
