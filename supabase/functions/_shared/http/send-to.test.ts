import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { READER_LIMITS, sendTo } from "./send-to.ts";

describe("sending to a reader", () => {
  const LIMITS = READER_LIMITS;
  const always = () => Promise.resolve(true);
  const outcomeOf = ({ taken }: { taken: Promise<void> }) => {
    const outcome: { code?: unknown } = {};
    taken.then(
      () => Object.assign(outcome, { code: "taken" }),
      (error: unknown) => Object.assign(outcome, error),
    );
    return outcome;
  };
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("waits for one who takes a part just in time, for half an hour in all", async () => {
    let isClosed = false;
    async function* parts() {
      try {
        for (;;) yield new Uint8Array(LIMITS.least.bytes / 2);
      } finally {
        isClosed = true;
      }
    }
    const sending = sendTo(parts(), LIMITS, always);
    const outcome = outcomeOf(sending);
    const reader = sending.body.getReader();
    for (let minutes = 0; minutes < 30; minutes += 0.5) {
      expect([minutes, outcome.code]).toEqual([minutes, undefined]);
      await reader.read();
      await vi.advanceTimersByTimeAsync(29_999);
    }
    await reader.read();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcome).toEqual({ code: "reader_slow" });
    expect(isClosed).toBe(true);
  });

  it("leaves one who takes a little now and then after a minute of waiting, and counts no other time", async () => {
    let isClosed = false;
    async function* parts() {
      try {
        yield new Uint8Array(1);
        await new Promise((resolve) => setTimeout(resolve, 600_000));
        for (;;) yield new Uint8Array(LIMITS.least.bytes / 8);
      } finally {
        isClosed = true;
      }
    }
    const sending = sendTo(parts(), LIMITS, always);
    const outcome = outcomeOf(sending);
    const reader = sending.body.getReader();
    await reader.read();
    const second = reader.read();
    await vi.advanceTimersByTimeAsync(600_000);
    await second;
    for (let seconds = 0; seconds < 60; seconds += 20) {
      expect([seconds, outcome.code]).toEqual([seconds, undefined]);
      await vi.advanceTimersByTimeAsync(20_000);
      void reader.read();
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome).toEqual({ code: "reader_slow" });
    expect(isClosed).toBe(true);
  });

  it("asks every minute whether it still has the right to the file, and ends once it has not", async () => {
    async function* parts() {
      for (;;) yield new Uint8Array(LIMITS.least.bytes / 2);
    }
    const askedAt: number[] = [];
    let now = 0;
    const sending = sendTo(parts(), LIMITS, async () => {
      askedAt.push(now);
      return askedAt.length < 3;
    });
    const outcome = outcomeOf(sending);
    const reader = sending.body.getReader();
    for (; now <= 180; now += 20) {
      expect([now, outcome.code]).toEqual([now, undefined]);
      await reader.read();
      await vi.advanceTimersByTimeAsync(20_000);
    }
    expect(askedAt).toEqual([60, 120, 180]);
    expect(outcome).toEqual({ code: "reader_refused" });
  });

  it("lets its producer go before it fails where nobody can say whether it still has the right", async () => {
    let isClosed = false;
    async function* parts() {
      try {
        for (;;) yield new Uint8Array(1);
      } finally {
        await Promise.resolve();
        isClosed = true;
      }
    }
    let asked = 0;
    const sending = sendTo(parts(), { ...LIMITS, rights: 0 }, async () => {
      asked += 1;
      if (asked > 1) throw Object.assign(new Error("away"), { code: "DATABASE_AWAY" });
      return true;
    });
    const failed = sending.taken.then(
      () => null,
      ({ code }: { code: string }) => ({ code, isClosed }),
    );
    await sending.body.getReader().read();
    expect(await failed).toEqual({ code: "DATABASE_AWAY", isClosed: true });
  });

  it("does not count the time that a part takes to be made", async () => {
    async function* parts() {
      yield new Uint8Array(1);
      await new Promise((resolve) => setTimeout(resolve, 45_000));
      yield new Uint8Array(2);
    }
    const sending = sendTo(parts(), LIMITS, always);
    const outcome = outcomeOf(sending);
    const reader = sending.body.getReader();
    await reader.read();
    const second = reader.read();
    await vi.advanceTimersByTimeAsync(45_000);
    expect((await second).value).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome).toEqual({ code: "taken" });
    sending.close();
    expect((await reader.read()).done).toBe(true);
  });

  it("leaves one who takes nothing for half a minute", async () => {
    async function* parts() {
      for (;;) yield new Uint8Array(1);
    }
    const sending = sendTo(parts(), LIMITS, always);
    const outcome = outcomeOf(sending);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(outcome).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toEqual({ code: "reader_stalled" });
  });
});
