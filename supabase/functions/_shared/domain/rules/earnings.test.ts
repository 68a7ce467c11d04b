import { describe, expect, it } from "vitest";
import { earningsOf } from "./earnings.ts";

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
