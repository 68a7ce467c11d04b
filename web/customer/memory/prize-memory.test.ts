import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { makeCampaign, makeResult, REVIEW_ID } from "../testing/campaign.ts";
import {
  dropPrize,
  keepPrize,
  keptPrizes,
  lastStatusOf,
  rememberedPrizes,
  rememberStatus,
} from "./prize-memory.ts";
import { forget, recordKey, remember } from "./storage.ts";

const { id } = makeCampaign();

function prize(serial: number, expires_at: string | null) {
  const result = makeResult({
    spin_id: `00000000-0000-4000-8000-00000000000${serial}`,
    redemption_code: `WIN${serial}`,
    expires_at,
  });
  return { reviewId: REVIEW_ID, result };
}

const codes = () => keptPrizes(id).map(({ result }) => result.redemption_code);

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T12:00:00Z") });
  stubBrowser();
  forget("phone", recordKey(id, "prizes"));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("prizes on the phone", () => {
  it("are kept each until it expires, the newest first, one once", () => {
    expect(keepPrize(id, prize(1, "2026-11-22T12:00:00Z"))).toBe(true);
    keepPrize(id, prize(2, "2026-12-12T12:00:00Z"));
    keepPrize(id, prize(2, "2026-12-12T12:00:00Z"));
    expect(codes()).toEqual(["WIN2", "WIN1"]);
    vi.setSystemTime(new Date("2026-11-22T12:00:00Z"));
    expect(codes()).toEqual(["WIN2"]);
    vi.setSystemTime(new Date("2026-12-12T12:00:00Z"));
    expect(codes()).toEqual([]);
  });

  it("are listed for a week after their time, the last of them too", () => {
    keepPrize(id, prize(1, "2026-11-22T12:00:00Z"));
    vi.setSystemTime(new Date("2026-11-29T11:59:59Z"));
    expect(rememberedPrizes(id)).toHaveLength(1);
    expect(codes()).toEqual([]);
    vi.setSystemTime(new Date("2026-11-29T12:00:00Z"));
    expect(rememberedPrizes(id)).toEqual([]);
  });

  it("are listed as long as the last of them, each", () => {
    keepPrize(id, prize(1, "2026-12-12T12:00:00Z"));
    keepPrize(id, prize(2, "2026-11-22T12:00:00Z"));
    vi.setSystemTime(new Date("2026-12-11T12:00:00Z"));
    expect(codes()).toEqual(["WIN1"]);
  });

  it("are five at most: the oldest gives way", () => {
    for (const serial of [1, 2, 3, 4, 5, 6]) keepPrize(id, prize(serial, null));
    expect(codes()).toEqual(["WIN6", "WIN5", "WIN4", "WIN3", "WIN2"]);
  });

  it("without an end are kept for three months", () => {
    keepPrize(id, prize(1, null));
    // Ninety days, and the week in which they are still listed.
    vi.setSystemTime(new Date("2027-02-26T11:59:59Z"));
    expect(codes()).toEqual(["WIN1"]);
    vi.setSystemTime(new Date("2027-02-26T12:00:00Z"));
    expect(codes()).toEqual([]);
  });

  it("are dropped one by one", () => {
    keepPrize(id, prize(1, null));
    keepPrize(id, prize(2, null));
    dropPrize(id, prize(2, null).result);
    expect(codes()).toEqual(["WIN1"]);
    dropPrize(id, prize(1, null).result);
    expect(codes()).toEqual([]);
  });

  it("carry what the till's side said last, each its own, and let a later word overrule it", () => {
    const first = prize(1, null);
    keepPrize(id, first);
    keepPrize(id, prize(2, null));
    expect(lastStatusOf(id, first.result)).toBeNull();
    const used = { status: "used", used_at: "2026-11-21T11:00:00Z", expires_at: null } as const;
    rememberStatus(id, first.result, used);
    expect(lastStatusOf(id, first.result)).toEqual(used);
    expect(lastStatusOf(id, prize(2, null).result)).toBeNull();
    expect(codes()).toEqual(["WIN2", "WIN1"]);

    const back = { status: "available", used_at: null, expires_at: null } as const;
    rememberStatus(id, first.result, back);
    expect(lastStatusOf(id, first.result)).toEqual(back);
  });

  it("are not brought back by a word that comes after they were dropped", () => {
    const { result } = prize(1, null);
    keepPrize(id, prize(1, null));
    dropPrize(id, result);
    rememberStatus(id, result, { status: "available", used_at: null, expires_at: null });
    expect(codes()).toEqual([]);
    expect(lastStatusOf(id, result)).toBeNull();
  });

  it("of before anything was said of them are still read", () => {
    const { reviewId, result } = prize(1, null);
    remember("phone", recordKey(id, "prizes"), [{ reviewId, result }], 60_000);
    expect(codes()).toEqual(["WIN1"]);
    expect(lastStatusOf(id, result)).toBeNull();
  });

  it("of release 1.1.0 are still read: a field that comes later is optional", () => {
    // Written by that release's page, to the letter; whoever changes it takes prizes from phones.
    const kept =
      '{"until":1900000000000,"value":[{"reviewId":"00000000-0000-4000-8000-000000000099","result":{"spin_id":"00000000-0000-4000-8000-000000000001","segment_id":"00000000-0000-4000-8000-000000000002","segment_label":"Café offert","segment_color":"#8B5CF6","reward":{"id":"00000000-0000-4000-8000-000000000003","name":"Café offert","type":"gift"},"redemption_code":"WIN1","expires_at":"2026-12-21T22:59:59.999999+00:00","nonce":"00000000-0000-4000-8000-000000000004"}}]}';
    window.localStorage.setItem(recordKey(id, "prizes"), kept);
    expect(codes()).toEqual(["WIN1"]);
    expect(window.localStorage.getItem(recordKey(id, "prizes"))).toBe(kept);
  });

  it("are not promised where storage is forbidden", () => {
    stubBrowser({ hasStorage: false });
    expect(keepPrize(id, prize(1, null))).toBe(false);
  });
});
