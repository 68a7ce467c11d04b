import { Archive, CircleCheck, CirclePause } from "lucide-react";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { Badge } from "../../ui/badge.tsx";
import { rewardsCopy } from "./rewards.copy.ts";

/** Whether a reward can be won, in a word. */
export function StateBadge({ reward: { archived_at, active } }: { reward: RewardItem }) {
  if (archived_at) return <Badge icon={Archive}>{rewardsCopy.archived}</Badge>;
  return (
    <Badge tone={active ? "good" : "neutral"} icon={active ? CircleCheck : CirclePause}>
      {active ? rewardsCopy.active : rewardsCopy.inactive}
    </Badge>
  );
}
