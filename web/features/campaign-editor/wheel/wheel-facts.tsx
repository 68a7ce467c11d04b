import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { EditorReward } from "#domain/schemas/campaigns.ts";
import { formatExactEuros, formatShare } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { editorCopy } from "../editor.copy.ts";
import type { SegmentValues } from "../editor.schema.ts";
import { chanceOf, oddsOf, type WheelOdds } from "../odds/odds.ts";

const copy = editorCopy.wheel.facts;

type WheelFactsProps = {
  segments: readonly SegmentValues[];
  rewards: readonly EditorReward[];
};

/**
 * Meaning of a complete wheel for the merchant: the share of customers who win, and the cost of a
 * spin.
 */
export function WheelFacts({ segments, rewards }: WheelFactsProps) {
  const odds = oddsOf(segments, rewards);
  return (
    <div className="grid gap-1">
      <p className="font-display text-xl font-bold text-balance tabular-nums">
        {copy.both(winnersOf(odds.win), costOf(odds))}
      </p>
      {odds.win !== null && (
        <p className="text-sm text-pretty text-muted">{copy.assumed(formatShare(odds.win, 1))}</p>
      )}
      {odds.unpriced.length > 0 && <Unpriced rewards={odds.unpriced} />}
      <Warning>{warningOf(odds.win)}</Warning>
    </div>
  );
}

/** « 1 client sur 8 gagne ». */
function winnersOf(win: number | null): string {
  if (win === null || win === 0) return copy.nobody;
  if (win === 1) return copy.everybody;
  const { some, all } = chanceOf(win);
  return copy.winners(some, all);
}

/** « 0,86 € le tour »; null where it would say nothing. */
function costOf({ win, cost, hasCosts, unpriced }: WheelOdds): string | null {
  if (!win || !hasCosts) return null;
  const isTiny = cost > 0 && Math.round(cost) === 0;
  const amount = isTiny ? copy.lessThan(formatExactEuros(1)) : formatExactEuros(cost);
  return unpriced.length > 0 ? copy.costAtLeast(amount) : copy.cost(amount);
}

function warningOf(win: number | null): string | null {
  if (win === null) return copy.closed;
  if (win === 0) return copy.never;
  return win === 1 ? copy.always : null;
}

/** Prizes without a cost, each with the way to enter it where one may. */
function Unpriced({ rewards }: { rewards: readonly EditorReward[] }) {
  const mayChange = useMay().mayOpen("/rewards/$rewardId/edit");
  return (
    <p className="text-sm text-pretty text-muted">
      {copy.unpriced}{" "}
      {rewards.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          {mayChange ? (
            <Link
              to="/rewards/$rewardId/edit"
              params={{ rewardId: id }}
              className="font-semibold text-violet underline underline-offset-2"
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
      ))}
      .
    </p>
  );
}

/** Said when it begins to hold, not with every step of a slider. */
function Warning({ children }: { children: ReactNode }) {
  return (
    <div role="status">
      {children && (
        <p className="mt-1 flex gap-2 rounded-field bg-sun-soft px-3 py-2 text-sm font-medium text-pretty text-sun-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {children}
        </p>
      )}
    </div>
  );
}
