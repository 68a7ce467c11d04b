import { describe, expect, it } from "vitest";
import { amountsOf, planWithMore } from "./plans.ts";

describe("amountsOf", () => {
  it.each([
    ["basic", "monthly", [4900, 4900, 4900, 0, 980, 5880]],
    ["basic", "yearly", [3900, 46_800, 58_800, 12_000, 9360, 56_160]],
    ["pro", "monthly", [14_900, 14_900, 14_900, 0, 2980, 17_880]],
    ["pro", "yearly", [11_900, 142_800, 178_800, 36_000, 28_560, 171_360]],
  ] as const)("of %s, %s", (plan, billing, figures) => {
    const { perMonth, total, original, savings, vat, due } = amountsOf(plan, billing);
    expect([perMonth, total, original, savings, vat, due]).toEqual(figures);
  });
});

describe("the plan that allows more", () => {
  it("is the cheapest one that does, if any", () => {
    expect(planWithMore("campaigns", 1)).toEqual({ plan: "basic", limit: 3 });
    expect(planWithMore("campaigns", 3)).toEqual({ plan: "pro", limit: -1 });
    expect(planWithMore("spins", 100)).toEqual({ plan: "basic", limit: 1000 });
    expect(planWithMore("users", 5)).toEqual({ plan: "pro", limit: -1 });
    expect(planWithMore("users", -1)).toBeNull();
  });
});
