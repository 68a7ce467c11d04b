import { expect, it } from "vitest";
import { isOddPhone, phoneToDial } from "./phone-number.ts";

it.each([
  "06 12 34 56 78",
  "(06) 12-34 56+78",
  "+33 6 12 34 56 78",
  "+33 (0)6 12 34 56 78",
  "33612345678",
  "0033 (0) 6 12 34 56 78",
  "+32 475 12 34 56",
  "0049 170 1234567",
  "+49 (0)170 1234567",
  "+44 20 7946 0018",
  "+1 202-555-0143",
  "+999 123 456 789 012",
])("finds nothing odd about %j", (number) => {
  expect(isOddPhone(number)).toBe(false);
});

it.each([
  ["a digit too many", "06 12 34 56 789"],
  ["a digit too few", "06-12-34-56-7"],
  ["a digit too many behind +33", "+33 6 12 34 56 789"],
  ["a digit too many behind (0)", "+33 (0)6 12 34 56 789"],
  ["a digit too many behind 0033", "0033 6 12 34 56 78 9"],
  ["a leading 0 that is not French", "0170 1234567"],
  ["more digits than any number has", "+999 123 456 789 0123"],
  ["hardly a digit", "1---------"],
])("finds a number with %s odd", (_, number) => {
  expect(isOddPhone(number)).toBe(true);
});

it.each([
  ["0612345678", "06 12 34 56 78"],
  ["06.12.34.56.78", "06 12 34 56 78"],
  ["+33 (0)6 12 34 56 78", "06 12 34 56 78"],
  ["33612345678", "06 12 34 56 78"],
  ["+32 475 12 34 56", "00 32475123456"],
  ["0049 170 1234567", "00 491701234567"],
])("dials %j as %j in France", (typed, dialled) => {
  expect(phoneToDial(typed)).toBe(dialled);
});

it.each(["0170 1234567", "=06 12 34", "1---------"])("leaves %j as it was typed", (typed) => {
  expect(phoneToDial(typed)).toBe(typed);
});
