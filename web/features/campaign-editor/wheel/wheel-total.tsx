import { Scale } from "lucide-react";
import { WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { formatNumber } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { editorCopy } from "../editor.copy.ts";

const copy = editorCopy.wheel;

type WheelTotalProps = {
  sum: number;
  /** Makes the sum 100; null where the locked segments leave no way to it. */
  onBalance: (() => void) | null;
};

/** The sum of the weights, red unless it is exactly 100, with the way to make it so. While it is not, it stays in sight. */
export function WheelTotal({ sum, onBalance }: WheelTotalProps) {
  const isComplete = sum === WHEEL_TOTAL;
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-field px-4 ${isComplete ? "bg-mint-soft py-1.5 text-mint-ink" : "sticky top-2 py-2.5 z-10 bg-coral-soft text-coral-ink shadow-card lg:top-24"}`}
    >
      <div role="status" data-total="" tabIndex={-1} className="min-w-0 flex-1 basis-40">
        <p className="font-display text-lg font-bold tabular-nums">
          {copy.total(formatNumber(sum))}
        </p>
        {!isComplete && (
          <p className="text-sm font-medium">{editorCopy.rules.total(formatNumber(sum))}</p>
        )}
        {!isComplete && !onBalance && <p className="text-sm">{copy.allLocked}</p>}
      </div>
      {isComplete ? (
        <p className="text-sm font-medium">{copy.complete}</p>
      ) : (
        <Button variant="secondary" waiting={!onBalance} onClick={onBalance ?? undefined}>
          <Scale aria-hidden="true" className="size-5" />
          {copy.balance}
        </Button>
      )}
    </div>
  );
}
