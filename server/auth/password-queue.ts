import { availableParallelism } from "node:os";
import { AuthError } from "./errors.ts";

/**
 * Passwords hashed or checked at the same time: half of the processors, and two at most, since the four
 * threads that they share also look names up, read files and compress.
 */
const CONCURRENCY = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));

/** Requests that may wait: about four seconds of work of one thread. */
const MAX_WAITING = 60;

/** Requests of one address that may wait: staff who sign in together at a shop share one. */
const MAX_WAITING_PER_ADDRESS = 15;

/** `Retry-After` of a refusal, in seconds. */
const RETRY_S = 5;

/** Work on passwords, a few at a time, in turn for each address of the network. */
export type PasswordQueue = {
  /** Refuses whom `run` would refuse now, before anything is asked of the database. */
  requireRoom(address: string): void;
  /**
   * Does work when its turn comes. Addresses take turns, so that the many of one do not delay
   * another's. Refuses with 429 an address that has its share waiting, and every address while all
   * have as little.
   */
  run<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
};

type Limits = { concurrency: number; maxWaiting: number; maxWaitingPerAddress: number };

const LIMITS: Limits = {
  concurrency: CONCURRENCY,
  maxWaiting: MAX_WAITING,
  maxWaitingPerAddress: MAX_WAITING_PER_ADDRESS,
};

type Place = { begin(): void; refuse(error: AuthError): void };

/** Makes the queue of a process. */
export function createPasswordQueue({
  concurrency,
  maxWaiting,
  maxWaitingPerAddress,
}: Limits = LIMITS): PasswordQueue {
  /** Waiting requests by address; the next address to be served is first. */
  const waiting = new Map<string, Place[]>();
  let running = 0;
  let total = 0;

  const refusalFor = (address: string): AuthError | null => {
    const own = waiting.get(address)?.length ?? 0;
    if (own >= maxWaitingPerAddress) return tooMany();
    return total < maxWaiting || fullest().places.length > own + 1 ? null : tooMany();
  };

  const fullest = () => {
    let most: { address: string; places: Place[] } = { address: "", places: [] };
    for (const [address, places] of waiting) {
      if (places.length > most.places.length) most = { address, places };
    }
    return most;
  };

  /** The newest of the address that has most makes room. */
  const makeRoom = () => {
    const { address, places } = fullest();
    places.pop()?.refuse(tooMany());
    total -= 1;
    if (places.length === 0) waiting.delete(address);
  };

  const callNext = () => {
    const next = waiting.entries().next();
    if (next.done || running >= concurrency) return;
    const [address, places] = next.value;
    const place = places.shift();
    waiting.delete(address);
    if (places.length > 0) waiting.set(address, places);
    total -= 1;
    running += 1;
    place?.begin();
  };

  const turnOf = (address: string) =>
    new Promise<void>((begin, refuse) => {
      const refusal = refusalFor(address);
      if (refusal) return refuse(refusal);
      if (total >= maxWaiting) makeRoom();
      const places = waiting.get(address);
      if (places) places.push({ begin, refuse });
      else waiting.set(address, [{ begin, refuse }]);
      total += 1;
      callNext();
    });

  return {
    requireRoom(address) {
      const refusal = refusalFor(address);
      if (refusal) throw refusal;
    },
    async run(address, work) {
      await turnOf(address);
      try {
        return await work();
      } finally {
        running -= 1;
        callNext();
      }
    },
  };
}

function tooMany(): AuthError {
  return new AuthError(429, "over_request_rate_limit", "Request rate limit reached", {
    headers: { "retry-after": String(RETRY_S) },
  });
}
