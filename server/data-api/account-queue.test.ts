import { expect, it } from "vitest";
import { createAccountQueue } from "./account-queue.ts";

/** Work that ends on demand. */
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
  const queue = createAccountQueue({ concurrency: 2, maxWaiting: 10 });
  const begun: string[] = [];
  const works = ["a", "b", "c", "d"].map((name) => ({ name, ...work() }));
  const done = works.map(({ name, promise }) =>
    queue.run("ana", () => {
      begun.push(name);
      return promise;
    }),
  );
  await turn();
  expect(begun).toEqual(["a", "b"]);
  expect(await queue.run("ben", async () => "ben")).toBe("ben");
  works[1]?.reject(new Error("lost"));
  await expect(done[1]).rejects.toThrow("lost");
  await turn();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const { name, resolve } of works) resolve(name);
  expect(await Promise.all([done[0], done[2], done[3]])).toEqual(["a", "c", "d"]);
});

it("refuses what is more than may wait, and only that", async () => {
  const queue = createAccountQueue({ concurrency: 1, maxWaiting: 1 });
  const first = work();
  const running = queue.run("ana", () => first.promise);
  const waits = queue.run("ana", async () => "second");
  expect(queue.run("ana", async () => "third")).toBeNull();
  first.resolve("first");
  expect(await Promise.all([running, waits])).toEqual(["first", "second"]);
  expect(await queue.run("ana", async () => "fourth")).toBe("fourth");
});
