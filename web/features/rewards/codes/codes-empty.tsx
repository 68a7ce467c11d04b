import type { RewardType } from "#domain/schemas/reward-type.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { rewardCodesCopy } from "./reward-codes.copy.ts";

const copy = rewardCodesCopy.empty;

type CodesEmptyProps = { isSearching: boolean; type: RewardType; onClear: () => void };

/** No code: none matches, none was won yet, or the reward has none. */
export function CodesEmpty({ isSearching, type, onClear }: CodesEmptyProps) {
  if (isSearching) {
    return (
      <EmptyState title={copy.title} text={copy.noMatch}>
        <Button variant="secondary" onClick={onClear}>
          {copy.clear}
        </Button>
      </EmptyState>
    );
  }
  return <EmptyState title={copy.title} text={type === "points" ? copy.points : copy.none} />;
}
