import type { Failure } from "../api.ts";
import { isRefusal } from "../refusals/refusal.ts";

/** Whether the wheel is closed for now: trying again could not succeed. */
export function isOver(failure: Failure | null): boolean {
  return isRefusal(failure, "spins_used_up", "nothing_to_draw");
}
