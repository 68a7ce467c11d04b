import { expect, it } from "vitest";
import { unbroken } from "./unbroken.ts";

it.each([
  ["10 % de remise", "10\u00a0% de remise"],
  ["Un bon de 5 € ou 10 %", "Un bon de 5\u00a0€ ou 10\u00a0%"],
  ["2 cafés", "2 cafés"],
  ["Remise € surprise", "Remise € surprise"],
])("%s keeps its figures with their signs", (name, whole) => {
  expect(unbroken(name)).toBe(whole);
});
