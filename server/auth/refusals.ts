/** Addresses of which a process remembers that they are refused; one takes some hundred bytes. */
const CAPACITY = 10_000;

type Refusal = { from: number; until: number };

/** Refusals of the database that a process remembers, so that a flood of attempts asks it once. */
export type Refusals = {
  /** Milliseconds that a key is still refused; null where nothing is known of it. */
  remaining(key: string): number | null;
  /** Remembers that from a moment on a key is refused for so many milliseconds. */
  remember(key: string, from: Date, milliseconds: number): void;
};

/**
 * Makes the memory of a process: bounded, what was asked for longest ago goes first. It may forget, and then the
 * database is asked; it never refuses what the database would allow, also when the clock is set back.
 */
export function createRefusals(now: () => Date, capacity = CAPACITY): Refusals {
  const known = new Map<string, Refusal>();
  return {
    remaining(key) {
      const refusal = known.get(key);
      if (refusal === undefined) return null;
      known.delete(key);
      const moment = now().getTime();
      if (moment < refusal.from || moment >= refusal.until) return null;
      known.set(key, refusal);
      return refusal.until - moment;
    },
    remember(key, from, milliseconds) {
      known.delete(key);
      known.set(key, { from: from.getTime(), until: from.getTime() + milliseconds });
      const [oldest] = known.keys();
      if (known.size > capacity && oldest !== undefined) known.delete(oldest);
    },
  };
}
