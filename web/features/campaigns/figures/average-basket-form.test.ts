import { describe, expect, it } from "vitest";
import { euroText } from "../../../lib/read-cents.ts";
import { readBasket } from "./average-basket-form.tsx";

describe("the average basket", () => {
  it.each([
    ["24,50", 24.5],
    [" 1 200 € ", 1200],
    ["0.01", 0.01],
    ["", null],
    ["  ", null],
  ])("typed as « %s » is %s", (typed, amount) => {
    expect(readBasket(typed)).toBe(amount);
  });

  it.each(["0", "-3", "12,345", "100000", "dix", "1,2,3", "1e3"])("is not « %s »", (typed) => {
    expect(readBasket(typed)).toBeUndefined();
  });

  it("is shown as one types it", () => {
    expect([euroText(24.5), euroText(8), euroText(null)]).toEqual(["24,50", "8", ""]);
  });
});
