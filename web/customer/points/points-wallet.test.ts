import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { json, refuse } from "../../../supabase/functions/_shared/http/respond.ts";
import { keepPoints } from "../memory/points-memory.ts";
import { forget, recordKey } from "../memory/storage.ts";
import { makeCampaign, REVIEW_ID } from "../testing/campaign.ts";
import { stubPage } from "../testing/page-stubs.ts";
import { lastWallet, prospect, readWallet, spend } from "./points-wallet.ts";

const { id } = makeCampaign();
const wallet = { balance: 50, ends: null, rewards: [], codes: [] };
const proof = { spin_id: REVIEW_ID, nonce: id };
const purchase = { reward_id: REVIEW_ID, cost: 30, request_id: id };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T00:00:00Z") });
  for (const key of [recordKey(id, "wallet"), "tournavis:points"]) forget("phone", key);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("the points are asked for, and spent, with the spins that won them and the language of the page", async () => {
  const { asked } = stubPage({ answer: () => json(wallet) });
  keepPoints({
    ...proof,
    segment_id: REVIEW_ID,
    segment_label: "50 points",
    segment_color: "#8B5CF6",
    reward: { id: REVIEW_ID, name: "50 points", type: "points" },
    redemption_code: null,
    expires_at: null,
  });
  expect(await readWallet(id)).toEqual({ ok: true, value: wallet });
  expect(await spend(id, purchase)).toEqual({ ok: true, value: wallet });
  const body = { campaign_id: id, proofs: [proof], locale: "fr" };
  expect(asked).toEqual([
    { path: "points_wallet", body },
    { path: "spend_points", body: { ...body, ...purchase } },
  ]);
});

it("the last answer is known for 31 days, of its campaign, and outlives a refusal", async () => {
  stubPage({ answer: () => json(wallet) });
  expect(lastWallet(id)).toBeNull();
  await readWallet(id);
  stubPage({ keepStorage: true, answer: () => refuse("points_missing") });
  expect(await spend(id, purchase)).toMatchObject({ ok: false });
  expect(lastWallet(REVIEW_ID)).toBeNull();
  vi.setSystemTime(new Date("2026-01-31T23:59:59Z"));
  expect(lastWallet(id)).toEqual(wallet);
  vi.setSystemTime(new Date("2026-02-01T00:00:00Z"));
  expect(lastWallet(id)).toBeNull();
});

it.each([
  { balance: 0, next: "Café", share: 0 },
  { balance: 19, next: "Café", share: 95 },
  { balance: 20, next: "Menu", share: 10 },
  { balance: 199, next: "Menu", share: 100 },
  { balance: 200, next: "Menu", share: 100 },
  { balance: 900, next: "Menu", share: 100 },
])(
  "with $balance points one looks forward to « $next », $share % of it paid",
  ({ balance, next, share }) => {
    const reward = (name: string, cost: number, sold_out = false) => {
      return { id: REVIEW_ID, name, cost, sold_out };
    };
    const rewards = [reward("Café", 20), reward("Gâteau", 60, true), reward("Menu", 200)];
    const ahead = prospect({ ...wallet, balance, rewards });
    expect(ahead).toEqual({ reward: expect.objectContaining({ name: next }), share });
  },
);

it("where all is gone, or nothing given, one looks forward to nothing", () => {
  expect(prospect({ ...wallet, rewards: [] })).toBeNull();
});
