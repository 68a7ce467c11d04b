import { Plus } from "lucide-react";
import type { EditorReward } from "#domain/schemas/campaigns.ts";
import { Button } from "../../ui/button.tsx";
import { editorCopy } from "./editor.copy.ts";
import type { SegmentValues } from "./editor.schema.ts";

const copy = editorCopy.wheel;

type MissingRewardsProps = {
  rewards: readonly EditorReward[];
  segments: readonly SegmentValues[];
  onAdd: (reward: EditorReward) => void;
};

/** Rewards of the campaign that no slice wins, each a click away from the wheel. */
export function MissingRewards({ rewards, segments, onAdd }: MissingRewardsProps) {
  const missing = rewards.filter(
    ({ id, is_archived }) => !is_archived && segments.every(({ rewardId }) => rewardId !== id),
  );
  if (missing.length === 0) return null;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">{copy.missing}</p>
      <div className="flex flex-wrap gap-2">
        {missing.map((reward) => (
          <Button
            key={reward.id}
            variant="secondary"
            aria-label={copy.addReward(reward.name)}
            onClick={() => onAdd(reward)}
          >
            <Plus aria-hidden="true" className="size-5 shrink-0" />
            <span className="break-words">{reward.name}</span>
          </Button>
        ))}
      </div>
    </div>
  );
}
