import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EditorReward } from "#domain/schemas/campaigns.ts";
import { chanceOf, oddsOf } from "./odds.ts";

const IDS = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
] as const;

function reward(change: Partial<EditorReward> = {}): EditorReward {
  return {
    id: IDS[0],
    name: "Café offert",
    active: true,
    stock: -1,
    is_archived: false,
    value: 2.5,
    picture: null,
    home: null,
    ...change,
  };
}

const coffee = reward();
const cake = reward({ id: IDS[1], name: "Gâteau", value: 4 });
const wins = (weight: number, { id }: EditorReward = coffee) => ({ rewardId: id, weight });
const loses = (weight: number) => ({ rewardId: "", weight });

describe("the odds of a wheel", () => {
  it("count what wins, and cost each prize as often as it comes", () => {
    expect(oddsOf([wins(10), loses(80), wins(4, cake), wins(6)], [coffee, cake])).toEqual({
      win: 0.2,
      cost: 56,
      hasCosts: true,
      unpriced: [],
    });
  });

  it.each<[string, Partial<EditorReward>]>([
    ["archived", { is_archived: true }],
    ["inactive", { active: false }],
    ["out of stock", { stock: 0 }],
  ])("leave the weight of a prize that is %s to the losing segments", (_, state) => {
    const gone = reward({ ...state, id: IDS[1], value: 100 });
    expect(oddsOf([wins(20), wins(30, gone), loses(50)], [coffee, gone])).toMatchObject({
      win: 0.2,
      cost: 50,
    });
    // Else to the other prizes; and with none of these nothing can be drawn.
    expect(oddsOf([wins(20), wins(80, gone), loses(0)], [coffee, gone])).toMatchObject({
      win: 1,
      cost: 250,
    });
    expect(oddsOf([wins(100, gone)], [gone])).toMatchObject({ win: null, cost: 0, unpriced: [] });
    expect(oddsOf([wins(60, gone), loses(40)], [gone])).toMatchObject({ win: 0, cost: 0 });
  });

  it("tell which costs are not known, of the prizes that can be won alone", () => {
    const unpriced = reward({ value: null });
    expect(oddsOf([wins(50), wins(10, cake), loses(40)], [unpriced, cake])).toEqual({
      win: 0.6,
      cost: 40,
      hasCosts: true,
      unpriced: [unpriced],
    });
    expect(oddsOf([wins(0), wins(10, cake), loses(90)], [unpriced, cake]).unpriced).toEqual([]);
    expect(oddsOf([wins(50), loses(50)], [unpriced])).toMatchObject({ cost: 0, hasCosts: false });
    // A reward without a cost is known.
    expect(oddsOf([wins(50), loses(50)], [reward({ value: 0 })])).toMatchObject({
      cost: 0,
      hasCosts: true,
      unpriced: [],
    });
  });
});

describe("a chance in words", () => {
  it.each([
    [0.01, 1, 100],
    [0.12, 1, 8],
    [0.125, 1, 8],
    [0.3, 3, 10],
    [0.37, 4, 10],
    [0.45, 45, 100],
    [0.33, 1, 3],
    [0.5, 1, 2],
    [0.6, 6, 10],
    [0.67, 2, 3],
    [0.72, 7, 10],
    [0.75, 3, 4],
    [0.9, 9, 10],
    [0.97, 97, 100],
    [0.99, 99, 100],
  ])("of %f is %i out of %i", (probability, some, all) => {
    expect(chanceOf(probability)).toEqual({ some, all });
  });

  it("lies within 10 % of the true one, and is neither none nor all", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), (percent) => {
        const { some, all } = chanceOf(percent / 100);
        expect(some).toBeGreaterThan(0);
        expect(some).toBeLessThan(all);
        const allowed = 0.1 * Math.min(percent, 100 - percent);
        expect(Math.abs((100 * some) / all - percent)).toBeLessThanOrEqual(allowed + 1e-9);
      }),
    );
  });
});
