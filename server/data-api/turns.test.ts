import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

/** Work that ends when it is said. */
function work() {
  let end: { resolve(name: string): void; reject(error: Error): void } | undefined;
  const promise = new Promise<string>((resolve, reject) => {
    end = { resolve, reject };
  });
  return {
    promise,
    resolve: (name: string) => end?.resolve(name),
    reject: (error: Error) => end?.reject(error),
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it("does a few of an account at a time, the others in their order, and others' meanwhile", async () => {
  const turns = createTurns({ atOnce: 2, mostWaiting: 10 });
  const begun: string[] = [];
  const works = ["a", "b", "c", "d"].map((name) => ({ name, ...work() }));
  const done = works.map(({ name, promise }) =>
    turns.run("ana", () => {
      begun.push(name);
      return promise;
    }),
  );
  await turn();
  expect(begun).toEqual(["a", "b"]);
  expect(await turns.run("ben", async () => "ben")).toBe("ben");
  works[1]?.reject(new Error("lost"));
  await expect(done[1]).rejects.toThrow("lost");
  await turn();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const { name, resolve } of works) resolve(name);
  expect(await Promise.all([done[0], done[2], done[3]])).toEqual(["a", "c", "d"]);
});

it("refuses what is more than may wait, and only that", async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 1 });
  const first = work();
  const inWork = turns.run("ana", () => first.promise);
  const waits = turns.run("ana", async () => "second");
  expect(turns.run("ana", async () => "third")).toBeNull();
  first.resolve("first");
  expect(await Promise.all([inWork, waits])).toEqual(["first", "second"]);
  expect(await turns.run("ana", async () => "fourth")).toBe("fourth");
});
