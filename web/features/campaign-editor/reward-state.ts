import type { EditorReward } from "#domain/schemas/campaigns.ts";

/** Why a reward cannot be won now; null when it can. */
export function rewardState({ is_archived, active, stock }: EditorReward) {
  if (is_archived) return "archived";
  if (!active) return "inactive";
  return stock === 0 ? "empty" : null;
}
