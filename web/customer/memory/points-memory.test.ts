import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MAX_PROOFS } from "#domain/rules/constants.ts";
import type { SpinResult } from "#domain/schemas/journey.ts";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { makeResult, REVIEW_ID } from "../testing/campaign.ts";
import { keepPoints, provenTurns } from "./points-memory.ts";
import { forget } from "./storage.ts";

function turn(serial: number, type: "points" | "gift" | null = "points"): SpinResult {
  return makeResult({
    spin_id: `spin-${serial}`,
    segment_label: "50 points",
    reward: type && { id: REVIEW_ID, name: "50 points", type },
    redemption_code: null,
    nonce: `nonce-${serial}`,
  });
}

const kept = () => provenTurns().map(({ spin_id }) => spin_id);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T00:00:00Z") });
  stubBrowser();
  forget("phone", "tournavis:points");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("wins of points are proven by their spins, the newest first, each once; nothing else is", () => {
  expect(provenTurns()).toEqual([]);
  for (const result of [turn(1), turn(2), turn(1), turn(3, "gift"), turn(4, null)]) {
    keepPoints(result);
  }
  expect(provenTurns()).toEqual([
    { spin_id: "spin-1", nonce: "nonce-1" },
    { spin_id: "spin-2", nonce: "nonce-2" },
  ]);
});

it("as many spins are kept as the server reads at once", () => {
  for (let serial = 1; serial <= MAX_PROOFS + 1; serial += 1) keepPoints(turn(serial));
  expect(kept()).toHaveLength(MAX_PROOFS);
  expect(kept()[0]).toBe(`spin-${MAX_PROOFS + 1}`);
  expect(kept().at(-1)).toBe("spin-2");
});

it("spins are kept for three years from the last one on", () => {
  keepPoints(turn(1));
  vi.setSystemTime(new Date("2028-06-01T00:00:00Z"));
  keepPoints(turn(2));
  vi.setSystemTime(new Date("2031-05-31T23:59:59Z"));
  expect(kept()).toEqual(["spin-2", "spin-1"]);
  vi.setSystemTime(new Date("2031-06-01T00:00:00Z"));
  expect(kept()).toEqual([]);
});
