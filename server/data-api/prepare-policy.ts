import { HOUR_MS } from "#domain/text/durations.ts";

/** Statements that stay prepared on each connection. */
const MAX_PREPARED = 400;

/** Uses from which a statement is prepared: a query that one visitor makes up rarely comes twice. */
const MIN_USES = 2;

/** Statements whose uses are counted; the oldest are forgotten. */
const MAX_COUNTED = 2_000;

/** Time after which the choice starts afresh, in milliseconds: the longest life of a connection and its statements. */
const PERIOD_MS = HOUR_MS;

/**
 * Decides which statements are prepared. A connection never drops a prepared statement, and any client can invent new ones:
 * beyond the limit they are parsed each time. A client that fills all places with its own holds them for an hour.
 */
export function createPreparePolicy(now = () => performance.now()): (text: string) => boolean {
  const kept = new Set<string>();
  const counted = new Map<string, number>();
  let since = now();
  return (text) => {
    if (now() - since >= PERIOD_MS) {
      kept.clear();
      since = now();
    }
    if (kept.has(text)) return true;
    const times = (counted.get(text) ?? 0) + 1;
    counted.delete(text);
    if (times >= MIN_USES && kept.size < MAX_PREPARED) {
      kept.add(text);
      return true;
    }
    counted.set(text, times);
    const [oldest] = counted.keys();
    if (counted.size > MAX_COUNTED && oldest !== undefined) counted.delete(oldest);
    return false;
  };
}
