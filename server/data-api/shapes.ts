/** Statements that PostgreSQL keeps for each connection, of all shapes that requests can have. */
const MOST = 400;

/** Times that a shape is asked for before it is kept: what one visitor makes up is rarely asked for twice. */
const BEFORE = 2;

/** Shapes that are counted: the oldest are forgotten. */
const MOST_COUNTED = 2_000;

/**
 * Says which statements are worth keeping. A connection forgets none of its own, and anybody can think of new ones:
 * beyond a number they are parsed each time, as all were before.
 */
export function createShapes(): (text: string) => boolean {
  const kept = new Set<string>();
  const counted = new Map<string, number>();
  return (text) => {
    if (kept.has(text)) return true;
    if (kept.size >= MOST) return false;
    const times = (counted.get(text) ?? 0) + 1;
    counted.delete(text);
    if (times >= BEFORE) {
      kept.add(text);
      return true;
    }
    counted.set(text, times);
    const [oldest] = counted.keys();
    if (counted.size > MOST_COUNTED && oldest !== undefined) counted.delete(oldest);
    return false;
  };
}
