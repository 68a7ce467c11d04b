import { Archive, CircleCheck, CirclePause } from "lucide-react";
import type { RewardItem } from "#domain/rewards.ts";
import { Alert } from "../../ui/alert.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { useSetActive, useUnarchive } from "./rewards.mutations.ts";

/** Whether a reward can be won, and the switch for it; of an archived one, the way back. */
export function RewardState({ reward }: { reward: RewardItem }) {
  return (
    <div className="grid gap-3 border-t border-line pt-3">
      {reward.archived_at ? <Archived reward={reward} /> : <Activity reward={reward} />}
    </div>
  );
}

function Activity({ reward: { id, name, active } }: { reward: RewardItem }) {
  const setActive = useSetActive();
  const refused = setActive.isError ? setActive.variables : null;
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <Badge tone={active ? "good" : "neutral"} icon={active ? CircleCheck : CirclePause}>
          {active ? rewardsCopy.active : rewardsCopy.inactive}
        </Badge>
        <Switch
          label={rewardsCopy.toggle(name)}
          checked={active}
          onChange={(wanted) => setActive.mutate({ id, active: wanted })}
        />
      </div>
      {refused && <Alert>{rewardsCopy.toggleFailed[refused.active ? "on" : "off"]}</Alert>}
    </>
  );
}

function Archived({ reward: { id } }: { reward: RewardItem }) {
  const unarchive = useUnarchive();
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <Badge icon={Archive}>{rewardsCopy.archived}</Badge>
        <Button variant="secondary" busy={unarchive.isPending} onClick={() => unarchive.mutate(id)}>
          {rewardsCopy.actions.restore}
        </Button>
      </div>
      {unarchive.isError && <Alert>{rewardsCopy.actions.restoreFailed}</Alert>}
    </>
  );
}
