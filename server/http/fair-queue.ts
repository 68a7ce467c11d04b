import type { IncomingMessage } from "node:http";

type Limits = {
  /** Requests of one address that run at the same time: more than the connections of a pool, so that none idles. */
  concurrency: number;
  /** Requests of one address that wait. */
  maxWaitingPerAddress: number;
  /** Requests that wait, of all addresses. */
  maxWaiting: number;
  /** Longest that a request holds its slot, in milliseconds: what takes longer waits for its sender, not for us. */
  slotMs: number;
};

const LIMITS: Limits = {
  concurrency: 16,
  maxWaitingPerAddress: 500,
  maxWaiting: 5_000,
  slotMs: 1_000,
};

/** Parts of a request that the queue needs: its end, and whether its client is still connected. */
type Exchange = {
  incoming: { socket: Pick<IncomingMessage["socket"], "destroyed"> };
  response: { once(event: "close", listener: () => void): unknown };
};

type Waiting = Exchange & { work: () => void };

/** Requests of one network address. */
type Slots = { running: number; waiting: Waiting[] };

/** Admits requests, a few of each address at a time. */
type FairQueue = {
  /**
   * Starts the work on a request as soon as its address has a free slot. Returns false, and
   * starts nothing, when too many are waiting already.
   */
  admit(address: string, exchange: Exchange, work: () => void): boolean;
};

/**
 * Creates the queue of this process. An address that sends hundreds of requests at a time waits for its own: between two of
 * them those of everybody else are read and started.
 */
export function createFairQueue({
  concurrency,
  maxWaitingPerAddress,
  maxWaiting,
  slotMs,
}: Limits = LIMITS): FairQueue {
  const byAddress = new Map<string, Slots>();
  let total = 0;

  const begin = (address: string, slots: Slots, { response }: Exchange, work: () => void) => {
    slots.running += 1;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // In the next turn of the event loop: what others have sent meanwhile is read first.
      if (slots.waiting.length > 0) setImmediate(release, address, slots);
      else release(address, slots);
    };
    const timer = setTimeout(leave, slotMs);
    timer.unref();
    response.once("close", leave);
    work();
  };

  /** Gives the slot to the longest-waiting request of the address whose client is still connected. */
  const release = (address: string, slots: Slots) => {
    slots.running -= 1;
    for (let next = slots.waiting.shift(); next; next = slots.waiting.shift()) {
      total -= 1;
      if (!next.incoming.socket.destroyed) return begin(address, slots, next, next.work);
    }
    if (slots.running === 0) byAddress.delete(address);
  };

  return {
    admit(address, exchange, work) {
      const slots = byAddress.get(address) ?? { running: 0, waiting: [] };
      if (slots.running < concurrency) {
        byAddress.set(address, slots);
        begin(address, slots, exchange, work);
        return true;
      }
      if (slots.waiting.length >= maxWaitingPerAddress || total >= maxWaiting) return false;
      total += 1;
      slots.waiting.push({ ...exchange, work });
      return true;
    },
  };
}
