import { describe, expect, it } from "vitest";
import { earningsOf, periodEarnings } from "./earnings.ts";

describe("what a campaign brings in", () => {
  it("is its visits at the average basket, less what the rewards cost", () => {
    expect(earningsOf({ return_share: 100, visits: 40, cost: 50, average_basket: 8 })).toEqual({
      revenue: 320,
      gain: 270,
      ratio: 5.4,
    });
  });

  it("counts the share of visits that the merchant counts", () => {
    const facts = { visits: 40, cost: 50, average_basket: 8 };
    expect(earningsOf({ ...facts, return_share: 75 })).toEqual({
      revenue: 240,
      gain: 190,
      ratio: 3.8,
    });
    expect(earningsOf({ ...facts, return_share: 0 })).toMatchObject({ revenue: 0, gain: -50 });
  });

  it("can be a loss", () => {
    expect(earningsOf({ return_share: 100, visits: 2, cost: 20, average_basket: 5 })).toEqual({
      revenue: 10,
      gain: -10,
      ratio: -0.5,
    });
  });

  it("is no part of nothing when the rewards cost nothing", () => {
    expect(
      earningsOf({ return_share: 100, visits: 3, cost: 0, average_basket: 10 })?.ratio,
    ).toBeNull();
  });

  it("is unknown without an average basket", () => {
    expect(earningsOf({ return_share: 100, visits: 3, cost: 10, average_basket: null })).toBeNull();
  });
});

describe("what some days leave", () => {
  it("is what visits are worth, less the rewards and the plan's part of the days", () => {
    const basic = { plan: "basic", billing: "monthly" } as const;
    expect(
      periodEarnings({ return_share: 100, revenue: 900, cost: 100, plan: basic }, 365),
    ).toEqual({
      revenue: 900,
      subscription: 588,
      gain: 212,
    });
    const { subscription } = periodEarnings(
      { revenue: 0, return_share: 100, cost: 0, plan: { plan: "pro", billing: "yearly" } },
      30,
    );
    expect(subscription).toBeCloseTo(117.37, 2);
  });

  it("counts the share of visits that the merchant counts", () => {
    const facts = { revenue: 900, cost: 100, plan: null };
    expect(periodEarnings({ ...facts, return_share: 80 }, 30)).toEqual({
      revenue: 720,
      subscription: 0,
      gain: 620,
    });
    expect(periodEarnings({ ...facts, return_share: 0 }, 30)).toMatchObject({ gain: -100 });
  });

  it("counts no plan that nobody pays for", () => {
    for (const plan of [
      null,
      { plan: "free_trial", billing: null },
      { plan: "pro", billing: null },
    ] as const) {
      expect(periodEarnings({ return_share: 100, revenue: 50, cost: 20, plan }, 30)).toEqual({
        revenue: 50,
        subscription: 0,
        gain: 30,
      });
    }
  });
});
