import type { Connections } from "./connections.ts";
import { withSilenceTimeout } from "./silence-timeout.ts";

/** Silence after which the database counts as away, in milliseconds. */
const READY_MS = 2_000;

/**
 * Answer of `/readyz`; `ask` puts a question to the database. Time in which this process itself
 * was suspended is not counted.
 */
export async function readiness(
  ask: () => PromiseLike<unknown>,
  { isAway, isFull }: Pick<Connections, "isAway" | "isFull">,
  milliseconds = READY_MS,
): Promise<"ready" | "database unavailable" | "database disk full"> {
  if (isAway()) return "database unavailable";
  try {
    await withSilenceTimeout(ask(), { milliseconds, signs: () => 0 });
  } catch {
    return "database unavailable";
  }
  return isFull() ? "database disk full" : "ready";
}
