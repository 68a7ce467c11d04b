import { expect, it } from "vitest";
import { isLegible } from "./legible.ts";

it.each([
  ["Café Bertille", "Café Bertille", true],
  ["寿司 Sushi", "Sushi", true],
  ["24", "24", true],
  ["Кафе 24", "24", false],
  ["Ταβέρνα", "", false],
  ["🍕", "", false],
  ["Кафе", "·", false],
])("of « %s », « %s » says something: %s", (name, printed, says) => {
  expect(isLegible(printed, name)).toBe(says);
});
