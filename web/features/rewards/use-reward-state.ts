import type { RewardItem } from "#domain/schemas/rewards.ts";
import { rewardsCopy } from "./rewards.copy.ts";
import { useSetActive, useUnarchive } from "./rewards.mutations.ts";

/** Switching a reward and taking it out of the archive, and what to say when that failed. */
export function useRewardState({ id }: RewardItem) {
  const setActive = useSetActive();
  const unarchive = useUnarchive();
  const refused = setActive.isError ? setActive.variables : null;
  const notSwitched = refused && rewardsCopy.toggleFailed[refused.active ? "on" : "off"];
  return {
    problem: notSwitched ?? (unarchive.isError ? rewardsCopy.actions.restoreFailed : null),
    setActive: (active: boolean) => setActive.mutate({ id, active }),
    unarchive: () => unarchive.mutate(id),
    isUnarchiving: unarchive.isPending,
  };
}
