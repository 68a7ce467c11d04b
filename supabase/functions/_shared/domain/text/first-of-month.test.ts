import { expect, it } from "vitest";
import { firstOfMonth } from "./first-of-month.ts";

it.each([
  ["1 décembre 2026", "1er décembre 2026"],
  ["mardi 1 décembre", "mardi 1er décembre"],
  ["1 déc. 2026, 08:00", "1er déc. 2026, 08:00"],
  ["samedi 1 août", "samedi 1er août"],
  ["11 novembre 2026", "11 novembre 2026"],
  ["21 novembre 2021 à 01:01", "21 novembre 2021 à 01:01"],
])("« %s » is written « %s »", (given, written) => {
  expect(firstOfMonth(given)).toBe(written);
});
