/**
 * Requests of one account that are worked on at a time: fewer than half of the data API's connections. A statement may take
 * eight seconds, and whoever asks for many such would keep everybody else waiting.
 */
const AT_ONCE = 4;

/** Requests of one account that wait: screens and tills send a few. */
const MOST_WAITING = 200;

/** Turns of accounts at the data API. */
export type Turns = {
  /** Does an account's work when fewer than its share is being done; null where too much of it waits already. */
  run<Result>(account: string, work: () => Promise<Result>): Promise<Result> | null;
};

type Place = { inWork: number; waiting: (() => void)[] };

/** Makes the turns of a process. */
export function createTurns({ atOnce = AT_ONCE, mostWaiting = MOST_WAITING } = {}): Turns {
  const places = new Map<string, Place>();

  const leave = (account: string, place: Place) => {
    const next = place.waiting.shift();
    // The next of this account takes over the place.
    if (next) return next();
    place.inWork -= 1;
    if (place.inWork === 0) places.delete(account);
  };

  return {
    run(account, work) {
      const place = places.get(account) ?? { inWork: 0, waiting: [] };
      if (place.waiting.length >= mostWaiting) return null;
      places.set(account, place);
      const begun =
        place.inWork < atOnce
          ? Promise.resolve()
          : new Promise<void>((resolve) => place.waiting.push(resolve));
      if (place.inWork < atOnce) place.inWork += 1;
      return begun.then(work).finally(() => leave(account, place));
    },
  };
}
