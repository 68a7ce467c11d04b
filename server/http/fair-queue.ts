import type { IncomingMessage } from "node:http";

type Bounds = {
  /** Requests of one address that are worked on at a time: more than the connections of a pool, so that none idles. */
  atOnce: number;
  /** Requests of one address that wait. */
  mostOfOne: number;
  /** Requests that wait, of all addresses. */
  mostWaiting: number;
  /** Longest that a request keeps its place, in milliseconds: what takes longer waits for its sender, not for us. */
  keptMs: number;
};

const BOUNDS: Bounds = { atOnce: 16, mostOfOne: 500, mostWaiting: 5_000, keptMs: 1_000 };

/** Parts of a request that the queue needs: its end, and whether its sender is still there. */
type Asked = {
  incoming: { socket: Pick<IncomingMessage["socket"], "destroyed"> };
  response: { once(event: "close", listener: () => void): unknown };
};

type Waiting = Asked & { work: () => void };

/** The requests of one address of the network. */
type Place = { inWork: number; waiting: Waiting[] };

/** Lets requests in, a few of each address at a time. */
type FairQueue = {
  /**
   * Begins the work on a request as soon as its address has fewer than its share in work. Answers false, and
   * begins nothing, where too many wait already.
   */
  admit(address: string, asked: Asked, work: () => void): boolean;
};

/**
 * Makes the turns of a process. Whoever sends hundreds of requests at a time, whatever they ask for, waits for their own:
 * between two of them those of everybody else are read and begun.
 */
export function createFairQueue({
  atOnce,
  mostOfOne,
  mostWaiting,
  keptMs,
}: Bounds = BOUNDS): FairQueue {
  const places = new Map<string, Place>();
  let total = 0;

  const begin = (address: string, place: Place, { response }: Asked, work: () => void) => {
    place.inWork += 1;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // In the next turn of the loop: what others have sent meanwhile is read before.
      if (place.waiting.length > 0) setImmediate(giveUp, address, place);
      else giveUp(address, place);
    };
    const timer = setTimeout(leave, keptMs);
    timer.unref();
    response.once("close", leave);
    work();
  };

  /** Gives a place to who has waited longest of its address and is still there. */
  const giveUp = (address: string, place: Place) => {
    place.inWork -= 1;
    for (let next = place.waiting.shift(); next; next = place.waiting.shift()) {
      total -= 1;
      if (!next.incoming.socket.destroyed) return begin(address, place, next, next.work);
    }
    if (place.inWork === 0) places.delete(address);
  };

  return {
    admit(address, asked, work) {
      const place = places.get(address) ?? { inWork: 0, waiting: [] };
      if (place.inWork < atOnce) {
        places.set(address, place);
        begin(address, place, asked, work);
        return true;
      }
      if (place.waiting.length >= mostOfOne || total >= mostWaiting) return false;
      total += 1;
      place.waiting.push({ ...asked, work });
      return true;
    },
  };
}
