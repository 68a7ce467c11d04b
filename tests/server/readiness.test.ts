import { expect, it } from "vitest";
import { readiness } from "../../server/postgres/readiness.ts";

const THERE = { isAway: () => false, isFull: () => false };
const TIMEOUT_MS = 300;

/** Keeps this process from everything else, as compiling a large file does. */
const standStill = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** An answer that has come and is read as soon as this process gets to it. */
const answer = () => new Promise((resolve) => setImmediate(resolve));

it("does not count the time in which this process stood still", async () => {
  const state = readiness(answer, THERE, TIMEOUT_MS);
  standStill(2 * TIMEOUT_MS);
  expect(await state).toBe("ready");
});

it("says which state the database is in", async () => {
  const silent = () => new Promise(() => undefined);
  const fails = () => Promise.reject(new Error("refused"));
  const states = await Promise.all([
    readiness(answer, THERE, TIMEOUT_MS),
    readiness(answer, { ...THERE, isFull: () => true }, TIMEOUT_MS),
    readiness(answer, { ...THERE, isAway: () => true }, TIMEOUT_MS),
    readiness(fails, THERE, TIMEOUT_MS),
    readiness(silent, THERE, TIMEOUT_MS),
  ]);
  const away = "database unavailable";
  expect(states).toEqual(["ready", "database disk full", away, away, away]);
});
