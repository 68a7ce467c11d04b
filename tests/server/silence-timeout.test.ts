import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withSilenceTimeout } from "../../server/postgres/silence-timeout.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LOST = { code: "CONNECT_TIMEOUT" };

/** A question that waits a second for an answer or a sign of life. */
function ask(question: Promise<unknown> = new Promise(() => undefined)) {
  let signs = 0;
  const state = { outcome: "waits" };
  withSilenceTimeout(question, { milliseconds: 1_000, signs: () => signs }).then(
    (answer) => {
      state.outcome = String(answer);
    },
    (error: unknown) => {
      expect(error).toMatchObject(LOST);
      state.outcome = "lost";
    },
  );
  return {
    state,
    sign: () => {
      signs += 10;
    },
    /** Forgets the signs of a connection that was closed, as the counter of signs does. */
    forget: () => {
      signs -= 5;
    },
  };
}

it("gives a silence as long as was said, and no longer", async () => {
  const { state } = ask();
  await vi.advanceTimersByTimeAsync(900);
  expect(state.outcome).toBe("waits");
  await vi.advanceTimersByTimeAsync(100);
  expect(state.outcome).toBe("lost");
  expect(vi.getTimerCount()).toBe(0);
});

it("begins anew with each sign of life, and with nothing else", async () => {
  const { state, sign, forget } = ask();
  for (let second = 0; second < 5; second++) {
    await vi.advanceTimersByTimeAsync(900);
    sign();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(state.outcome).toBe("waits");
  forget();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.outcome).toBe("lost");
});

it("hands the answer on", async () => {
  let answer = (_: string) => {};
  const { state } = ask(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await vi.advanceTimersByTimeAsync(900);
  answer("there");
  await vi.advanceTimersByTimeAsync(0);
  expect(state.outcome).toBe("there");
  expect(vi.getTimerCount()).toBe(0);
});
