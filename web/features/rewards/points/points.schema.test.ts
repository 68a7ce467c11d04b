import { expect, test } from "vitest";
import { NO_TRANSLATIONS } from "../../../lib/translation-values.ts";
import { pointsSchema, toWrite } from "./points.schema.ts";

test("a price and a stock are read as they are typed in French: with spaces between digits", () => {
  const typed = {
    name: "Un thé",
    cost: " 1 000 ",
    stock: "2\u202F500",
    translations: NO_TRANSLATIONS,
  };
  expect(pointsSchema.safeParse(typed).success).toBe(true);
  expect(toWrite(typed, true)).toMatchObject({ cost: 1000, stock: 2500 });
  expect(pointsSchema.safeParse({ ...typed, cost: "1,5" }).success).toBe(false);
});
