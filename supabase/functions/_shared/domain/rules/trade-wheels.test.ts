import { describe, expect, it } from "vitest";
import { OTHER_LANGUAGES } from "../text/merchant-words.ts";
import { proposedTranslations } from "./proposed-words.ts";
import { isTrade, type ProposedSegment, TRADES, type Trade, tradeWheel } from "./trade-wheels.ts";

/** Average cost of a turn in cents that each proposal comes to. A prize dearer than planned shows here. */
const COSTS: Readonly<Record<Trade, number>> = {
  cafe: 30.3,
  restaurant: 58,
  bakery: 20,
  hairdresser: 67.8,
  beauty: 73,
  shop: 76,
  hotel: 73.4,
  garage: 70,
  gym: 57,
  other: 57,
};

/** Most that a proposed turn costs on average, in cents. */
const MODEST = 80;

/** Average cost of a spin, in cents, if every prize is collected. */
function expectedCost(wheel: readonly ProposedSegment[]): number {
  return wheel.reduce((sum, { weight, prize }) => sum + (weight * (prize?.cost ?? 0)) / 100, 0);
}

it("a proposed text is translated however its spaces, apostrophes and capitals were typed; no other is", () => {
  for (const typed of ["Café offert", " café  offert ", "CAFÉ OFFERT"]) {
    expect(proposedTranslations(typed).en).toBe("Free coffee");
  }
  expect(proposedTranslations("10\u00a0% la prochaine fois")).toEqual(
    proposedTranslations("10 % la prochaine fois"),
  );
  expect(proposedTranslations("10 % la prochaine fois").de).toBeDefined();
  expect(proposedTranslations("Café gourmand offert")).toStrictEqual({});
});

describe.each(TRADES)("the wheel proposed to « %s »", (trade) => {
  const wheel = tradeWheel(trade);

  it("has texts that fit the wheel, and different ones", () => {
    const labels = wheel.map(({ label }) => label);
    expect(labels.filter((label) => label.trim() === "" || label.length > 30)).toEqual([]);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it("is translated into every language, in texts that fit and differ as well", () => {
    const said = wheel.map(({ label }) => proposedTranslations(label));
    for (const language of OTHER_LANGUAGES) {
      const labels = said.map(({ [language]: text = "" }) => text);
      expect(labels.filter((label) => label.trim() === "" || label.length > 30)).toEqual([]);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  it("has whole odds from 1 that sum to 100, with prizes and losing segments", () => {
    const weights = wheel.map(({ weight }) => weight);
    expect(weights.filter((weight) => !Number.isInteger(weight) || weight < 1)).toEqual([]);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(100);
    expect(wheel.filter(({ prize }) => prize).length).toBeGreaterThanOrEqual(3);
    expect(wheel.filter(({ prize }) => !prize).length).toBe(2);
  });

  it("lets between one customer in five and two in five win", () => {
    const winning = wheel.reduce((sum, { weight, prize }) => sum + (prize ? weight : 0), 0);
    expect(winning).toBeGreaterThanOrEqual(20);
    expect(winning).toBeLessThanOrEqual(40);
  });

  it("costs what is stated, in whole cents a prize, and little", () => {
    const costs = wheel.flatMap(({ prize }) => (prize ? [prize.cost] : []));
    expect(costs.filter((cost) => !Number.isInteger(cost) || cost < 1)).toEqual([]);
    expect(expectedCost(wheel)).toBeCloseTo(COSTS[trade], 6);
    expect(expectedCost(wheel)).toBeLessThanOrEqual(MODEST);
  });
});

it("knows no translation of what somebody wrote", () => {
  expect(proposedTranslations("Café offert")).toMatchObject({
    en: "Free coffee",
    nl: "Gratis koffie",
  });
  expect(proposedTranslations("Café offert !")).toEqual({});
  expect(proposedTranslations("")).toEqual({});
});

it("is named by its word alone", () => {
  expect(TRADES.every(isTrade)).toBe(true);
  expect(["", "Cafe", "toString", null, undefined, 1, ["cafe"]].some(isTrade)).toBe(false);
});
