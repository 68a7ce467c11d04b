import { expect, it } from "vitest";
import { firstNameIn } from "./first-name.ts";

it.each([
  ["Zoé Lambert", "Zoé"],
  ["  Anne-Lise   Roy ", "Anne-Lise"],
  ["Li", "Li"],
  ["M. Roy", ""],
  ["Mme Lambert", ""],
  ["Dr. Roy", ""],
  ["", ""],
  ["x".repeat(25), ""],
])("calls « %s » « %s »", (name, expected) => {
  expect(firstNameIn(name)).toBe(expected);
});
