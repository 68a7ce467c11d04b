import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PageCache } from "../../server/http/page-cache.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A cache whose readings the test answers by hand. */
function manual(capacity = 10) {
  const readings: {
    key: string;
    previous: string | undefined;
    answer(value: string): void;
    fail(): void;
  }[] = [];
  const cache = new PageCache<string>({
    read: (key, previous) =>
      new Promise((resolve, reject) => {
        readings.push({ key, previous, answer: resolve, fail: () => reject(new Error("away")) });
      }),
    lifetimeMs: 900,
    capacity,
  });
  return { cache, readings };
}

describe("PageCache", () => {
  it("reads once for all who ask at the same time, first and later", async () => {
    const { cache, readings } = manual();
    const first = [cache.get("a"), cache.get("a")];
    expect(readings).toHaveLength(1);
    readings[0]?.answer("one");
    expect(await Promise.all(first)).toEqual(["one", "one"]);

    vi.advanceTimersByTime(901);
    const later = [cache.get("a"), cache.get("a"), cache.get("a")];
    expect(readings).toHaveLength(2);
    expect(readings[1]?.previous).toBe("one");
    readings[1]?.answer("two");
    expect(await Promise.all(later)).toEqual(["two", "two", "two"]);
  });

  it("answers at once while the value is fresh, and asks again when it is not", async () => {
    const { cache, readings } = manual();
    const asked = cache.get("a");
    readings[0]?.answer("one");
    await asked;
    vi.advanceTimersByTime(899);
    expect(cache.get("a")).toBe("one");
    vi.advanceTimersByTime(2);
    expect(cache.get("a")).toBeInstanceOf(Promise);
  });

  it("counts the age from the question, not from the answer", async () => {
    const { cache, readings } = manual();
    const asked = cache.get("a");
    vi.advanceTimersByTime(600);
    readings[0]?.answer("one");
    await asked;
    vi.advanceTimersByTime(400);
    expect(cache.get("a")).toBeInstanceOf(Promise);
  });

  it("forgets a failure", async () => {
    const { cache, readings } = manual();
    const asked = cache.get("a");
    readings[0]?.fail();
    await expect(asked).rejects.toThrow();
    const again = cache.get("a");
    readings[1]?.answer("one");
    expect(await again).toBe("one");

    vi.advanceTimersByTime(901);
    const refused = cache.get("a");
    readings[2]?.fail();
    await expect(refused).rejects.toThrow();
    const recovered = cache.get("a");
    readings[3]?.answer("two");
    expect(await recovered).toBe("two");
  });

  it("keeps no more than it may", async () => {
    const { cache, readings } = manual(2);
    for (const key of ["a", "b", "c"]) {
      const asked = cache.get(key);
      readings.at(-1)?.answer(key);
      await asked;
    }
    expect(cache.get("b")).toBe("b");
    expect(cache.get("c")).toBe("c");
    expect(cache.get("a")).toBeInstanceOf(Promise);
  });
});
