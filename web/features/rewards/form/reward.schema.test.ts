import { describe, expect, test } from "vitest";
import {
  codeExample,
  EMPTY_REWARD,
  type RewardValues,
  rewardSchema,
  toValues,
  toWrite,
} from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";

const { rules } = rewardFormCopy;
const campaignId = "0198f3a0-0000-4000-8000-000000000001";
const fine: RewardValues = { ...EMPTY_REWARD, name: "Café", campaignId };

function problems(values: RewardValues, isNew = true): string[] {
  const result = rewardSchema(isNew).safeParse(values);
  return result.success ? [] : result.error.issues.map(({ message }) => message);
}

describe("the rules of a reward (specification, section 5)", () => {
  test("its defaults are fine once it has a name and a campaign", () => {
    expect(problems(fine)).toEqual([]);
    expect(problems(EMPTY_REWARD)).toEqual([rules.name, rules.campaign]);
  });

  test.each<[Partial<RewardValues>, string]>([
    [{ name: "   " }, rules.name],
    [{ translations: { ...EMPTY_REWARD.translations, nl: "k".repeat(121) } }, rules.nameTooLong],
    [
      { type: "gift", itemTranslations: { ...EMPTY_REWARD.translations, nl: "k".repeat(201) } },
      rules.itemTooLong,
    ],
    [{ maxPerUser: "" }, rules.maxPerUser],
    [{ maxPerUser: "0" }, rules.maxPerUser],
    [{ maxPerUser: "1,5" }, rules.maxPerUser],
    [{ validityDays: "0" }, rules.validityDays],
    [{ validityDays: "3651" }, rules.validityDays],
    [{ discountPercent: "0" }, rules.discountPercent],
    [{ discountPercent: "100,5" }, rules.discountPercent],
    [{ type: "points", points: "" }, rules.points],
    [{ type: "points", points: "0" }, rules.points],
    [{ type: "points", points: "5", pointsDays: "0" }, rules.validityDays],
    [{ stock: "0" }, rules.stockNew],
    [{ stock: "-1" }, rules.stockNew],
    [{ value: "1000000" }, rules.value],
    [{ value: "1,234" }, rules.value],
    [{ codeTemplate: " test-{random}" }, rules.templateTest],
    [{ codeTemplate: "A".repeat(41) }, rules.templateTooLong],
  ])("%o is told", (wrong, message) => {
    expect(problems({ ...fine, ...wrong })).toEqual([message]);
  });

  test("when editing, a stock may be unlimited or used up", () => {
    for (const stock of ["", "-1", "0", "12"]) {
      expect(problems({ ...fine, stock }, false)).toEqual([]);
    }
    expect(problems({ ...fine, stock: "-2" }, false)).toEqual([rules.stockEdit]);
  });

  test("what another type shows is not judged", () => {
    expect(problems({ ...fine, type: "gift", discountPercent: "500", points: "x" })).toEqual([]);
    expect(problems({ ...fine, type: "points", points: "5", validityDays: "" })).toEqual([]);
  });
});

describe("what is written", () => {
  test("is read as it is typed in French: spaces between digits, a comma, and a unit", () => {
    const typed = { stock: " 1 000 ", value: "1\u202F250,50 €", discountPercent: "12,5 %" };
    expect(problems({ ...fine, ...typed })).toEqual([]);
    expect(toWrite({ ...fine, ...typed }, true)).toMatchObject({
      stock: 1000,
      value: 1250.5,
      metadata: { discountPercent: 12.5 },
    });
    const points = { ...fine, type: "points" as const, points: "1 500" };
    expect(problems(points)).toEqual([]);
    expect(toWrite(points, true)).toMatchObject({ metadata: { points: 1500 } });
    // Not 150 euros, nor another unit's.
    for (const value of ["1€50", "10 %", "€"]) {
      expect(problems({ ...fine, value })).toEqual([rules.value]);
    }
    expect(problems({ ...fine, discountPercent: "10 €" })).toEqual([rules.discountPercent]);
    for (const stock of ["1 000 €", "1,0", "x"]) {
      expect(problems({ ...fine, stock })).toEqual([rules.stockNew]);
    }
  });

  test("holds the details of the chosen type, and none that is blank", () => {
    const values = { ...fine, discountPercent: "12,5", item: "Thé", points: "50" };
    expect(toWrite(values, true)).toMatchObject({
      type: "coupon",
      reward_type: "coupon",
      stock: -1,
      metadata: { discountPercent: 12.5, validityDays: 30 },
      description: null,
      value: null,
      code_template: null,
    });
    expect(toWrite({ ...values, type: "gift" }, true).metadata).toEqual({
      item: "Thé",
      validityDays: 30,
    });
    expect(toWrite({ ...values, type: "points", codeTemplate: "X" }, true)).toMatchObject({
      metadata: { points: 50, validityDays: 365 },
      code_template: null,
    });
    // Points without a number of days have no end.
    expect(toWrite({ ...values, type: "points", pointsDays: "" }, true)).toMatchObject({
      metadata: { points: 50 },
    });
    expect(toWrite({ ...fine, validityDays: "" }, true).metadata).toBeNull();
  });

  test("holds the translations that were filled in", () => {
    const translations = { ...EMPTY_REWARD.translations, en: " Free coffee ", it: "  " };
    expect(toWrite({ ...fine, translations }, true).translations).toEqual({ en: "Free coffee" });
  });

  test("holds the translations of an item that is called otherwise than its reward", () => {
    const itemTranslations = { ...EMPTY_REWARD.translations, de: " Espresso " };
    const written = (values: Partial<RewardValues>) =>
      toWrite({ ...fine, type: "gift", itemTranslations, ...values }, true).item_translations;
    expect(written({ item: "Un expresso" })).toEqual({ de: "Espresso" });
    expect(written({ item: " Café " })).toEqual({});
    expect(written({ item: "" })).toEqual({});
    expect(written({ item: "Un expresso", type: "coupon" })).toEqual({});
  });

  test("leaves the stock alone that was not touched", () => {
    expect(toWrite({ ...fine, stock: "3" }, false)).not.toHaveProperty("stock");
    expect(toWrite({ ...fine, stock: "3" }, true)).toHaveProperty("stock", 3);
  });

  test("is what the form shows of it again", () => {
    const values = {
      ...fine,
      value: "2,50",
      stock: "4",
      codeTemplate: "A-{random}",
      picture: "drink",
      type: "gift",
      item: "Un expresso",
      translations: { ...EMPTY_REWARD.translations, de: "Kaffee" },
      itemTranslations: { ...EMPTY_REWARD.translations, de: "Ein Espresso" },
    } as const;
    const row = { id: campaignId, version: 1, stock: -1, ...toWrite(values, true) };
    const metadata = { item: "Un expresso", validityDays: 30 };
    expect(toValues({ ...row, metadata })).toEqual(values);
  });
});

test.each([
  ["", "WIN7K3M9QXA"],
  ["NOEL-{random}", "NOEL-7K3M9QXA"],
  ["NOEL", "NOEL-7K3M9QXA"],
])("a code of the template %j looks like %s", (template, code) => {
  expect(codeExample(template)).toBe(code);
});
