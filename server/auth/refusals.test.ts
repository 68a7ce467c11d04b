import { describe, expect, it } from "vitest";
import { createRefusals } from "./refusals.ts";

/** A memory of two keys, with a clock that obeys. */
function openMemory() {
  let moment = 1_000_000;
  const now = () => new Date(moment);
  const refusals = createRefusals(now, 2);
  return {
    refusals,
    now,
    pass(milliseconds: number) {
      moment += milliseconds;
    },
  };
}

describe("the memory of refusals", () => {
  it("knows what is left, and ends with the window", () => {
    const { refusals, now, pass } = openMemory();
    expect(refusals.remaining("a")).toBeNull();
    refusals.remember("a", now(), 10_000);
    pass(9_999);
    expect(refusals.remaining("a")).toBe(1);
    expect(refusals.remaining("b")).toBeNull();
    pass(1);
    expect(refusals.remaining("a")).toBeNull();
  });

  it("counts from the question, not from its answer", () => {
    const { refusals, now, pass } = openMemory();
    const asked = now();
    pass(4_000);
    refusals.remember("a", asked, 10_000);
    expect(refusals.remaining("a")).toBe(6_000);
  });

  it("believes nothing when the clock is set back", () => {
    const { refusals, now, pass } = openMemory();
    refusals.remember("a", now(), 10_000);
    pass(-1);
    expect(refusals.remaining("a")).toBeNull();
    pass(1);
    expect(refusals.remaining("a")).toBeNull();
  });

  it("is bounded: what was asked for longest ago goes first", () => {
    const { refusals, now } = openMemory();
    refusals.remember("a", now(), 10_000);
    refusals.remember("b", now(), 10_000);
    expect(refusals.remaining("a")).toBe(10_000);
    refusals.remember("c", now(), 10_000);
    expect(refusals.remaining("a")).toBe(10_000);
    expect(refusals.remaining("b")).toBeNull();
    expect(refusals.remaining("c")).toBe(10_000);
  });
});
