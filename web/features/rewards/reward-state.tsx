import type { RewardItem } from "#domain/schemas/rewards.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import type { useRewardState } from "./use-reward-state.ts";

type RewardStateProps = { reward: RewardItem; state: ReturnType<typeof useRewardState> };

/** The switch of a reward; of an archived one, the way back. */
export function RewardState({ reward, state }: RewardStateProps) {
  return (
    <div className="mr-3 max-sm:mr-auto">
      {reward.archived_at ? (
        <Button variant="secondary" busy={state.isUnarchiving} onClick={state.unarchive}>
          {rewardsCopy.actions.restore}
        </Button>
      ) : (
        <Switch
          label={rewardsCopy.toggle(reward.name)}
          checked={reward.active}
          onChange={state.setActive}
        />
      )}
    </div>
  );
}
