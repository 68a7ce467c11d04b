/** Value of a plan's limit that means unlimited (specification, section 9). */
const UNLIMITED = -1;

/** Part of a limit from which one is warned. */
const WARNING_THRESHOLD = 0.8;

/** How far a plan's limit is used up (specification, section 4.4). */
export type Usage = {
  /** Percent used, 100 at most; null without a limit. */
  percent: number | null;
  state: "unlimited" | "fine" | "near" | "reached";
};

/** Judges what is used of a limit. */
export function usageOf(used: number, limit: number): Usage {
  if (limit === UNLIMITED) return { percent: null, state: "unlimited" };
  const percent = limit === 0 ? 100 : Math.min(100, (100 * used) / limit);
  if (used >= limit) return { percent, state: "reached" };
  return { percent, state: used / limit >= WARNING_THRESHOLD ? "near" : "fine" };
}
