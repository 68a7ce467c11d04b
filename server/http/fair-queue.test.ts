import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue that serves two at a time, and what became of each request, by its name. */
function openQueue() {
  const queue = createFairQueue({
    concurrency: 2,
    maxWaitingPerAddress: 3,
    maxWaiting: 4,
    slotMs: 1_000,
  });
  const begun: string[] = [];
  const responses = new Map<string, EventEmitter>();
  const sockets = new Map<string, { destroyed: boolean }>();
  return {
    begun,
    /** A request comes: « a 1 » from address a; answers whether it may stay. */
    ask(name: string): boolean {
      const [address = ""] = name.split(" ");
      const response = new EventEmitter();
      const socket = { destroyed: false };
      responses.set(name, response);
      sockets.set(name, socket);
      return queue.admit(address, { incoming: { socket }, response }, () => void begun.push(name));
    },
    /** Ends a request: its answer was sent. */
    end(name: string) {
      responses.get(name)?.emit("close");
    },
    /** Aborts a request: its client disconnects. */
    leave(name: string) {
      const socket = sockets.get(name);
      if (socket) socket.destroyed = true;
    },
  };
}

const nextTurn = () => vi.advanceTimersByTime(1);

describe("turns", () => {
  it("are two of an address at a time, in the order in which they came; another's begins at once", () => {
    const { begun, ask, end } = openQueue();
    for (const name of ["a 1", "a 2", "a 3", "a 4", "b 1"]) expect(ask(name)).toBe(true);
    expect(begun).toEqual(["a 1", "a 2", "b 1"]);
    end("a 2");
    nextTurn();
    expect(begun).toEqual(["a 1", "a 2", "b 1", "a 3"]);
    end("b 1");
    end("a 1");
    end("a 3");
    nextTurn();
    expect(begun).toEqual(["a 1", "a 2", "b 1", "a 3", "a 4"]);
  });

  it("come after what others have sent meanwhile", () => {
    const { begun, ask, end } = openQueue();
    for (const name of ["a 1", "a 2", "a 3"]) ask(name);
    end("a 1");
    ask("b 1");
    nextTurn();
    expect(begun).toEqual(["a 1", "a 2", "b 1", "a 3"]);
  });

  it("are given to nobody who has left", () => {
    const { begun, ask, end, leave } = openQueue();
    for (const name of ["a 1", "a 2", "a 3", "a 4"]) ask(name);
    leave("a 3");
    end("a 1");
    nextTurn();
    expect(begun).toEqual(["a 1", "a 2", "a 4"]);
  });

  it("have a bound, of an address and of all; who is sent away is not begun later", () => {
    const { begun, ask, end } = openQueue();
    for (const name of ["a 1", "a 2", "a 3", "a 4", "a 5"]) expect(ask(name)).toBe(true);
    expect(ask("a 6")).toBe(false);
    for (const name of ["b 1", "b 2", "b 3"]) expect(ask(name)).toBe(true);
    expect(ask("b 4")).toBe(false);
    expect(ask("c 1")).toBe(true);
    for (const name of ["a 1", "a 2", "b 1", "b 2"]) end(name);
    nextTurn();
    for (const name of ["a 3", "a 4"]) end(name);
    nextTurn();
    expect(begun).toEqual(["a 1", "a 2", "b 1", "b 2", "c 1", "a 3", "a 4", "b 3", "a 5"]);
    expect(ask("a 7")).toBe(true);
  });

  it("end after a second for whoever dawdles, and only once", () => {
    const { begun, ask, end } = openQueue();
    for (const name of ["a 1", "a 2", "a 3", "a 4", "a 5"]) ask(name);
    vi.advanceTimersByTime(999);
    expect(begun).toEqual(["a 1", "a 2"]);
    vi.advanceTimersByTime(1);
    nextTurn();
    expect(begun).toEqual(["a 1", "a 2", "a 3", "a 4"]);
    end("a 1");
    end("a 2");
    nextTurn();
    expect(begun).toEqual(["a 1", "a 2", "a 3", "a 4"]);
  });
});
