/** Statements that PostgreSQL keeps for each connection, of all shapes that requests can have. */
const MOST = 400;

/** Times that a shape is asked for before it is kept: what one visitor makes up is rarely asked for twice. */
const BEFORE = 2;

/** Shapes that are counted: the oldest are forgotten. */
const MOST_COUNTED = 2_000;

/** How long shapes are kept, in milliseconds: as long as the driver keeps a connection, and its statements, at most. */
const PERIOD_MS = 60 * 60_000;

/**
 * Says which statements are worth keeping. A connection forgets none of its own, and anybody can think of new ones:
 * beyond a number they are parsed each time. Whoever takes up all places with their own has them for an hour.
 */
export function createShapes(now = () => performance.now()): (text: string) => boolean {
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
    if (times >= BEFORE && kept.size < MOST) {
      kept.add(text);
      return true;
    }
    counted.set(text, times);
    const [oldest] = counted.keys();
    if (counted.size > MOST_COUNTED && oldest !== undefined) counted.delete(oldest);
    return false;
  };
}
