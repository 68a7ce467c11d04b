import { Scale } from "lucide-react";
import { WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { formatNumber } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { editorCopy } from "./editor.copy.ts";

const { wheel: copy, rules } = editorCopy;

/** The sum of the weights, red unless it is exactly 100, with the way to make it so. */
export function WheelTotal({ sum, onBalance }: { sum: number; onBalance: () => void }) {
  const isComplete = sum === WHEEL_TOTAL;
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-field px-4 py-3 ${isComplete ? "bg-mint-soft text-mint-ink" : "bg-coral-soft text-coral-ink"}`}
    >
      <div role="status" data-total="" tabIndex={-1} className="min-w-0 flex-1 basis-32">
        <p className="font-display text-xl font-bold tabular-nums">
          {copy.total(formatNumber(sum))}
        </p>
        <p className="text-sm font-medium">
          {isComplete ? copy.complete : rules.total(formatNumber(sum))}
        </p>
      </div>
      <Button variant="secondary" waiting={isComplete} onClick={onBalance}>
        <Scale aria-hidden="true" className="size-5" />
        {copy.balance}
      </Button>
    </div>
  );
}
