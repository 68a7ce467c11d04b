import { describe, expect, it } from "vitest";
import { createPasswordQueue } from "./password-queue.ts";

/** A queue whose work ends when told, and what became of each call, by its name. */
function openQueue(bounds = { concurrency: 1, maxWaiting: 6, maxWaitingPerAddress: 4 }) {
  const queue = createPasswordQueue(bounds);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: Record<string, number> = {};
  const settled: Promise<void>[] = [];
  return {
    queue,
    begun,
    refused,
    call(name: string) {
      const [address = ""] = name.split(" ");
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => void ends.push(resolve));
      };
      settled.push(
        queue.run(address, work).catch(({ status }: { status: number }) => {
          refused[name] = status;
        }),
      );
    },
    /** Ends the work in progress, one after the other, until nothing waits. */
    async finish() {
      for (let end = ends.shift(); end; end = ends.shift()) {
        end();
        await new Promise(setImmediate);
      }
      await Promise.all(settled);
    },
  };
}

describe("the queue of passwords", () => {
  it("works on so many at a time", async () => {
    const { call, begun, finish } = openQueue({
      concurrency: 2,
      maxWaiting: 9,
      maxWaitingPerAddress: 9,
    });
    for (const name of ["a 1", "a 2", "a 3", "a 4"]) call(name);
    await new Promise(setImmediate);
    expect(begun).toEqual(["a 1", "a 2"]);
    await finish();
    expect(begun).toHaveLength(4);
  });

  it("serves addresses one after the other, whoever has sent most", async () => {
    const { call, begun, finish } = openQueue();
    for (const name of ["a 1", "a 2", "a 3", "b 1", "c 1"]) call(name);
    await new Promise(setImmediate);
    await finish();
    expect(begun).toEqual(["a 1", "a 2", "b 1", "c 1", "a 3"]);
  });

  it("sends an address away that has its share waiting, and nobody else", async () => {
    const { queue, call, refused, finish } = openQueue();
    for (let n = 1; n <= 7; n += 1) call(`a ${n}`);
    expect(() => queue.requireRoom("a")).toThrow(
      expect.objectContaining({ status: 429, extra: { headers: { "retry-after": "5" } } }),
    );
    expect(() => queue.requireRoom("b")).not.toThrow();
    call("b 1");
    await new Promise(setImmediate);
    await finish();
    expect(refused).toEqual({ "a 6": 429, "a 7": 429 });
  });

  it("makes room for a newcomer at the cost of who takes most, and is busy once all have as little", async () => {
    const { queue, call, begun, refused, finish } = openQueue();
    for (const name of ["x 0", "a 1", "a 2", "a 3", "a 4", "b 1", "b 2", "c 1", "c 2"]) call(name);
    await new Promise(setImmediate);
    expect(refused).toEqual({ "a 4": 429, "a 3": 429 });
    expect(() => queue.requireRoom("d")).not.toThrow();
    for (const name of ["d 1", "e 1", "f 1"]) call(name);
    expect(() => queue.requireRoom("g")).toThrow(expect.objectContaining({ status: 429 }));
    call("g 1");
    await new Promise(setImmediate);
    expect(refused["g 1"]).toBe(429);
    await finish();
    expect(begun).toEqual(expect.arrayContaining(["a 1", "b 1", "c 1", "d 1", "e 1", "f 1"]));
    expect(begun).not.toContain("g 1");
  });

  it("goes on after work that failed", async () => {
    const { queue } = openQueue();
    await expect(queue.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow(
      "broken",
    );
    expect(await queue.run("a", async () => "fine")).toBe("fine");
  });
});
