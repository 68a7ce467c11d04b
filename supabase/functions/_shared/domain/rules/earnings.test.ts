import { describe, expect, it } from "vitest";
import { earningsOf, periodEarnings } from "./earnings.ts";

describe("what a campaign brings in", () => {
  it("is its visits at the average basket, less what the rewards cost", () => {
    expect(earningsOf({ visits: 40, cost: 50, average_basket: 8 })).toEqual({
      revenue: 320,
      gain: 270,
      ratio: 5.4,
    });
  });

  it("can be a loss", () => {
    expect(earningsOf({ visits: 2, cost: 20, average_basket: 5 })).toEqual({
      revenue: 10,
      gain: -10,
      ratio: -0.5,
    });
  });

  it("is no part of nothing when the rewards cost nothing", () => {
    expect(earningsOf({ visits: 3, cost: 0, average_basket: 10 })?.ratio).toBeNull();
  });

  it("is unknown without an average basket", () => {
    expect(earningsOf({ visits: 3, cost: 10, average_basket: null })).toBeNull();
  });
});

describe("what some days leave", () => {
  it("is what visits are worth, less the rewards and the plan's part of the days", () => {
    const basic = { plan: "basic", billing: "monthly" } as const;
    expect(periodEarnings({ revenue: 900, cost: 100, plan: basic }, 365)).toEqual({
      subscription: 588,
      gain: 212,
    });
    const { subscription } = periodEarnings(
      { revenue: 0, cost: 0, plan: { plan: "pro", billing: "yearly" } },
      30,
    );
    expect(subscription).toBeCloseTo(117.37, 2);
  });

  it("counts no plan that nobody pays for", () => {
    for (const plan of [
      null,
      { plan: "free_trial", billing: null },
      { plan: "pro", billing: null },
    ] as const) {
      expect(periodEarnings({ revenue: 50, cost: 20, plan }, 30)).toEqual({
        subscription: 0,
        gain: 30,
      });
    }
  });
});
